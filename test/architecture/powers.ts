// What a part can do to the world, and where it may. One row per power: what in the syntax tree shows
// it, and the folders and files that hold it. All else is refused.
export interface Power {
  readonly name: string;
  /** Modules of Node and packages; `@scope/*` is all of a scope. Imports of types do not count. */
  readonly modules?: readonly string[];
  /** Names that no file declares, and members of global objects: `fetch`, `process.env`, `new Date()`. */
  readonly globals?: readonly string[];
  /** Methods by whose names a call is known. */
  readonly calls?: readonly string[];
  readonly tags?: readonly string[];
  /** Strings and templates; each `${…}` is a question mark. */
  readonly text?: RegExp;
  readonly allowedIn: readonly string[];
}

const WRITING_SQL =
  /\binsert\s+into\s+[\w?"]|\bupdate\s+[\w."?]+(\s+(as\s+)?\w+)?\s+set\s|\bdelete\s+from\s+[\w?"]|\bmerge\s+into\s|\btruncate\s+(table\s+)?\w|\b(create|drop|alter)\s+(or\s+replace\s+)?(unique\s+|temp\w*\s+|unlogged\s+)?(table|index|view|schema|function|database|role|type|sequence|extension)\s+[\w?"]|\bcopy\s+[\w."?]+\s*(\([^)]*\)\s*)?(from|to)\s+std/i;
const READING_SQL =
  /\bselect\s[^;]*?\sfrom\s+[\w?"(]|^\s*select\s+[\w?]+(\.\w+)?\s*[(,:]|\bwith\s+(recursive\s+)?[\w?]+\s*(\([^)]*\)\s*)?as\s+(not\s+)?(materialized\s+)?\(|\bjoin\s+(lateral\s+)?[\w?(].*\son\s|\b(group|order)\s+by\s+[\w?]+[.,)]|\bwhere\s+[\w?]+\.[\w?]+\s*(=|<|>|in\b|is\b)|=\s*any\s*\(/is;

export const POWERS: readonly Power[] = [
  {
    name: 'reads by SQL',
    tags: ['sql'],
    calls: ['selectFrom'],
    text: READING_SQL,
    allowedIn: [
      'src/storage',
      'src/derive',
      'src/metrics/catalogue',
      'src/metrics/compile',
      'src/metrics/run-query.ts',
    ],
  },
  {
    name: 'writes by SQL',
    calls: ['insertInto', 'updateTable', 'deleteFrom', 'mergeInto', 'replaceInto'],
    text: WRITING_SQL,
    allowedIn: ['src/storage', 'src/derive'],
  },
  {
    name: 'drives the database',
    modules: ['pg', 'pg-copy-streams', 'kysely', 'graphile-worker'],
    allowedIn: ['src/storage', 'src/derive'],
  },
  {
    name: 'starts processes',
    modules: ['child_process', 'cluster'],
    allowedIn: ['src/engine/git', 'src/storage/embedded', 'src/compose/worker-process.ts'],
  },
  { name: 'starts threads', modules: ['worker_threads'], globals: ['Worker'], allowedIn: ['src/engine/walk'] },
  {
    name: 'reads the environment',
    globals: ['process.env', 'process.*', 'process', 'globalThis', 'globalThis.*'],
    allowedIn: ['src/config', 'web/vite.config.ts'],
  },
  {
    name: 'calls other machines',
    modules: [
      'http',
      'https',
      'http2',
      'tls',
      'dns',
      'dns/promises',
      'dgram',
      'undici',
      'got',
      'axios',
      'node-fetch',
      'ws',
      'nodemailer',
      '@octokit/*',
      '@gitbeaker/*',
    ],
    globals: ['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest'],
    allowedIn: ['src/connectors', 'web/src/api'],
  },
  { name: 'opens sockets', modules: ['net'], allowedIn: ['src/connectors', 'src/storage/embedded'] },
  { name: 'listens for requests', modules: ['fastify', '@fastify/*'], allowedIn: ['src/api'] },
  {
    name: 'loads code by a computed name',
    modules: ['a computed name', 'module'],
    globals: ['require', 'eval', 'Function'],
    allowedIn: ['src/storage/embedded/binaries.ts', 'src/kit/packages/package-on-use.ts'],
  },
  {
    name: 'reads the clock or draws lots',
    globals: [
      'Date.now',
      'Date.*',
      'new Date()',
      'Math.random',
      'Math.*',
      'performance.now',
      'performance.*',
      'process.hrtime',
      'crypto.randomUUID',
      'crypto.getRandomValues',
    ],
    allowedIn: [
      'src/kit',
      'src/config',
      'src/storage',
      'src/derive',
      'src/jobs',
      'src/operations',
      'src/endpoints',
      'src/api',
      'src/cli',
      'src/compose',
      'web/src/app',
      'web/src/imports',
      'web/src/pages',
    ],
  },
];
