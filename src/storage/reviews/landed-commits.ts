// Which commit of the base branch stands for which commit of a pull request, by the host's word: a squash for everything
// that was squashed, and each rebased commit for the one with its author date.
//
//   pull request  a ── b ── c        squash   ──── S                a, b, c → S
//                                    rebase   ──── a' ── b' ── c'   a → a', b → b', c → c'
import { sql } from 'kysely';
import type { Database } from '../database/handle.ts';
import { firstToLand, type ReviewPlace } from './place.ts';

export interface LandedCommit {
  readonly sha: string;
  readonly derived_from: string;
  readonly not_counted: 'squash_source' | 'rebase_copy';
}

/** From the landing commit of a rebase back over as many first parents as the pull request has commits. */
const found = ({ entityId, repoId }: ReviewPlace) => sql`
  with recursive pulls as materialized (
    select p.id, p.merge_method, coalesce(p.squash_sha, p.merge_sha) as landing, (
        select count(*) from pull_request_commits n
        where n.entity_id = p.entity_id and n.pull_request_id = p.id and n.removed_at is null) as commits
    from pull_requests p
    where p.entity_id = ${entityId} and p.repo_id = ${repoId} and p.merged_at is not null
      and p.merge_method in ('squash', 'rebase')),
  walked as (
    select p.id, p.landing as sha, 1 as place from pulls p
    union all
    select w.id, substr(c.parents, 1, length(c.sha)), w.place + 1
    from walked w
    join pulls p on p.id = w.id and p.merge_method = 'rebase' and w.place < p.commits
    join commits c on c.entity_id = ${entityId} and c.repo_id = ${repoId} and c.sha = w.sha
      and length(c.parents) >= length(c.sha)),
  targets as (
    select p.id, p.merge_method, c.sha, c.authored_at,
      row_number() over (partition by p.id, c.authored_at order by w.place desc) as repeated
    from pulls p
    join walked w on w.id = p.id
    join commits c on c.entity_id = ${entityId} and c.repo_id = ${repoId} and c.sha = w.sha and not c.is_merge),
  sources as (
    select n.pull_request_id as id, n.ordinal, n.sha, n.authored_at,
      row_number() over (partition by n.pull_request_id, n.authored_at order by n.ordinal) as repeated
    from pulls p
    join pull_request_commits n on n.entity_id = ${entityId} and n.pull_request_id = p.id and n.removed_at is null),
  found as materialized (
    select t.id, t.sha, null::int as ordinal from targets t where t.merge_method = 'squash'
    union all
    select t.id, t.sha, s.ordinal from targets t
    join sources s on s.id = t.id and s.authored_at = t.authored_at and s.repeated = t.repeated and s.sha <> t.sha
    where t.merge_method = 'rebase')`;

/** Writes what has changed. */
async function storeLandings(db: Database, place: ReviewPlace): Promise<void> {
  const { entityId, repoId } = place;
  // One statement for both: finding them takes longer than all the rest.
  await sql`
    ${found(place)},
    removed as (
      delete from pull_request_landings l where l.entity_id = ${entityId} and l.repo_id = ${repoId}
        and not exists (select from found f where f.id = l.pull_request_id and f.sha = l.sha))
    insert into pull_request_landings (entity_id, pull_request_id, repo_id, sha, source_ordinal)
    select ${entityId}::bigint, f.id, ${repoId}::bigint, f.sha, f.ordinal from found f
    on conflict (entity_id, pull_request_id, sha) do update set source_ordinal = excluded.source_ordinal
    where pull_request_landings.source_ordinal is distinct from excluded.source_ordinal`.execute(db);
}

/**
 * The repo's stored commits that landed under another sha. One that several pull requests landed belongs to the first that
 * was merged. Commits that reached the default branch themselves stand for themselves.
 */
export async function landCommits(db: Database, place: ReviewPlace): Promise<readonly LandedCommit[]> {
  await storeLandings(db, place);
  const { rows } = await sql<LandedCommit>`
    select distinct on (c.sha) encode(c.sha, 'hex') as sha, encode(l.sha, 'hex') as derived_from,
      case when l.source_ordinal is not null or (t.authored_at = c.authored_at and not exists (
          select from pull_request_commits o
          where o.entity_id = n.entity_id and o.pull_request_id = n.pull_request_id and o.removed_at is null
            and o.sha <> n.sha)) then 'rebase_copy' else 'squash_source' end as not_counted
    from pull_request_landings l
    join pull_requests p on p.entity_id = l.entity_id and p.id = l.pull_request_id
    join commits t on t.entity_id = l.entity_id and t.repo_id = l.repo_id and t.sha = l.sha and t.presence = 'existent'
    join pull_request_commits n on n.entity_id = l.entity_id and n.pull_request_id = l.pull_request_id
      and n.removed_at is null and n.sha <> l.sha and (l.source_ordinal is null or l.source_ordinal = n.ordinal)
    join commits c on c.entity_id = n.entity_id and c.repo_id = n.repo_id and c.sha = n.sha and not c.is_merge
      and not c.on_default_branch
    where l.entity_id = ${place.entityId} and l.repo_id = ${place.repoId}
    order by c.sha, ${sql.raw(firstToLand('p'))}`.execute(db);
  return rows;
}
