// Names of teams, repos and people as series show them, read for those that occur.
import { CATEGORIES } from '../domain/commits/line-model.ts';
import type { Store } from '../storage/database/handle.ts';
import { listCommitterNames } from '../storage/people/contributors.ts';
import { listRepoNames } from '../storage/repos/resources.ts';
import { listTeamNames } from '../storage/teams/teams.ts';
import { type Dimension, FOLDED } from './compile/source.ts';

const NAMES: Partial<Record<Dimension, typeof listTeamNames>> = {
  team: listTeamNames,
  repo: listRepoNames,
  committer: listCommitterNames,
};

const CATEGORY_LABELS = new Map<string, string>(CATEGORIES.map(({ id, label }) => [String(id), label]));

/** What is folded is shown by. */
export const OTHER = 'Other';

/** The short name, or the long one where two have the same short one. What only has the name of the rest says what it is. */
export async function readLabels(
  store: Store,
  entityId: number,
  dimension: Dimension | null,
  values: Iterable<string>,
  wantsPaths: boolean,
): Promise<(value: string) => string> {
  const listNames = dimension === null ? undefined : NAMES[dimension];
  const shown = new Set(values);
  const beside = (name: string): string => (name === OTHER && shown.has(FOLDED) ? `${OTHER} (${dimension})` : name);
  const fixed = (value: string): string | null =>
    value === FOLDED ? OTHER : dimension === 'category' ? beside(CATEGORY_LABELS.get(value) ?? value) : null;
  if (listNames === undefined) return (value) => fixed(value) ?? beside(value);
  const ids = [...shown].filter((value) => /^\d+$/.test(value)).map(Number);
  const rows = await listNames(store.db, entityId, ids);
  const counts = new Map<string, number>();
  for (const { short } of rows) counts.set(short, (counts.get(short) ?? 0) + 1);
  const names = new Map(
    rows.map(({ id, short, long }) => [String(id), beside(wantsPaths || counts.get(short)! > 1 ? long : short)]),
  );
  return (value) => fixed(value) ?? names.get(value) ?? beside(value);
}
