// A company at Azure DevOps from end to end: provisioned, listed, imported, collected; the rows are what the company's own
// records say, as far as Azure DevOps can tell them.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Company, Person, Pull } from '../world/company/company.ts';
import { generateCompany, SMALL_COMPANY } from '../world/company/generate-company.ts';
import { AZURE_COMPANY_TOKEN, startAzureCompany } from '../world/company-hosts/azure-company.ts';
import { createHostKit, type HostKit } from './host-kit.ts';
import { changesSince, commentRows, deliveryRows, pullRows, reviewRows, seconds, sortRows } from './rows.ts';

const SIZE = { ...SMALL_COMPANY, runs: 130 };
const KINDS = [
  { name: 'azure_devops', prefix: '', company: generateCompany(3, SIZE) },
  { name: 'azure_devops_server', prefix: '/tfs', company: generateCompany(4, { ...SIZE, pulls: 25, runs: 4 }) },
];
const loginOf = (person: Person | null) => person?.email ?? null;

describe.each(KINDS)('$name', ({ name, prefix, company }) => {
  const repo = company.repos[0]!;
  const { pulls } = repo;
  let kit: HostKit;
  let waited = 0;

  beforeAll(async () => {
    const host = {
      start: (of: Company) => startAzureCompany(of, prefix),
      provision: {
        git_provider_em: name,
        git_provider_token: AZURE_COMPANY_TOKEN,
        git_provider_organization: 'contoso',
        git_provider_token_expires_at: '2027-06-01',
      },
      path: prefix,
    };
    kit = await createHostKit(company, host, new Date('2026-11-10T10:00:00Z'));
    kit.double.instead = ({ path }) => {
      if (!path.endsWith('/threads') || waited > 0) return null;
      waited = kit.clock.getTime();
      const headers = { 'retry-after': '120', 'x-ratelimit-resource': 'TfsGit/PullRequests' };
      return { status: 429, headers, body: { message: 'TF400733: The request has been canceled' } };
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
        squash_sha: pull.mergeMethod === 'squash' ? pull.mergeSha : null,
        merge_method: pull.mergeMethod,
        labels: pull.labels,
        closes_keys: pull.closes.map((number) => `AB#${number}`),
        author: loginOf(pull.author),
        merger: loginOf(pull.mergedBy),
        assignees: 0,
        commits: pull.commits.map(({ sha }) => sha),
        incomplete_detail: null,
      })),
    );
  });

  test('votes are reviews at their own times, and those of groups are not', async () => {
    const expected = pulls.flatMap(({ number, reviews }) =>
      reviews
        .filter(({ state }) => state !== 'commented')
        .map(({ state, at, by }) => ({ number, state, at: seconds(at), by: loginOf(by) })),
    );
    expect(await reviewRows(kit)).toEqual(sortRows(expected));
  });

  test('comments come with place, commit, thread and resolution', async () => {
    const idOf = (pull: Pull, { id, answers }: Pull['comments'][number]) => {
      const thread = pull.comments.filter((other) => (other.answers ?? other.id) === (answers ?? id));
      return `${answers ?? id}.${1 + thread.findIndex((other) => other.id === id)}`;
    };
    expect(await commentRows(kit)).toEqual(
      sortRows(
        pulls.flatMap((pull) =>
          pull.comments.map((comment) => {
            const { id, by, at, place, answers, body } = comment;
            return {
              number: pull.number,
              id: idOf(pull, comment),
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
            };
          }),
        ),
      ),
    );
  });

  test('what happened, builds and teams come too', async () => {
    const rows = await kit.query('select kind, count(*)::int as n from pull_request_events group by 1 order by 1');
    const count = (wanted: string) =>
      pulls.flatMap(({ events }) => events).filter(({ kind }) => kind === wanted).length;
    const kinds = ['closed', 'review_requested'].filter((kind) => count(kind) > 0);
    expect(rows).toEqual(kinds.map((kind) => ({ kind, n: count(kind) })));
    expect(await deliveryRows(kit)).toEqual({
      deployments: [],
      runs: repo.runs.map(({ sha, name: of, branch, finishedAt }) => ({
        sha,
        name: of,
        branch,
        finished_at: seconds(finishedAt),
      })),
      teams: company.teams.map(({ slug, members }) => ({ slug, members: members.length })),
    });
  });

  test('a quota that was waited out is no error', async () => {
    const { body } = await kit.app.request({ route: 'GET /imports', query: 'resource_path=acme' });
    expect((body.repos as unknown[])[0]).toMatchObject({
      pull_request_processed_count: pulls.length,
      last_provider_quota_exceeded_at: new Date(waited).toISOString().replace('.000Z', 'Z'),
      error_em: null,
    });
    expect(kit.clock.getTime()).toBeGreaterThanOrEqual(waited + 120_000);
  });

  test('a renamed project goes on under its id; a comment on an open pull request is seen', async () => {
    company.organization = 'moved';
    repo.name = 'renamed';
    const open = pulls.filter(({ closedAt }) => closedAt === null);
    const pull = open[0]!;
    const at = kit.clock.toISOString();
    const requested = await changesSince(kit, () => {
      const comment = { id: 9_000_001, by: company.people[1]!, at, updatedAt: at, body: 'Once more', place: null };
      pull.comments.push({ ...comment, answers: null });
    });
    const found = await kit.query("select 1 from pull_request_comments where external_id = '9000001.1'");
    expect(found).toHaveLength(1);
    expect(await kit.query('select id from repos')).toHaveLength(1);
    expect(requested.filter((path) => path.endsWith('/commits'))).toHaveLength(1);
  });
});
