import { expect, test } from 'vitest';
import { NoteError, parseGitAiNote } from '../../../src/engine/evidence/git-ai-note.ts';

const METADATA = {
  schema_version: 'authorship/3.0.0',
  git_ai_version: '1.5.3',
  base_commit_sha: '3051950678'.repeat(4),
  prompts: {
    '0123456789abcdef': {
      agent_id: { tool: 'cursor', id: 'x', model: 'claude-4.5-opus-high-thinking' },
      human_author: 'Ada <ada@x.org>',
      messages: [{ type: 'user', text: 'the secret prompt text' }],
      total_additions: 3,
      overriden_lines: 0,
    },
    abcdef0: { agent_id: { tool: 'codex', id: 'y', model: 'gpt-5.2-codex' } },
  },
  sessions: { s_0123456789abcd: { agent_id: { tool: 'claude', id: 'z', model: 'claude-opus-4-6' } } },
  humans: { h_0123456789abcd: { author: 'Ada <ada@x.org>' } },
};

const note = (attestation: string, metadata: unknown = METADATA): Buffer =>
  Buffer.from(`${attestation}---\n${JSON.stringify(metadata, null, 2)}`);

/** `first-last kind model` with 1-based line numbers, as the note writes them. */
function runsOf(bytes: Buffer, path: string): string[] {
  const runs = parseGitAiNote(bytes).lines.get(path) ?? [];
  return runs.map((run) => `${run.start + 1}-${run.end} ${run.kind} ${run.model ?? '?'} ${run.provider ?? '?'}`);
}

test('each form of key finds its writer', () => {
  const bytes = note(
    [
      'src/a.ts',
      '  s_0123456789abcd::t_aaaaaaaaaaaaaa 1,3-5',
      '  s_0123456789abcd 7',
      '  0123456789abcdef 9-10',
      '  abcdef0 12',
      '  h_0123456789abcd 14-15',
      '  ai_agent 17',
      '  human 19',
      '',
    ].join('\n'),
  );
  expect(runsOf(bytes, 'src/a.ts')).toEqual([
    '1-1 ai claude-opus-4.6 vendorC_platform',
    '3-5 ai claude-opus-4.6 vendorC_platform',
    '7-7 ai claude-opus-4.6 vendorC_platform',
    '9-10 ai claude-opus-4.5 vendorB_editor',
    '12-12 ai gpt-5.2-codex other',
    '14-15 human ? ?',
    '17-17 ai ? ?',
    '19-19 human ? ?',
  ]);
});

test('ranges out of order are sorted, and where two keys claim a line the AI record wins', () => {
  const bytes = note('a.ts\n  h_0123456789abcd 1-20\n  0123456789abcdef 12,3-5,4-6\n');
  expect(runsOf(bytes, 'a.ts')).toEqual([
    '1-2 human ? ?',
    '3-6 ai claude-opus-4.5 vendorB_editor',
    '7-11 human ? ?',
    '12-12 ai claude-opus-4.5 vendorB_editor',
    '13-20 human ? ?',
  ]);
});

test('a quoted path loses its quotes, and names such as __proto__ are only names', () => {
  const parsed = parseGitAiNote(note('"a file.ts"\n  human 1\n__proto__\n  human 2\nconstructor\n  human 3\n'));
  expect([...parsed.lines.keys()]).toEqual(['a file.ts', '__proto__', 'constructor']);
});

test('no prompt text survives, in any form', () => {
  const bytes = note('src/a-path-long-enough-to-be-a-slice.ts\n  0123456789abcdef 1\n');
  const parsed = parseGitAiNote(bytes);
  expect(JSON.stringify([...parsed.lines])).not.toContain('secret');
});

test('entries that make no sense are counted and passed over', () => {
  const parsed = parseGitAiNote(
    note('  human 1\na.ts\n  human 0\n  human 5-2\n  human x\n  human\n  ???? 3\n  human 99999999999\n  human 8\n'),
  );
  expect(parsed.skipped).toBe(7);
  expect(parsed.lines.get('a.ts')).toHaveLength(1);
});

test('a key whose session the metadata lacks is still AI, of unknown model', () => {
  expect(runsOf(note('a.ts\n  s_ffffffffffffff::t_aaaaaaaaaaaaaa 1\n  1234567 3\n'), 'a.ts')).toEqual([
    '1-1 ai ? ?',
    '3-3 ai ? ?',
  ]);
});

test('an empty attestation is a note without lines', () => {
  expect(parseGitAiNote(note('')).lines.size).toBe(0);
});

test.each([
  ['no divider', Buffer.from('a.ts\n  human 1\n'), 'no_divider'],
  ['metadata that is not JSON', Buffer.from('a.ts\n  human 1\n---\n{nope'), 'bad_json'],
  ['another schema', Buffer.from('---\n{"schema_version":"x/1"}'), 'other_schema'],
  ['no schema', Buffer.from('---\n[]'), 'other_schema'],
])('%s is refused with its reason', (_, bytes, reason) => {
  expect(() => parseGitAiNote(bytes)).toThrow(NoteError);
  try {
    parseGitAiNote(bytes);
  } catch (error) {
    expect(error).toMatchObject({ reason });
  }
});
