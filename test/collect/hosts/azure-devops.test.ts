// A company at Azure DevOps from end to end: the rows are what the company's own records say, as far as Azure DevOps can
// tell them.
import { expect, test } from 'vitest';
import { generateCompany, SMALL_COMPANY } from '../../world/company/generate-company.ts';
import type { CompanyDouble } from '../../world/company-hosts/company-host.ts';
import { AZURE_DEVOPS, AZURE_DEVOPS_SERVER } from '../../world/company-hosts/hosts.ts';
import { describeHost, type HostTests } from './host-tests.ts';
import { changesSince } from './rows.ts';

const SIZE = { ...SMALL_COMPANY, runs: 130 };

function further(of: HostTests<CompanyDouble>): void {
  const { repo } = of;
  const { pulls } = repo;

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

describeHost(AZURE_DEVOPS, generateCompany(3, SIZE), further);
describeHost(AZURE_DEVOPS_SERVER, generateCompany(4, { ...SIZE, pulls: 25, runs: 4 }), further);
