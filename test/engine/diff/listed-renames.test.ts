// Renames as they are listed against those of git's own patches: random commits that add and delete files which are equal,
// alike, of the same name or empty, and links and submodules, packed, each whole diff compared with the one that git prints.
import { createHash } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import { DIFF_STREAM_FLAGS } from '../../../src/engine/diff/streamed-commit.ts';
import { compareAll, streamCommits } from '../../oracles/diff.ts';
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

test.each([204, 205, 206])('of %i equal files the one is taken that git takes', (count) => {
  const repo = replaced(
    many(count, () => 'same\n'),
    [['new.txt', 'same\n']],
  );
  expect(compareAll(repo)).toEqual({ made: 2, left: [] });
});

test('names that are no text, that hold a tab or that begin with a quote are paired as git pairs them', () => {
  const repo = replaced({ 'a.txt': 'one\ntwo\n', 'tab\tname': 'three\nfour\n', '"quoted"': 'five\nsix\n' }, [
    [Buffer.from('b\xff.txt', 'latin1'), 'one\ntwo\n'],
    ['another\ttab', 'three\nfour\nfive\n'],
    ['plain', 'five\nsix\n'],
  ]);
  expect(compareAll(repo)).toEqual({ made: 2, left: [] });
});

test('a commit with more pairs of new and deleted files than git compares is left to git, which says so', () => {
  const text = (i: number): string => `${i}\nsome\nlines\n`;
  const before = many(1001, text);
  const after = Object.keys(before).map((path, i) => [path.replace('old/', 'new/other'), `${text(i)}more\n`] as const);
  const repo = replaced(before, after);
  expect(compareAll(repo)).toEqual({ made: 1, left: [repo.sha('after')] });
  const flags = [...DIFF_STREAM_FLAGS, '--stdin', '-M'];
  const limited = streamCommits(repo, flags, ({ files }) => files.filter(({ limited }) => limited !== null).length);
  expect(limited.get(repo.sha('after'))).toBe(1001);
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
