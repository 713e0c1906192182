// How this process changes files of a folder. A folder of another user, as root has it with the server's, is changed by that
// user alone: a link that it has put there then leads to nothing that it could not have changed itself.
import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';

export interface FolderHands {
  makeFolder(path: string): void;
  /** Fails when it is there already. */
  create(path: string): void;
  rename(from: string, to: string): void;
  remove(path: string): void;
  write(path: string, content: string): void;
  append(path: string, content: string): void;
  /** Empty when there is none. */
  read(path: string): string;
}

export const OWN_HANDS: FolderHands = {
  makeFolder: (path) => void mkdirSync(path, { recursive: true, mode: 0o700 }),
  create: (path) => closeSync(openSync(path, 'wx', 0o600)),
  rename: (from, to) => renameSync(from, to),
  remove: (path) => rmSync(path, { recursive: true, force: true, maxRetries: 3 }),
  write(path, content) {
    const fresh = `${path}.${process.pid}`;
    rmSync(fresh, { force: true });
    writeFileSync(fresh, content, { mode: 0o600, flag: 'wx' });
    renameSync(fresh, path);
  },
  append: (path, content) => appendFileSync(path, content),
  read(path) {
    try {
      return readFileSync(path, 'utf8');
    } catch {
      return '';
    }
  },
};

export interface HandedFolder {
  readonly user: { readonly uid: number; readonly gid: number };
  /** The path under which the user sees a file of the folder. */
  seen(path: string): string;
  /** Calls `use` with what the user's process inherits beyond standard input, output and error. */
  withInherited<T>(use: (inherited: number[]) => T): T;
}

/** Of a larger file the end is read. */
const MOST_READ = 1_000_000;

/** Fixed scripts: what they work on comes as arguments, which no shell reads as text. */
const SCRIPTS = {
  makeFolder: 'exec mkdir -p -m 700 -- "$1"',
  create: 'set -C; : > "$1"',
  rename: 'exec mv -f -- "$1" "$2"',
  remove: 'exec rm -rf -- "$1"',
  write: 'cat > "$1.$$" && mv -f -- "$1.$$" "$1"',
  append: 'exec cat >> "$1"',
  read: `if [ -e "$1" ]; then exec tail -c ${MOST_READ} -- "$1"; fi`,
} as const satisfies Record<keyof FolderHands, string>;

export function handsOf(folder: HandedFolder): FolderHands {
  const run = (action: keyof FolderHands, paths: readonly string[], input = ''): string =>
    folder.withInherited((inherited) => {
      const script = `umask 077; ${SCRIPTS[action]}`;
      const result = spawnSync('/bin/sh', ['-c', script, 'sh', ...paths.map((path) => folder.seen(path))], {
        uid: folder.user.uid,
        gid: folder.user.gid,
        cwd: '/',
        env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' },
        input,
        stdio: ['pipe', 'pipe', 'pipe', ...inherited],
        encoding: 'utf8',
        maxBuffer: 4 << 20,
      });
      if (result.status === 0) return result.stdout;
      const why = result.error?.message ?? (result.stderr.trim() || `exit code ${result.status}`);
      throw Object.assign(new Error(`${paths[0]} cannot be changed by its owner: ${why}`), {
        code: /Permission denied/.test(why) ? 'EACCES' : /No space left/.test(why) ? 'ENOSPC' : 'EIO',
      });
    });
  return {
    makeFolder: (path) => void (isFolder(path) || run('makeFolder', [path])),
    create: (path) => void run('create', [path]),
    rename: (from, to) => void run('rename', [from, to]),
    remove: (path) => void run('remove', [path]),
    // Each change costs a process, and most files say at every start what they said before.
    write: (path, content) => void (readOwnFile(path, folder.user.uid) === content || run('write', [path], content)),
    append: (path, content) => void run('append', [path], content),
    read: (path) => readOwnFile(path, folder.user.uid) ?? run('read', [path]),
  };
}

const isFolder = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/** What a file of the user's says: whoever reads it gives the user nothing that is not theirs. Null for all else. */
function readOwnFile(path: string, uid: number): string | null {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return null;
  }
  try {
    const found = fstatSync(fd);
    return found.isFile() && found.uid === uid && found.size <= MOST_READ ? readFileSync(fd, 'utf8') : null;
  } finally {
    closeSync(fd);
  }
}
