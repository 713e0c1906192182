import { expect, test } from 'vitest';
import { createByteLru } from '../../src/kit/byte-lru.ts';

test('the entry used longest ago leaves first, and the budget is kept', () => {
  const cache = createByteLru<number>(100);
  for (const n of [1, 2, 3, 4]) cache.set(`k${n}`, n, 25);
  expect(cache.get('k1')).toBe(1);
  cache.set('k5', 5, 25);
  expect([cache.get('k1'), cache.get('k2'), cache.get('k5'), cache.bytes]).toEqual([1, undefined, 5, 100]);
});

test('an entry over a quarter of the budget is not kept and evicts nothing', () => {
  const cache = createByteLru<string>(100);
  cache.set('small', 'x', 10);
  cache.set('large', 'y', 26);
  expect([cache.get('small'), cache.get('large'), cache.size]).toEqual(['x', undefined, 1]);
});

test('an entry set again replaces the old one and its cost', () => {
  const cache = createByteLru<string>(100);
  cache.set('a', 'x', 20);
  cache.set('a', 'y', 10);
  expect([cache.get('a'), cache.bytes]).toEqual(['y', 10]);
  cache.clear();
  expect([cache.get('a'), cache.bytes]).toEqual([undefined, 0]);
});
