// Values that are kept for whoever wants them again.

/** Made at most so often: whoever wants it while it is being made, or shortly after, gets the same. */
export function remembered<T>(milliseconds: number, make: () => Promise<T>): () => Promise<T> {
  let last: { readonly value: Promise<T>; readonly until: number } | null = null;
  return () => {
    const now = performance.now();
    if (last !== null && now < last.until) return last.value;
    const fresh = { value: make(), until: Number.POSITIVE_INFINITY };
    last = fresh;
    const end = (): void => {
      fresh.until = performance.now() + milliseconds;
    };
    fresh.value.then(end, end);
    return fresh.value;
  };
}

/** What `work` gives, or `otherwise` when it fails or takes longer. */
export async function within<T, U>(milliseconds: number, work: Promise<T>, otherwise: U): Promise<T | U> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<U>((resolve) => {
    timer = setTimeout(() => resolve(otherwise), milliseconds);
  });
  try {
    return await Promise.race([work.catch(() => otherwise), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The same function, which makes the value of a key once: thousands of records name a few. */
export function memoize<K, V>(make: (key: K) => V): (key: K) => V {
  const known = new Map<K, V>();
  return (key) => {
    const value = known.get(key) ?? make(key);
    known.set(key, value);
    return value;
  };
}
