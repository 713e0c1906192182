// What an address says: one row per key with its reader, its default and the pages that keep it. Everything
// that a control of the page can change is here, so a reload, the back button and a pasted link show the
// same. A key that was ever shipped stays readable: see aliases.ts and test/web/links.txt.
import { renameKeys } from './aliases.ts';
import { parseRange } from './range.ts';

const AGGREGATIONS = ['none', 'ai_cohort', 'ai_provider', 'committer', 'repo', 'repo_path', 'team'] as const;
const STATISTICS = ['mean', 'median', 'p75', 'p90'] as const;
const GRAINS = ['auto', 'day', 'week', 'month'] as const;
const VIEWS = ['chart', 'share', 'table'] as const;
const COMPARISONS = ['prev', 'year', 'none'] as const;
const EVIDENCE_TABS = ['records', 'excluded', 'how'] as const;

interface Key<T> {
  readonly read: (text: string) => T | undefined;
  readonly fallback: T;
  /** Scope keys go along to every page, page keys stay where they are. */
  readonly kept: 'everywhere' | 'on its page';
  readonly means: string;
}

const oneOf =
  <T extends string>(values: readonly T[]) =>
  (text: string): T | undefined =>
    values.find((value) => value === text);

const anyText = (text: string): string | undefined => (text.trim() === '' ? undefined : text);
const slug = (text: string): string | undefined => (/^[^\s/,]{1,255}$/u.test(text) ? text : undefined);

const key = <T>(row: Key<T>): Key<T> => row;

export const KEYS = {
  range: key<string>({ read: parseRange, fallback: '90d', kept: 'everywhere', means: 'the days shown' }),
  vs: key({
    read: oneOf(COMPARISONS),
    fallback: 'prev' as (typeof COMPARISONS)[number],
    kept: 'everywhere',
    means: 'what they are compared with',
  }),
  in: key<string | null>({ read: anyText, fallback: null, kept: 'everywhere', means: 'organizations or repos' }),
  team: key<string | null>({ read: slug, fallback: null, kept: 'everywhere', means: 'a team' }),
  who: key<string | null>({ read: anyText, fallback: null, kept: 'everywhere', means: 'people, by user name' }),
  ai: key<string | null>({ read: slug, fallback: null, kept: 'everywhere', means: 'an AI provider' }),
  by: key({
    read: oneOf(AGGREGATIONS),
    fallback: null as (typeof AGGREGATIONS)[number] | null,
    kept: 'on its page',
    means: 'one series for each',
  }),
  stat: key({
    read: oneOf(STATISTICS),
    fallback: 'mean' as (typeof STATISTICS)[number],
    kept: 'on its page',
    means: 'which statistic of times',
  }),
  grain: key({
    read: oneOf(GRAINS),
    fallback: 'auto' as (typeof GRAINS)[number],
    kept: 'on its page',
    means: 'length of an interval',
  }),
  view: key({
    read: oneOf(VIEWS),
    fallback: 'chart' as (typeof VIEWS)[number],
    kept: 'on its page',
    means: 'how it is shown',
  }),
  split: key<string | null>({ read: slug, fallback: null, kept: 'on its page', means: 'which breakdown is open' }),
  at: key<string | null>({
    read: anyText,
    fallback: null,
    kept: 'on its page',
    means: 'the point whose records are open',
  }),
  tab: key({
    read: oneOf(EVIDENCE_TABS),
    fallback: 'records' as (typeof EVIDENCE_TABS)[number],
    kept: 'on its page',
    means: 'which part of the records is open',
  }),
  kind: key<string | null>({ read: slug, fallback: null, kept: 'on its page', means: 'which kind of records is open' }),
} as const;

type Keys = typeof KEYS;
export type KeyName = keyof Keys;
export type View = { readonly [K in KeyName]: Keys[K] extends Key<infer T> ? T : never };
export type Aggregation = (typeof AGGREGATIONS)[number];
export type TimeStatistic = (typeof STATISTICS)[number];

/** What the API calls the lengths of intervals that can be chosen. */
export const GRAIN_INTERVALS = { day: 'daily', week: 'weekly', month: 'monthly' } as const;

const NAMES = Object.keys(KEYS) as KeyName[];

/** Values that cannot be read fall back to the default: an old or mistyped link still opens. */
export function parseView(search: string): View {
  const given = renameKeys(new URLSearchParams(search));
  return Object.fromEntries(
    NAMES.map((name) => {
      const text = given.get(name);
      return [name, (text === null ? undefined : KEYS[name].read(text)) ?? KEYS[name].fallback];
    }),
  ) as View;
}

/** The shortest query that says the view: defaults are left out, keys are in the order of the table. */
export function writeView(view: Partial<View>): string {
  const parts = NAMES.flatMap((name) => {
    const value = view[name];
    if (value === undefined || value === null || value === KEYS[name].fallback) return [];
    return [`${name}=${encodeReadably(value)}`];
  });
  return parts.length === 0 ? '' : `?${parts.join('&')}`;
}

/** Slashes, commas, colons and at signs are legal in a query and stay readable. */
const encodeReadably = (value: string): string =>
  encodeURIComponent(value)
    .replaceAll('%2F', '/')
    .replaceAll('%2C', ',')
    .replaceAll('%3A', ':')
    .replaceAll('%40', '@')
    .replaceAll('%20', '+');

/** What another page inherits. */
export const keptScope = (view: View): Partial<View> =>
  Object.fromEntries(NAMES.filter((name) => KEYS[name].kept === 'everywhere').map((name) => [name, view[name]]));

export interface PointAddress {
  readonly series: string;
  /** First day of the interval. */
  readonly start: string;
}

/** `<series>@<start>`; the series may hold an at sign itself. */
export function parsePoint(at: string): PointAddress {
  const cut = at.lastIndexOf('@');
  return cut === -1 ? { series: at, start: '' } : { series: at.slice(0, cut), start: at.slice(cut + 1) };
}

export const writePoint = ({ series, start }: PointAddress): string => `${series}@${start}`;
