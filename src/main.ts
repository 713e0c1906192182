// argv → command; nothing else.
import type { Terminal } from './cli/program.ts';
import { readVersion, requestsVersion } from './cli/version.ts';
import { PACKAGE_FOLDER } from './kit/package-folder.ts';
import { harmless } from './kit/text/harmless.ts';

export async function main(argv: readonly string[]): Promise<void> {
  // Whoever reads the output may stop early, as head does: then nothing more is written.
  let isRead = true;
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    isRead = false;
  });
  const terminal: Terminal = {
    // Into a pipe too: what reads it may well print it.
    out: (line) => void (isRead && process.stdout.write(`${harmless(line)}\n`)),
    err: (line) => void process.stderr.write(`${harmless(line)}\n`),
  };
  if (requestsVersion(argv)) {
    terminal.out(readVersion(PACKAGE_FOLDER));
    return;
  }
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
