// Figures for the planner about tables that were just filled. The database collects them by itself, a minute later: until
// then it takes such a table for a nearly empty one, and a statement over a whole backfill does not end in its time.
import { sql } from 'kysely';
import type { Database } from './handle.ts';
import type { TableName } from './schema.ts';

/** By how much a table has outgrown its figures when they mislead. */
const GROWTH = 1.5;
/** Below that, any plan is good enough. */
const FEW_PAGES = 16;

/**
 * Of those of the tables that have rows and no figures, or are much larger than when they got theirs. Within a transaction its
 * own rows count. A table that somebody else is collecting figures of is left to them: their transaction may be long.
 */
export async function analyzeGrown(db: Database, tables: readonly TableName[]): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name
    from pg_class c
    cross join lateral (
      select pg_relation_size(c.oid) / current_setting('block_size')::int as pages) s
    where c.oid = any(${tables}::regclass[]) and s.pages > 0 and (c.reltuples <= 0 or s.pages > c.relpages * ${GROWTH}::float8 + ${FEW_PAGES}::int)`.execute(
    db,
  );
  for (const { name } of rows) await sql`analyze (skip_locked) ${sql.table(name)}`.execute(db);
}
