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

  test('an approval that was taken back stays as a review that was dismissed', async () => {
    const isOpen = ({ closedAt, reviews }: (typeof pulls)[number]) =>
      closedAt === null && reviews.some(({ state }) => state === 'approved');
    const pull = pulls.find(isOpen)!;
    const reviewsOf = () =>
      of.kit.query<{ state: string; at: string; deleted_at: string | null }>(
        `select v.state_em as state, v.submitted_at as at, v.deleted_at from pull_request_reviews v
         join pull_requests p on p.id = v.pull_request_id where p.number = ${pull.number} order by v.submitted_at, v.id`,
      );
    const before = await reviewsOf();
    await changesSince(of.kit, () => {
      pull.reviews.splice(0, pull.reviews.length);
      pull.updatedAt = new Date(of.kit.clock.getTime() - 60_000).toISOString();
    });
    expect(await reviewsOf()).toEqual(before.map((review) => ({ ...review, state: 'dismissed' })));
    expect(before.map(({ state }) => state)).toContain('approved');
  });

  test('with 500 repos the looks of a quiet hour stay within a tenth of the limit', async () => {
    // The streams of 499 further repos, which are not due themselves.
    await of.kit.query(
      `insert into sync_streams (entity_id, scope_kind, host_key, organization_external_id, stream, mode, priority, created_at,
         updated_at)
       select entity_id, scope_kind, host_key, 'further ' || n, stream, mode, priority, created_at, updated_at
       from sync_streams, generate_series(1, 499) as n where mode = 'fresh' and repo_id is not null`,
    );
    const dueTimes = async () => {
      const rows = await of.kit.query<{ stream: string; due: string }>(
        `select stream, next_due_at as due from sync_streams where mode = 'fresh' and repo_id is not null order by stream`,
      );
      return new Map(rows.map(({ stream, due }) => [stream, Date.parse(due)]));
    };
    await of.kit.query(`update sync_streams set next_due_at = $1 where mode = 'fresh' and repo_id is not null`, [
      of.kit.clock,
    ]);
    await of.kit.collect();
    const first = await dueTimes();
    expect([...first.keys()]).toEqual(['deployments', 'pipelines', 'pull_requests']);
    // Each has a time of its own; the time between two walks is the same for all repos.
    let hourly = 0;
    for (const [stream, due] of [...first].sort((a, b) => a[1] - b[1])) {
      of.kit.clock = new Date(due);
      await of.kit.collect();
      hourly += (500 * 3_600_000) / ((await dueTimes()).get(stream)! - due);
    }
    expect(hourly).toBeGreaterThan(85);
    expect(hourly).toBeLessThan(90.5);
  });
});
