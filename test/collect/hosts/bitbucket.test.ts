// A company at Bitbucket Cloud from end to end: the rows are what the company's own records say, as far as Bitbucket can
// tell them.
import { expect, test } from 'vitest';
import { generateCompany, SMALL_COMPANY } from '../../world/company/generate-company.ts';
import { BITBUCKET } from '../../world/company-hosts/hosts.ts';
import { describeHost } from './host-tests.ts';
import { changesSince, seconds, sortRows } from './rows.ts';

describeHost(BITBUCKET, generateCompany(5, { ...SMALL_COMPANY, runs: 201, deployments: 101 }), (of) => {
  const { repo } = of;
  const { pulls } = repo;

  test('members of the workspace are accounts, and an app is known as one', async () => {
    const accounts = await of.kit.query<{ login: string; kind: string }>(
      'select login, kind from host_accounts order by login',
    );
    expect(accounts).toEqual(
      sortRows(of.company.people.map(({ login, isBot }) => ({ login, kind: isBot ? 'app' : 'user' }))),
    );
  });

  test('a renamed repo goes on under its id, and only what changed is fetched again', async () => {
    repo.name = 'renamed';
    const pull = pulls.find(({ closedAt, isDraft }) => closedAt === null && !isDraft)!;
    const requested = await changesSince(of.kit, () => {
      pull.closedAt = new Date(of.kit.clock.getTime() - 60_000).toISOString();
      pull.updatedAt = pull.closedAt;
    });
    const [row] = await of.kit.query<{ closed_at: string }>(
      `select closed_at from pull_requests where number = ${pull.number}`,
    );
    expect(row!.closed_at).toBe(seconds(pull.closedAt));
    expect(await of.kit.query('select id from repos')).toHaveLength(1);
    expect(requested.filter((path) => path.endsWith('/activity'))).toHaveLength(1);
  });
});
