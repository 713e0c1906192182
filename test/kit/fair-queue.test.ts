import { expect, test } from 'vitest';
import { FairQueue } from '../../src/kit/fair-queue.ts';

/** Work that ends when it is let go, and the order in which work began. */
function bench(limits: { total: number; perKey: number }) {
  const queue = new FairQueue(limits);
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const never = new AbortController().signal;
  const run = (key: string, name: string, signal: AbortSignal = never) =>
    queue.run(key, signal, () => {
      begun.push(name);
      return new Promise<string>((resolve) => ends.push(() => resolve(name)));
    });
  /** Ends what began first. */
  const endOne = async () => {
    ends.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { begun, run, endOne };
}

test('one key leaves places to others, however much it wants', async () => {
  const { begun, run } = bench({ total: 4, perKey: 2 });
  for (const name of ['a1', 'a2', 'a3', 'a4']) void run('a', name);
  void run('b', 'b1');
  await new Promise((resolve) => setImmediate(resolve));
  expect(begun).toEqual(['a1', 'a2', 'b1']);
});

test('those that wait take turns', async () => {
  const { begun, run, endOne } = bench({ total: 1, perKey: 1 });
  for (const name of ['a1', 'a2', 'a3']) void run('a', name);
  for (const name of ['b1', 'b2']) void run('b', name);
  for (let count = 0; count < 5; count++) await endOne();
  expect(begun).toEqual(['a1', 'a2', 'b1', 'a3', 'b2']);
});

test('what waits is not begun when nobody wants it any more, and keeps no place', async () => {
  const { begun, run, endOne } = bench({ total: 1, perKey: 1 });
  void run('a', 'a1');
  const gone = new AbortController();
  const waiting = run('a', 'a2', gone.signal);
  const last = run('a', 'a3');
  gone.abort(new Error('gone'));
  await expect(waiting).rejects.toThrow('gone');
  await endOne();
  await endOne();
  expect(await last).toBe('a3');
  expect(begun).toEqual(['a1', 'a3']);
});
