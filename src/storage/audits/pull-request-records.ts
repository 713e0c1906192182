// Pull requests as audits show them, each with its commits.
import type { PullRequestPhase } from '../../domain/audit-types.ts';
import type { Database } from '../database/handle.ts';
import { PHASE_OF_PULL_REQUEST } from './audit-sources.ts';
import { type AuditedCommit, readAuditedCommits } from './commit-records.ts';
import { namedSql } from './named-sql.ts';

type CommitPhase = 'phase_preparing' | 'phase_reviewing' | 'phase_post_merge';

interface Contributor {
  readonly full_name: string;
  readonly user_name: string;
}

export interface PullRequestCommit
  extends Pick<
    AuditedCommit,
    'sha' | 'authored_at' | 'child_shas' | 'diff_delta' | 'entered_service_at' | 'message' | 'repo_path' | 'sites'
  > {
  readonly contributor: Contributor;
  readonly presence_em: string;
  readonly state_em: string;
  readonly phase_em: CommitPhase;
}

export interface PullRequestRecord {
  readonly id: number;
  readonly number: number;
  readonly title: string;
  readonly branch_name: string;
  readonly repo_path: string;
  readonly phase_em: PullRequestPhase;
  readonly opened_at: string;
  readonly closed_at: string | null;
  readonly first_commented_at: string | null;
  readonly first_commit_authored_at: string | null;
  readonly entered_service_at: string;
  readonly squash_commit_sha: string | null;
  readonly post_merge_delta: number;
  readonly contributor: Contributor | null;
  readonly business_minutes_awaited_first_review: number | null;
  readonly business_minutes_cycle_time: number | null;
  readonly business_minutes_lead_time: number | null;
  readonly business_minutes_open_to_closed: number | null;
  readonly commits: readonly PullRequestCommit[];
}

type Row = Omit<PullRequestRecord, 'commits'> & { readonly merged_at: string | null };

const RECORDS = `
  select x.id, x.number, x.title, x.branch_name, o.slug || '/' || r.slug as repo_path, ${PHASE_OF_PULL_REQUEST} as phase_em,
    x.opened_at, x.closed_at, x.merged_at, x.first_commented_at, x.first_commit_authored_at,
    x.entered_at as entered_service_at, encode(x.squash_sha, 'hex') as squash_commit_sha,
    coalesce(x.post_merge_delta, 0) / 1000.0 as post_merge_delta,
    case when q.id is not null
      then json_build_object('full_name', q.full_name, 'user_name', q.committer_user_name) end as contributor,
    x.business_minutes_awaited_first_review, x.business_minutes_cycle_time, x.business_minutes_lead_time,
    x.business_minutes_open_to_closed
  from pull_requests x
  join repos r on r.entity_id = x.entity_id and r.id = x.repo_id
  join organizations o on o.entity_id = r.entity_id and o.id = r.organization_id
  left join committers i on i.entity_id = x.entity_id and i.id = x.author_id
  left join committers q on q.entity_id = i.entity_id and q.id = i.root_committer_id
  where x.entity_id = :entity::bigint and x.id = any(:keys::bigint[])
  order by array_position(:keys::bigint[], x.id)`;

/** Commits that the host lists and an import has seen. */
const COMMITS = `
  select n.pull_request_id, c.id
  from pull_request_commits n
  join commits c on c.entity_id = n.entity_id and c.repo_id = n.repo_id and c.sha = n.sha
  where n.entity_id = :entity::bigint and n.pull_request_id = any(:keys::bigint[]) and n.removed_at is null
  order by n.pull_request_id, n.ordinal`;

/** In the order of the ids. */
export async function readPullRequests(
  db: Database,
  entityId: number,
  ids: readonly number[],
  staleBefore: Date,
): Promise<PullRequestRecord[]> {
  const values = { entity: entityId, keys: ids, stale_before: staleBefore };
  const { rows } = await namedSql<Row>(RECORDS, values).execute(db);
  const { rows: links } = await namedSql<{ pull_request_id: number; id: number }>(COMMITS, values).execute(db);
  const read = await readAuditedCommits(db, entityId, [...new Set(links.map(({ id }) => id))]);
  const commits = new Map(read.map((commit) => [commit.id, commit]));
  return rows.map(({ merged_at, ...request }) => ({
    ...request,
    commits: links
      .filter((link) => link.pull_request_id === request.id)
      .map((link) => toCommit(commits.get(link.id)!, request.opened_at, merged_at)),
  }));
}

function toCommit(commit: AuditedCommit, openedAt: string, mergedAt: string | null): PullRequestCommit {
  const { full_name, user_name, presence, state } = commit;
  return {
    sha: commit.sha,
    authored_at: commit.authored_at,
    child_shas: commit.child_shas,
    diff_delta: commit.diff_delta,
    entered_service_at: commit.entered_service_at,
    message: commit.message,
    repo_path: commit.repo_path,
    sites: commit.sites,
    contributor: { full_name, user_name },
    presence_em: presence,
    state_em: state,
    phase_em: phaseOf(commit.authored_at, openedAt, mergedAt),
  };
}

function phaseOf(authoredAt: string, openedAt: string, mergedAt: string | null): CommitPhase {
  const at = Date.parse(authoredAt);
  if (at < Date.parse(openedAt)) return 'phase_preparing';
  return mergedAt === null || at <= Date.parse(mergedAt) ? 'phase_reviewing' : 'phase_post_merge';
}
