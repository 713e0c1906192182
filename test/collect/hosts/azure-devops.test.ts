// A company at Azure DevOps from end to end: the rows are what the company's own records say, as far as Azure DevOps can
// tell them.
import { expect, test } from 'vitest';
import { releaseAddress } from '../../../src/connectors/hosts/azure-devops/collect-client.ts';
import { generateCompany, SMALL_COMPANY } from '../../world/company/generate-company.ts';
import type { CompanyDouble } from '../../world/company-hosts/company-host.ts';
import { AZURE_DEVOPS, AZURE_DEVOPS_SERVER } from '../../world/company-hosts/hosts.ts';
import { createCompanyKit } from '../company-kit.ts';
import { COLLECTED_AT, describeHost, type HostTests } from './host-tests.ts';
import { changesSince, seconds } from './rows.ts';

const SIZE = { ...SMALL_COMPANY, runs: 130 };

function further(of: HostTests<CompanyDouble>): void {
  const { repo } = of;
  const { pulls } = repo;

  test('who changed a draft is a person, not the service that wrote the thread', async () => {
    const rows = await of.kit.query(
      `select p.number, e.occurred_at, a.login from pull_request_events e join pull_requests p on p.id = e.pull_request_id
       left join host_accounts a on a.committer_id = e.actor_id where e.kind = 'ready' order by p.number`,
    );
    const ready = pulls.flatMap(({ number, events }) =>
      events
        .filter(({ kind }) => kind === 'ready')
        .map(({ at, by }) => ({ number, occurred_at: seconds(at), login: by === null ? null : by.email })),
    );
    expect(rows).toEqual(ready);
    expect(rows.length).toBeGreaterThan(0);
  });

  test('a renamed project goes on under its id; a comment on an open pull request is seen', async () => {
    of.company.organization = 'moved';
    repo.name = 'renamed';
    const open = pulls.filter(({ closedAt }) => closedAt === null);
    const pull = open[0]!;
    const at = of.kit.clock.toISOString();
    const requested = await changesSince(of.kit, () => {
      const comment = { id: 9_000_001, by: of.company.people[1]!, at, updatedAt: at, body: 'Once more', place: null };
      pull.comments.push({ ...comment, answers: null });
    });
    const found = await of.kit.query("select 1 from pull_request_comments where external_id = '9000001.1'");
    expect(found).toHaveLength(1);
    expect(await of.kit.query('select id from repos')).toHaveLength(1);
    expect(requested.filter((path) => path.endsWith('/commits'))).toHaveLength(1);
  });
}

test('a token without the right to builds or releases goes on with the rest, and says what it lacks', async () => {
  const small = generateCompany(8, { repos: 1, pulls: 3, issues: 0, runs: 2, deployments: 2 });
  const kit = await createCompanyKit(small, AZURE_DEVOPS, { clock: COLLECTED_AT });
  kit.double.instead = ({ path }) =>
    /\/_apis\/(?:build|release)\//.test(path) ? { status: 401, body: { message: 'TF400813' } } : null;
  await kit.collectAll();
  expect(await kit.query('select count(*)::int as n from pull_requests')).toEqual([{ n: 3 }]);
  expect(await kit.query('select error_em from provider_connections')).toEqual([{ error_em: null }]);
  const lacks = await kit.query<{ detail: string }>('select detail from stream_denials order by detail');
  expect(lacks.map(({ detail }) => detail)).toEqual([
    'without Build (read) there are no releases by successful pipelines',
    'without Release (read) there are no deployments of classic releases',
  ]);
  await kit.close();
});

test.each([
  ['https://dev.azure.com', 'https://vsrm.dev.azure.com'],
  ['https://contoso.visualstudio.com', 'https://contoso.vsrm.visualstudio.com'],
  ['https://tfs.example.com/tfs', 'https://tfs.example.com/tfs'],
])('classic releases of %s are at %s', (base, expected) => {
  expect(releaseAddress(base)).toBe(expected);
});

describeHost(AZURE_DEVOPS, generateCompany(3, SIZE), further);
describeHost(AZURE_DEVOPS_SERVER, generateCompany(4, { ...SIZE, pulls: 25, runs: 4 }), further);
