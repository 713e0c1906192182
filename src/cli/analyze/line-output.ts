// Lines that an analysis writes into a file while it goes on. Where the end of the analysis decides what a line says, the
// lines wait in a file of their own until then.
import { once } from 'node:events';
import { createReadStream, createWriteStream, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { AnalysisEvent } from '../../engine/model/events.ts';
import { invalidOption } from '../invalid-option.ts';

export interface LineOutput {
  write(event: AnalysisEvent): Promise<void>;
  close(): Promise<void>;
}

type LineWriter = (event: AnalysisEvent) => Iterable<string>;

/** Opens the file that a flag names; none without one. What `finish` returns is given each line when all are there. */
export async function openLines(
  flag: string,
  file: string | undefined,
  lines: LineWriter,
  finish?: () => (line: string) => string,
): Promise<LineOutput[]> {
  if (file === undefined) return [];
  const target = await openFile(flag, file);
  if (finish === undefined) {
    return [
      {
        write: (event) => writeLines(target, lines(event)),
        close: () => endOf(target),
      },
    ];
  }
  const fd = openNameless();
  const draft = createWriteStream('', { fd, autoClose: false });
  leaveErrorsToWriters(draft);
  return [
    {
      write: (event) => writeLines(draft, lines(event)),
      async close() {
        await endOf(draft);
        const complete = finish();
        let rest = '';
        for await (const text of createReadStream('', { fd, start: 0, encoding: 'utf8' })) {
          const drafted = (rest + text).split('\n');
          rest = drafted.pop() ?? '';
          await writeLines(target, drafted.map(complete));
        }
        await endOf(target);
      },
    },
  ];
}

/** However the analysis ends, nothing of the file is left: it has lost its name before anything is written. */
function openNameless(): number {
  const folder = mkdtempSync(join(tmpdir(), 'strata-lines-'));
  const fd = openSync(join(folder, 'lines'), 'w+');
  rmSync(folder, { recursive: true });
  return fd;
}

async function openFile(flag: string, file: string): Promise<Writable> {
  const stream = createWriteStream(file);
  leaveErrorsToWriters(stream);
  await once(stream, 'open').catch((error: Error) => {
    throw invalidOption(flag, file, `a file that can be written (${error.message})`);
  });
  return stream;
}

/** Whatever goes wrong is said by whoever writes next. */
const leaveErrorsToWriters = (stream: Writable): void => void stream.on('error', () => undefined);

async function writeLines(stream: Writable, lines: Iterable<string>): Promise<void> {
  let text = '';
  for (const line of lines) text += `${line}\n`;
  if (text !== '' && stream.errored === null && !stream.write(text)) await orFailure(once(stream, 'drain'));
  checkWritten(stream);
}

async function endOf(stream: Writable): Promise<void> {
  if (stream.errored === null) stream.end();
  await orFailure(finished(stream));
  checkWritten(stream);
}

const orFailure = (done: Promise<unknown>): Promise<unknown> => done.catch(() => null);

/** Whoever reads it may stop early, as head does; on a full disk lines are lost. */
function checkWritten({ errored }: Writable): void {
  if (errored !== null && 'code' in errored && errored.code === 'EPIPE') return;
  if (errored !== null) throw new Error(`the output cannot be written (${errored.message})`);
}
