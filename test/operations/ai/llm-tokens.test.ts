// Tokens of AI providers: added on the command line, listed without their secrets, sealed in the database.
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runProgram } from '../../../src/cli/program.ts';
import { loadVerbsFor } from '../../../src/cli/verbs/index.ts';
import { createCliParts } from '../../../src/compose/commands.ts';
import { tokenSealContext } from '../../../src/domain/ai/providers.ts';
import { createSecretBox, parseSecretKey, readOrMakeKeyFile } from '../../../src/kit/sealed-secret.ts';
import { createTestApp, type TestApp } from '../../support/app.ts';
import { seedEntityId, seedRepo } from '../seed-records.ts';

const SECRET = 'sk-ant-very-secret-0123456789';
let app: TestApp;
let folder: string;
let entityId: number;

beforeAll(async () => {
  app = await createTestApp();
  entityId = await seedEntityId(app.store, 'acme');
  await seedRepo(app.store, entityId, 'shop/website');
  await seedRepo(app.store, entityId, 'tools/cli');
  folder = mkdtempSync(join(tmpdir(), 'strata-llm-'));
  writeFileSync(
    join(folder, 'config.json'),
    JSON.stringify({ database_url: app.store.databaseUrl, data: join(folder, 'data') }),
  );
  writeFileSync(join(folder, 'secret.txt'), `${SECRET}\n`);
  writeFileSync(join(folder, 'second.txt'), 'another-secret');
  writeFileSync(join(folder, 'two words.txt'), 'two words');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function strata(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const lines = { out: [] as string[], err: [] as string[] };
  const terminal = {
    out: (line: string) => void lines.out.push(line),
    err: (line: string) => void lines.err.push(line),
  };
  const all = ['llm-token', ...args, '--config', join(folder, 'config.json')];
  const code = await runProgram(all, await loadVerbsFor(all), createCliParts(process.cwd(), terminal), terminal);
  return { code, out: lines.out.join('\n'), err: lines.err.join('\n') };
}
const add = (file: string, ...args: string[]) =>
  strata('add', '--entity', 'acme', '--secret-file', join(folder, file), ...args);
const list = (path = 'acme', token = app.tokens.admin) =>
  app.request({ route: 'GET /api_tokens/llm_tokens', token, query: `resource_path=${path}` });

test('a secret in a file that is not UTF-8 is refused, not changed', async () => {
  writeFileSync(join(folder, 'wide.txt'), Buffer.from('\uFEFFsk-secret', 'utf16le'));
  const { code, err } = await add('wide.txt', '--provider', 'anthropic');
  expect([code, err]).toEqual([2, expect.stringMatching(/wide\.txt" is UTF-16, not UTF-8; save it as UTF-8$/)]);
});

describe('a token of an AI provider', () => {
  test('is added under the wire value or the name of the product, and listed as a bare array', async () => {
    expect(await add('secret.txt', '--provider', 'anthropic', '--user', 'admin@example.com')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Token \d+ of anthropic is kept\.$/),
    });
    await add('second.txt', '--provider', 'vendorA_assistant', '--organization', 'shop');
    expect(JSON.parse((await list()).text)).toEqual([
      {
        id: expect.any(Number),
        ai_usage_provider_em: 'vendorC_platform',
        created_at: expect.any(String),
        global_error_em: null,
        last_exceeded_quota_at: null,
        last_used_at: null,
        tool_em: null,
        settings: {},
        error_detail: null,
        last_success_on: null,
        latest_available_on: null,
        next_run_at: expect.any(String),
        seat_count: 0,
        created_by_user: { service_id: expect.any(Number), name: 'admin@example.com', git_provider_em: null },
        confirmed_resources: [{ resource_em: 'entity_resource', resource_id: entityId, resource_name: 'acme' }],
      },
      expect.objectContaining({
        ai_usage_provider_em: 'vendorA_assistant',
        created_by_user: null,
        confirmed_resources: [
          { resource_em: 'organization_resource', resource_id: expect.any(Number), resource_name: 'shop' },
        ],
      }),
    ]);
  });

  test('is listed for the organizations that it serves', async () => {
    expect(JSON.parse((await list('acme/shop')).text)).toHaveLength(2);
    expect(JSON.parse((await list('acme/tools')).text)).toHaveLength(1);
    expect((await list('acme/none')).status).toBe(404);
    expect((await list('acme/shop/website')).status).toBe(400);
    expect((await list('acme', app.tokens.foreignAdmin)).status).toBe(404);
    expect((await list('acme', app.tokens.member)).status).toBe(403);
    expect((await list('acme', app.tokens.manager)).status).toBe(200);
  });

  test('that is added again is the same token, with one resource more', async () => {
    expect((await add('secret.txt', '--provider', 'anthropic', '--organization', 'tools')).code).toBe(0);
    const [first, ...others] = JSON.parse((await list()).text);
    expect(first.confirmed_resources).toHaveLength(2);
    expect(others).toHaveLength(1);
  });

  test('is sealed: no row, log or output holds it, and only the key opens it', async () => {
    const { rows } = await app.store.pool.query(
      'select id, secret_sealed, t::text as text from llm_tokens t order by id',
    );
    for (const { text, secret_sealed } of rows) {
      expect(text).not.toContain(SECRET);
      expect(text).not.toContain(Buffer.from(SECRET).toString('hex'));
      expect(secret_sealed.includes(SECRET)).toBe(false);
    }
    const file = join(folder, 'data', 'secret.key');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const box = createSecretBox(readOrMakeKeyFile(file));
    expect(box.open(rows[0].secret_sealed, tokenSealContext(entityId, 'anthropic'))).toBe(SECRET);
    expect(() => box.open(rows[0].secret_sealed, tokenSealContext(entityId + 1, 'anthropic'))).toThrow(/another key/);
    const printed = await strata('list', '--entity', 'acme', '--json');
    expect(printed.out).toContain('vendorC_platform');
    expect(printed.out + printed.err + app.logged()).not.toContain(SECRET);
  });

  test('shows what went wrong, in the answer and on the command line', async () => {
    const error = { kind: 'rate_limited', detail: 'Anthropic asks to come again later' };
    await app.store.pool.query(
      `update llm_tokens set global_error_em = $1, error_detail = $2 where id = (select min(id) from llm_tokens)`,
      [error.kind, error.detail],
    );
    const [first] = JSON.parse((await list()).text);
    expect(first).toMatchObject({ global_error_em: error.kind, error_detail: error.detail });
    const { out } = await strata('list', '--entity', 'acme');
    expect(out).toContain(error.kind);
    expect(JSON.parse((await strata('list', '--entity', 'acme', '--format', 'json')).out)[0]).toMatchObject({
      global_error_em: error.kind,
      error_detail: error.detail,
    });
    await app.store.pool.query('update llm_tokens set global_error_em = null, error_detail = null');
  });

  test.each([
    ['an unknown provider', ['--provider', 'skynet'], 'secret.txt', /accepted are vendorA_assistant \(copilot\)/],
    ['a secret of two words', ['--provider', 'cursor'], 'two words.txt', /expected one word/],
    ['an unknown organization', ['--provider', 'cursor', '--organization', 'none'], 'secret.txt', /no organization/],
    ['an unknown user', ['--provider', 'cursor', '--user', 'x@example.com'], 'secret.txt', /no user x@example.com/],
  ])('is refused with %s', async (_, args, file, message) => {
    const { code, err } = await add(file, ...args);
    expect(code).not.toBe(0);
    expect(err).toMatch(message);
    expect(err).not.toContain(SECRET);
  });

  test('is removed by its id', async () => {
    const { out } = await strata('list', '--entity', 'acme', '--json');
    const [{ id }] = JSON.parse(out);
    expect((await strata('remove', String(id), '--entity', 'other')).err).toContain(`no token ${id}`);
    expect((await strata('remove', String(id), '--entity', 'acme')).out).toBe(`Removed token ${id}.`);
    expect(JSON.parse((await list()).text)).toHaveLength(1);
    expect((await strata('remove', String(id), '--entity', 'acme')).err).toContain(`no token ${id}`);
  });
});

describe('sealing', () => {
  const key = Buffer.alloc(32, 7);
  const box = createSecretBox(key);

  test('gives back what it was given, and never seals alike twice', () => {
    for (const secret of ['', 'x', 'ключ 🔑', 'y'.repeat(10_000)]) {
      const sealed = box.seal(secret, 'a');
      expect(box.open(sealed, 'a')).toBe(secret);
      expect(box.seal(secret, 'a').equals(sealed)).toBe(false);
    }
  });

  test('notices every changed byte, another key and another context', () => {
    const sealed = box.seal('secret', 'a');
    for (const index of sealed.keys()) {
      const changed = Buffer.from(sealed);
      changed[index]! ^= 1;
      expect(() => box.open(changed, 'a')).toThrow();
    }
    expect(() => box.open(sealed.subarray(0, -1), 'a')).toThrow();
    expect(() => box.open(sealed, 'b')).toThrow();
    expect(() => createSecretBox(Buffer.alloc(32, 8)).open(sealed, 'a')).toThrow(/another key/);
  });

  test('takes a key of 32 bytes, in hexadecimal or base64', () => {
    expect(parseSecretKey(key.toString('hex'))).toEqual(key);
    expect(parseSecretKey(` ${key.toString('base64')}\n`)).toEqual(key);
    for (const wrong of ['', 'short', key.toString('hex').slice(1), 'z'.repeat(64)]) {
      expect(parseSecretKey(wrong)).toBeNull();
    }
    expect(() => createSecretBox(Buffer.alloc(16))).toThrow(/32 bytes/);
  });
});
