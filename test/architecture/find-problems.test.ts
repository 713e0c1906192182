// The check of the architecture has to fail: each rule is held against a small tree that breaks it.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { DIRECTIONS } from './directions.ts';
import { findProblems, problemToLine } from './find-problems.ts';
import { POWERS } from './powers.ts';
import { parseSource } from './source-file.ts';

const PACKAGES = ['pg', 'kysely', 'graphile-worker', 'nodemailer', 'undici', '@octokit/request', 'fastify'];

/** What is wrong with a tree of these files, `rule path`. */
function problemsOf(
  files: Readonly<Record<string, string | Buffer>>,
  exceptions: Parameters<typeof findProblems>[1] = [],
  withExports = false,
): string[] {
  const root = mkdtempSync(join(tmpdir(), 'strata-architecture-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const dependencies = Object.fromEntries(PACKAGES.map((name) => [name, '1.0.0']));
  const all = { 'package.json': JSON.stringify({ dependencies }), ...files };
  for (const [path, source] of Object.entries(all)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), source);
  }
  // Most fixtures export what nothing imports.
  const { problems } = findProblems(root, exceptions);
  if (withExports)
    return problems.map(({ rule, path, text }) => `${rule} ${path} ${text.match(/^exports (\w+)/)?.[1]}`);
  return problems.filter(({ rule }) => rule !== 'exports').map(({ rule, path }) => `${rule} ${path}`);
}

/** Ways to write each power, and a folder that must not have it. */
const FORMS: Readonly<Record<string, { refusedIn: string; sources: readonly string[] }>> = {
  'reads by SQL': {
    refusedIn: 'src/operations/people',
    sources: [
      'export const a = `select id from committers where entity_id = $1`;',
      "export const a = 'SELECT count(*)\\n FROM commits';",
      `export const a = (b: string) => \`with own as (select 1) \${b}\`;`,
      `export const a = (t: string) => \`select \${t}.id from \${t}\`;`,
      'export const a = (sql: (t: TemplateStringsArray) => string) => sql`now()`;',
      'export const a = (db: { selectFrom(t: string): unknown }) => db.selectFrom("commits");',
      'export const a = `left join repos r on r.id = x.repo_id`;',
    ],
  },
  'writes by SQL': {
    refusedIn: 'src/metrics/compile',
    sources: [
      'export const a = `insert into commits (id) values ($1)`;',
      `export const a = (t: string) => \`insert into \${t} values (1)\`;`,
      'export const a = `update committers c set name = $1`;',
      "export const a = 'delete from commits';",
      'export const a = `create temp table chosen (id bigint)`;',
      'export const a = `drop table commits`;',
      'export const a = `truncate commits`;',
      'export const a = `copy commits (id) from stdin`;',
      'export const a = (db: { insertInto(t: string): unknown }) => db.insertInto("commits");',
      'export const a = (db: { updateTable(t: string): unknown }) => db.updateTable("commits");',
      'export const a = (db: { deleteFrom(t: string): unknown }) => db.deleteFrom("commits");',
    ],
  },
  'drives the database': {
    refusedIn: 'src/operations/access',
    sources: [
      "import { Pool } from 'pg';\nexport const a = Pool;",
      "import { sql } from 'kysely';\nexport const a = sql;",
      "export const a = () => import('graphile-worker');",
    ],
  },
  'starts processes': {
    refusedIn: 'src/engine/walk',
    sources: [
      "import { spawn } from 'node:child_process';\nexport const a = spawn;",
      "import * as processes from 'node:child_process';\nexport const a = processes;",
      "export { execFile } from 'node:child_process';",
      "export const a = () => import('node:child_process');",
      "import cluster from 'node:cluster';\nexport const a = cluster;",
      "import processes = require('node:child_process');\nexport const a = processes;",
    ],
  },
  'starts threads': {
    refusedIn: 'src/engine/judge',
    sources: ["import { Worker } from 'node:worker_threads';\nexport const a = Worker;"],
  },
  'reads the environment': {
    refusedIn: 'src/api',
    sources: [
      'export const a = process.env.HOME;',
      "export const a = process['env'];",
      'export const a = process[`env`];',
      'export const a = globalThis.process.env;',
      'export const { env } = process;',
      'export const { env: a } = globalThis.process;',
      'export const { process: a } = globalThis;',
      "import { env } from 'node:process';\nexport const a = env;",
      "import { env as a } from 'process';\nexport const b = a;",
      "import own from 'node:process';\nexport const a = own.env;",
      "import * as own from 'node:process';\nexport const a = own.env;",
      'const own = process;\nexport const a = own.env;',
      'export const a = (name: "env") => process[name];',
    ],
  },
  'calls other machines': {
    refusedIn: 'src/jobs',
    sources: [
      "export const a = () => fetch('https://example.com');",
      'export const a = { send: fetch };',
      'export const a = globalThis.fetch;',
      "export const a = () => new WebSocket('wss://example.com');",
      "import { request } from 'node:https';\nexport const a = request;",
      "import { lookup } from 'node:dns/promises';\nexport const a = lookup;",
      "import { connect } from 'node:tls';\nexport const a = connect;",
      "import { createTransport } from 'nodemailer';\nexport const a = createTransport;",
      "import { request } from '@octokit/request';\nexport const a = request;",
      "import { request } from 'undici';\nexport const a = request;",
    ],
  },
  'opens sockets': {
    refusedIn: 'src/storage/queue',
    sources: ["import { connect } from 'node:net';\nexport const a = connect;"],
  },
  'listens for requests': {
    refusedIn: 'src/operations/mail',
    sources: ["import { fastify } from 'fastify';\nexport const a = fastify;"],
  },
  'loads code by a computed name': {
    refusedIn: 'src/connectors/hosts',
    sources: [
      'export const a = (name: string) => import(name);',
      "import { createRequire } from 'node:module';\nexport const a = createRequire;",
      "export const a = eval('1');",
      "export const a = new Function('return 1');",
    ],
  },
  'reads the clock or draws lots': {
    refusedIn: 'src/engine/trace',
    sources: [
      'export const a = Date.now();',
      'export const a = new Date();',
      'export const a = Math.random();',
      'export const a = performance.now();',
      'export const { random } = Math;',
      'export const a = crypto.randomUUID();',
    ],
  },
};

test('every power has ways to be seen', () => {
  expect(Object.keys(FORMS)).toEqual(POWERS.map((power) => power.name));
});

for (const [name, { refusedIn, sources }] of Object.entries(FORMS)) {
  test(`a file that ${name} is refused in ${refusedIn}, and accepted where it may`, () => {
    for (const source of sources) {
      expect(problemsOf({ [`${refusedIn}/thing.ts`]: source }), source).toContain(`${name} ${refusedIn}/thing.ts`);
      for (const place of POWERS.find((power) => power.name === name)!.allowedIn) {
        const path = place.endsWith('.ts') ? place : `${place}/thing.ts`;
        expect(problemsOf({ [path]: source }), `${path}: ${source}`).not.toContain(`${name} ${path}`);
      }
    }
  });
}

test('what only looks like a power is accepted', () => {
  const harmless = [
    "import type { Socket } from 'node:net';\nexport type A = Socket;",
    "import { type ChildProcess } from 'node:child_process';\nexport type A = ChildProcess;",
    "export type A = import('node:http').IncomingMessage;",
    'export const a = (fetch: () => void) => fetch();',
    'export const a = (own: { fetch(): void; env: string }) => [own.fetch(), own.env, { env: 1, fetch: 2 }];',
    'export type A = typeof fetch;',
    'export const a = (process: { env: string }) => process.env;',
    '// select id from commits\nexport const a = process.exitCode;',
    "export const a = 'Selected from the list of repos';",
    "export const a = 'Update the settings and set a time zone';",
    "export const a = 'Which lines were deleted, and from where';",
    'export const a = [new Date(0), Math.max(1, 2), Date.parse("2026-01-01")];',
  ];
  for (const source of harmless) {
    expect(problemsOf({ 'src/engine/trace/thing.ts': source }), source).toEqual([]);
  }
});

test('a problem names the file, the line and what was seen', () => {
  const root = mkdtempSync(join(tmpdir(), 'strata-architecture-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, 'src/api'), { recursive: true });
  writeFileSync(join(root, 'package.json'), '{}');
  writeFileSync(join(root, 'src/api/thing.ts'), '// héllo\n\nexport const a = process.env;\n');
  expect(findProblems(root, []).problems.map(problemToLine)).toContain(
    'reads the environment: src/api/thing.ts:3 by global "process.env"; only src/config, web/vite.config.ts may',
  );
});

/** Directions that hold whatever the table says: should a row be widened by mistake, this list objects. */
const NEVER: readonly (readonly [from: string, to: string])[] = [
  ['src/kit', 'src/domain'],
  ['src/domain', 'src/storage/people'],
  ['src/domain', 'src/engine/model'],
  ['src/engine/walk', 'src/storage/commits'],
  ['src/connectors/hosts', 'src/storage/repos'],
  ['src/ingest', 'src/storage/repos'],
  ['src/storage/commits', 'src/engine/model'],
  ['src/storage/commits', 'src/operations/access'],
  ['src/metrics', 'src/operations/reports'],
  ['src/derive/commits', 'src/metrics'],
  ['src/collect', 'src/jobs'],
  ['src/collect', 'src/engine/git'],
  ['src/jobs', 'src/operations/access'],
  ['src/jobs', 'src/connectors/hosts'],
  ['src/operations/repos', 'src/jobs'],
  ['src/operations/repos', 'src/engine/walk'],
  ['src/operations/repos', 'src/connectors/hosts'],
  ['src/operations/repos', 'src/endpoints/repos'],
  ['src/endpoints/repos', 'src/storage/repos'],
  ['src/endpoints/repos', 'src/api'],
  ['src/api', 'src/storage/repos'],
  ['src/mcp', 'src/storage/repos'],
  ['src/cli', 'src/storage/repos'],
  ['src/api', 'src/cli'],
  ['src/config', 'src/storage/database'],
  ['src/compose', 'test/support'],
  ['kernel/classify', 'src/engine/model'],
  ['client', 'src/domain'],
  ['web', 'src/domain'],
  ['web/src/text', 'web/src/url'],
  ['web/src/charts', 'web/src/api'],
  ['web/src/ui', 'web/src/api'],
  ['web/src/report', 'web/src/pages/overview'],
  ['web/src/pages/overview', 'web/src/pages/statistic'],
  ['web/src/pages/overview', 'src/domain'],
  ['src/api', 'web/src/text'],
];

const importOf = (from: string, to: string, kind = ''): string =>
  `import ${kind} { a } from '${'../'.repeat(from.split('/').length)}${to}/target.ts';\nexport type A = typeof a;`;

test.each(NEVER)('%s never imports %s, not even a type', (from, to) => {
  for (const kind of ['', 'type']) {
    const files = { [`${from}/thing.ts`]: importOf(from, to, kind), [`${to}/target.ts`]: 'export const a = 1;' };
    expect(problemsOf(files)).toEqual([`directions ${from}/thing.ts`]);
  }
});

test('each row of directions accepts what it lists and refuses all other rows', () => {
  const rows = Object.keys(DIRECTIONS).filter((row) => !row.endsWith('.ts'));
  const files: Record<string, string> = {};
  const refused: string[] = [];
  for (const to of rows) files[`${to}/target.ts`] = 'export const a = 1;';
  for (const from of rows) {
    for (const to of rows) {
      const path = `${from}/uses-${to.replaceAll('/', '-')}.ts`;
      files[path] = importOf(from, to);
      const allowed = [from, ...DIRECTIONS[from]!].some((folder) => to === folder || to.startsWith(`${folder}/`));
      if (!allowed) refused.push(`directions ${path}`);
    }
  }
  const found = problemsOf(files).filter((problem) => problem.startsWith('directions'));
  expect(found.sort()).toEqual(refused.sort());
  expect(refused.length).toBeGreaterThan(rows.length * 5);
});

test('imports are seen however they are written', () => {
  const target = { 'src/storage/repos/target.ts': 'export const a = 1;' };
  const sources = [
    "export { a } from '../storage/repos/target.ts';",
    "export * from '../storage/repos/target.ts';",
    "export const a = () => import('../storage/repos/target.ts');",
    "export type A = import('../storage/repos/target.ts').a;",
    "export const f = (b: Partial<typeof import('../storage/repos/target.ts')>) => b;",
  ];
  for (const source of sources) {
    expect(problemsOf({ ...target, 'src/api/thing.ts': source }), source).toEqual(['directions src/api/thing.ts']);
  }
});

test('a folder without a row, a missing file and a circle are problems', () => {
  expect(problemsOf({ 'src/attic/thing.ts': '' })).toEqual(['directions src/attic/thing.ts']);
  expect(problemsOf({ 'src/kit/thing.ts': "import './other.ts';" })).toEqual(['directions src/kit/thing.ts']);
  const circle = {
    'src/kit/a.ts': "import type { B } from './b.ts';\nexport type A = B;",
    'src/kit/b.ts': "export * from './c.ts';",
    'src/kit/c.ts': "import './a.ts';",
    'src/kit/d.ts': "import './a.ts';",
  };
  expect(problemsOf(circle)).toEqual(['cycles src/kit/a.ts']);
});

test('a package that is not installed with the service is a problem', () => {
  expect(problemsOf({ 'src/kit/thing.ts': "import 'left-pad/one.js';" })).toEqual(['packages src/kit/thing.ts']);
  expect(problemsOf({ 'src/kit/thing.ts': "import 'fs';" })).toEqual(['packages src/kit/thing.ts']);
  expect(problemsOf({ 'src/kit/thing.ts': "import 'node:fs';" })).toEqual([]);
});

test('code that nothing calls, or only tests call, is a problem', () => {
  const own = 'export const a = 1;\nexport interface B { c: string }\n';
  const exportProblems = (files: Readonly<Record<string, string>>) =>
    problemsOf({ 'src/kit/own.ts': own, ...files }, undefined, true).filter((problem) => problem.startsWith('exports'));
  expect(exportProblems({})).toEqual(['exports src/kit/own.ts a', 'exports src/kit/own.ts B']);
  const test = { 'test/kit/own.test.ts': "import { a } from '../../src/kit/own.ts';" };
  expect(exportProblems(test)).toHaveLength(2);
  for (const use of [
    "import { a, type B } from './own.ts';",
    "import { a as b, type B } from './own.ts';",
    "export { a, type B } from './own.ts';",
    "import * as own from './own.ts';",
    "const own = await import('./own.ts');",
    "import { a } from './own.ts';\ntype C = import('./own.ts').B;",
  ]) {
    expect(exportProblems({ 'src/kit/other.ts': use }), use).toEqual([]);
  }
  expect(exportProblems({ 'src/kit/own.ts': 'export const a = 1;\nconst b = a;' })).toEqual([]);
});

test('names in another case, names that say nothing and crowded folders are problems', () => {
  expect(problemsOf({ 'src/kit/byteLru.ts': '' })).toEqual(['names src/kit/byteLru.ts']);
  expect(problemsOf({ 'test/kit/byte_lru.test.ts': '' })).toEqual(['names test/kit/byte_lru.test.ts']);
  for (const name of ['utils', 'helpers', 'common', 'misc', 'manager']) {
    expect(problemsOf({ [`src/kit/${name}.ts`]: '' })).toEqual([`names src/kit/${name}.ts`]);
  }
  const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`src/kit/a${i}.ts`, '']));
  expect(problemsOf(many(15))).toEqual([]);
  expect(problemsOf(many(16))).toEqual(['folder size src/kit']);
});

test('paths of the machine on which something was made are problems, in packed fixtures too', () => {
  const made = ['', 'tmp', 'strata-x', 'repo'].join('/');
  expect(problemsOf({ 'docs/page.md': `see ${made}` })).toEqual(['machine docs/page.md']);
  expect(problemsOf({ 'test/a.backup': gzipSync(`{"at":"${made}"}`) })).toEqual(['machine test/a.backup']);
  expect(problemsOf({ 'docs/page.md': `a file such as ${made.slice(0, 6)} or $TMP${made}` })).toEqual([]);
});

test('an exception covers its rule and path, and is a problem once nothing needs it', () => {
  const files = { 'src/api/thing.ts': 'export const a = process.env;' };
  const exception = { rule: 'reads the environment', path: 'src/api', since: '2026-11-16', why: 'a test' };
  expect(problemsOf(files, [exception])).toEqual([]);
  expect(problemsOf(files, [{ ...exception, path: 'src/cli' }])).toEqual([
    'reads the environment src/api/thing.ts',
    'exceptions src/cli',
  ]);
});

test('sources of the kernels are read despite their decorators', () => {
  const { imports } = parseSource(
    "import { a } from './b.ts';\n@inline\nexport function f(x: i32): i32 { return x; }\n",
  );
  expect(imports).toEqual([{ specifier: './b.ts', typeOnly: false, names: ['a'], line: 1 }]);
});

test('this project follows its own rules', () => {
  const { files, problems } = findProblems(process.cwd());
  expect(problems.map(problemToLine)).toEqual([]);
  expect(files).toBeGreaterThan(100);
});

test('the page about the architecture names every folder and every power of the tables', () => {
  const page = readFileSync('docs/architecture.md', 'utf8');
  const missing = [
    ...Object.keys(DIRECTIONS).filter((row) => !page.includes(`\`${row}`)),
    ...POWERS.filter(({ name }) => !page.includes(`| ${name} |`)).map(({ name }) => name),
  ];
  expect(missing).toEqual([]);
});
