// A company at the double of any host, provisioned, listed and imported; what follows is collected by calling the runner,
// so that the clock and each step are in the test's hands.
import { type CollectResult, collectWithToken } from '../../src/collect/collect-with-token.ts';
import { createCollectors } from '../../src/connectors/collect/collectors.ts';
import { addressRule } from '../../src/connectors/sources/check-address.ts';
import { createHostedSource } from '../../src/connectors/sources/hosted.ts';
import type { RepoSource } from '../../src/domain/repos/source.ts';
import { cacheProviderRepos } from '../../src/jobs/cache-provider-repos.ts';
import { deriveReviews } from '../../src/jobs/collect/derive-reviews.ts';
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
import type { CompanyDouble } from '../world/company-hosts/company-host.ts';
import { randomHistory } from '../world/random-history.ts';

export interface CompanyHost {
  start(company: Company): Promise<CompanyDouble>;
  /** Of provisioning, without address and entity. */
  readonly provision: Readonly<Record<string, string>>;
  /** Behind the double's address. */
  readonly path: string;
}

export interface HostKit {
  readonly app: TestApp;
  readonly double: CompanyDouble;
  readonly entityId: number;
  /** The one clock of service and host. */
  clock: Date;
  collect(): Promise<CollectResult>;
  /** Until every walk has ended; waits are waited out by moving the clock. Returns the number of calls. */
  collectAll(): Promise<number>;
  /** Lists the repos of the host again. */
  list(): Promise<void>;
  derive(): Promise<void>;
  query<T extends object>(text: string): Promise<T[]>;
}

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

export async function createHostKit(company: Company, host: CompanyHost, start: Date): Promise<HostKit> {
  const double = await host.start(company);
  const history = randomHistory(5, { commits: 4, words: 8 });
  let clock = start;
  const now = () => clock;
  const collectors = createCollectors({
    allowPrivate: true,
    now,
    requestMilliseconds: 5_000,
    resolve: async (name) => {
      throw Object.assign(new Error(`${name} is not looked up in tests`), { code: 'ENOTFOUND' });
    },
  });
  double.clock = now;
  const app = await createTestApp({ now, parts: (store) => ({ sources: [hostedSource(store, history.path)] }) });
  const { store } = app;
  const provisioned = await app.request({
    route: 'POST /api_tokens/provision_user',
    json: {
      email: 'owner@example.com',
      entity_slug: 'acme',
      endpoint_url: `${double.address}${host.path}`,
      ...host.provision,
    },
  });
  if (provisioned.status !== 200) throw new Error(`${provisioned.text} ${double.faults.join('; ')}`);
  const connection = await store.db.selectFrom('provider_connections').selectAll().executeTakeFirstOrThrow();
  const { entity_id: entityId, id: connectionId } = connection;
  const parts: JobParts = {
    store,
    sources: [hostedSource(store, history.path)],
    imports: importSettings(makeFolder()),
    codeHosts: loopbackHosts,
    collectors,
    secrets: testSecrets,
    now,
  };
  const kit: HostKit = {
    app,
    double,
    entityId,
    get clock() {
      return clock;
    },
    set clock(time) {
      clock = time;
    },
    collect: () =>
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
        },
        { entityId, source: 'host', connectionId },
      ),
    async collectAll() {
      let calls = 0;
      for (let round = 0; round < 100; round += 1) {
        const result = await kit.collect();
        calls += result.calls;
        if (double.faults.length > 0) throw new Error(double.faults.join('\n'));
        const { rows } = await store.pool.query(
          `select 1 from sync_streams where (cursor is not null or (mode = 'backfill' and next_due_at is not null))
             and id not in (select stream_id from stream_denials)`,
        );
        if (rows.length === 0 || result.again === null) return calls;
        if (result.again > kit.clock) kit.clock = result.again;
      }
      throw new Error('collecting does not come to an end');
    },
    async list() {
      try {
        await cacheProviderRepos.run({ entity_id: entityId, connection_id: connectionId }, jobContext(), parts);
      } catch (error) {
        throw new Error(double.faults.join('\n'), { cause: error });
      }
    },
    async derive() {
      const repos = await store.db.selectFrom('repos').select('id').execute();
      for (const { id } of repos) await deriveReviews.run({ entity_id: entityId, repo_id: id }, jobContext(), parts);
    },
    async query(text) {
      return (await store.pool.query(text)).rows;
    },
  };
  await kit.list();
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
