// Remembers for a few seconds whom a token belongs to, so that a busy client does not cost a query per
// request. Several requests that ask at once share one query.
import type { Caller } from '../../domain/access/caller.ts';

export interface TokenHolder {
  readonly caller: Caller;
  /** Milliseconds since 1970, or null for never. */
  readonly expiresAtMs: number | null;
}

export interface TokenCacheLimits {
  readonly foundMs: number;
  readonly refusedMs: number;
  readonly entries: number;
}

const LIMITS: TokenCacheLimits = { foundMs: 5_000, refusedMs: 1_000, entries: 10_000 };

interface Entry {
  readonly holder: Promise<TokenHolder | null>;
  validUntilMs: number;
  /** What was last known of the token, also when that is too old to be relied on. */
  wasFound: boolean;
}

export interface TokenCache {
  /** The caller of an unexpired token, or null. `hash` is the hash of its secret in hexadecimal. */
  find(hash: string): Promise<Caller | null>;
  /** Whether it was a token's when last asked for. */
  wasFound(hash: string): boolean;
  /** Makes the next `find` ask again: for this token, or for all. */
  forget(hash?: string): void;
}

export interface TokenCacheClocks {
  /** Of the wall: when tokens expire. */
  nowMs(): number;
  /** Never goes back: how long an entry holds, also when the wall clock is set. */
  elapsedMs(): number;
}

export function createTokenCache(
  load: (hash: string) => Promise<TokenHolder | null>,
  { nowMs, elapsedMs }: TokenCacheClocks,
  limits: TokenCacheLimits = LIMITS,
): TokenCache {
  const entries = new Map<string, Entry>();

  const request = (hash: string, wasFound: boolean): Entry => {
    const entry: Entry = { holder: load(hash), validUntilMs: elapsedMs() + limits.foundMs, wasFound };
    entry.holder.then(
      (holder) => {
        entry.wasFound = holder !== null;
        if (holder === null) entry.validUntilMs = Math.min(entry.validUntilMs, elapsedMs() + limits.refusedMs);
      },
      () => {
        // A failed query says nothing about the token, so the next request asks again.
        if (entries.get(hash) === entry) entries.delete(hash);
      },
    );
    return entry;
  };

  return {
    async find(hash) {
      let entry = entries.get(hash);
      if (entry === undefined || elapsedMs() >= entry.validUntilMs) {
        entry = request(hash, entry?.wasFound ?? false);
        entries.delete(hash);
        entries.set(hash, entry);
        // A Map keeps the order of insertion, so the first key is the oldest entry.
        if (entries.size > limits.entries) entries.delete(entries.keys().next().value!);
      }
      const holder = await entry.holder;
      if (holder === null || (holder.expiresAtMs !== null && nowMs() >= holder.expiresAtMs)) return null;
      return holder.caller;
    },
    wasFound: (hash) => entries.get(hash)?.wasFound ?? false,
    forget(hash) {
      if (hash === undefined) entries.clear();
      else entries.delete(hash);
    },
  };
}
