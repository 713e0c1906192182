// What a key opens can be asked without making one.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { RateLimiter } from '../../src/kit/door/rate-limiter.ts';
import {
  createLazySecretBox,
  createSecretBox,
  readKeyFile,
  readOrMakeKeyFile,
  SealedWithAnotherKey,
} from '../../src/kit/sealed-secret.ts';

const folder = mkdtempSync(join(tmpdir(), 'strata-key-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('nothing is known without a key, and asking makes none', () => {
  const file = join(folder, 'secret.key');
  const box = createLazySecretBox({ make: () => readOrMakeKeyFile(file), read: () => readKeyFile(file) });
  const foreign = createSecretBox(Buffer.alloc(32, 1)).seal('a token', 'of it');
  expect([box.opens(foreign, 'of it'), existsSync(file)]).toEqual([null, false]);
  const own = box.seal('a token', 'of it');
  expect(existsSync(file)).toBe(true);
  expect([box.opens(own, 'of it'), box.opens(own, 'of another'), box.opens(foreign, 'of it')]).toEqual([
    true,
    false,
    false,
  ]);
  expect(() => box.open(foreign, 'of it')).toThrow(SealedWithAnotherKey);
  const later = createLazySecretBox({ make: () => readOrMakeKeyFile(file), read: () => readKeyFile(file) });
  expect(later.opens(own, 'of it')).toBe(true);
});

test('a call is given back to the window in which it was counted, and to no later one', () => {
  const limiter = new RateLimiter(2, 1000);
  for (let call = 0; call < 5; call += 1) {
    expect(limiter.take('a', 100).isExceeded).toBe(false);
    limiter.giveBack('a', 100);
  }
  limiter.take('a', 900);
  expect(limiter.take('a', 1200).remaining).toBe(1);
  limiter.giveBack('a', 900);
  expect(limiter.peek('a', 1300).remaining).toBe(1);
});
