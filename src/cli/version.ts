// The version and how it is requested: known without the reader of the command line, which takes longer to load than the
// answer takes.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const VERSION_FLAGS = ['--version', '-V'];

export const requestsVersion = ([word]: readonly string[]): boolean =>
  word !== undefined && VERSION_FLAGS.includes(word);

export function readVersion(packageFolder: string): string {
  const { version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as { version: string };
  return version;
}
