// Stores deployments and pipeline runs as hosts report them; releases are derived from these.
import { sql } from 'kysely';
import { cleanText } from '../../domain/collect/clean-text.ts';
import type { CollectedDeployment, CollectedRun } from '../../domain/delivery/host-delivery.ts';
import { rowsOf } from '../collect/rows.ts';
import type { Database } from '../database/handle.ts';
import type { KnownAccounts } from '../people/host-accounts.ts';

export interface RepoPlace {
  readonly entityId: number;
  readonly repoId: number;
}

/** A final state is not replaced by an earlier look at the same deployment. */
export async function storeDeployments(
  db: Database,
  { entityId, repoId }: RepoPlace,
  deployments: readonly CollectedDeployment[],
  known: KnownAccounts,
): Promise<void> {
  const rows = [...new Map(deployments.map((deployment) => [deployment.external_id, deployment])).values()].map(
    (given) => ({
      external_id: given.external_id,
      environment: cleanText(given.environment),
      sha: given.sha,
      ref: given.ref === null ? null : cleanText(given.ref),
      state: given.state,
      created_at: given.created_at,
      finished_at: given.finished_at,
      creator_id: given.creator === null ? null : (known.get(given.creator.external_id)?.committer_id ?? null),
      url: given.url,
      host_updated_at: given.updated_at,
    }),
  );
  if (rows.length === 0) return;
  await sql`
    insert into host_deployments (entity_id, repo_id, external_id, environment, sha, ref, state, created_at, finished_at,
      creator_id, url, host_updated_at)
    select ${entityId}::bigint, ${repoId}::bigint, t.external_id, t.environment, decode(t.sha, 'hex'), t.ref, t.state,
      t.created_at, t.finished_at, t.creator_id, t.url, t.host_updated_at
    from ${rowsOf(rows, {
      external_id: 'text',
      environment: 'text',
      sha: 'text',
      ref: 'text',
      state: 'text',
      created_at: 'timestamptz',
      finished_at: 'timestamptz',
      creator_id: 'bigint',
      url: 'text',
      host_updated_at: 'timestamptz',
    })}
    on conflict (entity_id, repo_id, external_id) do update
      set environment = excluded.environment, sha = coalesce(excluded.sha, host_deployments.sha), ref = excluded.ref,
          state = excluded.state, finished_at = coalesce(excluded.finished_at, host_deployments.finished_at),
          url = excluded.url, host_updated_at = excluded.host_updated_at
    where host_deployments.host_updated_at is null or excluded.host_updated_at is null
      or excluded.host_updated_at >= host_deployments.host_updated_at`.execute(db);
}

/** The last attempt of a run stands for it. */
export async function storeRuns(
  db: Database,
  { entityId, repoId }: RepoPlace,
  runs: readonly CollectedRun[],
  known: KnownAccounts,
): Promise<void> {
  const rows = [...new Map(runs.map((run) => [run.external_id, run])).values()].map((run) => ({
    external_id: run.external_id,
    name: cleanText(run.name),
    path: run.path,
    branch: run.branch === null ? null : cleanText(run.branch),
    sha: run.sha,
    event: run.event,
    state: run.state,
    attempt: run.attempt,
    created_at: run.created_at,
    started_at: run.started_at,
    finished_at: run.finished_at,
    actor_id: run.actor === null ? null : (known.get(run.actor.external_id)?.committer_id ?? null),
    url: run.url,
  }));
  if (rows.length === 0) return;
  await sql`
    insert into workflow_runs (entity_id, repo_id, external_id, name, path, branch, sha, event, state, attempt, created_at,
      started_at, finished_at, actor_id, url)
    select ${entityId}::bigint, ${repoId}::bigint, t.external_id, t.name, t.path, t.branch, decode(t.sha, 'hex'), t.event,
      t.state, t.attempt, t.created_at, t.started_at, t.finished_at, t.actor_id, t.url
    from ${rowsOf(rows, {
      external_id: 'text',
      name: 'text',
      path: 'text',
      branch: 'text',
      sha: 'text',
      event: 'text',
      state: 'text',
      attempt: 'int',
      created_at: 'timestamptz',
      started_at: 'timestamptz',
      finished_at: 'timestamptz',
      actor_id: 'bigint',
      url: 'text',
    })}
    on conflict (entity_id, repo_id, external_id) do update
      set name = excluded.name, path = excluded.path, branch = excluded.branch, sha = excluded.sha, event = excluded.event,
          state = excluded.state, attempt = excluded.attempt, started_at = excluded.started_at,
          finished_at = excluded.finished_at, actor_id = excluded.actor_id, url = excluded.url
    where excluded.attempt > workflow_runs.attempt
      or (excluded.attempt = workflow_runs.attempt and (workflow_runs.state = 'pending' or excluded.state <> 'pending'))`.execute(
    db,
  );
}
