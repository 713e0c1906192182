// Turns keys into what the table of shortcuts says.
import { useEffect, useEffectEvent, useRef } from 'react';
import { daysOf, hereWith, type PageContext } from '../../report/page-context.ts';
import { pageLink } from '../../url/links.ts';
import { shiftRange } from '../../url/range.ts';
import { matchShortcut, type ShortcutAction } from './shortcuts.ts';

interface KeyTargets {
  readonly isOn: boolean;
  readonly openPalette: () => void;
  readonly openHelp: () => void;
}

const SEQUENCE_MILLISECONDS = 1_200;

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) ||
    target.closest('[role=menu],[role=listbox],[role=dialog]') !== null);

export function useKeys(page: PageContext, { isOn, openPalette, openHelp }: KeyTargets): void {
  const typed = useRef<{ keys: string[]; at: number }>({ keys: [], at: 0 });
  const run = useEffectEvent((action: ShortcutAction): void => {
    const { view, go, entity, today } = page;
    switch (action.kind) {
      case 'page':
        go(pageLink(entity.slug, action.page, view));
        break;
      case 'range':
        go(hereWith(page, { range: action.range, at: null }));
        break;
      case 'shift':
        go(hereWith(page, { range: shiftRange(daysOf(page), action.direction, today), at: null }));
        break;
      case 'compare':
        go(hereWith(page, { vs: view.vs === 'none' ? 'prev' : 'none' }));
        break;
      case 'table':
        go(hereWith(page, { view: view.view === 'table' ? 'chart' : 'table' }), 'replace');
        break;
      case 'export':
        document.querySelector<HTMLElement>('[data-export]')?.click();
        break;
      case 'close':
        if (view.at !== null) go(hereWith(page, { at: null, tab: 'records', kind: null }), 'replace');
        break;
      case 'palette':
        openPalette();
        break;
      case 'help':
        openHelp();
        break;
    }
  });
  const onKeyDown = useEffectEvent((event: KeyboardEvent): void => {
    if (event.key === 'k' && (event.ctrlKey || event.metaKey) && !event.altKey) {
      event.preventDefault();
      openPalette();
      return;
    }
    if (!isOn || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || event.defaultPrevented)
      return;
    const now = event.timeStamp;
    const before = now - typed.current.at < SEQUENCE_MILLISECONDS ? typed.current.keys : [];
    const found = matchShortcut([...before, event.key]) ?? matchShortcut([event.key]);
    typed.current = { keys: found === 'more' ? [...before, event.key] : [], at: now };
    if (found === null || found === 'more') return;
    event.preventDefault();
    run(found.action);
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => onKeyDown(event);
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, []);
}
