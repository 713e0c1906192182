// What kept PostgreSQL from starting, for the person who has to mend it.
import type { ServerFolder } from './server-folder.ts';

const DISK_FULL = /^.*No space left on device.*$/m;

/** Its whole output, unless the disk is full: then that is all there is to know. */
export function explainFailure(what: string, folder: Pick<ServerFolder, 'path'>, output: string): Error {
  const message = DISK_FULL.exec(output)?.[0].trim();
  if (message === undefined) return new Error(`${what}:\n${output.trim()}`);
  return new Error(
    `${what}: the disk that holds ${folder.path} is full; make room there (PostgreSQL says: ${message})`,
  );
}
