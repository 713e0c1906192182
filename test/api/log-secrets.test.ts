// No secret is ever logged, wherever a caller or a fault puts it.
import { beforeAll, expect, test } from 'vitest';
import { ENDPOINTS } from '../../src/endpoints/index.ts';
import { blankSecrets, createLog } from '../../src/kit/create-log.ts';
import { SAMPLE_ENDPOINTS } from '../endpoints/sample-endpoints.ts';
import { createTestApp, type TestApp } from '../support/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ endpoints: [...ENDPOINTS, ...SAMPLE_ENDPOINTS] });
});

const SECRETS = {
  ours: `strata_${'Ab3_'.repeat(10)}xyz`,
  host: `ghp_${'q7'.repeat(18)}`,
  plain: 'correct-horse-battery-staple',
  url: 'postgres://strata:s3cr3tpw@db.example.com/strata',
};

function expectNoSecret(text: string): void {
  for (const secret of [...Object.values(SECRETS), 's3cr3tpw', ...Object.values(app.tokens)]) {
    expect(text.includes(secret), `${secret} was logged`).toBe(false);
  }
}

test('secrets in headers, addresses, queries and bodies do not reach the log', async () => {
  const before = app.logged().length;
  const { ours, host, plain, url } = SECRETS;
  const headers = { cookie: `session=${plain}`, 'x-api-key': plain, 'x-trace-identifier': ours };
  await app.request({ route: 'GET /api_tokens', headers });
  await app.request({ route: 'GET /api_tokens', token: ours });
  await app.request({ route: 'GET /api_tokens', query: `api_token=${ours}&password=${plain}` });
  await app.request({ route: `GET /samples/${ours}` });
  await app.request({ route: `GET /nowhere/${host}`, query: `token=${plain}` });
  await app.request({
    route: 'POST /samples',
    json: { secret_token: plain, git_provider_token: host, name: { password: plain } },
  });
  await app.request({ route: 'POST /samples', form: `secret_token=${plain}&address=${encodeURIComponent(url)}` });
  await app.request({
    route: 'POST /samples',
    payload: `{"password":"${plain}`,
    headers: { 'content-type': 'application/json' },
  });
  const text = app.logged();
  expect(text.length).toBeGreaterThan(before);
  expectNoSecret(text);
});

test('secrets in the message, stack and cause of a fault do not reach the log', async () => {
  const { ours, host, plain, url } = SECRETS;
  for (const words of [
    `token ${ours} is bad`,
    `git clone failed: https://x-access-token:${plain}@github.com/a/b`,
    `cannot connect to ${url}`,
    `{"git_provider_token":"${plain}","n":1}`,
    `Authorization: Bearer ${plain}`,
    `password=${plain}&x=1`,
    `api_key: '${plain}'`,
    `GITHUB_TOKEN=${host}`,
  ]) {
    const answer = await app.request({ route: 'POST /samples/crash', json: { words } });
    expect(answer.status).toBe(500);
    expectNoSecret(answer.text);
  }
  const text = app.logged();
  expect(text).toContain('[redacted]');
  expectNoSecret(text);
});

test('an error answer does not repeat a secret', async () => {
  const answer = await app.request({ route: 'POST /samples', json: { secret_token: SECRETS.plain.repeat(10) } });
  expect(answer.status).toBe(400);
  expectNoSecret(answer.text);
});

test('every line of the log stays valid JSON after blanking', () => {
  for (const line of app.logged().trim().split('\n')) expect(() => JSON.parse(line), line).not.toThrow();
});

test('the filter leaves harmless words alone', () => {
  const harmless = '{"level":"info","token_id":12,"msg":"tokens: 3, basic idea, https://example.com:8080/a@b"}';
  expect(blankSecrets(harmless)).toBe(harmless);
});

test('readable logs are filtered too', () => {
  let text = '';
  const log = createLog({ level: 'info', format: 'pretty', destination: { write: (part: string) => (text += part) } });
  log.info({ password: SECRETS.plain, nested: { api_token: SECRETS.plain } }, `with ${SECRETS.ours}`);
  log.error({ err: new Error(`bad ${SECRETS.url}`) }, 'failed');
  expect(text).toContain('[redacted]');
  expectNoSecret(text);
});
