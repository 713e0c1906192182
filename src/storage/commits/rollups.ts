// Keeps the daily tables exact. A commit counts when it is complete, not excluded, present, and its
// author's root is processed for statistics. commits.rolled_up says whether its facts are in the daily
// tables; whatever changes one of those conditions calls reconcileRollups in the same transaction.
import { type RawBuilder, sql } from 'kysely';
import {
  AI_MEASURES,
  FILE_MEASURES,
  type FileMeasure,
  MEASURE_UNITS,
  OPERATION_DELTAS,
} from '../../domain/commits/file-measures.ts';
import { OPERATION_ROWS, OPERATIONS, type Operation } from '../../domain/commits/line-model.ts';
import { creditUsages } from '../ai/usage-credits.ts';
import type { Database } from '../database/handle.ts';
import type { Row } from '../database/schema.ts';
import { lockAuthors } from '../people/lock-authors.ts';
import { sumLines } from './line-columns.ts';
import { utcDayOf } from './utc-day.ts';

/** The category of what belongs to a commit as such: how many there are, whatever files they touch. */
const WHOLE_COMMIT = 0;

/** Whether the commit `c` by an author with the root `r` belongs into the daily tables. */
const SHOULD_COUNT = sql<boolean>`(c.state = 'analysis_complete' and c.not_counted is null
  and c.presence = 'existent' and r.processing_status = 'processing_stats')`;

export type RollupScope =
  | { readonly commitIds: readonly number[] }
  | { readonly repoId: number }
  | { readonly authorIds: readonly number[] }
  | 'entity';

function inScope(scope: RollupScope): RawBuilder<unknown> {
  if (scope === 'entity') return sql`true`;
  if ('commitIds' in scope) return sql`c.id = any(${scope.commitIds})`;
  if ('repoId' in scope) return sql`c.repo_id = ${scope.repoId}`;
  return sql`c.author_id = any(${scope.authorIds})`;
}

async function lockScope(db: Database, entityId: number, scope: RollupScope): Promise<void> {
  if (scope !== 'entity' && 'authorIds' in scope) return lockAuthors(db, entityId, scope.authorIds);
  const { rows } = await sql<{ author_id: number }>`
    select distinct c.author_id from commits c where c.entity_id = ${entityId} and ${inScope(scope)}`.execute(db);
  return lockAuthors(
    db,
    entityId,
    rows.map(({ author_id }) => author_id),
  );
}

/** Brings the daily tables in line with the commits of the scope, and returns how many commits changed sides. */
export async function reconcileRollups(db: Database, entityId: number, scope: RollupScope): Promise<number> {
  await lockScope(db, entityId, scope);
  const { rows } = await sql<{ id: number; rolled_up: boolean }>`
    select c.id, c.rolled_up
    from commits c
    join committers p on p.entity_id = c.entity_id and p.id = c.author_id
    join committers r on r.entity_id = p.entity_id and r.id = p.root_committer_id
    where c.entity_id = ${entityId} and ${inScope(scope)} and c.rolled_up <> ${SHOULD_COUNT}
    order by c.id
    for update of c`.execute(db);
  const leaving = rows.filter((row) => row.rolled_up).map((row) => row.id);
  const joining = rows.filter((row) => !row.rolled_up).map((row) => row.id);
  await addToRollups(db, entityId, leaving, -1);
  await setRolledUp(db, entityId, leaving, false);
  await addToRollups(db, entityId, joining, 1);
  await setRolledUp(db, entityId, joining, true);
  if (rows.length > 0) await bumpDataVersion(db, entityId);
  return rows.length;
}

export async function setRolledUp(
  db: Database,
  entityId: number,
  ids: readonly number[],
  value: boolean,
): Promise<void> {
  if (ids.length === 0) return;
  await sql`update commits set rolled_up = ${value} where entity_id = ${entityId} and id = any(${ids})`.execute(db);
}

// Columns of the daily tables; one that no migration has made does not compile.
const MEASURES = [...FILE_MEASURES, 'file_count'] as const satisfies readonly (keyof Row<'daily_facts'> &
  keyof Row<'daily_commits'>)[];
const COMMIT_COUNTS = ['commit_count', 'ai_commit_count', 'ai_line_commit_count', 'known_commit_count'] as const;
/** By whether there is evidence of who wrote the commit. */
const EVIDENCE_MEASURES = [
  'known_lines_changed',
  'unknown_lines_added',
  'unknown_lines_deleted',
  'unknown_delta',
] as const satisfies readonly (keyof Row<'daily_facts'>)[];
const CATEGORY_MEASURES = [...MEASURES, ...EVIDENCE_MEASURES];
/** Commits by day of the week, Monday first. */
const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map((day) => `commits_${day}`);
const byWeekday = (sign: 1 | -1): RawBuilder<unknown> =>
  each(WEEKDAYS, (name) => `${sign} * count(*) filter (where c.weekday = ${WEEKDAYS.indexOf(name)}) as ${name}`);
/** Of the commits with that evidence, whatever it says of single lines. */
const ALL_OF_AI = ['all_lines_added', 'all_lines_deleted', 'all_lines_changed', 'all_delta'] as const;
const AI_COUNTS = ['commit_count', 'line_commit_count', 'file_count', ...ALL_OF_AI, ...AI_MEASURES] as const;

const each = <N extends string>(names: readonly N[], write: (name: N) => string): RawBuilder<unknown> =>
  sql.raw(names.map(write).join(', '));
const increment = (table: string, names: readonly string[]): RawBuilder<unknown> =>
  each(names, (name) => `${name} = ${table}.${name} + excluded.${name}`);
/** As the daily tables have it. They are summed up once more, which of bigints takes numbers of any length. */
const typeOfSum = (name: FileMeasure): string => (MEASURE_UNITS[name].scale === 1 ? 'int' : 'bigint');
/** The repos that a commit counts in before its own: its sums are kept apart, and are nobody's of the whole entity. */
const COUNTED_IN = sql.raw(`coalesce(c.counted_in, '{}')`);
const ofFile = (operations: readonly Operation[]): string => sumLines('f', operations);
const CHANGED_LINES = ofFile(OPERATIONS);
/** Lines that replace none, and lines that none replaces. */
const countedAt = (side: 'added' | 'removed'): string =>
  ofFile(OPERATIONS.filter((operation) => OPERATION_ROWS[operation].counted === side));
const DELTA = OPERATION_DELTAS.map((name) => `coalesce(f.${name}, 0)`).join(' + ');
const total = (value: string, filter = ''): RawBuilder<unknown> =>
  sql.raw(`coalesce(sum(${value})${filter}, 0)::bigint`);
const IS_KNOWN = ` filter (where d.contributor_kind <> 'unknown')`;
const IS_UNKNOWN = ` filter (where d.contributor_kind = 'unknown')`;

/** Adds the facts of these commits to the daily tables, or takes them out. The caller sets rolled_up. */
export async function addToRollups(
  db: Database,
  entityId: number,
  commitIds: readonly number[],
  sign: 1 | -1,
): Promise<void> {
  if (commitIds.length === 0) return;
  const entity = sql`${entityId}::bigint`;
  const filesOfCommit = sql`(select * from commit_files where entity_id = ${entity} and commit_id = d.id offset 0)`;
  await sql`
    with due as materialized (
      select c.id, c.repo_id, c.author_id, c.authored_on, ${sql.raw(utcDayOf('c'))} as utc_on, c.contributor_kind,
             coalesce(c.ai_lines_changed, 0) > 0 as has_ai_lines, ${COUNTED_IN} as counted_in
      from commits c where c.entity_id = ${entity} and c.id = any(${commitIds})
    ), by_category as materialized (
      select d.repo_id, d.author_id, d.authored_on, d.utc_on, d.counted_in, f.category, count(*) as file_count,
             ${each(FILE_MEASURES, (name) => `coalesce(sum(f.${name}), 0)::${typeOfSum(name)} as ${name}`)},
             ${total(CHANGED_LINES, IS_KNOWN)} as known_lines_changed,
             ${total(countedAt('added'), IS_UNKNOWN)} as unknown_lines_added,
             ${total(countedAt('removed'), IS_UNKNOWN)} as unknown_lines_deleted,
             ${total(DELTA, IS_UNKNOWN)} as unknown_delta
      from due d cross join lateral ${filesOfCommit} f
      group by d.repo_id, d.author_id, d.authored_on, d.utc_on, d.counted_in, f.category
    ), by_commit as (
      select repo_id, author_id, authored_on, counted_in, count(*) as commit_count,
             count(*) filter (where contributor_kind in ('ai', 'mixed')) as ai_commit_count,
             count(*) filter (where has_ai_lines) as ai_line_commit_count,
             count(*) filter (where contributor_kind <> 'unknown') as known_commit_count
      from due group by repo_id, author_id, authored_on, counted_in
    ), by_credit as (
      select d.repo_id, d.author_id, d.authored_on, d.counted_in, a.provider, a.model, a.source, ${sql.raw(String(WHOLE_COMMIT))}::smallint as category,
             count(*) as commit_count, count(*) filter (where d.has_ai_lines) as line_commit_count, 0 as file_count,
             ${each([...ALL_OF_AI, ...AI_MEASURES], (name) => `0 as ${name}`)}
      from due d
      join commit_ai a on a.entity_id = ${entity} and a.commit_id = d.id and a.position = 0
      group by d.repo_id, d.author_id, d.authored_on, d.counted_in, a.provider, a.model, a.source
      union all
      select d.repo_id, d.author_id, d.authored_on, d.counted_in, a.provider, a.model, a.source, f.category, 0, 0, count(*),
             ${total(countedAt('added'))}, ${total(countedAt('removed'))}, ${total(CHANGED_LINES)}, ${total(DELTA)},
             ${each(AI_MEASURES, (name) => `coalesce(sum(f.${name}), 0)`)}
      from due d
      join commit_ai a on a.entity_id = ${entity} and a.commit_id = d.id and a.position = 0
      cross join lateral ${filesOfCommit} f
      group by d.repo_id, d.author_id, d.authored_on, d.counted_in, a.provider, a.model, a.source, f.category
    ), into_facts as (
      insert into daily_facts (entity_id, repo_id, committer_id, authored_on, utc_on, counted_in, category,
                               ${each(CATEGORY_MEASURES, (n) => n)})
      select ${entity}, repo_id, author_id, authored_on, utc_on, counted_in, category,
             ${each(CATEGORY_MEASURES, (name) => `${sign} * ${name}`)}
      from by_category order by authored_on, repo_id, author_id, category
      on conflict (entity_id, authored_on, repo_id, committer_id, category, counted_in, utc_on)
      do update set ${increment('daily_facts', CATEGORY_MEASURES)}
    ), into_ai as (
      insert into daily_ai (entity_id, repo_id, committer_id, authored_on, counted_in, provider, model, source, category,
                            ${each(AI_COUNTS, (n) => n)})
      select ${entity}, repo_id, author_id, authored_on, counted_in, provider, model, source, category,
             ${each(AI_COUNTS, (name) => `${sign} * ${name}`)}
      from by_credit
      on conflict (entity_id, authored_on, repo_id, committer_id, provider, model, source, category, counted_in)
      do update set ${increment('daily_ai', AI_COUNTS)}
    ), into_people as (
      insert into daily_people (entity_id, committer_id, authored_on, commit_count)
      select ${entity}, author_id, authored_on, ${sql.raw(String(sign))} * sum(commit_count)
      from by_commit where counted_in = '{}' group by author_id, authored_on order by authored_on, author_id
      on conflict (entity_id, authored_on, committer_id)
      do update set ${increment('daily_people', ['commit_count'])}
    )
    insert into daily_commits (entity_id, repo_id, committer_id, authored_on, counted_in,
                               ${each([...COMMIT_COUNTS, ...MEASURES], (n) => n)})
    select ${entity}, repo_id, author_id, authored_on, counted_in,
           ${each([...COMMIT_COUNTS, ...MEASURES], (name) => `${sign} * sum(${name})`)}
    from (
      select repo_id, author_id, authored_on, counted_in, ${each(COMMIT_COUNTS, (n) => n)},
             ${each(MEASURES, (name) => `0 as ${name}`)} from by_commit
      union all
      select repo_id, author_id, authored_on, counted_in, ${each(COMMIT_COUNTS, (name) => `0 as ${name}`)},
             ${each(MEASURES, (n) => n)} from by_category
    ) both_parts
    group by repo_id, author_id, authored_on, counted_in
    order by authored_on, repo_id, author_id
    on conflict (entity_id, authored_on, repo_id, committer_id, counted_in)
    do update set ${increment('daily_commits', [...COMMIT_COUNTS, ...MEASURES])}`.execute(db);
  if (sign === -1) await removeEmptyDays(db, entityId, commitIds);
  await followPeople(db, entityId, commitIds, sign);
}

/**
 * What follows from daily_people: the credit of reports of AI use, then the weeks of people, in the order in which
 * whoever stores such a report does it, so that no two wait for each other.
 */
async function followPeople(db: Database, entityId: number, commitIds: readonly number[], sign: 1 | -1): Promise<void> {
  if (commitIds.length === 0) return;
  await creditUsages(db, entityId, { commitIds });
  await sql`
    insert into weekly_people (entity_id, committer_id, week, ${each(WEEKDAYS, (n) => n)})
    ${weeksOf(entityId, sql`c.id = any(${commitIds})`, sign)} order by 3, 2
    on conflict (entity_id, week, committer_id) do update set ${increment('weekly_people', WEEKDAYS)}`.execute(db);
  if (sign === 1) return;
  await sql`
    delete from weekly_people t using (${weeksOf(entityId, sql`c.id = any(${commitIds})`, sign)}) d
    where t.entity_id = ${entityId} and t.week = d.week and t.committer_id = d.author_id and ${IS_EMPTY_WEEK}`.execute(
    db,
  );
}

/**
 * Commits by person, ISO week and weekday, in days of UTC: they are held against what tools report of a day. Where a subquery does
 * not stand alone, the day is worked out anew wherever it is named.
 */
const weeksOf = (entityId: number, scope: RawBuilder<unknown>, sign: 1 | -1): RawBuilder<unknown> => sql`
  select c.entity_id, c.author_id, c.utc_on - c.weekday as week, ${byWeekday(sign)}
  from (
    select d.*, (d.utc_on - '0001-01-01'::date) % 7 as weekday
    from (
      select c.entity_id, c.author_id, ${sql.raw(utcDayOf('c'))} as utc_on from commits c
      where c.entity_id = ${entityId} and ${scope} and c.counted_in is null offset 0) d
    offset 0) c
  group by 1, 2, 3`;

const IS_EMPTY_WEEK = sql.raw(['usage_days', ...WEEKDAYS].map((name) => `t.${name} = 0`).join(' and '));

/** Rows that nothing is left in go, so that the tables equal ones built anew. */
async function removeEmptyDays(db: Database, entityId: number, commitIds: readonly number[]): Promise<void> {
  const empty: readonly (readonly [string, string])[] = [
    ['daily_facts', 't.file_count = 0'],
    ['daily_ai', 't.commit_count = 0 and t.file_count = 0'],
    ['daily_commits', 't.commit_count = 0'],
  ];
  for (const [table, isEmpty] of empty) {
    await sql`
      delete from ${sql.raw(table)} t using (
        select distinct c.repo_id, c.author_id, c.authored_on
        from commits c where c.entity_id = ${entityId} and c.id = any(${commitIds})) d
      where t.entity_id = ${entityId} and t.authored_on = d.authored_on and t.repo_id = d.repo_id
        and t.committer_id = d.author_id and ${sql.raw(isEmpty)}`.execute(db);
  }
  await sql`
    delete from daily_people t using (
      select distinct c.author_id, c.authored_on from commits c where c.entity_id = ${entityId} and c.id = any(${commitIds})) d
    where t.entity_id = ${entityId} and t.authored_on = d.authored_on and t.committer_id = d.author_id
      and t.commit_count = 0`.execute(db);
}

/** Throws the daily rows of a repo away and sums them anew, with days in the given time zone. */
export async function rebuildRollups(db: Database, entityId: number, repoId: number, timeZone: string): Promise<void> {
  // Sums over a whole history take as long as they take.
  await sql`set local statement_timeout = 0`.execute(db);
  // People and commits are held before the sums go: whoever changed one of them in between would correct sums that are gone.
  await lockScope(db, entityId, { repoId });
  await removeSums(db, entityId, repoId);
  // Those that are being derived anew keep their part until their new facts are there.
  const { rows: derived } = await sql<{ id: number }>`
    select c.id from commits c
    where c.entity_id = ${entityId} and c.repo_id = ${repoId} and c.rolled_up and c.state <> 'analysis_complete'`.execute(
    db,
  );
  const deriving = derived.map(({ id }) => id);
  // The day is worked out in a subquery: a cluster refuses functions of the zone in the update itself.
  await sql`
    update commits set rolled_up = false, authored_on = d.authored_on
    from (select id, (authored_at at time zone ${timeZone})::date as authored_on
          from commits where entity_id = ${entityId} and repo_id = ${repoId}) d
    where commits.entity_id = ${entityId} and commits.id = d.id
      and (commits.rolled_up or commits.authored_on <> d.authored_on)`.execute(db);
  await reconcileRollups(db, entityId, { repoId });
  await addToRollups(db, entityId, deriving, 1);
  await setRolledUp(db, entityId, deriving, true);
  await bumpDataVersion(db, entityId);
}

/** Throws the daily rows of a repo away; the caller then says of its commits that they are not in them. */
export async function removeSums(db: Database, entityId: number, repoId: number): Promise<void> {
  await takeRepoFromPeople(db, entityId, repoId);
  for (const table of ['daily_facts', 'daily_ai', 'daily_commits']) {
    await sql`delete from ${sql.raw(table)} where entity_id = ${entityId} and repo_id = ${repoId}`.execute(db);
  }
}

/** The table over all repos loses what the repo's own rows say that it has of it. */
async function takeRepoFromPeople(db: Database, entityId: number, repoId: number): Promise<void> {
  await sql`
    update daily_people t set commit_count = t.commit_count - d.commit_count
    from (
      select committer_id, authored_on, sum(commit_count) as commit_count from daily_commits
      where entity_id = ${entityId} and repo_id = ${repoId} and counted_in = '{}' group by committer_id, authored_on) d
    where t.entity_id = ${entityId} and t.authored_on = d.authored_on and t.committer_id = d.committer_id`.execute(db);
  await sql`delete from daily_people where entity_id = ${entityId} and commit_count = 0`.execute(db);
  await sql`
    update weekly_people t set ${each(WEEKDAYS, (name) => `${name} = t.${name} + d.${name}`)}
    from (${weeksOf(entityId, sql`c.repo_id = ${repoId} and c.rolled_up`, -1)}) d
    where t.entity_id = ${entityId} and t.week = d.week and t.committer_id = d.author_id`.execute(db);
  await sql`delete from weekly_people t where t.entity_id = ${entityId} and ${IS_EMPTY_WEEK}`.execute(db);
}

export async function bumpDataVersion(db: Database, entityId: number): Promise<void> {
  await sql`
    insert into data_versions (entity_id, version) values (${entityId}, 1)
    on conflict (entity_id) do update set version = data_versions.version + 1`.execute(db);
}

/** Zero for an entity that never had data. */
export async function readDataVersion(db: Database, entityId: number): Promise<number> {
  const row = await db
    .selectFrom('data_versions')
    .select('version')
    .where('entity_id', '=', entityId)
    .executeTakeFirst();
  return row?.version ?? 0;
}
