import { expect, test } from 'vitest';
import { PathLists, PathNumbers } from '../../../src/engine/model/path-numbers.ts';

test('paths are sent once, and lists that were received stay good when the numbers begin anew', () => {
  const numbers = new PathNumbers();
  const lists = new PathLists();
  const send = (paths: readonly string[]) => {
    numbers.begin();
    const sent = paths.map((path) => numbers.numberOf(path));
    const fresh = numbers.take();
    const list = lists.receive(fresh);
    return { fresh, read: () => sent.map((number) => list[number]) };
  };
  const many = Array.from({ length: 100_000 }, (_, i) => `path/${i}`);
  const first = send(['a', 'b', 'a']);
  const second = send(['b', 'c']);
  const third = send(many);
  const anew = send(['c', 'a']);
  expect(first.fresh).toEqual({ paths: ['a', 'b'], beginsAnew: false });
  expect(second.fresh).toEqual({ paths: ['c'], beginsAnew: false });
  expect(third.fresh.beginsAnew).toBe(false);
  expect(anew.fresh).toEqual({ paths: ['c', 'a'], beginsAnew: true });
  expect([first, second, anew].map(({ read }) => read())).toEqual([
    ['a', 'b', 'a'],
    ['b', 'c'],
    ['c', 'a'],
  ]);
  expect(third.read()).toEqual(many);
});
