// A company at GitHub from end to end: provisioned, listed, imported, collected; the rows and some statistics are what the
// company's own records say.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Pull } from '../world/company/company.ts';
import { generateCompany, SMALL_COMPANY } from '../world/company/generate-company.ts';
import { pastYearCommits } from '../world/company/github-graphql.ts';
import { type CollectKit, createCollectKit } from './collect-kit.ts';

const company = generateCompany(1, SMALL_COMPANY);
const [repo] = company.repos;
const pulls = repo!.pulls;
let kit: CollectKit;
let calls: number;

beforeAll(async () => {
  kit = await createCollectKit(company, { clock: new Date('2026-11-10T10:00:00Z') });
  calls = await kit.collectAll();
  await kit.derive();
}, 120_000);
afterAll(() => kit.close());

const openedAt = (pull: Pull): string => pull.events.find(({ kind }) => kind === 'ready')?.at ?? pull.createdAt;

describe('pull requests', () => {
  test('come with their times, states and landing commits', async () => {
    const rows = await kit.query<Record<string, unknown>>(
      `select p.number, p.title, p.is_draft, p.opened_at, p.closed_at, p.merged_at, encode(p.merge_sha, 'hex') as merge_sha,
         encode(p.squash_sha, 'hex') as squash_sha, p.merge_method, p.labels, a.login as author, p.incomplete_detail
       from pull_requests p left join host_accounts a on a.committer_id = p.author_id order by p.number`,
    );
    expect(rows).toEqual(
      pulls.map((pull) => ({
        number: pull.number,
        title: pull.title,
        is_draft: pull.isDraft,
        opened_at: openedAt(pull).replace('.000Z', 'Z'),
        closed_at: pull.closedAt?.replace('.000Z', 'Z') ?? null,
        merged_at: pull.mergedAt?.replace('.000Z', 'Z') ?? null,
        merge_sha: pull.mergeSha,
        // A single commit that was rebased looks like a squash, and is as good as one.
        squash_sha: methodOf(pull) === 'squash' ? pull.mergeSha : null,
        merge_method: methodOf(pull),
        labels: pull.labels,
        author: pull.author?.login ?? null,
        incomplete_detail: null,
      })),
    );
  });

  const methodOf = (pull: Pull) =>
    pull.mergeMethod === 'rebase' && pull.commits.length === 1 ? 'squash' : pull.mergeMethod;

  test('come with all commits, reviews, comments and events, however long the lists', async () => {
    const [counts] = await kit.query<Record<string, number>>(
      `select (select count(*) from pull_request_commits) as commits, (select count(*) from pull_request_reviews) as reviews,
         (select count(*) from pull_request_comments) as comments, (select count(*) from pull_request_events) as events,
         (select count(*) from early_comments) as early,
         (select count(*) from pull_request_comments where resolved_at is not null) as resolved`,
    );
    const sum = (read: (pull: Pull) => number) => pulls.reduce((total, pull) => total + read(pull), 0);
    expect(counts).toEqual({
      commits: sum(({ commits }) => commits.length),
      reviews: sum(({ reviews }) => reviews.length),
      comments: sum(({ comments }) => comments.length),
      events: sum(({ events }) => events.length),
      early: 0,
      resolved: sum((pull) => pull.comments.filter(({ id, answers }) => pull.resolved.has(answers ?? id)).length),
    });
    expect(pulls.some(({ commits }) => commits.length > 100)).toBe(true);
  });

  test('know whose reviews are of bots and of the author', async () => {
    const rows = await kit.query<{ is_bot: boolean; is_by_author: boolean }>(
      'select v.is_bot, v.is_by_author from pull_request_reviews v join pull_requests p on p.id = v.pull_request_id order by p.number, v.submitted_at, v.external_id',
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
  });
});

test('issues come without pull requests, under keys that people write', async () => {
  const rows = await kit.query<Record<string, unknown>>(
    `select i.key, i.type, i.is_bug, i.opened_at, i.resolved_at, i.provider_em, a.login as assignee, t.kind,
       (select count(*)::int from issue_changes c where c.issue_id = i.id) as changes
     from issues i join trackers t on t.id = i.tracker_id left join host_accounts a on a.committer_id = i.assignee_id
     order by i.opened_at`,
  );
  expect(rows).toEqual(
    repo!.issues.map((issue) => ({
      key: `works/${repo!.name}#${issue.number}`,
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

test('deployments, runs and teams come too', async () => {
  const [counts] = await kit.query<Record<string, number>>(
    `select (select count(*) from host_deployments where state = 'success') as deployments,
       (select count(*) from workflow_runs) as runs, (select count(*) from host_teams) as teams,
       (select count(*) from host_team_members) as members`,
  );
  expect(counts).toEqual({
    deployments: repo!.deployments.filter(({ state }) => state === 'success').length,
    runs: repo!.runs.length,
    teams: company.teams.length,
    members: company.teams.reduce((sum, { members }) => sum + members.length, 0),
  });
});

test('accounts are people, once each, and bots by the flag of the host', async () => {
  const rows = await kit.query<{ login: string; is_bot: boolean; git_provider_id: string }>(
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

test('the import record counts the pull requests of the repo', async () => {
  const { body } = await kit.app.request({ route: 'GET /imports', query: 'resource_path=acme' });
  const [record] = body.repos as Record<string, unknown>[];
  expect(record).toMatchObject({
    pull_request_discovered_count: pulls.length,
    pull_request_processed_count: pulls.length,
    last_pr_discovery_at: expect.any(String),
    provider_past_year_commit_count: pastYearCommits(repo!),
    last_provider_quota_exceeded_at: null,
    error_em: null,
  });
});

test('raw answers are kept as they came', async () => {
  const [{ answers, bytes }] = (await kit.query<{ answers: number; bytes: number }>(
    'select count(*)::int as answers, sum(byte_count)::int as bytes from raw_answers',
  )) as [{ answers: number; bytes: number }];
  expect(answers).toBe(calls);
  expect(bytes).toBeGreaterThan(10_000);
});

test('statistics of pull requests are those of the company', async () => {
  const total = async (segment: string): Promise<number> => {
    const query = `resource_path=acme&segment_by=${segment}&start_date=2023-10-01&end_date=2026-11-09`;
    const { body, status, text } = await kit.app.request({ route: 'GET /reports', query });
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
  kit.clock = new Date(kit.clock.getTime() + 20 * 60_000);
  expect((await kit.collect()).calls).toBe(1);
  const pull = pulls[3]!;
  pull.title = 'Another title';
  pull.updatedAt = kit.clock.toISOString();
  const before = kit.double.exchanges.length;
  expect((await kit.collect()).calls).toBe(0);
  const query = { resource_path: 'acme', repo_path: `works/${repo!.name}` };
  expect((await kit.app.request({ route: 'POST /imports', json: query })).status).toBe(200);
  kit.clock = new Date(kit.clock.getTime() + 1_000);
  await kit.collect();
  expect(kit.double.exchanges.length - before).toBeGreaterThan(0);
  const [row] = await kit.query<{ title: string }>('select title from pull_requests where number = $1', [pull.number]);
  expect(row!.title).toBe('Another title');
  const [record] = await kit.query<{ at: string }>('select last_pr_discovery_at as at from imports');
  expect(record!.at).toBe(kit.clock.toISOString().replace('.000Z', 'Z'));
});
