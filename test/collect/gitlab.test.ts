// A company at GitLab from end to end: provisioned, listed, imported, collected; the rows are what the company's own
// records say, as far as GitLab can tell them.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Company, Pull } from '../world/company/company.ts';
import { generateCompany, SMALL_COMPANY } from '../world/company/generate-company.ts';
import {
  epicOf,
  GITLAB_COMPANY_TOKEN,
  gitlabLogin,
  ITERATIONS,
  iterationOf,
  startGitlabCompany,
  weightOf,
} from '../world/company-hosts/gitlab-company.ts';
import { createHostKit, type HostKit } from './host-kit.ts';
import { changesSince, commentRows, deliveryRows, pullRows, reviewRows, seconds, sortRows } from './rows.ts';

const company = generateCompany(2, SMALL_COMPANY);
const repo = company.repos[0]!;
const { pulls } = repo;
const HOST = { provision: { git_provider_em: 'gitlab', git_provider_token: GITLAB_COMPANY_TOKEN }, path: '' };
let kit: HostKit;
let calls: number;
let waited = 0;

beforeAll(async () => {
  const host = {
    ...HOST,
    start: (of: Company) => startGitlabCompany(of),
  };
  kit = await createHostKit(company, host, new Date('2026-11-10T10:00:00Z'));
  // The quota ends once, in the middle of the merge requests, and the answer is not JSON.
  kit.double.instead = ({ path }) => {
    if (!path.endsWith('/discussions') || waited > 0) return null;
    waited = kit.clock.getTime();
    return { status: 429, headers: { 'retry-after': '90', 'ratelimit-remaining': '0' }, body: 'Retry later' };
  };
  calls = await kit.collectAll();
  await kit.derive();
}, 120_000);
afterAll(() => kit.double.close());

const landing = (pull: Pull) => (pull.mergeMethod === 'rebase' ? pull.commits.at(-1)!.sha : pull.mergeSha);

describe('merge requests', () => {
  test('come with their times, states and landing commits', async () => {
    expect(await pullRows(kit)).toEqual(
      pulls.map((pull) => ({
        number: pull.number,
        title: pull.title,
        is_draft: pull.isDraft,
        opened_at: seconds(pull.events.find(({ kind }) => kind === 'ready')?.at ?? pull.createdAt),
        closed_at: seconds(pull.closedAt),
        merged_at: seconds(pull.mergedAt),
        head_sha: pull.commits.at(-1)!.sha,
        merge_sha: pull.mergedAt === null ? null : landing(pull),
        squash_sha: pull.mergeMethod === 'squash' ? pull.mergeSha : null,
        merge_method: pull.mergeMethod === 'rebase' ? 'fast_forward' : pull.mergeMethod,
        labels: pull.labels,
        closes_keys: pull.closes.map((number) => `works/repo-1#${number}`),
        author: pull.author === null ? null : gitlabLogin(pull.author),
        merger: pull.mergedBy === null ? null : gitlabLogin(pull.mergedBy),
        assignees: pull.assignees.length,
        commits: pull.commits.map(({ sha }) => sha),
        incomplete_detail: null,
      })),
    );
    expect(pulls.some(({ commits }) => commits.length > 100)).toBe(true);
    expect(pulls.some(({ author }) => author === null)).toBe(true);
  });

  test('come with approvals, their end, wishes for changes, and first comments as reviews', async () => {
    const expected = pulls.flatMap((pull) => {
      const reviews: { number: number; state: string; at: string | null; by: string | null }[] = [];
      const add = (state: string, at: string, by: Pull['author']) =>
        reviews.push({ number: pull.number, state, at: seconds(at), by: by === null ? null : gitlabLogin(by) });
      for (const { by, state, at } of pull.reviews)
        if (state === 'approved' || state === 'dismissed') add(state, at, by);
      const people = new Set(pull.comments.map(({ by }) => by));
      for (const person of people) {
        if (person !== null && person === pull.author) continue;
        const [first] = pull.comments.filter(({ by }) => by === person).sort((a, b) => (a.at < b.at ? -1 : 1));
        add('commented', first!.at, person);
      }
      const last = new Map(pull.reviews.map((review) => [review.by, review]));
      for (const [person, { state, at }] of last) {
        if (person === null || state !== 'changes_requested') continue;
        const words = pull.comments.filter(({ by }) => by === person).map((comment) => comment.at);
        add('changes_requested', words.sort().at(-1) ?? at, person);
      }
      return reviews;
    });
    expect(await reviewRows(kit)).toEqual(sortRows(expected));
  });

  test('come with comments: place, commit, thread and resolution', async () => {
    expect(await commentRows(kit)).toEqual(
      sortRows(
        pulls.flatMap((pull) =>
          pull.comments.map(({ id, by, at, place, answers, body }) => ({
            number: pull.number,
            id: String(id),
            by: by === null ? null : gitlabLogin(by),
            at: seconds(at),
            body,
            path: place?.path ?? null,
            line: place?.line ?? null,
            side: place === null ? null : place.line % 5 === 0 ? 'left' : 'right',
            commit_sha: place === null ? null : pull.commits.at(-1)!.sha,
            thread_size: pull.comments.filter((other) => (other.answers ?? other.id) === (answers ?? id)).length,
            is_resolved: pull.resolved.has(answers ?? id),
            is_review_comment: place !== null,
          })),
        ),
      ),
    );
  });

  test('come with what happened to them', async () => {
    const rows = await kit.query<{ kind: string; n: number }>(
      'select kind, count(*)::int as n from pull_request_events group by 1 order by 1',
    );
    const kinds = ['closed', 'ready', 'review_requested'];
    const count = (wanted: string) =>
      pulls.flatMap(({ events }) => events).filter(({ kind }) => kind === wanted).length;
    expect(rows).toEqual(kinds.map((kind) => ({ kind, n: count(kind) })));
    const subjects = await kit.query('select 1 from pull_request_events where subject_id is not null');
    expect(subjects).toHaveLength(count('review_requested'));
  });
});

test('issues come with weights, epics and their history', async () => {
  const rows = await kit.query(
    `select i.key, i.type, i.opened_at, i.resolved_at, i.story_points, i.epic_key, t.kind,
       (select json_agg(c.field order by c.field) from issue_changes c where c.issue_id = i.id) as changes
     from issues i join trackers t on t.id = i.tracker_id order by i.opened_at`,
  );
  expect(rows).toEqual(
    repo.issues.map((issue) => {
      const isBug = issue.labels.includes('bug');
      const [weight, iteration, epic] = [weightOf(issue), iterationOf(issue), epicOf(issue)];
      const hasHistory = isBug || weight !== null || iteration !== null;
      const changes = [
        ...(weight === null ? [] : ['points']),
        ...(iteration === null ? [] : ['sprint']),
        ...(issue.closedAt === null || !hasHistory ? [] : ['status']),
      ];
      return {
        key: `works/repo-1#${issue.number}`,
        type: isBug ? 'Bug' : 'Issue',
        opened_at: seconds(issue.createdAt),
        resolved_at: seconds(issue.closedAt),
        story_points: weight === null ? null : weight * 100,
        epic_key: epic === null ? null : `works&${epic}`,
        kind: 'gitlab',
        changes: changes.length === 0 ? null : changes,
      };
    }),
  );
  const sprints = await kit.query<{ external_id: string }>('select external_id from sprints order by starts_at');
  expect(sprints.map(({ external_id }) => Number(external_id))).toEqual(ITERATIONS);
});

test('deployments, pipelines and groups come too', async () => {
  expect(await deliveryRows(kit)).toEqual({
    deployments: repo.deployments.map(({ sha, environment, state, finishedAt }) => ({
      sha,
      environment,
      state,
      finished_at: seconds(finishedAt),
    })),
    runs: repo.runs.map(({ sha, name, branch, finishedAt }) => ({
      sha,
      name,
      branch,
      finished_at: seconds(finishedAt),
    })),
    teams: [
      { slug: 'works', members: company.people.filter(({ isBot }) => !isBot).length },
      ...company.teams.map(({ slug, members }) => ({ slug: `works/${slug}`, members: members.length })),
    ],
  });
});

test('an account is a bot by the flag of the host, whatever its name', async () => {
  const rows = await kit.query<{ login: string }>("select login from host_accounts where kind = 'bot'");
  expect(rows).toEqual([{ login: 'project_1_bot_helper' }]);
});

test('a quota that was waited out is no error, and nothing was requested meanwhile', async () => {
  const { body } = await kit.app.request({ route: 'GET /imports', query: 'resource_path=acme' });
  expect((body.repos as unknown[])[0]).toMatchObject({
    pull_request_discovered_count: pulls.length,
    pull_request_processed_count: pulls.length,
    last_provider_quota_exceeded_at: new Date(waited).toISOString().replace('.000Z', 'Z'),
    error_em: null,
  });
  expect(kit.clock.getTime()).toBeGreaterThanOrEqual(waited + 90_000);
  expect(calls).toBe(
    kit.double.exchanges.filter(({ request }) => request.path.includes('/projects/')).length + TEAM_CALLS,
  );
});

/** The group, those below it, and the members of each; and one look at the bot. */
const TEAM_CALLS = 2 + 1 + company.teams.length + 1;

test('the token says when it ends', async () => {
  const [row] = await kit.query<{ token_expires_at: string }>('select token_expires_at from provider_connections');
  expect(row!.token_expires_at).toBe('2027-03-01T00:00:00Z');
});

test('a moved project goes on under its number, and only what changed is fetched again', async () => {
  company.organization = 'moved';
  repo.name = 'renamed';
  const pull = pulls.find(({ closedAt, comments }) => closedAt === null && comments.length > 0)!;
  const [gone] = pull.comments.splice(-1, 1);
  const later = await changesSince(kit, () => {
    pull.closedAt = new Date(kit.clock.getTime() - 60_000).toISOString();
    pull.updatedAt = pull.closedAt;
  });
  const [row] = await kit.query<{ closed_at: string }>(
    `select closed_at from pull_requests where number = ${pull.number}`,
  );
  expect(row!.closed_at).toBe(seconds(pull.closedAt));
  expect(await kit.query('select id from repos')).toHaveLength(1);
  const deleted = await kit.query('select external_id from pull_request_comments where deleted_at is not null');
  expect(deleted).toEqual([{ external_id: String(gone!.id) }]);
  expect(later.filter((path) => path.endsWith('/discussions'))).toHaveLength(1);
});

test('without a paid tier, milestones with both dates are the sprints', async () => {
  const small = generateCompany(7, { repos: 1, pulls: 2, issues: 20, runs: 1, deployments: 1 });
  const host = { ...HOST, start: (of: Company) => startGitlabCompany(of, 'free') };
  const free = await createHostKit(small, host, new Date('2026-11-10T10:00:00Z'));
  await free.collectAll();
  const sprints = await free.query<{ external_id: string }>('select external_id from sprints order by starts_at');
  expect(sprints.map(({ external_id }) => external_id)).toEqual(ITERATIONS.map((id) => `milestone:${40 + id}`));
  const stays = await free.query<{ key: string; after: string }>(
    `select i.key, c.after from issue_changes c join issues i on i.id = c.issue_id where c.field = 'sprint' order by i.opened_at`,
  );
  const planned = small.repos[0]!.issues.filter((issue) => iterationOf(issue) !== null);
  expect(stays).toEqual(
    planned.map((issue) => ({ key: `works/repo-1#${issue.number}`, after: `milestone:${40 + iterationOf(issue)!}` })),
  );
  // What the tier lacks is tried once.
  const tries = free.double.exchanges.filter(({ request }) => request.path.endsWith('/resource_weight_events'));
  expect(tries).toHaveLength(1);
  await free.double.close();
});
