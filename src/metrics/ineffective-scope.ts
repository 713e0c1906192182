// What of a request cannot narrow a statistic: AI usage has no repo, and commits have no AI provider. The figures
// are then wider than what was asked for, which an answer must not hide. The compiled queries say what narrows.
import type { DataKind, SegmentId } from '../domain/segments.ts';
import { FACTS } from './catalogue/facts.ts';
import { MEASURES } from './catalogue/measures.ts';
import { SEGMENTS } from './catalogue/segments/index.ts';
import { planSegment } from './compile/plan-segment.ts';
import { compileQuery } from './compile/query.ts';
import type { Question } from './compile/source.ts';
import { type Scope, shapeOf } from './scope.ts';

const WORDS: Partial<Record<DataKind, string>> = { ai_usage: 'AI usage belongs', sprints: 'sprints belong' };

const needOf = ({ measure }: Question): DataKind => FACTS[MEASURES[measure].fact].needs;

/** One sentence for each parameter that narrows less than it seems to. */
export function ineffectiveScope(segment: SegmentId, scope: Scope): string[] {
  if (scope.repoIds === null && scope.aiProvider === null) return [];
  const shape = shapeOf(scope);
  const asked = planSegment(SEGMENTS[segment], 'none', 'whole').questions.map(({ question }) => ({
    question,
    text: compileQuery(question, shape),
  }));
  const sentences: string[] = [];
  const wide = asked.filter(({ text }) => !text.includes(':repos'));
  if (scope.repoIds !== null && wide.length > 0) {
    const needs = [...new Set(wide.map(({ question }) => needOf(question)))];
    const what = needs.map((need) => WORDS[need] ?? `${need.replaceAll('_', ' ')} belong`).join(' and ');
    const reach = wide.length === asked.length ? 'the figures are' : 'that part of the figures is';
    sentences.push(`resource_path: ${what} to no repo, so ${reach} of the whole entity`);
  }
  if (scope.aiProvider !== null && !asked.some(({ text }) => text.includes(':provider'))) {
    sentences.push(`ai_provider has no effect: ${segment} is not told apart by AI provider`);
  }
  return sentences;
}
