// Where what was kept could mislead: each import says the same with what earlier ones kept as without.
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { effort, takeEffort } from '../../../src/engine/model/effort.ts';
import { openListing, readListing } from '../../../src/engine/trails/kept-listing.ts';
import { type CollectedAnalysis, collectSlices } from '../../support/collect-analysis.ts';
import { type GoldenRepo, goldenRepo } from '../../world/golden-repo.ts';

const folder = mkdtempSync(join(tmpdir(), 'strata-hard-'));
const repos: GoldenRepo[] = [];
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
  for (const repo of repos) repo.cleanup();
});
let folders = 0;
const newFolder = () => join(folder, String(folders++));
const text = (...lines: readonly string[]) => `${lines.join('\n')}\n`;
const built = (builder: ReturnType<typeof goldenRepo>): GoldenRepo => {
  const repo = builder.build();
  repos.push(repo);
  return repo;
};

beforeEach(() => {
  takeEffort();
});

/** Imports up to a commit, behind those that are known. */
function importTo(
  repo: GoldenRepo,
  label: string,
  known: readonly string[],
  { path = repo.path, trailsIn }: { readonly path?: string; readonly trailsIn?: string | undefined } = {},
): Promise<CollectedAnalysis> {
  const head = repo.sha(label);
  const notHeads = known.map((each) => repo.sha(each));
  const shared = { onDefaultBranch: true, threads: 1, withOrigins: true, conventionsAt: head };
  return collectSlices(path, [{ ...shared, heads: [head], notHeads, ...(trailsIn === undefined ? {} : { trailsIn }) }]);
}

const told = ({ events }: CollectedAnalysis) =>
  events
    .filter(({ kind }) => kind !== 'progress')
    .map((event) => JSON.stringify(event))
    .sort();

describe('a shallow history', () => {
  const line = () =>
    goldenRepo('main')
      .commit('a', { files: { 'a.js': text('one();', 'two();', 'three();') }, author: 'Old <old@example.com>' })
      .commit('b', { files: { 'a.js': text('one();', 'two();', 'three();', 'four();') } })
      .commit('c', { files: { 'b.js': text('other();') } })
      .commit('d', { files: { 'a.js': text('three();', 'four();') } });
  const merged = () =>
    goldenRepo('main')
      .commit('a', { files: { 'a.js': text('one();', 'two();', 'three();') } })
      .branch('side')
      .commit('s', { files: { 'b.js': text('side();', 'more();') }, author: 'Side <side@example.com>' })
      .switch('main')
      .commit('b', { files: { 'a.js': text('one();', 'two();', 'three();', 'four();') } })
      .merge('c', ['s'], { take: { 'b.js': 's' } })
      .commit('d', { files: { 'b.js': text('more();') } });

  test.each([
    ['at a commit', line, 3],
    ['at a merge', merged, 2],
  ])('that ended %s goes on once it reaches further', async (_where, history, depth) => {
    const repo = built(history());
    const run = async (trailsIn?: string) => {
      const path = newFolder();
      const git = (...args: string[]) => execFileSync('git', args, { stdio: 'pipe' });
      git('clone', '-q', '--bare', '--depth', String(depth), `file://${repo.path}`, path);
      await importTo(repo, 'c', [], { path, trailsIn });
      git('-C', path, 'fetch', '-q', '--unshallow');
      return importTo(repo, 'd', ['c'], { path, trailsIn });
    };
    expect(told(await run(newFolder()))).toEqual(told(await run()));
  });

  test('that is cut off later ends there', async () => {
    const repo = built(line());
    const trailsIn = newFolder();
    await importTo(repo, 'c', [], { trailsIn });
    writeFileSync(join(repo.path, 'shallow'), `${repo.sha('b')}\n`);
    expect(told(await importTo(repo, 'd', ['c'], { trailsIn }))).toEqual(told(await importTo(repo, 'd', ['c'])));
  });
});

/** Each commit takes one line away. */
function shrinking(commits: number): GoldenRepo {
  const lines = Array.from({ length: commits + 4 }, (_, i) => `line_${i}();`);
  const builder = goldenRepo('main');
  for (let i = 0; i < commits; i++) builder.commit(`c${i}`, { files: { 'a.js': text(...lines.slice(i)) } });
  return built(builder);
}

test('a commit that had no trail gets one when it is read', async () => {
  const repo = shrinking(4);
  const trailsIn = newFolder();
  const read: number[] = [];
  for (let i = 1; i < 4; i++) {
    takeEffort();
    await importTo(repo, `c${i}`, [`c${i - 1}`], { trailsIn });
    read.push(effort.olderRead);
  }
  expect(read).toEqual([1, 0, 0]);
});

test('a walk that reads all anew leaves nothing of those before it', async () => {
  const repo = shrinking(4);
  const trailsIn = newFolder();
  const files = () => readdirSync(trailsIn).filter((name) => name.endsWith('.trails'));
  await importTo(repo, 'c2', [], { trailsIn });
  await importTo(repo, 'c3', ['c2'], { trailsIn });
  expect(files()).toHaveLength(2);
  await importTo(repo, 'c3', [], { trailsIn });
  expect(files()).toHaveLength(1);
  expect(files()[0]).toMatch(/^0*3-/);
});

test('a file that was cut off is good up to there, also joined with others', async () => {
  const repo = shrinking(22);
  const trailsIn = newFolder();
  await importTo(repo, 'c0', [], { trailsIn });
  for (let i = 1; i < 22; i++) {
    const kept = await importTo(repo, `c${i}`, [`c${i - 1}`], { trailsIn });
    expect(told(kept)).toEqual(told(await importTo(repo, `c${i}`, [`c${i - 1}`])));
    const [last] = readdirSync(trailsIn)
      .filter((name) => name.endsWith('.trails'))
      .sort()
      .reverse();
    // Every third file loses its end.
    if (i % 3 === 0) truncateSync(join(trailsIn, last!), 200);
    expect(readdirSync(trailsIn).length).toBeLessThanOrEqual(18);
  }
});

test('rules that change with every import leave no file each', async () => {
  const builder = goldenRepo('main');
  for (let i = 0; i < 40; i++)
    builder.commit(`c${i}`, {
      files: { 'a.js': text(`one${i}();`, 'two();'), '.gitattributes': `x${i}.js linguist-generated\n` },
    });
  const repo = built(builder);
  const trailsIn = newFolder();
  for (let i = 0; i < 40; i++) await importTo(repo, `c${i}`, i === 0 ? [] : [`c${i - 1}`], { trailsIn });
  expect(readdirSync(trailsIn).length).toBeLessThanOrEqual(18);
});

test.skipIf(!existsSync('/proc/self/fd'))(
  'an entry that is no file is passed over, and nothing stays open',
  async () => {
    const repo = shrinking(3);
    const trailsIn = newFolder();
    await importTo(repo, 'c0', [], { trailsIn });
    mkdirSync(join(trailsIn, '00000000-0.trails'));
    for (const i of [1, 2]) {
      const kept = await importTo(repo, `c${i}`, [`c${i - 1}`], { trailsIn });
      expect(told(kept)).toEqual(told(await importTo(repo, `c${i}`, [`c${i - 1}`])));
    }
    const open = readdirSync('/proc/self/fd').filter((fd) => {
      try {
        return readlinkSync(join('/proc/self/fd', fd)).startsWith(trailsIn);
      } catch {
        return false; // it is the one that lists them
      }
    });
    expect(open).toEqual([]);
  },
);

test('a head that is gone from git leaves each commit once in the list', async () => {
  const builder = goldenRepo('main');
  for (let i = 0; i < 5; i++) builder.commit(`c${i}`, { files: { [`f${i}.js`]: text(`one${i}();`) } });
  for (const name of ['x', 'y', 'z'])
    builder.branch(name, 'c4').commit(name, { on: name, files: { 'q.js': text(`${name}();`) } });
  const repo = built(builder);
  const trailsIn = newFolder();
  let known: readonly string[] = [];
  for (const name of ['x', 'y', 'z']) {
    const kept = await importTo(repo, name, known, { trailsIn });
    expect(told(kept)).toEqual(told(await importTo(repo, name, known)));
    const listing = openListing(trailsIn, { heads: [repo.sha(name)], shallow: null });
    expect(readListing(listing!)).toHaveLength(6);
    known = [name];
    repo.git('update-ref', '-d', `refs/heads/${name}`);
    repo.git('repack', '-adq');
    repo.git('prune', '--expire=now');
  }
});

test('a mailmap that could not be read at first holds as soon as it can', async () => {
  const repo = built(
    goldenRepo('main')
      .commit('a', {
        files: { 'a.js': text('one();', 'two();', 'three();'), '.mailmap': 'A <new@example.com> <old@example.com>\n' },
        author: 'A <old@example.com>',
      })
      .commit('b', { files: { 'a.js': text('two();', 'three();') }, author: 'A <new@example.com>' }),
  );
  const blob = repo.git('rev-parse', `${repo.sha('a')}:.mailmap`);
  const object = join(repo.path, 'objects', blob.slice(0, 2), blob.slice(2));
  const away = join(folder, 'away');
  expect(existsSync(object)).toBe(true);
  const trailsIn = newFolder();
  renameSync(object, away);
  await importTo(repo, 'a', [], { trailsIn });
  renameSync(away, object);
  expect(told(await importTo(repo, 'b', ['a'], { trailsIn }))).toEqual(told(await importTo(repo, 'b', ['a'])));
});

test('a record about one file of a commit speaks for its others too', async () => {
  const line = (word: string) => `const ${word} = computeTheValueOf(${word}Input);`;
  const work = () =>
    goldenRepo('main')
      .commit('base', { files: { 'a.js': text(line('zero')) }, at: '2024-01-31T10:00:00Z' })
      .commit('work', {
        files: { 'a.js': text(line('zero'), line('one')), 'b.js': text(line('other'), line('kept')) },
        message: 'Work\n\nCo-authored-by: Claude <noreply@anthropic.com>\n',
        at: '2024-02-01T10:00:00Z',
      });
  // Recorded while the work was going on: it names the commit before, and the files that the work has changed.
  const record = JSON.stringify({
    version: '0.1.0',
    id: '550e8400-e29b-41d4-a716-446655440000',
    timestamp: '2024-02-01T09:59:00Z',
    vcs: { type: 'git', revision: built(work()).sha('base') },
    tool: { name: 'claude-code' },
    files: [
      { path: 'a.js', conversations: [{ contributor: { type: 'ai' }, ranges: [{ start_line: 2, end_line: 2 }] }] },
    ],
  });
  const repo = built(
    work()
      .commit('log', { files: { '.agent-trace/traces.jsonl': `${record}\n` }, at: '2024-02-02T10:00:00Z' })
      .commit('gone', { files: { 'b.js': text(line('kept')) }, at: '2024-02-03T10:00:00Z' }),
  );
  const trailsIn = newFolder();
  await importTo(repo, 'log', [], { trailsIn });
  const { events } = await importTo(repo, 'gone', ['log'], { trailsIn });
  expect(takeEffort().olderFollowed).toBeGreaterThan(0);
  expect(told({ events } as CollectedAnalysis)).toEqual(told(await importTo(repo, 'gone', ['log'])));
});
