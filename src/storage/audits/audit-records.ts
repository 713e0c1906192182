// The records of audits whose rows are already what the wire shows: one query each, by :entity and :keys,
// in the order of the keys.
import type { AuditType } from '../../domain/audit-types.ts';
import type { Database } from '../database/handle.ts';
import { releaseDefectCount, releaseIssueCount, releaseName } from '../delivery/release-columns.ts';
import type { AuditKey } from './list-audit-keys.ts';
import { namedSql } from './named-sql.ts';

const REPO = 'join repos r on r.entity_id = x.entity_id and r.id =';
const ORGANIZATION = 'join organizations o on o.entity_id = r.entity_id and o.id = r.organization_id';
const REPO_PATH = "o.slug || '/' || r.slug as repo_path";
const PULL_REQUEST = 'join pull_requests p on p.entity_id = x.entity_id and p.id = x.pull_request_id';
const BY_KEYS = 'x.entity_id = :entity::bigint and x.id = any(:keys::bigint[])';
const IN_ORDER = 'order by array_position(:keys::bigint[], x.id)';

/** The root of a committer, as records name people. */
const person = (column: string): string => `(
  select json_build_object('full_name', q.full_name, 'user_name', q.committer_user_name)
  from committers i join committers q on q.entity_id = i.entity_id and q.id = i.root_committer_id
  where i.entity_id = x.entity_id and i.id = ${column})`;
const points = (column: string): string => `${column} / 100.0`;

const RECORDS: Readonly<Partial<Record<AuditType, string>>> = {
  issues: `
    select x.id, x.key, x.title, x.type, x.status, x.priority, x.url, x.provider_em, x.project_name,
      ${person('x.assignee_id')} as assignee, ${points('x.story_points')} as story_points, x.epic_key,
      array(select distinct s.name from sprint_issues n join sprints s on s.entity_id = n.entity_id and s.id = n.sprint_id
        where n.entity_id = x.entity_id and n.issue_id = x.id order by 1) as sprint_names,
      x.is_critical_defect or exists (
        select from critical_defects d where d.entity_id = x.entity_id and d.issue_id = x.id) as is_critical_defect,
      x.opened_at, x.started_at, x.resolved_at, x.first_commit_authored_at, x.last_commit_authored_at, x.released_at,
      coalesce(w.delta, 0) as diff_delta, coalesce(w.shas, '{}') as commit_shas
    from issues x
    left join (
      select n.issue_id, round(sum(coalesce(c.delta, 0)::numeric / n.issue_count) filter (where c.rolled_up and c.counted_in is null) / 1000, 3) as delta,
        array_agg(encode(c.sha, 'hex') order by c.authored_at, c.id) as shas
      from issue_commits n join commits c on c.entity_id = n.entity_id and c.id = n.commit_id
      where n.entity_id = :entity::bigint and n.issue_id = any(:keys::bigint[]) group by n.issue_id) w on w.issue_id = x.id
    where ${BY_KEYS} ${IN_ORDER}`,
  tags: `
    select x.name, encode(x.sha, 'hex') as sha, ${REPO_PATH}, x.tagged_at,
      exists (select from releases l where l.entity_id = x.entity_id and l.repo_id = x.repo_id and l.release_sha = x.sha)
        as is_release
    from unnest(:keys::text[]) with ordinality as k (key, position)
    join tags x on x.entity_id = :entity::bigint and x.repo_id = (k.key::json ->> 0)::bigint and x.name = k.key::json ->> 1
    ${REPO} x.repo_id ${ORGANIZATION}
    order by k.position`,
  releases: `
    select x.id, ${releaseName('x')} as name, r.name as repo, x.repo_id, ${REPO_PATH}, x.triggered_by,
      coalesce(${person('x.deployed_by_committer_id')},
        case when x.deployed_by_user_name is not null
          then json_build_object('full_name', null, 'user_name', x.deployed_by_user_name) end) as deployed_by,
      x.released_at, encode(x.release_sha, 'hex') as release_sha, x.is_baseline, x.commit_count,
      ${releaseDefectCount('x')} as defect_count, ${releaseIssueCount('x')} as issue_count
    from releases x ${REPO} x.repo_id ${ORGANIZATION} where ${BY_KEYS} ${IN_ORDER}`,
  critical_defects: `
    select x.id, x.defect_key, x.category, x.severity, x.source_em,
      (select i.key from issues i where i.entity_id = x.entity_id and i.id = x.issue_id) as issue_key,
      array(select distinct o.slug || '/' || r.slug from repos r ${ORGANIZATION}
        where r.entity_id = x.entity_id and (r.id = x.repo_id or r.id in (
          select n.repo_id from defect_fixes n where n.entity_id = x.entity_id and n.defect_id = x.id)) order by 1)
        as repo_paths,
      x.detected_at, x.first_activity_at, x.first_fix_merged_at, x.first_fix_released_at, x.final_fix_released_at,
      x.business_minutes_to_first_activity, x.business_minutes_to_fix_merged, x.business_minutes_to_first_release,
      x.business_minutes_to_final_release,
      array(select encode(c.sha, 'hex') from defect_commits n
        join commits c on c.entity_id = n.entity_id and c.id = n.commit_id
        where n.entity_id = x.entity_id and n.defect_id = x.id order by c.authored_at, c.id) as commit_shas
    from critical_defects x where ${BY_KEYS} ${IN_ORDER}`,
  ai_usages: `
    select x.id, x.used_on as date, ${person('x.committer_id')} as committer,
      (select t.slug from teams t where t.entity_id = x.entity_id and t.id = x.team_id) as team_slug, x.llm_model_name,
      x.ai_provider_em, x.source_em, x.tool_em,
      (select json_build_object('kind_em', i.kind_em, 'value', i.value) from ai_identities i
        where i.entity_id = x.entity_id and i.id = x.identity_id) as identity,
      x.is_activity_chosen, x.is_cost_chosen, x.prompt_count, x.session_count, x.active_seconds, x.tokens_input,
      x.tokens_output, x.tokens_cache_read, x.tokens_cache_write, x.microcredits / 1000000.0 as credits,
      x.is_cost_estimate, x.lines_added, x.lines_deleted, x.prompted_suggest_count, x.prompted_accept_count,
      x.tab_suggest_count, x.tab_accept_count, x.cost_microcents / 1000000.0 as cents_cost
    from ai_usages x where ${BY_KEYS} ${IN_ORDER}`,
  reviews: `
    select x.id, ${REPO_PATH}, p.id as pull_request_id, p.number as pull_request_number,
      ${person('x.reviewer_id')} as reviewer, x.is_bot, x.is_by_author, x.state_em, x.submitted_at
    from pull_request_reviews x ${PULL_REQUEST} ${REPO} p.repo_id ${ORGANIZATION} where ${BY_KEYS} ${IN_ORDER}`,
  comments: `
    select x.id, ${REPO_PATH}, p.id as pull_request_id, p.number as pull_request_number,
      ${person('x.author_id')} as author, x.is_bot, x.is_by_author, x.is_review_comment, x.body, x.path, x.line,
      encode(x.commit_sha, 'hex') as commit_sha, x.commented_at, x.resolved_at
    from pull_request_comments x ${PULL_REQUEST} ${REPO} p.repo_id ${ORGANIZATION} where ${BY_KEYS} ${IN_ORDER}`,
  sprints: `
    select x.id, x.name, x.board_id, (select t.slug from teams t where t.entity_id = x.entity_id and t.id = x.team_id) as team_slug,
      x.starts_at, x.ends_at, coalesce(w.issue_count, 0) as issue_count, coalesce(${points('w.points')}, 0) as story_points
    from sprints x
    left join (
      select n.sprint_id, count(*) as issue_count, sum(i.story_points) as points
      from (select distinct sprint_id, issue_id from sprint_issues
        where entity_id = :entity::bigint and sprint_id = any(:keys::bigint[])) n
      join issues i on i.entity_id = :entity::bigint and i.id = n.issue_id and i.deleted_at is null
      group by n.sprint_id) w on w.sprint_id = x.id
    where ${BY_KEYS} ${IN_ORDER}`,
};

export type AuditRecord = Readonly<Record<string, unknown>>;

/** Undefined for types whose records need more than a query. */
export function findRecordQuery(type: AuditType): string | undefined {
  return RECORDS[type];
}

export async function readAuditRecords(
  db: Database,
  entityId: number,
  text: string,
  keys: readonly AuditKey[],
): Promise<AuditRecord[]> {
  return (await namedSql<AuditRecord>(text, { entity: entityId, keys }).execute(db)).rows;
}
