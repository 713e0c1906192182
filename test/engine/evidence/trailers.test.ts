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

test('trailers are read as git reads them', () => {
  const expected = gitTrailers(CASES);
  expect(CASES.map(ours)).toEqual(expected);
});

test(`trailers of random messages are read as git reads them (seed ${SEED})`, () => {
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
    expect({ message, trailers: ours(message) }).toEqual({ message, trailers: expected[index] });
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
