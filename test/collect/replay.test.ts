// Kept answers are read again: what a changed rule would store comes back without a call to the host.
import { afterEach, describe, expect, test } from 'vitest';
import { replayAnswers } from '../../src/collect/replay-answers.ts';
import { silentLog } from '../../src/kit/log.ts';
import { readCollected } from '../oracles/read-collected.ts';
import { testSecrets } from '../support/app.ts';
import { generateCompany } from '../world/company/generate-company.ts';
import type { CompanyDouble } from '../world/company-hosts/company-host.ts';
import { BITBUCKET, type CompanyHost, GITHUB, GITLAB } from '../world/company-hosts/hosts.ts';
import { type CompanyKit, createCompanyKit } from './company-kit.ts';

const kits: CompanyKit<CompanyDouble>[] = [];
afterEach(async () => {
  await Promise.all(kits.splice(0).map((kit) => kit.close()));
});

const HOSTS = [GITHUB as CompanyHost, GITLAB, BITBUCKET];

describe.each(HOSTS)('$name', (host) => {
  test('rows that went come back from what is kept, and the host is not asked', { timeout: 120_000 }, async () => {
    const company = generateCompany(61, { repos: 1, pulls: 30, issues: 30, runs: 12, deployments: 6 });
    const kit = await createCompanyKit(company, host, { clock: new Date('2026-11-10T10:00:00Z') });
    kits.push(kit);
    await kit.collectAll();
    await kit.derive();
    const before = await readCollected(kit.store);
    const asked = kit.double.exchanges.length;
    // As if a rule had read everything otherwise.
    await kit.query(`update pull_requests set title = 'misread', labels = '{}', merge_sha = null, merged_at = null`);
    await kit.query('delete from pull_request_comments');
    await kit.query('delete from pull_request_reviews');
    await kit.query(`update issues set title = 'misread'`);
    await kit.query('delete from workflow_runs');
    expect(await readCollected(kit.store)).not.toEqual(before);
    const { collectors } = kit.parts;
    const parts = { db: kit.store.db, collectors: collectors!, secrets: testSecrets, log: silentLog };
    const result = await replayAnswers({ ...parts, signal: new AbortController().signal }, kit.entityId);
    await kit.derive();
    expect(result.skipped).toBe(0);
    expect(result.pages).toBeGreaterThan(3);
    expect(kit.double.exchanges.length).toBe(asked);
    expect(await readCollected(kit.store)).toEqual(before);
  });
});
