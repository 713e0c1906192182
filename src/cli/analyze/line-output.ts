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
        await endOf(draft);
        const finished = finish();
        let rest = '';
        for await (const text of createReadStream(waiting, 'utf8')) {
          const whole = (rest + text).split('\n');
          rest = whole.pop() ?? '';
          await writeLines(target, whole.map(finished));
        }
        await rm(folder, { recursive: true });
        await endOf(target);
      },
    },
  ];
}

async function openFile(flag: string, file: string): Promise<Writable> {
  const stream = createWriteStream(file);
  await once(stream, 'open').catch((error: Error) => {
    throw invalidOption(flag, file, `a file that can be written (${error.message})`);
  });
  return stream;
}

async function writeLines(stream: Writable, lines: Iterable<string>): Promise<void> {
  let text = '';
  for (const line of lines) text += `${line}\n`;
  if (text !== '' && !stream.write(text)) await once(stream, 'drain');
}

async function endOf(stream: Writable): Promise<void> {
  stream.end();
  await once(stream, 'close');
}
