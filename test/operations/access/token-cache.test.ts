import { describe, expect, it } from 'vitest';
import type { Caller } from '../../../src/domain/access/caller.ts';
import { createLastUseRecorder, type LastUse } from '../../../src/operations/access/last-use-recorder.ts';
import { createTokenCache, type TokenHolder } from '../../../src/operations/access/token-cache.ts';
import { hashTokenSecret, isTokenSecret, newTokenSecret } from '../../../src/operations/access/token-secret.ts';

const caller: Caller = {
  user_id: 1,
  via: { kind: 'token', token_id: 2 },
  entity_id: 3,
  entity_slug: 'local',
  role: 'admin',
  is_super_admin: false,
};

function cacheOver(known: Map<string, TokenHolder>) {
  const state = { nowMs: 1_000_000, queries: 0, fails: false, setBackMs: 0 };
  const cache = createTokenCache(
    async (hash) => {
      state.queries++;
      if (state.fails) throw new Error('no database');
      return known.get(hash) ?? null;
    },
    { nowMs: () => state.nowMs, elapsedMs: () => state.nowMs + state.setBackMs },
    { foundMs: 5_000, refusedMs: 1_000, entries: 3 },
  );
  return { cache, state };
}

describe('token cache', () => {
  it('asks once for many requests, and again after five seconds', async () => {
    const { cache, state } = cacheOver(new Map([['a', { caller, expiresAtMs: null }]]));
    expect(await Promise.all([cache.find('a'), cache.find('a'), cache.find('a')])).toEqual([caller, caller, caller]);
    expect(state.queries).toBe(1);
    state.nowMs += 4_999;
    await cache.find('a');
    expect(state.queries).toBe(1);
    state.nowMs += 1;
    await cache.find('a');
    expect(state.queries).toBe(2);
  });

  it('forgets after five seconds also when the wall clock goes back', async () => {
    const known = new Map<string, TokenHolder>([['a', { caller, expiresAtMs: null }]]);
    const { cache, state } = cacheOver(known);
    expect(await cache.find('a')).toEqual(caller);
    known.delete('a');
    state.nowMs -= 3_600_000;
    state.setBackMs = 3_600_000 + 5_000;
    expect(await cache.find('a')).toBeNull();
  });

  it('notices a revocation at once when told, and within five seconds when not', async () => {
    const known = new Map<string, TokenHolder>([
      ['a', { caller, expiresAtMs: null }],
      ['b', { caller, expiresAtMs: null }],
    ]);
    const { cache, state } = cacheOver(known);
    await cache.find('a');
    await cache.find('b');
    known.clear();
    cache.forget('a');
    expect(await cache.find('a')).toBeNull();
    expect(await cache.find('b')).toEqual(caller);
    state.nowMs += 5_000;
    expect(await cache.find('b')).toBeNull();
  });

  it('accepts a token that was refused before after one second', async () => {
    const known = new Map<string, TokenHolder>();
    const { cache, state } = cacheOver(known);
    expect(await cache.find('a')).toBeNull();
    known.set('a', { caller, expiresAtMs: null });
    state.nowMs += 1_000;
    expect(await cache.find('a')).toEqual(caller);
  });

  it('refuses a token from the moment it expires, although it is remembered', async () => {
    const { cache, state } = cacheOver(new Map([['a', { caller, expiresAtMs: 1_002_000 }]]));
    expect(await cache.find('a')).toEqual(caller);
    state.nowMs = 1_002_000;
    expect(await cache.find('a')).toBeNull();
  });

  it('does not remember a failed query', async () => {
    const { cache, state } = cacheOver(new Map([['a', { caller, expiresAtMs: null }]]));
    state.fails = true;
    await expect(cache.find('a')).rejects.toThrow('no database');
    state.fails = false;
    expect(await cache.find('a')).toEqual(caller);
  });

  it('stays within its size', async () => {
    const { cache, state } = cacheOver(new Map());
    for (const hash of ['a', 'b', 'c', 'd']) await cache.find(hash);
    expect(state.queries).toBe(4);
    await cache.find('d');
    expect(state.queries).toBe(4);
    await cache.find('a');
    expect(state.queries).toBe(5);
  });
});

describe('last use', () => {
  it('is written once for many uses, with the latest time', async () => {
    const written: (readonly LastUse[])[] = [];
    let nowMs = 1_000;
    const recorder = createLastUseRecorder(async (uses) => void written.push(uses), {
      nowMs: () => nowMs,
      onError: () => {},
    });
    recorder.note(7);
    nowMs = 2_000;
    recorder.note(7);
    recorder.note(8);
    await recorder.flush();
    await recorder.close();
    expect(written).toEqual([
      [
        { id: 7, used_at: new Date(2_000) },
        { id: 8, used_at: new Date(2_000) },
      ],
    ]);
  });

  it('survives a failed write and is written the next time', async () => {
    const written: (readonly LastUse[])[] = [];
    const errors: unknown[] = [];
    let fails = true;
    const recorder = createLastUseRecorder(
      async (uses) => {
        if (fails) throw new Error('no database');
        written.push(uses);
      },
      { nowMs: () => 5, onError: (error) => errors.push(error) },
    );
    recorder.note(1);
    await recorder.flush();
    expect(errors).toHaveLength(1);
    fails = false;
    await recorder.close();
    expect(written).toEqual([[{ id: 1, used_at: new Date(5) }]]);
  });
});

describe('token secret', () => {
  it('is 256 random bits behind a recognisable prefix', () => {
    const secrets = Array.from({ length: 100 }, newTokenSecret);
    expect(new Set(secrets).size).toBe(100);
    expect(secrets.every(isTokenSecret)).toBe(true);
    expect(Buffer.from(secrets[0]!.slice('strata_'.length), 'base64url')).toHaveLength(32);
    expect(hashTokenSecret(secrets[0]!)).toHaveLength(32);
  });

  it.each(['', 'strata_', 'strata_short', `other_${'a'.repeat(43)}`])('%j is no token', (text) => {
    expect(isTokenSecret(text)).toBe(false);
  });
});
