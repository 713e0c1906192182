// Starts, finds and stops the PostgreSQL process of one server folder. Call under the folder's lock, but for `findRunningServer`.
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, constants, existsSync, lstatSync, openSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../kit/log.ts';
import type { Binaries } from './binaries.ts';
import { explainFailure } from './explain-failure.ts';
import { freePorts } from './free-port.ts';
import { SERVER_ENVIRONMENT, SETTINGS_FILE } from './initialise-cluster.ts';
import { readPostmasterFile } from './postmaster-file.ts';
import { isProcessAlive, processesLivingIn } from './process-identity.ts';
import { type ServerFolder, withInheritedFolder } from './server-folder.ts';
import { type ServerSettings, settingsToFile } from './server-settings.ts';

export interface RunningServer {
  pid: number;
  port: number;
  /** Seconds since 1970. */
  startedAt: number;
}

const POLL_MILLISECONDS = 10;
const LOG_BYTES_KEPT = 10 * 1024 * 1024;
/** How long to wait for what must end soon: processes of a killed server, a server that is stopping. */
const WAIT_FOR_END_MILLISECONDS = 60_000;

/** A file left by a dead server may name an id that now belongs to some other program. */
function isServerOf(pid: number, cluster: string): boolean {
  if (!isProcessAlive(pid)) return false;
  if (process.platform !== 'linux') return true;
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === cluster;
  } catch {
    return false;
  }
}

/** Waits for a server that is starting or stopping; returns it when it is ready, undefined when there is none. */
export async function findRunningServer(folder: ServerFolder, log: Log): Promise<RunningServer | undefined> {
  let reportAt = Date.now() + 5_000;
  for (;;) {
    const file = readPostmasterFile(folder.cluster);
    if (!file || !isServerOf(file.pid, folder.cluster)) return undefined;
    if (file.status === 'ready') return { pid: file.pid, port: file.port, startedAt: file.startedAt };
    if (Date.now() > reportAt) {
      log.info({ pid: file.pid, status: file.status }, 'waiting for the database');
      reportAt += 5_000;
    }
    await sleep(POLL_MILLISECONDS);
  }
}

/**
 * After a server was killed, its helper processes live on for a moment, and itself may be a zombie.
 * Only when nothing lives in the folder may its lock file go. What lives there may also be a server
 * that a killed process had just started and that has not yet written its file: then that is the one.
 */
async function clearRemains(folder: ServerFolder, log: Log): Promise<RunningServer | undefined> {
  const deadline = Date.now() + WAIT_FOR_END_MILLISECONDS;
  for (;;) {
    const living = processesLivingIn(folder.cluster);
    if (living === undefined) return undefined; // PostgreSQL itself refuses to start beside living processes
    if (living.length === 0) break;
    const running = await findRunningServer(folder, log);
    if (running) return running;
    if (Date.now() > deadline) {
      throw new Error(
        `The processes ${living.join(', ')} still run in ${folder.cluster}, though their server is gone. End them and start again.`,
      );
    }
    await sleep(50);
  }
  const file = join(folder.cluster, 'postmaster.pid');
  if (existsSync(file)) {
    log.info({}, 'the database was not shut down the last time; it recovers from its log');
    folder.hands.remove(file);
  }
  return undefined;
}

const logBytes = ({ logFile }: ServerFolder): number => lstatSync(logFile, { throwIfNoEntry: false })?.size ?? 0;

/**
 * Starts a program of the server's with its output in the log. As root the log is opened by the server's user, for whom a
 * shell does it: the script is fixed, what is run comes as its arguments.
 */
function spawnLogged(folder: ServerFolder, program: string, args: readonly string[]): ChildProcess {
  const options = {
    cwd: folder.path,
    env: SERVER_ENVIRONMENT,
    // Its own session: Ctrl-C in a terminal reaches Strata, which then stops the server in order.
    detached: true,
    windowsHide: true,
  };
  if (folder.user === undefined) {
    const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0);
    const fd = openSync(folder.logFile, flags, 0o600);
    try {
      return spawn(program, args, { ...options, stdio: ['ignore', fd, fd] });
    } finally {
      closeSync(fd);
    }
  }
  const { uid, gid } = folder.user;
  const script = 'umask 077; exec "$@" >> "$0" 2>&1';
  return withInheritedFolder(folder, (inherited) =>
    spawn('/bin/sh', ['-c', script, folder.seenByServer('server.log'), program, ...args], {
      ...options,
      stdio: ['ignore', 'ignore', 'ignore', ...inherited],
      uid,
      gid,
    }),
  );
}

const PORT_TAKEN = /could not bind|Address already in use|could not create any TCP\/IP sockets/;
const BUSY_FOLDER = /lock file "postmaster\.pid"|pre-existing shared memory block|is still in use/;

type Attempt = { server: RunningServer } | { failure: { what: string; written: string } };

async function tryPort(
  folder: ServerFolder,
  binaries: Binaries,
  port: number,
  { log, whileStarting }: StartingParts,
): Promise<Attempt> {
  if (logBytes(folder) > LOG_BYTES_KEPT) folder.hands.rename(folder.logFile, `${folder.logFile}.1`);
  const logStart = logBytes(folder);
  const settings = ['-p', String(port), '-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='];
  const child = spawnLogged(folder, binaries.postgres, ['-D', folder.seenByServer('cluster'), ...settings]);
  child.unref();
  let ended: string | undefined;
  child.on('error', (error) => {
    ended ??= error.message;
  });
  child.on('exit', (code, signal) => {
    ended ??= signal ?? `exit code ${code}`;
  });
  whileStarting();
  let reportAt = Date.now() + 5_000;
  for (;;) {
    if (ended !== undefined) {
      const log = Buffer.from(folder.hands.read(folder.logFile));
      const written = log
        .subarray(Math.max(0, log.length - (logBytes(folder) - logStart)))
        .toString('utf8')
        .trim();
      return { failure: { what: `PostgreSQL did not start (${ended})`, written } };
    }
    const file = readPostmasterFile(folder.cluster);
    if (file?.pid === child.pid && file?.status === 'ready') {
      return { server: { pid: file.pid, port: file.port, startedAt: file.startedAt } };
    }
    if (Date.now() > reportAt) {
      log.info({ pid: child.pid }, 'the database is still starting; it recovers from its log');
      reportAt += 5_000;
    }
    await sleep(POLL_MILLISECONDS);
  }
}

/** Who starts a server, and waits for it. */
export interface StartingParts {
  readonly log: Log;
  /** Called when there is time to do something else, once for each try. */
  whileStarting(): void;
}

export async function startServer(
  folder: ServerFolder,
  binaries: Binaries,
  settings: ServerSettings,
  starting: StartingParts,
): Promise<RunningServer> {
  const { log } = starting;
  const running = await clearRemains(folder, log);
  if (running) return running;
  const settingsFile = join(folder.cluster, SETTINGS_FILE);
  folder.hands.write(settingsFile, settingsToFile(settings));
  const deadline = Date.now() + WAIT_FOR_END_MILLISECONDS;
  const tried: number[] = [];
  for await (const port of freePorts(folder.path, folder.portFile)) {
    for (;;) {
      const attempt = await tryPort(folder, binaries, port, starting);
      if ('server' in attempt) {
        folder.hands.write(folder.portFile, String(port));
        return attempt.server;
      }
      const { what, written } = attempt.failure;
      if (PORT_TAKEN.test(written)) break;
      if (!BUSY_FOLDER.test(written) || Date.now() > deadline) throw explainFailure(what, folder, written);
      // A server that a killed process had just started won the race, or the old one is not quite gone.
      await sleep(100);
      const running = await findRunningServer(folder, log);
      if (running) return running;
    }
    tried.push(port);
  }
  throw new Error(
    `No free port was found for the database on 127.0.0.1; tried ${tried.join(', ') || 'ports 20000 to 29999, all taken'}.`,
  );
}

async function waitForEnd(server: RunningServer, cluster: string, milliseconds: number): Promise<boolean> {
  const deadline = Date.now() + milliseconds;
  while (Date.now() < deadline) {
    if (!isProcessAlive(server.pid) && readPostmasterFile(cluster)?.pid !== server.pid) return true;
    if (!isProcessAlive(server.pid) && processesLivingIn(cluster)?.length === 0) return true;
    await sleep(POLL_MILLISECONDS);
  }
  return false;
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/**
 * Asks for a fast shutdown and does not wait for it: for a process that ends at once. The server goes on alone.
 * Not on Windows, where the next start takes the server over.
 */
export function askServerToStop(folder: ServerFolder): void {
  const file = readPostmasterFile(folder.cluster);
  if (file && process.platform !== 'win32' && isServerOf(file.pid, folder.cluster)) signal(file.pid, 'SIGINT');
}

/** Fast shutdown: open sessions are ended, everything is written, and the next start needs no recovery. */
export async function stopServer(
  folder: ServerFolder,
  locate: () => Promise<Binaries>,
  server: RunningServer,
  log: Log,
): Promise<void> {
  if (!isServerOf(server.pid, folder.cluster)) return;
  if (process.platform === 'win32') {
    // Windows has no SIGINT between processes; pg_ctl speaks to the server's own signal pipe.
    const { pgCtl } = await locate();
    spawn(pgCtl, ['stop', '-D', folder.cluster, '-m', 'fast'], { stdio: 'ignore', windowsHide: true });
  } else signal(server.pid, 'SIGINT');
  if (await waitForEnd(server, folder.cluster, WAIT_FOR_END_MILLISECONDS)) return;
  log.warn(
    { pid: server.pid },
    'the database did not stop in time; ending it at once, it will recover at the next start',
  );
  signal(server.pid, 'SIGQUIT');
  if (!(await waitForEnd(server, folder.cluster, WAIT_FOR_END_MILLISECONDS))) {
    throw new Error(`The database process ${server.pid} in ${folder.cluster} does not stop.`);
  }
}
