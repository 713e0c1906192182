// Names of teams, repos and people as series show them, read for those that occur.
import { CATEGORIES } from '../domain/commits/line-model.ts';
import type { Store } from '../storage/database/handle.ts';
import { type Dimension, FOLDED } from './compile/source.ts';

const QUERIES: Partial<Record<Dimension, string>> = {
  team: `select id, name as short, slug as long from teams where entity_id = $1 and id = any($2::bigint[])`,
  repo: `select r.id, r.name as short, o.slug || '/' || r.slug as long
    from repos r join organizations o on o.entity_id = r.entity_id and o.id = r.organization_id
    where r.entity_id = $1 and r.id = any($2::bigint[])`,
  committer: `select id, coalesce(nullif(full_name, ''), committer_user_name) as short,
      full_name || ' (' || committer_user_name || ')' as long
    from committers where entity_id = $1 and id = any($2::bigint[])`,
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
  const query = dimension === null ? undefined : QUERIES[dimension];
  const fixed = (value: string): string | null =>
    value === FOLDED ? 'Other' : dimension === 'category' ? (CATEGORY_LABELS.get(value) ?? value) : null;
  if (query === undefined) return (value) => fixed(value) ?? value;
  const ids = [...new Set(values)].filter((value) => /^\d+$/.test(value)).map(Number);
  const { rows } = await store.pool.query<{ id: number; short: string; long: string }>(query, [entityId, ids]);
  const counts = new Map<string, number>();
  for (const { short } of rows) counts.set(short, (counts.get(short) ?? 0) + 1);
  const names = new Map(
    rows.map(({ id, short, long }) => [String(id), wantsPaths || counts.get(short)! > 1 ? long : short]),
  );
  return (value) => fixed(value) ?? names.get(value) ?? value;
}
