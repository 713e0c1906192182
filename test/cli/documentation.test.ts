// Documentation that cannot fall behind: commands, settings and links that pages mention must exist.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadAllVerbs } from '../../src/cli/verbs/index.ts';
import { SETTING_KEYS, SETTINGS } from '../../src/config/settings-table.ts';
import { GIT_PROVIDERS } from '../../src/domain/repos/code-host.ts';
import { SEGMENT_IDS } from '../../src/domain/segments.ts';
import { ENDPOINTS } from '../../src/endpoints/index.ts';

const pages = [
  ...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md'],
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
];
const verbs = await loadAllVerbs();
const words = new Set(verbs.map(({ name }) => name.split(' ')[0]));
const readme = readFileSync('README.md', 'utf8');
const packageJson = JSON.parse(readFileSync('package.json', 'utf8'));

/** Text in backticks and in fenced blocks: what a reader would type. */
const codeIn = (text: string): string[] => [
  ...[...text.matchAll(/```[a-z]*\n(.*?)```/gs)].map((match) => match[1]!),
  ...[...text.replace(/```.*?```/gs, '').matchAll(/`([^`\n]+)`/g)].map((match) => match[1]!),
];

describe.each(pages)('%s', (page) => {
  const text = readFileSync(page, 'utf8');

  it('links to pages that exist', () => {
    const targets = [...text.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)].map((match) => match[1]!);
    const broken = targets.filter((target) => !/^https?:/.test(target) && !existsSync(join(dirname(page), target)));
    expect(broken).toEqual([]);
  });

  it('names commands, scripts and variables that exist', () => {
    const code = codeIn(text).join('\n');
    const commands = [...code.matchAll(/(?:^|npx |&& |\n|[A-Z]+=\S+ )strata ([a-z][a-z-]*)/g)].map(
      (match) => match[1]!,
    );
    expect(commands.filter((word) => !words.has(word))).toEqual([]);
    const scripts = [...code.matchAll(/npm run (?:-s )?([a-z:-]+)/g)].map((match) => match[1]!);
    expect(scripts.filter((name) => packageJson.scripts[name] === undefined)).toEqual([]);
    const known = new Set([
      'STRATA_CONFIG',
      'STRATA_TEST_SEED',
      'STRATA_URL',
      ...SETTING_KEYS.map((key) => SETTINGS[key].env),
    ]);
    const variables = [...code.matchAll(/\bSTRATA_[A-Z_]*[A-Z]\b/g)].map((match) => match[0]);
    expect(variables.filter((name) => !known.has(name))).toEqual([]);
  });

  // Decisions say how things stood when they were made.
  it.skipIf(page.startsWith(join('docs', 'decisions')))('names files and folders that exist', () => {
    const written = text.split('\n').filter((line) => !line.includes('planned'));
    const paths = codeIn(written.join('\n')).filter((code) =>
      /^(src|kernel|test|bench|db|contract|docs)\/[\w./-]+$/.test(code),
    );
    expect(paths.filter((path) => !existsSync(path))).toEqual([]);
  });
});

it('pages that count the statistics count right', () => {
  const counts = pages.flatMap((page) => [...readFileSync(page, 'utf8').matchAll(/(\d+)\s+statistics/g)]);
  expect(counts.filter(([, count]) => Number(count) !== SEGMENT_IDS.length && Number(count) > 100)).toEqual([]);
  expect(counts.length).toBeGreaterThan(3);
});

describe('the README', () => {
  it('lists every command that is for users', () => {
    const table = readme.slice(readme.indexOf('## Commands'), readme.indexOf('## More'));
    const missing = [...words].filter(
      (word) => word !== 'generate' && !table.includes(`strata ${word}`) && !table.includes(`\`${word}`),
    );
    expect(missing).toEqual([]);
  });

  it('gives the two commands that the project promises', () => {
    expect(readme).toContain('npm ci && npm start');
    expect(readme).toContain('npm ci && npm test');
    expect(packageJson.scripts.start).toBe('node bin/strata.mjs serve');
  });
});

describe('the pages about the API', () => {
  const text = readdirSync(join('docs', 'api')).map((name) => readFileSync(join('docs', 'api', name), 'utf8'));

  it('describe every endpoint', () => {
    const paths = ENDPOINTS.map(({ path }) => path);
    const isDescribed = (path: string): boolean => {
      const written = new RegExp(`/api/v1${path.replace(/:\w+/g, '[^/\\s]+')}(?![\\w/])`);
      return text.some((page) => written.test(page));
    };
    expect(paths.filter((path) => !isDescribed(path))).toEqual([]);
  });

  it('say of every code host what its token needs', () => {
    const page = readFileSync(join('docs', 'api', 'provision-user.md'), 'utf8');
    const rows = Object.entries(GIT_PROVIDERS).map(([name, { alias }]) => `| \`${name}\` | \`${alias}\` |`);
    expect(rows.filter((row) => !page.includes(row))).toEqual([]);
  });
});

describe('the list of pages about the API', () => {
  it('leaves none out', () => {
    const list = readFileSync(join('docs', 'api', 'README.md'), 'utf8');
    const others = readdirSync(join('docs', 'api')).filter((name) => name !== 'README.md');
    expect(others.filter((name) => !list.includes(`](${name})`))).toEqual([]);
  });
});
