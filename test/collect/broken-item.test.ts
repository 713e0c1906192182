// Pull requests that a host cannot give. One whose details fail is stored without them, and all others arrive; one that was
// deleted is closed.
import { afterEach, expect, test } from 'vitest';
import { reconcileHosts } from '../../src/jobs/collect/reconcile.ts';
import { jobContext } from '../jobs/import/import-kit.ts';
import type { Company, Pull } from '../world/company/company.ts';
import type { CompanyDouble } from '../world/company-hosts/company-host.ts';
import { AZURE_DEVOPS, BITBUCKET, BITBUCKET_SERVER, type CompanyHost, GITLAB } from '../world/company-hosts/hosts.ts';
import { type CompanyKit, createCompanyKit } from './company-kit.ts';

const HOUR_MS = 3_600_000;
const ada = { id: 11, login: 'ada', name: 'Ada Example', email: 'ada@example.com', isBot: false };

const pullOf = (number: number): Pull => {
  const at = `2026-11-0${number}T10:00:00.000Z`;
  return {
    id: 5_000 + number,
    number,
    title: `Work ${number}`,
    author: ada,
    branch: `branch-${number}`,
    base: 'main',
    createdAt: at,
    updatedAt: at,
    isDraft: false,
    closedAt: null,
    mergedAt: null,
    mergedBy: null,
    mergeMethod: null,
    mergeSha: null,
    commits: [{ sha: String(number).repeat(40), at, by: ada }],
    reviews: [],
    comments: [],
    events: [],
    resolved: new Set(),
    labels: [],
    assignees: [],
    closes: [],
  };
};

const companyOf = (): Company => ({
  organization: 'works',
  organizationId: 4_242,
  people: [ada],
  teams: [],
  repos: [{ id: 900, name: 'repo-1', pulls: [1, 2, 3].map(pullOf), issues: [], deployments: [], runs: [] }],
});

let kit: CompanyKit<CompanyDouble> | null = null;
afterEach(() => kit?.close());

/** A good day of looks, in which the address answers so. */
async function collectWith(host: CompanyHost<CompanyDouble>, broken: RegExp, status: number) {
  kit = await createCompanyKit(companyOf(), host, { clock: new Date('2026-11-05T10:00:00Z') });
  kit.double.instead = ({ path }) => (broken.test(path) ? { status, body: { message: 'fault', errors: [] } } : null);
  for (let look = 0; look < 20; look += 1) {
    await kit.collect();
    kit.clock = new Date(kit.clock.getTime() + 1.5 * HOUR_MS);
  }
  return kit.query<{ number: number; incomplete_detail: string | null }>(
    'select number, incomplete_detail from pull_requests order by number',
  );
}

const CASES = [
  [BITBUCKET, /pullrequests\/2\/activity$/, 'Bitbucket did not give activity'],
  [BITBUCKET_SERVER, /pull-requests\/2\/activities$/, 'Bitbucket Data Center did not give activities'],
  [AZURE_DEVOPS, /pullRequests\/2\/threads$/i, 'Azure DevOps did not give threads'],
  [AZURE_DEVOPS, /pullRequests\/2\/iterations$/i, 'Azure DevOps did not give iterations'],
  [GITLAB, /merge_requests\/2\/discussions$/, 'GitLab did not give discussions'],
] as unknown as readonly (readonly [CompanyHost<CompanyDouble>, RegExp, string])[];

test.each(CASES)('$name: a list that fails is left out and named', { timeout: 120_000 }, async (host, broken, said) => {
  expect(await collectWith(host, broken, 500)).toEqual([
    { number: 1, incomplete_detail: null },
    { number: 2, incomplete_detail: said },
    { number: 3, incomplete_detail: null },
  ]);
});

test.each(CASES)('$name: one that went while it was read ends nothing', { timeout: 120_000 }, async (host, broken) => {
  expect((await collectWith(host, broken, 404)).map(({ number }) => number)).toEqual([1, 3]);
  expect(await kit!.query('select 1 from stream_denials d join sync_streams s on s.id = d.stream_id')).toEqual([]);
});

async function night(): Promise<void> {
  kit!.clock = new Date(kit!.clock.getTime() + 24 * HOUR_MS);
  await kit!.collect();
  await reconcileHosts.run({}, jobContext(), kit!.parts);
  kit!.clock = new Date(kit!.clock.getTime() + 1_000);
  await kit!.collect();
}

const closings = () =>
  kit!.query<{ number: number; is_closed: boolean; is_merged: boolean }>(
    `select number, closed_at is not null as is_closed, merged_at is not null as is_merged
     from pull_requests order by number`,
  );
const state = (number: number, is_closed: boolean) => ({ number, is_closed, is_merged: false });

test.each([BITBUCKET_SERVER, GITLAB, AZURE_DEVOPS, BITBUCKET] as unknown as CompanyHost<CompanyDouble>[])(
  '$name: an open one that was deleted is closed, until it is seen again',
  { timeout: 120_000 },
  async (host) => {
    const company = companyOf();
    kit = await createCompanyKit(company, host, { clock: new Date('2026-11-05T10:00:00Z') });
    await kit.collectAll();
    await kit.collect();
    const { pulls } = company.repos[0]!;
    const [deleted] = pulls.splice(1, 1);
    await night();
    expect(await closings()).toEqual([state(1, false), state(2, true), state(3, false)]);
    pulls.splice(1, 0, { ...deleted!, updatedAt: kit.clock.toISOString() });
    await night();
    expect(await closings()).toEqual([state(1, false), state(2, false), state(3, false)]);
  },
);

test.each([BITBUCKET_SERVER, GITLAB] as unknown as CompanyHost<CompanyDouble>[])(
  '$name: a repo that the token does not see any more closes none',
  { timeout: 120_000 },
  async (host) => {
    kit = await createCompanyKit(companyOf(), host, { clock: new Date('2026-11-05T10:00:00Z') });
    await kit.collectAll();
    kit.double.instead = ({ path }) =>
      /pull-requests|merge_requests/.test(path) ? { status: 404, body: { message: 'Not found', errors: [] } } : null;
    await night();
    expect(await closings()).toEqual([state(1, false), state(2, false), state(3, false)]);
  },
);
