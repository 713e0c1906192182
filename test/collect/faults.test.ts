// Bad weather, one kind at a time: limits, spent budgets, refused tokens, renamed repos.
import { afterEach, expect, test } from 'vitest';
import type { CompanySize } from '../world/company/company.ts';
import { generateCompany } from '../world/company/generate-company.ts';
import { COMPANY_TOKEN, type GithubCompany } from '../world/company/github-company.ts';
import { GITHUB } from '../world/company-hosts/hosts.ts';
import { type CompanyKit, createCompanyKit } from './company-kit.ts';

const SIZE: CompanySize = { repos: 1, pulls: 120, issues: 220, runs: 120, deployments: 60 };
const START = new Date('2026-11-10T10:00:00Z');
const HOUR_MS = 3_600_000;
const SECOND_TOKEN = `${COMPANY_TOKEN}2`;

const kits: CompanyKit<GithubCompany>[] = [];
afterEach(async () => {
  await Promise.all(kits.splice(0).map((kit) => kit.close()));
});

async function start(seed: number, tokens: readonly string[]): Promise<CompanyKit<GithubCompany>> {
  const kit = await createCompanyKit(generateCompany(seed, SIZE), GITHUB, { clock: START, tokens });
  kits.push(kit);
  return kit;
}

test('nothing is requested while a wait is due', { timeout: 120_000 }, async () => {
  const kit = await start(21, [COMPANY_TOKEN]);
  kit.double.instead = ({ path }) =>
    path.endsWith('/graphql')
      ? { status: 429, headers: { 'retry-after': '600' }, body: { message: 'Too many' } }
      : null;
  await kit.collect();
  const graphql = () => kit.double.exchanges.filter(({ request }) => request.path.endsWith('/graphql')).length;
  expect(graphql()).toBe(1);
  const { again } = await kit.collect();
  expect(graphql()).toBe(1);
  expect(again).toEqual(new Date(kit.clock.getTime() + 600_000));
  kit.double.instead = null;
  kit.clock = again!;
  await kit.collectAll();
  const [record] = await kit.query<Record<string, unknown>>(
    'select error_em, last_provider_quota_exceeded_at, pull_request_processed_count from imports',
  );
  expect(record).toEqual({
    error_em: null,
    last_provider_quota_exceeded_at: START.toISOString().replace('.000Z', 'Z'),
    pull_request_processed_count: SIZE.pulls,
  });
});

test('a spent budget is waited out, with a tenth left to its owner', { timeout: 120_000 }, async () => {
  const kit = await start(22, [COMPANY_TOKEN]);
  const resetAt = new Date(START.getTime() + HOUR_MS / 2);
  kit.double.budgets[`${COMPANY_TOKEN} graphql`] = { quota: 30, remaining: 5, resetAt };
  await kit.collect();
  expect(kit.double.budgets[`${COMPANY_TOKEN} graphql`]!.remaining).toBe(3);
  await kit.collect();
  expect(kit.double.budgets[`${COMPANY_TOKEN} graphql`]!.remaining).toBe(3);
  await kit.collectAll();
  const [counts] = await kit.query<{ pulls: number }>('select count(*)::int as pulls from pull_requests');
  expect(counts!.pulls).toBe(SIZE.pulls);
});

test('a refused token gives its work to the other one', { timeout: 120_000 }, async () => {
  const kit = await start(23, [COMPANY_TOKEN, SECOND_TOKEN]);
  kit.double.instead = ({ headers }) =>
    headers.authorization?.endsWith(COMPANY_TOKEN) ? { status: 401, body: { message: 'Bad credentials' } } : null;
  await kit.collectAll();
  const connections = await kit.query<{ error_em: string | null }>(
    'select error_em from provider_connections order by id',
  );
  expect(connections.map(({ error_em }) => error_em)).toEqual(['rejected', null]);
  const [counts] = await kit.query<{ pulls: number }>('select count(*)::int as pulls from pull_requests');
  expect(counts!.pulls).toBe(SIZE.pulls);
});

test('a repo that was renamed is found by its id; issues that are off are named, not failed', {
  timeout: 120_000,
}, async () => {
  const kit = await start(24, [COMPANY_TOKEN]);
  kit.double.company.repos[0]!.name = 'renamed';
  kit.double.instead = ({ path }) =>
    /\/issues$/.test(path) ? { status: 410, body: { message: 'Issues are disabled for this repo' } } : null;
  await kit.collectAll();
  const [counts] = await kit.query<{ pulls: number; issues: number }>(
    'select (select count(*)::int from pull_requests) as pulls, (select count(*)::int from issues) as issues',
  );
  expect(counts).toEqual({ pulls: SIZE.pulls, issues: 0 });
  const states = await kit.app.operations.hosts.list('operator', 'acme');
  expect(states.tokens[0]!.warnings.join()).toContain('issues of works/');
});

test('a token that was sealed with another key says so until the key is back, and is not used', {
  timeout: 120_000,
}, async () => {
  const kit = await start(27, [COMPANY_TOKEN]);
  const turnLastByte = () =>
    kit.query(
      `update provider_connections set token_sealed = set_byte(token_sealed, length(token_sealed) - 1,
         get_byte(token_sealed, length(token_sealed) - 1) # 1)`,
    );
  const stateNow = async () => {
    const { tokens } = await kit.app.operations.hosts.list('operator', 'acme');
    const { body } = await kit.app.request({ route: 'GET /connections', query: 'resource_path=acme' });
    const [connection] = body.connections as Record<string, unknown>[];
    return { state: tokens[0]!.state, error_em: connection!.error_em, error_detail: connection!.error_detail };
  };
  await turnLastByte();
  const asked = kit.double.exchanges.length;
  expect(await kit.collect()).toMatchObject({ again: null, calls: 0 });
  await kit.list();
  expect(kit.double.exchanges.length).toBe(asked);
  expect(await stateNow()).toEqual({
    state: 'sealed_with_another_key',
    error_em: 'sealed_with_another_key',
    error_detail: expect.stringMatching(/bring secret\.key back .* start the service anew, or store the token again/),
  });
  await turnLastByte();
  expect(await stateNow()).toEqual({ state: 'works', error_em: null, error_detail: null });
  expect((await kit.collect()).calls).toBeGreaterThan(0);
});
