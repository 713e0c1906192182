// Who stands for the work of an AI agent, once a host says more than the commit: the person who requested the pull request,
// was assigned it, or merged it, in this order (`DIRECTED_BY` of the engine); a co-author whom the commit names goes before
// all of them. Nobody known: the agent itself.
import { sql } from 'kysely';
import { addToRollups, reconcileRollups } from '../../storage/commits/rollups.ts';
import type { Database } from '../../storage/database/handle.ts';
import { lockAuthors } from '../../storage/people/lock-authors.ts';
import { firstToLand, type ReviewPlace } from '../../storage/reviews/place.ts';

/** An account may be an identity of somebody: the root says who. */
const ROOT = 'join committers r on r.entity_id = h.entity_id and r.id = h.root_committer_id';

const isPerson = (id: string) =>
  sql.raw(`(select h.id from committers h ${ROOT} where h.entity_id = p.entity_id and h.id = ${id}
    and not r.is_bot and not r.is_ai_agent)`);

/** The first person among those who are assigned. */
const ASSIGNEE = sql.raw(`(select h.id from unnest(p.assignee_ids) with ordinality as a(id, place)
  join committers h on h.entity_id = p.entity_id and h.id = a.id ${ROOT} and not r.is_bot and not r.is_ai_agent
  order by a.place limit 1)`);

/** Returns how many commits and pull requests changed hands. */
export async function directAgents(db: Database, place: ReviewPlace): Promise<number> {
  return (await directPullRequests(db, place)) + (await directCommits(db, place));
}

/** An agent that opened the pull request itself is directed by whom it is assigned to, or by who merged it. */
async function directPullRequests(db: Database, { entityId, repoId }: ReviewPlace): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    update pull_requests set agent_id = n.agent_id, author_id = n.author_id, is_author_bot = false
    from (
      select p.id, g.id as agent_id, coalesce(${ASSIGNEE}, ${isPerson('p.merged_by_id')}, g.id) as author_id
      from pull_requests p
      join committers o on o.entity_id = p.entity_id and o.id = coalesce(p.agent_id, p.author_id)
      join committers g on g.entity_id = o.entity_id and g.id = o.root_committer_id and g.is_ai_agent
      where p.entity_id = ${entityId} and p.repo_id = ${repoId}) n
    where pull_requests.entity_id = ${entityId} and pull_requests.id = n.id
      and (pull_requests.agent_id, pull_requests.author_id, pull_requests.is_author_bot)
        is distinct from (n.agent_id, n.author_id, false)`.execute(db);
  return Number(numAffectedRows);
}

async function directCommits(db: Database, { entityId, repoId }: ReviewPlace): Promise<number> {
  const { rows } = await sql<{ id: number; author_id: number; former_id: number }>`
    with own as (
      select c.id, c.author_id, c.agent_id, c.sha, (
          select i.committer_id from unnest(c.co_author_signature_ids) with ordinality as s(id, place)
          join signatures g on g.entity_id = c.entity_id and g.id = s.id
          join committer_identities i on i.entity_id = c.entity_id and i.address_key = g.address_key
          join committers h on h.entity_id = c.entity_id and h.id = i.committer_id
          ${sql.raw(ROOT)} and not r.is_bot and not r.is_ai_agent
          order by s.place limit 1) as co_author_id
      from commits c
      where c.entity_id = ${entityId} and c.repo_id = ${repoId} and c.agent_id is not null),
    listed as (
      select n.sha, n.pull_request_id from pull_request_commits n
      where n.entity_id = ${entityId} and n.repo_id = ${repoId} and n.removed_at is null
      union
      select l.sha, l.pull_request_id from pull_request_landings l
      where l.entity_id = ${entityId} and l.repo_id = ${repoId}),
    directed as (
      select distinct on (o.id) o.id,
        coalesce(${isPerson('p.author_id')}, ${ASSIGNEE}, ${isPerson('p.merged_by_id')}) as person_id
      from own o
      join listed l on l.sha = o.sha
      join pull_requests p on p.entity_id = ${entityId} and p.id = l.pull_request_id
      order by o.id, ${sql.raw(firstToLand('p'))})
    select o.id, coalesce(d.person_id, o.agent_id) as author_id, o.author_id as former_id
    from own o left join directed d on d.id = o.id
    where o.co_author_id is null and o.author_id <> coalesce(d.person_id, o.agent_id)
    order by o.id`.execute(db);
  if (rows.length === 0) return 0;
  const ids = rows.map(({ id }) => id);
  await lockAuthors(db, entityId, [...new Set(rows.flatMap(({ author_id, former_id }) => [author_id, former_id]))]);
  const { rows: found } = await sql<{ id: number; rolled_up: boolean }>`
    select id, rolled_up from commits where entity_id = ${entityId} and id = any(${ids}) order by id for update`.execute(
    db,
  );
  const counted = found.filter(({ rolled_up }) => rolled_up).map(({ id }) => id);
  await addToRollups(db, entityId, counted, -1);
  await sql`
    update commits set author_id = t.author
    from unnest(${ids}::bigint[], ${rows.map(({ author_id }) => author_id)}::bigint[]) as t(id, author)
    where commits.entity_id = ${entityId} and commits.id = t.id`.execute(db);
  await addToRollups(db, entityId, counted, 1);
  // The person may be one whose activity is not processed.
  await reconcileRollups(db, entityId, { commitIds: ids });
  return rows.length;
}
