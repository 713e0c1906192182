// Random and mutated bytes for every parser of this folder: a result or a typed error, never a crash or
// a hang. The seed is in the name.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { isoTime } from '../../../src/domain/calendar/iso-time.ts';
import { createLooseComparer } from '../../../src/engine/diff/blob-comparer.ts';
import { openRepository } from '../../../src/engine/git/run-git.ts';
import { parseMailmap } from '../../../src/engine/identity/mailmap.ts';
import { LineHistoryError, openLineHistory } from '../../../src/engine/line-history/index.ts';
import { bytesToPath, pathToBytes } from '../../../src/engine/line-history/versions/path-bytes.ts';
import { parseCommit } from '../../../src/engine/objects/commit-object.ts';
import { createObjectReader, ObjectUnreadable } from '../../../src/engine/objects/object-reader.ts';
import { TextLines } from '../../../src/engine/objects/text-lines.ts';
import { findTreeEntry } from '../../../src/engine/objects/tree-object.ts';
import { findScope } from '../../../src/engine/scopes/find-scope.ts';
import { goldenRepo, isolatedGitEnvironment, submodule, symlink } from '../../world/golden-repo.ts';
import { createRandom } from '../../world/random-history.ts';

const SEEDS = [1, Math.floor(Math.random() * 2 ** 31)];
const ROUNDS = 300;

const COMMIT =
  'tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904\nparent 4b825dc642cb6eb9a060e54bf8d69288fbee4904\nauthor A <a@b> 1700000000 +0100\ncommitter A <a@b> 1700000000 -0930\nencoding latin1\ngpgsig x\n y\n\nmessage\n';
const TREE = Buffer.concat(
  ['a', 'dir', 'z é'].map((name) => Buffer.concat([Buffer.from(`100644 ${name}\0`), Buffer.alloc(20, 7)])),
);

function randomBytes(random: (below: number) => number, from: Buffer): Buffer {
  if (random(4) === 0) return Buffer.from(Array.from({ length: random(300) }, () => random(256)));
  const bytes = Buffer.from(from);
  for (let times = random(8); times > 0 && bytes.length > 0; times--) bytes[random(bytes.length)] = random(256);
  return random(3) === 0 ? bytes.subarray(0, random(bytes.length + 1)) : bytes;
}

describe.each(SEEDS)('random bytes %i', (seed) => {
  const random = createRandom(seed);

  test('never break the commit, tree, mailmap and path parsers', () => {
    for (let round = 0; round < ROUNDS; round++) {
      const commit = parseCommit('0'.repeat(40), randomBytes(random, Buffer.from(COMMIT)));
      expect(Number.isFinite(commit.author.at)).toBe(true);
      expect(isoTime(commit.author.at)).toMatch(/Z$/);
      const tree = randomBytes(random, TREE);
      for (const name of ['a', 'dir', 'z é']) expect(findTreeEntry(tree, name)?.sha ?? '').toMatch(/^([0-9a-f]{40})?$/);
      const text = randomBytes(random, Buffer.from('A B <a@b> c <c@d>\n<x@y> <z@w>\n# c <d>')).toString('latin1');
      expect(parseMailmap(text).apply({ name: 'c', email: 'C@D' })).toHaveProperty('email');
      const path = randomBytes(random, Buffer.from('src/"caf\xe9"\n\\x', 'latin1')).toString('latin1');
      expect(pathToBytes(bytesToPath(path))).toBe(path);
    }
  });

  test('always diff into hunks that turn one version into the other', () => {
    const comparer = createLooseComparer();
    let compared = 0;
    const lineOf = ({ bytes, starts }: TextLines, line: number) =>
      Buffer.from(bytes.subarray(starts[line], starts[line + 1])).toString('latin1');
    for (let round = 0; round < ROUNDS; round++) {
      const source = Buffer.from('a\nb\n\nc\r\nb\n\nb\n'.repeat(1 + random(random(20) === 0 ? 300 : 10)));
      const before = new TextLines(randomBytes(random, source));
      const after = new TextLines(randomBytes(random, source));
      const hunks = comparer.compareBytes(before.bytes, after.bytes);
      if (hunks === null) continue;
      compared++;
      let old = 0;
      let now = 0;
      for (let at = 0; at <= hunks.length; at += 4) {
        const [oldEnd, newEnd] = at < hunks.length ? [hunks[at]!, hunks[at + 2]!] : [before.count, after.count];
        expect(oldEnd - old).toBe(newEnd - now);
        for (; old < oldEnd; old++, now++) expect(lineOf(before, old)).toBe(lineOf(after, now));
        old += hunks[at + 1] ?? 0;
        now += hunks[at + 3] ?? 0;
      }
      for (let line = 0; line < after.count; line++) expect(after.text(line, 5)).not.toMatch(/\n/);
    }
    // The others are left to git.
    expect(compared).toBeGreaterThan(ROUNDS / 2);
  });

  test('have some scope or none', () => {
    const source = Buffer.from(
      'class A {\n  /** d */\n  f(a) {\n    `x\n`;\n  }\n}\ndef g():\n    """d"""\nfunc (r *R) H() {\n\t}\n',
    );
    for (let round = 0; round < ROUNDS; round++) {
      const lines = randomBytes(random, source).toString('latin1').split('\n');
      const path = `x.${['js', 'py', 'go', 'c', 'rs', 'rb', 'php', 'kt', 'cs', 'sh'][random(10)]}`;
      findScope(path, { count: lines.length, head: (count) => lines.slice(0, count) }, random(lines.length));
    }
  });
});

describe('a hostile repository', () => {
  test('cannot be asked for more than an object', async () => {
    const repo = goldenRepo()
      .commit('root', { files: { a: 'x\n' } })
      .build();
    const reader = createObjectReader(await openRepository(repo.path));
    for (const name of [
      'a\nb',
      'HEAD:a',
      '-p',
      '',
      'a'.repeat(100),
      'main',
      '@',
      'abcd^{/x}',
      `${repo.sha('root')}\n${repo.sha('root')}`,
    ]) {
      await expect(reader.read(name)).rejects.toBeInstanceOf(ObjectUnreadable);
    }
    await expect(reader.read(repo.sha('root'))).resolves.toHaveProperty('type', 'commit');
    reader.close();
    await expect(reader.read(repo.sha('root'))).rejects.toHaveProperty('reason', 'closed');
    repo.cleanup();
  });

  test('gives an error or a history for what is no ordinary file', async () => {
    const long = `${'x'.repeat(20_000_000)}\n`;
    const repo = goldenRepo()
      .commit('root', { files: { link: symlink('target'), 'long.txt': long, 'b.txt': 'a\n'.repeat(100_000) } })
      .commit('more', {
        files: { sub: submodule('1'.repeat(40)), 'long.txt': `y${long}`, 'b.txt': 'b\na\n'.repeat(100_000) },
        at: { at: 4_102_444_800, zone: 0 },
      })
      .build();
    const history = await openLineHistory(repo.path);
    const ask = (path: string, lineNumber = 1) => history.history({ sha: repo.sha('more'), path, lineNumber });
    await expect(ask('sub')).rejects.toBeInstanceOf(LineHistoryError);
    await expect(ask('sub/x')).rejects.toBeInstanceOf(LineHistoryError);
    expect((await ask('link')).line_history[0]!.line_explanation).toBe('target');
    const [entry] = (await ask('long.txt')).line_history;
    expect(entry!.line_explanation).toHaveLength(10_000);
    expect((await ask('b.txt', 150_001)).line_history).not.toEqual([]);
    history.close();
    repo.cleanup();
  }, 180_000);

  test('that lacks an object of the start gives a typed error', async () => {
    const repo = goldenRepo()
      .commit('root', { files: { 'a.txt': 'x\n' } })
      .build();
    const copy = repo.clone('--bare');
    // Loose objects can be taken away one by one.
    const packs = `${copy}/objects/pack`;
    const pack = readdirSync(packs).find((name) => name.endsWith('.pack'))!;
    const bytes = readFileSync(`${packs}/${pack}`);
    rmSync(packs, { recursive: true });
    execFileSync('git', ['-C', copy, 'unpack-objects', '-q'], { input: bytes, env: isolatedGitEnvironment() });
    const blob = repo.git('rev-parse', `${repo.sha('root')}:a.txt`);
    rmSync(`${copy}/objects/${blob.slice(0, 2)}/${blob.slice(2)}`);
    const history = await openLineHistory(copy);
    const asked = history.history({ sha: repo.sha('root'), path: 'a.txt', lineNumber: 1 });
    await expect(asked).rejects.toMatchObject({ code: 'missing_object', parameter: null });
    history.close();
    repo.cleanup();
  });
});
