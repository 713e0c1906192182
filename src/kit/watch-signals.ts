// Waits for the signal that ends the process. A second one, sent by somebody who does not want to wait, ends it
// at once; one that follows within a second is the same key press, passed on by npm or a shell as well.

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const SAME_PRESS_MS = 1_000;

export interface SignalWatch {
  /** Resolves with the name of the first signal. */
  readonly received: Promise<string>;
  close(): void;
}

export function watchSignals(onSecond: () => void): SignalWatch {
  let firstAtMs: number | null = null;
  let resolve: (name: string) => void = () => {};
  const received = new Promise<string>((done) => {
    resolve = done;
  });
  const listener = (name: string): void => {
    const nowMs = performance.now();
    if (firstAtMs === null) {
      firstAtMs = nowMs;
      resolve(name);
    } else if (nowMs - firstAtMs >= SAME_PRESS_MS) {
      onSecond();
    }
  };
  for (const name of SIGNALS) process.on(name, listener);
  return {
    received,
    close() {
      for (const name of SIGNALS) process.off(name, listener);
    },
  };
}
