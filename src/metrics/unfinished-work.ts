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
export function unfinishedWork(segment: SegmentId, { unfinished, isDeriving, derivedOtherwise }: KnownData): string[] {
  const sentences: string[] = [];
  const isOfCommits = needsCommits(SEGMENTS[segment]);
  if (isOfCommits && unfinished.length > 0) {
    const named = nameSome(unfinished.map(({ repo_path, percent }) => `${repo_path} to ${percent} %`));
    sentences.push(`not imported to the end: ${named}; the figures lack the commits that are left`);
  }
  if (isOfCommits && derivedOtherwise.length > 0) {
    sentences.push(
      `not yet derived anew after an upgrade: ${nameSome(derivedOtherwise)}; ` +
        'until then their figures are, in part or all, those of the earlier version',
    );
  }
  if (isDeriving && readsTraits(segment)) {
    sentences.push('coding time, phase and purpose of commits are being worked out; new commits may be without');
  }
  return sentences;
}

function nameSome(names: readonly string[]): string {
  const more = names.length - MOST_NAMED;
  return `${names.slice(0, MOST_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
