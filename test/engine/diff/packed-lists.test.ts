// Lists of changes read from packs against those that git prints: whatever a tree may hold, the same list or none.
import { execFileSync } from 'node:child_process';
import { afterAll, describe, expect, test } from 'vitest';
import { DiffStreamParser } from '../../../src/engine/diff/diff-stream.ts';
import { DiffTreeProcess } from '../../../src/engine/diff/diff-tree-process.ts';
import { Kernel } from '../../../src/engine/diff/kernel.ts';
import { PackedLists } from '../../../src/engine/diff/packed-lists.ts';
import {
  COMBINED_CHANGES_FLAGS,
  RAW_CHANGES_FLAGS,
  readCombinedChanges,
  readRawChanges,
} from '../../../src/engine/diff/raw-changes.ts';
import { CHANGE_LIST_FLAGS, type StreamedCommit } from '../../../src/engine/diff/streamed-commit.ts';
import { openRepository } from '../../../src/engine/git/run-git.ts';
import { BlobStore } from '../../../src/engine/objects/blob-store.ts';
import { hasBlob } from '../../../src/engine/objects/object-kinds.ts';
import { loadPackIndexes } from '../../../src/engine/objects/pack-index.ts';
import { RING_BYTES } from '../../oracles/diff.ts';
import {
  type Content,
  executable,
  type GoldenRepo,
  goldenRepo,
  isolatedGitEnvironment,
  submodule,
  symlink,
} from '../../world/golden-repo.ts';
import { createRandom } from '../../world/random-history.ts';

/** The last commit of the fourth one has neither message nor files. */
const KNOWN_SEEDS = [1, 2, 3, 1952665761];
const RANDOM_SEEDS = Array.from({ length: 2 }, () => Math.floor(Math.random() * 2 ** 31));

const repos: GoldenRepo[] = [];
afterAll(() => {
  for (const repo of repos) repo.cleanup();
});

/** Names that sort next to one another, one as file and folder, odd bytes, names that git quotes. */
const NAMES = ['a', 'a.b', 'a-b', 'a0', 'A', 'ab', 'zz', 'b c', 'tab\there', '"q"', 'caf\u00e9', '\ufffd', 'n\nl'];
const MESSAGES = [
  'plain\n',
  '\n\n  \nblank lines first\n\n\nbetween\n \n',
  'spaces at the end  \t\r\n  before\nlast \r\n\n',
  'no line feed',
  '',
  '\n',
  Buffer.from('caf\xe9 in latin1\n', 'latin1'),
  'form\ffeed \v\n\f\n',
  'line\u2028separator \u2028\nnbsp\u00a0\n',
];

/** Two lines of work that change, remove and turn anything into anything else, and take each other's work. */
function wildHistory(seed: number): GoldenRepo {
  const random = createRandom(seed);
  const pick = <T>(items: readonly T[]): T => items[random(items.length)]!;
  const name = (): Buffer =>
    random(12) === 0 ? Buffer.from([0x66, 0xff, random(128) + 128]) : Buffer.from(pick(NAMES));
  const content = (): Content => {
    const text = `${random(4)}\n`;
    const kind = random(12);
    if (kind === 0) return executable(text);
    if (kind === 1) return symlink(text);
    return kind === 2 ? submodule(`${random(4) + 1}`.repeat(40)) : text;
  };
  /** By path as latin1 text. */
  type Tree = Map<string, Content>;
  const put = (tree: Tree, path: string): void => {
    // A file takes the place of a folder, and a folder that of a file.
    for (const known of [...tree.keys()])
      if (known.startsWith(`${path}/`) || path.startsWith(`${known}/`)) tree.delete(known);
    tree.set(path, content());
  };
  const change = (tree: Tree): Tree => {
    const changed = new Map(tree);
    for (let times = 1 + random(random(6) === 0 ? 12 : 3); times > 0; times--) {
      const isKnown = random(3) > 0 && changed.size > 0;
      const fresh = Array.from({ length: 1 + random(4) }, () => name().toString('latin1')).join('/');
      const path = isKnown ? pick([...changed.keys()]) : fresh;
      if (isKnown && random(4) === 0) changed.delete(path);
      else put(changed, path);
    }
    return changed;
  };
  const files = (tree: Tree) => [...tree].map(([path, each]) => [Buffer.from(path, 'latin1'), each] as const);
  const people = ['Ada <ada@x.org>', 'Ren\u00e9  \u5c0f <r@x>', '<nobody@x>', Buffer.from('Andr\xe9 <a@x>', 'latin1')];
  const builder = goldenRepo('main');
  const tips: { label: string; tree: Tree }[] = [];
  for (let n = 0; n < 120; n++) {
    const lane = tips.length < 2 ? tips.length : random(2);
    const [own, other] = [tips[lane], tips[1 - lane]];
    const isMerge = own !== undefined && other !== undefined && random(3) === 0;
    const mixed = new Map(isMerge ? [...own.tree].filter(() => random(4) > 0) : []);
    if (isMerge) for (const [path] of other.tree) if (random(2) === 0) put(mixed, path);
    if (isMerge) for (const [path, each] of other.tree) if (mixed.has(path) && random(2) === 0) mixed.set(path, each);
    const tree = isMerge ? (random(2) === 0 ? mixed : change(mixed)) : random(15) === 0 ? own?.tree : undefined;
    const made = tree ?? change(own?.tree ?? new Map());
    const parents = own === undefined ? [] : isMerge ? [own.label, other.label] : [own.label];
    builder.commit(`${n}`, {
      on: `lane${lane}`,
      parents,
      tree: files(made),
      message: pick(MESSAGES),
      author: pick(people),
      committer: pick(people),
      ...(random(15) === 0 ? { encoding: 'ISO-8859-1' } : {}),
    });
    tips[lane] = { label: `${n}`, tree: made };
  }
  const repo = builder.build();
  repos.push(repo);
  repo.git('repack', '-q', '-adf');
  return repo;
}

function openStore(repo: GoldenRepo) {
  const kernel = new Kernel(RING_BYTES);
  const store = new BlobStore(kernel, loadPackIndexes(repo.path));
  return { lists: new PackedLists(kernel, store), store };
}

const open = (repo: GoldenRepo): PackedLists => openStore(repo).lists;

/** Git does not say where files lie in packs. */
function withoutPlaces(commit: StreamedCommit | null): StreamedCommit | null {
  return commit && { ...commit, changes: commit.changes!.map(({ oldAt: _, newAt: __, ...change }) => change) };
}

function commitsOf(repo: GoldenRepo) {
  return repo
    .git('rev-list', '--all', '--parents')
    .split('\n')
    .map((row) => {
      const [sha = '', ...parents] = row.split(' ');
      return { sha, parents };
    });
}

async function listByGit(repo: GoldenRepo, shas: readonly string[]): Promise<Map<string, StreamedCommit>> {
  const git = new DiffTreeProcess(await openRepository(repo.path), CHANGE_LIST_FLAGS);
  const found = new Map<string, StreamedCommit>();
  const parser = new DiffStreamParser((commit) => found.set(commit.sha, commit));
  await git.request(shas, (bytes) => parser.push(bytes));
  await git.close();
  return found;
}

describe.each([...KNOWN_SEEDS, ...RANDOM_SEEDS])('wild history %i', (seed) => {
  test('has the lists of git, but of commits that may rename and of those in another encoding', async () => {
    const repo = wildHistory(seed);
    const commits = commitsOf(repo);
    const expected = await listByGit(
      repo,
      commits.map(({ sha }) => sha),
    );
    const { lists, store } = openStore(repo);
    let listed = 0;
    for (const commit of commits) {
      const found = lists.list(commit);
      const wanted = expected.get(commit.sha)!;
      if (found === null) expect(mayBeLeft(repo, wanted), commit.sha).toBe(true);
      else {
        listed++;
        expect(withoutPlaces(found), commit.sha).toEqual(wanted);
        for (const { oldMode, newMode, oldBlob, newBlob, oldAt, newAt } of found.changes!) {
          expect(oldAt).toBe(hasBlob(oldMode) ? store.locate(oldBlob) : -1);
          expect(newAt).toBe(hasBlob(newMode) ? store.locate(newBlob) : -1);
          expect(Math.max(oldAt!, newAt!) > 0).toBe(hasBlob(oldMode) || hasBlob(newMode));
        }
      }
    }
    expect(listed).toBeGreaterThan(commits.length / 3);
  });

  test('has the lists of git for merges', async () => {
    const repo = wildHistory(seed);
    const merges = commitsOf(repo).filter(({ parents }) => parents.length === 2);
    const repository = await openRepository(repo.path);
    const trees = new DiffTreeProcess(repository, RAW_CHANGES_FLAGS);
    const combined = new DiffTreeProcess(repository, COMBINED_CHANGES_FLAGS);
    const apart = await readRawChanges(trees, merges);
    const shared = await readCombinedChanges(combined, merges);
    await Promise.all([trees.close(), combined.close()]);
    const lists = open(repo);
    let missingCount = 0;
    for (const merge of merges) {
      const second = [...shared.get(merge.sha)!].map(([path, changes]) => [path, changes[1]!]);
      // In git's order too.
      const found = lists.listMerge(merge)!.map((list) => [...list]);
      expect(found, merge.sha).toEqual([[...apart.get(merge.sha)![0]!], second]);
      for (const [number, parent] of merge.parents.entries()) {
        const missing = [...apart.get(merge.sha)![number]!].filter(([, { status }]) => status === 'D');
        expect([...lists.listGone(merge.sha, parent)!], merge.sha).toEqual(missing);
        if (missing.length > 0) missingCount++;
      }
    }
    expect(merges.length).toBeGreaterThan(20);
    expect(missingCount).toBeGreaterThan(5);
  });

  test('has the lists of git against a parent, everywhere and at some paths', async () => {
    const repo = wildHistory(seed);
    const random = createRandom(seed);
    const commits = commitsOf(repo).filter(({ parents }) => parents.length > 0);
    const trees = new DiffTreeProcess(await openRepository(repo.path), RAW_CHANGES_FLAGS);
    const expected = await readRawChanges(trees, commits);
    await trees.close();
    const lists = open(repo);
    for (const { sha, parents } of commits)
      for (const [i, parent] of parents.entries()) {
        const changes = [...expected.get(sha)![i]!];
        expect([...lists.listAgainst(sha, parent, null)!], sha).toEqual(changes);
        const some = changes.filter(() => random(2) === 0);
        const paths = new Set([...some.map(([path]) => path), 'a/not there', '/', 'a']);
        const wanted = changes.filter(([path]) => paths.has(path));
        expect([...lists.listAgainst(sha, parent, paths)!], sha).toEqual(wanted);
      }
  });
});

function mayBeLeft(repo: GoldenRepo, { sha, changes }: StreamedCommit): boolean {
  const statuses = new Set(changes?.map(({ status }) => status));
  const isRename = statuses.has('R') || (statuses.has('A') && statuses.has('D'));
  return isRename || /^encoding |\0/m.test(repo.git('cat-file', 'commit', sha));
}

test('odd trees and odd commits are left to git, those with the modes of early versions are not', async () => {
  const repo = goldenRepo()
    .commit('first', { files: { a: 'one\n', 'd/b': 'two\n' } })
    .build();
  repos.push(repo);
  const write = (type: string, bytes: Buffer): string =>
    execFileSync('git', ['-C', repo.path, 'hash-object', '-t', type, '-w', '--stdin', '--literally'], {
      env: isolatedGitEnvironment(),
      input: bytes,
    })
      .toString()
      .trim();
  const [blob, other] = ['x\n', 'y\n'].map((text) => write('blob', Buffer.from(text)));
  const tree = (...entries: readonly (readonly [string, string])[]): string =>
    write(
      'tree',
      Buffer.concat(entries.map(([head, id]) => Buffer.concat([Buffer.from(`${head}\0`), Buffer.from(id, 'hex')]))),
    );
  const first = repo.sha('first');
  const people = 'author A <a@x> 1 +0000\ncommitter A <a@x> 1 +0000\n';
  let count = 0;
  const commit = (root: string, parents: readonly string[] = [first], head = people): string => {
    const lines = parents.map((parent) => `parent ${parent}\n`).join('');
    const sha = write('commit', Buffer.from(`tree ${root}\n${lines}${head}\nc\n`));
    repo.git('update-ref', `refs/heads/odd${count++}`, sha);
    return sha;
  };
  const shared = commit(tree(['100664 a', blob!]), []);
  const read = {
    shared,
    mode: commit(tree(['100644 a', blob!]), [shared]),
    zeros: commit(tree(['100664 a', other!], ['040000 d', tree(['100755 b', blob!])]), [shared]),
    empty: commit(tree(), [shared]),
    refilled: commit(tree(['160000 m', blob!]), [commit(tree(), [shared])]),
  };
  const left = {
    unsorted: commit(tree(['100644 b', blob!], ['100644 a', blob!]), []),
    doubled: commit(tree(['100644 a', blob!], ['100644 a', other!]), []),
    kind: commit(tree(['110000 a', blob!]), []),
    permission: commit(tree(['100600 a', blob!]), []),
    headless: commit(tree(['100644 a', blob!]), [], 'committer A <a@x> 1 +0000\nauthor A <a@x> 1 +0000\n'),
  };
  repo.git('repack', '-q', '-adf');
  const lists = open(repo);
  const known = new Map(commitsOf(repo).map((each) => [each.sha, each]));
  const expected = await listByGit(repo, Object.values(read));
  for (const [name, sha] of Object.entries(read)) {
    expect(withoutPlaces(lists.list(known.get(sha)!)), name).toEqual(expected.get(sha));
  }
  for (const [name, sha] of Object.entries(left)) expect(lists.list(known.get(sha)!), name).toBeNull();
  // Parents are those that git knows, which a shallow clone may have fewer of.
  expect(lists.list({ sha: read.mode, parents: [] })).toBeNull();
  expect(lists.list({ sha: '0'.repeat(40), parents: [] })).toBeNull();
});

test('lists are those of git where there is no room for the paths of all commits together', async () => {
  // Those of each of the three take more than half of the room.
  const long = (name: string) => `${Array.from({ length: 20 }, () => 'f'.repeat(200)).join('/')}/${name}`;
  const files = (name: string, count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [long(`${name} ${i}`), `${name}\n`]));
  const repo = goldenRepo('main')
    .commit('first', { on: 'main', files: { ...files('a', 1800), 'short/one': '1\n' } })
    .commit('second', { on: 'main', files: files('b', 1800) })
    .commit('plain', { on: 'main', files: { 'short/one': '2\n', 'short/two': '1\n' } })
    .commit('third', { on: 'main', files: files('c', 1800) })
    .commit('last', { on: 'main', files: { [long('a 1')]: 'changed\n', 'other/one': '1\n' } })
    .build();
  repos.push(repo);
  repo.git('repack', '-q', '-adf');
  const commits = commitsOf(repo);
  const expected = await listByGit(
    repo,
    commits.map(({ sha }) => sha),
  );
  const lists = open(repo);
  for (const order of [commits, [...commits].reverse()])
    for (const commit of order) expect(withoutPlaces(lists.list(commit))).toEqual(expected.get(commit.sha));
  const [last] = commits;
  const paths = new Set([long('a 1'), 'other/one', 'short/one']);
  for (const { sha } of commits) {
    const changed = lists.listAgainst(last!.sha, sha, paths);
    const all = lists.listAgainst(last!.sha, sha, null);
    // What two of the large commits have made is too much for one list.
    expect(all === null, sha).toBe(sha === repo.sha('first'));
    if (all !== null) expect([...changed!]).toEqual([...all].filter(([path]) => paths.has(path)));
  }
});
