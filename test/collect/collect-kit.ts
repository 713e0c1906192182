// A company at GitHub's double, provisioned, listed and imported; what follows is collected by calling the runner, so that
// the clock and each step are in the test's hands.

import { type CollectParts, type CollectResult, collectWithToken } from '../../src/collect/collect-with-token.ts';
import { createCollectors } from '../../src/connectors/collect/collectors.ts';
import { addressRule } from '../../src/connectors/sources/check-address.ts';
import { createHostedSource } from '../../src/connectors/sources/hosted.ts';
import type { RepoSource } from '../../src/domain/repos/source.ts';
import { cacheProviderRepos } from '../../src/jobs/cache-provider-repos.ts';
import { deriveReviews } from '../../src/jobs/collect/derive-reviews.ts';
import { deriveDelivery } from '../../src/jobs/derive-delivery.ts';
import { deriveTraits } from '../../src/jobs/derive-traits.ts';
import { importRepo } from '../../src/jobs/import/repo.ts';
import type { JobParts } from '../../src/jobs/task.ts';
import { silentLog } from '../../src/kit/log.ts';
import type { Store } from '../../src/storage/database/handle.ts';
import {
  findHostedRepo,
  listHostedOrganizations,
  listHostedRepos,
  openAccount,
} from '../../src/storage/repos/provider-connections.ts';
import { jobContext, makeFolder } from '../jobs/import/import-kit.ts';
import { createTestApp, loopbackHosts, type TestApp, testSecrets } from '../support/app.ts';
import { importSettings } from '../support/import-settings.ts';
import type { Company } from '../world/company/company.ts';
import { COMPANY_TOKEN, type GithubCompany, startGithubCompany } from '../world/company/github-company.ts';
import { randomHistory } from '../world/random-history.ts';

export interface CollectKit {
  readonly app: TestApp;
  readonly store: Store;
  readonly double: GithubCompany;
  readonly entityId: number;
  readonly connectionIds: readonly number[];
  readonly parts: JobParts;
  /** The one clock of service and host. */
  clock: Date;
  collect(connectionId?: number, changes?: Partial<CollectParts>): Promise<CollectResult>;
  /** Until nothing is due; waits are waited out by moving the clock. Returns the number of calls. */
  collectAll(): Promise<number>;
  /** What jobs do after collecting. */
  derive(): Promise<void>;
  /** Imports what is new in git. */
  refresh(): Promise<void>;
  query<T extends object>(text: string, values?: unknown[]): Promise<T[]>;
  close(): Promise<void>;
}

const createTestCollectors = (now: () => Date) =>
  createCollectors({
    allowPrivate: true,
    now,
    requestMilliseconds: 5_000,
    resolve: async (name) => {
      throw Object.assign(new Error(`${name} is not looked up in tests`), { code: 'ENOTFOUND' });
    },
  });

/** Clones come from a folder; everything else is as the service has it. */
function hostedSource(store: Store, folder: string): RepoSource {
  const source = createHostedSource({
    find: async (entityId, path) =>
      (await findHostedRepo(store.db, entityId, path)).map(({ path: named, clone_url, connection }) => ({
        path: named,
        clone_url,
        failure: connection.error_em,
        openAccount: () => openAccount(connection, testSecrets),
      })),
    listRepos: (entityId) => listHostedRepos(store.db, entityId),
    listOrganizations: (entityId) => listHostedOrganizations(store.db, entityId),
    codeHosts: loopbackHosts,
    reach: { isAllowed: addressRule(true), authorities: null },
  });
  return { ...source, cloneAddress: async () => ({ kind: 'folder', path: folder, shown: folder }) };
}

export async function createCollectKit(
  company: Company,
  options: {
    readonly clock: Date;
    readonly tokens?: readonly string[];
    /** What is cloned; without it a history that has nothing to do with the company. */
    readonly folder?: string;
  },
): Promise<CollectKit> {
  const tokens = options.tokens ?? [COMPANY_TOKEN];
  const double = await startGithubCompany(company, tokens);
  const folder = options.folder ?? randomHistory(5, { commits: 4, words: 8 }).path;
  let clock = options.clock;
  const now = () => clock;
  const collectors = createTestCollectors(now);
  double.clock = now;
  const app = await createTestApp({
    now,
    parts: (store) => ({ sources: [hostedSource(store, folder)] }),
  });
  const { store } = app;
  for (const [index, token] of tokens.entries()) {
    const answer = await app.request({
      route: 'POST /api_tokens/provision_user',
      json: {
        email: `owner-${index}@example.com`,
        git_provider_em: 'github',
        git_provider_token: token,
        entity_slug: 'acme',
        endpoint_url: double.address,
      },
    });
    if (answer.status !== 200) throw new Error(answer.text);
  }
  const connections = await store.db.selectFrom('provider_connections').selectAll().orderBy('id').execute();
  const parts: JobParts = {
    store,
    sources: [hostedSource(store, folder)],
    imports: importSettings(makeFolder()),
    codeHosts: loopbackHosts,
    collectors,
    secrets: testSecrets,
    now,
  };
  const entityId = connections[0]!.entity_id;
  const connectionIds = connections.map(({ id }) => id);
  const kit: CollectKit = {
    app,
    store,
    double,
    entityId,
    connectionIds,
    parts,
    get clock() {
      return clock;
    },
    set clock(time) {
      clock = time;
    },
    collect: (connectionId = connectionIds[0]!, changes = {}) =>
      collectWithToken(
        {
          db: store.db,
          collectors,
          secrets: testSecrets,
          keepsRaw: true,
          workSeconds: 1_000_000,
          log: silentLog,
          signal: new AbortController().signal,
          now,
          random: () => 0.5,
          ...changes,
        },
        { entityId, source: 'host', connectionId },
      ),
    async collectAll() {
      let calls = 0;
      for (let round = 0; round < 500; round += 1) {
        const results = [];
        for (const id of connectionIds) results.push(await kit.collect(id));
        if (double.faults.length > 0) throw double.faults[0];
        calls += results.reduce((sum, result) => sum + result.calls, 0);
        const agains = results.flatMap(({ again }) => (again === null ? [] : [again.getTime()]));
        const { rows } = await store.pool.query(
          `select 1 from sync_streams where (cursor is not null or (mode = 'backfill' and next_due_at is not null))
             and id not in (select stream_id from stream_denials)`,
        );
        if (rows.length === 0 || agains.length === 0) return calls;
        const next = Math.min(...agains);
        if (next > kit.clock.getTime()) kit.clock = new Date(next);
      }
      throw new Error('collecting does not come to an end');
    },
    async derive() {
      const repos = await store.db.selectFrom('repos').select('id').execute();
      for (const { id } of repos) await deriveReviews.run({ entity_id: entityId, repo_id: id }, jobContext(), parts);
      for (const { id } of repos) await deriveDelivery.run({ entity_id: entityId, repo_id: id }, jobContext(), parts);
      await deriveTraits.run({ entity_id: entityId }, jobContext(), parts);
    },
    async refresh() {
      for (const { id } of await store.db.selectFrom('imports').select('id').execute()) {
        await importRepo.run({ entity_id: entityId, import_id: id }, jobContext(), parts);
      }
    },
    async query(text, values = []) {
      return (await store.pool.query(text, values)).rows;
    },
    close: () => double.close(),
  };
  for (const { entity_id, id } of connections) {
    await cacheProviderRepos.run({ entity_id, connection_id: id }, jobContext(), parts);
  }
  for (const { name } of company.repos) {
    const repo_path = `${company.organization}/${name}`;
    const answer = await app.request({ route: 'POST /imports', json: { resource_path: 'acme', repo_path } });
    if (answer.status !== 200) throw new Error(answer.text);
  }
  await store.pool.query('update imports set wants_all = true');
  for (const { id } of await store.db.selectFrom('imports').select('id').execute()) {
    await importRepo.run({ entity_id: entityId, import_id: id }, jobContext(), parts);
  }
  return kit;
}
