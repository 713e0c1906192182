// A company at GitHub from end to end: provisioned, listed, imported, collected; the rows and some statistics are what the
// company's own records say.
import { expect, test } from 'vitest';
import type { Pull } from '../../world/company/company.ts';
import { generateCompany, SMALL_COMPANY } from '../../world/company/generate-company.ts';
import { pastYearCommits } from '../../world/company/github-graphql.ts';
import { GITHUB } from '../../world/company-hosts/hosts.ts';
import { describeHost } from './host-tests.ts';

const company = generateCompany(1, SMALL_COMPANY);

describeHost(GITHUB, company, (of) => {
  const { repo } = of;
  const { pulls } = repo;

  test('know whose reviews are of bots and of the author', async () => {
    const rows = await of.kit.query<{ is_bot: boolean; is_by_author: boolean }>(
      'select is_bot, is_by_author from pull_request_reviews',
    );
    const expected = pulls.flatMap((pull) =>
      pull.reviews.map(({ by }) => ({
        is_bot: by?.isBot ?? false,
        is_by_author: by !== null && by === pull.author,
      })),
    );
    const count = (list: readonly { is_bot: boolean; is_by_author: boolean }[]) =>
      [true, false].flatMap((bot) =>
        [true, false].map((own) => list.filter((row) => row.is_bot === bot && row.is_by_author === own).length),
      );
    expect(count(rows)).toEqual(count(expected));
    expect(pulls.some(({ commits }) => commits.length > 100)).toBe(true);
  });

  test('issues come without pull requests, under keys that people write', async () => {
    const rows = await of.kit.query<Record<string, unknown>>(
      `select i.key, i.type, i.is_bug, i.opened_at, i.resolved_at, i.provider_em, a.login as assignee, t.kind,
         (select count(*)::int from issue_changes c where c.issue_id = i.id) as changes
       from issues i join trackers t on t.id = i.tracker_id left join host_accounts a on a.committer_id = i.assignee_id
       order by i.opened_at`,
    );
    expect(rows).toEqual(
      repo.issues.map((issue) => ({
        key: `works/${repo.name}#${issue.number}`,
        type: issue.labels.includes('bug') ? 'Bug' : 'Issue',
        is_bug: issue.labels.includes('bug'),
        opened_at: issue.createdAt.replace('.000Z', 'Z'),
        resolved_at: issue.isPlanned ? (issue.closedAt?.replace('.000Z', 'Z') ?? null) : null,
        provider_em: 'hostC',
        assignee: issue.assignee?.login ?? null,
        kind: 'github',
        changes: issue.events.length,
      })),
    );
  });

  test('the import record counts the commits of the year before, by the word of the host', async () => {
    const { body } = await of.kit.app.request({ route: 'GET /imports', query: 'resource_path=acme' });
    const [record] = body.repos as Record<string, unknown>[];
    expect(record).toMatchObject({ provider_past_year_commit_count: pastYearCommits(repo) });
  });

  test('accounts are people, once each, and bots by the flag of the host', async () => {
    const rows = await of.kit.query<{ login: string; is_bot: boolean; git_provider_id: string }>(
      `select a.login, c.is_bot, c.git_provider_id from host_accounts a join committers c on c.id = a.committer_id
       where c.git_provider_id = a.external_id order by a.login`,
    );
    const seen = company.people.filter(({ login }) => rows.some((row) => row.login === login));
    expect(rows).toEqual(
      [...seen]
        .sort((a, b) => (a.login < b.login ? -1 : 1))
        .map(({ login, isBot, id }) => ({ login, is_bot: isBot, git_provider_id: String(id) })),
    );
    expect(rows.length).toBeGreaterThan(6);
  });

  test('raw answers are kept as they came', async () => {
    const [{ answers, bytes }] = (await of.kit.query<{ answers: number; bytes: number }>(
      'select count(*)::int as answers, sum(byte_count)::int as bytes from raw_answers',
    )) as [{ answers: number; bytes: number }];
    // The one that said that the quota was spent is none.
    expect(answers).toBe(of.calls - 1);
    expect(bytes).toBeGreaterThan(10_000);
  });

  test('walks that are far apart keep their time from the backfill on', async () => {
    const dueAt = async () => {
      const [row] = await of.kit.query<{ due: string }>(
        `select next_due_at as due from sync_streams where stream = 'workflow_runs' and mode = 'fresh'`,
      );
      return Date.parse(row!.due);
    };
    const first = await dueAt();
    of.kit.clock = new Date(first);
    await of.kit.collect();
    expect((await dueAt()) - first).toBe(120 * 60_000);
  });

  test('statistics of pull requests are those of the company', async () => {
    const total = async (segment: string): Promise<number> => {
      const query = `resource_path=acme&segment_by=${segment}&start_date=2023-10-01&end_date=2026-11-09&aggregate_by=none`;
      const { body, status, text } = await of.kit.app.request({ route: 'GET /reports', query });
      expect(status, text).toBe(200);
      const series = body.series_segments as Record<string, readonly { readonly y: number | null }[]>;
      return Object.values(series)
        .flat()
        .reduce((sum, { y }) => sum + (y ?? 0), 0);
    };
    // A deleted account is an unknown person.
    const ofPeople = pulls.filter(({ author }) => author === null || !author.isBot);
    const count = (list: readonly Pull[], is: (pull: Pull) => boolean) => list.filter(is).length;
    expect(await total('prs_opened')).toBe(count(ofPeople, ({ isDraft }) => !isDraft));
    expect(await total('pr_abandoned_count')).toBe(
      count(ofPeople, ({ closedAt, mergedAt }) => closedAt !== null && mergedAt === null),
    );
    const comments = pulls.flatMap((pull) =>
      pull.comments.filter(({ by }) => by !== null && !by.isBot && by !== pull.author),
    );
    expect(await total('pr_comments_left')).toBe(comments.length);
    expect(await total('pr_review_count')).toBe(
      pulls.flatMap((pull) => pull.reviews.filter(({ by }) => by === null || by !== pull.author)).length,
    );
  });

  test('an unchanged repo costs one call, and POST /imports looks at the host at once', async () => {
    of.kit.clock = new Date(of.kit.clock.getTime() + 20 * 60_000);
    expect((await of.kit.collect()).calls).toBe(1);
    const pull = pulls[3]!;
    pull.title = 'Another title';
    pull.updatedAt = of.kit.clock.toISOString();
    const before = of.kit.double.exchanges.length;
    expect((await of.kit.collect()).calls).toBe(0);
    const query = { resource_path: 'acme', repo_path: `works/${repo.name}` };
    expect((await of.kit.app.request({ route: 'POST /imports', json: query })).status).toBe(200);
    of.kit.clock = new Date(of.kit.clock.getTime() + 1_000);
    await of.kit.collect();
    expect(of.kit.double.exchanges.length - before).toBeGreaterThan(0);
    const [row] = await of.kit.query<{ title: string }>('select title from pull_requests where number = $1', [
      pull.number,
    ]);
    expect(row!.title).toBe('Another title');
    const [record] = await of.kit.query<{ at: string }>('select last_pr_discovery_at as at from imports');
    expect(record!.at).toBe(of.kit.clock.toISOString().replace('.000Z', 'Z'));
  });

  test('one call asks for many repos, whatever else of them is due', async () => {
    // Further repos of the same streams, of which nothing changes.
    await of.kit.query(
      `insert into repos (entity_id, organization_id, slug, name, source_kind, host_key, external_id)
       select entity_id, organization_id, 'further-' || n, 'further-' || n, source_kind, host_key, (900000 + n)::text
       from repos, generate_series(1, 3) as n`,
    );
    await of.kit.query(
      `insert into provider_repos (entity_id, connection_id, organization_slug, repo_slug, external_id, clone_url, is_private,
         first_seen_at, seen_at)
       select p.entity_id, p.connection_id, p.organization_slug, r.slug, r.external_id, p.clone_url, true, p.first_seen_at,
         p.seen_at
       from provider_repos p, repos r where p.external_id = $1 and r.slug like 'further-%'`,
      [String(repo.id)],
    );
    await of.kit.query(
      `insert into sync_streams (entity_id, scope_kind, host_key, repo_id, stream, mode, priority, watermark, next_due_at,
         created_at, updated_at)
       select s.entity_id, s.scope_kind, s.host_key, r.id, s.stream, s.mode, s.priority, $1, $1, s.created_at, s.updated_at
       from sync_streams s join repos r on r.slug like 'further-%'
       where s.mode = 'fresh' and s.repo_id = (select id from repos where slug not like 'further-%')`,
      [of.kit.clock],
    );
    of.kit.clock = new Date(of.kit.clock.getTime() + 3 * 3_600_000);
    const asked: string[] = [];
    const collectors = of.kit.parts.collectors!;
    const before = of.kit.double.exchanges.length;
    await of.kit.collect(undefined, {
      collectors: {
        ...collectors,
        open(account, meter) {
          const open = collectors.open(account, meter);
          const { probe } = open;
          const ask: NonNullable<typeof probe>['ask'] = async (scopes, signal) => {
            asked.push(...scopes.map(({ external_id }) => external_id));
            const found = await probe!.ask(scopes, signal);
            const unchanged = new Map(probe!.streams.map((stream) => [stream, null]));
            return new Map(scopes.map(({ external_id }) => [external_id, found.get(external_id) ?? unchanged]));
          };
          return { ...open, probe: { ...probe!, most: 1, ask } };
        },
      },
    });
    expect(asked.sort()).toEqual([String(repo.id), '900001', '900002', '900003']);
    const requested = of.kit.double.exchanges.slice(before).map(({ request }) => request.path);
    expect(requested.filter((path) => /900003.*(issues|comments)/.test(path))).toEqual([]);
    expect(requested.filter((path) => /900003.*runs/.test(path))).toHaveLength(1);
  });
});
