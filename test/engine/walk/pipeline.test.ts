// What the pipeline promises whatever way it is run: the same facts on any threads and chunks, in slices as
// at once, after an interruption, and within a window.
import { describe, expect, test } from 'vitest';
import { collectAnalysis, collectSlices } from '../../support/collect-analysis.ts';
import { goldenRepo } from '../../world/golden-repo.ts';
import { randomHistory } from '../../world/random-history.ts';

const DAY = 86_400;

describe.each([11, 12, 13])('random history %i', (seed) => {
  const repo = randomHistory(seed, { commits: 60, words: 30 });
  const tips = repo.git('for-each-ref', '--format=%(objectname)', 'refs/heads/').split('\n');
  const conventionsAt = repo.git('rev-parse', 'main');

  test('any number of threads and any chunking give the same digest', async () => {
    const { digest } = await collectAnalysis(repo.path, { threads: 1 });
    for (const options of [{ threads: 3 }, { threads: 2, chunkCommits: 1 }, { threads: 1, chunkCommits: 7 }])
      expect((await collectAnalysis(repo.path, options)).digest).toBe(digest);
  });

  test('an import in slices tells the same as one at once', async () => {
    const shared = { onDefaultBranch: true, conventionsAt, threads: 1, withOrigins: true };
    const whole = await collectSlices(repo.path, [{ ...shared, heads: tips }]);
    const order = repo.git('rev-list', '--topo-order', '--reverse', '--branches').split('\n');
    const stops = [0.2, 0.45, 0.8].map((part) => order[Math.floor(order.length * part)]!);
    const slices = [...stops, ...tips].map((head, i, all) => ({ ...shared, heads: [head], notHeads: all.slice(0, i) }));
    const sliced = await collectSlices(repo.path, slices);
    expect(sliced.commits.size).toBe(whole.commits.size);
    for (const [key, file] of whole.files) expect(sliced.files.get(key), key).toEqual(file);
    for (const [sha, flows] of whole.flows) expect(sliced.flows.get(sha), sha).toEqual(flows);
    expect(sliced.digest).toBe(whole.digest);
  });

  test('commits that are complete are not told again, and the others end the same', async () => {
    const whole = await collectAnalysis(repo.path, { threads: 1 });
    const complete = new Set([...whole.commits.keys()].filter((_, i) => i % 3 !== 0));
    const rest = await collectAnalysis(repo.path, { threads: 1, isComplete: (sha) => complete.has(sha) });
    expect(new Set(rest.commits.keys())).toEqual(
      new Set([...whole.commits.keys()].filter((sha) => !complete.has(sha))),
    );
    for (const [key, file] of rest.files) expect(file, key).toEqual(whole.files.get(key));
    for (const [sha, flows] of rest.flows) expect(flows, sha).toEqual(whole.flows.get(sha));
  });
});

describe('a window', () => {
  const at = (days: number) => Date.UTC(2020, 0, 1) / 1000 + days * DAY;
  const repo = goldenRepo()
    .commit('ancient', { files: { 'a.txt': 'ancient one\nancient two\n' }, at: at(0) })
    .commit('old', { files: { 'a.txt': 'ancient one\nancient two\nold three\n' }, at: at(800) })
    .commit('middle', { files: { 'b.txt': 'middle\n' }, at: at(900) })
    .commit('new', { files: { 'a.txt': 'new\n', 'b.txt': 'middle\n' }, at: at(1000) })
    .build();

  test('commits before it are not told', async () => {
    const { commits } = await collectAnalysis(repo.path, { since: at(850), threads: 1 });
    expect([...commits.keys()].map(repo.label)).toEqual(['new', 'middle']);
  });

  test('lines older than two years get no origin but their age; younger ones outside the window get both', async () => {
    const { origins, files } = await collectAnalysis(repo.path, { since: at(950), threads: 1, withOrigins: true });
    expect(origins.map((run) => [run.line, run.count, run.origin && repo.label(run.origin)])).toEqual([
      [1, 2, null],
      [3, 1, 'old'],
    ]);
    const fact = files.get(`${repo.sha('new')} a.txt`)!;
    expect([fact.age_gte_2y, fact.age_lt_1y]).toEqual([2, 1]);
  });

  test('without a window the same lines are traced to the end', async () => {
    const { origins } = await collectAnalysis(repo.path, { threads: 1, withOrigins: true });
    expect(origins.map((run) => run.origin && repo.label(run.origin))).toEqual(['ancient', 'old']);
  });
});

describe('conventions', () => {
  test('a revision to ignore is told but not counted, and its origins stay what blame says', async () => {
    const first = goldenRepo()
      .commit('base', { files: { 'a.js': 'let a = 1;\n' } })
      .commit('style', { files: { 'a.js': 'let  a = 1;\n' } });
    const style = first.build().sha('style');
    const repo = first
      .commit('note', { files: { '.git-blame-ignore-revs': `# style\n${style}\n` } })
      .commit('gone', { files: { 'a.js': 'const b = 2;\n' } })
      .build();
    const { commits, origins } = await collectAnalysis(repo.path, { threads: 1, withOrigins: true });
    expect(commits.get(repo.sha('style'))?.not_counted).toBe('ignored_revision');
    expect(origins.find((run) => run.commit === repo.sha('gone'))?.origin).toBe(repo.sha('style'));
  });

  test('the mailmap names people, and what the commit says is kept', async () => {
    const repo = goldenRepo()
      .commit('one', {
        author: 'A. Lovelace <old@x.org>',
        files: { '.mailmap': 'Ada Lovelace <ada@x.org> <old@x.org>\n' },
      })
      .build();
    const fact = (await collectAnalysis(repo.path, { threads: 1 })).commits.get(repo.sha('one'))!;
    expect(fact.author).toEqual({ name: 'Ada Lovelace', email: 'ada@x.org' });
    expect(fact.raw_author).toEqual({ name: 'A. Lovelace', email: 'old@x.org' });
  });
});

describe('exact records of AI lines', () => {
  const note = (path: string, lines: string) =>
    `${path}\n  0123456789abcdef ${lines}\n---\n${JSON.stringify({
      schema_version: 'authorship/3.0.0',
      base_commit_sha: '0'.repeat(40),
      prompts: {
        '0123456789abcdef': { agent_id: { tool: 'claude', id: 'x', model: 'claude-sonnet-4' }, messages: [] },
      },
    })}`;
  const text = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, i) => `const value${from + i} = compute(${from + i});\n`).join('');
  const repo = goldenRepo()
    .commit('base', { files: { 'a.js': text(0, 4) } })
    .commit('mixed', { files: { 'a.js': text(0, 4) + text(10, 14) } })
    .commit('cut', { files: { 'a.js': text(0, 3) } })
    .note('ai', 'mixed', note('a.js', '5-6'))
    .build();

  test('credit the added lines they name, and what is removed of them later', async () => {
    const { files, flows, commits } = await collectAnalysis(repo.path, { threads: 1 });
    expect(files.get(`${repo.sha('mixed')} a.js`)?.ai_lines_added).toBe(2000);
    expect(commits.get(repo.sha('mixed'))?.contributor_kind).not.toBe('unknown');
    const flow = flows.get(repo.sha('cut'))!.find(({ origin }) => origin === repo.sha('mixed'));
    expect([flow?.lines_deleted, flow?.ai_lines]).toEqual([4, 2000]);
  });
});
