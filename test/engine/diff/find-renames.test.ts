// Renames found in process against those that git finds: random commits that add and delete files which are equal,
// alike, of the same name or empty, and links and submodules, packed, each whole diff compared with the one that git prints.
import { createHash } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import { countSpans, EQUAL_SCORE, rateLikeness } from '../../../src/engine/compare/span-counts.ts';
import { Kernel } from '../../../src/engine/diff/kernel.ts';
import { LikenessMeter } from '../../../src/engine/diff/likeness-meter.ts';
import { DIFF_STREAM_FLAGS } from '../../../src/engine/diff/streamed-commit.ts';
import { BlobStore } from '../../../src/engine/objects/blob-store.ts';
import { loadPackIndexes } from '../../../src/engine/objects/pack-index.ts';
import { compareAll, IS_LAST_SPAN_COUNTED, RING_BYTES, streamCommits } from '../../oracles/diff.ts';
import { type Content, executable, type GoldenRepo, goldenRepo, submodule, symlink } from '../../world/golden-repo.ts';
import { createRandom } from '../../world/random-history.ts';

const KNOWN_SEEDS = [1, 2, 3];
const RANDOM_SEEDS = Array.from({ length: 3 }, () => Math.floor(Math.random() * 2 ** 31));
const COMMITS = 120;

const repos: GoldenRepo[] = [];
afterAll(() => {
  for (const repo of repos) repo.cleanup();
});

function packed(repo: GoldenRepo): GoldenRepo {
  repos.push(repo);
  repo.git('repack', '-q', '-adf', '--depth=20');
  return repo;
}

type Random = (below: number) => number;
const pick = <T>(random: Random, items: readonly T[]): T => items[random(items.length)]!;

/** Lines of equal length, so that files are often equally alike; a few long ones, which are several spans. */
const line = (random: Random): string =>
  random(12) === 0 ? `long ${random(9)} ${'x'.repeat(random(140))}` : `word ${100 + random(60)}`;

const NAMES = ['a.txt', 'b.txt', 'index.js', 'readme.md', 'café.txt', 'with space'];
const FOLDERS = ['', 'x/', 'x/y/', 'lib/', 'lib/deep/er/'];

function newText(random: Random): string {
  const kind = random(20);
  if (kind === 0) return '';
  if (kind === 1) return `${'no line feed '.repeat(random(20))}`;
  const eol = random(6) === 0 ? '\r\n' : '\n';
  const lines = Array.from({ length: 2 + random(14) }, () => line(random));
  return lines.join(eol) + (random(4) === 0 ? '' : eol) + (random(20) === 0 ? '\0\n' : '');
}

/** Some lines replaced, moved, added or cut; or just other line ends. */
function edited(random: Random, text: string): string {
  if (random(12) === 0) return text.includes('\r') ? text.replaceAll('\r\n', '\n') : text.replaceAll('\n', '\r\n');
  if (random(12) === 0) return text.endsWith('\n') ? text.slice(0, -1) : `${text}\n`;
  const lines = text.split('\n');
  for (let times = 1 + random(1 + lines.length / 2); times > 0; times--) {
    const at = random(lines.length);
    const kind = random(5);
    if (kind === 0) lines.splice(at, 0, line(random));
    else if (kind === 1) lines.splice(at, 1);
    else if (kind === 2) lines.push(...lines.splice(at, 1));
    else lines[at] = line(random);
  }
  return lines.join('\n');
}

type Kind = 'file' | 'link' | 'submodule';
interface Made {
  readonly kind: Kind;
  readonly text: string;
}

function content(random: Random, { kind, text }: Made): Content {
  if (kind === 'link') return symlink(text);
  if (kind === 'submodule') return submodule(createHash('sha1').update(text.slice(0, 6)).digest('hex'));
  return random(8) === 0 ? executable(text) : text;
}

/** Each commit takes files away and puts others in their place that were made of them, or of nothing. */
function randomRenames(seed: number): GoldenRepo {
  const random = createRandom(seed);
  const files = new Map<string, Made>();
  let builder = goldenRepo();
  const newPath = (): string => {
    for (;;) {
      const name = random(2) === 0 ? pick(random, NAMES) : `${random(50)}-${pick(random, NAMES)}`;
      const path = pick(random, FOLDERS) + name;
      if (!files.has(path)) return path;
    }
  };
  const newKind = (): Kind => (random(16) === 0 ? pick(random, ['link', 'submodule']) : 'file');
  for (let n = 0; n < COMMITS; n++) {
    const changed = new Map<string, Content>();
    const put = (path: string, made: Made): void => {
      files.set(path, made);
      changed.set(path, content(random, made));
    };
    const deleted = [...files.keys()].filter(() => random(3) === 0);
    const taken = deleted.map((path) => ({ name: path.slice(path.lastIndexOf('/') + 1), ...files.get(path)! }));
    const kept = [...files].filter(([path]) => !deleted.includes(path));
    if (kept.length > 0 && random(2) === 0) {
      const [path, { kind }] = pick(random, kept);
      put(path, { kind, text: newText(random) });
    }
    for (const path of deleted) files.delete(path);
    for (let times = random(1 + taken.length) + random(4); times > 0; times--) {
      const from = taken.length > 0 && random(5) > 0 ? pick(random, taken) : null;
      const beside = `${pick(random, FOLDERS)}${from?.name}`;
      const path = from !== null && random(2) === 0 && !files.has(beside) ? beside : newPath();
      if (deleted.includes(path)) continue;
      const text = from === null ? newText(random) : random(3) === 0 ? from.text : edited(random, from.text);
      put(path, { kind: random(3) > 0 ? (from?.kind ?? newKind()) : newKind(), text });
    }
    // Families of files that are all alike, to have many equally good sources.
    if (random(8) === 0) {
      const text = newText(random);
      for (let times = 2 + random(9); times > 0; times--) {
        const path = newPath();
        if (!deleted.includes(path))
          put(path, { kind: newKind(), text: random(3) === 0 ? text : edited(random, text) });
      }
    }
    builder = builder.commit(`${n}`, { files: [...changed], delete: deleted });
  }
  return packed(builder.build());
}

describe.each([...KNOWN_SEEDS, ...RANDOM_SEEDS])('random commits %i that add and delete files', (seed) => {
  const repo = randomRenames(seed);

  test('are mostly renames', () => {
    const statuses = [...streamCommits(repo, [...DIFF_STREAM_FLAGS, '--stdin', '-M'], ({ files }) => files)].flatMap(
      ([, files]) => files.map(({ status, similarity }) => (similarity < 100 ? 'edited' : status)),
    );
    for (const status of ['added', 'deleted', 'renamed', 'edited'])
      expect(statuses.filter((found) => found === status).length, status).toBeGreaterThan(30);
  });

  test.each([COMMITS, 7, 1])('give the diffs that git prints, %i at once', (atOnce) => {
    expect(compareAll(repo, { atOnce })).toEqual({ made: COMMITS, left: [] });
  });
});

/** All files of the first commit are deleted by the second one, which adds others. */
function replaced(before: Readonly<Record<string, string>>, after: readonly (readonly [string | Buffer, string])[]) {
  return packed(
    goldenRepo()
      .commit('before', { files: before })
      .commit('after', { delete: Object.keys(before), files: after })
      .build(),
  );
}

const many = (count: number, text: (i: number) => string): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`old/${1000 + i}.txt`, text(i)]));

test.each([204, 206])('of %i equal files git takes the first', (count) => {
  const repo = replaced(
    many(count, () => 'same\n'),
    [['new.txt', 'same\n']],
  );
  expect(compareAll(repo)).toEqual({ made: 2, left: [] });
});

test('of 205 equal files, of which git takes another one, the choice is left to git', () => {
  const repo = replaced(
    many(205, () => 'same\n'),
    [['new.txt', 'same\n']],
  );
  expect(repo.git('diff-tree', '-r', '-M', '--name-status', 'HEAD~', 'HEAD')).toContain('R100\told/1204.txt\tnew.txt');
  expect(compareAll(repo)).toEqual({ made: 1, left: [repo.sha('after')] });
});

test('an equal file of the same name is taken from the first hundred only', () => {
  for (const name of ['new/1099.txt', 'new/1100.txt']) {
    const repo = replaced(
      many(150, () => 'same\n'),
      [[name, 'same\n']],
    );
    expect(compareAll(repo)).toEqual({ made: 2, left: [] });
  }
});

test('a name that is no text leaves the commit to git', () => {
  const repo = replaced({ 'a.txt': 'one\ntwo\n' }, [[Buffer.from('b\xff.txt', 'latin1'), 'one\ntwo\n']]);
  expect(compareAll(repo)).toEqual({ made: 1, left: [repo.sha('after')] });
});

test('files that have more spans together than there is room for are not rated, until some are forgotten', () => {
  const text = (i: number): string => Array.from({ length: 90_000 }, (_, n) => `${i}${n}`).join('\n');
  const repo = goldenRepo()
    .commit('all', { files: many(20, text) })
    .build();
  repos.push(repo);
  repo.git('repack', '-q', '-ad', '--window=0');
  const blobs = repo.git('ls-tree', '-r', '--format=%(objectname)', 'HEAD').split('\n');
  const kernel = new Kernel(RING_BYTES);
  const store = new BlobStore(kernel, loadPackIndexes(repo.path));
  const meter = new LikenessMeter(kernel, store, IS_LAST_SPAN_COUNTED);
  const rate = (n: number) => meter.rate(blobs[0]!, blobs[n]!, 0);
  const alike = rate(1);
  expect(alike).toBeGreaterThan(0);
  expect(blobs.map((_, n) => rate(n)).slice(-1)).toEqual([null]);
  expect(rate(1)).toBe(alike);
  meter.forget();
  expect(rate(19)).toBeGreaterThan(0);
  expect(rate(1)).toBe(alike);
  store.close();
});

test('the kernel finds files as alike as the measure that is written in JavaScript', () => {
  const random = createRandom(5);
  const kernel = new Kernel(1 << 20);
  const { bytes, calls, ringAt } = kernel;
  for (const withLastSpan of [true, false]) {
    calls.forgetSpans();
    let end = 0;
    const counted = Array.from({ length: 40 }, () => {
      const content = Buffer.from(newText(random), 'latin1');
      content.copy(bytes, ringAt);
      const from = end;
      end = calls.countSpans(ringAt, content.length, withLastSpan ? 1 : 0);
      return { from, to: end, spans: countSpans(content, withLastSpan) };
    });
    for (const source of counted)
      for (const target of counted) {
        const larger = Math.max(source.spans.size, target.spans.size);
        const shared = calls.sharedBytes(source.from, source.to, target.from, target.to);
        const score = target.spans.size === 0 ? 0 : Math.floor((shared * EQUAL_SCORE) / larger);
        expect(score).toBe(rateLikeness(source.spans, target.spans, 0));
      }
  }
});

test('a file that turns into a link leaves the commit to git', () => {
  const repo = packed(
    goldenRepo()
      .commit('file', { files: { 'a.txt': 'b.txt', 'old.txt': 'one\n' } })
      .commit('link', { files: { 'a.txt': symlink('b.txt'), 'new.txt': 'one\n' }, delete: ['old.txt'] })
      .build(),
  );
  expect(compareAll(repo)).toEqual({ made: 1, left: [repo.sha('link')] });
});
