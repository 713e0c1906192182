// What has to be said about a report's figures besides them: between which figures one lies that rests on evidence of
// AI, how many lines a statistic of lines leaves out, how many copies of commits, how many commits could not be read, how much work
// of AI agents one about people leaves out, and how many developers one by team.
import { type CategoryKey, categoryOfId } from '../../domain/commits/line-model.ts';
import type { Aggregation } from '../../domain/segments.ts';
import type { Store } from '../../storage/database/handle.ts';
import { type AnyFact, FACTS } from '../catalogue/facts.ts';
import { type AnyMeasure, MEASURES, type MeasureName } from '../catalogue/measures.ts';
import { BY, type SegmentRow } from '../catalogue/segment-row.ts';
import { isPerPerson, namesOf } from '../compile/plan-segment.ts';
import { type DateRange, wholeRange } from '../intervals.ts';
import { type ReportQuery, runReport } from '../run-report.ts';
import type { Scope } from '../scope.ts';
import { type FigureRange, hasLinesWithEvidence, rangeOf, roundTo, totalOf } from '../summarize.ts';

export interface AgentWork {
  readonly commits: number;
  readonly diff_delta: number;
}

export interface LinesLeftOut {
  readonly total: number;
  /** The same under the name that it had first. */
  readonly lines: number;
  /** Of the changed lines of all files. */
  readonly percent: number;
  /** The reason: kinds of files that the entity's line statistics do not count. */
  readonly by_category: Readonly<Partial<Record<CategoryKey, number>>>;
}

export interface CopiesLeftOut {
  readonly commits: number;
  /** What made the copy: a rebase, a cherry-pick, a squash. */
  readonly by_reason: Readonly<Record<string, number>>;
}

export interface TeamlessDevelopers {
  readonly developers: number;
  /** With those who are in a team. */
  readonly total: number;
}

export interface ReportRemarks {
  readonly lines_left_out?: LinesLeftOut;
  /** Of the figure over the whole range of dates. */
  readonly ai_range?: FigureRange;
  /** With a range: false where nothing in the range of dates says who wrote it. A figure of 0 is unknown then. */
  readonly has_ai_evidence?: boolean;
  readonly agent_work_left_out?: AgentWork;
  readonly copies_left_out?: CopiesLeftOut;
  /** Split by team: those with commits who were in none at the time, so that their work is in no series. */
  readonly developers_of_no_team?: TeamlessDevelopers;
  /** Commits that count, and whose lines are missing in the repository, or some of them. */
  readonly commits_not_read?: number;
  /** What is counted comes from these sources: never from two of them for one person, day and provider. */
  readonly usage_sources?: Readonly<Record<string, number>>;
}

export async function remarkOn(
  store: Store,
  row: SegmentRow,
  aggregation: Aggregation,
  range: DateRange,
  scope: Scope,
): Promise<ReportRemarks> {
  const [ai_range, lines_left_out, left, usage_sources, copies_left_out, unread, teamless] = await Promise.all([
    rangeOf(store, row, range, scope),
    isOfLines(row) ? readLinesLeftOut(store, range, scope) : null,
    leavesOutAgents(row, aggregation, scope) ? readAgentWork(store, range, scope) : null,
    readUsageSources(store, row, range, scope),
    valuesOf(row).some(isOfCommits) ? readCopies(store, range, scope) : null,
    isOfChanges(row) ? totalOf(store, { ...PLAIN, value: 'commits_unread' }, range, scope, 'mean') : null,
    isByTeam(row, aggregation) ? readTeamless(store, range, scope) : null,
  ]);
  return {
    ...(ai_range === null ? {} : { ai_range, has_ai_evidence: await hasEvidence(store, ai_range, range, scope) }),
    ...(lines_left_out === null ? {} : { lines_left_out }),
    ...(left === null || left.commits === 0 ? {} : { agent_work_left_out: left }),
    ...(copies_left_out === null || copies_left_out.commits === 0 ? {} : { copies_left_out }),
    ...(teamless === null || teamless.developers === 0 ? {} : { developers_of_no_team: teamless }),
    ...(unread === null || unread === 0 ? {} : { commits_not_read: unread }),
    ...(usage_sources === null ? {} : { usage_sources }),
  };
}

/** Evidence of AI, reports of its use, or evidence that people wrote it: only that makes a 0 a finding. */
async function hasEvidence(store: Store, { high }: FigureRange, range: DateRange, scope: Scope): Promise<boolean> {
  return (high !== null && high > 0) || hasLinesWithEvidence(store, range, scope);
}

/** Where people or a team are asked for, no agent is among them anyway. */
const leavesOutAgents = (row: SegmentRow, aggregation: Aggregation, scope: Scope): boolean =>
  isPerPerson(row, aggregation) && !scope.isAboutPeople && valuesOf(row).some(isOfCommits);

const isByTeam = (row: SegmentRow, aggregation: Aggregation): boolean =>
  (aggregation === 'team' || row.split === 'team') && valuesOf(row).some(isOfCommits);

const valuesOf = (row: SegmentRow): readonly MeasureName[] => [
  ...namesOf(row.value),
  ...Object.values(row.bands ?? {}).flatMap(namesOf),
];

const isOfCommits = (name: MeasureName): boolean => {
  const fact: AnyFact = FACTS[MEASURES[name].fact];
  return fact.isOfCounted === true && fact.needs === 'commits';
};

/** Whether it counts lines of processed files only, above the line or below it. */
export const isOfLines = (row: SegmentRow): boolean =>
  [...valuesOf(row), ...namesOf(row.of)].some((name) => {
    const { files }: AnyMeasure = MEASURES[name];
    return files !== undefined;
  });

/** Columns that are known of a commit whatever it changed. */
const KNOWN_ANYWAY: ReadonlySet<string> = new Set(['commit_count', 'minutes_used']);

/** Whether it sums what commits changed, above the line or below it. */
const isOfChanges = (row: SegmentRow): boolean =>
  [...valuesOf(row), ...namesOf(row.of)].some((name) => {
    const { fact, sum }: AnyMeasure = MEASURES[name];
    const { needs }: AnyFact = FACTS[fact];
    return needs === 'commits' && Object.keys(sum ?? {}).some((column) => !KNOWN_ANYWAY.has(column));
  });

/** Of the whole range, those that are not 0, the largest first. */
async function countsBySplit(
  store: Store,
  row: SegmentRow,
  range: DateRange,
  scope: Scope,
): Promise<[string, number][]> {
  const ask: ReportQuery = {
    row,
    aggregation: 'none',
    range,
    bucket: 'whole',
    intervals: [wholeRange(range)],
    statistic: 'mean',
  };
  return (await runReport(store, ask, scope))
    .map(({ split, values }): [string, number] => [split, values[0] ?? 0])
    .filter(([, count]) => count !== 0)
    .toSorted((a, b) => b[1] - a[1]);
}

async function readLinesLeftOut(store: Store, range: DateRange, scope: Scope): Promise<LinesLeftOut> {
  const [found, all] = await Promise.all([
    countsBySplit(store, { ...PLAIN, value: 'lines_left_out', split: 'category' }, range, scope),
    totalOf(store, { ...PLAIN, value: 'lines_of_all_files' }, range, scope, 'mean'),
  ]);
  const counts = found.map(([split, count]): [CategoryKey, number] => [categoryOfId(Number(split)), count]);
  const lines = counts.reduce((sum, [, count]) => sum + count, 0);
  return {
    total: lines,
    lines,
    percent: all === null || all === 0 ? 0 : roundTo((100 * lines) / all, 1),
    by_category: Object.fromEntries(counts),
  };
}

async function readCopies(store: Store, range: DateRange, scope: Scope): Promise<CopiesLeftOut> {
  const counts = await countsBySplit(store, { ...PLAIN, value: 'commits_copied', split: 'not_counted' }, range, scope);
  return { commits: counts.reduce((sum, [, count]) => sum + count, 0), by_reason: Object.fromEntries(counts) };
}

/** Somebody in several teams is one of them: all teams are folded into one. */
async function readTeamless(store: Store, range: DateRange, scope: Scope): Promise<TeamlessDevelopers> {
  const row = { ...PLAIN, value: 'active_committers', combine: 'distinct' } as const satisfies SegmentRow;
  const ask = { row, range, bucket: 'whole', intervals: [wholeRange(range)], statistic: 'mean' } as const;
  const [total, [inTeams]] = await Promise.all([
    totalOf(store, row, range, scope, 'mean'),
    runReport(store, { ...ask, aggregation: 'team', kept: { groups: [] } }, scope),
  ]);
  return { developers: (total ?? 0) - (inTeams?.values[0] ?? 0), total: total ?? 0 };
}

/** The figure, before it is divided, by where reports of use come from; null where the statistic has none. */
async function readUsageSources(
  store: Store,
  row: SegmentRow,
  range: DateRange,
  scope: Scope,
): Promise<Readonly<Record<string, number>> | null> {
  const [value] = valuesOf(row).filter((name) => MEASURES[name].fact === 'usages');
  if (value === undefined) return null;
  const { distinct }: AnyMeasure = MEASURES[value];
  const combine = distinct === undefined ? 'sum' : 'distinct';
  const figures = (await countsBySplit(store, { ...PLAIN, value, split: 'source', combine }, range, scope))
    .map(([source, figure]): [string, number] => [source, roundTo(figure, 2)])
    .filter(([, figure]) => figure !== 0);
  return figures.length === 0 ? null : Object.fromEntries(figures);
}

async function readAgentWork(store: Store, range: DateRange, scope: Scope): Promise<AgentWork> {
  const [commits, delta] = await Promise.all(
    (['commits_of_agents', 'delta_of_agents'] as const).map((value) =>
      totalOf(store, { ...PLAIN, value }, range, scope, 'mean'),
    ),
  );
  return { commits: commits ?? 0, diff_delta: roundTo(delta ?? 0, 0) };
}

const PLAIN = {
  title: '',
  description: '',
  unit: '',
  precision: 0,
  combine: 'sum',
  by: BY.code,
  higher_is_better: null,
  companion: 'none',
  needs: [],
} as const satisfies SegmentRow;

export const warningsOfRemarks = ({ agent_work_left_out, commits_not_read }: ReportRemarks): string[] => [
  ...(agent_work_left_out === undefined ? [] : [warnOfAgents(agent_work_left_out)]),
  ...(commits_not_read === undefined ? [] : [warnOfUnread(commits_not_read)]),
];

/** For a split by team that was not asked for: who takes it for the whole is told what it lacks. */
export function warnOfTeamless({ developers_of_no_team: teamless }: ReportRemarks): string[] {
  if (teamless === undefined) return [];
  const { developers, total } = teamless;
  const [verb, whose] = developers === 1 ? ['is', 'the work of this one'] : ['are', 'their work'];
  return [
    `shown by team; ${developers} of ${total} ${total === 1 ? 'developer' : 'developers'} with commits ${verb} in none, ` +
      `and ${whose} is in no series; aggregate_by=none counts all`,
  ];
}

function warnOfUnread(commits: number): string {
  const [noun, whose] = commits === 1 ? ['commit', 'its'] : ['commits', 'their'];
  const lack = `objects are missing or damaged, and the figures lack ${whose} lines`;
  return `${commits} ${noun} could not be read, or not wholly: ${lack}; GET /imports names them`;
}

function warnOfAgents(work: AgentWork): string {
  const [noun, verb] = work.commits === 1 ? ['commit', 'is'] : ['commits', 'are'];
  const left = `${work.commits} ${noun} of AI agents with a Diff Delta of ${Math.round(work.diff_delta)} ${verb} left out`;
  return `${left}: no person is known to have directed them`;
}
