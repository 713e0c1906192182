// Plain clicks on links of this page change it in place; everything else is left to the browser: other
// buttons, modifier keys, downloads, other servers.
import type { AnyRouter } from '@tanstack/react-router';

export function interceptLinks(router: AnyRouter): void {
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = (event.target as Element | null)?.closest?.('a[href]');
    const href = link?.getAttribute('href');
    if (!link || !href?.startsWith('/e/') || link.hasAttribute('download') || link.hasAttribute('target')) return;
    event.preventDefault();
    if (link.hasAttribute('data-replace')) router.history.replace(href);
    else router.history.push(href);
  });
}
