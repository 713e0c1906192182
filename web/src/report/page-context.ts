// What every part of a page needs to know: who looks, at which entity, with which view, on which day.
import { createContext, use } from 'react';
import type { Imports, Introspection, Me, Segment } from '../api/queries.ts';
import type { Days } from '../url/range.ts';
import { resolveRange } from '../url/range.ts';
import { type View, writeView } from '../url/view.ts';

export type EntityOfMe = Me['entities'][number];
export type DisplayNames = Introspection['display_names'];

export interface PageContext {
  readonly me: Me;
  readonly entity: EntityOfMe;
  readonly segments: ReadonlyMap<string, Segment>;
  readonly names: DisplayNames;
  readonly imports: Imports;
  /** In the entity's zone. */
  readonly today: string;
  readonly view: View;
  /** Path of the page, without its query. */
  readonly path: string;
  readonly go: (href: string, how?: 'push' | 'replace') => void;
}

export const PageProvider = createContext<PageContext | null>(null);

export function usePage(): PageContext {
  const page = use(PageProvider);
  if (page === null) throw new Error('this part of the page stands outside of an entity');
  return page;
}

export const daysOf = ({ view, today, imports }: PageContext): Days =>
  resolveRange(view.range, today, imports.data.first_on);

/** The same page with some keys changed. */
export const hereWith = ({ path, view }: PageContext, change: Partial<View>): string =>
  `${path}${writeView({ ...view, ...change })}`;

/** Whether the caller may make a call in this entity. */
export const mayCall = ({ entity }: PageContext, name: string): boolean => entity.may.includes(name);
