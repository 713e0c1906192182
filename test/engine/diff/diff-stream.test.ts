// The parser of git's diff: the same bytes in any chunks give the same commits, and bytes that no git ever
// printed give an error or a result, never a hang.
import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { DiffStreamParser } from '../../../src/engine/diff/diff-stream.ts';
import { DIFF_STREAM_FLAGS, type DiffLimits, DiffStreamError } from '../../../src/engine/diff/streamed-commit.ts';
import { personAndStamp } from '../../../src/engine/git/commit-head.ts';
import { pathBytes, pathText } from '../../../src/engine/git/quoted-path.ts';
import { goldenRepo, isolatedGitEnvironment, symlink } from '../../world/golden-repo.ts';
import { createRandom, randomHistory } from '../../world/random-history.ts';

function printed(repo: { readonly path: string }): Buffer {
  const git = (args: readonly string[], input = '') =>
    spawnSync('git', ['-C', repo.path, '-c', 'core.quotePath=false', ...args], {
      env: isolatedGitEnvironment(),
      input,
      maxBuffer: 1 << 28,
    }).stdout;
  const commits = git(['rev-list', '--branches', '--no-merges']).toString();
  return git([...DIFF_STREAM_FLAGS, '--stdin', '-M'], commits);
}

/** Everything that was delivered, as text; the slices are copied while they are valid. */
function parse(bytes: Uint8Array, sizes: () => number, limits?: DiffLimits): string {
  const out: unknown[] = [];
  const parser = new DiffStreamParser((commit) => {
    const files = commit.files.map(({ hunks, removed, added, ...file }) => ({
      ...file,
      hunks: [...hunks],
      lines: [removed, added].map(({ count, bytes: from, starts, ends }) => [
        count,
        ...Array.from(starts, (start, i) => Buffer.from(from.subarray(start, ends[i])).toString('latin1')),
      ]),
    }));
    out.push({ ...commit, files });
  }, limits);
  for (let at = 0; at < bytes.length; ) {
    const size = Math.max(1, sizes());
    parser.push(bytes.subarray(at, at + size));
    at += size;
  }
  parser.end();
  return JSON.stringify(out);
}

const all = () => Number.MAX_SAFE_INTEGER;
const odd = goldenRepo()
  .commit('one', {
    files: { 'a "b" c': 'one\r\ntwo', 'tab\tname': '--- a/x\n+++ b/x\n@@ -1 +1 @@\n', link: symlink('a') },
  })
  .commit('two', {
    files: { 'a "b" c': '-- two\n++ three\n', link: 'now a file\n', nul: 'a\0b\n' },
    delete: ['tab\tname'],
  })
  .commit('three', { message: 'diff --git a/x b/x\n\ncommit 0\n', files: { long: `${'x'.repeat(5000)}\nshort\n` } })
  .build();
const inputs = [
  ['a repository of oddities', printed(odd)],
  ['a random history', printed(randomHistory(21))],
] as const;
const limits = { commitBytes: 4000, lineBytes: 1000 };

describe.each(inputs)('%s', (_, bytes) => {
  test.each([1, 2, 3, 7, 64, 4096])('reads the same in chunks of %i bytes', (size) => {
    expect(parse(bytes, () => size)).toBe(parse(bytes, all));
    expect(parse(bytes, () => size, limits)).toBe(parse(bytes, all, limits));
  });

  test('gives an error or a result for mutated bytes', () => {
    const random = createRandom(5);
    let errors = 0;
    for (let round = 0; round < 300; round++) {
      const mutated = Buffer.from(bytes);
      for (let times = 1 + random(4); times > 0; times--) mutated[random(mutated.length)] = random(256);
      try {
        parse(mutated.subarray(0, mutated.length - random(40)), () => 1 + random(5000));
      } catch (error) {
        errors++;
        expect(error).toBeInstanceOf(DiffStreamError);
      }
    }
    expect(errors).toBeGreaterThan(0);
  });
});

test('random bytes give an error or nothing', () => {
  const random = createRandom(6);
  for (let round = 0; round < 200; round++) {
    const bytes = Buffer.from(Array.from({ length: random(400) }, () => random(256)));
    try {
      parse(bytes, () => 1 + random(50));
    } catch (error) {
      expect(error).toBeInstanceOf(DiffStreamError);
    }
  }
});

test('a path survives its text form', () => {
  for (const path of ['plain', 'ünï', '"quoted"', 'a\nb', '\\', 'bad \xff']) {
    const bytes = path.includes('\xff') ? Buffer.from(path, 'latin1') : Buffer.from(path);
    expect(pathBytes(pathText(bytes)).equals(bytes), path).toBe(true);
  }
});

test.each([
  ['Ada <ada@x.org> 12 +0130', 'Ada', 'ada@x.org', 12, 90],
  ['<ada@x.org> 12 -0800', '', 'ada@x.org', 12, -480],
  ['Ada <a> b@x.org> 12 +0000', 'Ada', 'a', 12, 0],
  ['nonsense', 'nonsense', '', 0, 0],
  ['Ada <ada@x.org> -5 +9999', 'Ada', 'ada@x.org', 0, 0],
])('%s', (text, name, email, at, zone) => {
  expect(personAndStamp(text)).toEqual({ person: { name, email }, stamp: { at, zone } });
});

test.each([
  ['patches', 'diff --git a/f b/f\nnew file mode 100644\n'],
  ['lists', `:000000 100644 ${'0'.repeat(40)} ${'c'.repeat(40)} A\tf\n`],
])('a commit with more files than can be held is given up (%s)', (_, line) => {
  const parser = new DiffStreamParser(() => {}, undefined, Number.POSITIVE_INFINITY);
  parser.push(Buffer.from(`commit ${'a'.repeat(40)}\ntree ${'b'.repeat(40)}\n\n`));
  const files = Buffer.from(line.repeat(1000));
  const pushAll = () => {
    for (let i = 0; i < 2000; i++) parser.push(files);
  };
  expect(pushAll).toThrow(expect.objectContaining({ reason: 'too_many_files' }));
});
