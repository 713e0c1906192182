// Lines that an analysis writes into a file while it goes on. Where the end of the analysis decides what a line says, the
// lines wait in a file of their own until then.
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
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
  const folder = await mkdtemp(join(tmpdir(), 'strata-lines-'));
  const waiting = join(folder, 'lines');
  const draft = createWriteStream(waiting);
  return [
    {
      write: (event) => writeLines(draft, lines(event)),
      async close() {
        try {
          await endOf(draft);
          const finished = finish();
          let rest = '';
          for await (const text of createReadStream(waiting, 'utf8')) {
            const whole = (rest + text).split('\n');
            rest = whole.pop() ?? '';
            await writeLines(target, whole.map(finished));
          }
          await endOf(target);
        } finally {
          await rm(folder, { recursive: true });
        }
      },
    },
  ];
}

async function openFile(flag: string, file: string): Promise<Writable> {
  const stream = createWriteStream(file);
  // Whatever goes wrong is said by whoever writes next.
  stream.on('error', () => undefined);
  await once(stream, 'open').catch((error: Error) => {
    throw invalidOption(flag, file, `a file that can be written (${error.message})`);
  });
  return stream;
}

async function writeLines(stream: Writable, lines: Iterable<string>): Promise<void> {
  let text = '';
  for (const line of lines) text += `${line}\n`;
  if (text !== '' && stream.errored === null && !stream.write(text)) await until(stream, 'drain');
  checkWritten(stream);
}

async function endOf(stream: Writable): Promise<void> {
  if (stream.errored === null) stream.end();
  if (!stream.closed) await until(stream, 'close');
  checkWritten(stream);
}

/** Or until it has failed. */
const until = (stream: Writable, event: 'drain' | 'close'): Promise<unknown> => once(stream, event).catch(() => null);

/** Whoever reads it may stop early, as head does; on a full disk lines are lost. */
function checkWritten({ errored }: Writable): void {
  if (errored !== null && 'code' in errored && errored.code === 'EPIPE') return;
  if (errored !== null) throw new Error(`the output cannot be written (${errored.message})`);
}
