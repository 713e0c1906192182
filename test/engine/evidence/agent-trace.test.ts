import { expect, test } from 'vitest';
import { parseAgentTrace, TraceError } from '../../../src/engine/evidence/agent-trace.ts';

const RECORD = {
  version: '0.1.0',
  id: '550e8400-e29b-41d4-a716-446655440000',
  timestamp: '2026-01-25T10:00:00Z',
  vcs: { type: 'git', revision: 'a'.repeat(40) },
  tool: { name: 'cursor', version: '2.4.0' },
  files: [
    {
      path: 'src/app.ts',
      conversations: [
        {
          url: 'https://example.com/1',
          contributor: { type: 'ai', model_id: 'anthropic/claude-opus-4-5-20251101' },
          ranges: [
            { start_line: 10, end_line: 20, content_hash: 'murmur3:9f2e8a1b' },
            { start_line: 30, end_line: 31, contributor: { type: 'mixed' } },
          ],
        },
        { contributor: { type: 'human' }, ranges: [{ start_line: 1, end_line: 5 }] },
        { contributor: { type: 'unknown' }, ranges: [{ start_line: 6, end_line: 7 }] },
      ],
    },
  ],
};
const bytes = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));

test("ranges carry their own contributor or the conversation's, and unknown ones stay uncovered", () => {
  const [record] = parseAgentTrace(bytes(RECORD));
  expect(record?.revision).toBe('a'.repeat(40));
  expect(record?.skipped).toBe(1);
  expect(record?.lines.get('src/app.ts')).toEqual([
    { start: 0, end: 5, kind: 'human', model: null, provider: null, source: 'agent_trace' },
    { start: 9, end: 20, kind: 'ai', model: 'claude-opus-4.5', provider: 'vendorB_editor', source: 'agent_trace' },
    { start: 29, end: 31, kind: 'mixed', model: 'cursor', provider: 'vendorB_editor', source: 'agent_trace' },
  ]);
});

test('a list and one record per line are read alike', () => {
  const list = parseAgentTrace(bytes([RECORD, RECORD]));
  const lines = parseAgentTrace(Buffer.from(`${JSON.stringify(RECORD)}\n\n${JSON.stringify(RECORD)}\n`));
  expect(list).toHaveLength(2);
  expect(lines).toEqual(list);
});

test('a record without a revision belongs to no commit', () => {
  expect(parseAgentTrace(bytes({ version: '0.1.0', files: [] }))[0]?.revision).toBeNull();
  expect(parseAgentTrace(bytes({ version: '0.1.0', files: [], vcs: { revision: 'HEAD' } }))[0]?.revision).toBeNull();
});

test.each([
  ['text', Buffer.from('hello'), 'bad_json'],
  ['a number', Buffer.from('7'), 'not_a_record'],
  ['a record without files', bytes({ version: '0.1.0' }), 'not_a_record'],
])('%s is refused with its reason', (_, document, reason) => {
  expect(() => parseAgentTrace(document)).toThrow(TraceError);
  try {
    parseAgentTrace(document);
  } catch (error) {
    expect(error).toMatchObject({ reason });
  }
});
