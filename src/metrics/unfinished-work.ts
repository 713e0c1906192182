// What a report lacks because the work on it has not come to its end: figures of then are no figures yet.
import type { SegmentId } from '../domain/segments.ts';
import { type KnownData, needsCommits } from './availability.ts';
import { MEASURES } from './catalogue/measures.ts';
import { SEGMENTS } from './catalogue/segments/index.ts';
import { planSegment } from './compile/plan-segment.ts';

const MOST_NAMED = 3;

/** Coding time, phase and purpose of commits are worked out after an import, for all repos together. */
export const readsTraits = (segment: SegmentId): boolean =>
  planSegment(SEGMENTS[segment], 'none', 'whole').questions.some(
    ({ question }) => MEASURES[question.measure].fact === 'traced',
  );

/** A sentence for each. */
export function unfinishedWork(segment: SegmentId, { unfinished, isDeriving }: KnownData): string[] {
  const sentences: string[] = [];
  if (needsCommits(SEGMENTS[segment]) && unfinished.length > 0) {
    const named = unfinished.slice(0, MOST_NAMED).map(({ repo_path, percent }) => `${repo_path} to ${percent} %`);
    const more = unfinished.length > named.length ? ` and ${unfinished.length - named.length} more` : '';
    sentences.push(`not imported to the end: ${named.join(', ')}${more}; the figures lack the commits that are left`);
  }
  if (isDeriving && readsTraits(segment)) {
    sentences.push('coding time, phase and purpose of commits are being worked out; new commits may be without');
  }
  return sentences;
}
