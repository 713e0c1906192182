// Survival of lines, recomputed plainly: from `git blame` at two dates, and from the engine's line events with blame's
// origins. And both published definitions on one repository: by line event, and by pull request.

import { estimateSurvival, type LineCohort, type SurvivalPoint } from '../../src/domain/ai/survival.ts';
import { ENDING_OPERATIONS, WRITING_OPERATIONS } from '../../src/domain/commits/line-model.ts';
import { openRepository } from '../../src/engine/git/run-git.ts';
import type { FileFact, LineFlow } from '../../src/engine/model/facts.ts';
import { analyzeRepository } from '../../src/engine/walk/analyze.ts';

type Git = (...args: string[]) => string;
type Standing = Map<string, number>;
interface CommitLines {
  readonly sha: string;
  readonly parents: readonly string[];
  readonly authoredAt: number;
  readonly committedAt: number;
  readonly isMerge: boolean;
  files: readonly FileFact[];
  flows: readonly LineFlow[];
}
export interface LineEvents {
  readonly commits: ReadonlyMap<string, CommitLines>;
  /** Removing commit → origin → lines, as blame has origins. */
  readonly removed: ReadonlyMap<string, Standing>;
}

const add = (map: Standing, key: string, count: number): void => void map.set(key, (map.get(key) ?? 0) + count);

export async function readLineEvents(path: string, head: string): Promise<LineEvents> {
  const commits = new Map<string, CommitLines>();
  const removed = new Map<string, Standing>();
  const repository = await openRepository(path);
  for await (const event of analyzeRepository(repository, { branchHead: head, since: null, withOrigins: true })) {
    if (event.kind === 'commit') {
      const { sha, parents, authored, committed, is_merge, files, flows } = event.fact;
      const times = { authoredAt: authored.at, committedAt: committed.at };
      commits.set(sha, { sha, parents, ...times, isMerge: is_merge, files, flows });
    }
    if (event.kind === 'final') Object.assign(commits.get(event.sha)!, { files: event.files, flows: event.flows });
    if (event.kind !== 'origins') continue;
    for (const { commit, count, origin } of event.runs) {
      const origins: Standing = removed.get(commit) ?? new Map();
      removed.set(commit, origins);
      if (origin !== null) add(origins, origin, count);
    }
  }
  return { commits, removed };
}

const shasOf = (text: string): string[] => text.split('\n').filter((line) => line !== '');

/** What commits wrote less what commits up to there took away. */
export function standingByEvents({ commits, removed }: LineEvents, git: Git, head: string): Standing {
  const standing: Standing = new Map();
  const reachable = shasOf(git('rev-list', head));
  for (const sha of reachable) {
    const { files, isMerge } = commits.get(sha)!;
    if (!isMerge) for (const file of files) add(standing, sha, file.added);
  }
  for (const sha of reachable)
    for (const [origin, count] of removed.get(sha) ?? []) if (standing.has(origin)) add(standing, origin, -count);
  return standing;
}

/** Of the text files of a tree. Lines that a merge itself wrote belong to no change. */
export function standingByBlame({ commits }: LineEvents, git: Git, head: string): Standing {
  const standing: Standing = new Map();
  const text = git('grep', '-I', '--name-only', '-z', '-e', '', head);
  for (const name of text.split('\0').filter((each) => each !== '')) {
    const path = name.slice(head.length + 1);
    for (const line of git('blame', '--porcelain', head, '--', path).split('\n')) {
      const match = /^([0-9a-f]{40}) \d+ \d+ (\d+)$/.exec(line);
      if (match !== null && commits.get(match[1]!)?.isMerge === false) add(standing, match[1]!, Number(match[2]));
    }
  }
  return standing;
}

/** Of the lines that stood before: which share of their commits' lines stands after. */
export function survivedPercent(before: Standing, after: Standing): number {
  let [stood, stand] = [0, 0];
  for (const [sha, count] of before) {
    stood += count;
    stand += after.get(sha) ?? 0;
  }
  return stood === 0 ? 100 : (100 * stand) / stood;
}

/**
 * The same from what stood at first and the line events in between. Lines that a merge itself dropped long ago are events
 * of no commit, so that only the days between the two dates are counted by events.
 */
export function survivedPercentByEvents(
  { removed }: LineEvents,
  git: Git,
  { first, head, before }: { readonly first: string; readonly head: string; readonly before: Standing },
): number {
  const stood = [...before.values()].reduce((sum, count) => sum + count, 0);
  let died = 0;
  for (const sha of shasOf(git('rev-list', head, `^${first}`)))
    for (const [origin, count] of removed.get(sha) ?? []) if (before.has(origin)) died += count;
  return stood === 0 ? 100 : (100 * (stood - died)) / stood;
}

const DAY_SECONDS = 86_400;
const dayOf = (seconds: number): number => Math.floor(seconds / DAY_SECONDS);
const written = ({ files }: CommitLines): number =>
  files.reduce((sum, file) => sum + WRITING_OPERATIONS.reduce((all, name) => all + file[`lines_${name}`], 0), 0);
const ended = (flow: LineFlow): number => ENDING_OPERATIONS.reduce((sum, name) => sum + flow[`lines_${name}`], 0);

interface Unit {
  readonly day: number;
  lines: number;
  readonly ends: { age: number; died: number }[];
}

/** Commits of a unit begin together; what a unit ends of itself it never wrote, unless its units are commits. */
function estimate(
  events: LineEvents,
  {
    unitOf,
    dayOfUnit,
    ages,
  }: { unitOf: (sha: string) => string | null; dayOfUnit: (unit: string) => number; ages: readonly number[] },
): SurvivalPoint[] {
  const units = new Map<string, Unit>();
  const last = Math.max(...[...events.commits.values()].map(({ committedAt }) => dayOf(committedAt)));
  for (const commit of events.commits.values()) {
    const unit = commit.isMerge ? null : unitOf(commit.sha);
    if (unit === null) continue;
    const known = units.get(unit) ?? { day: dayOfUnit(unit), lines: 0, ends: [] };
    units.set(unit, known);
    known.lines += written(commit);
  }
  for (const commit of events.commits.values()) {
    const by = commit.isMerge ? null : unitOf(commit.sha);
    if (by === null) continue;
    for (const flow of commit.flows) {
      const of = flow.origin === null ? null : unitOf(flow.origin);
      const unit = of === null ? undefined : units.get(of);
      if (unit === undefined) continue;
      if (of === by && of !== commit.sha) unit.lines -= ended(flow);
      else unit.ends.push({ age: Math.max(0, dayOfUnit(by) - unit.day), died: ended(flow) });
    }
  }
  const cohorts: LineCohort[] = [...units.values()].map(({ day, lines, ends }) => ({
    followedDays: last - day,
    lines,
    ends,
  }));
  return estimateSurvival(cohorts, ages);
}

/** Every commit's lines from the day they were written: the definition of the service. */
export const survivalByLine = (events: LineEvents, ages: readonly number[]): SurvivalPoint[] =>
  estimate(events, { unitOf: (sha) => sha, dayOfUnit: (sha) => dayOf(events.commits.get(sha)!.authoredAt), ages });

/**
 * What each change of the main line brought, from the day it was merged: the commits that the merge made reachable. What a
 * pull request rewrote of itself before is none of it.
 */
export function survivalByPullRequest(
  events: LineEvents,
  git: Git,
  head: string,
  ages: readonly number[],
): SurvivalPoint[] {
  const mergedIn = new Map<string, string>();
  for (const merge of shasOf(git('rev-list', '--first-parent', '--reverse', head))) {
    const first = events.commits.get(merge)?.parents[0];
    for (const sha of shasOf(git('rev-list', merge, ...(first === undefined ? [] : [`^${first}`]))))
      mergedIn.set(sha, merge);
  }
  return estimate(events, {
    unitOf: (sha) => mergedIn.get(sha) ?? null,
    dayOfUnit: (merge) => dayOf(events.commits.get(merge)!.committedAt),
    ages,
  });
}
