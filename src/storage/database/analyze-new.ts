// Figures for the planner about tables that were just filled. The database collects them by itself, a minute later: until
// then it takes every table for a nearly empty one, and a statement over a whole backfill does not end in its time.
import { sql } from 'kysely';
import type { Database } from './handle.ts';
import type { TableName } from './schema.ts';

/** Of those of the tables that have rows and no figures yet. Not within a transaction that writes to them. */
export async function analyzeNew(db: Database, tables: readonly TableName[]): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_class c
    where c.oid = any(${tables}::regclass[]) and c.reltuples <= 0 and pg_relation_size(c.oid) > 0`.execute(db);
  for (const { name } of rows) await sql`analyze ${sql.table(name)}`.execute(db);
}
