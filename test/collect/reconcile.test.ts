// The nightly comparison: what changed without a word from the host is found, stored and counted.
import { Registry } from 'prom-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reconcileHosts } from '../../src/jobs/collect/reconcile.ts';
import { registerReconcileMetrics } from '../../src/jobs/collect/reconcile-metrics.ts';
import { jobContext } from '../jobs/import/import-kit.ts';
import { generateCompany } from '../world/company/generate-company.ts';
import type { GithubCompany } from '../world/company/github-company.ts';
import { GITHUB } from '../world/company-hosts/hosts.ts';
import { type CompanyKit, createCompanyKit } from './company-kit.ts';

const company = generateCompany(51, { repos: 1, pulls: 30, issues: 5, runs: 2, deployments: 2 });
const { pulls } = company.repos[0]!;
const open = pulls.filter(({ closedAt }) => closedAt === null);
let kit: CompanyKit<GithubCompany>;

beforeAll(async () => {
  kit = await createCompanyKit(company, GITHUB, { clock: new Date('2026-11-10T10:00:00Z') });
  await kit.collectAll();
  await kit.collect();
}, 120_000);
afterAll(() => kit.close());

const night = async () => {
  kit.clock = new Date(kit.clock.getTime() + 86_400_000);
  await kit.collect();
  await reconcileHosts.run({}, jobContext(), kit.parts);
  kit.clock = new Date(kit.clock.getTime() + 1_000);
  await kit.collect();
};
const states = () => kit.app.operations.hosts.list('operator', 'acme');
const metrics = async () => {
  const registry = new Registry();
  registerReconcileMetrics(registry, kit.store);
  return (await registry.metrics()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
};

test('a quiet night compares all that is open, and finds no difference', async () => {
  await night();
  const [comparison] = (await states()).comparisons;
  expect(comparison!.compared).toBeGreaterThanOrEqual(open.length);
  expect(comparison!.differed).toBe(0);
  expect(await kit.query('select 1 from refetches')).toEqual([]);
  expect(open.length).toBeGreaterThan(2);
});

test('what the host changed without moving its time is stored, and is the difference', async () => {
  const [pull, other] = open;
  pull!.title = 'Changed in silence';
  other!.reviews.push({ id: 990_001, by: company.people[1]!, state: 'approved', at: '2026-11-09T10:00:00.000Z' });
  await night();
  const [row] = await kit.query<{ title: string }>('select title from pull_requests where number = $1', [pull!.number]);
  expect(row!.title).toBe('Changed in silence');
  const { host, compared, differed } = (await states()).comparisons[0]!;
  expect(differed).toBe(2);
  const lines = await metrics();
  expect(lines).toContain(`strata_reconcile_difference_ratio{host="${host}"} ${2 / compared}`);
  expect(lines).toContain(`strata_reconcile_differed_total{host="${host}"} 2`);
});

test('a run that succeeds and a deployment that ends long after they were made are found', async () => {
  const { runs, deployments } = company.repos[0]!;
  const daysAgo = (days: number) => new Date(kit.clock.getTime() - days * 86_400_000).toISOString();
  const late = { sha: 'c'.repeat(40), createdAt: daysAgo(20), finishedAt: daysAgo(0) };
  runs.push({ ...runs[0]!, ...late, id: 880_001 });
  deployments.push({ ...deployments[0]!, ...late, id: 880_002, state: 'success' });
  await night();
  kit.clock = new Date(kit.clock.getTime() + 3 * 3_600_000);
  const { calls } = await kit.collect();
  expect(calls).toBeLessThan(10);
  const found = (table: string) => kit.query(`select 1 from ${table} where sha = decode('${late.sha}', 'hex')`);
  expect(await found('workflow_runs')).toHaveLength(1);
  expect(await found('host_deployments')).toHaveLength(1);
});

test('nights without a look do not add up', async () => {
  const watermarks = () => kit.query("select min(watermark) as since from sync_streams where stream = 'workflow_runs'");
  await reconcileHosts.run({}, jobContext(), kit.parts);
  const once = await watermarks();
  await reconcileHosts.run({}, jobContext(), kit.parts);
  expect(await watermarks()).toEqual(once);
  await kit.collect();
});

test('it waits while the budget is spent, and leaves the reserve alone', async () => {
  const resetAt = new Date(kit.clock.getTime() + 2 * 86_400_000);
  kit.double.budgets[`${GITHUB.token} graphql`] = { quota: 100, remaining: 10, resetAt };
  await night();
  expect(kit.double.budgets[`${GITHUB.token} graphql`]!.remaining).toBeGreaterThanOrEqual(8);
  const waiting = await kit.query('select 1 from refetches where is_comparison');
  expect(waiting.length).toBeGreaterThanOrEqual(open.length - 2);
});
