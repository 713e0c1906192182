import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parsePerson, parseTrailers } from '../../../src/engine/evidence/trailers.ts';
import { goldenRepo } from '../../world/golden-repo.ts';

const SEED = Number(process.env.SEED ?? 20_251_115);

/** What git reads from the same messages, in order. */
function gitTrailers(messages: readonly string[]): string[][] {
  const builder = goldenRepo();
  for (const [index, message] of messages.entries()) builder.commit(`m${index}`, { message });
  const repo = builder.build();
  try {
    const out = repo.git('log', '--reverse', '-z', '--format=%(trailers:only,unfold)').split('\0');
    return out.slice(0, messages.length).map((text) => text.split('\n').filter((line) => line !== ''));
  } finally {
    repo.cleanup();
  }
}

const ours = (message: string): string[] => parseTrailers(message).map(({ key, value }) => `${key}: ${value}`);

/** The last so many: what stands above git's block comes before it. */
const lastOf = (message: string, count: number): string[] => {
  const read = ours(message);
  return read.slice(read.length - count);
};

const CASES: readonly string[] = [
  'Subject only\n',
  'Signed-off-by: A <a@x>\n',
  'Subject\n\nCo-authored-by: A <a@x>\nCo-Authored-By: B <b@x>\n',
  'Subject\n\nbody text\n\nSigned-off-by: A <a@x>\n\n\n',
  'Subject\n\nbody text\nSigned-off-by: A <a@x>\n',
  'Subject\n\nbody text\nwithout blank\nor\nmore\nthan\nthree\nSigned-off-by: A <a@x>\n',
  'Subject\n\nNote: this\nis prose\n',
  'Subject\n\nKey: folded\n  over two\n\tlines\nOther: x\n',
  'Subject\n\n(cherry picked from commit 0123456789012345678901234567890123456789)\nfree text\n',
  'Subject\n\nKey : spaced\nOther-Key:tight\n',
  'Subject\n\nhttps://example.com/x\nKey: v\n',
  'Subject\n\nKey: v\n# comment\nOther: w\n',
  'Subject\n\n- list\n- of things\n\nReviewed-by: A\n  \n',
  '\n\nSubject after blanks\n\nKey: v\n',
  'Subject\n\nText\n---------\n\nCo-authored-by: A <a@x>',
  'Subject\n  \nKey: v\n',
];

test('what git reads is read, and last', () => {
  const expected = gitTrailers(CASES);
  expect(CASES.map((message, index) => lastOf(message, expected[index]!.length))).toEqual(expected);
});

test.each([
  ['a block below', 'Subject\n\nKey: a\nOther: b\n\nChange-Id: I01\n', ['Key: a', 'Other: b', 'Change-Id: I01']],
  ['prose below', 'Subject\n\nKey: a\n\nMore to say.\n', ['Key: a']],
  ['prose above in its paragraph', 'Subject\n\nSome text.\nKey: a\n\nMore.\n', ['Key: a']],
  ['prose behind it in its paragraph', 'Subject\n\nThe line\nKey: a\nis quoted.\n\nMore.\n', []],
  ['a folded value', 'Subject\n\nKey: a\n  b\n\nMore.\n', ['Key: a b']],
  ['the subject, which is none', 'Key: a\n\nMore.\n', []],
  ['messages that a squash stacks', 'Squash\n\n* one\n\nKey: a\n\n* two\n\nKey: b\n', ['Key: a', 'Key: b']],
])('trailers are read with %s', (_, message, expected) => {
  expect(ours(message)).toEqual(expected);
});

test(`of random messages what git reads is read, and last (seed ${SEED})`, () => {
  const line = fc.constantFrom(
    '',
    '',
    'Some text here',
    'Key: value',
    'Signed-off-by: A <a@x>',
    'Co-authored-by: B <b@x>',
    '  continued',
    '\tcontinued',
    '(cherry picked from commit 0123456789)',
    'Not a key: value',
    'key with spaces : v',
    ': no key',
    '-: dash',
    '# comment',
    'https://a.b/c',
    '   ',
  );
  const messages = fc.sample(
    fc.array(line, { minLength: 1, maxLength: 14 }).map((lines) => `Subject\n${lines.join('\n')}\n`),
    { numRuns: 600, seed: SEED },
  );
  const expected = gitTrailers(messages);
  for (const [index, message] of messages.entries()) {
    const trailers = expected[index]!;
    expect({ message, trailers: lastOf(message, trailers.length) }).toEqual({ message, trailers });
  }
});

test('a name and address are taken apart, and text without an address is none', () => {
  expect(parsePerson('Ada <ada@x.org>')).toEqual({ name: 'Ada', email: 'ada@x.org' });
  expect(parsePerson('Claude Opus 4.5 (1M context) <noreply@anthropic.com>')?.name).toBe(
    'Claude Opus 4.5 (1M context)',
  );
  expect(parsePerson('<only@x.org> trailing')).toEqual({ name: '', email: 'only@x.org' });
  expect(parsePerson('nobody')).toBeNull();
  expect(parsePerson('broken <ada@x.org')).toBeNull();
  expect(parsePerson('empty <>')).toBeNull();
});
