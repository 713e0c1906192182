// What `strata analyze` says of a clone that lacks objects or ends early, whatever it writes.
import { afterAll, describe, expect, it } from 'vitest';
import { runProgram } from '../../../src/cli/program.ts';
import { loadVerbsFor } from '../../../src/cli/verbs/index.ts';
import { createCliParts } from '../../../src/compose/commands.ts';
import { goldenRepo } from '../../world/golden-repo.ts';

const builder = goldenRepo();
for (let n = 0; n < 3; n++)
  builder.commit(`c${n}`, { files: { small: `${n}\n`, [`large${n}`]: `${'x'.repeat(999)}\n` } });
const repo = builder.build();
repo.git('config', 'uploadpack.allowFilter', 'true');
afterAll(() => repo.cleanup());

const REMEDY = 'of a partial clone, git fetch --refetch --no-filter brings the rest';

async function analyze(path: string, ...options: string[]): Promise<{ code: number; out: string; err: string }> {
  const lines = { out: [] as string[], err: [] as string[] };
  const terminal = {
    out: (line: string) => void lines.out.push(line),
    err: (line: string) => void lines.err.push(line),
  };
  const args = ['analyze', path, '--since', 'all', '--threads', '1', ...options];
  const code = await runProgram(args, await loadVerbsFor(args), createCliParts(process.cwd(), terminal), terminal);
  return { code, out: lines.out.join('\n'), err: lines.err.join('\n') };
}

describe('a clone of which no line can be read', () => {
  it.each(['tree:0', 'blob:none'])('is refused with what would be accepted: %s', async (filter) => {
    const path = repo.clone('--bare', '--no-local', `--filter=${filter}`);
    const { code, out, err } = await analyze(path);
    expect(err).toBe(
      `strata: path: ${JSON.stringify(path)} has no line to read: objects of 3 commits are missing, as in a clone with ` +
        `--filter. Give a whole clone; ${REMEDY}.`,
    );
    expect({ code, out }).toEqual({ code: 1, out: '' });
  });
});

describe('a clone that lacks some files', () => {
  const path = repo.clone('--bare', '--no-local', '--filter=blob:limit=500');
  const sentence = `objects of 3 commits are missing, and the figures lack their lines; ${REMEDY}`;

  it('says so below the sums', async () => {
    const { code, out } = await analyze(path);
    expect(out.replaceAll('\n', ' ')).toContain(sentence);
    expect(code).toBe(0);
  });

  it.each([['--format', 'csv'], ['--format', 'json'], ['--digest']])(
    'says so beside what %j %j writes',
    async (...options) => {
      const { code, out, err } = await analyze(path, ...options);
      expect({ code, err }).toEqual({ code: 0, err: `strata: ${sentence}` });
      expect(out).not.toBe('');
    },
  );
});

it.each([
  [['.mailmap'], 'it'],
  [['.git-blame-ignore-revs', '.gitattributes', '.mailmap'], 'them'],
] as const)('says that %j could not be read', async (paths, them) => {
  const large = `# ${'x'.repeat(999)}\n`;
  const conventions = goldenRepo()
    .commit('old', { files: { small: '0\n', ...Object.fromEntries(paths.map((path) => [path, large])) } })
    .commit('new', { files: { small: '1\n' }, at: '2026-01-01T00:00:00Z' })
    .build();
  conventions.git('config', 'uploadpack.allowFilter', 'true');
  const path = conventions.clone('--bare', '--no-local', '--filter=blob:limit=500');
  const { code, err } = await analyze(path, '--since', '2025-01-01', '--format', 'csv');
  const sentence = `people, generated files and revisions to ignore are as without ${them}; ${REMEDY}`;
  expect({ code, err }).toEqual({
    code: 0,
    err: `strata: ${paths.join(', ')} could not be read, and ${sentence}`,
  });
  conventions.cleanup();
});

it('a shallow clone says so beside what it writes for programs', async () => {
  const { code, err } = await analyze(repo.clone('--bare', '--depth', '1'), '--format', 'csv');
  expect(err).toMatch(
    /^strata: a shallow clone: its history is cut off at one commit, all of whose lines count as added/,
  );
  expect(code).toBe(0);
});

it('a whole clone says nothing more', async () => {
  const { code, err } = await analyze(repo.path, '--format', 'csv');
  expect({ code, err }).toEqual({ code: 0, err: '' });
});
