// Collects when tokens and sessions were last used and writes it in batches: a write per request would cost more
// than most requests do.

export interface LastUse {
  readonly id: number;
  readonly used_at: Date;
}

export interface LastUseRecorder {
  note(id: number): void;
  /** Writes what was collected; also done every `intervalMs`. */
  flush(): Promise<void>;
  /** Stops the timer and writes the rest. */
  close(): Promise<void>;
}

export function createLastUseRecorder(
  write: (uses: readonly LastUse[]) => Promise<void>,
  options: { nowMs: () => number; onError: (error: unknown) => void; intervalMs?: number },
): LastUseRecorder {
  const pending = new Map<number, number>();
  let writing: Promise<void> = Promise.resolve();

  const flush = (): Promise<void> => {
    writing = writing.then(async () => {
      if (pending.size === 0) return;
      const batch = [...pending];
      pending.clear();
      try {
        await write(batch.map(([id, atMs]) => ({ id, used_at: new Date(atMs) })));
      } catch (error) {
        // Kept for the next time, unless a later use has been noted meanwhile.
        for (const [id, atMs] of batch) if (!pending.has(id)) pending.set(id, atMs);
        options.onError(error);
      }
    });
    return writing;
  };

  const timer = setInterval(flush, options.intervalMs ?? 5_000);
  timer.unref();

  return {
    note: (id) => void pending.set(id, options.nowMs()),
    flush,
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}
