// Commits as audits show them, alone and inside pull requests, with the places where each stands.
import { sql } from 'kysely';
import { type EvidenceSource, FOREIGN_CATEGORY_IDS } from '../../domain/commits/line-model.ts';
import { UNREAD_REASONS } from '../../domain/commits/unread.ts';
import type { Database } from '../database/handle.ts';
import { COMMIT_NOT_COUNTED } from './exclusions.ts';
import { findBranches } from './find-branches.ts';

export interface CommitSite {
  readonly branches: readonly string[];
  readonly current_branch: string | null;
  readonly committed_at: string;
  readonly sha: string;
}

export interface AuditedCommit {
  readonly id: number;
  readonly sha: string;
  readonly authored_at: string;
  readonly child_shas: readonly string[];
  readonly full_name: string;
  readonly user_name: string;
  readonly diff_delta: number;
  readonly entered_service_at: string;
  readonly message: string;
  readonly presence: string;
  /** Why it is in no report: a copy, a merge, on no branch, or the same commit in another repo; null where it counts. */
  readonly not_counted_because: string | null;
  /** The repos that it counts in before this one. */
  readonly counted_in: readonly string[];
  /** What it takes back, as its message names it; a revert scores 0. */
  readonly reverts: string | null;
  /** The commits that take it back, in the order they were made. */
  readonly reverted_by: readonly string[];
  /** Strongest first. */
  readonly ai_evidence: readonly {
    readonly source: EvidenceSource;
    readonly model: string;
    readonly provider: string;
  }[];
  readonly repo: string;
  readonly repo_path: string;
  /** The commit and its copies: rebased, picked or squashed, here and where they come from. */
  readonly sites: readonly CommitSite[];
  readonly state: string;
}

interface CommitRow extends Omit<AuditedCommit, 'child_shas' | 'sites'> {
  readonly repo_id: number;
  readonly committed_at: string;
  readonly on_default_branch: boolean;
  readonly derived_from: string | null;
  readonly children: Buffer;
}

interface SiteRow {
  readonly repo_id: number;
  readonly sha: string;
  readonly committed_at: string;
  readonly on_default_branch: boolean;
  readonly presence: string;
  readonly derived_from: string | null;
}

/**
 * Looked at and left out of everything: merges, commits told to ignore, of people not processed, of generated files. Failed where
 * not a line could be read; it is read again when the objects come.
 */
const SHOWN_STATE = sql<string>`case
  when x.state <> 'analysis_complete' then x.state::text
  when x.is_merge or x.not_counted in ('ignored_revision', 'outside_window')
    or q.processing_status = 'not_processing' then 'analysis_skipped'
  when exists (select from commit_files f where f.entity_id = x.entity_id and f.commit_id = x.id)
    and not exists (
      select from commit_files f
      where f.entity_id = x.entity_id and f.commit_id = x.id and not (f.category = any(${FOREIGN_CATEGORY_IDS}::smallint[])))
    then 'analysis_skipped'
  when coalesce(x.added, 0) + coalesce(x.removed, 0) = 0 and exists (
    select from skipped_commits s
    where s.entity_id = x.entity_id and s.repo_id = x.repo_id and s.sha = x.sha and s.reason = any(${[...UNREAD_REASONS]}::text[]))
    then 'analysis_failed'
  else 'analysis_complete' end`;

/** In the order of the ids. */
export async function readAuditedCommits(
  db: Database,
  entityId: number,
  ids: readonly number[],
): Promise<AuditedCommit[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<CommitRow>`
    select x.id, x.repo_id, encode(x.sha, 'hex') as sha, x.authored_at, x.committed_at, x.children, q.full_name,
      q.committer_user_name as user_name, coalesce(x.delta, 0) / 1000.0 as diff_delta, x.entered_at as entered_service_at,
      x.message, x.presence, ${sql.raw(COMMIT_NOT_COUNTED)} as not_counted_because,
      array(
        select h.slug || '/' || k.slug from repos k
        join organizations h on h.entity_id = k.entity_id and h.id = k.organization_id
        where k.entity_id = x.entity_id and k.id = any(x.counted_in) order by k.id) as counted_in,
      x.reverts, array(
        select encode(v.sha, 'hex') from commits v
        where v.entity_id = x.entity_id and v.repo_id = x.repo_id and v.reverts is not null
          and starts_with(encode(x.sha, 'hex'), v.reverts)
        order by v.committed_at, v.id) as reverted_by,
      coalesce((
        select json_agg(json_build_object('source', a.source, 'model', a.model, 'provider', a.provider) order by a.position)
        from commit_ai a where a.entity_id = x.entity_id and a.commit_id = x.id), '[]') as ai_evidence,
      r.name as repo, o.slug || '/' || r.slug as repo_path, ${SHOWN_STATE} as state, x.on_default_branch,
      encode(x.derived_from, 'hex') as derived_from
    from commits x
    join repos r on r.entity_id = x.entity_id and r.id = x.repo_id
    join organizations o on o.entity_id = r.entity_id and o.id = r.organization_id
    join committers i on i.entity_id = x.entity_id and i.id = x.author_id
    join committers q on q.entity_id = i.entity_id and q.id = i.root_committer_id
    where x.entity_id = ${entityId} and x.id = any(${ids}::bigint[])
    order by array_position(${ids}::bigint[], x.id)`.execute(db);
  const copies = await readCopies(db, entityId, rows);
  const sites = [...rows, ...copies];
  const branchesOf = await findBranches(db, entityId, sites);
  const toSite = (site: SiteRow): CommitSite => {
    const branches = branchesOf(site.repo_id, site.sha);
    return { branches, current_branch: branches[0] ?? null, committed_at: site.committed_at, sha: site.sha };
  };
  return rows.map(({ repo_id, committed_at, on_default_branch, derived_from, children, ...commit }) => {
    const others = copies.filter(
      (copy) =>
        copy.repo_id === repo_id &&
        copy.sha !== commit.sha &&
        (copy.sha === derived_from || copy.derived_from === commit.sha),
    );
    const own = { repo_id, committed_at, on_default_branch, derived_from, sha: commit.sha, presence: commit.presence };
    return { ...commit, child_shas: splitShas(children), sites: [own, ...others].map(toSite) };
  });
}

const SHA_BYTES = 20;

const splitShas = (bytes: Buffer): string[] =>
  Array.from({ length: bytes.length / SHA_BYTES }, (_, n) =>
    bytes.subarray(n * SHA_BYTES, (n + 1) * SHA_BYTES).toString('hex'),
  );

async function readCopies(db: Database, entityId: number, commits: readonly CommitRow[]): Promise<SiteRow[]> {
  const repos = commits.map(({ repo_id }) => repo_id);
  const { rows } = await sql<SiteRow>`
    select distinct on (c.id) c.repo_id, encode(c.sha, 'hex') as sha, c.committed_at, c.on_default_branch, c.presence,
      encode(c.derived_from, 'hex') as derived_from
    from (
      select c.* from unnest(${repos}::bigint[], ${commits.map(({ sha }) => sha)}::text[]) as w (repo_id, sha)
      join commits c on c.entity_id = ${entityId} and c.repo_id = w.repo_id and c.derived_from = decode(w.sha, 'hex')
        and c.derived_from is not null
      union all
      select c.* from unnest(${repos}::bigint[], ${commits.map(({ derived_from }) => derived_from)}::text[]) as w (repo_id, sha)
      join commits c on c.entity_id = ${entityId} and c.repo_id = w.repo_id and c.sha = decode(w.sha, 'hex')
    ) c order by c.id`.execute(db);
  return rows;
}
