// The files that a repository's objects lie in, as they were when a walk began. An object may be called missing only while
// all of them are still there: of a mirror that is being removed git says the same as of one that never was whole.
import type { BigIntStats } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { listObjectFolders } from './pack-index.ts';

interface Folder {
  readonly inode: bigint;
  readonly changedAt: bigint;
  readonly files: ReadonlySet<string>;
}

export interface ObjectFiles {
  readonly gitDir: string;
  readonly folders: ReadonlyMap<string, Folder>;
  /** The file that says from where objects are borrowed; null where it was not read, or is none. */
  readonly alternates: string | null;
}

const FAN_OUT = /^[0-9a-f]{2}$/;
const OBJECT_FILE = /^(?:[0-9a-f]{38}|[0-9a-f]{62}|pack-.*\.(?:pack|idx))$/;

/** Files that come later do not matter, such as those of a fetch into a borrowed repository. */
export async function readObjectFiles(gitDir: string): Promise<ObjectFiles> {
  const folders = new Map<string, Folder>();
  const alternates = await readAlternates(gitDir);
  for (const objects of listObjectFolders(gitDir)) {
    for (const path of await holders(objects)) {
      const entry = await statOrNull(path);
      if (entry === null) continue;
      const files = new Set((await readdir(path)).filter((name) => OBJECT_FILE.test(name)));
      folders.set(path, { inode: entry.ino, changedAt: entry.mtimeNs, files });
    }
  }
  return { gitDir, folders, alternates };
}

const readAlternates = (gitDir: string): Promise<string | null> =>
  readFile(join(gitDir, 'objects', 'info', 'alternates'), 'utf8').catch(() => null);

export async function areAllThere({ gitDir, folders, alternates }: ObjectFiles): Promise<boolean> {
  if ((await statOrNull(join(gitDir, 'HEAD'))) === null) return false;
  if (alternates !== null && (await readAlternates(gitDir)) !== alternates) return false;
  for (const [path, { inode, changedAt, files }] of folders) {
    if (files.size === 0) continue;
    const entry = await statOrNull(path);
    if (entry === null) return false;
    if (entry.ino === inode && entry.mtimeNs === changedAt) continue;
    const now = new Set(await readdir(path).catch(() => []));
    for (const file of files) if (!now.has(file)) return false;
  }
  return true;
}

/** As a text that stands in the repository itself; of what it borrows it has nothing. */
export function encodeObjectFiles({ gitDir, folders }: ObjectFiles): string {
  const own = [...folders].filter(([path]) => path.startsWith(`${gitDir}${sep}`));
  return JSON.stringify(Object.fromEntries(own.map(([path, { files }]) => [relative(gitDir, path), [...files]])));
}

export function decodeObjectFiles(gitDir: string, text: string): ObjectFiles {
  const folders = new Map<string, Folder>();
  for (const [path, files] of Object.entries(readLists(text))) {
    folders.set(join(gitDir, path), { inode: -1n, changedAt: -1n, files: new Set(files) });
  }
  return { gitDir, folders, alternates: null };
}

/** A text that was cut short says nothing. */
function readLists(text: string): Record<string, string[]> {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

async function holders(objects: string): Promise<string[]> {
  const names = await readdir(objects).catch(() => []);
  return names.filter((name) => name === 'pack' || FAN_OUT.test(name)).map((name) => join(objects, name));
}

const statOrNull = (path: string): Promise<BigIntStats | null> => stat(path, { bigint: true }).catch(() => null);
