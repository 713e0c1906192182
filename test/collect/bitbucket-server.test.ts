// A company at Bitbucket Data Center from end to end: provisioned, listed, imported, collected; the rows are what the
// company's own records say, as far as Bitbucket can tell them.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Person, Pull } from '../world/company/company.ts';
import { generateCompany, SMALL_COMPANY } from '../world/company/generate-company.ts';
import {
  BITBUCKET_SERVER_COMPANY_TOKEN,
  startBitbucketServerCompany,
} from '../world/company-hosts/bitbucket-server-company.ts';
import { createHostKit, type HostKit } from './host-kit.ts';
import { changesSince, commentRows, pullRows, reviewRows, seconds, sortRows } from './rows.ts';

const company = generateCompany(6, SMALL_COMPANY);
const repo = company.repos[0]!;
const { pulls } = repo;
const loginOf = (person: Person | null) => person?.login ?? null;
const methodOf = ({ mergeMethod, commits }: Pull) =>
  // A single commit that was rebased looks like a squash, and is as good as one.
  mergeMethod === 'rebase' && commits.length === 1 ? 'squash' : mergeMethod;
let kit: HostKit;
let waited = 0;

beforeAll(async () => {
  const host = {
    start: startBitbucketServerCompany,
    provision: { git_provider_em: 'bitbucket_server', git_provider_token: BITBUCKET_SERVER_COMPANY_TOKEN },
    path: '/git',
  };
  kit = await createHostKit(company, host, new Date('2026-11-10T10:00:00Z'));
  kit.double.instead = ({ path }) => {
    if (!path.endsWith('/activities') || waited > 0) return null;
    waited = kit.clock.getTime();
    return { status: 429, headers: { 'retry-after': '30' }, body: { errors: [{ message: 'You are rate limited' }] } };
  };
  await kit.collectAll();
  await kit.derive();
}, 120_000);
afterAll(() => kit.double.close());

test('pull requests come with their times, states and landing commits', async () => {
  expect(await pullRows(kit)).toEqual(
    pulls.map((pull) => ({
      number: pull.number,
      title: pull.title,
      is_draft: pull.isDraft,
      // When a draft became ready is not told.
      opened_at: seconds(pull.createdAt),
      closed_at: seconds(pull.closedAt),
      merged_at: seconds(pull.mergedAt),
      head_sha: pull.commits.at(-1)!.sha,
      merge_sha: pull.mergeSha,
      squash_sha: methodOf(pull) === 'squash' ? pull.mergeSha : null,
      merge_method: methodOf(pull),
      labels: [],
      closes_keys: [],
      author: loginOf(pull.author),
      merger: loginOf(pull.mergedBy),
      assignees: 0,
      commits: pull.commits.map(({ sha }) => sha),
      incomplete_detail: null,
    })),
  );
});

test('approvals, wishes for changes and their end are reviews', async () => {
  const expected = pulls.flatMap(({ number, reviews }) =>
    reviews
      .filter(({ state }) => state !== 'commented')
      .map(({ state, at, by }) => ({ number, state, at: seconds(at), by: loginOf(by) })),
  );
  expect(await reviewRows(kit)).toEqual(sortRows(expected));
});

test('comments come with place, commit, thread and resolution', async () => {
  expect(await commentRows(kit)).toEqual(
    sortRows(
      pulls.flatMap((pull) =>
        pull.comments.map(({ id, by, at, place, answers, body }) => ({
          number: pull.number,
          id: String(id),
          by: loginOf(by),
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

test('what happened comes too, and a service account is a bot', async () => {
  const rows = await kit.query('select kind, count(*)::int as n from pull_request_events group by 1 order by 1');
  const count = (wanted: string) => pulls.flatMap(({ events }) => events).filter(({ kind }) => kind === wanted).length;
  expect(rows).toEqual([
    { kind: 'closed', n: count('closed') },
    { kind: 'merged', n: pulls.filter(({ mergedAt }) => mergedAt !== null).length },
    { kind: 'review_requested', n: count('review_requested') },
  ]);
  const bots = await kit.query("select login from host_accounts where kind = 'bot'");
  expect(bots).toEqual([{ login: 'helper[bot]' }]);
});

test('a quota that was waited out is no error', async () => {
  const { body } = await kit.app.request({ route: 'GET /imports', query: 'resource_path=acme' });
  expect((body.repos as unknown[])[0]).toMatchObject({
    pull_request_processed_count: pulls.length,
    last_provider_quota_exceeded_at: new Date(waited).toISOString().replace('.000Z', 'Z'),
    error_em: null,
  });
  expect(kit.clock.getTime()).toBeGreaterThanOrEqual(waited + 30_000);
});

test('a renamed repo goes on under its id, and only what changed is fetched again', async () => {
  repo.name = 'renamed';
  const pull = pulls.find(({ closedAt, isDraft }) => closedAt === null && !isDraft)!;
  const requested = await changesSince(kit, () => {
    pull.closedAt = new Date(kit.clock.getTime() - 60_000).toISOString();
    pull.updatedAt = pull.closedAt;
  });
  const [row] = await kit.query<{ closed_at: string }>(
    `select closed_at from pull_requests where number = ${pull.number}`,
  );
  expect(row!.closed_at).toBe(seconds(pull.closedAt));
  expect(requested.filter((path) => path.endsWith('/activities'))).toHaveLength(1);
  expect(requested.some((path) => path.includes('/repos/renamed/'))).toBe(true);
});

test('another repo that has taken the name is not taken for it', async () => {
  const impostor = { ...repo, id: 77_777, name: 'repo-1', pulls: [] };
  company.repos.splice(0, 1, impostor);
  kit.clock = new Date(kit.clock.getTime() + 3_600_000);
  await kit.collect();
  const [denial] = await kit.query<{ failure_em: string }>('select failure_em from stream_denials');
  expect(denial).toEqual({ failure_em: 'gone' });
});
