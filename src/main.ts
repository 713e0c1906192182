// argv → command; nothing else.
import type { Terminal } from './cli/program.ts';
import { readVersion, requestsVersion } from './cli/version.ts';
import { PACKAGE_FOLDER } from './kit/package-folder.ts';
import { harmless } from './kit/text/harmless.ts';

function createTerminal(): Terminal {
  // Whoever reads the output may stop early, as head does: then nothing more is written.
  let isRead = true;
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    isRead = false;
  });
  return {
    // Into a pipe too: what reads it may well print it.
    out: (line) => void (isRead && process.stdout.write(`${harmless(line)}\n`)),
    err: (line) => void process.stderr.write(`${harmless(line)}\n`),
  };
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
  process.exitCode = await runProgram(
    argv,
    await loadVerbsFor(argv),
    createCliParts(PACKAGE_FOLDER, terminal),
    terminal,
  );
}
