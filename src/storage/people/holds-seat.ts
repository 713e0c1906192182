// Who uses a seat: a person whose activity is processed. A detected agent or bot uses none until a person chooses its
// status. All identities of a person use the one seat of their root.
import { type RawBuilder, sql } from 'kysely';

/** Of the root committer with that alias. */
export const holdsSeat = (alias: string): RawBuilder<boolean> =>
  sql<boolean>`(${sql.ref(`${alias}.processing_status`)} <> 'not_processing'
    and (${sql.ref(`${alias}.is_status_chosen`)} or not (${sql.ref(`${alias}.is_bot`)} or ${sql.ref(`${alias}.is_ai_agent`)})))`;
