// What of a request cannot narrow a statistic: AI usage has no repo, and commits have no AI provider. The figures
// are then wider than what was asked for, which an answer must not hide.
import type { DataKind, SegmentId } from '../domain/segments.ts';
import { type AnyFact, FACTS, relationText } from './facts.ts';
import { type AnyMeasure, MEASURES } from './measures.ts';
import { planSegment } from './plan-segment.ts';
import type { Scope } from './scope.ts';
import { SEGMENTS } from './segments/index.ts';

const WORDS: Partial<Record<DataKind, string>> = {
  ai_usage: 'AI usage belongs',
  sprints: 'sprints belong',
  issues: 'bugs belong',
};

/** One sentence for each parameter that narrows less than it seems to. */
export function ineffectiveScope(segment: SegmentId, scope: Pick<Scope, 'repoIds' | 'aiProvider'>): string[] {
  const { questions } = planSegment(SEGMENTS[segment], 'none', 'whole');
  const facts = questions.map(({ question }): AnyFact => {
    const measure: AnyMeasure = MEASURES[question.measure];
    return FACTS[measure.fact];
  });
  const sentences: string[] = [];
  const wide = facts.filter((fact) => fact.repo === undefined && fact.reposOfIssue !== true);
  if (scope.repoIds !== null && wide.length > 0) {
    const what = [...new Set(wide.map(({ needs }) => WORDS[needs] ?? `${needs} belong`))].join(' and ');
    const reach = wide.length === facts.length ? 'the figures are' : 'that part of the figures is';
    sentences.push(`resource_path: ${what} to no repo, so ${reach} of the whole entity`);
  }
  const hasProvider = (fact: AnyFact): boolean =>
    fact.provider !== undefined || relationText(fact.source).includes(':provider');
  if (scope.aiProvider !== null && !facts.some(hasProvider)) {
    sentences.push(`ai_provider has no effect: ${segment} is not told apart by AI provider`);
  }
  return sentences;
}
