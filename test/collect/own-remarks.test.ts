// A review or comment by who opened the pull request is none by somebody else: under another account, after the account is
// gone, and in whatever order the host's lists are read.
import { expect, test } from 'vitest';
import { deriveReviews } from '../../src/jobs/collect/derive-reviews.ts';
import { rebuildRollups } from '../../src/jobs/rebuild-rollups.ts';
import { QUEUE_SCHEMA } from '../../src/storage/queue/schema.ts';
import { jobContext } from '../jobs/import/import-kit.ts';
import type { Company, Person, Pull } from '../world/company/company.ts';
import type { GithubCompany } from '../world/company/github-company.ts';
import { GITHUB } from '../world/company-hosts/hosts.ts';
import { type CompanyKit, createCompanyKit } from './company-kit.ts';

const person = (id: number, login: string, isBot = false): Person => ({
  id,
  login,
  name: login,
  email: `${login}@example.com`,
  isBot,
});

const MERGED_AT = '2026-11-02T12:00:00.000Z';
const MERGED = { closedAt: MERGED_AT, mergedAt: MERGED_AT, mergeMethod: 'merge', mergeSha: 'b'.repeat(40) } as const;

const pullOf = (author: Person, more: Partial<Pull>): Pull => ({
  id: 50_000,
  number: 1,
  title: 'A change',
  author,
  branch: 'change',
  base: 'main',
  createdAt: '2026-11-02T10:00:00.000Z',
  updatedAt: MERGED_AT,
  isDraft: false,
  closedAt: null,
  mergedAt: null,
  mergedBy: null,
  mergeMethod: null,
  mergeSha: null,
  commits: [{ sha: 'a'.repeat(40), at: '2026-11-02T09:00:00.000Z', by: author }],
  reviews: [],
  comments: [],
  events: [],
  resolved: new Set(),
  labels: [],
  assignees: [],
  closes: [],
  ...more,
});

const commentBy = (by: Person): Pull['comments'][number] => {
  const at = '2026-11-02T11:20:00.000Z';
  return { id: 900, by, at, updatedAt: at, body: 'Hm.', place: null, answers: null };
};

const open = (people: Person[], pull: Pull): Promise<CompanyKit<GithubCompany>> => {
  const repos = [{ id: 100, name: 'shop', pulls: [pull], issues: [], deployments: [], runs: [] }];
  const company: Company = { organization: 'works', organizationId: 7, people, teams: [], repos };
  return createCompanyKit(company, GITHUB, { clock: new Date('2026-11-03T10:00:00Z') });
};

const SEGMENTS = ['pr_review_count', 'pr_merged_without_human_review_count', 'pr_comments_left', 'prs_opened'] as const;
const NO_REMARKS = {
  pr_review_count: 0,
  pr_merged_without_human_review_count: 1,
  pr_comments_left: 0,
  prs_opened: 1,
};

async function figures({ app }: CompanyKit<GithubCompany>): Promise<Record<string, number>> {
  const sums: Record<string, number> = {};
  for (const segment of SEGMENTS) {
    const query = `resource_path=acme&segment_by=${segment}&start_date=2026-11-01&end_date=2026-11-30`;
    const { body, status } = await app.request({ route: 'GET /reports', query: `${query}&aggregate_by=none` });
    expect(status).toBe(200);
    const series = Object.values((body as { series_segments: Record<string, { y: number | null }[]> }).series_segments);
    sums[segment] = series.flat().reduce((sum, { y }) => sum + (y ?? 0), 0);
  }
  return sums;
}

/** What a worker would do now of what follows from reviews. */
async function workOut(kit: CompanyKit<GithubCompany>): Promise<void> {
  const queued = await kit.query<{ identifier: string; payload: { import_id?: number } }>(`
    delete from ${QUEUE_SCHEMA}._private_jobs j using ${QUEUE_SCHEMA}._private_tasks t
    where t.id = j.task_id and t.identifier in ('rebuild_rollups', 'derive_reviews') returning t.identifier, j.payload`);
  for (const { identifier, payload } of queued) {
    const task = identifier === 'derive_reviews' ? deriveReviews : rebuildRollups;
    await task.run(payload as never, jobContext(), kit.parts);
  }
  if (queued.some(({ identifier }) => identifier === 'rebuild_rollups')) await workOut(kit);
}

const later = (kit: CompanyKit<GithubCompany>, minutes: number): void => {
  kit.clock = new Date(kit.clock.getTime() + minutes * 60_000);
};

test('the author’s account is gone, and what they said stays theirs', async () => {
  const ada = person(1, 'ada');
  const bob = person(2, 'bob');
  const pull = pullOf(ada, { ...MERGED, mergedBy: bob });
  pull.reviews.push({ id: 800, by: ada, state: 'commented', at: '2026-11-02T11:30:00.000Z' });
  pull.comments.push(commentBy(ada));
  const kit = await open([ada, bob], pull);
  await kit.collectAll();
  await kit.derive();
  expect(await figures(kit)).toEqual(NO_REMARKS);
  const people = () => kit.query('select author_id, merged_by_id, is_author_bot from pull_requests');
  const before = await people();

  const goneAt = '2026-11-03T10:20:00.000Z';
  Object.assign(pull, { author: null, mergedBy: null, updatedAt: goneAt });
  pull.reviews.splice(0, 1, { ...pull.reviews[0]!, by: null });
  pull.comments.splice(0, 1, { ...pull.comments[0]!, by: null, updatedAt: goneAt });
  later(kit, 30);
  await kit.collectAll();
  await kit.derive();
  expect(await figures(kit)).toEqual(NO_REMARKS);
  expect(await people()).toEqual(before);
  await kit.close();
});

test('a review and a comment under the author’s second account, once both are one person', async () => {
  const ada = person(1, 'ada');
  const second = person(3, 'ada-work');
  const pull = pullOf(ada, { ...MERGED, mergedBy: second });
  pull.reviews.push({ id: 800, by: second, state: 'approved', at: '2026-11-02T11:30:00.000Z' });
  pull.comments.push(commentBy(second));
  const kit = await open([ada, second], pull);
  await kit.collectAll();
  await kit.derive();
  const asOthers = { pr_review_count: 1, pr_merged_without_human_review_count: 0, pr_comments_left: 1, prs_opened: 1 };
  expect(await figures(kit)).toEqual(asOthers);
  const { committers } = kit.app.operations;
  await committers.merge('operator', 'acme', 'ada-work', 'ada');
  await workOut(kit);
  expect(await figures(kit)).toEqual(NO_REMARKS);
  await committers.split('operator', 'acme', 'ada-work');
  await workOut(kit);
  expect(await figures(kit)).toEqual(asOthers);
  await kit.close();
});

test.each([
  ['together with', false],
  ['after', true],
])('comments that come %s an agent’s pull request: who directs it is not its author', async (_, isLate) => {
  const ada = person(1, 'ada');
  const agent = person(2, 'devin-ai-integration[bot]', true);
  const pull = pullOf(agent, { assignees: [ada] });
  pull.comments.push(commentBy(ada));
  const kit = await open([ada, agent], pull);
  let isDown = isLate;
  kit.double.instead = ({ path }) => (isDown && path.includes('/issues/comments') ? { status: 502, body: {} } : null);
  await kit.collect();
  await kit.collect();
  await kit.query("update committers set is_ai_agent = true, is_bot = false where committer_user_name like 'devin%'");
  await kit.derive();
  isDown = false;
  later(kit, 120);
  await kit.collectAll();
  await kit.derive();
  const [row] = await kit.query<{ author: string }>(`
      select c.committer_user_name as author from pull_requests p join committers c on c.id = p.author_id`);
  expect(row!.author).toBe('ada');
  expect(await figures(kit)).toMatchObject({ pr_comments_left: 1 });
  await kit.close();
});

test('other business hours are those of pull requests that are stored', async () => {
  const ada = person(1, 'ada');
  const kit = await open([ada], pullOf(ada, { ...MERGED, mergedBy: ada }));
  await kit.collectAll();
  await kit.derive();
  const minutes = () =>
    kit.query('select business_minutes_open_to_closed, business_minutes_cycle_time from pull_requests');
  expect(await minutes()).toEqual([{ business_minutes_open_to_closed: 120, business_minutes_cycle_time: 180 }]);
  await kit.app.operations.settings.set('operator', 'acme', 'business_hours', '11:00-17:00');
  await workOut(kit);
  expect(await minutes()).toEqual([{ business_minutes_open_to_closed: 60, business_minutes_cycle_time: 60 }]);
  await kit.close();
});
