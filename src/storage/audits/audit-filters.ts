// The filters of audits as a table: for each filter, the kinds of records that have it and the condition it
// puts on the record x. Names after a colon are parameters; `:zone` and `:stale_before` are always there.
import type { AuditType } from '../../domain/audit-types.ts';
import { PHASE_OF_PULL_REQUEST } from './audit-sources.ts';

export type FilterConditions = Readonly<Partial<Record<AuditType, string>>>;

const dayOf = (moment: string): string => `(${moment} at time zone :zone::text)::date`;

/** Somebody, of all identities of a person, who was a developer of the team on the day. */
const inTeam = (person: string, day: string | null): string => `exists (
  select from team_members m
  join committers q on q.entity_id = m.entity_id and q.id = m.committer_id
  join committers i on i.entity_id = q.entity_id and i.root_committer_id = q.root_committer_id
  where m.entity_id = x.entity_id and m.team_id = :team::bigint and m.role_em = 'committer_role' and i.id = ${person}${
    day === null
      ? ''
      : ` and (m.from_on is null or m.from_on <= ${day}) and (m.until_on is null or m.until_on > ${day})`
  })`;
/** A team that was given repos is at work only in these. */
const inTeamRepos = (repo: string): string => `(:team_repos::bigint[] is null or ${repo} = any(:team_repos::bigint[]))`;

const commitsOf = (link: string, condition: string): string => `exists (
  select from ${link} n join commits c on c.entity_id = n.entity_id and c.id = n.commit_id
  where n.entity_id = x.entity_id and ${condition})`;

const LAST_AUTHORED = `(
  select max(c.authored_at) from committers i join commits c on c.entity_id = i.entity_id and c.author_id = i.id
  where i.entity_id = x.entity_id and i.root_committer_id = x.id and c.presence = 'existent')`;

const everyDate = (write: (column: string) => string, onDays: string): FilterConditions => ({
  commits: write('x.authored_at'),
  committers: write(LAST_AUTHORED),
  issues: write('x.opened_at'),
  pull_requests: write('x.opened_at'),
  tags: write('x.tagged_at'),
  releases: write('x.released_at'),
  critical_defects: write('x.detected_at'),
  ai_usages: onDays,
  reviews: write('x.submitted_at'),
  comments: write('x.commented_at'),
  sprints: write('x.starts_at'),
});

const ISSUE_KEY = `(lower(i.key) = lower(:issue_key::text)
  or i.key = :issue_number::text or i.key like '%-' || :issue_number::text or i.key like '%#' || :issue_number::text)`;

/** In the order of the specification; combined by and. */
export const AUDIT_FILTERS = {
  /** :repos; what belongs to no repo is judged by the commits that it is tied to. */
  resource_path: {
    commits: 'x.repo_id = any(:repos::bigint[])',
    committers: `exists (
      select from committers i join commits c on c.entity_id = i.entity_id and c.author_id = i.id
      where i.entity_id = x.entity_id and i.root_committer_id = x.id and c.repo_id = any(:repos::bigint[]))`,
    issues: commitsOf('issue_commits', 'n.issue_id = x.id and c.repo_id = any(:repos::bigint[])'),
    pull_requests: 'x.repo_id = any(:repos::bigint[])',
    teams: `(x.is_default or exists (
        select from team_repos t
        join organizations o on o.entity_id = t.entity_id and o.slug = t.organization_slug
        join repos r on r.entity_id = o.entity_id and r.organization_id = o.id and r.slug = t.repo_slug
        where t.entity_id = x.entity_id and t.team_id = x.id and r.id = any(:repos::bigint[]))
      or not exists (select from team_repos t where t.entity_id = x.entity_id and t.team_id = x.id) and exists (
        select from team_members m
        join committers q on q.entity_id = m.entity_id and q.id = m.committer_id
        join committers i on i.entity_id = q.entity_id and i.root_committer_id = q.root_committer_id
        join commits c on c.entity_id = i.entity_id and c.author_id = i.id
        where m.entity_id = x.entity_id and m.team_id = x.id and c.repo_id = any(:repos::bigint[])))`,
    tags: 'x.repo_id = any(:repos::bigint[])',
    releases: 'x.repo_id = any(:repos::bigint[])',
    critical_defects: `(x.repo_id = any(:repos::bigint[])
      or x.repo_id is null and x.organization_id = any(:organizations::bigint[])
      or exists (select from defect_fixes n where n.entity_id = x.entity_id and n.defect_id = x.id
        and n.repo_id = any(:repos::bigint[])))`,
    reviews: 'p.repo_id = any(:repos::bigint[])',
    comments: 'p.repo_id = any(:repos::bigint[])',
  },
  /** :team, :team_repos */
  team_slug: {
    commits: `${inTeam('x.author_id', 'x.authored_on')} and ${inTeamRepos('x.repo_id')}`,
    committers: inTeam('x.id', dayOf(':now::timestamptz')),
    issues: inTeam('x.assignee_id', dayOf('x.opened_at')),
    pull_requests: `${inTeam('x.author_id', dayOf('x.opened_at'))} and ${inTeamRepos('x.repo_id')}`,
    teams: 'x.id = :team::bigint',
    releases: `${commitsOf('release_commits', `n.release_id = x.id and ${inTeam('c.author_id', 'c.authored_on')}`)}
      and ${inTeamRepos('x.repo_id')}`,
    critical_defects: commitsOf('defect_commits', `n.defect_id = x.id and ${inTeam('c.author_id', 'c.authored_on')}`),
    ai_usages: `(x.team_id = :team::bigint or x.team_id is null and ${inTeam('x.committer_id', 'x.used_on')})`,
    reviews: `${inTeam('x.reviewer_id', dayOf('x.submitted_at'))} and ${inTeamRepos('p.repo_id')}`,
    comments: `${inTeam('x.author_id', dayOf('x.commented_at'))} and ${inTeamRepos('p.repo_id')}`,
    sprints: 'x.team_id = :team::bigint',
  },
  /** :people, with all identities of each */
  committer_identifier: {
    commits: 'x.author_id = any(:people::bigint[])',
    committers: 'x.id = any(:people::bigint[])',
    issues: 'x.assignee_id = any(:people::bigint[])',
    pull_requests: 'x.author_id = any(:people::bigint[])',
    teams: `(x.is_default or exists (
      select from team_members m where m.entity_id = x.entity_id and m.team_id = x.id
        and m.committer_id = any(:people::bigint[])))`,
    releases: `(x.deployed_by_committer_id = any(:people::bigint[])
      or ${commitsOf('release_commits', 'n.release_id = x.id and c.author_id = any(:people::bigint[])')})`,
    critical_defects: commitsOf('defect_commits', 'n.defect_id = x.id and c.author_id = any(:people::bigint[])'),
    ai_usages: 'x.committer_id = any(:people::bigint[])',
    reviews: 'x.reviewer_id = any(:people::bigint[])',
    comments: 'x.author_id = any(:people::bigint[])',
  },
  start_date: everyDate((column) => `${column} >= :start_at::timestamptz`, 'x.used_on >= :start_date::date'),
  end_date: everyDate((column) => `${column} < :end_at::timestamptz`, 'x.used_on <= :end_date::date'),
  resolved_start_date: {
    issues: 'x.resolved_at >= :resolved_start_at::timestamptz',
    pull_requests: 'x.closed_at >= :resolved_start_at::timestamptz',
    critical_defects: 'x.final_fix_released_at >= :resolved_start_at::timestamptz',
  },
  resolved_end_date: {
    issues: 'x.resolved_at < :resolved_end_at::timestamptz',
    pull_requests: 'x.closed_at < :resolved_end_at::timestamptz',
    critical_defects: 'x.final_fix_released_at < :resolved_end_at::timestamptz',
  },
  critical_defects_only: {
    issues: `(x.is_critical_defect or exists (
      select from critical_defects d where d.entity_id = x.entity_id and d.issue_id = x.id))`,
  },
  /** :issue_key as given; :issue_number where it is a bare number */
  issue_key: {
    issues: ISSUE_KEY.replaceAll('i.key', 'x.key'),
    commits: `exists (
      select from issue_commits n join issues i on i.entity_id = n.entity_id and i.id = n.issue_id
      where n.entity_id = x.entity_id and n.commit_id = x.id and ${ISSUE_KEY})`,
    critical_defects: `exists (
      select from issues i where i.entity_id = x.entity_id and i.id = x.issue_id and ${ISSUE_KEY})`,
  },
  issue_provider_em: { issues: 'x.provider_em = :issue_provider::text' },
  issue_status: { issues: 'lower(x.status) = lower(:issue_status::text)' },
  tag_name_contains: { tags: 'strpos(lower(x.name), lower(:tag_text::text)) > 0' },
  pull_request_number: {
    pull_requests: 'x.number = :pull_request_number::integer',
    commits: `exists (
      select from pull_requests p
      where p.entity_id = x.entity_id and p.repo_id = x.repo_id and p.number = :pull_request_number::integer
        and (p.squash_sha = x.sha or p.merge_sha = x.sha or exists (
          select from pull_request_commits n
          where n.entity_id = p.entity_id and n.pull_request_id = p.id and n.sha = x.sha
            and n.removed_at is null)))`,
    reviews: 'p.number = :pull_request_number::integer',
    comments: 'p.number = :pull_request_number::integer',
  },
  /** Whole shas between :sha_first and :sha_last */
  sha: {
    commits: 'x.sha between :sha_first::bytea and :sha_last::bytea',
    tags: 'x.sha between :sha_first::bytea and :sha_last::bytea',
    releases: 'x.release_sha between :sha_first::bytea and :sha_last::bytea',
    pull_requests: `(x.squash_sha between :sha_first::bytea and :sha_last::bytea
      or x.merge_sha between :sha_first::bytea and :sha_last::bytea or exists (
        select from pull_request_commits n where n.entity_id = x.entity_id and n.pull_request_id = x.id
          and n.removed_at is null and n.sha between :sha_first::bytea and :sha_last::bytea))`,
    comments: 'x.commit_sha between :sha_first::bytea and :sha_last::bytea',
  },
  phase_em: { pull_requests: `${PHASE_OF_PULL_REQUEST} = :phase::text` },
} as const satisfies Record<string, FilterConditions>;

export type AuditFilter = keyof typeof AUDIT_FILTERS;

export const conditionOf = (filter: AuditFilter, type: AuditType): string | undefined =>
  (AUDIT_FILTERS[filter] as FilterConditions)[type];
