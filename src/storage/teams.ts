// Queries on teams.
import type { Database } from './handle.ts';
import type { Row } from './schema.ts';

export type TeamRow = Row<'teams'>;

export const findTeamBySlug = (db: Database, entityId: number, slug: string): Promise<TeamRow | undefined> =>
  db
    .selectFrom('teams')
    .selectAll()
    .where('entity_id', '=', entityId)
    .where('slug', '=', slug.trim().toLowerCase())
    .executeTakeFirst();
