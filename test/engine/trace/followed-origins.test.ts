// Ages follow the text of a line through moves, new indentation and revisions to ignore; plain origins stay blame's.
import { afterAll, describe, expect, test } from 'vitest';
import { openRepository } from '../../../src/engine/git/run-git.ts';
import type { AnalysisEvent, OriginRun } from '../../../src/engine/model/events.ts';
import { analyzeRepository, analyzeSlice } from '../../../src/engine/walk/analyze.ts';
import { blame } from '../../oracles/blame.ts';
import { type GoldenRepo, goldenRepo } from '../../world/golden-repo.ts';
import { randomHistory } from '../../world/random-history.ts';

const repos: GoldenRepo[] = [];
afterAll(() => {
  for (const repo of repos) repo.cleanup();
});

const BODY = ['const total = sum(prices);', 'const rest = budget - total;', 'report(total, rest, currency);'];
const lines = (...text: readonly string[]) => `${text.join('\n')}\n`;
const day = (number: number) => Date.UTC(2024, 0, 1 + number) / 1000;

function movedHistory(): GoldenRepo {
  const frame = ['function first() {', 'start();', '}'];
  const repo = goldenRepo('main')
    .commit('written', { files: { 'a.js': lines(...frame, ...BODY), 'b.js': lines('begin();') }, at: day(0) })
    .commit('indented', { files: { 'a.js': lines(...frame, ...BODY.map((each) => `    ${each}`)) }, at: day(400) })
    .commit('moved', { files: { 'a.js': lines(...frame), 'b.js': lines('begin();', ...BODY) }, at: day(500) })
    .commit('swept', {
      files: { 'b.js': lines('begin();', ...BODY.map((each) => each.replace('total', 'sum'))) },
      at: day(501),
    })
    .commit('deleted', { files: { 'b.js': lines('begin();') }, at: day(505) })
    .build();
  repos.push(repo);
  return repo;
}

async function collect(events: AsyncIterable<AnalysisEvent>): Promise<AnalysisEvent[]> {
  const all: AnalysisEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

function runsOf(events: readonly AnalysisEvent[], kind: 'origins' | 'followed_origins', sha: string): OriginRun[] {
  return events.flatMap((event) => (event.kind === kind ? event.runs.filter(({ commit }) => commit === sha) : []));
}

describe('the origin of a removed line', () => {
  test('is followed through a move and new indentation, while blame names the move', async () => {
    const repo = movedHistory();
    const events = await collect(analyzeRepository(await openRepository(repo.path), { withOrigins: true }));
    const swept = repo.sha('swept');
    expect(runsOf(events, 'origins', swept).map(({ origin }) => repo.label(origin!))).toEqual(['moved']);
    expect(runsOf(events, 'followed_origins', swept).map(({ origin }) => repo.label(origin!))).toEqual(['written']);
    const final = events.find((event) => event.kind === 'final' && event.sha === swept);
    const [file] = final?.kind === 'final' ? final.files : [];
    expect(file).toMatchObject({ lines_churned: 0, age_lt_2w: 0, age_lt_2y: 3 });
  });

  test('is looked for behind a revision to ignore, in the lines that it changed', async () => {
    const repo = movedHistory();
    const ignoring = goldenRepo('main')
      .commit('a', { files: { 'a.py': lines(...BODY) }, at: day(0) })
      .commit('b', { files: { 'a.py': lines(...BODY.map((each) => each.replace(';', ''))) }, at: day(100) })
      .build();
    repos.push(ignoring);
    const withList = goldenRepo('main')
      .commit('a', { files: { 'a.py': lines(...BODY) }, at: day(0) })
      .commit('b', { files: { 'a.py': lines(...BODY.map((each) => each.replace(';', ''))) }, at: day(100) })
      .commit('c', {
        files: { 'a.py': lines('pass'), '.git-blame-ignore-revs': `${ignoring.sha('b')}\n` },
        at: day(101),
      })
      .build();
    repos.push(withList);
    expect(withList.sha('b')).toBe(ignoring.sha('b'));
    const events = await collect(analyzeRepository(await openRepository(withList.path), { withOrigins: true }));
    const label = ({ origin }: OriginRun) => withList.label(origin!);
    expect(runsOf(events, 'origins', withList.sha('c')).map(label)).toEqual(['b']);
    expect(runsOf(events, 'followed_origins', withList.sha('c')).map(label)).toEqual(['a']);
    expect(repo.sha('swept')).not.toBe('');
  });

  test('is the same when the older commits are known from an earlier import', async () => {
    const repo = movedHistory();
    const repository = await openRepository(repo.path);
    const [head, known] = [repo.sha('deleted'), repo.sha('moved')];
    const slice = { heads: [head], notHeads: [known], onDefaultBranch: true, withOrigins: true };
    const events = await collect(analyzeSlice(repository, slice));
    const origins = runsOf(events, 'followed_origins', repo.sha('swept'));
    expect(origins.map(({ origin }) => repo.label(origin!))).toEqual(['written']);
  });
});

// `git blame -w -M -C` looks for moved lines too, by rules of its own. Wherever it goes further back than plain blame, and
// the engine does, both should name the same commit.
describe.each([11, 12, 13])('random history %i', (seed) => {
  test('followed origins are plain ones, or lie before them', async () => {
    const repo = randomHistory(seed);
    repos.push(repo);
    const events = await collect(analyzeRepository(await openRepository(repo.path), { withOrigins: true }));
    const plain = new Map<string, string | null>();
    const known = new Map<string, string[]>();
    let followed = 0;
    for (const event of events) {
      if (event.kind !== 'origins' && event.kind !== 'followed_origins') continue;
      for (const run of event.runs)
        for (let line = run.line; line < run.line + run.count; line++) {
          const key = `${run.commit} ${run.path} ${line}`;
          if (event.kind === 'origins') plain.set(key, run.origin);
          else if (run.origin !== plain.get(key)) {
            followed++;
            expect(repo.git('merge-base', run.origin!, plain.get(key)!)).toBe(run.origin);
          } else {
            const blamed = `${run.parent} ${run.path}`;
            if (!known.has(blamed)) known.set(blamed, blame(repo, run.parent, run.path));
            expect(run.origin).toBe(known.get(blamed)![line - 1]);
          }
        }
    }
    expect(followed).toBeGreaterThan(0);
  });
});
