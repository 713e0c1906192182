import { describe, expect, test } from 'vitest';
import { EVIDENCE_CLASSES, evidenceClassOf } from '../../../src/domain/ai/evidence.ts';
import { readCommitEvidence } from '../../../src/engine/evidence/read-commit-evidence.ts';
import { parsePerson } from '../../../src/engine/evidence/trailers.ts';
import { SEEN_MARKS, SEEN_PEOPLE } from './seen-marks.ts';

const ADA = 'Ada Lovelace <ada@example.com>';

const read = ({ author = ADA, line }: { author?: string; line?: string }, below = '') =>
  readCommitEvidence({
    raw_author: parsePerson(author)!,
    message: line === undefined ? 'Fix\n' : `Fix\n\nText.\n\n${line}\n${below}`,
  });

describe('a mark of a real commit', () => {
  test.each(SEEN_MARKS.map((mark) => [mark.author ?? mark.line, mark] as const))('%s', (_, mark) => {
    const [credit, ...more] = read(mark).ai;
    expect(more).toEqual([]);
    expect(credit?.model).toBe(mark.model);
    expect(evidenceClassOf(credit!.source)).toBe(mark.class);
    expect(Object.values(mark.seen).every((commits) => commits > 0)).toBe(true);
  });
});

test('each mark of a message is read too where a block was written below it', () => {
  for (const mark of SEEN_MARKS) {
    if (mark.line === undefined) continue;
    const below = '\nChange-Id: I886745ca2b98a21d6b2f4d7917a59e525a84ef28\nSigned-off-by: Ada <ada@x.org>\n';
    expect([mark.line, read(mark, below)]).toEqual([mark.line, read(mark)]);
  }
});

describe('what only looks like a mark', () => {
  test.each(SEEN_PEOPLE.map((each) => [each.line ?? each.author, each] as const))('%s', (_, each) => {
    expect(read(each)).toEqual({ contributor_kind: 'unknown', ai: [] });
  });
});

test('an agent makes a commit AI’s, every other mark a mixed one', () => {
  for (const mark of SEEN_MARKS) expect(read(mark).contributor_kind).toBe(mark.class === 'agent' ? 'ai' : 'mixed');
});

test('every class of evidence that a commit can show by itself is in the table', () => {
  const found = new Set(SEEN_MARKS.map((mark) => mark.class));
  expect(Object.keys(EVIDENCE_CLASSES).filter((name) => !found.has(name as never))).toEqual(['exact', 'counted']);
});
