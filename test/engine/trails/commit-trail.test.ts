// What is read of a trail for one of its files is what was written of that file and of the commit.
import { describe, expect, test } from 'vitest';
import type { FileRecord } from '../../../src/engine/model/commit-record.ts';
import { ByteReader, ByteWriter } from '../../../src/engine/trails/byte-writer.ts';
import { type CommitTrail, readTrail, writeTrail } from '../../../src/engine/trails/commit-trail.ts';

const PATHS = ['a.txt', 'b.txt', 'c.txt'];

const fileAt = (path: string, hunkStart: number, hunkEnd: number): FileRecord => ({
  status: 'modified',
  oldPath: path,
  newPath: path,
  similarity: 100,
  limited: null,
  isFollowed: true,
  added: 0,
  removed: 0,
  isUnread: false,
  hunkStart,
  hunkEnd,
});

const TRAIL: CommitTrail = {
  files: [fileAt('a.txt', 0, 4), fileAt('b.txt', 4, 12)],
  routes: [],
  // The last of them is at no even distance.
  hunks: Int32Array.of(2, 1, 2, 3, 0, 0, 0, 2, 5, 1, 9, 1),
  carried: new Map(),
  share: 0,
  isIgnored: false,
  parents: 1,
};

const carriedOf = (file: number) => new Map([[file, { places: [2, 2, 7], paths: ['c.txt'] }]]);

function readAsked(trail: CommitTrail, ...asked: string[]): ReturnType<typeof readTrail> {
  const bytes = new ByteWriter();
  writeTrail(bytes, trail, { numberOf: (path) => PATHS.indexOf(path) });
  const query = { parents: trail.parents, paths: new Set(asked), ofAllFiles: false };
  return readTrail(new ByteReader(bytes.view()), PATHS, query);
}

describe('of two files', () => {
  test('the first', () => {
    expect(readAsked(TRAIL, 'a.txt')).toEqual({ ...TRAIL, files: [TRAIL.files[0]], hunks: Int32Array.of(2, 1, 2, 3) });
  });

  test('the second', () => {
    const hunks = TRAIL.hunks.slice(4);
    expect(readAsked(TRAIL, 'b.txt')).toEqual({ ...TRAIL, files: [fileAt('b.txt', 0, 8)], hunks });
  });

  test('both, and none', () => {
    expect(readAsked(TRAIL, 'b.txt', 'a.txt')).toEqual(TRAIL);
    expect(readAsked(TRAIL, 'c.txt')).toBe('untouched');
  });

  test('the first, where the share of an AI tool stands behind the hunks of the other', () => {
    expect(readAsked({ ...TRAIL, share: 700 }, 'a.txt')).toMatchObject({
      share: 700,
      hunks: Int32Array.of(2, 1, 2, 3),
    });
  });

  test('the first, where what it moved stands there', () => {
    expect(readAsked({ ...TRAIL, carried: carriedOf(0) }, 'a.txt')).toMatchObject({ carried: carriedOf(0) });
    expect(readAsked({ ...TRAIL, carried: carriedOf(1) }, 'a.txt')).toMatchObject({ carried: new Map() });
  });
});

test('of a merge the routes of one path, whichever comes first', () => {
  const partOf = (parent: number, path: string, hunkStart: number, hunkEnd: number) => ({
    parent,
    path,
    hunkStart,
    hunkEnd,
  });
  const routes = [
    { path: 'a.txt', parts: [partOf(0, 'a.txt', 0, 4), partOf(1, 'a.txt', 4, 12)] },
    { path: 'b.txt', parts: [partOf(1, 'c.txt', -1, -1)] },
    { path: 'c.txt', parts: [partOf(1, 'b.txt', 12, 16)] },
  ];
  const merge = {
    ...TRAIL,
    files: [],
    routes,
    hunks: Int32Array.of(...TRAIL.hunks, 6, 1, 6, 1),
    parents: 2,
    share: 250,
  };
  const base = { ...merge, routes: [], hunks: new Int32Array() };
  expect(readAsked(merge, 'a.txt')).toEqual({ ...base, routes: [routes[0]], hunks: TRAIL.hunks });
  expect(readAsked(merge, 'b.txt')).toEqual({ ...base, routes: [routes[1]] });
  const shifted = { path: 'c.txt', parts: [partOf(1, 'b.txt', 0, 4)] };
  expect(readAsked(merge, 'c.txt')).toEqual({ ...base, routes: [shifted], hunks: Int32Array.of(6, 1, 6, 1) });
  expect(readAsked(merge, 'd.txt')).toBe('untouched');
});
