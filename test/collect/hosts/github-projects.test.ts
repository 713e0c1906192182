// Points and iterations of GitHub's projects: they are story points and sprints of the issues, as far back as GitHub says when
// a value was set.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { generateCompany } from '../../world/company/generate-company.ts';
import type { GithubCompany } from '../../world/company/github-company.ts';
import type { Project, ProjectItem } from '../../world/company/github-projects.ts';
import { GITHUB } from '../../world/company-hosts/hosts.ts';
import { type CompanyKit, createCompanyKit } from '../company-kit.ts';
import { COLLECTED_AT } from './host-tests.ts';

const company = generateCompany(17, { repos: 2, pulls: 2, issues: 40, runs: 1, deployments: 1 });
const issues = company.repos.flatMap((repo) => repo.issues.map((issue) => ({ ...issue, repo: repo.name })));
const SET_AT = '2026-10-05T08:00:00.000Z';

const main: Project = {
  number: 1,
  pointsField: 'story points',
  iterations: [
    { id: 'a1', title: 'Iteration 1', startDate: '2026-10-06', duration: 14, isCompleted: true },
    { id: 'a2', title: 'Iteration 2', startDate: '2026-11-03', duration: 14, isCompleted: false },
    { id: 'a3', title: 'Iteration 3', startDate: '2026-11-17', duration: 14, isCompleted: false },
  ],
  // More than a page; a draft among them.
  items: [
    { issueId: null, points: { value: 13, at: SET_AT }, iteration: null },
    ...issues.slice(0, 70).map(
      ({ id }, index): ProjectItem => ({
        issueId: id,
        points: index % 3 === 0 ? null : { value: index % 8, at: SET_AT },
        iteration: index % 4 === 0 ? null : { value: index % 4 === 1 ? 'a1' : 'a2', at: SET_AT },
      }),
    ),
  ],
};
/** Its field is named later in the setting; a project that is empty does not end the walk. */
const other: Project = {
  number: 3,
  pointsField: 'Estimate',
  iterations: [],
  items: issues
    .slice(0, 6)
    .map(({ id }): ProjectItem => ({ issueId: id, points: { value: 21, at: SET_AT }, iteration: null })),
};
company.projects = [main, { number: 2, pointsField: 'Points', iterations: [], items: [] }, other];

let kit: CompanyKit<GithubCompany>;
beforeAll(async () => {
  kit = await createCompanyKit(company, GITHUB, { clock: COLLECTED_AT });
  await kit.collectAll();
  await kit.derive();
}, 120_000);
afterAll(() => kit?.close());

const later = async (hours: number) => {
  kit.clock = new Date(kit.clock.getTime() + hours * 3_600_000);
  await kit.collect();
  await kit.derive();
};
const keyOf = ({ repo, number }: { repo: string; number: number }) => `works/${repo}#${number}`;
const pointsOf = (index: number) =>
  kit.query<{ points: number | null }>('select story_points as points from issues where key = $1', [
    keyOf(issues[index]!),
  ]);
const historyOf = (index: number, field: string) =>
  kit.query(
    `select c.changed_at, c.before, c.after from issue_changes c join issues i on i.id = c.issue_id
     where i.key = $1 and c.field = $2 order by c.changed_at`,
    [keyOf(issues[index]!), field],
  );

test('iterations are sprints of the host, once for all repos', async () => {
  expect(
    await kit.query('select external_id, name, state, starts_at, ends_at from sprints order by starts_at'),
  ).toEqual(
    main.iterations.map(({ id, title, startDate, isCompleted }, place) => ({
      external_id: `PVT_1/${id}`,
      name: title,
      state: isCompleted ? 'closed' : place === 1 ? 'active' : 'future',
      starts_at: `${startDate}T00:00:00Z`,
      ends_at: new Date(Date.parse(startDate) + 14 * 86_400_000 - 1000).toISOString().replace('.000Z', 'Z'),
    })),
  );
});

test('numbers are story points by the name of their field, and issues of both repos are in the sprints', async () => {
  const rows = await kit.query<{ key: string; points: number | null; sprint: string | null }>(
    `select i.key, i.story_points / 100 as points,
       (select t.name from sprint_issues n join sprints t on t.id = n.sprint_id where n.issue_id = i.id) as sprint
     from issues i`,
  );
  const expected = issues.map((issue, index) => {
    const item = main.items[index + 1];
    const points = item?.points?.value ?? (index < 6 ? 21 : null);
    const iteration = main.iterations.find(({ id }) => id === item?.iteration?.value)?.title ?? null;
    return { key: keyOf(issue), points, sprint: iteration };
  });
  const order = (list: readonly { key: string }[]) => [...list].sort((a, b) => (a.key < b.key ? -1 : 1));
  expect(order(rows)).toEqual(order(expected));
  expect(new Set(expected.slice(0, 70).map(({ key }) => key.split('#')[0])).size).toBe(2);
  expect(await historyOf(1, 'points')).toEqual([{ changed_at: '2026-10-05T08:00:00Z', before: null, after: '1' }]);
});

test('what stood when a sprint began and ended makes its statistics', async () => {
  const [row] = await kit.query<{ n: number; points: number }>(
    `select count(*)::int as n, sum(p.points_at_start)::int as points from sprint_parts p
     join sprints t on t.id = p.sprint_id where t.name = 'Iteration 1'`,
  );
  const planned = main.items.slice(1).filter(({ iteration }) => iteration?.value === 'a1');
  // The other project's estimate counts where the first one has none.
  const points = planned.map(
    (item) => item.points?.value ?? (issues.findIndex(({ id }) => id === item.issueId) < 6 ? 21 : 0),
  );
  expect(row).toEqual({ n: planned.length, points: points.reduce((sum, value) => sum + value * 100, 0) });
});

test('a new value is a change at its time, a value that is gone ends when that is seen', async () => {
  const [changed, moved, emptied] = [2, 5, 7].map((index) => main.items[index + 1]!) as [
    ProjectItem,
    ProjectItem,
    ProjectItem,
  ];
  changed.points = { value: 40, at: '2026-11-10T12:00:00.000Z' };
  moved.iteration = null;
  emptied.points = null;
  const gone = issues[9]!;
  main.items = main.items.filter(({ issueId }) => issueId !== gone.id);
  await later(7);
  const seen = kit.clock.toISOString().replace('.000Z', 'Z');
  expect(await historyOf(2, 'points')).toEqual([
    { changed_at: '2026-10-05T08:00:00Z', before: null, after: '2' },
    { changed_at: '2026-11-10T12:00:00Z', before: '2', after: '40' },
  ]);
  expect(await historyOf(5, 'sprint')).toEqual([
    { changed_at: '2026-10-05T08:00:00Z', before: null, after: 'PVT_1/a1' },
    { changed_at: seen, before: 'PVT_1/a1', after: null },
  ]);
  expect(await pointsOf(7)).toEqual([{ points: null }]);
  expect(await historyOf(9, 'sprint')).toEqual([
    { changed_at: '2026-10-05T08:00:00Z', before: null, after: 'PVT_1/a1' },
    { changed_at: seen, before: 'PVT_1/a1', after: null },
  ]);
});

test('points stay when only the issue changes', async () => {
  const issue = company.repos[0]!.issues[2]!;
  issue.title = 'Another wish';
  issue.updatedAt = kit.clock.toISOString();
  kit.clock = new Date(kit.clock.getTime() + 1_800_000);
  await kit.collect();
  expect(await kit.query('select title, story_points from issues where key = $1', [keyOf(issues[2]!)])).toEqual([
    { title: 'Another wish', story_points: 4000 },
  ]);
});

test('another name of the field holds for what is stored', async () => {
  await kit.query(
    `insert into entity_settings (entity_id, key, value) values ($1, 'points_field_names', '["estimate"]')`,
    [kit.entityId],
  );
  await kit.derive();
  expect(await pointsOf(2)).toEqual([{ points: 2100 }]);
  expect(await pointsOf(8)).toEqual([{ points: null }]);
});

test('a token without the right is said to lack it, and nothing is taken away', async () => {
  kit.double.instead = ({ body }) =>
    body.includes('projectsV2')
      ? {
          body: {
            errors: [{ type: 'INSUFFICIENT_SCOPES', message: 'Your token has not been granted the required scopes' }],
          },
        }
      : null;
  const before = await kit.query('select count(*)::int as n from board_values where value is not null');
  await later(7);
  expect(await kit.query('select failure_em, detail from stream_denials')).toEqual([
    { failure_em: 'insufficient_scope', detail: expect.stringContaining('read:project') },
  ]);
  expect(await kit.query('select count(*)::int as n from board_values where value is not null')).toEqual(before);
});
