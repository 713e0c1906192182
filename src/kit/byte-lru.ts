// A least-recently-used cache bounded by bytes, not by entries. Values are costed by the caller, so a
// few large ones cannot push the process over its budget.

export interface ByteLru<V> {
  get(key: string): V | undefined;
  set(key: string, value: V, bytes: number): void;
  clear(): void;
  readonly bytes: number;
  readonly size: number;
}

/** An entry larger than a quarter of the budget is not kept: it would evict everything else. */
export function createByteLru<V>(budgetBytes: number): ByteLru<V> {
  const entries = new Map<string, { value: V; bytes: number }>();
  let total = 0;
  return {
    get(key) {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      entries.delete(key);
      entries.set(key, entry);
      return entry.value;
    },
    set(key, value, bytes) {
      const old = entries.get(key);
      if (old !== undefined) {
        total -= old.bytes;
        entries.delete(key);
      }
      if (bytes > budgetBytes / 4) return;
      entries.set(key, { value, bytes });
      total += bytes;
      for (const [oldestKey, oldest] of entries) {
        if (total <= budgetBytes) break;
        entries.delete(oldestKey);
        total -= oldest.bytes;
      }
    },
    clear() {
      entries.clear();
      total = 0;
    },
    get bytes() {
      return total;
    },
    get size() {
      return entries.size;
    },
  };
}
