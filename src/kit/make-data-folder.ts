// The folder of everything that Strata keeps. The database's own user must be able to pass through it, and nobody else to
// look into it; what lies in it is for the user of the service alone.
import { chmodSync, existsSync, lstatSync, mkdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const PASS_THROUGH = 0o711;

export function makeDataFolder(path: string): void {
  // Also the folders above it, where they are missing, whatever the process writes otherwise.
  const before = process.umask(0o777 & ~PASS_THROUGH);
  try {
    makeWithParents(resolve(path));
  } finally {
    process.umask(before);
  }
}

/** One by one: Node 20, asked for all at once, tries for ever where a folder says that it does not exist itself. */
function makeWithParents(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  const parent = dirname(path);
  if (parent !== path && !existsSync(parent)) makeWithParents(parent);
  try {
    mkdirSync(path, { mode: PASS_THROUGH });
  } catch (error) {
    // Another process was quicker.
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}

/**
 * What Strata keeps there for its own user alone. The database server's folder and the copies of its programs are not among
 * them: the server's user must reach those, and `src/storage/embedded` sees to it.
 */
const OWN_NAMES = [
  'ca-bundle.pem',
  'credentials.json',
  'git-credentials.json',
  'known_hosts',
  'mirrors',
  'secret.key',
  'servers',
] as const;

export const inDataFolder = (dataFolder: string, name: (typeof OWN_NAMES)[number]): string => join(dataFolder, name);

/** Takes from others what an earlier version let them read. All else in the folder may be somebody's: a home, for one. */
export function closeDataFolder(path: string): void {
  const own = process.getuid?.();
  for (const name of OWN_NAMES) {
    const file = inDataFolder(path, name);
    const stat = lstatSync(file, { throwIfNoEntry: false });
    if (stat === undefined || stat.uid !== own || (stat.mode & 0o077) === 0) continue;
    if (stat.isDirectory()) chmodSync(file, 0o700);
    else if (stat.isFile()) chmodSync(file, 0o600);
  }
}
