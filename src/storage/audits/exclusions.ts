// Why a record is not counted, as far as the record itself says so.
import type { AuditType } from '../../domain/audit-types.ts';
import type { Database } from '../database/handle.ts';
import { type AuditQuery, fromClause } from './list-audit-keys.ts';
import { namedSql } from './named-sql.ts';

const OTHERWISE = 'nothing_that_this_point_counts';
const statusOf = (person: string): string => `(
  select r.processing_status from committers i join committers r on r.entity_id = i.entity_id and r.id = i.root_committer_id
  where i.entity_id = x.entity_id and i.id = ${person})`;
const withoutStatistics = (person: string): string =>
  `when ${statusOf(person)} <> 'processing_stats' then 'author_' || ${statusOf(person)}`;

/** Of the commit `x`, as far as it is known without its author; null where nothing is. */
export const COMMIT_NOT_COUNTED = `case when x.not_counted is not null then x.not_counted::text
  when x.presence <> 'existent' then x.presence::text
  when x.counted_in is not null then 'same_commit_in_another_repo' end`;

const REASONS: Readonly<Partial<Record<AuditType, string>>> = {
  commits: `case when x.state <> 'analysis_complete' then x.state::text
    when (${COMMIT_NOT_COUNTED}) is not null then ${COMMIT_NOT_COUNTED} ${withoutStatistics('x.author_id')}
    else '${OTHERWISE}' end`,
  pull_requests: `case when x.is_author_bot then 'author_is_bot' when x.is_draft then 'draft'
    ${withoutStatistics('x.author_id')} else '${OTHERWISE}' end`,
  reviews: `case when x.is_bot then 'author_is_bot' when x.is_by_author then 'by_the_author_of_the_pull_request'
    ${withoutStatistics('x.reviewer_id')} else '${OTHERWISE}' end`,
  comments: `case when x.is_bot then 'author_is_bot' when x.is_by_author then 'by_the_author_of_the_pull_request'
    ${withoutStatistics('x.author_id')} else '${OTHERWISE}' end`,
  releases: `case when x.is_baseline then 'baseline' else '${OTHERWISE}' end`,
  issues: `case when x.is_epic then 'epic' when x.is_subtask then 'subtask' when x.resolved_at is null then 'not_resolved'
    ${withoutStatistics('x.assignee_id')} else '${OTHERWISE}' end`,
  ai_usages: `case when not (x.is_activity_chosen or x.is_cost_chosen) then 'another_source_counts'
    when x.committer_id is null and x.team_id is null then 'belongs_to_nobody'
    ${withoutStatistics('x.committer_id')} else '${OTHERWISE}' end`,
  committers: `case when x.processing_status <> 'processing_stats' then x.processing_status::text else '${OTHERWISE}' end`,
};

/** More than anybody will page through. */
const MOST = 20_000;

export async function listExclusions(
  db: Database,
  query: AuditQuery,
): Promise<{ readonly id: number; readonly reason: string }[]> {
  const reason = REASONS[query.type] ?? `'${OTHERWISE}'`;
  const text = `select x.id, ${reason} as reason ${fromClause(query)} limit ${MOST}`;
  return (await namedSql<{ id: number; reason: string }>(text, query.values).execute(db)).rows;
}
