// Where one can go: a column at the side, a row on small screens.
import {
  CircleUser,
  Code,
  Download,
  GitPullRequest,
  Hammer,
  LayoutDashboard,
  ListTree,
  Rocket,
  Sparkles,
} from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { usePage } from '../report/page-context.ts';
import { type Page, pageLink } from '../url/links.ts';
import { NAVIGATION } from './navigation.ts';
import styles from './navigation-bar.module.css';

const ICONS: Readonly<Record<Page, ReactNode>> = {
  overview: <LayoutDashboard />,
  code: <Code />,
  work: <Hammer />,
  reviews: <GitPullRequest />,
  delivery: <Rocket />,
  ai: <Sparkles />,
  statistics: <ListTree />,
  imports: <Download />,
  account: <CircleUser />,
};

export function NavigationBar({ current }: { readonly current: string }) {
  const { entity, view, segments, path } = usePage();
  const shown = current === 's' ? (segments.get(path.split('/')[4] ?? '')?.page ?? 'statistics') : current;
  const bar = useRef<HTMLElement>(null);
  // On small screens the row scrolls; the page one is on should be in it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page is another place in the row
  useEffect(() => {
    // Together with the frame's own layout: an earlier question would cost a second one.
    const frame = requestAnimationFrame(() => {
      const link = bar.current?.querySelector<HTMLElement>('[aria-current]');
      if (link != null) bar.current!.scrollLeft = link.offsetLeft - bar.current!.clientWidth / 2 + link.clientWidth / 2;
    });
    return () => cancelAnimationFrame(frame);
  }, [shown]);
  return (
    <nav className={styles.bar} aria-label="Pages" ref={bar}>
      <ul>
        {NAVIGATION.map(({ page, title, group }, index) => (
          <li key={page} data-new-group={(index > 0 && NAVIGATION[index - 1]!.group !== group) || undefined}>
            <a href={pageLink(entity.slug, page, view)} aria-current={page === shown ? 'page' : undefined}>
              {ICONS[page]}
              {title}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
