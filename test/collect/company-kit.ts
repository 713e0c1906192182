// A company at the double of any host, provisioned, listed and imported, with a tracker where one is given; what follows is
// collected by calling the runner, so that the clock and each step are in the test's hands.
import { type CollectParts, type CollectResult, collectWithToken } from '../../src/collect/collect-with-token.ts';
import { createCollectors } from '../../src/connectors/collect/collectors.ts';
import { addressRule } from '../../src/connectors/sources/check-address.ts';
import { createHostedSource } from '../../src/connectors/sources/hosted.ts';
import { createTrackerSites } from '../../src/connectors/trackers/tracker-sites.ts';
import type { RepoSource } from '../../src/domain/repos/source.ts';
import { cacheProviderRepos } from '../../src/jobs/cache-provider-repos.ts';
import { deriveReviews } from '../../src/jobs/collect/derive-reviews.ts';
import { deriveDelivery } from '../../src/jobs/derive-delivery.ts';
import { deriveTraits } from '../../src/jobs/derive-traits.ts';
import { importRepo } from '../../src/jobs/import/repo.ts';
import type { JobParts } from '../../src/jobs/task.ts';
import { silentLog } from '../../src/kit/log.ts';
import type { TokenKey } from '../../src/storage/collect/streams.ts';
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
import type { CompanyHost } from '../world/company-hosts/hosts.ts';
import type { HostDouble } from '../world/host-doubles/host-double.ts';
import { randomHistory } from '../world/random-history.ts';
import type { TrackerDouble } from '../world/tracker-doubles/tracker-double.ts';

export interface CompanyKit<D extends CompanyDouble = CompanyDouble> {
  readonly app: TestApp;
  readonly store: Store;
  readonly double: D;
  readonly entityId: number;
  readonly connectionIds: readonly number[];
  readonly parts: JobParts;
  /** The one clock of service, host and tracker. */
  clock: Date;
  collect(connectionId?: number, changes?: Partial<CollectParts>): Promise<CollectResult>;
  /** All tokens until every walk has ended; waits are waited out by moving the clock. Returns the number of calls. */
  collectAll(changes?: Partial<CollectParts>): Promise<number>;
  /** Lists the repos of the host again. */
  list(): Promise<void>;
  /** What jobs do after collecting. */
  derive(): Promise<void>;
  /** Imports what is new in git. */
  refresh(): Promise<void>;
  query<T extends object>(text: string, values?: unknown[]): Promise<T[]>;
  close(): Promise<void>;
}

export interface CompanyKitOptions {
  readonly clock: Date;
  /** The host's own unless given. */
  readonly tokens?: readonly string[];
  /** A repository that every repo is cloned from; a small one unless given. */
  readonly folder?: string;
  readonly tracker?: {
    readonly double: TrackerDouble;
    /** Of the call that connects it. */
    readonly connection: Readonly<Record<string, unknown>>;
  };
}

const offline = {
  allowPrivate: true,
  requestMilliseconds: 5_000,
  resolve: async (name: string): Promise<never> => {
    throw Object.assign(new Error(`${name} is not looked up in tests`), { code: 'ENOTFOUND' });
  },
};

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

const MOST_ROUNDS = 500;
const UNFINISHED = `
  select 1 from sync_streams where (cursor is not null or (mode = 'backfill' and next_due_at is not null))
    and id not in (select stream_id from stream_denials)`;

export async function createCompanyKit<D extends CompanyDouble>(
  company: Company,
  host: CompanyHost<D>,
  options: CompanyKitOptions,
): Promise<CompanyKit<D>> {
  const givenTokens = options.tokens ?? [host.token];
  const double = await host.start(company, givenTokens);
  const doubles: HostDouble[] = [double, ...(options.tracker === undefined ? [] : [options.tracker.double])];
  const folder = options.folder ?? randomHistory(5, { commits: 4, words: 8 }).path;
  let clock = options.clock;
  const now = () => clock;
  double.clock = now;
  if (options.tracker !== undefined) options.tracker.double.clock = now;
  const collectors = createCollectors({ ...offline, now });
  const app = await createTestApp({
    now,
    parts: (store) => ({
      sources: [hostedSource(store, folder)],
      trackerSites: createTrackerSites({ ...offline, now }),
    }),
  });
  const { store } = app;
  const throwFaults = () => {
    const faults = doubles.flatMap((each) => each.faults);
    if (faults.length > 0) throw new Error(faults.join('\n'), { cause: faults[0] });
  };
  const call = async (route: string, json: object) => {
    const answer = await app.request({ route, json });
    throwFaults();
    if (answer.status !== 200) throw new Error(answer.text);
  };
  for (const [index, token] of givenTokens.entries()) {
    await call('POST /api_tokens/provision_user', {
      email: index === 0 ? 'owner@example.com' : `owner-${index}@example.com`,
      entity_slug: 'acme',
      endpoint_url: `${double.address}${host.path}`,
      git_provider_token: token,
      ...host.provision,
    });
  }
  const connections = await store.db.selectFrom('provider_connections').selectAll().orderBy('id').execute();
  const entityId = connections[0]!.entity_id;
  const connectionIds = connections.map(({ id }) => id);
  const tokens: TokenKey[] = connectionIds.map((connectionId) => ({ entityId, source: 'host', connectionId }));
  if (options.tracker !== undefined) {
    await call('POST /trackers', { resource_path: 'acme', ...options.tracker.connection });
    const { id } = await store.db.selectFrom('trackers').select('id').executeTakeFirstOrThrow();
    tokens.push({ entityId, source: 'tracker', connectionId: id });
  }
  const parts: JobParts = {
    store,
    sources: [hostedSource(store, folder)],
    imports: importSettings(makeFolder()),
    codeHosts: loopbackHosts,
    collectors,
    secrets: testSecrets,
    now,
  };
  const work = (token: TokenKey, changes: Partial<CollectParts>) =>
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
      token,
    );
  const kit: CompanyKit<D> = {
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
      work({ entityId, source: 'host', connectionId }, changes),
    async collectAll(changes = {}) {
      let calls = 0;
      for (let round = 0; round < MOST_ROUNDS; round += 1) {
        const results = [];
        for (const token of tokens) results.push(await work(token, changes));
        throwFaults();
        calls += results.reduce((sum, result) => sum + result.calls, 0);
        const agains = results.flatMap(({ again }) => (again === null ? [] : [again.getTime()]));
        const { rows } = await store.pool.query(UNFINISHED);
        if (rows.length === 0 || agains.length === 0) return calls;
        const next = Math.min(...agains);
        if (next > clock.getTime()) clock = new Date(next);
      }
      throw new Error('collecting does not come to an end');
    },
    async list() {
      for (const { id } of connections) {
        await cacheProviderRepos.run({ entity_id: entityId, connection_id: id }, jobContext(), parts);
      }
      throwFaults();
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
    async close() {
      await Promise.all(doubles.map((each) => each.close()));
    },
  };
  await kit.list();
  for (const { name } of company.repos) {
    await call('POST /imports', { resource_path: 'acme', repo_path: `${company.organization}/${name}` });
  }
  await store.pool.query('update imports set wants_all = true');
  await kit.refresh();
  return kit;
}
