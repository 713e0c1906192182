// A company at Bitbucket Data Center from end to end: the rows are what the company's own records say, as far as Bitbucket can
// tell them.
import { expect, test } from 'vitest';
import { generateCompany, SMALL_COMPANY } from '../../world/company/generate-company.ts';
import { BITBUCKET_SERVER } from '../../world/company-hosts/hosts.ts';
import { describeHost } from './host-tests.ts';
import { changesSince, seconds } from './rows.ts';

describeHost(BITBUCKET_SERVER, generateCompany(6, SMALL_COMPANY), (of) => {
  const { repo } = of;
  const { pulls } = repo;

  test('a service account is a bot', async () => {
    const bots = await of.kit.query("select login from host_accounts where kind = 'bot'");
    expect(bots).toEqual([{ login: 'helper[bot]' }]);
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
    expect(requested.filter((path) => path.endsWith('/activities'))).toHaveLength(1);
    expect(requested.some((path) => path.includes('/repos/renamed/'))).toBe(true);
  });

  test('another repo that has taken the name is not taken for it', async () => {
    const impostor = { ...repo, id: 77_777, name: 'repo-1', pulls: [] };
    of.company.repos.splice(0, 1, impostor);
    of.kit.clock = new Date(of.kit.clock.getTime() + 3_600_000);
    await of.kit.collect();
    const [denial] = await of.kit.query<{ failure_em: string }>('select failure_em from stream_denials');
    expect(denial).toEqual({ failure_em: 'gone' });
  });
});
