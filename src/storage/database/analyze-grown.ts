// Figures for the planner about what was just stored. The database collects them by itself, a minute later: until then it takes a
// table that was filled for a nearly empty one, and an entity that was for one without rows; and a statement over all of it
// does not end in its time.
import { sql } from 'kysely';
import type { Database } from './handle.ts';
import type { Row, TableName } from './schema.ts';

/** By how much a table has outgrown its figures when they mislead. */
const GROWTH = 1.5;
/** Below that, any plan is good enough. */
const FEW_PAGES = 16;
/** An entity with fewer rows, or a smaller part of the table, may be missing from figures that were just collected. */
const LEAST_OF_ENTITY = { rows: 300, part: 1 / 200 } as const;

/**
 * By what rows of a wide table are chosen, joined and grouped: messages and measures of thousands of commits take longer to sort than all
 * of these. The database collects those by itself later on, as if these had not been collected.
 */
const COMPARED: { readonly [T in TableName]?: readonly (keyof Row<T> & string)[] } = {
  commits: [
    'entity_id',
    'id',
    'repo_id',
    'sha',
    'author_id',
    'agent_id',
    'author_signature_id',
    'authored_at',
    'authored_on',
    'committed_at',
    'state',
    'presence',
    'contributor_kind',
    'not_counted',
    'derived_from',
    'counted_in',
    'reverts',
    'is_merge',
    'on_default_branch',
    'rolled_up',
  ],
};

/**
 * Of those of the tables that have rows and no figures, are much larger than when they got theirs, or have much of an entity that
 * the figures do not know. Within a transaction its own rows count. A table that somebody else is collecting figures of is left to
 * them: their transaction may be long.
 */
export async function analyzeGrown(db: Database, entityId: number, tables: readonly TableName[]): Promise<void> {
  const { rows } = await sql<{ name: TableName; has_grown: boolean; least: number }>`
    select c.relname as name, g.has_grown, greatest(${LEAST_OF_ENTITY.rows}::float8, c.reltuples * ${LEAST_OF_ENTITY.part}::float8) as least
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    cross join lateral (
      select pg_relation_size(c.oid) / current_setting('block_size')::int as pages) s
    cross join lateral (
      select c.reltuples <= 0 or s.pages > c.relpages * ${GROWTH}::float8 + ${FEW_PAGES}::int as has_grown) g
    left join pg_stats t on t.schemaname = n.nspname and t.tablename = c.relname and t.attname = 'entity_id'
    where c.oid = any(${tables}::regclass[]) and s.pages > 0
      and (g.has_grown or not ${entityId}::bigint = any(coalesce(t.most_common_vals::text::bigint[], '{}')))`.execute(
    db,
  );
  for (const { name, has_grown, least } of rows) {
    if (!has_grown && !(await hasRows(db, name, entityId, Math.ceil(least)))) continue;
    const compared = COMPARED[name];
    const columns = compared === undefined ? sql`` : sql`(${sql.join(compared.map((column) => sql.ref(column)))})`;
    await sql`analyze (skip_locked) ${sql.table(name)} ${columns}`.execute(db);
  }
}

async function hasRows(db: Database, table: string, entityId: number, least: number): Promise<boolean> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select from ${sql.table(table)} where entity_id = ${entityId} limit ${least}) t`.execute(db);
  return rows[0]!.count >= least;
}
