// Asks a code host for all organizations and repos that a connection can see, and keeps the list, so that
// imports and menus need not ask. Safe to repeat; what is gone from the host goes from the list.

import { HostError } from '../domain/repos/code-host.ts';
import { importQueueOptions } from '../domain/repos/import-queue.ts';
import { SealedWithAnotherKey } from '../kit/sealed-secret.ts';
import { enqueue } from '../storage/queue/queue.ts';
import { followRenames } from '../storage/repos/follow-renames.ts';
import { offerNewRepos } from '../storage/repos/imports.ts';
import {
  findConnection,
  finishCaching,
  openAccount,
  recordHostFailure,
  storeOrganizations,
  storeRepos,
} from '../storage/repos/provider-connections.ts';
import type { JobContext, JobParts, Task } from './task.ts';

type Connection = NonNullable<Awaited<ReturnType<typeof findConnection>>>;

export const cacheProviderRepos: Task<'cache_provider_repos'> = {
  description: 'Lists the organizations and repos that a connection to a code host can see.',
  async run({ entity_id, connection_id }, job, parts) {
    const connection = await findConnection(parts.store.db, entity_id, connection_id);
    // The entity or the person has gone since.
    if (connection === undefined) return;
    const owner = { entityId: entity_id, connectionId: connection_id };
    try {
      const repoCount = await cache(connection, owner, job, parts);
      job.log.info({ entity_id, connection_id, repos: repoCount }, 'listed the repos of a connection');
    } catch (error) {
      if (error instanceof SealedWithAnotherKey) {
        job.log.debug({ entity_id, connection_id }, `repos are not listed: ${error.message}`);
        return;
      }
      if (!(error instanceof HostError)) throw error;
      await recordHostFailure(parts.store.db, owner, error.failure, parts.now());
      job.log.warn(
        { entity_id, connection_id, failure: error.failure },
        `a code host did not answer: ${error.message}`,
      );
      if (error.failure === 'rate_limited' && error.retryAt !== null) {
        await enqueue(
          parts.store.db,
          'cache_provider_repos',
          { entity_id, connection_id },
          { jobKey: job.jobKey, runAt: error.retryAt },
        );
        return;
      }
      // Only time can help these; the others wait for a new token.
      if (error.failure === 'unreachable' || error.failure === 'timeout') throw error;
    }
  },
};

/** Of the repos in one line of the log. */
const MOST_SHOWN = 20;

async function cache(
  connection: Connection,
  owner: { readonly entityId: number; readonly connectionId: number },
  job: JobContext,
  { store, codeHosts, secrets, now }: JobParts,
): Promise<number> {
  if (codeHosts === undefined || secrets === undefined) throw new Error('there are no connectors to code hosts');
  const startedAt = now();
  const host = codeHosts.connect(openAccount(connection, secrets));
  const user = await host.whoAmI(job.signal);
  let repoCount = 0;
  for await (const organizations of host.listOrganizations(user, job.signal)) {
    await storeOrganizations(store.db, owner, organizations, startedAt);
    for (const organization of organizations) {
      for await (const repos of host.listRepos(organization, job.signal)) {
        await storeRepos(store.db, { ...owner, organization: organization.slug }, repos, startedAt);
        repoCount += repos.length;
      }
    }
  }
  await finishCaching(store.db, owner, startedAt, user.token_expires_at);
  await renameRepos(store.db, owner, job);
  // What a first list shows was there to choose from.
  if (connection.repos_cached_at !== null) {
    const offered = await offerNewRepos(store.db, owner, startedAt);
    if (offered.length > 0) {
      const shown = { entity_id: owner.entityId, repos: offered.slice(0, MOST_SHOWN), count: offered.length };
      job.log.info(shown, 'new repos are offered for import; POST /imports or strata import accepts one');
    }
  }
  return repoCount;
}

/** Repos that are called otherwise by now. */
async function renameRepos(
  db: JobParts['store']['db'],
  owner: { readonly entityId: number; readonly connectionId: number },
  job: JobContext,
): Promise<void> {
  const { renamed, refused } = await followRenames(db, owner);
  for (const { importId, from, to } of renamed) {
    job.log.info({ entity_id: owner.entityId, from, to }, 'a repo has another name at its code host, and here too now');
    if (importId === null) continue;
    const payload = { entity_id: owner.entityId, import_id: importId };
    await enqueue(db, 'import_repo', payload, importQueueOptions(payload));
  }
  for (const { from, to } of refused) {
    job.log.warn(
      { entity_id: owner.entityId, from, to },
      'a repo has another name at its code host, which another imported repo has here; it keeps its own. ' +
        'Where both are one repo, or the other is gone from the host, strata repo remove makes room',
    );
  }
}
