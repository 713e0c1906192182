// The pages of an entity: one row each for the navigation, the palette and the keys.
import type { Page } from '../url/links.ts';

export interface NavigationRow {
  readonly page: Page;
  readonly title: string;
  /** After `g`. */
  readonly key: string;
  /** Which figures of the address it shows; a page without any has no scope bar. */
  readonly hasScope: boolean;
  readonly group: 'figures' | 'tending';
}

export const NAVIGATION: readonly NavigationRow[] = [
  { page: 'overview', title: 'Overview', key: 'o', hasScope: true, group: 'figures' },
  { page: 'code', title: 'Code', key: 'c', hasScope: true, group: 'figures' },
  { page: 'work', title: 'Work', key: 'w', hasScope: true, group: 'figures' },
  { page: 'reviews', title: 'Reviews', key: 'r', hasScope: true, group: 'figures' },
  { page: 'delivery', title: 'Delivery', key: 'd', hasScope: true, group: 'figures' },
  { page: 'ai', title: 'AI', key: 'a', hasScope: true, group: 'figures' },
  { page: 'statistics', title: 'All statistics', key: 's', hasScope: false, group: 'figures' },
  { page: 'imports', title: 'Imports', key: 'i', hasScope: false, group: 'tending' },
  { page: 'account', title: 'Account', key: 'u', hasScope: false, group: 'tending' },
];
