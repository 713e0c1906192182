// Whether commits count depends on who their authors belong to, and on that person's status. Whoever sums commits up holds both
// until the end of the transaction: a merge or a status that changes at the same time waits for the sums and then corrects
// them, or is waited for and seen.
import { sql } from 'kysely';
import type { Database } from '../database/handle.ts';

/**
 * Call it before commits or sums are read. In two statements, each of which sees what it has waited for: in one, a person who is
 * merged meanwhile would be looked for under the root of before, and not be found.
 */
export async function lockAuthors(db: Database, entityId: number, authorIds: readonly number[]): Promise<void> {
  if (authorIds.length === 0) return;
  await sql`
    select from committers where entity_id = ${entityId} and id = any(${authorIds}) order by id for share`.execute(db);
  await sql`
    select from committers r
    where r.entity_id = ${entityId} and r.id in (
      select p.root_committer_id from committers p where p.entity_id = ${entityId} and p.id = any(${authorIds}))
    order by r.id for share`.execute(db);
}
