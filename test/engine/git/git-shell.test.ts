// Short git commands run from a shell: what they print and how they fail is what a process of their own would give.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { runInShell } from '../../../src/engine/git/git-shell.ts';
import { GitError, type GitRepository, openRepository, readGit } from '../../../src/engine/git/run-git.ts';
import { analyzeRepository } from '../../../src/engine/walk/analyze.ts';
import { goldenRepo } from '../../world/golden-repo.ts';

async function collect(repository: GitRepository, args: readonly string[], input = ''): Promise<Buffer> {
  const parts: Buffer[] = [];
  const push = (chunk: Buffer) => void parts.push(Buffer.from(chunk));
  expect(await runInShell({ repository, args, input, push })).toBe(true);
  return Buffer.concat(parts);
}

/** Quotes, line feeds, what a shell would expand, and bytes that are no text. */
const NAMES = [
  "it's",
  '$(touch /tmp/strata-was-here)',
  '`id`',
  'two\nlines',
  'a "b" \\ c',
  '; exit 3',
  '* ? [a]',
  '-n',
];

/** Children of this process that have ended and that nobody has taken note of. */
function countZombies(): number {
  return readdirSync('/proc').filter((name) => {
    try {
      const [, state, parent] = /\) (\S) (\d+)/.exec(readFileSync(`/proc/${name}/stat`, 'utf8')) ?? [];
      return state === 'Z' && Number(parent) === process.pid;
    } catch {
      return false;
    }
  }).length;
}

test.runIf(existsSync('/proc/self/stat'))('the shells of an analysis leave nothing behind', async () => {
  const repo = goldenRepo()
    .commit('one', { files: { a: 'one\n' } })
    .build();
  const before = countZombies();
  for (let times = 0; times < 3; times++) {
    const repository = await openRepository(repo.path);
    for await (const event of analyzeRepository(repository, { threads: 2 })) void event;
  }
  expect(countZombies()).toBe(before);
});

describe('a command in the shell', () => {
  const tree = Object.fromEntries(NAMES.map((name, n) => [name, `content ${n}\n`]));
  const binary = Buffer.concat([Buffer.from([0, 255, 10, 13]), Buffer.alloc(300_000, 'x\n')]);
  const repo = goldenRepo()
    .commit('first', { tree: { ...tree, binary } })
    .build();
  const repository: GitRepository = { gitDir: repo.path, environment: { PATH: process.env.PATH ?? '' } };

  test.each(NAMES)('takes the path %j as it is', async (name) => {
    const args = ['diff-tree', '-r', '--root', '-p', 'HEAD', '--', name];
    const printed = await collect(repository, args);
    expect(printed.equals(await readGit(repository, args))).toBe(true);
    expect(printed.toString()).toContain(`+content ${NAMES.indexOf(name)}`);
  });

  test('gives back every byte, also of a large answer', async () => {
    expect((await collect(repository, ['cat-file', 'blob', 'HEAD:binary'])).equals(binary)).toBe(true);
  });

  test('reads its input to the byte', async () => {
    const args = ['hash-object', '--stdin'];
    const input = "100% 'quoted' \\n $HOME\nlast line without an end";
    expect((await collect(repository, args, input)).toString()).toBe(
      (await readGit(repository, args, input)).toString(),
    );
  });

  test('answers commands that were asked for at once, each with its own', async () => {
    const answers = await Promise.all(
      NAMES.map((_, n) => collect(repository, ['rev-parse', '--sq-quote', `number ${n}`])),
    );
    expect(answers.map(String)).toEqual(NAMES.map((_, n) => ` 'number ${n}'\n`));
  });

  test('fails with the exit code of git, and the shell goes on', async () => {
    const failed = collect(repository, ['cat-file', 'blob', 'HEAD:nowhere']);
    await expect(failed).rejects.toThrow(GitError);
    await expect(failed).rejects.toMatchObject({ exitCode: 128 });
    expect((await collect(repository, ['cat-file', 'blob', 'HEAD:-n'])).toString()).toBe('content 7\n');
  });

  test('is left to a process of its own when its input is long', async () => {
    const input = 'x'.repeat(40_000);
    expect(await runInShell({ repository, args: ['hash-object', '--stdin'], input, push: () => {} })).toBe(false);
  });
});
