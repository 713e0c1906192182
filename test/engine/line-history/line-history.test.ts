// One small repository per behaviour; each expected history is written by hand.
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { OPERATION_DELTAS } from '../../../src/domain/commits/file-measures.ts';
import { openRepository } from '../../../src/engine/git/run-git.ts';
import {
  LineHistoryError,
  type LineQuestion,
  type OpenLineHistory,
  openLineHistory,
} from '../../../src/engine/line-history/index.ts';
import { analyzeRepository } from '../../../src/engine/walk/analyze.ts';
import { type GoldenRepo, type GoldenRepoBuilder, goldenRepo } from '../../world/golden-repo.ts';

const open: { history: OpenLineHistory; repo: GoldenRepo }[] = [];
afterEach(() => {
  for (const { history, repo } of open.splice(0)) {
    history.close();
    repo.cleanup();
  }
});

async function build(builder: GoldenRepoBuilder): Promise<{ history: OpenLineHistory; repo: GoldenRepo }> {
  const repo = builder.build();
  const opened = { history: await openLineHistory(repo.path), repo };
  open.push(opened);
  return opened;
}

/** Lines 2 and 3 are a model's, by the Git AI Standard. */
const NOTE = `a.js
  0123456789abcdef 2-3
---
${JSON.stringify({
  schema_version: 'authorship/3.0.0',
  base_commit_sha: '',
  prompts: {
    '0123456789abcdef': {
      agent_id: { tool: 'claude', id: '1', model: 'claude-sonnet-4' },
      human_author: null,
      messages: [],
      total_additions: 2,
      total_deletions: 0,
      accepted_lines: 2,
      overriden_lines: 0,
    },
  },
})}
`;

type Ask = Omit<LineQuestion, 'sha'> & { at: string };

/** Each entry as `label operation before → after | text`. Asked with and without the index: the answers must agree. */
async function told({ history, repo }: { history: OpenLineHistory; repo: GoldenRepo }, ask: Ask): Promise<string[]> {
  const { at, ...rest } = ask;
  const question = { earliest: new Date(0), ...rest, sha: repo.sha(at) };
  const first = await history.history(question);
  await history.buildIndex();
  expect(await history.history(question)).toEqual(first);
  return first.line_history.map((entry) => {
    const label = repo.label(entry.commit_sha);
    const before =
      entry.line_number_before === null ? '-' : `${entry.code_file_path_before}:${entry.line_number_before}`;
    const after = entry.line_number_after === null ? '-' : `${entry.code_file_path_after}:${entry.line_number_after}`;
    return `${label} ${entry.operation_em.slice(10)} ${before} → ${after} | ${entry.line_explanation}`;
  });
}

const BODY = ['const alpha = readAlpha(source);', 'const beta = readBeta(source);', 'const gamma = readGamma(source);'];
const file = (...lines: string[]): string => lines.map((line) => `${line}\n`).join('');

describe('the history of a line', () => {
  it('goes from change to change until the line was added', async () => {
    const repo = await build(
      goldenRepo()
        .commit('root', { files: { 'a.js': file(...BODY) } })
        .commit('change', { files: { 'a.js': file(BODY[0]!, 'const beta = readBeta(source, 1);', BODY[2]!) } })
        .commit('again', { files: { 'a.js': file(BODY[0]!, 'const beta = readBeta(source, 2);', BODY[2]!) } }),
    );
    expect(await told(repo, { at: 'again', path: 'a.js', lineNumber: 2 })).toEqual([
      'again chg a.js:2 → a.js:2 | const beta = readBeta(source, 2);',
      'change chg a.js:2 → a.js:2 | const beta = readBeta(source, 1);',
      'root add - → a.js:2 | const beta = readBeta(source);',
    ]);
    expect(await told(repo, { at: 'again', path: 'a.js', lineNumber: 1 })).toEqual([
      `root add - → a.js:1 | ${BODY[0]}`,
    ]);
  });

  it('does not mention commits that only shifted the line', async () => {
    const repo = await build(
      goldenRepo()
        .commit('root', { files: { 'a.js': file(...BODY) } })
        .commit('shift', { files: { 'a.js': file('// first', '// second', ...BODY) } })
        .commit('other', { files: { 'b.js': 'x\n' } })
        .commit('shorter', { files: { 'a.js': file('// second', ...BODY) } }),
    );
    expect(await told(repo, { at: 'shorter', path: 'a.js', lineNumber: 4 })).toEqual([
      `root add - → a.js:3 | ${BODY[2]}`,
    ]);
  });

  it('counts a rename of the file as one hop', async () => {
    const repo = await build(
      goldenRepo()
        .commit('root', { files: { 'a.js': file(...BODY) } })
        .commit('rename', { rename: { 'a.js': 'lib/b.js' } })
        .commit('both', {
          delete: ['lib/b.js'],
          files: { 'lib/c.js': file(BODY[0]!, 'const beta = readBeta(source, 9);', BODY[2]!) },
        }),
    );
    expect(await told(repo, { at: 'both', path: 'lib/c.js', lineNumber: 1 })).toEqual([
      `both move lib/b.js:1 → lib/c.js:1 | ${BODY[0]}`,
      `rename move a.js:1 → lib/b.js:1 | ${BODY[0]}`,
      `root add - → a.js:1 | ${BODY[0]}`,
    ]);
    expect(await told(repo, { at: 'both', path: 'lib/c.js', lineNumber: 2 })).toEqual([
      'both chg lib/b.js:2 → lib/c.js:2 | const beta = readBeta(source, 9);',
      `rename move a.js:2 → lib/b.js:2 | ${BODY[1]}`,
      `root add - → a.js:2 | ${BODY[1]}`,
    ]);
  });

  it('follows a line that moved within the file and into another file', async () => {
    const helper = ['export function parseHeader(text) {', '  return text.split(":").map((part) => part.trim());', '}'];
    const rest = ['// one', '// two', '// three', '// four', '// five'];
    const repo = await build(
      goldenRepo()
        .commit('root', { files: { 'a.js': file(...helper, ...rest), 'b.js': file('// b1', '// b2') } })
        .commit('down', { files: { 'a.js': file(...rest, ...helper) } })
        .commit('away', { files: { 'a.js': file(...rest), 'b.js': file('// b1', '// b2', ...helper) } }),
    );
    expect(await told(repo, { at: 'away', path: 'b.js', lineNumber: 4 })).toEqual([
      `away move a.js:7 → b.js:4 | ${helper[1]}`,
      `down move a.js:2 → a.js:7 | ${helper[1]}`,
      `root add - → a.js:2 | ${helper[1]}`,
    ]);
  });

  it('comes from either side of a merge', async () => {
    const ours = file('const alpha = readAlpha(source, true);', ...BODY.slice(1));
    const theirs = file(...BODY.slice(0, 2), 'const gamma = readGamma(source, true);');
    const joined = file('const alpha = readAlpha(source, true);', BODY[1]!, 'const gamma = readGamma(source, true);');
    const repo = await build(
      goldenRepo()
        .commit('root', { files: { 'a.js': file(...BODY) } })
        .branch('topic')
        .commit('theirs', { files: { 'a.js': theirs } })
        .switch('main')
        .commit('ours', { files: { 'a.js': ours } })
        .merge('join', ['theirs'], { files: { 'a.js': joined } })
        .commit('evil', { files: { 'a.js': joined.replace('readBeta(source)', 'readBeta(source, null)') } }),
    );
    expect(await told(repo, { at: 'evil', path: 'a.js', lineNumber: 1 })).toEqual([
      'ours chg a.js:1 → a.js:1 | const alpha = readAlpha(source, true);',
      `root add - → a.js:1 | ${BODY[0]}`,
    ]);
    expect(await told(repo, { at: 'evil', path: 'a.js', lineNumber: 3 })).toEqual([
      'theirs chg a.js:3 → a.js:3 | const gamma = readGamma(source, true);',
      `root add - → a.js:3 | ${BODY[2]}`,
    ]);
  });

  it('names the merge itself when it wrote the line, and values it at nothing', async () => {
    const repo = await build(
      goldenRepo()
        .commit('root', { files: { 'a.js': file(...BODY) } })
        .branch('topic')
        .commit('theirs', { files: { 'b.js': 'x\n' } })
        .switch('main')
        .commit('ours', { files: { 'c.js': 'x\n' } })
        .merge('join', ['theirs'], {
          take: { 'b.js': 'theirs' },
          files: { 'a.js': file(BODY[0]!, 'const beta = readBeta(source, merge);', BODY[2]!) },
        }),
    );
    expect(await told(repo, { at: 'join', path: 'a.js', lineNumber: 2 })).toEqual([
      'join chg a.js:2 → a.js:2 | const beta = readBeta(source, merge);',
      `root add - → a.js:2 | ${BODY[1]}`,
    ]);
    const { line_history } = await repo.history.history({ sha: repo.repo.sha('join'), path: 'a.js', lineNumber: 2 });
    expect(line_history[0]!.line_value).toBe(0);
    expect(line_history[1]!.line_value).toBeGreaterThan(0);
  });

  it('starts with the deletion when asked about the line before', async () => {
    const repo = await build(
      goldenRepo()
        .commit('root', { files: { 'a.js': file(...BODY), 'gone.js': file(`${BODY[0]} // gone`) } })
        .commit('change', { files: { 'a.js': file(BODY[0]!, 'const beta = readBeta(source, 1);', BODY[2]!) } })
        .commit('delete', { files: { 'a.js': file(BODY[0]!, BODY[2]!) } })
        .commit('remove', { delete: ['gone.js'] }),
    );
    expect(await told(repo, { at: 'delete', path: 'a.js', lineNumber: 2, side: 'before' })).toEqual([
      'delete del a.js:2 → - | const beta = readBeta(source, 1);',
      'change chg a.js:2 → a.js:2 | const beta = readBeta(source, 1);',
      `root add - → a.js:2 | ${BODY[1]}`,
    ]);
    expect(await told(repo, { at: 'change', path: 'a.js', lineNumber: 2, side: 'before' })).toEqual([
      `change chg a.js:2 → a.js:2 | const beta = readBeta(source, 1);`,
      `root add - → a.js:2 | ${BODY[1]}`,
    ]);
    expect(await told(repo, { at: 'delete', path: 'a.js', lineNumber: 3, side: 'before' })).toEqual([
      `root add - → a.js:3 | ${BODY[2]}`,
    ]);
    expect(await told(repo, { at: 'remove', path: 'gone.js', lineNumber: 1, side: 'before' })).toEqual([
      `remove del gone.js:1 → - | ${BODY[0]} // gone`,
      `root add - → gone.js:1 | ${BODY[0]} // gone`,
    ]);
  });

  it('knows a renamed file by either name when asked about the line before', async () => {
    const repo = await build(
      goldenRepo()
        .commit('root', { files: { 'a.js': file(...BODY) } })
        .commit('rename', { rename: { 'a.js': 'b.js' } }),
    );
    const expected = [`rename move a.js:1 → b.js:1 | ${BODY[0]}`, `root add - → a.js:1 | ${BODY[0]}`];
    expect(await told(repo, { at: 'rename', path: 'a.js', lineNumber: 1, side: 'before' })).toEqual(expected);
    expect(await told(repo, { at: 'rename', path: 'b.js', lineNumber: 1, side: 'before' })).toEqual(expected);
  });

  it('ends at a copy, whose original goes on beside it', async () => {
    const repo = await build(goldenRepo().commit('root', { files: { 'a.js': file(...BODY), 'b.js': file(...BODY) } }));
    expect(await told(repo, { at: 'root', path: 'b.js', lineNumber: 2 })).toEqual([
      `root copy_paste - → b.js:2 | ${BODY[1]}`,
    ]);
  });

  it('ends where a line replaced something unlike it', async () => {
    const repo = await build(
      goldenRepo()
        .commit('root', { files: { 'a.js': file(...BODY) } })
        .commit('rewrite', { files: { 'a.js': file(BODY[0]!, 'throw new TypeError("unsupported");', BODY[2]!) } }),
    );
    expect(await told(repo, { at: 'rewrite', path: 'a.js', lineNumber: 2 })).toEqual([
      'rewrite add - → a.js:2 | throw new TypeError("unsupported");',
    ]);
  });

  it('tells a change of white space or line ending as a change without value', async () => {
    const repo = await build(
      goldenRepo()
        .commit('root', { files: { 'a.js': file(...BODY) } })
        .commit('crlf', { files: { 'a.js': file(...BODY).replaceAll('\n', '\r\n') } })
        .commit('indent', { files: { 'a.js': file(BODY[0]!, `  ${BODY[1]}`, BODY[2]!).replaceAll('\n', '\r\n') } }),
    );
    expect(await told(repo, { at: 'indent', path: 'a.js', lineNumber: 2 })).toEqual([
      `indent chg a.js:2 → a.js:2 |   ${BODY[1]}`,
      `crlf chg a.js:2 → a.js:2 | ${BODY[1]}`,
      `root add - → a.js:2 | ${BODY[1]}`,
    ]);
    const { line_history } = await repo.history.history({ sha: repo.repo.sha('indent'), path: 'a.js', lineNumber: 2 });
    expect(line_history[0]!.line_value).toBe(0);
  });

  it('tells a replacement made in many lines as such', async () => {
    const before = [
      'getUser(alpha);',
      'return getUser(beta) + one;',
      'log(getUser(gamma).name);',
      'const delta = getUser(delta);',
    ];
    const after = before.map((line) => line.replace('getUser', 'fetchAccount'));
    const repo = await build(
      goldenRepo()
        .commit('root', { files: { 'a.js': file(...before) } })
        .commit('replace', { files: { 'a.js': file(...after) } }),
    );
    expect(await told(repo, { at: 'replace', path: 'a.js', lineNumber: 3 })).toEqual([
      'replace find_replace a.js:3 → a.js:3 | log(fetchAccount(gamma).name);',
      'root add - → a.js:3 | log(getUser(gamma).name);',
    ]);
    const { line_history } = await repo.history.history({ sha: repo.repo.sha('replace'), path: 'a.js', lineNumber: 3 });
    expect(line_history.map(({ churn }) => churn)).toEqual(['churn_new', null]);
  });

  it('reads file names and contents that are not UTF-8', async () => {
    const repo = await build(
      goldenRepo()
        .commit('root', { files: [[Buffer.from('caf\xe9.txt', 'latin1'), Buffer.from('na\xefve line\n', 'latin1')]] })
        .commit('other', { files: { 'sp ace"\n.txt': 'quoted name\n' } }),
    );
    expect(await told(repo, { at: 'other', path: '"caf\\351.txt"', lineNumber: 1 })).toEqual([
      'root add - → "caf\\351.txt":1 | na\ufffdve line',
    ]);
    expect(await told(repo, { at: 'other', path: 'sp ace"\n.txt', lineNumber: 1 })).toEqual([
      'other add - → sp ace"\n.txt:1 | quoted name',
    ]);
  });
});

describe('limits of a history', () => {
  const versions = (days: readonly string[]) =>
    days.reduce(
      (builder, day, index) =>
        builder.commit(`v${index}`, {
          at: `${day}T12:00:00Z`,
          files: { 'a.js': file(`const version = readVersion(${index});`) },
        }),
      goldenRepo(),
    );

  it('counts hops beside the starting version', async () => {
    const repo = await build(
      versions([
        '2024-01-01',
        '2024-01-02',
        '2024-01-03',
        '2024-01-04',
        '2024-01-05',
        '2024-01-06',
        '2024-01-07',
        '2024-01-08',
      ]),
    );
    const sha = repo.repo.sha('v7');
    const ask = { sha, path: 'a.js', lineNumber: 1 };
    const lengths = await Promise.all(
      [undefined, 0, 1, 7, 100].map(async (maxHops) => {
        const { line_history, ended_by } = await repo.history.history(
          maxHops === undefined ? ask : { ...ask, maxHops },
        );
        return `${line_history.length} ${ended_by}`;
      }),
    );
    expect(lengths).toEqual(['6 max_hops', '1 max_hops', '2 max_hops', '8 origin', '8 origin']);
  });

  it('reaches one year back from the starting version unless told otherwise', async () => {
    const repo = await build(versions(['2021-06-01', '2022-05-31', '2022-06-02', '2023-06-01']));
    const ask = { sha: repo.repo.sha('v3'), path: 'a.js', lineNumber: 1 };
    const dates = async (earliest?: string) => {
      const found = await repo.history.history(earliest === undefined ? ask : { ...ask, earliest: new Date(earliest) });
      return [...found.line_history.map((entry) => entry.authored_at.slice(0, 10)), found.ended_by];
    };
    expect(await dates()).toEqual(['2023-06-01', '2022-06-02', 'earliest']);
    expect(await dates('2022-01-01')).toEqual(['2023-06-01', '2022-06-02', '2022-05-31', 'earliest']);
    expect(await dates('2000-01-01')).toHaveLength(5);
    expect(await dates('2024-01-01')).toEqual(['earliest']);
  });

  it('calls a version churn when it replaced one younger than 14 days', async () => {
    const repo = await build(versions(['2024-01-01', '2024-01-14', '2024-01-28', '2024-02-11']));
    const { line_history } = await repo.history.history({ sha: repo.repo.sha('v3'), path: 'a.js', lineNumber: 1 });
    expect(line_history.map((entry) => [entry.churn, entry.time_since_previous_change])).toEqual([
      [null, 14 * 86_400],
      [null, 14 * 86_400],
      ['churn_new', 13 * 86_400],
      [null, null],
    ]);
    // A hop that is not shown still dates the one that is.
    const one = await repo.history.history({ sha: repo.repo.sha('v1'), path: 'a.js', lineNumber: 1, maxHops: 0 });
    expect(one.line_history.map((entry) => entry.churn)).toEqual(['churn_new']);
  });

  it('dates what it replaced by its text, as the walk does: moved, indented and swept lines are as old as before', async () => {
    const text = ['const total = sum(prices);', 'const rest = budget - total;', 'report(total, rest, currency);'];
    const indented = text.map((each) => `    ${each}`);
    const swept = indented.with(2, indented[2]!.replace('report', 'print'));
    const one = swept.with(0, swept[0]!.replace(';', ' + 1;'));
    const two = one.with(1, one[1]!.replace(';', ' + 2;'));
    const three = two.with(2, two[2]!.replace(';', ' + 3;'));
    const on = (date: string, author = 'Bo <bo@x.org>') => ({ at: `${date}T12:00:00Z`, author });
    const before = goldenRepo('main')
      .commit('written', { files: { 'a.js': file(...text) }, ...on('2023-01-01', 'Ada <ada@x.org>') })
      .commit('indented', { files: { 'a.js': file(...indented) }, ...on('2024-01-01') })
      .commit('swept', { files: { 'a.js': file(...swept) }, ...on('2024-01-02') });
    const revisions = `# style\n${before.build().sha('swept')}\n`;
    const repo = await build(
      before
        .commit('ignore', { files: { '.git-blame-ignore-revs': revisions }, ...on('2024-01-03') })
        .commit('one', { files: { 'a.js': file(...one) }, ...on('2024-01-04') })
        .commit('renamed', { rename: { 'a.js': 'b.js' }, ...on('2024-01-05') })
        .commit('two', { files: { 'b.js': file(...two) }, ...on('2024-01-06') })
        .commit('three', { files: { 'b.js': file(...three) }, ...on('2024-01-07') }),
    );
    const walked = new Map<string, { value: number; churned: number }>();
    for await (const event of analyzeRepository(await openRepository(repo.repo.path))) {
      if (event.kind !== 'commit' && event.kind !== 'final') continue;
      const { sha, files } = event.kind === 'commit' ? event.fact : event;
      const value =
        files.reduce((sum, each) => sum + OPERATION_DELTAS.reduce((all, name) => all + each[name], 0), 0) / 1000;
      walked.set(repo.repo.label(sha), { value, churned: files.reduce((sum, each) => sum + each.lines_churned, 0) });
    }
    const found = new Map<string, { value: number; churned: number }>();
    for (const lineNumber of [1, 2, 3]) {
      const asked = { sha: repo.repo.sha('three'), path: 'b.js', lineNumber, earliest: new Date(0) };
      for (const entry of (await repo.history.history(asked)).line_history) {
        const label = repo.repo.label(entry.commit_sha);
        const { value, churned } = found.get(label) ?? { value: 0, churned: 0 };
        found.set(label, { value: value + entry.line_value, churned: churned + (entry.churn === null ? 0 : 1) });
      }
    }
    for (const label of ['one', 'two', 'three'])
      expect({ label, ...found.get(label) }).toEqual({ label, ...walked.get(label) });
    expect(found.get('one')!.value).toBeGreaterThan(5);
    expect(found.get('swept')).toEqual({ value: 0, churned: 0 });
  });
});

describe('an entry', () => {
  it('has every field, those of the service being null', async () => {
    const code = [
      'class Reader {',
      '  /** Reads one. */',
      '  read(source) {',
      '    return source.next(1);',
      '  }',
      '}',
    ];
    const repo = await build(
      goldenRepo().commit('root', {
        files: { 'src/reader.js': file(...code), '.mailmap': 'Ann Smith <ann@example.org> <a@old.org>\n' },
        author: 'ann <a@old.org>',
        at: '2024-03-01T10:00:00+02:00',
        message: 'feat: read\n\nBody.\n\nCo-authored-by: Claude <noreply@anthropic.com>\n',
      }),
    );
    const { line_history } = await repo.history.history({
      sha: repo.repo.sha('root').slice(0, 7),
      path: 'src/reader.js',
      lineNumber: 4,
    });
    expect(line_history).toEqual([
      {
        commit_sha: repo.repo.sha('root'),
        authored_at: '2024-03-01T08:00:00Z',
        author: {
          avatar_url: null,
          commits_in_repo: null,
          email: 'ann@example.org',
          full_name: 'Ann Smith',
          user_name: null,
        },
        authored_by_llm: true,
        churn: null,
        code_file_path_after: 'src/reader.js',
        code_file_path_before: null,
        commit_message: 'feat: read\n\nBody.\n\nCo-authored-by: Claude <noreply@anthropic.com>',
        containing_class_or_module: 'Reader',
        deployed_at: null,
        documentation_for_function_if_available: 'Reads one.',
        file_category_label: expect.stringMatching(/^(Backend|Frontend)$/),
        line_explanation: '    return source.next(1);',
        line_number_after: 4,
        line_number_before: null,
        line_value: expect.any(Number),
        operation_em: 'operation_add',
        received_code_comment: null,
        resolved_code_comment: null,
        scoped_function_name: 'read',
        time_since_previous_change: null,
      },
    ]);
    expect(line_history[0]!.line_value).toBeGreaterThan(0);
  });

  it('believes a record about the line before anything the commit says', async () => {
    const repo = await build(
      goldenRepo()
        .commit('root', { files: { 'a.js': file(...BODY) } })
        .note('ai', 'root', NOTE),
    );
    const byLlm = await Promise.all(
      [1, 2, 3].map(async (lineNumber) => {
        const { line_history } = await repo.history.history({ sha: repo.repo.sha('root'), path: 'a.js', lineNumber });
        return line_history[0]!.authored_by_llm;
      }),
    );
    expect(byLlm).toEqual([false, true, true]);
  });
});

describe('a question that cannot be answered', () => {
  const problem = async (promise: Promise<unknown>): Promise<string> => {
    const error = await promise.then(
      () => null,
      (caught: unknown) => caught,
    );
    expect(error).toBeInstanceOf(LineHistoryError);
    const { code, parameter, message } = error as LineHistoryError;
    return `${code} ${parameter}: ${message}`;
  };

  it('is told what is wrong with it', async () => {
    const { history, repo } = await build(
      goldenRepo().commit('root', {
        files: { 'a.js': file(...BODY), 'b.bin': Buffer.from([1, 0, 2, 10]), 'empty.txt': '', 'dir/x': 'x\n' },
      }),
    );
    const sha = repo.sha('root');
    const ask = (change: Partial<LineQuestion>) =>
      problem(history.history({ sha, path: 'a.js', lineNumber: 1, ...change }));
    expect(await ask({ sha: 'f'.repeat(40) })).toMatch(/^unknown_sha sha: sha: f{40} is no commit/);
    expect(await ask({ sha: 'HEAD' })).toMatch(/^unknown_sha sha: .*expected 4 to 64 hexadecimal digits/);
    expect(await ask({ sha: '--all' })).toMatch(/^unknown_sha/);
    expect(await ask({ sha: repo.git('rev-parse', `${sha}:a.js`).trim() })).toMatch(/^unknown_sha/);
    expect(await ask({ path: 'nope.js' })).toMatch(/^unknown_file file_path: .*"nope\.js" at commit/);
    expect(await ask({ path: 'dir' })).toMatch(/^unknown_file/);
    expect(await ask({ path: '' })).toMatch(/^unknown_file/);
    expect(await ask({ path: '../a.js' })).toMatch(/^unknown_file/);
    expect(await ask({ path: 'a.js/x' })).toMatch(/^unknown_file/);
    expect(await ask({ lineNumber: 4 })).toMatch(
      /^line_out_of_range line_number_after: .*4 is not a line .*expected 1 to 3/,
    );
    expect(await ask({ lineNumber: 0 })).toMatch(/^line_out_of_range/);
    expect(await ask({ lineNumber: 1.5 })).toMatch(/^line_out_of_range/);
    expect(await ask({ path: 'empty.txt' })).toMatch(/^line_out_of_range .*the file is empty/);
    expect(await ask({ path: 'b.bin' })).toMatch(/^binary_file file_path: .*binary/);
    expect(await ask({ side: 'before' })).toMatch(/^unknown_file file_path: .* before commit/);
    expect(await ask({ maxHops: -1 })).toMatch(/^invalid_parameter max_hops: .*-1/);
    expect(await ask({ earliest: new Date('nonsense') })).toMatch(/^invalid_parameter earliest/);
  });

  it('is told that a sha has several meanings', async () => {
    // Enough commits that some two share their first four digits.
    let builder = goldenRepo();
    for (let n = 0; n < 600; n++) builder = builder.commit(`c${n}`, { files: { 'a.js': `${n}\n` } });
    const { history, repo } = await build(builder);
    const prefixes = repo
      .git('log', '--format=%H')
      .trim()
      .split('\n')
      .map((sha) => sha.slice(0, 4));
    const shared = prefixes.find((prefix, index) => prefixes.indexOf(prefix) !== index);
    expect(shared).toBeDefined();
    expect(await problem(history.history({ sha: shared!, path: 'a.js', lineNumber: 1 }))).toMatch(
      /^ambiguous_sha sha: .*expected more digits/,
    );
  });
});

describe('a damaged repository', () => {
  it('tells what it can and says that objects are missing', async () => {
    const opened = await build(
      goldenRepo()
        .commit('root', { files: { 'a.js': file(...BODY) } })
        .commit('change', { files: { 'a.js': file(BODY[0]!, 'const beta = readBeta(source, 1);', BODY[2]!) } })
        .commit('shift', {
          files: { 'a.js': file('// top', BODY[0]!, 'const beta = readBeta(source, 1);', BODY[2]!) },
        }),
    );
    const { repo } = opened;
    const shallow = await openLineHistory(repo.clone('--depth', '2'));
    try {
      const found = await shallow.history({ sha: repo.sha('shift'), path: 'a.js', lineNumber: 3 });
      expect(found.line_history.map((entry) => [repo.label(entry.commit_sha), entry.operation_em])).toEqual([
        ['change', 'operation_add'],
      ]);
      expect(found.ended_by).toBe('missing_object');
    } finally {
      shallow.close();
    }
  });

  it.each([true, false])(
    'takes no line for new where a file that may be its former one is missing: %s',
    async (readsPacks) => {
      const lines = Array.from({ length: 12 }, (_, n) => `const value${n} = read(${n});`);
      const { repo } = await build(
        goldenRepo()
          .commit('old', { files: { 'a.js': file(...lines), 'big.txt': `${'x'.repeat(5000)}\n` } })
          .commit('renamed', {
            files: { 'b.js': file(...lines.with(11, 'const value11 = read(11, true);')) },
            delete: ['a.js', 'big.txt'],
          })
          .commit('changed', { files: { 'b.js': file(...lines.with(11, 'const value11 = read(11, true, 1);')) } }),
      );
      repo.git('config', 'uploadpack.allowFilter', 'true');
      const path = repo.clone('--bare', '--no-local', '--filter=blob:limit=2k');
      const partial = await openLineHistory(path, { readsPacks });
      try {
        const asked = { path: 'b.js', lineNumber: 12, earliest: new Date(0) };
        const found = await partial.history({ sha: repo.sha('changed'), ...asked });
        expect([found.line_history.map((entry) => repo.label(entry.commit_sha)), found.ended_by]).toEqual([
          ['changed'],
          'missing_object',
        ]);
        await expect(partial.history({ sha: repo.sha('renamed'), ...asked })).rejects.toMatchObject({
          code: 'missing_object',
        });
      } finally {
        partial.close();
      }
    },
  );
});

afterAll(() => {
  expect(open).toEqual([]);
});
