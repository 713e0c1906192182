// Addresses of pages. `/e/<entity>/<page>?…`, and `/e/<entity>/s/<segment>?…` for one statistic.
import { keptScope, type View, writeView } from './view.ts';

export type Page = 'overview' | 'code' | 'work' | 'reviews' | 'delivery' | 'ai' | 'statistics' | 'imports' | 'account';

const entityPath = (entity: string): string => `/e/${encodeURIComponent(entity)}`;

/** A page with the scope and range of the view; what belongs to the present page is left behind. */
export const pageLink = (entity: string, page: Page, view?: View): string =>
  `${entityPath(entity)}/${page}${view === undefined ? '' : writeView(keptScope(view))}`;

export const statisticLink = (entity: string, segment: string, view: View, own: Partial<View> = {}): string =>
  `${entityPath(entity)}/s/${segment}${writeView({ ...keptScope(view), ...own })}`;

export function signInLink(from = '', { hasEnded = false }: { readonly hasEnded?: boolean } = {}): string {
  const query = new URLSearchParams({
    ...(from.startsWith('/e/') ? { to: from } : {}),
    ...(hasEnded ? { why: SESSION_ENDED } : {}),
  }).toString();
  return query === '' ? '/sign-in' : `/sign-in?${query}`;
}

/** Why the door is shown to somebody who was inside. */
export const SESSION_ENDED = 'ended';

/** Where to go after signing in. Only pages of this server: anything else would be an open redirect. */
export function safeReturn(target: string | null): string | null {
  if (target === null || !target.startsWith('/e/') || target.includes('\\')) return null;
  // A line break or a tab would be dropped by the browser and could glue a second slash to the first.
  return [...target].every((character) => character >= ' ') ? target : null;
}
