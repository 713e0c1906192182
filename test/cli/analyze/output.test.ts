// What `strata analyze` writes for programs: every key is documented, every documented key is written, and all values
// are in real units.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runProgram } from '../../../src/cli/program.ts';
import { loadVerbsFor } from '../../../src/cli/verbs/index.ts';
import { createCliParts } from '../../../src/compose/commands.ts';
import { MEASURE_UNITS, thousandthsToNumber } from '../../../src/domain/commits/file-measures.ts';
import { FILE_MEASURES, MEASURES_OUTSIDE_DIGEST } from '../../../src/engine/model/facts.ts';
import { type CollectedAnalysis, collectAnalysis } from '../../support/collect-analysis.ts';
import { goldenRepo } from '../../world/golden-repo.ts';

const folder = mkdtempSync(join(tmpdir(), 'strata-analyze-output-'));
const page = readFileSync('docs/analyze.md', 'utf8');

const code = (name: string, lines: number) =>
  Array.from({ length: lines }, (_, n) => `export const ${name}${n} = compute(${n}, '${name}');\n`).join('');
const golden = goldenRepo()
  .commit('first', { files: { 'src/a.ts': code('alpha', 12) }, at: '2024-01-01T12:00:00Z' })
  .commit('by a model', {
    files: { 'src/a.ts': code('alpha', 9) + code('gamma', 3), 'src/with, comma.ts': code('beta', 5) },
    at: '2024-03-05T23:30:00-05:00',
    message: 'Rework\n\nCo-Authored-By: Claude <noreply@anthropic.com>\n',
  })
  .commit('by a person', { files: { 'src/a.ts': code('alpha', 4) }, at: '2024-03-20T12:00:00Z' })
  .switch('gh-pages')
  .commit('published', { files: { 'index.html': code('page', 3) }, at: '2024-03-21T12:00:00Z' })
  .build();

interface Output {
  readonly json: Record<string, unknown>;
  readonly csv: readonly string[];
  readonly facts: readonly Record<string, unknown>[];
  readonly origins: readonly Record<string, unknown>[];
  readonly digest: string;
}
let output: Output;
let analysis: CollectedAnalysis;

async function analyze(path: string, ...options: string[]): Promise<string> {
  const lines: string[] = [];
  const terminal = { out: (line: string) => void lines.push(line), err: () => {} };
  const args = ['analyze', path, '--since', 'all', '--threads', '1', ...options];
  const exitCode = await runProgram(args, await loadVerbsFor(args), createCliParts(process.cwd(), terminal), terminal);
  expect(exitCode).toBe(0);
  return lines.join('\n');
}

const readLines = (file: string): Record<string, unknown>[] =>
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

beforeAll(async () => {
  const [facts, origins] = [join(folder, 'facts'), join(folder, 'origins')];
  const json = await analyze(golden.path, '--format', 'json', '--facts', facts, '--origins', origins);
  output = {
    json: JSON.parse(json),
    csv: (await analyze(golden.path, '--format', 'csv')).split('\n'),
    facts: readLines(facts),
    origins: readLines(origins),
    digest: await analyze(golden.path, '--digest'),
  };
  analysis = await collectAnalysis(golden.path);
});
afterAll(() => {
  golden.cleanup();
  rmSync(folder, { recursive: true, force: true });
});

/** `a`, `a.b` for the keys of an object, `a[].b` for those of a list's items. */
function keyPaths(value: unknown, prefix = ''): string[] {
  if (Array.isArray(value)) return [...new Set(value.flatMap((item) => keyPaths(item, `${prefix}[]`)))];
  if (typeof value !== 'object' || value === null) return [];
  const start = prefix === '' ? '' : `${prefix}.`;
  return Object.entries(value).flatMap(([key, inner]) => [start + key, ...keyPaths(inner, start + key)]);
}

/** The rows of a section's table whose first cell is a key: their cells. */
function documented(section: string): string[][] {
  const text = page.split(/^## /m).find((part) => part.startsWith(`${section}\n`)) ?? '';
  return [...text.matchAll(/^\| `([^`]+)` \| (.*) \|$/gm)].map((row) => [row[1]!, ...row[2]!.split(' | ')]);
}
const documentedKeys = (section: string): string[] => documented(section).map(([key]) => key!);

describe('docs/analyze.md', () => {
  it('describes every key of the JSON, and none besides', () => {
    expect(keyPaths(output.json).sort()).toEqual(documentedKeys('JSON').sort());
  });

  it('describes every key of the facts, and none besides', () => {
    expect(output.facts.length).toBeGreaterThan(0);
    for (const fact of output.facts) expect(Object.keys(fact)).toEqual(documentedKeys('Facts and CSV'));
  });

  it('marks the columns of the CSV, in their order', () => {
    const columns = documented('Facts and CSV').filter((cells) => cells[3] === 'yes');
    expect(output.csv[0]!.split(',')).toEqual(columns.map(([key]) => key));
  });

  it('describes every key of the origins, and none besides', () => {
    expect(output.origins.length).toBeGreaterThan(0);
    for (const run of output.origins) expect(Object.keys(run)).toEqual(documentedKeys('Origins'));
  });

  it('gives each measure the unit that it is written in', () => {
    const units = Object.fromEntries(documented('Facts and CSV').map(([key, unit]) => [key, unit]));
    for (const name of FILE_MEASURES) expect([name, units[name]]).toEqual([name, MEASURE_UNITS[name].unit]);
  });

  it('says what the digest is and leaves out', () => {
    const text = page.slice(page.indexOf('## Digest'));
    expect(output.digest).toMatch(/^[0-9a-f]{64}$/);
    expect(output.digest).toBe(analysis.digest);
    expect([...text.matchAll(/`([^`]+)`/g)].map((match) => match[1])).toEqual(MEASURES_OUTSIDE_DIGEST);
  });
});

describe('real units', () => {
  it('writes the summary as JSON with decimal numbers, ISO times and the sums of the counted facts', () => {
    const files = [...analysis.files.values()];
    const thousandths = files.reduce(
      (sum, f) => sum + f.delta_added + f.delta_updated + f.delta_deleted + f.delta_find_replaced,
      0,
    );
    const aiThousandths = files.reduce((sum, file) => sum + file.ai_lines_changed, 0);
    expect(thousandths % 1000).not.toBe(0);
    expect(aiThousandths).toBeGreaterThan(0);
    expect(output.json).toMatchObject({
      commit_count: 3,
      first_commit_authored_at: '2024-01-01T12:00:00Z',
      last_commit_authored_at: '2024-03-20T12:00:00Z',
      diff_delta: thousandths / 1000,
      // a co-author: seven tenths, none of it sure
      ai_lines: (aiThousandths * 0.7) / 1000,
      ai_lines_low: 0,
      ai_lines_high: aiThousandths / 1000,
    });
    const weeks = output.json.weeks as { start_date: string; diff_delta: number }[];
    // The second commit falls on a Wednesday in UTC.
    expect(weeks.map((week) => week.start_date)).toEqual(['2024-01-01', '2024-03-04', '2024-03-18']);
    expect(weeks.reduce((sum, week) => sum + Math.round(week.diff_delta * 1000), 0)).toBe(thousandths);
  });

  it('writes each measure of the facts and the CSV as its integer divided by its scale', () => {
    expect(output.facts.length).toBe(analysis.files.size);
    const rows = new Map(output.csv.slice(1).map((row) => [row.replaceAll('"', ''), row]));
    expect(rows.size).toBe(analysis.files.size);
    for (const fact of output.facts) {
      const file = analysis.files.get(`${fact.commit} ${fact.path}`)!;
      const isKnown = fact.commit === golden.sha('by a model');
      for (const name of FILE_MEASURES) {
        const expected = name.startsWith('ai_') && !isKnown ? null : file[name] / MEASURE_UNITS[name].scale;
        expect([name, fact[name]]).toEqual([name, expected]);
      }
      const cells = [fact.commit, fact.path, ...FILE_MEASURES.map((name) => fact[name] ?? '')];
      expect(rows.has(cells.join(','))).toBe(true);
    }
    expect(output.csv.filter((row) => row.includes('"src/with, comma.ts"')).length).toBe(1);
  });

  it('adds the four parts of a file up to its delta, in thousandths', () => {
    const inThousandths = (value: unknown) => Math.round((value as number) * 1000);
    for (const fact of output.facts) {
      const parts = [fact.delta_added, fact.delta_updated, fact.delta_deleted, fact.delta_find_replaced];
      expect(inThousandths(fact.delta)).toBe(parts.reduce<number>((sum, part) => sum + inThousandths(part), 0));
    }
  });

  it('counts every measure of Diff Delta and of AI lines in thousandths, and nothing else', () => {
    const scaled = FILE_MEASURES.filter((name) => MEASURE_UNITS[name].scale === 1000);
    expect(scaled).toEqual(FILE_MEASURES.filter((name) => /delta|^ai_/.test(name)));
  });

  it('loses nothing of a number of thousandths, and writes three decimals at most', () => {
    const most = 10 ** 12;
    fc.assert(
      fc.property(fc.integer({ min: 0, max: most }), (thousandths) => {
        const value = thousandthsToNumber(thousandths);
        expect(Math.round(value * 1000)).toBe(thousandths);
        expect(JSON.stringify(value)).toMatch(/^\d+(\.\d{1,3})?$/);
      }),
    );
  });
});

it.each([true, false])('the table has the colours of the terminal: %s', async (hasColors) => {
  const { isTTY, hasColors: own } = process.stdout;
  Object.assign(process.stdout, { isTTY: true, hasColors: () => hasColors });
  const table = await analyze(golden.path);
  Object.assign(process.stdout, { isTTY, hasColors: own });
  expect(table.includes('\u001b')).toBe(hasColors);
});

describe('a reader that stops early', () => {
  it('ends an analysis that writes for nobody else, and no other', async () => {
    const written = async (...options: string[]): Promise<number> => {
      const lines: string[] = [];
      const terminal = { out: (line: string) => void lines.push(line), err: () => {}, hasReader: () => false };
      const args = ['analyze', golden.path, '--since', 'all', '--threads', '1', '--format', 'csv', ...options];
      const parts = createCliParts(process.cwd(), terminal);
      expect(await runProgram(args, await loadVerbsFor(args), parts, terminal)).toBe(0);
      return lines.length;
    };
    expect(await written()).toBeLessThan(output.csv.length);
    const file = join(folder, 'read to the end');
    expect(await written('--facts', file)).toBe(output.csv.length);
    expect(readLines(file)).toEqual(output.facts);
  });

  it('ends a program, which says nothing of what it has not read', () => {
    const path = golden.clone('--bare', '--depth', '1');
    const command = ['bin/strata.mjs', 'analyze', path, '--since', 'all', '--threads', '1', '--format', 'csv'];
    const saidTo = (reader: string): string => {
      const script = `set -o pipefail; "$@" | ${reader}`;
      return spawnSync('bash', ['-c', script, 'bash', process.execPath, ...command], { encoding: 'utf8' }).stderr;
    };
    expect(saidTo('cat')).toMatch(/^strata: /);
    expect(saidTo('true')).toBe('');
  });

  it.each(['--facts', '--origins'])('leaves no trace of %s to standard output', (option) => {
    const many = Object.fromEntries(Array.from({ length: 400 }, (_, n) => [`${n}.ts`, code(`name${n}`, 3)]));
    const few = Object.fromEntries(Object.keys(many).map((path) => [path, 'export const other = 1;\n']));
    const repo = goldenRepo().commit('many', { files: many }).commit('few', { files: few }).build();
    const script = 'set -o pipefail; "$@" | head -c 1 > /dev/null';
    const command = ['bin/strata.mjs', 'analyze', repo.path, '--since', 'all', option, '/dev/stdout'];
    const { status, stderr } = spawnSync('bash', ['-c', script, 'bash', process.execPath, ...command], {
      encoding: 'utf8',
    });
    repo.cleanup();
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });
});

describe('missing data', () => {
  it('is null where no commit carries evidence or none counts, and known zeros stay 0', async () => {
    const plain = goldenRepo()
      .commit('first', { files: { 'a.ts': code('alpha', 2) } })
      .build();
    const empty = goldenRepo().commit('nothing', { files: {} }).build();
    try {
      const json = JSON.parse(await analyze(plain.path, '--format', 'json'));
      expect(json).toMatchObject({ lines_changed: 2, ai_lines: null, lines_with_evidence: 0, ai_models: [] });
      expect(json.not_counted.merge).toBe(0);
      const none = JSON.parse(await analyze(empty.path, '--format', 'json', '--since', '1d'));
      expect(none).toMatchObject({ commit_count: 0, first_commit_authored_at: null, last_commit_authored_at: null });
      expect(none).toMatchObject({ diff_delta: 0, lines_changed: 0, ai_lines: null, weeks: [] });
    } finally {
      plain.cleanup();
      empty.cleanup();
    }
  });
});

describe('what counts', () => {
  const numbered = (name: string, count: number) =>
    Array.from({ length: count }, (_, n) => `export const ${name}${n} = compute(${n}, '${name}');\n`).join('');
  const repo = goldenRepo()
    .commit('first', {
      files: { 'src/a.ts': numbered('alpha', 12), 'package-lock.json': numbered('lock', 30), 'po/de.po': 'a\nb\n' },
    })
    .commit('original', {
      on: 'topic',
      parents: ['first'],
      files: { 'src/b.ts': numbered('beta', 9) },
      message: 'add beta\n',
    })
    .commit('copy', {
      on: 'main',
      parents: ['first'],
      files: { 'src/b.ts': numbered('beta', 9) },
      message: 'add beta\n',
    })
    .commit('by a bot', {
      author: 'dependabot[bot] <49699333+dependabot[bot]@users.noreply.github.com>',
      files: { 'src/c.ts': numbered('gamma', 5) },
    })
    .build();

  it('is said of each record, so that sums of the facts are those of the summary', async () => {
    const file = join(folder, 'counted');
    const json = JSON.parse(await analyze(repo.path, '--format', 'json', '--facts', file));
    const facts = readLines(file);
    const reasons = new Map(facts.map(({ commit, not_counted }) => [commit, not_counted]));
    expect(reasons.get(repo.sha('first'))).toBeNull();
    expect(reasons.get(repo.sha('copy'))).toBeNull();
    expect(reasons.get(repo.sha('original'))).toMatch(/_copy$/);
    expect(reasons.get(repo.sha('by a bot'))).toBe('bot');

    const leftOut = Object.keys(json.lines_left_out.by_category);
    const counted = facts.filter(({ not_counted }) => not_counted === null);
    const linesOf = (records: typeof facts) =>
      records.reduce((sum, fact) => {
        const names = Object.keys(json.line_operation_counts).map((name) => fact[`lines_${name}`] as number);
        return sum + names.reduce((all, lines) => all + lines, 0);
      }, 0);
    expect(linesOf(facts)).toBeGreaterThan(linesOf(counted));
    expect(linesOf(counted.filter(({ category }) => !leftOut.includes(category as string)))).toBe(json.lines_changed);
    expect(linesOf(counted.filter(({ category }) => leftOut.includes(category as string)))).toBe(
      json.lines_left_out.lines,
    );
    expect(json.lines_left_out).toMatchObject({ lines: 32, by_category: { autogenerated: 30, localization: 2 } });
    const delta = counted.reduce((sum, fact) => sum + Math.round((fact.delta as number) * 1000), 0);
    expect(delta / 1000).toBe(json.diff_delta);
    repo.cleanup();
  });
});

it('says where the history of a shallow clone is cut off', async () => {
  const shallow = join(folder, 'shallow');
  execFileSync('git', ['clone', '-q', '--depth', '1', `file://${golden.path}`, shallow]);
  expect(JSON.parse(await analyze(shallow, '--format', 'json')).cut_off_commit_count).toBe(1);
  expect(await analyze(shallow)).toContain('its history is cut off at one commit, all of whose lines count as added');
  expect(output.json.cut_off_commit_count).toBe(0);
  expect(await analyze(golden.path)).not.toContain('cut off');
});
