// The folder of the embedded server inside Strata's data folder, and how the server's user gets into
// it. On Linux, root can hand over an open folder: the server then reaches its files through
// /proc/self/fd, past parents (such as a 0700 home) that would keep its user out.
import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { makeDataFolder } from '../../kit/make-data-folder.ts';
import { explainUnusableFolder } from './explain-failure.ts';
import { type FolderHands, handsOf, OWN_HANDS } from './folder-hands.ts';
import { canEnter, chooseServerUser, describeBlockedFolder, type ServerUser } from './server-user.ts';

export interface ServerFolder {
  /** Real path of <data>/postgres. */
  readonly path: string;
  readonly cluster: string;
  readonly passwordFile: string;
  readonly logFile: string;
  readonly portFile: string;
  /** Says which server has been made ready for the service's role. */
  readonly preparedFile: string;
  readonly lock: string;
  readonly leases: string;
  readonly user: ServerUser | undefined;
  /** Everything in the folder is changed through these. */
  readonly hands: FolderHands;
  /** The path by which the server reaches a file of this folder. */
  readonly seenByServer: (name: string) => string;
  /** True when the folder itself must be passed to the server as file descriptor 3. */
  readonly handedOver: boolean;
}

const HANDED_OVER_FD = 3;
const FOLDER = 'postgres';

/** Whether a data folder holds a database, or one that is being made; a folder that cannot be looked into may. */
export function hasServerFolder(dataDir: string): boolean {
  try {
    return statSync(join(dataDir, FOLDER), { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    // Below a file there is none. What cannot be looked at may be there: whoever opens it says why not.
    return !(error instanceof Error && 'code' in error && error.code === 'ENOTDIR');
  }
}

function ownerOf(path: string): number | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.uid;
  } catch {
    return undefined;
  }
}

function makePrivateFolder(path: string, user: ServerUser | undefined): void {
  try {
    makeDataFolder(dirname(path));
    mkdirSync(path, { recursive: true, mode: 0o700 });
    if (user) {
      giveFolder(path, user);
      giveLeftovers(path, user);
    } else if (process.platform !== 'win32') closeToOthers(path);
    readdirSync(path);
  } catch (cause) {
    const owner = ownerOf(path) ?? ownerOf(dirname(path));
    const self = process.getuid ? { uid: process.getuid(), name: userInfo().username } : undefined;
    throw explainUnusableFolder(path, cause, { owner, self });
  }
}

function withFolder(path: string, use: (fd: number) => void): void {
  const fd = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    use(fd);
  } finally {
    closeSync(fd);
  }
}

const closeToOthers = (path: string): void => withFolder(realpathSync(path), (fd) => fchmodSync(fd, 0o700));

/**
 * As root. Only root may say that the folder lies elsewhere: whoever owns the folder around it could make root give away any
 * other one.
 */
function giveFolder(path: string, user: ServerUser): void {
  const isLink = lstatSync(path).isSymbolicLink();
  const around = lstatSync(dirname(path));
  if (isLink && around.uid !== 0) {
    throw new Error(`${path} is a link that user id ${around.uid} has made; replace it by a folder`);
  }
  withFolder(isLink ? realpathSync(path) : path, (fd) => {
    const { uid } = fstatSync(fd);
    if (uid !== 0 && uid !== user.uid) throw new Error(`${path} belongs to user id ${uid}, expected ${user.uid}`);
    if (uid === 0) fchownSync(fd, user.uid, user.gid);
    fchmodSync(fd, 0o700);
  });
}

/** What earlier versions wrote as root: without it, the owner could neither lock nor log. */
const LEFT_BY_ROOT = ['lock', 'leases', 'server.log', 'port'];

/**
 * As root. What is given is what was opened: a link is not followed, a file with a second name may be any file of the machine,
 * and a folder of root's cannot be moved here by anybody else.
 */
function giveLeftovers(path: string, user: ServerUser): void {
  for (const name of LEFT_BY_ROOT) {
    let fd: number;
    try {
      fd = openSync(join(path, name), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    } catch {
      continue;
    }
    try {
      const found = fstatSync(fd);
      const isOnlyName = found.isDirectory() || (found.isFile() && found.nlink === 1);
      if (found.uid === 0 && isOnlyName) fchownSync(fd, user.uid, user.gid);
    } finally {
      closeSync(fd);
    }
  }
}

export function openServerFolder(dataDir: string): ServerFolder {
  const wanted = join(resolve(dataDir), FOLDER);
  const user = chooseServerUser(wanted);
  makePrivateFolder(wanted, user);
  const path = realpathSync(wanted);
  const canHandOver = process.platform === 'linux';
  if (user !== undefined && !canHandOver && !canEnter(user, path)) throw new Error(describeBlockedFolder(user, path));
  // A process is started to find out, so only whoever starts the server asks.
  let handedOver: boolean | undefined;
  const isHandedOver = (): boolean => {
    handedOver ??= user !== undefined && canHandOver && !canEnter(user, path);
    return handedOver;
  };
  const throughHandedOver = (name: string): string => `/proc/self/fd/${HANDED_OVER_FD}/${name}`;
  const hands =
    user === undefined
      ? OWN_HANDS
      : handsOf({
          user,
          seen: (file) => (canHandOver ? throughHandedOver(relative(path, file)) : file),
          withInherited: (use) => withInheritedFolder({ path, handedOver: canHandOver }, use),
        });
  return {
    path,
    cluster: join(path, 'cluster'),
    passwordFile: join(path, 'password'),
    logFile: join(path, 'server.log'),
    portFile: join(path, 'port'),
    preparedFile: join(path, 'prepared'),
    lock: join(path, 'lock'),
    leases: join(path, 'leases'),
    user,
    hands,
    seenByServer: (name) => (isHandedOver() ? throughHandedOver(name) : join(path, name)),
    get handedOver() {
      return isHandedOver();
    },
  };
}

/** Calls `use` with what the server's process inherits beyond standard input, output and error. */
export function withInheritedFolder<T>(
  folder: Pick<ServerFolder, 'path' | 'handedOver'>,
  use: (inherited: number[]) => T,
): T {
  if (!folder.handedOver) return use([]);
  const fd = openSync(folder.path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    return use([fd]);
  } finally {
    closeSync(fd);
  }
}
