// What has to be said about a report's figures besides them: between which figures one lies that rests on evidence of
// AI, and how much work of AI agents a statistic about people leaves out.
import type { Aggregation } from '../domain/segments.ts';
import type { Store } from '../storage/database/handle.ts';
import { type AnyFact, FACTS } from './catalogue/facts.ts';
import { MEASURES, type MeasureName } from './catalogue/measures.ts';
import { BY, type SegmentRow } from './catalogue/segment-row.ts';
import { isPerPerson, namesOf } from './compile/plan-segment.ts';
import type { DateRange } from './intervals.ts';
import type { Scope } from './scope.ts';
import { type FigureRange, rangeOf, roundTo, totalOf } from './summarize.ts';

export interface AgentWork {
  readonly commits: number;
  readonly diff_delta: number;
}

export interface ReportRemarks {
  /** Of the figure over the whole range of dates. */
  readonly ai_range?: FigureRange;
  readonly agent_work_left_out?: AgentWork;
}

export async function remarkOn(
  store: Store,
  row: SegmentRow,
  aggregation: Aggregation,
  range: DateRange,
  scope: Scope,
): Promise<ReportRemarks> {
  const [ai_range, left] = await Promise.all([
    rangeOf(store, row, range, scope),
    leavesOutAgents(row, aggregation, scope) ? readAgentWork(store, range, scope) : null,
  ]);
  return {
    ...(ai_range === null ? {} : { ai_range }),
    ...(left === null || left.commits === 0 ? {} : { agent_work_left_out: left }),
  };
}

/** Where people or a team are asked for, no agent is among them anyway. */
const leavesOutAgents = (row: SegmentRow, aggregation: Aggregation, scope: Scope): boolean =>
  isPerPerson(row, aggregation) && !scope.isAboutPeople && valuesOf(row).some(isOfCommits);

const valuesOf = (row: SegmentRow): readonly MeasureName[] => [
  ...namesOf(row.value),
  ...Object.values(row.bands ?? {}).flatMap(namesOf),
];

const isOfCommits = (name: MeasureName): boolean => {
  const fact: AnyFact = FACTS[MEASURES[name].fact];
  return fact.isOfCounted === true && fact.needs === 'commits';
};

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

export function warningsOfRemarks({ agent_work_left_out: work }: ReportRemarks): string[] {
  if (work === undefined) return [];
  const [noun, verb] = work.commits === 1 ? ['commit', 'is'] : ['commits', 'are'];
  const left = `${work.commits} ${noun} of AI agents with a Diff Delta of ${Math.round(work.diff_delta)} ${verb} left out`;
  return [`${left}: no person is known to have directed them`];
}
