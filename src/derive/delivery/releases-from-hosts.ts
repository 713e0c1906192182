// Releases that a code host reports: pull requests merged into a release branch, workflows that succeeded, and deployments.
// A host knows when, so these hold for the past too, and their time replaces one that was read from a tag or a push.
//
//   commit a  ── deployed Mon 9:00 ── deployed again Tue 9:00      a release on Monday, a deployment on Tuesday
import { sql } from 'kysely';
import type { EntitySettings } from '../../domain/access/entity-settings.ts';
import type { ReleaseTrigger } from '../../domain/delivery/release-triggers.ts';
import type { Database } from '../../storage/database/handle.ts';

type Rules = Pick<
  EntitySettings,
  | 'release_pull_request_branches'
  | 'release_pull_request_pattern'
  | 'release_workflows'
  | 'release_environments'
  | 'release_branches'
  | 'release_branch_prefixes'
>;

interface Reported {
  readonly trigger: ReleaseTrigger;
  readonly sha: string;
  readonly released_at: string;
  readonly name: string | null;
  readonly deployer_id: number | null;
}

const OF_HOSTS: readonly ReleaseTrigger[] = ['merged_pull_request', 'workflow_success'];
/** Triggers whose time is a guess that a host's word replaces. */
const GUESSED: readonly ReleaseTrigger[] = ['git_tag', 'branch_push', 'branch_prefix', 'commit_message'];
const MINUTE_MS = 60_000;

const lower = (list: readonly string[]): string[] => list.map((text) => text.toLowerCase());

async function readMerged(db: Database, entityId: number, repoId: number, rules: Rules): Promise<Reported[]> {
  if (rules.release_pull_request_branches.length === 0) return [];
  const { rows } = await sql<Omit<Reported, 'trigger'> & { name: string; labels: string[] }>`
    select encode(p.merge_sha, 'hex') as sha, p.merged_at as released_at, p.title as name, p.labels,
      p.merged_by_id as deployer_id
    from pull_requests p
    join commits c on c.entity_id = p.entity_id and c.repo_id = p.repo_id and c.sha = p.merge_sha
    where p.entity_id = ${entityId} and p.repo_id = ${repoId} and p.merged_at is not null
      and p.base_branch = any(${rules.release_pull_request_branches})`.execute(db);
  const pattern = new RegExp(rules.release_pull_request_pattern, 'iu');
  return rows
    .filter(({ name, labels }) => [name, ...labels].some((text) => pattern.test(text)))
    .map(({ labels: _, ...row }) => ({ ...row, trigger: 'merged_pull_request' }));
}

/** On the default branch, on a branch that is released by pushes, or on a tag. */
async function readRuns(db: Database, entityId: number, repoId: number, rules: Rules): Promise<Reported[]> {
  if (rules.release_workflows.length === 0) return [];
  const { rows } = await sql<Omit<Reported, 'trigger'>>`
    select encode(w.sha, 'hex') as sha, coalesce(w.finished_at, w.started_at, w.created_at) as released_at,
      null as name, w.actor_id as deployer_id
    from workflow_runs w
    join repos r on r.entity_id = w.entity_id and r.id = w.repo_id
    join commits c on c.entity_id = w.entity_id and c.repo_id = w.repo_id and c.sha = w.sha
    where w.entity_id = ${entityId} and w.repo_id = ${repoId} and w.state = 'success'
      and (lower(w.name) = any(${lower(rules.release_workflows)}::text[])
        or lower(w.path) = any(${lower(rules.release_workflows)}::text[]))
      and (w.branch is null or w.branch = r.default_branch or w.branch = any(${rules.release_branches})
        or exists (select from unnest(${rules.release_branch_prefixes}::text[]) as p(prefix)
          where starts_with(w.branch, p.prefix))
        or exists (select from tags t
          where t.entity_id = w.entity_id and t.repo_id = w.repo_id and t.name = w.branch))`.execute(db);
  return rows.map((row) => ({ ...row, trigger: 'workflow_success' }));
}

/** One that a later deployment has replaced was a success as well. */
async function readDeployed(db: Database, entityId: number, repoId: number, rules: Rules): Promise<Reported[]> {
  if (rules.release_environments.length === 0) return [];
  const { rows } = await sql<Omit<Reported, 'trigger'>>`
    select encode(d.sha, 'hex') as sha, coalesce(d.finished_at, d.created_at) as released_at, null as name,
      d.creator_id as deployer_id
    from host_deployments d
    join commits c on c.entity_id = d.entity_id and c.repo_id = d.repo_id and c.sha = d.sha
    where d.entity_id = ${entityId} and d.repo_id = ${repoId} and d.state in ('success', 'inactive')
      and lower(d.environment) = any(${lower(rules.release_environments)}::text[])`.execute(db);
  return rows.map((row) => ({ ...row, trigger: 'workflow_success' }));
}

/** Returns how many rows changed. Call it before the releases of tags, which give way. */
export async function releaseFromHosts(db: Database, entityId: number, repoId: number, rules: Rules): Promise<number> {
  const reported: Reported[] = [];
  for (const read of [readMerged, readRuns, readDeployed]) reported.push(...(await read(db, entityId, repoId, rules)));
  const byCommit = new Map<string, Reported[]>();
  for (const each of reported.sort((a, b) => Date.parse(a.released_at) - Date.parse(b.released_at))) {
    byCommit.set(each.sha, [...(byCommit.get(each.sha) ?? []), each]);
  }
  const stored = await db
    .selectFrom('releases')
    .select(['id', 'release_sha', 'released_at', 'triggered_by', 'deployed_by_committer_id'])
    .where('entity_id', '=', entityId)
    .where('repo_id', '=', repoId)
    .where('release_sha', 'is not', null)
    .execute();
  let changed = 0;
  const releases = new Map<string, { readonly id: number; readonly released_at: string }>();
  for (const row of stored) {
    const sha = row.release_sha!.toString('hex');
    const first = byCommit.get(sha)?.[0];
    const isOfHost = OF_HOSTS.includes(row.triggered_by);
    if (first === undefined && isOfHost) {
      await db.deleteFrom('releases').where('entity_id', '=', entityId).where('id', '=', row.id).execute();
      changed += 1;
    } else if (first !== undefined && (isOfHost || GUESSED.includes(row.triggered_by))) {
      releases.set(sha, { id: row.id, released_at: first.released_at });
      if (row.triggered_by === first.trigger && row.released_at === first.released_at) continue;
      await db
        .updateTable('releases')
        .set({
          triggered_by: first.trigger,
          released_at: first.released_at,
          deployed_by_committer_id: first.deployer_id,
        })
        .where('entity_id', '=', entityId)
        .where('id', '=', row.id)
        .execute();
      changed += 1;
    } else releases.set(sha, row);
  }
  for (const [sha, [first]] of byCommit) {
    if (releases.has(sha)) continue;
    const row = await db
      .insertInto('releases')
      .values({
        entity_id: entityId,
        repo_id: repoId,
        name: first!.name ?? (await findTagName(db, entityId, repoId, sha)),
        release_sha: Buffer.from(sha, 'hex'),
        released_at: first!.released_at,
        triggered_by: first!.trigger,
        deployed_by_committer_id: first!.deployer_id,
      })
      .returning(['id', 'released_at'])
      .executeTakeFirstOrThrow();
    releases.set(sha, row);
    changed += 1;
  }
  const again = [...byCommit].flatMap(([sha, list]) => {
    const release = releases.get(sha)!;
    const minutes = new Map(list.map((each) => [minuteOf(each.released_at), each]));
    minutes.delete(minuteOf(release.released_at));
    return [...minutes.values()].map(({ released_at, name }) => ({
      release_id: release.id,
      deployed_at: released_at,
      name,
    }));
  });
  return changed + (await storeDeployments(db, entityId, repoId, again));
}

/** The first tag that was made on the commit. */
async function findTagName(db: Database, entityId: number, repoId: number, sha: string): Promise<string | null> {
  const tag = await db
    .selectFrom('tags')
    .select('name')
    .where('entity_id', '=', entityId)
    .where('repo_id', '=', repoId)
    .where('sha', '=', Buffer.from(sha, 'hex'))
    .where('deleted_at', 'is', null)
    .orderBy('tagged_at')
    .orderBy('name')
    .executeTakeFirst();
  return tag?.name ?? null;
}

const minuteOf = (time: string): number => Math.floor(Date.parse(time) / MINUTE_MS);

type Deployment = Readonly<{ release_id: number; deployed_at: string; name: string | null }>;

async function storeDeployments(
  db: Database,
  entityId: number,
  repoId: number,
  again: readonly Deployment[],
): Promise<number> {
  const list = sql`unnest(${again.map(({ release_id }) => release_id)}::bigint[],
    ${again.map(({ deployed_at }) => deployed_at)}::timestamptz[], ${again.map(({ name }) => name)}::text[])
    as t(release_id, deployed_at, name)`;
  const removed = await sql`
    delete from deployments d where d.entity_id = ${entityId} and d.repo_id = ${repoId} and d.is_derived
      and (d.release_id, d.deployed_at) not in (select t.release_id, t.deployed_at from ${list})`.execute(db);
  // One that a call told of in the same minute is the same.
  const added = await sql`
    insert into deployments (entity_id, repo_id, release_id, deployed_at, name, is_derived)
    select ${entityId}::bigint, ${repoId}::bigint, t.release_id, t.deployed_at, t.name, true from ${list}
    where not exists (
      select from deployments d where d.entity_id = ${entityId} and d.release_id = t.release_id
        and date_trunc('minute', d.deployed_at, 'UTC') = date_trunc('minute', t.deployed_at, 'UTC'))`.execute(db);
  return Number(removed.numAffectedRows ?? 0n) + Number(added.numAffectedRows ?? 0n);
}
