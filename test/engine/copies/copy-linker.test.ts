import { afterAll, describe, expect, test } from 'vitest';
import { createCopyLinker } from '../../../src/engine/copies/copy-linker.ts';
import type { CopyCandidate, CopyVerdict } from '../../../src/engine/copies/linked-commit.ts';
import { bytesToMinHash, minHashToBytes } from '../../../src/engine/copies/min-hash.ts';
import { type GoldenRepo, type GoldenRepoBuilder, goldenRepo } from '../../world/golden-repo.ts';
import { readCandidates } from './read-candidates.ts';

const built: GoldenRepo[] = [];
afterAll(() => {
  for (const repo of built) repo.cleanup();
});

/** label → "why label", for every commit that does not count. */
function verdicts(builder: GoldenRepoBuilder, releasedLabels: readonly string[] = []): Record<string, string> {
  const repo = builder.build();
  built.push(repo);
  const candidates = readCandidates(repo.path);
  const released = releasedLabels.map((label) => repo.sha(label));
  const result = settle([candidates], released);
  for (const shuffled of [candidates.toReversed(), candidates.toSorted((a, b) => (a.sha < b.sha ? -1 : 1))]) {
    expect(settle([shuffled], released)).toEqual(result);
  }
  for (const cut of [2, candidates.length >> 1, candidates.length - 1])
    expect(settle([candidates.slice(0, cut), candidates.slice(cut)], released)).toEqual(result);
  return Object.fromEntries(
    [...result.values()]
      .filter((verdict) => verdict.not_counted !== null)
      .map((verdict) => [repo.label(verdict.sha), describeVerdict(verdict, repo)]),
  );
}

/** Each part is a run: it gets the earlier commits back in their stored form, then its own. */
function settle(parts: readonly (readonly CopyCandidate[])[], released: readonly string[]): Map<string, CopyVerdict> {
  const stored = new Map<string, CopyVerdict>();
  const earlier: CopyCandidate[] = [];
  for (const part of parts) {
    const linker = createCopyLinker({ released });
    for (const candidate of earlier) {
      const minHash = bytesToMinHash(minHashToBytes(candidate.minHash));
      linker.add({ ...candidate, minHash, known: stored.get(candidate.sha)! });
    }
    for (const candidate of part) stored.set(candidate.sha, linker.add(candidate));
    for (const verdict of linker.resolve()) stored.set(verdict.sha, verdict);
    expect(linker.resolve()).toEqual([]);
    earlier.push(...part);
  }
  return stored;
}

function describeVerdict(verdict: CopyVerdict, repo: GoldenRepo): string {
  return verdict.derived_from === null
    ? verdict.not_counted!
    : `${verdict.not_counted} ${repo.label(verdict.derived_from)}`;
}

const text = (word: string, count: number): string =>
  Array.from({ length: count }, (_, index) => `const ${word}${index} = compute_${word}(${index});\n`).join('');
const base = () => goldenRepo().commit('base', { files: { 'a.ts': text('base', 10), 'version.txt': '1.0.0\n' } });

describe('copies are found', () => {
  test('a commit cherry-picked to a release branch repeats the one on the default branch', () => {
    const fix = { files: { 'b.ts': text('fix', 8) }, message: 'Fix it\n' };
    const builder = base()
      .branch('release')
      .commit('release work', { files: { 'c.ts': text('other', 6) } })
      .commit('picked', { ...fix, author: 'Ada Lovelace <ada@example.com>', committed: '2024-05-01T00:00:00Z' })
      .switch('main')
      .commit('fix', { ...fix, authored: '2024-04-01T00:00:00Z' });
    expect(verdicts(builder)).toEqual({ picked: 'cherry_pick_copy fix' });
  });

  test('the mark of git cherry-pick -x decides even where the patch had to be changed', () => {
    const builder = base().commit('fix', { files: { 'b.ts': text('fix', 8) } });
    const sha = builder.build().sha('fix');
    builder
      .branch('release', 'base')
      .commit('picked', {
        files: { 'old-b.ts': text('adapted', 3) },
        message: `Fix\n\n(cherry picked from commit ${sha})\n`,
      })
      .commit('backport', {
        files: { 'd.ts': 'x = 1\n' },
        message: `[1.x] Fix\n\nBackport of ${sha.slice(0, 12)} from main\n`,
      });
    expect(verdicts(builder)).toEqual({ picked: 'cherry_pick_copy fix', backport: 'cherry_pick_copy fix' });
  });

  test('rebased branch commits repeat their rebased form on the default branch, however small', () => {
    const one = { files: { 'x.ts': 'let x = 1;\n' }, authored: '2024-02-01T00:00:00Z', message: 'Add x\n' };
    const two = { files: { 'y.ts': text('y', 9) }, authored: '2024-02-02T00:00:00Z', message: 'Add y\n' };
    const builder = base()
      .branch('topic')
      .commit('one', { ...one, committed: '2024-02-01T00:00:00Z' })
      .commit('two', { ...two, committed: '2024-02-02T00:00:00Z' })
      .switch('main')
      .commit('between', { files: { 'z.ts': text('z', 5) } })
      .commit('one rebased', { ...one, committed: '2024-02-05T00:00:00Z' })
      .commit('two rebased', { ...two, committed: '2024-02-05T00:00:01Z' });
    expect(verdicts(builder)).toEqual({ one: 'rebase_copy one rebased', two: 'rebase_copy two rebased' });
  });

  test('a rebase with conflicts is found by author, second and subject', () => {
    const when = { authored: '2024-02-01T00:00:00Z', message: 'Rework the parser\n' };
    const builder = base()
      .branch('topic')
      .commit('before', { ...when, files: { 'x.ts': text('x', 6) + text('old', 6) } })
      .switch('main')
      .commit('after', {
        ...when,
        files: { 'x.ts': text('x', 6) + text('new', 6) },
        committed: '2024-03-01T00:00:00Z',
      });
    expect(verdicts(builder)).toEqual({ before: 'rebase_copy after' });
  });

  test('a squash takes in its whole branch, also a draft of which the branch rewrote most', () => {
    const builder = base()
      .branch('topic')
      .commit('draft', { files: { 'f.ts': text('draft', 6) + text('feature', 1) }, message: 'Draft\n' })
      .commit('feature', { files: { 'f.ts': text('feature', 12) }, message: 'Feature\n' })
      .commit('tests', { files: { 'f.test.ts': text('test', 10) }, message: 'Tests\n' })
      .commit('typo', { files: { 'f.ts': `// one more remark\n${text('feature', 12)}` }, message: 'Typo\n' })
      .switch('main')
      .commit('other', { files: { 'o.ts': text('o', 7) } })
      .commit('squash', {
        files: { 'f.ts': `// one more remark\n${text('feature', 12)}`, 'f.test.ts': text('test', 10) },
        message: 'Feature (#7)\n\n* Draft\n\n* Feature\n\n* Tests\n\n* Typo\n',
      });
    expect(verdicts(builder)).toEqual({
      draft: 'squash_source squash',
      feature: 'squash_source squash',
      tests: 'squash_source squash',
      typo: 'squash_source squash',
    });
  });

  test('a squash without a list of commits is found by its lines alone, across a merge of the default branch', () => {
    const builder = base()
      .branch('topic')
      .commit('gone', { files: { 'f.ts': text('draft', 2) } })
      .commit('feature', { files: { 'f.ts': text('feature', 12) } })
      .switch('main')
      .commit('other', { files: { 'o.ts': text('o', 7) } })
      .switch('topic')
      .merge('sync', ['other'], { take: { 'o.ts': 'other' } })
      .commit('tests', { files: { 'f.test.ts': text('test', 10) } })
      .switch('main')
      .commit('squash', { files: { 'f.ts': text('feature', 12), 'f.test.ts': text('test', 10) } });
    // Nothing of the first commit is left to show where it went.
    expect(verdicts(builder)).toEqual({
      feature: 'squash_source squash',
      sync: 'merge',
      tests: 'squash_source squash',
    });
  });

  test('a backport under the same title is found though lines had to be left out', () => {
    const builder = base()
      .commit('original', {
        files: { 'b.ts': text('fix', 8) + text('new', 8) },
        message: 'Handle aborted requests (#3651)\n',
      })
      .branch('4.x', 'base')
      .commit('own', { files: { 'q.ts': text('q', 8) }, message: 'Handle something else (#7)\n' })
      .commit('backport', {
        files: { 'b.ts': text('fix', 8) + text('adapted', 5) },
        author: 'Bo <bo@x.org>',
        message: '[4.x] Handle aborted requests (#3651) (#4103)\n',
      });
    expect(verdicts(builder)).toEqual({ backport: 'cherry_pick_copy original' });
  });

  test('among copies that are all off the default branch the earliest counts', () => {
    const fix = { files: { 'b.ts': text('fix', 8) }, message: 'Fix it\n' };
    const builder = base()
      .branch('r1')
      .commit('later', { ...fix, authored: '2024-05-01T00:00:00Z' })
      .branch('r2', 'base')
      .commit('x', { files: { 'x.ts': text('x', 5) } })
      .commit('earliest', { ...fix, authored: '2024-03-01T00:00:00Z', author: 'Bo <bo@x.org>' })
      .branch('r3', 'base')
      .commit('y', { files: { 'y.ts': text('y', 5) } })
      .commit('middle', { ...fix, authored: '2024-04-01T00:00:00Z' });
    expect(verdicts(builder)).toEqual({ later: 'cherry_pick_copy earliest', middle: 'cherry_pick_copy earliest' });
  });

  test('when the copy reaches the default branch later, the one counted so far gives way', () => {
    const fix = { files: { 'b.ts': text('fix', 8) }, message: 'Fix it\n', authored: '2024-03-01T00:00:00Z' };
    const before = base().branch('topic').commit('source', fix);
    expect(verdicts(before)).toEqual({});
    before.switch('main').commit('landed', { ...fix, committed: '2024-06-01T00:00:00Z' });
    expect(verdicts(before)).toEqual({ source: 'rebase_copy landed' });
  });

  test('two commits on the default branch are one piece of work when author and second agree', () => {
    const fix = { files: { 'b.ts': text('fix', 8) }, message: 'Fix it\n', authored: '2024-03-01T00:00:00Z' };
    const builder = base()
      .branch('topic')
      .commit('first', { ...fix, committed: '2024-03-01T00:00:00Z' })
      .switch('main')
      .commit('second', { ...fix, committed: '2024-03-02T00:00:00Z' })
      .merge('join', ['first']);
    const found = verdicts(builder);
    expect(Object.keys(found).sort()).toEqual([found.first === undefined ? 'second' : 'first', 'join'].sort());
    expect(found.join).toBe('merge');
  });
});

describe('what only looks alike stays apart', () => {
  test('the same version bump on two branches', () => {
    const builder = base()
      .branch('release')
      .commit('bump release', {
        files: { 'version.txt': '1.0.1\n' },
        message: 'Bump version\n',
        at: '2024-03-01T00:00:00Z',
      })
      .switch('main')
      .commit('bump main', {
        files: { 'version.txt': '1.0.1\n' },
        message: 'Bump version\n',
        at: '2024-04-01T00:00:00Z',
      });
    expect(verdicts(builder)).toEqual({});
  });

  test('commits without any changed line', () => {
    const builder = base()
      .branch('a')
      .commit('empty a', { message: 'Trigger the build\n' })
      .switch('main')
      .commit('empty main', { message: 'Trigger the build\n' });
    expect(verdicts(builder)).toEqual({});
  });

  test('the same blank lines and brackets', () => {
    const builder = base()
      .branch('a')
      .commit('brackets a', { files: { 'n.ts': '{\n}\n\n{\n}\n\n{\n}\n' }, author: 'Bo <bo@x.org>' })
      .switch('main')
      .commit('brackets main', { files: { 'n.ts': '{\n}\n\n{\n}\n\n{\n}\n' } });
    expect(verdicts(builder)).toEqual({});
  });

  test('a revert, and the same work done again after it', () => {
    const builder = base().commit('work', { files: { 'w.ts': text('w', 9) }, message: 'Work\n' });
    const sha = builder.build().sha('work');
    builder
      .commit('revert', { delete: ['w.ts'], message: `Revert "Work"\n\nThis reverts commit ${sha}.\n` })
      .commit('again', { files: { 'w.ts': text('w', 9) }, message: 'Reapply "Work"\n' });
    expect(verdicts(builder)).toEqual({});
  });

  test('work brought back on a branch by reverting its revert', () => {
    const builder = base()
      .branch('next')
      .commit('work', { files: { 'w.ts': text('w', 9) }, message: 'Work\n' })
      .commit('revert', { delete: ['w.ts'], message: 'Revert "Work"\n' })
      .commit('again', {
        files: { 'w.ts': text('w', 9) },
        message: 'Revert "Revert "Work""\n',
        author: 'Bo <bo@x.org>',
      });
    expect(verdicts(builder)).toEqual({});
  });

  test('the same patch applied twice on one branch, because something between undid it', () => {
    const formatted = { files: { 'a.ts': text('formatted', 9) }, message: 'Apply automated fixes\n' };
    const builder = base()
      .branch('topic')
      .commit('fixes', { ...formatted, authored: '2024-03-01T00:00:00Z' })
      .commit('undone', { files: { 'a.ts': text('base', 10) }, message: 'Merge by hand\n' })
      .commit('fixes again', { ...formatted, authored: '2024-03-02T00:00:00Z' });
    expect(verdicts(builder)).toEqual({});
  });

  test('a small change whose lines also come out of a reformatting of everything', () => {
    const builder = base()
      .branch('topic')
      .commit('small', { files: { 'a.ts': text('base', 10) + text('styled', 6) }, author: 'Bo <bo@x.org>' })
      .switch('main')
      .commit('sweep', {
        files: { 'a.ts': text('base', 10) + text('styled', 6), 'rest.ts': text('rest', 300) },
        message: 'Reformat\n',
      });
    expect(verdicts(builder)).toEqual({});
  });

  test('a revert on a branch does not repeat the commit that first wrote the lines', () => {
    const builder = base().commit('drop', { files: { 'a.ts': text('new', 3) }, message: 'Drop\n' });
    const sha = builder.build().sha('drop');
    builder.branch('topic').commit('undo', {
      files: { 'a.ts': text('base', 10) },
      message: `Revert "Drop"\n\nThis reverts commit ${sha}.\n`,
    });
    expect(verdicts(builder)).toEqual({});
  });

  test('a branch that moves old lines does not repeat the old commit that wrote them', () => {
    const builder = base()
      .commit('emptied', { files: { 'a.ts': '\n' } })
      .branch('topic')
      .commit('restored', {
        files: { 'a.ts': text('base', 10) },
        message: 'Bring it back\n',
        at: '2024-06-01T00:00:00Z',
      });
    expect(verdicts(builder)).toEqual({});
  });

  test('a long release branch keeps its own work though one commit of it was squashed elsewhere', () => {
    const builder = base().branch('release');
    for (let index = 0; index < 12; index += 1) {
      builder.commit(`own ${index}`, { files: { [`r${index}.ts`]: text(`own${index}_`, 8) } });
    }
    builder
      .commit('shared', { files: { 's.ts': text('shared', 6) } })
      .switch('main')
      .commit('bigger', { files: { 's.ts': text('shared', 6) + text('more', 20) }, at: '2024-06-01T00:00:00Z' });
    expect(verdicts(builder)).toEqual({});
  });

  test('a commit whose subject a squash lists, and which shares no line with it', () => {
    const builder = base()
      .branch('topic')
      .commit('plan', { message: 'Initial plan\n' })
      .commit('autofix', { files: { 'z.ts': text('fixed', 4) }, message: '[autofix.ci] apply fixes\n' })
      .switch('main')
      .commit('squash', {
        files: { 'f.ts': text('feature', 12) },
        message: 'Feature (#7)\n\n* Initial plan\n\n* [autofix.ci] apply fixes\n',
      });
    expect(verdicts(builder)).toEqual({});
  });

  test('the commits of a released branch, though one large commit brought all of them to the default branch', () => {
    const builder = base().branch('release');
    const brought: Record<string, string> = {};
    for (let index = 0; index < 5; index += 1) {
      brought[`r${index}.ts`] = text(`own${index}_`, 8);
      builder.commit(`own ${index}`, { files: { [`r${index}.ts`]: brought[`r${index}.ts`]! } });
    }
    builder
      .commit('bump', { files: { 'version.txt': '1.1.0\n' }, message: 'Bump version\n' })
      .commit('after', { files: { 'late.ts': text('late', 8) } })
      .switch('main')
      .commit('sync', {
        files: { ...brought, 'late.ts': text('late', 8), 'version.txt': '1.1.0\n' },
        at: '2024-06-01T00:00:00Z',
      });
    expect(Object.keys(verdicts(builder))).toHaveLength(7);
    expect(verdicts(builder, ['bump'])).toEqual({});
  });

  test('a commit among the sources of a squash whose own lines went nowhere', () => {
    const builder = base()
      .branch('topic')
      .commit('feature', { files: { 'f.ts': text('feature', 12) } })
      .commit('aside', { files: { 'aside.ts': text('aside', 9) } })
      .commit('tests', { files: { 'f.test.ts': text('test', 10) } })
      .switch('main')
      .commit('squash', { files: { 'f.ts': text('feature', 12), 'f.test.ts': text('test', 10) } });
    expect(verdicts(builder)).toEqual({ feature: 'squash_source squash', tests: 'squash_source squash' });
  });

  test('work on a branch that began behind the commit with the same lines', () => {
    const builder = base()
      .commit('written', { files: { 'w.ts': text('w', 9), 'v.ts': text('v', 2) } })
      .commit('dropped', { delete: ['w.ts'] })
      .branch('topic')
      .commit('written anew', { files: { 'w.ts': text('w', 9) } });
    expect(verdicts(builder)).toEqual({});
  });

  test('two people who write a few common lines', () => {
    const header = "import fs from 'node:fs';\nimport path from 'node:path';\nconst root = path.resolve('.');\n";
    const builder = base()
      .branch('topic')
      .commit('one', { files: { 'cli.ts': header + text('one', 6) }, author: 'Bo <bo@x.org>' })
      .switch('main')
      .commit('two', { files: { 'cli.ts': header + text('two', 6) } });
    expect(verdicts(builder)).toEqual({});
  });

  test('two commits of the default branch that one backport names both', () => {
    const builder = base()
      .commit('one', { files: { 'x.ts': text('x', 6) }, message: 'One\n' })
      .commit('two', { files: { 'y.ts': text('y', 6) }, message: 'Two\n' });
    const repo = builder.build();
    const marks = `Backport of ${repo.sha('one')} from main.\nBackport of ${repo.sha('two')} from main.\n`;
    builder
      .branch('release', 'base')
      .commit('both', { files: { 'x.ts': text('x', 6), 'y.ts': text('y', 6) }, message: `Both\n\n${marks}` });
    expect(verdicts(builder)).toEqual({ both: 'cherry_pick_copy one' });
  });

  test('a mark that names a commit nobody has', () => {
    const builder = base()
      .branch('release')
      .commit('picked', {
        files: { 'p.ts': text('p', 6) },
        message: `Fix\n\n(cherry picked from commit ${'9'.repeat(40)})\n`,
      });
    expect(verdicts(builder)).toEqual({});
  });
});
