// When pull requests and issues went into production: with the release that first held their commits, or issues with
// the first that a call says deployed them. The first known release of a repo says nothing about the commits that it
// holds, because those are all before it; what a call says of it counts.
import { sql } from 'kysely';
import type { EntitySettings } from '../../domain/access/entity-settings.ts';
import { entityClock } from '../../domain/calendar/entity-calendar.ts';
import type { Database } from '../../storage/database/handle.ts';
import { namedIssues } from './named-issues.ts';

/** Returns how many rows changed, and the issues among them. */
export async function releaseWork(
  db: Database,
  entityId: number,
  settings: EntitySettings,
): Promise<{ readonly changed: number; readonly issueIds: number[] }> {
  const { rows: pulls } = await sql<{
    id: number;
    first_commit_authored_at: string | null;
    released_at: string | null;
  }>`
    update pull_requests p set release_id = n.release_id, released_at = n.released_at
    from (
      select x.id, f.id as release_id, f.released_at
      from pull_requests x
      left join lateral (
        select r.id, r.released_at from commits c
        join release_commits k on k.entity_id = c.entity_id and k.commit_id = c.id
        join releases r on r.entity_id = k.entity_id and r.id = k.release_id and not r.is_baseline
        where c.entity_id = x.entity_id and c.repo_id = x.repo_id and c.sha in (x.merge_sha, x.squash_sha)
        order by r.released_at, r.id limit 1) f on x.merged_at is not null
      where x.entity_id = ${entityId}) n
    where p.entity_id = ${entityId} and p.id = n.id
      and (p.release_id, p.released_at) is distinct from (n.release_id, n.released_at)
    returning p.id, p.first_commit_authored_at, p.released_at`.execute(db);
  const clock = entityClock(settings);
  const minutes = pulls.map(({ first_commit_authored_at: from, released_at: to }) =>
    from === null || to === null ? null : clock.minutesBetween(Date.parse(from), Date.parse(to)),
  );
  await sql`
    update pull_requests p set business_minutes_lead_time = n.minutes
    from unnest(${pulls.map(({ id }) => id)}::bigint[], ${minutes}::int[]) as n(id, minutes)
    where p.entity_id = ${entityId} and p.id = n.id`.execute(db);
  // An issue is out with the last of its commits, and only when all of the default branch's are; or as soon as a call says so.
  const { rows: issues } = await sql<{ id: number }>`
    update issues i set released_at = n.released_at
    from (
      select w.id, least(w.released_at, d.released_at) as released_at
      from (
        select x.id, case when count(c.id) = count(r.id) then max(r.released_at) filter (where not r.is_baseline) end
          as released_at
        from issues x
        left join issue_commits k on k.entity_id = x.entity_id and k.issue_id = x.id
        left join commits c on c.entity_id = k.entity_id and c.id = k.commit_id and c.on_default_branch
          and c.presence = 'existent'
        left join release_commits s on s.entity_id = c.entity_id and s.commit_id = c.id
        left join releases r on r.entity_id = s.entity_id and r.id = s.release_id
        where x.entity_id = ${entityId} group by x.id) w
      left join (
        select issue_id, min(released_at) as released_at from (${namedIssues(entityId)}) k group by issue_id) d
        on d.issue_id = w.id) n
    where i.entity_id = ${entityId} and i.id = n.id and i.released_at is distinct from n.released_at
    returning i.id`.execute(db);
  return { changed: pulls.length + issues.length, issueIds: issues.map(({ id }) => id) };
}
