// Our reading of .gitattributes against git's own (`git check-attr`).
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPathAttributes } from '../../../src/engine/categories/git-attributes.ts';
import { compilePathPattern } from '../../../src/engine/categories/path-pattern.ts';

let folder = '';
const git = (args: string[], input = '') =>
  execFileSync('git', args, {
    cwd: folder,
    input,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: folder, GIT_CONFIG_NOSYSTEM: '1', GIT_ATTR_NOSYSTEM: '1' },
  });

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'strata-attributes-'));
  git(['init', '-q']);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const PATHS = [
  'a.js',
  'b.txt',
  'src/a.js',
  'src/deep/a.js',
  'src/deep/b.txt',
  'src/ab.js',
  'docs/a.js',
  'docs/src/a.js',
  'docs/x y.js',
  'a/b/c/d.js',
  '[x].js',
];

/** 'set', 'unset', 'unspecified' or a value, per path, as git prints it. */
function askGit(files: Record<string, string>, attribute: string): string[] {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  const answer = git(['check-attr', '--stdin', '-z', attribute], PATHS.map((path) => `${path}\0`).join(''));
  for (const path of Object.keys(files)) rmSync(join(folder, path));
  return answer.split('\0').filter((_, i) => i % 3 === 2);
}

function askOurs(files: Record<string, string>): string[] {
  const attributes = createPathAttributes(
    Object.entries(files).map(([path, content]) => ({ path, content: Buffer.from(content) })),
  );
  return PATHS.map((path) => {
    const value = attributes?.of(path).generated;
    return value === undefined ? 'unspecified' : value ? 'set' : 'unset';
  });
}

describe('.gitattributes', () => {
  const piece = fc.constantFrom(
    '*',
    '**',
    '?',
    'a',
    'b',
    'src',
    'deep',
    'docs',
    '.js',
    '.txt',
    '/',
    '/',
    '[ab]',
    '[!a]',
    '[a-c]',
    'a.js',
    '*.js',
    '\\[',
    'd',
  );
  const pattern = fc
    .array(piece, { minLength: 1, maxLength: 6 })
    .map((pieces) => pieces.join(''))
    // A trailing or doubled slash matches nothing in git and is no pattern anyone means.
    .filter((text) => !/\/\/|\/$|^!|^#/.test(text) && !/\*\*[^/]|[^/]\*\*/.test(text));
  const setting = fc.constantFrom('linguist-generated', '-linguist-generated', '!linguist-generated', 'text');
  const file = fc
    .array(fc.tuple(pattern, setting), { minLength: 1, maxLength: 4 })
    .map((rows) => rows.map((row) => row.join(' ')).join('\n'));

  test('any patterns in any folders set what git says they set', () => {
    fc.assert(
      fc.property(file, fc.option(file), fc.option(file), (root, src, docs) => {
        const files: Record<string, string> = { '.gitattributes': root };
        if (src !== null) files['src/.gitattributes'] = src;
        if (docs !== null) files['docs/.gitattributes'] = docs;
        expect(askOurs(files)).toEqual(askGit(files, 'linguist-generated'));
      }),
      { numRuns: 250 },
    );
  });

  test('macros, comments, quoted patterns and values are read', () => {
    const files = {
      '.gitattributes':
        '# note\n[attr]made linguist-generated\nsrc/*.js made\n"docs/x y.js" linguist-generated\nb.txt  -linguist-generated',
    };
    expect(askOurs(files)).toEqual(askGit(files, 'linguist-generated'));
    const attributes = createPathAttributes([
      { path: '.gitattributes', content: Buffer.from('a.js linguist-generated=false\nb.txt linguist-generated=true') },
    ]);
    expect([attributes?.of('a.js').generated, attributes?.of('b.txt').generated]).toEqual([false, true]);
  });

  test('lines are read up to the length that git reads', () => {
    const line = (pattern: string, bytes: number) => `${pattern} linguist-generated`.padEnd(bytes, ' x');
    const files = { '.gitattributes': [line('a.js', 2046), line('b.txt', 2047), line('src/*', 2048)].join('\n') };
    expect(askOurs(files)).toEqual(askGit(files, 'linguist-generated'));
    expect(askOurs({ '.gitattributes': `"${'a'.repeat(20_000_000)}\n* linguist-generated` })).not.toContain('unset');
  });

  test('macros that name each other many times over do not grow', () => {
    const macros = Array.from({ length: 8 }, (_, i) => `[attr]m${i + 1} ${`m${i} `.repeat(500)}`);
    const files = { '.gitattributes': ['[attr]m0 linguist-generated', ...macros, 'src/* m8'].join('\n') };
    const startedAt = performance.now();
    expect(askOurs(files)).toEqual(PATHS.map((path) => (/^src\/[^/]+$/.test(path) ? 'set' : 'unspecified')));
    expect(performance.now() - startedAt).toBeLessThan(2000);
  });

  test('a repository that sets nothing of ours has none', () => {
    expect(createPathAttributes([{ path: '.gitattributes', content: Buffer.from('* text=auto\n') }])).toBeNull();
  });

  test('random bytes never stop the reader', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.string(), (content, path) => {
        createPathAttributes([{ path: 'x/.gitattributes', content }])?.of(path);
      }),
    );
  });

  test('a pattern of many stars takes no longer than the product of the lengths', () => {
    const matches = compilePathPattern(`${'*a'.repeat(200)}b`, '');
    const deep = compilePathPattern(`${'**/a/'.repeat(100)}b`, '');
    expect(matches('a'.repeat(5000))).toBe(false);
    expect(deep('a/'.repeat(2000))).toBe(false);
  });
});
