// `strata backup` and `strata restore`.
import { accessSync, constants, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { StrataError } from '../../domain/errors.ts';
import type { Verb } from '../verb.ts';

const notAccepted = (file: string, expected: string): StrataError =>
  new StrataError('invalid_parameter', `file: ${JSON.stringify(file)} is not accepted; expected ${expected}`);

/** What cannot be looked at is not so. */
function holds(look: () => boolean): boolean {
  try {
    return look();
  } catch {
    return false;
  }
}

const isFolder = (path: string): boolean => holds(() => statSync(path).isDirectory());
const isReadable = (path: string): boolean => holds(() => accessSync(path, constants.R_OK) === undefined);

export const backup: Verb = {
  name: 'backup',
  summary: 'Write all data into one file, while the service may go on running.',
  arguments: [{ name: '<file>', description: 'File to write.' }],
  configuration: 'store',
  run: async (call) => {
    const file = call.args[0]!;
    const folder = dirname(file);
    if (!isFolder(folder)) throw notAccepted(file, `a name in a folder that exists; there is no folder ${folder}`);
    call.out(await call.parts.backup(call.flags, file));
  },
};

export const restore: Verb = {
  name: 'restore',
  summary: 'Read a backup into an empty database.',
  arguments: [{ name: '<file>', description: 'File that strata backup wrote.' }],
  configuration: 'store',
  makesData: true,
  run: async (call) => {
    const file = call.args[0]!;
    // Before the database is started: a mistake must not make a data folder.
    if (!isReadable(file) || isFolder(file)) throw notAccepted(file, 'a file that strata backup wrote');
    call.out(await call.parts.restore(call.flags, file));
  },
};
