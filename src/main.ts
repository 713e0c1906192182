// argv → command; nothing else.
import type { Terminal } from './cli/program.ts';
import { readVersion, requestsVersion } from './cli/version.ts';
import { PACKAGE_FOLDER } from './kit/package-folder.ts';
import { harmless } from './kit/text/harmless.ts';

function createTerminal(): Terminal {
  let isRead = true;
  // Into a pipe too: what reads it may well print it.
  const out = (line: string): void => void (isRead && process.stdout.write(`${harmless(line)}\n`));
  const err = (line: string): void => void process.stderr.write(`${harmless(line)}\n`);
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // Whoever reads the output may stop early, as head does. Where the disk is full, some of it is lost.
    if (error.code !== 'EPIPE' && isRead) {
      err(`strata: the output cannot be written (${error.message})`);
      process.exitCode = 1;
    }
    isRead = false;
  });
  // There is nowhere left to say that.
  process.stderr.on('error', () => undefined);
  return { out, err, hasReader: () => isRead };
}

/** Whether the arguments ask for the version, which is then said. It is not part of a build, so this can come before one. */
export function sayVersion(argv: readonly string[]): boolean {
  if (!requestsVersion(argv)) return false;
  createTerminal().out(readVersion(PACKAGE_FOLDER));
  return true;
}

export async function main(argv: readonly string[]): Promise<void> {
  const terminal = createTerminal();
  const [{ runProgram }, { loadVerbsFor }, { createCliParts }] = await Promise.all([
    import('./cli/program.ts'),
    import('./cli/verbs/index.ts'),
    import('./compose/commands.ts'),
  ]);
  const parts = createCliParts(PACKAGE_FOLDER, terminal);
  const exitCode = await runProgram(argv, await loadVerbsFor(argv), parts, terminal);
  // Output that was lost is a failure of a command that did its work.
  process.exitCode ||= exitCode;
}
