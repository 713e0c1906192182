// Removes this machine's mirrors of entities and repos that are gone: whoever deleted them ran on another one.
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { listActiveEntities } from '../../storage/access/entities.ts';
import type { Store } from '../../storage/database/handle.ts';
import { listImports } from '../../storage/repos/imports.ts';

/** The folder is read before the entities, so one that is made meanwhile is not taken for gone. */
export async function sweepMirrors(store: Store, mirrorsFolder: string): Promise<number> {
  const names = (await readdir(mirrorsFolder).catch((): string[] => [])).filter((name) => /^\d+$/.test(name));
  if (names.length === 0) return 0;
  const active = new Set((await listActiveEntities(store.db)).map(({ id }) => String(id)));
  const gone = names.filter((name) => !active.has(name));
  for (const name of gone) await rm(join(mirrorsFolder, name), { recursive: true, force: true });
  let swept = gone.length;
  for (const name of names.filter((entity) => active.has(entity))) {
    swept += await sweepEntity(store, Number(name), join(mirrorsFolder, name));
  }
  return swept;
}

async function sweepEntity(store: Store, entityId: number, folder: string): Promise<number> {
  const mirrors = (await readdir(folder).catch((): string[] => [])).filter((name) =>
    /^\d+(\.reader)?\.git$/.test(name),
  );
  if (mirrors.length === 0) return 0;
  const imports = new Set((await listImports(store.db, entityId)).map(({ id }) => id));
  const gone = mirrors.filter((name) => !imports.has(Number.parseInt(name, 10)));
  for (const name of gone) await rm(join(folder, name), { recursive: true, force: true });
  return gone.length;
}
