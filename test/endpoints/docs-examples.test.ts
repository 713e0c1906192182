// The examples of docs/api/ are true: each curl command is run against a live server, and its answer is
// the one printed below it. "…" in the documentation stands for any text, "#" for any number, "{…}" for any object.
import { execFile, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../support/app.ts';
import { addressOf } from '../support/server-address.ts';
import { GITHUB_TOKEN, startGithub } from '../world/host-doubles/github.ts';
import type { HostDouble } from '../world/host-doubles/host-double.ts';
import { seedDocsRecords } from './docs-records.ts';

const EXAMPLE = /```sh\n(curl [\s\S]*?)```\n\n```json\n([\s\S]*?)```/g;
const examples = readdirSync('docs/api')
  .flatMap((file) => [...readFileSync(`docs/api/${file}`, 'utf8').matchAll(EXAMPLE)].map((match) => ({ file, match })))
  .map(({ file, match }) => ({ file, command: match[1]!.trim(), answer: match[2]! }));

const hasCurl = spawnSync('curl', ['--version']).status === 0;
if (!hasCurl) console.warn('\n*** NO CURL FOUND: THE EXAMPLES OF docs/api/ ARE NOT RUN ***\n');

let app: TestApp;
let github: HostDouble;
afterAll(() => github.close());
beforeAll(async () => {
  github = await startGithub();
  app = await createTestApp();
  await seedDocsRecords(app);
  await app.server.listen({ host: '127.0.0.1', port: 0 });
});

const withAnyText = (value: unknown): unknown => {
  if (value === '…') return expect.any(String);
  if (value === '#') return expect.any(Number);
  if (value === '{…}') return expect.any(Object);
  if (Array.isArray(value)) return value.map(withAnyText);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withAnyText(inner)]));
};

test('there are examples', () => {
  expect(examples.length).toBeGreaterThan(2);
});

test.skipIf(!hasCurl).each(examples)('$file: $command', async ({ command, answer }) => {
  const { stdout } = await promisify(execFile)('sh', ['-c', command], {
    env: {
      PATH: process.env.PATH,
      STRATA: addressOf(app.server),
      TOKEN: app.tokens.admin,
      SUPER_TOKEN: app.tokens.superAdmin,
      GITHUB_URL: github.address,
      GITHUB_TOKEN,
      no_proxy: '*',
    },
  });
  expect(JSON.parse(stdout)).toEqual(withAnyText(JSON.parse(answer)));
});
