// The walk goes on while the tree of duplicates is behind: commits wait for their judgement, in order, and not without end.
import { expect, test } from 'vitest';
import type { ListedCommit } from '../../../src/engine/git/list-commits.ts';
import type { ClassifiedCommit } from '../../../src/engine/model/classified.ts';
import { allOf, listOf } from '../../../src/engine/model/commit-list.ts';
import { EMPTY_RECORD } from '../../../src/engine/model/commit-record.ts';
import type { AnalysisEvent } from '../../../src/engine/model/events.ts';
import { planNew, planWalk } from '../../../src/engine/model/plan.ts';
import type { TreeJudge } from '../../../src/engine/model/tree-commit.ts';
import { Pipeline } from '../../../src/engine/walk/pipeline.ts';
import { collectAnalysis } from '../../support/collect-analysis.ts';
import { goldenRepo } from '../../world/golden-repo.ts';

const LAG = 8;
/** More than may wait behind a commit. */
const OTHERS = 6000;

const person = { authorName: 'A', authorEmail: 'a@x', committerName: 'A', committerEmail: 'a@x' };
const listed = (sha: string, parent: string | null): ListedCommit => ({
  sha,
  parents: parent === null ? [] : [parent],
  ...person,
  authoredAt: 1,
  committedAt: 1,
});
/** Says nothing before it is waited for. */
class LateJudge implements TreeJudge {
  readonly lag = LAG;
  requested = 0;
  add(): void {}
  ready(): null {
    return null;
  }
  async next() {
    this.requested++;
    return { counts: null, isFull: false };
  }
}

function open(fresh: readonly ListedCommit[], others: readonly ListedCommit[]) {
  const judge = new LateJudge();
  const firstParentsFrom = fresh[0]!.sha;
  const plan = planWalk(planNew({ fresh, others, since: null, isComplete: () => false, firstParentsFrom }), listOf([]));
  const pipeline = new Pipeline(plan, {
    onDefaultBranch: true,
    ignoredRevisions: new Set(),
    withOrigins: false,
    withFiles: true,
    churnDays: 14,
    records: { isEmpty: true, has: () => false, read: async () => null, close: () => {} } as never,
    tree: judge,
  });
  const consume = (from: number, to: number, classified: ClassifiedCommit | null = null) =>
    pipeline.consume(
      {
        commits: Array.from({ length: to - from }, (_, i) => ({ ...EMPTY_RECORD, index: from + i, classified })),
        hunks: new Int32Array(0),
        bytes: 0,
      },
      async () => new Map(),
    );
  const take = () => [...pipeline.take()].flat().map((event: AnalysisEvent) => 'fact' in event && event.fact.sha);
  return { judge, plan, pipeline, consume, take };
}

/** Nothing but so many added lines. */
function withLines(lines: number): ClassifiedCommit {
  const none = new Uint32Array(0);
  return {
    sha: '',
    patchId: null,
    fileCount: 0,
    files: new Int32Array(0),
    addedOps: new Uint8Array(lines),
    addedScores: none,
    addedHashes: none,
    addedSources: new Int32Array(0),
    removedOps: new Uint8Array(0),
    removedScores: none,
    removedHashes: none,
    removedAsNew: none,
    removedPartners: new Int32Array(0),
    buffer: none.buffer,
  };
}

const chain = (name: string, count: number, root: string | null) =>
  Array.from({ length: count }, (_, i) => listed(`${name}${i}`, i + 1 < count ? `${name}${i + 1}` : root));

test('so many commits wait, and come out in order', async () => {
  const { judge, pipeline, consume, take } = open(chain('m', 3 * LAG, null), []);
  await consume(0, LAG);
  expect([judge.requested, take()]).toEqual([0, []]);
  await consume(LAG, LAG + 2);
  expect([judge.requested, take()]).toEqual([2, ['m0', 'm1']]);
  await consume(LAG + 2, 3 * LAG);
  await pipeline.settle();
  expect(take()).toEqual(Array.from({ length: 3 * LAG - 2 }, (_, i) => `m${i + 2}`));
});

test('fewer wait when they have many lines', async () => {
  const { judge, consume } = open(chain('m', LAG, null), []);
  await consume(0, 3, withLines(250_000));
  expect(judge.requested).toBe(0);
  await consume(3, 4, withLines(250_000));
  expect(judge.requested).toBe(1);
});

test('commits of other branches do not pile up behind one that waits', async () => {
  const main = chain('m', 2, null);
  const { judge, plan, consume, take } = open(main, chain('o', OTHERS, 'm1'));
  expect(
    allOf(plan.commits)
      .slice(0, 2)
      .map(({ sha }) => sha),
  ).toEqual(['m0', 'o0']);
  await consume(0, 100);
  expect([judge.requested, take()]).toEqual([0, []]);
  await consume(100, OTHERS);
  expect(judge.requested).toBe(1);
  expect(take()).toHaveLength(OTHERS);
});

test('a thread of its own judges more commits than may wait as this one does', { timeout: 120_000 }, async () => {
  const builder = goldenRepo();
  const block = (n: number) => Array.from({ length: 12 }, (_, i) => `call${n % 7}(${i});`).join('\n');
  for (let n = 0; n < 700; n++) builder.commit(`${n}`, { files: { [`src/part${n % 40}.ts`]: `${block(n)}\n${n}\n` } });
  const repo = builder.build();
  repo.git('repack', '-q', '-adf');
  const [inside, own] = [
    await collectAnalysis(repo.path, { threads: 2, hasTreeThread: false }),
    await collectAnalysis(repo.path, { threads: 2, hasTreeThread: true }),
  ];
  expect(own.files).toEqual(inside.files);
  expect([...own.files.values()].filter(({ duplicate_lines }) => duplicate_lines > 0).length).toBeGreaterThan(30);
  const shas = (analysis: typeof own) =>
    analysis.events.flatMap((event) => (event.kind === 'commit' ? [event.fact.sha] : []));
  expect(shas(own)).toEqual(shas(inside));
  expect(own.events.findLast(({ kind }) => kind === 'progress')).toMatchObject({ done: 700, total: 700 });
  repo.cleanup();
});
