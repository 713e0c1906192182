// One pull request whose details the host cannot give: it is stored without them, and all others arrive.
import { afterEach, expect, test } from 'vitest';
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
