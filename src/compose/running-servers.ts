// Which servers run on a data folder: one file each, named after its process, that holds the address. The file of a server
// that was killed stays until the next one starts, and counts for nothing.
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { inDataFolder } from '../kit/make-data-folder.ts';
import { writePrivateFile } from '../kit/write-private-file.ts';
import { isMarkAlive, ownProcessMark } from '../storage/embedded/process-identity.ts';

const MARK = /^\d+-\d+$/;

/** Notes the address; what is returned takes the note back. */
export function noteServer(dataFolder: string, address: string): () => void {
  const folder = inDataFolder(dataFolder, 'servers');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(folder)) {
    // Another server that starts may remove it first.
    if (MARK.test(name) && !isMarkAlive(name)) rmSync(join(folder, name), { force: true });
  }
  const own = join(folder, ownProcessMark());
  writePrivateFile(own, `${address}\n`);
  return () => rmSync(own, { force: true });
}

/** Addresses of the servers that run. */
export function listServers(dataFolder: string): string[] {
  const folder = inDataFolder(dataFolder, 'servers');
  return namesIn(folder)
    .filter((name) => MARK.test(name) && isMarkAlive(name))
    .flatMap((name) => readAddress(join(folder, name)));
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).toSorted();
  } catch {
    return [];
  }
}

/** None when the server has just ended. */
function readAddress(file: string): string[] {
  try {
    return [readFileSync(file, 'utf8').trim()];
  } catch {
    return [];
  }
}
