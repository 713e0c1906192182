// What of a request cannot narrow a statistic: AI usage has no repo, and commits have no AI provider. The figures
// are then wider than what was asked for, which an answer must not hide. The compiled queries say what narrows.
import type { DataKind, SegmentId } from '../domain/segments.ts';
import { FACTS } from './catalogue/facts.ts';
import { MEASURES } from './catalogue/measures.ts';
import { SEGMENTS } from './catalogue/segments/index.ts';
import { planSegment } from './compile/plan-segment.ts';
import { compileQuery } from './compile/query.ts';
import { ON_DEFAULT_BRANCH, type Question } from './compile/source.ts';
import { type Scope, shapeOf } from './scope.ts';

const WORDS: Partial<Record<DataKind, string>> = { ai_usage: 'AI usage belongs', sprints: 'sprints belong' };

const needOf = ({ measure }: Question): DataKind => FACTS[MEASURES[measure].fact].needs;

interface Planned {
  readonly question: Question;
  readonly text: string;
}

function plan(segment: SegmentId, scope: Scope): Planned[] {
  const shape = shapeOf(scope);
  return planSegment(SEGMENTS[segment], 'none', 'whole').questions.map(({ question }) => ({
    question,
    text: compileQuery(question, shape),
  }));
}

const takesProvider = (planned: readonly Planned[]): boolean => planned.some(({ text }) => text.includes(':provider'));

/** Whether an AI provider was asked for and the figures are of all of them. */
export const ignoresProvider = (segment: SegmentId, scope: Scope): boolean =>
  scope.aiProvider !== null && !takesProvider(plan(segment, scope));

/** One sentence for each parameter that narrows less than it seems to. */
export function ineffectiveScope(segment: SegmentId, scope: Scope): string[] {
  if (scope.repoIds === null && scope.aiProvider === null && !scope.isDefaultBranchOnly) return [];
  const planned = plan(segment, scope);
  const sentences: string[] = [];
  const wide = planned.filter(({ text }) => !text.includes(':repos'));
  if (scope.repoIds !== null && wide.length > 0) {
    const needs = [...new Set(wide.map(({ question }) => needOf(question)))];
    const what = needs.map((need) => WORDS[need] ?? `${need.replaceAll('_', ' ')} belong`).join(' and ');
    const reach = wide.length === planned.length ? 'the figures are' : 'that part of the figures is';
    sentences.push(`resource_path: ${what} to no repo, so ${reach} of the whole entity`);
  }
  if (scope.aiProvider !== null && !takesProvider(planned)) {
    sentences.push(`ai_provider has no effect: ${segment} is not told apart by AI provider`);
  }
  if (scope.isDefaultBranchOnly) sentences.push(...ofAllBranches(planned));
  return sentences;
}

function ofAllBranches(planned: readonly Planned[]): string[] {
  const wide = planned.filter(({ text }) => !text.includes(ON_DEFAULT_BRANCH));
  const isReportedUse = ({ question }: Planned): boolean =>
    FACTS[MEASURES[question.measure].fact].source.includes('usage_credits');
  const sentences: string[] = [];
  if (wide.some(isReportedUse)) {
    sentences.push('default_branch_only: lines credited by reported AI use are left out, because use names no branch');
  }
  const others = wide.filter((each) => !isReportedUse(each));
  if (others.length > 0) {
    const reach = others.length === planned.length ? 'the figures are' : 'that part of the figures is';
    const what = [...new Set(others.map(({ question }) => needOf(question).replaceAll('_', ' ')))].join(' and ');
    sentences.push(`default_branch_only narrows commits, not ${what}, so ${reach} of all branches`);
  }
  return sentences;
}
