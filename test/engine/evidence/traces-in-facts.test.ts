import { afterAll, expect, test } from 'vitest';
import { openLineHistory } from '../../../src/engine/line-history/index.ts';
import type { CommitFact } from '../../../src/engine/model/facts.ts';
import { collectAnalysis } from '../../support/collect-analysis.ts';
import { type GoldenRepoBuilder, goldenRepo } from '../../world/golden-repo.ts';

const line = (word: string) => `const ${word} = computeTheValueOf(${word}Input);\n`;
const WRITTEN_AT = '2024-02-01T10:00:00Z';
const SECONDS_LATER = '2024-02-01T10:00:03Z';
const MINUTES_LATER = '2024-02-01T10:05:00Z';

interface Traced {
  readonly revision?: string;
  readonly timestamp?: string;
  readonly type?: string;
  readonly path?: string;
  readonly first?: number;
  readonly last?: number;
}

function record({
  revision,
  timestamp = WRITTEN_AT,
  type = 'ai',
  path = 'a.ts',
  first = 1,
  last = first,
}: Traced): string {
  return JSON.stringify({
    version: '0.1.0',
    id: '550e8400-e29b-41d4-a716-446655440000',
    timestamp,
    ...(revision === undefined ? {} : { vcs: { type: 'git', revision } }),
    tool: { name: 'claude-code' },
    files: [
      {
        path,
        conversations: [
          {
            contributor: { type, model_id: 'anthropic/claude-opus-4-5-20251101' },
            ranges: [{ start_line: first, end_line: last }],
          },
        ],
      },
    ],
  });
}

const history = (): GoldenRepoBuilder =>
  goldenRepo()
    .commit('base', { files: { 'a.ts': line('zero') }, at: '2024-01-31T10:00:00Z' })
    .commit('work', {
      files: { 'a.ts': ['zero', 'one', 'two', 'three'].map(line).join(''), 'b.ts': line('other') },
      at: WRITTEN_AT,
    })
    .commit('next', { files: { 'c.ts': line('plain') }, at: '2024-02-02T10:00:00Z' });

const plain = history().build();
const WORK = plain.sha('work');
const built = [plain];
afterAll(() => {
  for (const repo of built) repo.cleanup();
});

const withLog = (...lines: string[]): GoldenRepoBuilder =>
  history().commit('log', { files: { '.agent-trace/traces.jsonl': `${lines.join('\n')}\n` } });

async function factOf(builder: GoldenRepoBuilder, label: string): Promise<CommitFact> {
  const repo = builder.build();
  built.push(repo);
  expect(repo.sha('work')).toBe(WORK);
  const { commits, files } = await collectAnalysis(repo.path, { since: null, threads: 1 });
  const fact = commits.get(repo.sha(label));
  if (fact === undefined) throw new Error(`${label} was not told`);
  return { ...fact, files: [...files].flatMap(([key, file]) => (key.startsWith(`${fact.sha} `) ? [file] : [])) };
}

const creditedLines = (fact: CommitFact) =>
  fact.files.map(({ path, added, ai_lines_changed }) => [path, added, ai_lines_changed]);

const NOTHING = [
  ['a.ts', 3, 0],
  ['b.ts', 1, 0],
];
const TWO_LINES = [
  ['a.ts', 3, 2000],
  ['b.ts', 1, 0],
];

test('a trace record in a note credits its lines, as far as the commit wrote them', async () => {
  const fact = await factOf(
    history().note('agent-trace', 'work', record({ revision: WORK, first: 1, last: 3 })),
    'work',
  );
  expect(creditedLines(fact)).toEqual(TWO_LINES);
  expect(fact).toMatchObject({
    contributor_kind: 'ai',
    ai: [{ model: 'claude-opus-4.5', provider: 'vendorC_platform', source: 'agent_trace' }],
    limits: [],
  });
});

test('a note need not say which commit it is about', async () => {
  const fact = await factOf(history().note('agent-trace', 'work', record({ first: 2, last: 3 })), 'work');
  expect(creditedLines(fact)).toEqual(TWO_LINES);
});

test('a note whose ranges count in another commit credits nothing', async () => {
  const copied = record({ revision: plain.sha('next'), first: 2, last: 3 });
  const fact = await factOf(history().note('agent-trace', 'work', copied), 'work');
  expect(creditedLines(fact)).toEqual(NOTHING);
  expect(fact).toMatchObject({ contributor_kind: 'unknown', ai: [] });
});

test('a note that was written before its commit was made names the parent, and credits', async () => {
  const early = record({ revision: plain.sha('base'), first: 2, last: 3 });
  const fact = await factOf(history().note('agent-trace', 'work', early), 'work');
  expect(creditedLines(fact)).toEqual(TWO_LINES);
});

test('a record of the log that names the parent and is younger than it speaks of the child, for files of the child', async () => {
  const log = withLog(
    record({ revision: plain.sha('base'), first: 2, last: 3, timestamp: '2024-02-01T09:59:00Z' }),
    record({ revision: plain.sha('base'), path: 'never-committed.ts', timestamp: '2024-02-01T09:59:30Z' }),
    record({ revision: WORK, path: 'a.ts', first: 1, last: 4, timestamp: '2024-02-02T09:00:00Z' }),
  );
  const fact = await factOf(log, 'work');
  expect(creditedLines(fact)).toEqual(TWO_LINES);
  expect(fact.ai).toMatchObject([{ source: 'agent_trace' }]);
  // The child of the commit changed another file than the one that was recorded.
  expect(await factOf(log, 'next')).toMatchObject({ contributor_kind: 'unknown', ai: [] });
});

test('notes of several kinds about one commit are put together', async () => {
  const gitAi = `b.ts\n  h_0123456789abcd 1\n---\n{"schema_version":"authorship/3.0.0","prompts":{}}`;
  const traced = `${record({ revision: WORK, first: 2 })}\n${record({ revision: WORK, type: 'mixed', first: 3, last: 4 })}`;
  const fact = await factOf(history().note('ai', 'work', gitAi).note('agent-trace', 'work', traced), 'work');
  expect(fact.contributor_kind).toBe('mixed');
  expect(creditedLines(fact)).toEqual([
    ['a.ts', 3, 2000],
    ['b.ts', 1, 0],
  ]);
});

test('the log that a project keeps in its tree credits the commits it names, also by their first digits', async () => {
  const log = withLog(
    record({ revision: WORK, first: 2, timestamp: SECONDS_LATER }),
    record({ revision: WORK.slice(0, 8), first: 3, last: 3 }),
    record({ revision: plain.sha('next'), path: 'a.ts', first: 4, last: 4 }),
  );
  expect(creditedLines(await factOf(log, 'work'))).toEqual(TWO_LINES);
  expect(creditedLines(await factOf(log, 'next'))).toEqual([['c.ts', 1, 0]]);
});

test('a record of the log that is younger than its commit speaks of edits behind it, and credits nothing', async () => {
  const log = withLog(record({ revision: WORK, first: 2, last: 3, timestamp: MINUTES_LATER }));
  const fact = await factOf(log, 'work');
  expect(creditedLines(fact)).toEqual(NOTHING);
  expect(fact).toMatchObject({ contributor_kind: 'unknown', ai: [] });
});

test('a line of the log that was cut short does not cost the others', async () => {
  const good = record({ revision: WORK, first: 2, last: 3 });
  expect(creditedLines(await factOf(withLog(good.slice(0, 80), good, 'null', '{}'), 'work'))).toEqual(TWO_LINES);
});

test.each(['ai', 'agent-trace'])('a note under refs/notes/%s that makes no sense is told as a limit', async (ref) => {
  const fact = await factOf(history().note(ref, 'work', 'nothing of the kind'), 'work');
  expect(creditedLines(fact)).toEqual(NOTHING);
  expect(fact.limits).toEqual([{ reason: 'record_unreadable', path: null }]);
});

test.each([
  ['a note', () => history().note('agent-trace', 'work', record({ revision: WORK, first: 2, last: 3 }))],
  ['the log', () => withLog(record({ revision: WORK, first: 2, last: 3 }))],
])('the history of a line knows what %s says about it', async (_, build) => {
  const repo = build().build();
  built.push(repo);
  const lines = await openLineHistory(repo.path);
  try {
    const byModel: boolean[] = [];
    for (const lineNumber of [2, 3, 4]) {
      const { line_history } = await lines.history({ sha: repo.sha('work'), path: 'a.ts', lineNumber });
      byModel.push(line_history[0]!.authored_by_llm);
    }
    expect(byModel).toEqual([true, true, false]);
  } finally {
    lines.close();
  }
});

test.each(['ai', 'agent-trace'])(
  'what the history of a line rests on changes with a note under refs/notes/%s',
  async (ref) => {
    const repo = history().build();
    built.push(repo);
    const lines = await openLineHistory(repo.path);
    try {
      const before = await lines.identify(WORK);
      expect(await lines.identify(WORK)).toEqual(before);
      repo.git('notes', `--ref=${ref}`, 'add', '-m', record({ revision: WORK }), WORK);
      expect((await lines.identify(WORK)).basis).not.toBe(before.basis);
    } finally {
      lines.close();
    }
  },
);

test('what the history of a line rests on changes with the log', async () => {
  const [one, two] = [withLog(record({ revision: WORK })), withLog(record({ revision: WORK, first: 2 }))].map((each) =>
    each.build(),
  );
  built.push(one!, two!);
  const basisOf = async (path: string): Promise<string> => {
    const lines = await openLineHistory(path);
    const { basis } = await lines.identify(WORK);
    lines.close();
    return basis;
  };
  expect(await basisOf(one!.path)).not.toBe(await basisOf(two!.path));
});
