// What survival of lines is estimated from: how many lines commits of a day wrote, by the evidence of AI that they bear,
// and at which age later commits deleted or rewrote them. A move neither writes a line nor ends it: the origin of a line is
// followed through moves.
import { type RawBuilder, sql } from 'kysely';
import { MOST_DAYS_BEFORE } from '../../domain/ai/survival.ts';
import { ENDING_OPERATIONS, WRITING_OPERATIONS } from '../../domain/commits/line-model.ts';
import { sumLines } from '../commits/line-columns.ts';
import type { Database } from '../database/handle.ts';
import { isVisible } from '../people/contributors.ts';

export interface SurvivalScope {
  readonly entityId: number;
  /** Null: all. */
  readonly repoIds: readonly number[] | null;
  /** Days on which the lines were written. */
  readonly from: string;
  readonly to: string;
  readonly categories: readonly number[];
  readonly mostAge: number;
  /** Root committers whose lines the caller may see; null: all. */
  readonly visible: readonly number[] | null;
}

export interface WrittenLines {
  /** Null where nothing speaks of AI. */
  readonly source: string | null;
  readonly written_on: string;
  readonly lines: number;
}

export interface EndedLines {
  readonly source: string | null;
  readonly written_on: string;
  readonly age: number;
  readonly died: number;
}

const WRITTEN = sumLines('f', WRITING_OPERATIONS);
const ENDED = sumLines('w', ENDING_OPERATIONS);

const ofRepos = (scope: SurvivalScope, commit: string): RawBuilder<unknown> =>
  scope.repoIds === null ? sql`true` : sql`${sql.ref(`${commit}.repo_id`)} = any(${[...scope.repoIds]}::bigint[])`;

export async function readWrittenLines(db: Database, scope: SurvivalScope): Promise<WrittenLines[]> {
  const { rows } = await sql<WrittenLines>`
    select a.source::text as source, c.authored_on as written_on, sum(${sql.raw(WRITTEN)})::float8 as lines
    from commits c
    join commit_files f on f.entity_id = c.entity_id and f.commit_id = c.id
      and f.category = any(${[...scope.categories]}::smallint[])
    left join commit_ai a on a.entity_id = c.entity_id and a.commit_id = c.id and a.position = 0
    where c.entity_id = ${scope.entityId} and c.rolled_up and c.counted_in is null
      and c.authored_on between ${scope.from}::date and ${scope.to}::date and ${ofRepos(scope, 'c')}
      and ${isVisible(scope, sql`c.author_id`)}
    group by 1, 2 order by 2, 1`.execute(db);
  return rows;
}

export async function readEndedLines(db: Database, scope: SurvivalScope): Promise<EndedLines[]> {
  const { rows } = await sql<EndedLines>`
    select a.source::text as source, o.authored_on as written_on, greatest(0, c.authored_on - o.authored_on) as age,
      sum(${sql.raw(ENDED)})::float8 as died
    from commits c
    join line_flows w on w.entity_id = c.entity_id and w.commit_id = c.id
      and w.category = any(${[...scope.categories]}::smallint[])
    join commits o on o.entity_id = w.entity_id and o.id = w.origin_commit_id
    left join commit_ai a on a.entity_id = o.entity_id and a.commit_id = o.id and a.position = 0
    where c.entity_id = ${scope.entityId} and c.rolled_up and c.counted_in is null
      and c.authored_on between ${scope.from}::date - ${MOST_DAYS_BEFORE}::int and ${scope.to}::date + ${scope.mostAge}::int
      and o.rolled_up and o.counted_in is null and o.authored_on between ${scope.from}::date and ${scope.to}::date
      and c.authored_on - o.authored_on between -${MOST_DAYS_BEFORE}::int and ${scope.mostAge} and ${ofRepos(scope, 'o')}
      and ${isVisible(scope, sql`o.author_id`)}
    group by 1, 2, 3 order by 2, 1, 3`.execute(db);
  return rows;
}

/**
 * The day of the newest commit; null where there are none. One of a machine whose clock is ahead says nothing about how far
 * lines were followed.
 */
export async function readLastDay(db: Database, scope: SurvivalScope, today: string): Promise<string | null> {
  const { rows } = await sql<{ last_on: string | null }>`
    select max(c.authored_on) as last_on from commits c
    where c.entity_id = ${scope.entityId} and c.rolled_up and c.authored_on <= ${today}::date
      and ${ofRepos(scope, 'c')}`.execute(db);
  return rows[0]?.last_on ?? null;
}
