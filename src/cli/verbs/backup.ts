// `strata backup` and `strata restore`.
import { accessSync, constants } from 'node:fs';
import { StrataError } from '../../domain/errors.ts';
import type { Verb } from '../verb.ts';

export const backup: Verb = {
  name: 'backup',
  summary: 'Write all data into one file, while the service may go on running.',
  arguments: [{ name: '<file>', description: 'File to write.' }],
  configuration: 'store',
  run: async (call) => call.out(await call.parts.backup(call.flags, call.args[0]!)),
};

export const restore: Verb = {
  name: 'restore',
  summary: 'Read a backup into an empty database.',
  arguments: [{ name: '<file>', description: 'File that strata backup wrote.' }],
  configuration: 'store',
  makesData: true,
  run: async (call) => {
    const file = call.args[0]!;
    try {
      accessSync(file, constants.R_OK);
    } catch (cause) {
      // Before the database is started: a mistake must not make a data folder.
      const message = `file: ${JSON.stringify(file)} is not accepted; expected a file that strata backup wrote`;
      throw new StrataError('invalid_parameter', message, { cause });
    }
    call.out(await call.parts.restore(call.flags, file));
  },
};
