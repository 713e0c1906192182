// A sprint belongs to the team whose board it was made on. Teams of boards are made from stays in sprints, so this comes after both.
import { sql } from 'kysely';
import type { Database } from '../../storage/database/handle.ts';

/** How many rows it has changed. */
export async function assignSprints(db: Database, entityId: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    update sprints set team_id = k.team_id
    from (
      select s.id, min(t.id) as team_id
      from sprints s left join teams t on t.entity_id = s.entity_id and t.project_board_id = s.board_id
      where s.entity_id = ${entityId} and s.tracker_id is not null
      group by s.id) k
    where sprints.entity_id = ${entityId} and sprints.id = k.id and sprints.team_id is distinct from k.team_id`.execute(
    db,
  );
  return Number(numAffectedRows);
}
