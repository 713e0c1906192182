// Random histories against git's own answers. A failing seed is printed; add it to KNOWN_SEEDS to replay.
import { describe, expect, test } from 'vitest';
import { readBranches } from '../../../src/engine/git/list-commits.ts';
import { openRepository } from '../../../src/engine/git/run-git.ts';
import type { AnalysisEvent, OriginRun } from '../../../src/engine/model/events.ts';
import type { FileFact } from '../../../src/engine/model/facts.ts';
import { type AnalyzeOptions, analyzeRepository } from '../../../src/engine/walk/analyze.ts';
import { blame, numstat } from '../../oracles/blame.ts';
import type { GoldenRepo } from '../../world/golden-repo.ts';
import { randomHistory } from '../../world/random-history.ts';

/** Each was found failing once, or covers a shape by design. */
const KNOWN_SEEDS = [1, 2, 3, 4, 5, 6, 7, 8, 1087697893, 2125881368];
const RANDOM_SEEDS = Array.from({ length: 4 }, () => Math.floor(Math.random() * 2 ** 31));

async function analyze(repo: GoldenRepo, options: AnalyzeOptions = {}): Promise<AnalysisEvent[]> {
  const events: AnalysisEvent[] = [];
  const repository = await openRepository(repo.path);
  // All branches, also those that share no commit with the default branch: git lists these too.
  const branches = await readBranches(repository);
  for await (const event of analyzeRepository(repository, { ...options, branches })) events.push(event);
  return events;
}

/** `sha path` → facts, from whichever event was the last word. */
function fileFacts(events: readonly AnalysisEvent[]): Map<string, FileFact> {
  const facts = new Map<string, FileFact>();
  for (const event of events) {
    const [sha, files] =
      event.kind === 'commit'
        ? [event.fact.sha, event.fact.files]
        : event.kind === 'final'
          ? [event.sha, event.files]
          : ['', []];
    for (const file of files) facts.set(`${sha} ${file.path}`, file);
  }
  return facts;
}

function differences(repo: GoldenRepo, runs: readonly OriginRun[]): string[] {
  const found: string[] = [];
  const known = new Map<string, string[]>();
  for (const run of runs) {
    const key = `${run.parent} ${run.path}`;
    const origins = known.get(key) ?? blame(repo, run.parent, run.path);
    known.set(key, origins);
    for (let i = 0; i < run.count; i++) {
      const truth = origins[run.line - 1 + i];
      if (truth !== run.origin)
        found.push(
          `${repo.label(run.commit)} removed ${run.path}:${run.line + i} of ${repo.label(run.parent)}: ` +
            `blame says ${repo.label(truth ?? 'nothing')}, we say ${repo.label(run.origin ?? 'nothing')}`,
        );
    }
  }
  return found;
}

describe.each([...KNOWN_SEEDS, ...RANDOM_SEEDS])('random history %i', (seed) => {
  const repo = randomHistory(seed);

  test('every removed line has the origin that git blame gives', async () => {
    const events = await analyze(repo, { withOrigins: true, threads: 1, chunkCommits: 7 });
    const runs = events.flatMap((event) => (event.kind === 'origins' ? event.runs : []));
    expect(differences(repo, runs)).toEqual([]);
    const removed = [...fileFacts(events).values()].reduce((sum, file) => sum + file.removed, 0);
    expect(runs.reduce((sum, run) => sum + run.count, 0)).toBe(removed);
  });

  test('added and removed lines are those of git log --numstat', async () => {
    const facts = fileFacts(await analyze(repo, { threads: 2 }));
    const ours = new Map([...facts].map(([key, file]) => [key, `${file.added} ${file.removed}`]));
    expect(ours).toEqual(numstat(repo, '--branches'));
  });
});
