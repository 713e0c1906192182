// A service from its parts: puts operations, worker and HTTP server on the store, and takes everything down again in
// the opposite order.
import { createPortProbe } from '../api/port-probe.ts';
import { createServer, type Server } from '../api/server.ts';
import { readStaticPage } from '../api/static.ts';
import type { Config } from '../config/load-config.ts';
import { ENDPOINTS } from '../endpoints/index.ts';
import { registerReconcileMetrics } from '../jobs/collect/reconcile-metrics.ts';
import { registerQueueMetrics } from '../jobs/queue-metrics.ts';
import { sweepMirrors } from '../jobs/sweep/sweep-mirrors.ts';
import { cronEntries, taskHandlers } from '../jobs/tasks.ts';
import { closeDataFolder, makeDataFolder } from '../kit/make-data-folder.ts';
import { within } from '../kit/remembered.ts';
import { Teardown } from '../kit/teardown.ts';
import { passAddressOn } from '../operations/access/credentials-file.ts';
import { ensureCredentials } from '../operations/access/first-start.ts';
import { createOperations, type Operations } from '../operations/index.ts';
import { listenForRevocations } from '../storage/access/revocations.ts';
import { listLockedTokens } from '../storage/collect/locked-tokens.ts';
import type { Store } from '../storage/database/handle.ts';
import { enqueue } from '../storage/queue/queue.ts';
import { type CronEntry, type QueueWorker, startQueueWorker } from '../storage/queue/worker.ts';
import { createServiceParts, type OpenOptions, openParts, type ProcessParts, type ServiceParts } from './parts.ts';
import { listServers, noteServer } from './running-servers.ts';
import type { WorkerProcess } from './worker-process.ts';

export interface Service {
  /** As users of this machine reach it. */
  readonly baseUrl: string;
  readonly credentialsPath: string;
  readonly entity: string;
  readonly operations: Operations;
  /** Jobs that did not end when the service was stopped. */
  readonly leftJobs: readonly string[];
  /** Finishes requests, hands jobs back, closes the database. May be called twice. */
  stop(): Promise<void>;
}

/** Said once: jobs leave such tokens alone, and look at them every minute. */
async function tellLocked({ log, store, jobs: { secrets } }: ServiceParts): Promise<void> {
  const count = secrets === undefined ? 0 : (await listLockedTokens(store.db, secrets, null)).length;
  if (count === 0) return;
  const what = 'what code hosts and trackers were connected with was sealed with another key, and nothing is collected';
  log.warn({ count }, `${what}; bring secret.key back and start the service anew, or connect them again`);
}

const startJobs = async (parts: ServiceParts, cron: readonly CronEntry[] = cronEntries()): Promise<QueueWorker> => {
  const { config, log, store, jobs } = parts;
  sweepMirrors(store, jobs.imports.mirrorsFolder).catch((error: unknown) =>
    log.warn({ err: error }, 'mirrors of entities that are gone could not be removed'),
  );
  tellLocked(parts).catch((error: unknown) => log.warn({ err: error }, 'the key of the service could not be read'));
  // This version may derive facts otherwise than the one that stored them.
  await enqueue(store.db, 'rederive_facts', {}, { jobKey: 'rederive_facts' });
  await enqueue(store.db, 'name_models', {}, { jobKey: 'name_models' });
  return startQueueWorker({
    store,
    tasks: taskHandlers(jobs),
    silenceMilliseconds: config.worker_silence_seconds * 1000,
    beatMilliseconds: Math.min(5_000, config.worker_silence_seconds * 250),
    cron: [...cron],
    concurrency: config.worker_concurrency,
    handBackMilliseconds: config.shutdown_grace_seconds * 1000,
    log,
  });
};

/** Opens the parts and starts something on them; what was opened is closed by `stop`, or when the start fails. */
function starting<T>(
  process: ProcessParts,
  start: (parts: ServiceParts, teardown: Teardown) => Promise<T>,
  options: OpenOptions = {},
): Promise<T & { stop(): Promise<void> }> {
  const teardown = new Teardown();
  return teardown.guard(async () => {
    const opened = await openParts(process, options);
    teardown.add(() => opened.close());
    const started = await start(await createServiceParts(opened), teardown);
    return { ...started, stop: () => teardown.run() };
  });
}

/** Starts somebody to do the jobs of a service. */
export type StartWorker = (parts: ServiceParts) => Promise<Pick<WorkerProcess, 'leftJobs' | 'listensAt' | 'stop'>>;

/** A request waits so long for a database that is away, through a restart for instance; then it gets a 503. */
const REQUEST_WAITS_MILLISECONDS = 2_000;

/** The API, with a worker as `startWorker` makes it. */
export async function startService(
  process: ProcessParts,
  startWorker: StartWorker,
  /** Where the build put the dashboard's files. */
  pageFolder: string | null = null,
): Promise<Service> {
  const { config, log } = process;
  await checkPort(config);
  prepareDataFolder(config.data);
  return starting(
    process,
    async (parts, teardown) => {
      const { store } = parts;
      const operations = createOperations(parts.operations);
      teardown.add(() => operations.close());
      const revocations = listenForRevocations(store, (hash) => operations.forgetAccess(hash), log);
      teardown.add(() => revocations.close());

      const worker = await startWorker(parts);
      let isCredentialsFileWritten = false;
      const server = await createServer({
        endpoints: ENDPOINTS,
        operations,
        settings: config,
        log,
        notReady: async () => [
          ...(isCredentialsFileWritten ? [] : ['credentials.json is not written yet']),
          ...((await isAnswering(store)) ? [] : ['the database does not answer']),
        ],
        page: pageFolder === null ? null : readStaticPage(pageFolder),
        collectors: [
          (registry) => registerQueueMetrics(registry, store),
          (registry) => registerReconcileMetrics(registry, store),
        ],
      });
      // Requests and jobs end side by side, before what both of them stand on.
      teardown.add(async () => {
        await Promise.all([closeServer(server, config.shutdown_grace_seconds), worker.stop()]);
      });

      const address = await listen(server, config);
      parts.listensAt(address);
      worker.listensAt(address);
      const baseUrl = config.public_url ?? address;
      const first = await ensureCredentials(parts.operations, operations.tokens, {
        dataFolder: config.data,
        baseUrl,
        isListening: true,
        ownsDatabase: config.database_url === null,
      });
      isCredentialsFileWritten = true;
      const takeBack = noteServer(config.data, baseUrl);
      teardown.add(() => {
        takeBack();
        const [another] = listServers(config.data);
        if (another !== undefined) passAddressOn(config.data, baseUrl, another);
      });
      return {
        baseUrl,
        credentialsPath: first.path,
        entity: first.credentials.entity,
        operations,
        leftJobs: worker.leftJobs,
      };
    },
    { reconnectTimeoutMilliseconds: REQUEST_WAITS_MILLISECONDS },
  );
}

/** Operations with somebody to do queued work: whoever works already, or this process. */
export const startWorkingOperations = (
  process: ProcessParts,
  { makesData }: { readonly makesData: boolean },
): Promise<{ operations: Operations; isAlone: boolean; stop(): Promise<void> }> =>
  starting(process, async (parts, teardown) => {
    const { config } = parts;
    const operations = createOperations(parts.operations);
    teardown.add(() => operations.close());
    if (makesData) {
      prepareDataFolder(config.data);
      // A first start may be this one: the entity and its credentials are made by whoever comes first.
      const baseUrl = config.public_url ?? `http://${config.host}:${config.port}`;
      await ensureCredentials(parts.operations, operations.tokens, {
        dataFolder: config.data,
        baseUrl,
        isListening: false,
        ownsDatabase: config.database_url === null,
      });
    }
    const isAlone = !(await operations.imports.hasWorker());
    if (isAlone) {
      // What is due at its time, such as looking at all repos again, is a service's: a command would wait for that too.
      const worker = await startJobs(parts, []);
      teardown.add(() => worker.stop());
    }
    return { operations, isAlone };
  });

/** A worker without an API, or for one in another process, which then says where that listens. */
export const startWorkerOnly = (
  process: ProcessParts,
): Promise<Pick<Service, 'leftJobs' | 'stop'> & Pick<ServiceParts, 'listensAt'>> =>
  starting(process, async (parts, teardown) => {
    prepareDataFolder(parts.config.data);
    const worker = await startJobs(parts);
    teardown.add(() => worker.stop());
    return { leftJobs: worker.leftJobs, listensAt: parts.listensAt };
  });

function prepareDataFolder(path: string): void {
  try {
    makeDataFolder(path);
    closeDataFolder(path);
  } catch (cause) {
    const message = `${path} cannot be the data folder; choose another with --data or STRATA_DATA`;
    throw new Error(message, { cause });
  }
}

/** Before anything is made: a start on a port that is taken would leave a database that nobody wanted. */
async function checkPort(config: Config): Promise<void> {
  const probe = createPortProbe();
  await listen(probe, config);
  await probe.close();
}

async function listen(server: Server, { host, port }: Config): Promise<string> {
  try {
    await server.listen({ host, port });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EADDRINUSE')
      throw new Error(`port ${port} of ${host} is taken; choose another with --port or STRATA_PORT`);
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
      throw new Error(`${host} is not an address of this machine; choose another with --host or STRATA_HOST`);
    if (code === 'EACCES')
      throw new Error(`port ${port} needs rights that this user lacks; choose one above 1023 with --port`);
    throw error;
  }
  const address = server.server.address();
  const realPort = typeof address === 'object' && address !== null ? address.port : port;
  // A server that listens everywhere is reached from here through loopback.
  const name = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${realPort}`;
}

/** Waits for running requests, but not for longer than the grace time. */
async function closeServer(server: Server, graceSeconds: number): Promise<void> {
  const timeout = setTimeout(() => server.server.closeAllConnections(), graceSeconds * 1000);
  await server.close();
  clearTimeout(timeout);
}

/** Whoever asks whether the service is ready wants to know within a second, also when the database hangs. */
const ANSWER_MILLISECONDS = 800;

const isAnswering = (store: Store): Promise<boolean> =>
  within(
    ANSWER_MILLISECONDS,
    store.pool.query('select 1').then(() => true),
    false,
  );
