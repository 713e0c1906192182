// The keys of the page. One table: the handler reads it, the help shows it. None of them uses Alt, none
// works in a field, and they can be switched off.
import { RANGE_PRESETS } from '../../url/range.ts';
import { NAVIGATION } from '../navigation.ts';

export type ShortcutAction =
  | { readonly kind: 'page'; readonly page: (typeof NAVIGATION)[number]['page'] }
  | { readonly kind: 'range'; readonly range: string }
  | { readonly kind: 'shift'; readonly direction: -1 | 1 }
  | { readonly kind: 'compare' | 'table' | 'export' | 'close' | 'palette' | 'help' };

export interface Shortcut {
  readonly keys: string;
  readonly does: string;
  readonly group: 'Go to' | 'Range' | 'This page';
  readonly action: ShortcutAction;
}

export const SHORTCUTS: readonly Shortcut[] = [
  ...NAVIGATION.map(
    ({ page, title, key }): Shortcut => ({
      keys: `g ${key}`,
      does: title,
      group: 'Go to',
      action: { kind: 'page', page },
    }),
  ),
  ...RANGE_PRESETS.map(
    ({ range, label }, index): Shortcut => ({
      keys: String(index + 1),
      does: label,
      group: 'Range',
      action: { kind: 'range', range },
    }),
  ),
  { keys: '[', does: 'Earlier', group: 'Range', action: { kind: 'shift', direction: -1 } },
  { keys: ']', does: 'Later', group: 'Range', action: { kind: 'shift', direction: 1 } },
  { keys: 'c', does: 'Compare with the period before, or with nothing', group: 'Range', action: { kind: 'compare' } },
  { keys: 't', does: 'Chart or table', group: 'This page', action: { kind: 'table' } },
  { keys: 'e', does: 'Export', group: 'This page', action: { kind: 'export' } },
  { keys: '/', does: 'Search or jump (also Ctrl K)', group: 'This page', action: { kind: 'palette' } },
  { keys: '?', does: 'This list', group: 'This page', action: { kind: 'help' } },
  { keys: 'Escape', does: 'Close the records', group: 'This page', action: { kind: 'close' } },
];

/** The shortcut that a key means after the ones before it, or that more keys are needed. */
export function matchShortcut(typed: readonly string[]): Shortcut | 'more' | null {
  const text = typed.join(' ');
  const exact = SHORTCUTS.find(({ keys }) => keys === text);
  if (exact !== undefined) return exact;
  return SHORTCUTS.some(({ keys }) => keys.startsWith(`${text} `)) ? 'more' : null;
}
