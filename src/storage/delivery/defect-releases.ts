// Which release shipped which fix. Where no call tells of a fix released in a repo, the releases of that repo that shipped
// commits of the defect are its fixes; they give way as soon as a call does.
import { sql } from 'kysely';
import type { Database } from '../database/handle.ts';

/** Returns how many rows changed. */
export async function releaseFixes(db: Database, entityId: number): Promise<number> {
  const withCommits = sql`
    select distinct d.id as defect_id, r.repo_id, r.released_at, r.id as release_id
    from critical_defects d
    join defect_commits k on k.entity_id = d.entity_id and k.defect_id = d.id and k.link_em in ('defect_key', 'issue', 'pull_request')
    join release_commits c on c.entity_id = k.entity_id and c.commit_id = k.commit_id
    join releases r on r.entity_id = c.entity_id and r.id = c.release_id and not r.is_baseline
      and r.released_at >= d.detected_at
    where d.entity_id = ${entityId}`;
  const shipped = sql`
    select w.* from (${withCommits}) w where not exists (
      select 1 from defect_fixes f where f.entity_id = ${entityId} and f.defect_id = w.defect_id
        and f.repo_id = w.repo_id and not f.is_derived and f.released_at is not null)`;
  const removed = await sql`
    delete from defect_fixes f where f.entity_id = ${entityId} and f.is_derived
      and (f.defect_id, f.repo_id, f.released_at, f.release_id) not in (
        select s.defect_id, s.repo_id, s.released_at, s.release_id from (${shipped}) s)`.execute(db);
  const added = await sql`
    insert into defect_fixes (entity_id, defect_id, repo_id, released_at, release_id, is_derived)
    select ${entityId}::bigint, s.defect_id, s.repo_id, s.released_at, s.release_id, true from (${shipped}) s
    on conflict do nothing`.execute(db);
  // The release that a call names, else by the commit that was told or, without one, by the time: the nearest release within
  // an hour, or the nearest that shipped commits of the defect. A release that went out before the defect was detected has
  // not repaired it, whoever says so.
  const attached = await sql`
    with with_commits as materialized (${withCommits})
    update defect_fixes f set release_id = n.release_id
    from (
      select x.id, (
        select r.id from releases r
        where r.entity_id = x.entity_id and r.released_at >= d.detected_at
          and r.id = case
            when x.named_release_id is not null then x.named_release_id
            when x.deployment_id is not null then null
            when x.fix_sha is not null then (select h.release_id from commits c
              join release_commits h on h.entity_id = c.entity_id and h.commit_id = c.id
              where c.entity_id = x.entity_id and c.repo_id = x.repo_id and c.sha = x.fix_sha)
            else coalesce(
              (select t.id from releases t
               where t.entity_id = x.entity_id and t.repo_id = x.repo_id and t.released_at >= d.detected_at
                 and t.released_at between x.released_at - interval '1 hour' and x.released_at + interval '1 hour'
               order by abs(extract(epoch from t.released_at - x.released_at)), t.id limit 1),
              (select w.release_id from with_commits w
               where w.defect_id = x.defect_id and w.repo_id = x.repo_id and x.released_at is not null
               order by abs(extract(epoch from w.released_at - x.released_at)), w.release_id limit 1)) end) as release_id
      from defect_fixes x
      join critical_defects d on d.entity_id = x.entity_id and d.id = x.defect_id
      where x.entity_id = ${entityId} and not x.is_derived) n
    where f.entity_id = ${entityId} and f.id = n.id and f.release_id is distinct from n.release_id`.execute(db);
  return [removed, added, attached].reduce((sum, { numAffectedRows = 0n }) => sum + Number(numAffectedRows), 0);
}
