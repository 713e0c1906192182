// What tells two states of an entity's data apart for whoever keeps what was computed from them.
import { sql } from 'kysely';
import type { Database } from '../database/handle.ts';

export interface DataState {
  /** Rises with every change of what reports read, except that a repo is new. */
  readonly version: number;
  readonly repo_count: number;
}

export async function readDataState(db: Database, entityId: number): Promise<DataState> {
  const { rows } = await sql<DataState>`
    select coalesce((select version from data_versions where entity_id = ${entityId}), 0) as version,
      (select count(*) from repos where entity_id = ${entityId}) as repo_count`.execute(db);
  return rows[0]!;
}
