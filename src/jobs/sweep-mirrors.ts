// Removes this machine's mirrors of entities that are gone: the job that deleted them ran on another one.
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { listActiveEntities } from '../storage/access/entities.ts';
import type { Store } from '../storage/database/handle.ts';

/** The folder is read before the entities, so one that is made meanwhile is not taken for gone. */
export async function sweepMirrors(store: Store, mirrorsFolder: string): Promise<number> {
  const names = (await readdir(mirrorsFolder).catch((): string[] => [])).filter((name) => /^\d+$/.test(name));
  if (names.length === 0) return 0;
  const active = new Set((await listActiveEntities(store.db)).map(({ id }) => String(id)));
  const gone = names.filter((name) => !active.has(name));
  for (const name of gone) await rm(join(mirrorsFolder, name), { recursive: true, force: true });
  return gone.length;
}
