// Which kinds of data an entity has any record of.
import { sql } from 'kysely';
import { DATA_KINDS, type DataKind } from '../../domain/segments.ts';
import type { Database } from '../database/handle.ts';

/** Teams without the one that everybody is in. */
const TABLES: Record<DataKind, string> = {
  commits: 'daily_commits where',
  ai_usage: 'ai_usages where',
  pull_requests: 'pull_requests where',
  issues: 'issues where',
  sprints: 'sprints where',
  releases: 'releases where',
  critical_defects: 'critical_defects where',
  teams: 'teams where not is_default and',
};

export async function listDataKinds(db: Database, entityId: number): Promise<ReadonlySet<DataKind>> {
  const columns = DATA_KINDS.map(
    (kind) => sql`exists (select 1 from ${sql.raw(TABLES[kind])} entity_id = ${entityId}) as ${sql.ref(kind)}`,
  );
  const { rows } = await sql<Record<DataKind, boolean>>`select ${sql.join(columns)}`.execute(db);
  return new Set(DATA_KINDS.filter((kind) => rows[0]?.[kind] === true));
}
