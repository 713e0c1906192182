// PostgreSQL refuses to run as root. As root, the server therefore runs as an existing unprivileged
// user, who must be able to reach its files through every folder above them.
import { spawnSync } from 'node:child_process';
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

export interface ServerUser {
  name: string;
  uid: number;
  gid: number;
}

const CANDIDATES = ['postgres', '_postgres', 'nobody'];

export function parsePasswd(text: string): ServerUser | undefined {
  const users = new Map<string, ServerUser>();
  for (const line of text.split('\n')) {
    const [name, , uid, gid] = line.split(':');
    if (!name || !uid || !gid || name.startsWith('#')) continue;
    users.set(name, { name, uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 }); // macOS writes nobody as -2
  }
  for (const name of CANDIDATES) {
    const user = users.get(name);
    if (user && user.uid !== 0) return user;
  }
  return undefined;
}

/**
 * The user to run the server as, or undefined when it is this process's own. A folder that an earlier
 * start gave to some user (or that a normal user made) stays with its owner.
 */
export function chooseServerUser(folder: string): ServerUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const stat = statSync(folder, { throwIfNoEntry: false });
  if (stat && stat.uid !== 0) return { name: `#${stat.uid}`, uid: stat.uid, gid: stat.gid };
  const user = parsePasswd(readFileSync('/etc/passwd', 'utf8'));
  if (!user) {
    throw new Error(
      `PostgreSQL cannot run as root, and /etc/passwd has none of the users ${CANDIDATES.join(', ')} to run it as. ` +
        'Start Strata as a normal user, or set DATABASE_URL to a running PostgreSQL.',
    );
  }
  return user;
}

/** The system itself decides, because modes do not show access lists and mount options. */
export function canEnter(user: ServerUser, folder: string): boolean {
  const probe = spawnSync('/bin/sh', ['-c', 'cd -- "$1"', 'sh', folder], {
    uid: user.uid,
    gid: user.gid,
    cwd: '/',
    env: {},
    stdio: 'ignore',
  });
  return probe.status === 0;
}

/** The topmost folder on the way to `path` whose mode keeps `user` out. */
export function findBlockingFolder(user: ServerUser, path: string): string | undefined {
  const way: string[] = [];
  for (let folder = realpathSync(path); ; folder = dirname(folder)) {
    way.unshift(folder);
    if (folder === dirname(folder)) break;
  }
  return way.find((folder) => {
    const stat = statSync(folder);
    const searchBit = stat.uid === user.uid ? 0o100 : stat.gid === user.gid ? 0o010 : 0o001;
    return stat.isDirectory() && (stat.mode & searchBit) === 0;
  });
}

export function describeBlockedFolder(user: ServerUser, path: string): string {
  const folder = findBlockingFolder(user, path);
  const obstacle = folder
    ? `the folder ${folder} (mode ${(statSync(folder).mode & 0o7777).toString(8).padStart(4, '0')}) does not let that user in`
    : 'some folder on the way does not let that user in';
  return (
    `PostgreSQL cannot run as root and runs as the user "${user.name}", but ${obstacle}, so ${path} is out of reach. ` +
    'Choose another data folder with --data (for example /var/lib/strata), ' +
    `${folder ? `or let users pass with: chmod o+x ${folder}` : 'or start Strata as a normal user'}.`
  );
}
