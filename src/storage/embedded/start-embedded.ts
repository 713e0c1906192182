// The embedded PostgreSQL: starts it in the data folder, or joins the one that already runs there;
// brings it back when it dies; stops it when the last process that uses it leaves.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Log, silentLog } from '../../kit/log.ts';
import { type Binaries, locateBinaries } from './binaries.ts';
import { blockUntilEnd, isLockWanted, isLockWantedByOthers, withFolderLock } from './folder-lock.ts';
import { initialiseCluster, readPassword } from './initialise-cluster.ts';
import { countLeases, type Lease, returnLease, takeLease } from './leases.ts';
import { isProcessAlive } from './process-identity.ts';
import {
  askServerToStop,
  findRunningServer,
  type RunningServer,
  type StartingParts,
  startServer,
  stopServer,
} from './run-server.ts';
import { openServerFolder, type ServerFolder } from './server-folder.ts';
import { defaultServerSettings, type ServerSettings } from './server-settings.ts';
import { DATABASE, ensureDatabase, preparationOf, SERVICE_ROLE, servicePassword } from './service-role.ts';

export interface EmbeddedOptions {
  /** Strata's data folder; the server lives in its subfolder postgres/. */
  dataDir: string;
  log?: Log;
  /** Overrides of single server settings; the tests' own server does without fsync, for one. */
  settings?: ServerSettings;
  /** Called once, when there is time to do something else: a server takes a while to start. */
  whileStarting?: () => void;
  /** How often to look whether the server still lives. */
  watchMilliseconds?: number;
}

export interface EmbeddedDatabase {
  /** Holds the password: never log it. */
  readonly databaseUrl: string;
  readonly pid: number;
  readonly port: number;
  /** How this process came by the server: made it, started it, or joined a running one. */
  readonly origin: 'created' | 'started' | 'joined';
  readonly logFile: string;
  /** Gives the server up; it ends when nobody else uses it. May be called twice. */
  stop(): Promise<void>;
}

const FIRST_WAIT_MILLISECONDS = 1_000;
const LONGEST_WAIT_MILLISECONDS = 30_000;

interface Session {
  server: RunningServer;
  origin: EmbeddedDatabase['origin'];
}

/** Finds or starts the server. Call under the folder's lock. */
async function bringUp(
  folder: ServerFolder,
  locate: () => Promise<Binaries>,
  settings: ServerSettings,
  starting: StartingParts,
): Promise<Session> {
  const running = await findRunningServer(folder, starting.log);
  if (running) return { server: running, origin: 'joined' };
  const binaries = await locate();
  const isNew = await initialiseCluster(folder, binaries);
  const server = await startServer(folder, binaries, settings, starting);
  return { server, origin: isNew ? 'created' : 'started' };
}

/** The server that runs and has been prepared; undefined when there is none, also when it is not certain. */
async function findPrepared(folder: ServerFolder, log: Log): Promise<RunningServer | undefined> {
  if (!existsSync(folder.cluster)) return undefined;
  const running = await findRunningServer(folder, log);
  return running && folder.hands.read(folder.preparedFile) === preparationOf(running) ? running : undefined;
}

export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const log = options.log ?? silentLog;
  const startedAt = performance.now();
  const settings = { ...defaultServerSettings(), ...options.settings };
  const folder = openServerFolder(options.dataDir);
  let located: Promise<Binaries> | undefined;
  const locate = (): Promise<Binaries> => {
    located ??= locateBinaries(folder.user, join(dirname(folder.path), 'binaries')).catch((error) => {
      located = undefined;
      throw error;
    });
    return located;
  };
  let isSaid = false;
  const whileStarting = (): void => {
    if (!isSaid) options.whileStarting?.();
    isSaid = true;
  };
  const starting: StartingParts = { log, whileStarting };
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => withFolderLock(folder.lock, work, { hands: folder.hands });
  let lease: Lease | undefined;
  // A process that ends without stop(), as on a second Ctrl-C, has no time to wait for the lock. Whoever has it
  // may be joining, and keeps the server.
  const isServerInUse = (): boolean => countLeases(folder.leases, folder.hands) > 0;
  const leaveAtOnce = (): void => {
    if (lease) returnLease(lease);
    if (isServerInUse()) return;
    blockUntilEnd(folder.lock, folder.hands);
    // Whoever joins from here on finds the lock taken; whoever joined before is counted.
    if (!isServerInUse() && !isLockWantedByOthers(folder.lock, folder.hands)) askServerToStop(folder);
  };
  process.once('exit', leaveAtOnce);
  const stopUnused = async (): Promise<void> => {
    if (isServerInUse()) return;
    const running = await findRunningServer(folder, log);
    if (running) await stopServer(folder, locate, running, log);
  };
  const holdLease = (): void => {
    lease ??= takeLease(folder.leases, folder.hands);
  };
  /** Without the lock, which commands beside a service need not wait for: only where nobody may be changing the server. */
  const joinPrepared = async (): Promise<Session | undefined> => {
    if ((await findPrepared(folder, log)) === undefined) return undefined;
    holdLease();
    if (isLockWanted(folder.lock, folder.hands)) return undefined;
    const server = await findPrepared(folder, log);
    return server && { server, origin: 'joined' };
  };
  const bringUpPrepared = (): Promise<Session> =>
    inTurn(async () => {
      const found = await bringUp(folder, locate, settings, starting);
      await ensureDatabase(found.server, readPassword(folder));
      folder.hands.write(folder.preparedFile, preparationOf(found.server));
      holdLease();
      return found;
    });
  let session: Session;
  try {
    session = (await joinPrepared()) ?? (await bringUpPrepared());
    whileStarting();
  } catch (error) {
    process.off('exit', leaveAtOnce);
    if (lease) returnLease(lease);
    // Somebody who left meanwhile may have counted this lease, and left the server to it.
    if (!isServerInUse() && !isLockWanted(folder.lock, folder.hands)) await inTurn(stopUnused).catch(() => {});
    throw error;
  }
  const password = readPassword(folder);
  log.info(
    {
      pid: session.server.pid,
      port: session.server.port,
      origin: session.origin,
      milliseconds: Math.round(performance.now() - startedAt),
    },
    'the embedded database is ready',
  );

  let stopping: Promise<void> | undefined;
  let reviving = false;
  let failures = 0;
  let nextTryAt = 0;
  const revive = async (): Promise<void> => {
    if (reviving || stopping || isProcessAlive(session.server.pid) || performance.now() < nextTryAt) return;
    reviving = true;
    try {
      log.warn({ pid: session.server.pid }, 'the embedded database has died; starting it again');
      await inTurn(async () => {
        if (stopping) return;
        const before = session.server.port;
        session = await bringUp(folder, locate, settings, starting);
        if (session.server.port !== before) {
          log.error(
            { before, now: session.server.port },
            'the old port of the embedded database was taken meanwhile; open pools cannot follow, restart Strata',
          );
        }
      });
      failures = 0;
    } catch (error) {
      // What keeps it from starting, such as a full disk, is rarely over within the second.
      const wait = Math.min(FIRST_WAIT_MILLISECONDS * 2 ** failures, LONGEST_WAIT_MILLISECONDS);
      failures += 1;
      nextTryAt = performance.now() + wait;
      log.error(
        { err: error, next_try_in_seconds: wait / 1000 },
        'the embedded database could not be started again; trying further',
      );
    } finally {
      reviving = false;
    }
  };
  const watch = setInterval(() => void revive(), options.watchMilliseconds ?? 500);
  watch.unref();

  const leave = async (): Promise<void> => {
    clearInterval(watch);
    if (lease) returnLease(lease);
    if (!isServerInUse()) await inTurn(stopUnused);
    process.off('exit', leaveAtOnce);
  };

  return {
    get databaseUrl() {
      return `postgresql://${SERVICE_ROLE}:${servicePassword(password)}@127.0.0.1:${session.server.port}/${DATABASE}`;
    },
    get pid() {
      return session.server.pid;
    },
    get port() {
      return session.server.port;
    },
    origin: session.origin,
    logFile: folder.logFile,
    stop() {
      stopping ??= leave();
      return stopping;
    },
  };
}
