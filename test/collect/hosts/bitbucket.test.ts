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

  test('with 500 repos the looks of a quiet hour stay within a tenth of the limit', async () => {
    // The streams of 499 further repos, which are not due themselves.
    await of.kit.query(
      `insert into sync_streams (entity_id, scope_kind, host_key, organization_external_id, stream, mode, priority, created_at,
         updated_at)
       select entity_id, scope_kind, host_key, 'further ' || n, stream, mode, priority, created_at, updated_at
       from sync_streams, generate_series(1, 499) as n where mode = 'fresh' and repo_id is not null`,
    );
    await of.kit.query(`update sync_streams set next_due_at = $1 where mode = 'fresh' and repo_id is not null`, [
      of.kit.clock,
    ]);
    await of.kit.collect();
    const rows = await of.kit.query<{ stream: string; minutes: number }>(
      `select stream, extract(epoch from next_due_at - $1::timestamptz)::float8 / 60 as minutes from sync_streams
       where mode = 'fresh' and repo_id is not null`,
      [of.kit.clock],
    );
    expect(rows.map(({ stream }) => stream).sort()).toEqual(['deployments', 'pipelines', 'pull_requests']);
    const hourly = rows.reduce((sum, { minutes }) => sum + (500 * 60) / minutes, 0);
    expect(hourly).toBeGreaterThan(95);
    expect(hourly).toBeLessThan(100.5);
  });
});
