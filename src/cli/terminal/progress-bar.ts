// A progress bar on standard error, only when that is a terminal. Redrawn ten times a second at most, over what stood there:
// spaces instead of escape sequences, which not every terminal obeys.
import type { WriteStream } from 'node:tty';
import { widthOf } from './text.ts';

export interface ProgressBar {
  show(done: number, total: number): void;
  close(): void;
}

const WIDTH = 30;
/** A narrower bar says nothing. */
const LEAST_WIDTH = 8;
const REDRAW_MS = 100;

export function createProgressBar(
  stream: Pick<WriteStream, 'isTTY' | 'write'> & Partial<Pick<WriteStream, 'columns'>>,
): ProgressBar {
  if (stream.isTTY !== true) return { show() {}, close() {} };
  let drawnAt = 0;
  let drawn = '';
  return {
    show(done, total) {
      const now = performance.now();
      if (now - drawnAt < REDRAW_MS) return;
      drawnAt = now;
      const line = lineOf(done, total, widthOf(stream) - 1);
      stream.write(`\r${line.padEnd(drawn.length)}`);
      drawn = line;
    },
    close() {
      if (drawn !== '') stream.write(`\r${' '.repeat(drawn.length)}\r`);
    },
  };
}

/** In one row of the terminal: what has wrapped cannot be gone over. */
function lineOf(done: number, total: number, room: number): string {
  const words = total === 0 ? 'getting ready' : `${done} of ${total} commits`;
  const width = Math.min(WIDTH, room - words.length - 1);
  if (width < LEAST_WIDTH) return words.slice(0, room);
  const filled = total === 0 ? 0 : Math.round((width * done) / total);
  return `${'█'.repeat(filled)}${'░'.repeat(width - filled)} ${words}`;
}
