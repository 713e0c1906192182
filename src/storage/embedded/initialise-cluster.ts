// Makes a new database cluster. All of it happens in a temporary folder that is renamed at the end,
// so an initdb that is killed leaves nothing that could be taken for a database.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Binaries } from './binaries.ts';
import { explainFailure } from './explain-failure.ts';
import { type ServerFolder, withInheritedFolder } from './server-folder.ts';

export const SUPERUSER = 'strata';
const TEMPORARY_PREFIX = 'initdb-';
export const SETTINGS_FILE = 'strata.conf';

/** PostgreSQL's programs read many variables (PGDATA, PGOPTIONS, LC_*); none of the caller's may reach them. */
export const SERVER_ENVIRONMENT: NodeJS.ProcessEnv | undefined =
  process.platform === 'win32' ? undefined : { PATH: '/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C', TZ: 'UTC' };

function syncToDisk(path: string): void {
  if (process.platform === 'win32') return;
  const fd = openSync(path, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** The password outlives an interrupted initdb: it is written whole, before the cluster, and reused. */
function ensurePassword(folder: ServerFolder): void {
  if (existsSync(folder.passwordFile)) return;
  folder.hands.write(folder.passwordFile, `${randomBytes(24).toString('base64url')}\n`);
  syncToDisk(folder.passwordFile);
  syncToDisk(folder.path);
}

export function readPassword(folder: ServerFolder): string {
  const password = folder.hands.read(folder.passwordFile).trim();
  if (password !== '') return password;
  throw new Error(
    `The database in ${folder.cluster} exists, but its password file ${folder.passwordFile} cannot be read. ` +
      'Put it back from a backup.',
  );
}

function runInitdb(folder: ServerFolder, binaries: Binaries, temporary: string): Promise<void> {
  const args = [
    `--pgdata=${folder.seenByServer(temporary)}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${folder.seenByServer('password')}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
    '--data-checksums',
    '--no-instructions',
  ];
  return new Promise((resolve, reject) => {
    const child = withInheritedFolder(folder, (inherited) =>
      spawn(binaries.initdb, args, {
        cwd: folder.path,
        env: SERVER_ENVIRONMENT,
        stdio: ['ignore', 'pipe', 'pipe', ...inherited],
        windowsHide: true,
        ...(folder.user && { uid: folder.user.uid, gid: folder.user.gid }),
      }),
    );
    let output = '';
    const collect = (chunk: Buffer): void => {
      output += chunk.toString('utf8');
    };
    child.stdout?.on('data', collect);
    child.stderr?.on('data', collect);
    child.on('error', (cause) => reject(new Error(`initdb could not be started: ${cause.message}`, { cause })));
    child.on('close', (code, signal) => {
      if (code === 0) resolve();
      else reject(explainFailure(`initdb failed (${signal ?? `exit code ${code}`})`, folder, output));
    });
  });
}

/** Makes the cluster when there is none. Returns whether it made one. Call under the folder's lock. */
export async function initialiseCluster(folder: ServerFolder, binaries: Binaries): Promise<boolean> {
  for (const name of readdirSync(folder.path)) {
    if (!name.startsWith(TEMPORARY_PREFIX)) continue;
    try {
      // An initdb orphaned by a killed parent may still be writing here; its name is never used again.
      folder.hands.remove(join(folder.path, name));
    } catch {
      // Next start tries again.
    }
  }
  const versionFile = join(folder.cluster, 'PG_VERSION');
  if (existsSync(folder.cluster)) {
    const found = readFileSync(versionFile, 'utf8').trim();
    const major = binaries.version.split('.')[0];
    if (found !== major) {
      throw new Error(
        `The database in ${folder.cluster} was made by PostgreSQL ${found}, but this version of Strata brings ` +
          `PostgreSQL ${major}. Run \`strata backup\` with the previous version and \`strata restore\` with this one.`,
      );
    }
    return false;
  }
  ensurePassword(folder);
  const temporary = `${TEMPORARY_PREFIX}${randomBytes(6).toString('hex')}`;
  try {
    await runInitdb(folder, binaries, temporary);
    folder.hands.append(
      join(folder.path, temporary, 'postgresql.conf'),
      `\n# Strata rewrites this file at every start; lines below this one win over it.\ninclude '${SETTINGS_FILE}'\n`,
    );
    folder.hands.rename(join(folder.path, temporary), folder.cluster);
    syncToDisk(folder.path);
  } catch (error) {
    folder.hands.remove(join(folder.path, temporary));
    throw error;
  }
  return true;
}
