// A progress bar on standard error, only when that is a terminal. Redrawn ten times a second at most, over what stood there:
// spaces instead of escape sequences, which not every terminal obeys.
import type { WriteStream } from 'node:tty';

export interface ProgressBar {
  show(done: number, total: number): void;
  close(): void;
}

const WIDTH = 30;
const REDRAW_MS = 100;

export function createProgressBar(stream: Pick<WriteStream, 'isTTY' | 'write'>): ProgressBar {
  if (stream.isTTY !== true) return { show() {}, close() {} };
  let drawnAt = 0;
  let drawn = '';
  return {
    show(done, total) {
      const now = performance.now();
      if (now - drawnAt < REDRAW_MS) return;
      drawnAt = now;
      const filled = total === 0 ? 0 : Math.round((WIDTH * done) / total);
      const words = total === 0 ? 'getting ready' : `${done} of ${total} commits`;
      const line = `${'█'.repeat(filled)}${'░'.repeat(WIDTH - filled)} ${words}`;
      stream.write(`\r${line.padEnd(drawn.length)}`);
      drawn = line;
    },
    close() {
      if (drawn !== '') stream.write(`\r${' '.repeat(drawn.length)}\r`);
    },
  };
}
