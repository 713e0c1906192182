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

/** The short name, or the long one where two have the same short one. */
export async function readLabels(
  store: Store,
  entityId: number,
  dimension: Dimension | null,
  values: Iterable<string>,
  wantsPaths: boolean,
): Promise<(value: string) => string> {
  const listNames = dimension === null ? undefined : NAMES[dimension];
  const fixed = (value: string): string | null =>
    value === FOLDED ? 'Other' : dimension === 'category' ? (CATEGORY_LABELS.get(value) ?? value) : null;
  if (listNames === undefined) return (value) => fixed(value) ?? value;
  const ids = [...new Set(values)].filter((value) => /^\d+$/.test(value)).map(Number);
  const rows = await listNames(store.db, entityId, ids);
  const counts = new Map<string, number>();
  for (const { short } of rows) counts.set(short, (counts.get(short) ?? 0) + 1);
  const names = new Map(
    rows.map(({ id, short, long }) => [String(id), wantsPaths || counts.get(short)! > 1 ? long : short]),
  );
  return (value) => fixed(value) ?? names.get(value) ?? value;
}
