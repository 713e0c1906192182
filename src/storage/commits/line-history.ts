// What the database knows of the commits in a line's history: their authors, releases and review comments.
import { sql } from 'kysely';
import type { Database } from '../database/handle.ts';

export interface ReadableRepo {
  readonly repo_id: number;
  readonly organization: string;
  readonly repo: string;
  /** Null when it was never imported. */
  readonly import_id: number | null;
  readonly last_fetched_at: string | null;
}

/** The repos, or all of the entity where there is null, in the order of their names; `limit` of them. */
export async function listReadableRepos(
  db: Database,
  entityId: number,
  repoIds: readonly number[] | null,
  limit: number,
): Promise<ReadableRepo[]> {
  const { rows } = await sql<ReadableRepo>`
    select r.id as repo_id, o.slug as organization, r.slug as repo, r.last_fetched_at,
           (select max(i.id) from imports i where i.entity_id = r.entity_id and i.repo_id = r.id) as import_id
    from repos r join organizations o on o.entity_id = r.entity_id and o.id = r.organization_id
    where r.entity_id = ${entityId} and (${repoIds}::bigint[] is null or r.id = any(${repoIds}::bigint[]))
    order by o.slug, r.slug limit ${limit}`.execute(db);
  return rows;
}

export interface StoredAuthorship {
  readonly sha: string;
  readonly committed_at: string;
  /** The root committer. */
  readonly committer_id: number;
  readonly released_at: string | null;
}

const shaArray = (shas: readonly string[]) => shas.map((sha) => Buffer.from(sha, 'hex'));

/** One row per sha that is stored. */
export async function readAuthorships(
  db: Database,
  entityId: number,
  repoId: number,
  shas: readonly string[],
): Promise<StoredAuthorship[]> {
  const { rows } = await sql<StoredAuthorship>`
    select encode(c.sha, 'hex') as sha, c.committed_at, p.root_committer_id as committer_id, l.released_at
    from commits c
    join committers p on p.entity_id = c.entity_id and p.id = c.author_id
    left join release_commits n on n.entity_id = c.entity_id and n.commit_id = c.id
    left join releases l on l.entity_id = n.entity_id and l.id = n.release_id
    where c.entity_id = ${entityId} and c.repo_id = ${repoId} and c.sha = any(${shaArray(shas)}::bytea[])`.execute(db);
  return rows;
}

export interface HistoryPerson {
  readonly id: number;
  readonly committer_user_name: string;
  readonly full_name: string;
  readonly avatar_url: string | null;
  readonly commits_in_repo: number;
}

/** Root committers, each with the commits that it and its identities have in the repo. */
export async function readHistoryPeople(
  db: Database,
  entityId: number,
  repoId: number,
  rootIds: readonly number[],
): Promise<HistoryPerson[]> {
  if (rootIds.length === 0) return [];
  const { rows } = await sql<HistoryPerson>`
    select r.id, r.committer_user_name, r.full_name, u.avatar_url, coalesce(n.commits, 0) as commits_in_repo
    from committers r
    left join users u on u.id = r.user_id
    left join (
      select p.root_committer_id, count(*) as commits
      from committers p join commits c on c.entity_id = p.entity_id and c.author_id = p.id
      where p.entity_id = ${entityId} and p.root_committer_id = any(${rootIds}::bigint[])
        and c.entity_id = ${entityId} and c.repo_id = ${repoId} and c.presence = 'existent'
      group by p.root_committer_id) n on n.root_committer_id = r.id
    where r.entity_id = ${entityId} and r.id = any(${rootIds}::bigint[])`.execute(db);
  return rows;
}

export interface LineComment {
  readonly path: string;
  readonly line: number;
  /** The commit whose version of the file was commented on. */
  readonly sha: string;
  readonly author: string | null;
  readonly body: string;
  readonly commented_at: string;
  /** The squash commit that the pull request became, where the comment stands on its last commit. */
  readonly squash_sha: string | null;
}

/** Comments on lines of these files in pull requests that one of the commits belongs to, oldest first. */
export async function readLineComments(
  db: Database,
  entityId: number,
  repoId: number,
  shas: readonly string[],
  paths: readonly string[],
  limit: number,
): Promise<LineComment[]> {
  const { rows } = await sql<LineComment>`
    with requests as materialized (
      select n.pull_request_id as id from pull_request_commits n
      where n.entity_id = ${entityId} and n.repo_id = ${repoId} and n.sha = any(${shaArray(shas)}::bytea[])
        and n.removed_at is null
      union
      select x.id from pull_requests x
      where x.entity_id = ${entityId} and x.repo_id = ${repoId} and x.squash_sha = any(${shaArray(shas)}::bytea[])
    ), newest as (
      select m.* from pull_request_comments m
      where m.entity_id = ${entityId} and m.pull_request_id in (select id from requests)
        and m.is_review_comment and m.line is not null and m.commit_sha is not null and m.path = any(${paths}::text[])
      order by m.commented_at desc, m.id desc limit ${limit}
    )
    select m.path, m.line, encode(m.commit_sha, 'hex') as sha, p.committer_user_name as author, m.body, m.commented_at,
      case when m.commit_sha = (
        select n.sha from pull_request_commits n
        where n.entity_id = m.entity_id and n.pull_request_id = m.pull_request_id and n.removed_at is null
        order by n.ordinal desc limit 1)
      then encode(x.squash_sha, 'hex') end as squash_sha
    from newest m
    join pull_requests x on x.entity_id = m.entity_id and x.id = m.pull_request_id
    left join committers p on p.entity_id = m.entity_id and p.id = m.author_id
    order by m.commented_at, m.id`.execute(db);
  return rows;
}
