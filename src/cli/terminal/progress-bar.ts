// A progress bar on standard error, only when that is a terminal. Redrawn ten times a second at most.
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
  return {
    show(done, total) {
      const now = performance.now();
      if (now - drawnAt < REDRAW_MS) return;
      drawnAt = now;
      const filled = total === 0 ? 0 : Math.round((WIDTH * done) / total);
      const words = total === 0 ? 'getting ready' : `${done} of ${total} commits`;
      stream.write(`\r\x1b[K${'█'.repeat(filled)}${'░'.repeat(WIDTH - filled)} ${words}`);
    },
    close() {
      if (drawnAt > 0) stream.write('\r\x1b[K');
    },
  };
}
