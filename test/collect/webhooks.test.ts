// Webhooks: only genuine ones, each once, and what they make due is fetched as it stands.
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { githubWebhook } from '../../src/ingest/webhooks/github.ts';
import type { CreatedHook } from '../../src/operations/repos/hooks.ts';
import { generateCompany } from '../world/company/generate-company.ts';
import type { GithubCompany } from '../world/company/github-company.ts';
import { GITHUB } from '../world/company-hosts/hosts.ts';
import { type CompanyKit, createCompanyKit } from './company-kit.ts';

const company = generateCompany(31, { repos: 1, pulls: 12, issues: 12, runs: 2, deployments: 2 });
const [repo] = company.repos;
let kit: CompanyKit<GithubCompany>;
let hook: CreatedHook;

beforeAll(async () => {
  kit = await createCompanyKit(company, GITHUB, { clock: new Date('2026-11-10T10:00:00Z') });
  await kit.collectAll();
  const states = await kit.app.operations.hosts.list('operator', 'acme');
  hook = await kit.app.operations.hooks.create('operator', 'acme', states.tokens[0]!.host);
}, 120_000);
afterAll(() => kit.close());

const sign = (body: string, secret = hook.secret) =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

const deliver = (event: string, payload: object, changes: { id?: string; signature?: string; path?: string } = {}) => {
  const body = JSON.stringify(payload);
  return kit.app.request({
    route: `POST /${changes.path ?? new URL(hook.address).pathname}`,
    token: null,
    payload: body,
    headers: {
      'content-type': 'application/json',
      'x-github-event': event,
      'x-github-delivery': changes.id ?? `${event}-1`,
      'x-hub-signature-256': changes.signature ?? sign(body),
    },
  });
};

test('the published example of a signature is genuine', () => {
  const delivery = {
    headers: { 'x-hub-signature-256': 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17' },
    body: Buffer.from('Hello, World!'),
  };
  expect(githubWebhook.isGenuine(delivery, "It's a Secret to Everybody", new Date())).toBe(true);
  expect(
    githubWebhook.isGenuine(
      { ...delivery, body: Buffer.from('Hello, World?') },
      "It's a Secret to Everybody",
      new Date(),
    ),
  ).toBe(false);
});

test('a forged delivery and an unknown address get the same refusal', async () => {
  const payload = { repository: { id: repo!.id }, pull_request: { number: repo!.pulls[0]!.number } };
  const before = kit.app.logged().length;
  const forged = await deliver('pull_request', payload, { signature: sign('{}') });
  const lines = kit.app.logged().slice(before);
  expect(lines).toContain('a webhook was refused: it is not signed with the secret of its address');
  expect(lines).toMatch(/"level":"info".*"route":"\/hooks\/:provider\/:part","status":401/);
  expect(lines).not.toContain(hook.address.split('/').at(-1));
  const elsewhere = await deliver('pull_request', payload, { path: `/hooks/hostC/${kit.entityId}-AAAA` });
  expect([forged.status, elsewhere.status]).toEqual([401, 401]);
  expect(forged.body.response_detail).toEqual(elsewhere.body.response_detail);
  expect(await kit.query('select * from refetches')).toEqual([]);
});

test('a hook that was removed accepts nothing more, and only an address that is there is removed', async () => {
  const { hooks, hosts } = kit.app.operations;
  const { tokens } = await hosts.list('operator', 'acme');
  const gone = await hooks.create('operator', 'acme', tokens[0]!.host);
  const payload = { repository: { id: repo!.id } };
  const signature = sign(JSON.stringify(payload), gone.secret);
  const send = (id: string) => deliver('push', payload, { path: new URL(gone.address).pathname, id, signature });
  expect((await send('before-removal')).status).toBe(202);
  await expect(hooks.remove('operator', 'acme', `${gone.address}x`)).rejects.toThrow('has no webhook');
  expect(await hooks.remove('operator', 'acme', gone.address)).toMatchObject({ id: gone.id });
  expect((await send('after-removal')).status).toBe(401);
  expect((await hooks.list('operator', 'acme')).map(({ id }) => id)).toEqual([hook.id]);
  await expect(hooks.remove('operator', 'acme', gone.address)).rejects.toThrow('has no webhook');
});

test('a delivery to a hook whose secret was sealed with another key is refused like a forged one', async () => {
  const states = await kit.app.operations.hosts.list('operator', 'acme');
  const lost = await kit.app.operations.hooks.create('operator', 'acme', states.tokens[0]!.host);
  const path = new URL(lost.address).pathname;
  const payload = { repository: { id: repo!.id } };
  const send = (id: string) =>
    deliver('push', payload, { path, id, signature: sign(JSON.stringify(payload), lost.secret) });
  expect((await send('push-here')).status).toBe(202);
  await kit.app.store.pool.query(
    `update host_hooks set secret_sealed = overlay(secret_sealed placing '\\x00'::bytea from length(secret_sealed))
     where path_part = $1`,
    [path.split('/').at(-1)],
  );
  expect((await send('push-lost')).status).toBe(401);
});

test('a form, as GitHub sends unless told otherwise, is read like JSON', async () => {
  const json = JSON.stringify({ repository: { id: 5 }, pull_request: { number: 7 } });
  const body = Buffer.from(new URLSearchParams({ payload: json }).toString());
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'x-github-event': 'pull_request' };
  expect(githubWebhook.readHint({ headers, body })).toMatchObject({
    repo_external_id: '5',
    items: [{ kind: 'pull_request', key: '7' }],
  });
});

test('a delivery makes its pull request due once, and the host is asked for its state', async () => {
  const pull = repo!.pulls[0]!;
  const payload = {
    repository: { id: repo!.id },
    pull_request: { number: pull.number, title: 'what the payload says' },
  };
  const before = kit.double.exchanges.length;
  expect((await deliver('pull_request', payload)).status).toBe(202);
  expect((await deliver('pull_request', payload)).status).toBe(202);
  pull.title = 'What the host says';
  pull.updatedAt = kit.clock.toISOString();
  expect(await kit.query('select item_kind, item_key from refetches')).toEqual([
    { item_kind: 'pull_request', item_key: String(pull.number) },
  ]);
  kit.clock = new Date(kit.clock.getTime() + 11_000);
  await kit.collect();
  expect(kit.double.exchanges.length - before).toBe(1);
  const [row] = await kit.query<{ title: string }>('select title from pull_requests where number = $1', [pull.number]);
  expect(row!.title).toBe('What the host says');
  expect(await kit.query('select 1 from refetches')).toEqual([]);
});

test('an event about issues hurries their streams; an unknown or unreadable one is accepted', async () => {
  expect((await deliver('issues', { repository: { id: repo!.id } }, { id: 'i-1' })).status).toBe(202);
  const due = await kit.query<{ stream: string }>(
    `select stream from sync_streams where mode = 'fresh' and next_due_at <= $1 order by 1`,
    [new Date(kit.clock.getTime() + 10_000)],
  );
  expect(due.map(({ stream }) => stream)).toEqual(['issue_events', 'issues']);
  expect((await deliver('star', {}, { id: 's-1' })).status).toBe(202);
  expect((await deliver('issues', { repository: 'no object' }, { id: 'i-2' })).status).toBe(202);
  const [listed] = await kit.app.operations.hooks.list('operator', 'acme');
  expect(listed!.verified_at).not.toBeNull();
});

test('events of a board make its projects due once in ten minutes', async () => {
  const due = async () => {
    const [row] = await kit.query<{ at: string }>(
      `select next_due_at as at from sync_streams where stream = 'projects' and mode = 'fresh'`,
    );
    return Date.parse(row!.at);
  };
  const payload = { action: 'edited', projects_v2_item: { id: 1 }, organization: { id: company.organizationId } };
  const receivedAt = kit.clock.getTime();
  await kit.query(`update sync_streams set next_due_at = $1 where stream = 'projects' and mode = 'fresh'`, [
    new Date(receivedAt + 6 * 3_600_000),
  ]);
  expect((await deliver('projects_v2_item', payload, { id: 'p-1' })).status).toBe(202);
  expect(await due()).toBe(receivedAt + 10 * 60_000);
  kit.clock = new Date(receivedAt + 60_000);
  expect((await deliver('projects_v2_item', payload, { id: 'p-2' })).status).toBe(202);
  expect(await due()).toBe(receivedAt + 10 * 60_000);
});
