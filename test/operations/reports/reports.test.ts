// The two endpoints over HTTP: parameters, defaults, access, errors, summary and introspection.
import { beforeAll, expect, test } from 'vitest';
import { CURRENT_DERIVATION } from '../../../src/domain/commits/current-derivation.ts';
import { FILE_MEASURES } from '../../../src/domain/commits/file-measures.ts';
import { SEGMENT_IDS } from '../../../src/domain/segments.ts';
import { OPERATOR } from '../../../src/operations/index.ts';
import { enqueue } from '../../../src/storage/queue/queue.ts';
import { createTestApp, type TestApp } from '../../support/app.ts';
import { insertRows, workRows } from '../../world/facts-kit.ts';

const NOW = new Date('2026-02-18T12:00:00Z');
let app: TestApp;
let entityId: number;

const ZEROS = Object.fromEntries(FILE_MEASURES.map((name) => [name, 0]));
const day = (committer_id: number, authored_on: string, repo_id: number, delta: number) => ({
  ...ZEROS,
  entity_id: entityId,
  committer_id,
  authored_on,
  repo_id,
  delta_added: delta * 1000,
  delta_new: delta * 1000,
  lines_added: 10,
  file_count: 1,
  commit_count: 1,
  ai_commit_count: 0,
  ai_line_commit_count: 0,
  known_commit_count: 0,
  known_lines_changed: 5,
  category: 10,
});

async function bump(): Promise<void> {
  await app.store.pool.query(
    `insert into data_versions (entity_id, version) values ($1, 1)
     on conflict (entity_id) do update set version = data_versions.version + 1`,
    [entityId],
  );
}

beforeAll(async () => {
  app = await createTestApp({ now: () => NOW, parts: () => ({ derivation: CURRENT_DERIVATION }) });
  const found = await app.store.pool.query(`select id from entities where slug = 'acme'`);
  entityId = found.rows[0].id;
  const insert = (table: string, ...rows: Record<string, unknown>[]) =>
    insertRows(
      app.store,
      table,
      rows.map((row) => ({ entity_id: entityId, ...row })),
    );
  await insert('organizations', { id: 1, slug: 'org', name: 'Org' }, { id: 2, slug: 'side', name: 'Side' });
  await insert(
    'repos',
    { id: 1, organization_id: 1, slug: 'one', name: 'one', source_kind: 'path' },
    { id: 2, organization_id: 1, slug: 'two', name: 'two', source_kind: 'path' },
    { id: 3, organization_id: 2, slug: 'three', name: 'three', source_kind: 'path' },
  );
  const person = (id: number, name: string, email: string, root = id) => ({
    id,
    root_committer_id: root,
    processing_status: 'processing_stats',
    committer_user_name: name,
    full_name: name.toUpperCase(),
    email,
  });
  await insert(
    'committers',
    person(1, 'ada', 'member@example.com'),
    person(2, 'bob', 'bob@example.com'),
    person(3, 'cyd', 'cyd@example.com'),
    person(4, 'bob2', 'bob@home.example', 2),
  );
  await insert('teams', { id: 11, slug: 'red', name: 'Red' });
  await insert(
    'team_members',
    { team_id: 11, committer_id: 1, identifier: 'ada', role_em: 'committer_role' },
    { team_id: 11, committer_id: 2, identifier: 'bob', role_em: 'committer_role' },
  );
  const { commits, facts } = workRows([
    day(1, '2026-02-16', 1, 10),
    day(2, '2026-02-10', 2, 20),
    day(3, '2026-02-10', 3, 40),
    day(4, '2026-02-11', 2, 5),
    day(1, '2025-11-01', 1, 7),
  ]);
  await insertRows(app.store, 'daily_commits', commits);
  // and lines of files that line statistics leave out
  const leftOut = { ...facts[0], category: 13, lines_added: 30, delta_added: 0, delta_new: 0, known_lines_changed: 0 };
  await insertRows(app.store, 'daily_facts', [...facts, leftOut, { ...leftOut, category: 16, lines_added: 10 }]);
  await bump();
});

const report = (query: string, token?: string) =>
  app.request({
    route: 'GET /reports',
    query: `resource_path=acme&${query}`,
    ...(token === undefined ? {} : { token }),
  });
const points = (body: Record<string, unknown>) =>
  body.series_segments as Record<
    string,
    { x: string; y: number | null; start_date: string; end_date: string; url: string; projected?: boolean }[]
  >;

test('a report without parameters is all Diff Delta of the last 90 days by repo and week', async () => {
  const { body, status } = await report('');
  expect(status).toBe(200);
  expect(body).toMatchObject({
    segment_em: 'none',
    interval_em: 'weekly',
    aggregated_by: 'repo',
    unit: 'Diff Delta',
    value_precision: 0,
    context: { entity: 'acme', contributors: { covered: 3, total: 3 } },
  });
  expect(Object.keys(points(body))).toEqual(['three', 'two', 'one']);
  expect(points(body).two).toMatchObject([
    { x: 'February 9 - 15, 2026', y: 25, start_date: '2026-02-09', end_date: '2026-02-15' },
  ]);
  const address = new URL(`http://x${points(body).two![0]!.url}`);
  expect(address.pathname).toBe('/api/v1/audits');
  expect(Object.fromEntries(address.searchParams)).toMatchObject({
    resource_path: 'acme',
    resource_type: 'commits',
    segment_by: 'none',
    series: 'two',
    start_date: '2026-02-09',
    end_date: '2026-02-15',
  });
});

test('the alias and suppress_aggregation give one series', async () => {
  const { body } = await report('segment_by=diff_delta&suppress_aggregation=true&days_ago=30');
  expect(body).toMatchObject({ segment_em: 'none', aggregated_by: 'none', interval_em: 'daily' });
  expect(Object.fromEntries(points(body)['Diff Delta']!.map(({ x, y }) => [x, y]))).toEqual({
    'February 10': 60,
    'February 11': 5,
    'February 16': 10,
  });
});

test('resource paths narrow, and several of them add up', async () => {
  const one = await app.request({ route: 'GET /reports', query: 'resource_path=acme/org&aggregate_by=none' });
  expect(one.body.context).toMatchObject({ entity: 'acme', organization: 'org' });
  expect(points(one.body)['Diff Delta']!.reduce((sum, { y }) => sum + (y ?? 0), 0)).toBe(35);
  const two = await app.request({
    route: 'GET /reports',
    query: 'resource_path=acme/org/one,acme/side&aggregate_by=none',
  });
  expect(points(two.body)['Diff Delta']!.reduce((sum, { y }) => sum + (y ?? 0), 0)).toBe(50);
});

test('a team, a person by child address, and several people can be asked for', async () => {
  const sum = async (query: string) =>
    Object.values(points((await report(`${query}&aggregate_by=none`)).body))
      .flat()
      .reduce((total, { y }) => total + (y ?? 0), 0);
  expect(await sum('team_slug=red')).toBe(35);
  expect(await sum('committer_identifier=BOB@home.example')).toBe(25);
  expect(await sum('committer_user_name=ada,cyd')).toBe(50);
  // Named both ways, somebody must fit both, as in lists of records.
  expect(await sum('committer_user_name=ada,cyd&committer_identifier=cyd')).toBe(await sum('committer_user_name=cyd'));
  expect(await sum('committer_user_name=ada&committer_identifier=cyd')).toBe(0);
  // An empty list names nobody.
  expect(await sum('committer_user_name[]=&committer_identifier=cyd')).toBe(await sum('committer_user_name=cyd'));
});

test('an answer about lines says how many it leaves out and why, and other answers do not', async () => {
  const context = async (query: string) =>
    (await report(`${query}&start_date=2026-02-01&end_date=2026-02-18`)).body.context as Record<string, unknown>;
  const left_out = { total: 40, lines: 40, percent: 50, by_category: { autogenerated: 30, localization: 10 } };
  for (const segment of [
    'line_operation_counts',
    'churn_line_percent',
    'copy_move_percent',
    'duplicate_line_count_per_mil',
    'connective_per_mil',
    'ai_code_line_percent',
    'commit_ai_lines_added_count',
  ]) {
    expect((await context(`segment_by=${segment}&aggregate_by=none`)).lines_left_out, segment).toEqual(left_out);
  }
  expect((await context('segment_by=churn_line_count&aggregate_by=repo')).lines_left_out).toEqual(left_out);
  expect(await context('segment_by=none')).not.toHaveProperty('lines_left_out');
  expect(await context('segment_by=commit_count')).not.toHaveProperty('lines_left_out');
});

test('which lines count is a setting that holds at once', async () => {
  const ask = async () => {
    const { body } = await report(
      'segment_by=line_operation_counts&aggregate_by=none&start_date=2026-02-01&end_date=2026-02-18',
    );
    const added = points(body).Added!.reduce((sum, { y }) => sum + (y ?? 0), 0);
    return [added, (body.context as { lines_left_out: { lines: number } }).lines_left_out.lines];
  };
  expect(await ask()).toEqual([40, 40]);
  await app.operations.settings.set(OPERATOR, 'acme', 'line_statistics_categories', ['backend', 'localization']);
  expect(await ask()).toEqual([50, 30]);
  await app.operations.settings.set(OPERATOR, 'acme', 'line_statistics_categories', undefined);
  expect(await ask()).toEqual([40, 40]);
});

test('filled dates are 0 for sums and null for ratios', async () => {
  const sums = await report('fill_all_dates=true&start_date=2026-02-09&end_date=2026-02-11&aggregate_by=none');
  expect(points(sums.body)['Diff Delta']!.map(({ y }) => y)).toEqual([0, 60, 5]);
  const ratios = await report(
    'segment_by=churn_line_percent&fill_all_dates=true&start_date=2026-02-09&end_date=2026-02-10&aggregate_by=none',
  );
  expect(points(ratios.body)['Churned share']!.map(({ y }) => y)).toEqual([null, 0]);
});

test('filled dates are 0 for people per day, and null where there is no business day', async () => {
  const { body } = await report(
    'segment_by=active_committer_per_date_count&fill_all_dates=true&start_date=2026-02-06&end_date=2026-02-20&aggregate_by=none',
  );
  const byDate = Object.fromEntries(points(body)['Active developers per day']!.map((one) => [one.start_date, one.y]));
  // Friday; Saturday and Sunday; Monday to Wednesday; a holiday; tomorrow
  expect(byDate).toMatchObject({ '2026-02-06': 0, '2026-02-07': null, '2026-02-08': null, '2026-02-09': 0 });
  expect(byDate).toMatchObject({ '2026-02-10': expect.any(Number), '2026-02-16': null, '2026-02-19': null });
  expect(byDate['2026-02-10']).toBeGreaterThan(0);
});

test('dates are filled also where the whole range has no data, and such a point can be explained', async () => {
  const empty = 'start_date=2026-01-12&end_date=2026-01-14&aggregate_by=none';
  expect(points((await report(empty)).body)).toEqual({});
  const { body } = await report(`fill_all_dates=true&${empty}`);
  const sums = points(body);
  // Days without work are known: their sum is 0. A share of nothing stays unknown.
  expect(body.series).toMatchObject([{ name: 'Diff Delta', total: 0 }]);
  expect(sums['Diff Delta']!.map(({ y }) => y)).toEqual([0, 0, 0]);
  const ratios = points((await report(`segment_by=churn_line_percent&fill_all_dates=true&${empty}`)).body);
  expect(ratios['Churned share']!.map(({ y }) => y)).toEqual([null, null, null]);
  const share = await report(`segment_by=churn_line_percent&fill_all_dates=true&${empty}`);
  expect(share.body.series).toMatchObject([{ name: 'Churned share', total: null }]);
  const [path, query] = sums['Diff Delta']![0]!.url.replace('/api/v1', '').split('?', 2) as [string, string];
  expect(await app.request({ route: `GET ${path}`, query })).toMatchObject({ status: 200, body: { total_count: 0 } });
});

test('introspection of an entity that the token may not know of finds nothing', async () => {
  const answer = await app.request({ route: 'GET /segment_introspections', query: 'resource_path=other' });
  expect([answer.status, answer.body.response_em]).toEqual([404, 'response_not_found']);
});

test('only teams of the people asked for decide about the default aggregation', async () => {
  const { pool } = app.store;
  await insertRows(app.store, 'teams', [{ entity_id: entityId, id: 12, slug: 'blue', name: 'Blue' }]);
  await pool.query(
    `insert into team_members (entity_id, team_id, committer_id, identifier, role_em) values ($1, 12, 1, 'ada', 'committer_role')`,
    [entityId],
  );
  await bump();
  const by = async (query: string) => {
    const { body } = await report(query);
    return [body.aggregated_by, Object.keys(points(body))];
  };
  expect(await by('')).toEqual(['team', ['Red', 'Blue']]);
  expect(await by('committer_user_name=ada')).toEqual(['team', ['Red', 'Blue']]);
  // Somebody in one team, and somebody in none: there are no teams to compare.
  expect(await by('committer_user_name=bob')).toEqual(['repo', ['two']]);
  expect(await by('committer_identifier=cyd')).toEqual(['repo', ['three']]);
  // Whoever names a team, be it that of everybody, is not shown others.
  expect((await by('team_slug=all-contributors'))[0]).toBe('repo');
  // A repo in which nobody of a team has worked.
  const { body } = await app.request({ route: 'GET /reports', query: 'resource_path=acme/side/three' });
  expect([body.aggregated_by, Object.keys(points(body))]).toEqual(['none', ['Diff Delta']]);
  const [url] = points(body)['Diff Delta']!.map((point) => point.url);
  const [path, query] = url!.replace('/api/v1', '').split('?', 2) as [string, string];
  expect((await app.request({ route: `GET ${path}`, query })).status).toBe(200);
  const asked = await app.request({
    route: 'GET /reports',
    query: 'resource_path=acme/side/three&aggregate_by=team',
  });
  expect([asked.body.aggregated_by, points(asked.body)]).toEqual(['team', {}]);
  await pool.query('delete from team_members where team_id = 12');
  await pool.query('delete from teams where id = 12');
  await bump();
});

test('a split by team says how many developers are in none, and warns where it was not asked for', async () => {
  const pool = app.store.pool;
  await insertRows(app.store, 'teams', [{ entity_id: entityId, id: 12, slug: 'blue', name: 'Blue' }]);
  await pool.query(
    `insert into team_members (entity_id, team_id, committer_id, identifier, role_em) values ($1, 12, 1, 'ada', 'committer_role')`,
    [entityId],
  );
  await bump();
  const said = async (query: string) => {
    const { body } = await report(query);
    const warnings = ((body.warnings ?? []) as string[]).filter((line) => line.startsWith('shown by team'));
    return [(body.context as Record<string, unknown>).developers_of_no_team, warnings];
  };
  const teamless = { developers: 1, total: 3 };
  const warning =
    'shown by team; 1 of 3 developers with commits is in none, and the work of this one is in no series; aggregate_by=none counts all';
  expect(await said('')).toEqual([teamless, [warning]]);
  expect(await said('aggregate_by=team')).toEqual([teamless, []]);
  expect(await said('segment_by=team')).toEqual([teamless, []]);
  expect(await said('segment_by=release_count&aggregate_by=team')).toEqual([undefined, []]);
  expect(await said('aggregate_by=none')).toEqual([undefined, []]);
  expect(await said('committer_user_name=ada')).toEqual([undefined, []]);
  await pool.query('delete from team_members where team_id = 12');
  await pool.query('delete from teams where id = 12');
  await bump();
});

test('what cannot narrow a statistic is said', async () => {
  const warnings = async (path: string, query: string) => {
    const { body } = await app.request({ route: 'GET /reports', query: `resource_path=${path}&${query}` });
    const said = ((body.warnings ?? []) as string[]).filter((line) => !line.includes('has no figures'));
    return said.length === 0 ? undefined : said;
  };
  expect(await warnings('acme/org', 'segment_by=ai_cost_cents')).toEqual([
    'resource_path: AI usage belongs to no repo, so the figures are of the whole entity',
  ]);
  expect(await warnings('acme/org', 'segment_by=delta_per_ai_dollar')).toEqual([
    'resource_path: AI usage belongs to no repo, so that part of the figures is of the whole entity',
  ]);
  expect(await warnings('acme', 'segment_by=commit_count&ai_provider=copilot')).toEqual([
    'ai_provider has no effect: commit_count is not told apart by AI provider',
  ]);
  for (const segment of ['ai_cost_cents', 'ai_code_line_percent', 'inactive_llm_user_per_date_count'])
    expect([segment, await warnings('acme', `segment_by=${segment}&ai_provider=copilot`)]).toEqual([
      segment,
      undefined,
    ]);
  const wide: string[] = [];
  for (const segment of SEGMENT_IDS) if (await warnings('acme/org', `segment_by=${segment}`)) wide.push(segment);
  expect(
    wide.filter((segment) => !/^(?:ai|all|active_llm|inactive_llm|composite_ai|delta_per_ai)_/.test(segment)),
  ).toEqual([
    'sprint_start_story_points_committed',
    'sprint_end_story_points_completed',
    'story_points_velocity',
    'unplanned_work_story_points_percent',
    'prompt_count',
    'seat_used_percent',
  ]);
});

test('the final point is projected to its whole interval', async () => {
  // Wednesday noon: 2.5 of 7 days have passed
  const { body } = await report('aggregate_by=none&project_final_point=true');
  const last = points(body)['Diff Delta']!.at(-1)!;
  expect(last).toMatchObject({ y: 28, projected: true, start_date: '2026-02-16', end_date: '2026-02-18' });
});

test('a final point of a range that ends before today is not projected: the days after it were not asked for', async () => {
  const { body } = await report(
    'aggregate_by=none&project_final_point=true&interval=week&start_date=2026-02-01&end_date=2026-02-17',
  );
  const last = points(body)['Diff Delta']!.at(-1)!;
  expect(last).toMatchObject({ y: 10, start_date: '2026-02-16', end_date: '2026-02-17' });
  expect(last).not.toHaveProperty('projected');
});

test('weeks by which people are counted begin on Monday, and a chart of other weeks says so', async () => {
  const ask = async (segment: string) =>
    (await report(`segment_by=${segment}&interval=week&aggregate_by=none`)).body.warnings as string[] | undefined;
  const said = /weeks from Monday to Sunday/;
  expect((await ask('active_committer_in_week_count'))?.join() ?? '').not.toMatch(said);
  await app.operations.settings.set('operator', 'acme', 'week_start', 'sunday');
  try {
    expect((await ask('active_committer_in_week_count'))?.join()).toMatch(said);
    expect((await ask('commit_count'))?.join() ?? '').not.toMatch(said);
  } finally {
    await app.operations.settings.set('operator', 'acme', 'week_start', 'monday');
  }
});

test('what has passed of a range is compared with as many days before', async () => {
  // Wednesday: ten days have passed of twenty, one of them a holiday
  const { body } = await report('generate_summary_stats=true&start_date=2026-02-09&end_date=2026-02-28');
  const [card] = body.calculated_summary_stats as { detail: string; weekday_count: number }[];
  expect(card!.weekday_count).toBe(7);
  expect(card!.detail).toContain('over the 6 weekdays before');
});

test('the summary begins with the statistic asked for, compares with the period before, and tells AI coverage', async () => {
  const { body } = await report(
    'segment_by=ai_code_line_percent&generate_summary_stats=true&start_date=2026-02-02&end_date=2026-02-15',
  );
  const cards = body.calculated_summary_stats as Record<string, unknown>[];
  expect(cards.map(({ key }) => key)).toEqual([
    'ai_code_line_percent',
    'diff_delta',
    'issues_resolved',
    'prs_closed',
    'commit_count',
    'ai_coverage',
  ]);
  expect(cards[1]).toMatchObject({
    value: 65,
    weekday_count: 10,
    value_per_weekday: 6.5,
    previous_value: 0,
    percent_change: null,
    detail: '65 Diff Delta over 10 weekdays, 6.5 a weekday; 0 over the 9 weekdays before.',
  });
  expect(cards[5]).toMatchObject({ value: 50, by_source: {} });
});

test('what is not possible is refused with what is', async () => {
  const cases: [string, number, RegExp][] = [
    ['segment_by=commit_cuont', 400, /commit_count.*did you mean commit_count/s],
    [
      'segment_by=ai_cost_cents&aggregate_by=repo',
      422,
      /"repo" is not offered for ai_cost_cents; expected one of none, team/,
    ],
    ['start_date=2026-02-10&end_date=2026-02-01', 400, /after the end/],
    ['days_ago=0', 400, /whole number from 1/],
    ['team_slug=blue', 404, /no team "blue"; there are all-contributors, red/],
    ['committer_identifier=zoe', 422, /no committer is known as "zoe"/],
    ['committer_user_name=ada,zoe,kim', 422, /nobody is known as any of "zoe", "kim"/],
    ['time_statistic=p90', 422, /no statistic of times/],
    ['start_date=1800-01-01', 400, /start_date: "1800-01-01" is not accepted; expected a calendar date from 1970/],
    ['end_date=9999-12-31', 400, /end_date: "9999-12-31" is not accepted/],
    ['time_statistic=p95&segment_by=pr_cycle', 400, /mean, median, p75, p90/],
    ['ai_provider=skynet', 400, /vendorA_assistant/],
  ];
  for (const [query, status, message] of cases) {
    const answer = await report(query);
    expect(answer.status, query).toBe(status);
    expect(String(answer.body.response_detail), query).toMatch(message);
  }
  expect((await app.request({ route: 'GET /reports', query: 'resource_path=acme/nope' })).status).toBe(404);
  expect(
    (await app.request({ route: 'GET /reports', query: 'resource_path=acme', token: app.tokens.foreignAdmin })).status,
  ).toBe(404);
  expect((await app.request({ route: 'GET /reports', query: 'resource_path=acme', token: null })).status).toBe(401);
});

test('a member sees their own work, their teams’ or everybody’s, as the entity decides', async () => {
  const seen = async (access: string, token: string) => {
    await app.operations.settings.set('operator', 'acme', 'stats_access', access);
    const { body } = await report('aggregate_by=committer', token);
    return [body.context, Object.keys(points(body)).toSorted()];
  };
  expect(await seen('open', app.tokens.member)).toMatchObject([
    { contributors: { covered: 3, total: 3 } },
    ['ADA', 'BOB', 'CYD'],
  ]);
  expect(await seen('team', app.tokens.member)).toMatchObject([
    { contributors: { covered: 2, total: 3 } },
    ['ADA', 'BOB'],
  ]);
  expect(await seen('private', app.tokens.member)).toMatchObject([{ contributors: { covered: 1, total: 3 } }, ['ADA']]);
  expect(await seen('private', app.tokens.admin)).toMatchObject([
    { contributors: { covered: 3, total: 3 } },
    ['ADA', 'BOB', 'CYD'],
  ]);
  await app.operations.settings.set('operator', 'acme', 'stats_access', undefined);
});

test('contributors of a scope of repos are those with commits in them', async () => {
  const of = async (path: string, token = app.tokens.admin, more = '') => {
    const query = `resource_path=${path}&segment_by=commit_count${more}`;
    const { body } = await app.request({ route: 'GET /reports', query, token });
    return (body.context as { contributors: object }).contributors;
  };
  expect(await of('acme')).toEqual({ covered: 3, total: 3 });
  expect(await of('acme/org')).toEqual({ covered: 2, total: 2 });
  expect(await of('acme/org/one')).toEqual({ covered: 1, total: 1 });
  // By an identity that belongs to somebody else too.
  expect(await of('acme/org/two')).toEqual({ covered: 1, total: 1 });
  expect(await of('acme/org/one,acme/side')).toEqual({ covered: 2, total: 2 });
  await app.operations.settings.set('operator', 'acme', 'stats_access', 'private');
  expect(await of('acme/org', app.tokens.member)).toEqual({ covered: 1, total: 2 });
  // Whether somebody who may not be seen has commits there is not said.
  for (const path of ['acme/org', 'acme/side'])
    expect(await of(path, app.tokens.member, '&committer_identifier=cyd')).toEqual({ covered: 0, total: 1 });
  for (const path of ['acme/org', 'acme/side'])
    expect(await of(path, app.tokens.member, '&committer_user_name=ada,cyd')).toEqual({ covered: 1, total: 2 });
  for (const path of ['acme/org', 'acme/side'])
    expect(await of(path, app.tokens.member, '&team_slug=red')).toEqual({ covered: 1, total: 2 });
  await app.operations.settings.set('operator', 'acme', 'stats_access', undefined);
});

test('a team of which the caller sees only some says so at its series, and one seen whole does not', async () => {
  const sightOf = async (access: string, token: string) => {
    await app.operations.settings.set('operator', 'acme', 'stats_access', access);
    const { body } = await report('aggregate_by=team', token);
    return (body.series as { name: string; contributors?: object }[]).map(({ name, contributors }) => [
      name,
      contributors,
    ]);
  };
  expect(await sightOf('private', app.tokens.member)).toEqual([['Red', { covered: 1, total: 2 }]]);
  expect(await sightOf('team', app.tokens.member)).toEqual([['Red', undefined]]);
  expect(await sightOf('private', app.tokens.admin)).toEqual([['Red', undefined]]);
  await app.operations.settings.set('operator', 'acme', 'stats_access', undefined);
});

test('small groups are folded, and a report of too few people is withheld', async () => {
  await app.operations.settings.set('operator', 'acme', 'small_group_floor', 2);
  const folded = await report('aggregate_by=team');
  expect(Object.keys(points(folded.body))).toEqual(['Red']);
  const people = await report('aggregate_by=committer');
  expect(Object.keys(points(people.body))).toEqual(['Other']);
  const alone = await report('committer_identifier=ada');
  expect(alone.body).toMatchObject({ series_segments: {}, warnings: [expect.stringContaining('withheld')] });
  await app.operations.settings.set('operator', 'acme', 'small_group_floor', undefined);
});

test('a remembered answer is given again until the data changes', async () => {
  const sum = async () =>
    points((await report('aggregate_by=none&start_date=2026-02-01&end_date=2026-02-18')).body)['Diff Delta']!.reduce(
      (total, { y }) => total + (y ?? 0),
      0,
    );
  expect(await sum()).toBe(75);
  await app.store.pool.query(
    `update daily_commits set delta_added = delta_added + 1000 where entity_id = $1 and committer_id = 3`,
    [entityId],
  );
  expect(await sum()).toBe(75);
  await bump();
  expect(await sum()).toBe(76);
});

test('a remembered summary is given again until the data changes', async () => {
  const card = async () => {
    const { body } = await report('generate_summary_stats=true&start_date=2026-02-01&end_date=2026-02-17');
    return (body.calculated_summary_stats as { key: string; value: number }[]).find(
      ({ key }) => key === 'commit_count',
    )!;
  };
  const before = (await card()).value;
  await app.store.pool.query(
    `update daily_commits set commit_count = commit_count + 1 where entity_id = $1 and committer_id = 3`,
    [entityId],
  );
  expect((await card()).value).toBe(before);
  await bump();
  expect((await card()).value).toBe(before + 1);
});

test('a team that was refused is found as soon as it is there', async () => {
  const ask = () => report('team_slug=blue&aggregate_by=none&start_date=2026-02-01&end_date=2026-02-17');
  expect((await ask()).status).toBe(404);
  await insertRows(app.store, 'teams', [{ entity_id: entityId, id: 12, slug: 'blue', name: 'Blue' }]);
  expect((await ask()).status).toBe(200);
});

test('an answer of newer data is not kept for older ones', async () => {
  const commits = async (to: string) => {
    const query = `segment_by=commit_count&aggregate_by=none&start_date=2026-02-10&end_date=2026-02-${to}`;
    return points((await report(query)).body).Commits!.reduce((total, { y }) => total + (y ?? 0), 0);
  };
  const change = (table: string, column: string, by: number) =>
    app.store.pool.query(`update ${table} set ${column} = ${column} + $2 where entity_id = $1`, [entityId, by]);
  await commits('15');
  await bump();
  const before = await commits('16');
  await change('data_versions', 'version', -1);
  await change('daily_commits', 'commit_count', 1);
  expect(await commits('16')).toBeGreaterThan(before);
  await change('data_versions', 'version', 1);
});

test('the address of a point of medians explains the median', async () => {
  const pull = (id: number, hours: number) => ({
    entity_id: entityId,
    id,
    repo_id: 1,
    number: id,
    title: '',
    branch_name: 'b',
    base_branch: 'main',
    author_id: 1,
    created_at: '2026-02-10T09:00:00Z',
    opened_at: '2026-02-10T09:00:00Z',
    first_commit_authored_at: '2026-02-10T09:00:00Z',
    merged_at: `2026-02-10T${9 + hours}:00:00Z`,
    closed_at: `2026-02-10T${9 + hours}:00:00Z`,
    last_activity_at: '2026-02-10T09:00:00Z',
  });
  await insertRows(app.store, 'pull_requests', [pull(1, 1), pull(2, 2), pull(3, 6)]);
  await bump();
  const { body } = await report('segment_by=pr_cycle&aggregate_by=none&time_statistic=median&days_ago=30');
  const [point] = Object.values(points(body))[0]!;
  expect(point?.y).toBe(0.25);
  const address = new URL(`http://x${point!.url}`);
  expect(address.searchParams.get('time_statistic')).toBe('median');
  const answer = await app.request({ route: 'GET /audits', query: address.search.slice(1) });
  expect(answer.body).toMatchObject({ total_count: 3, explanation: { combination: 'median' } });
  await app.store.pool.query('delete from pull_requests where entity_id = $1', [entityId]);
  await bump();
});

test('a statistic whose data is missing has no figures, no invented series, and says why', async () => {
  const range = 'start_date=2026-02-09&end_date=2026-02-11';
  const cases: [string, RegExp][] = [
    ['segment_by=ticket_type', /no issues are known/],
    ['segment_by=pull_request_phase&fill_all_dates=true', /no pull requests are known/],
    ['segment_by=inside_bounds_sprint_name', /no sprints are known/],
    ['segment_by=delta_cohorts_per_committer', /no AI usage is reported/],
    ['segment_by=commit_count&aggregate_by=ai_cohort', /no AI usage is reported/],
    ['segment_by=ai_inactive_committer_count', /no AI usage is reported/],
    ['segment_by=release_phase', /no releases are known/],
    ['segment_by=prs_opened', /no pull requests are known/],
    ['segment_by=bug_escape_rate', /no issues are known/],
  ];
  // Found wrong, but of how many bugs nobody knows.
  await insertRows(app.store, 'critical_defects', [
    { entity_id: entityId, defect_key: 'D-1', source_em: 'api', repo_id: 1, detected_at: '2026-02-10T00:00:00Z' },
  ]);
  await bump();
  for (const [query, reason] of cases) {
    const { body } = await report(`${query}&${range}`);
    expect(body.unavailable_reason, query).toMatch(reason);
    expect(body.warnings, query).toEqual([expect.stringMatching(reason)]);
    const series = Object.entries(points(body));
    expect(series.length, query).toBe(1);
    const [name, [first, ...more]] = series[0]! as [string, ReturnType<typeof points>[string]];
    expect(name, query).not.toMatch(/^No |Non-user/);
    expect(
      [first, ...more].map((point) => point?.y),
      query,
    ).toEqual([null, null, null]);
    const explained = await app.request({ route: 'GET /audits', query: first!.url.split('?')[1]! });
    expect(explained.body, query).toMatchObject({
      total_count: 0,
      explanation: { unavailable_reason: expect.stringMatching(reason) },
    });
  }
  const available = await report(`segment_by=commit_count&${range}`);
  expect(available.body.unavailable_reason).toBeUndefined();
  await app.store.pool.query('delete from critical_defects where entity_id = $1', [entityId]);
  await bump();
});

test('cards of figures whose data is missing have no value, and say why', async () => {
  const { body } = await report(
    'segment_by=commit_count&generate_summary_stats=true&start_date=2026-02-02&end_date=2026-02-15',
  );
  const cards = body.calculated_summary_stats as Record<string, unknown>[];
  const byKey = Object.fromEntries(cards.map((card) => [card.key, card]));
  expect(byKey.commit_count).toMatchObject({ value: expect.any(Number), previous_value: 0 });
  for (const key of ['issues_resolved', 'prs_closed']) {
    expect(byKey[key], key).toMatchObject({
      value: null,
      previous_value: null,
      value_per_weekday: null,
      percent_change: null,
      unavailable_reason: expect.stringContaining('are known'),
    });
  }
});

test('a share of AI is not compared with days of which nothing says who wrote the code', async () => {
  const before = async () => {
    const { body } = await report(
      'segment_by=ai_code_line_percent&aggregate_by=none&generate_summary_stats=true&start_date=2025-10-20&end_date=2025-11-10',
    );
    const [card] = body.calculated_summary_stats as Record<string, unknown>[];
    return [card!.value, card!.previous_value];
  };
  const insert = async (known: number) => {
    const { facts } = workRows([{ ...day(1, '2025-10-10', 1, 7), known_lines_changed: known }]);
    await insertRows(app.store, 'daily_facts', facts);
    await bump();
  };
  await insert(0);
  expect(await before()).toEqual([0, null]);
  await app.store.pool.query(`delete from daily_facts where authored_on = '2025-10-10'`);
  await insert(5);
  expect(await before()).toEqual([0, 0]);
  await app.store.pool.query(`delete from daily_facts where authored_on = '2025-10-10'`);
  await bump();
});

test('days that have not come are unknown, and thin out no average', async () => {
  const { body } = await report(
    'segment_by=commit_count&aggregate_by=none&fill_all_dates=true&generate_summary_stats=true&start_date=2026-02-16&end_date=2026-02-20',
  );
  const [series] = Object.values(points(body));
  expect(series!.map(({ y }) => y)).toEqual([expect.any(Number), 0, 0, null, null]);
  const [card] = body.calculated_summary_stats as { value: number; weekday_count: number; value_per_weekday: number }[];
  // Monday is a holiday.
  expect(card!.weekday_count).toBe(2);
  expect(card!.value_per_weekday).toBeCloseTo(card!.value / 2, 1);
  const later = await report(
    'segment_by=commit_count&aggregate_by=none&fill_all_dates=true&start_date=2027-01-01&end_date=2027-01-05',
  );
  expect(
    Object.values(points(later.body))
      .flat()
      .every(({ y }) => y === null),
  ).toBe(true);
});

test('what is not imported to its end or not worked out yet is named, where it matters', async () => {
  const warningsOf = async (query: string, path = 'acme'): Promise<unknown> =>
    (await app.request({ route: 'GET /reports', query: `resource_path=${path}&${query}` })).body.warnings ?? [];
  const delta = 'aggregate_by=none&start_date=2026-02-04&end_date=2026-02-15';
  const minutes = `segment_by=minutes_used&${delta}`;
  expect([await warningsOf(delta), await warningsOf(minutes)]).toEqual([[], []]);
  await insertRows(app.store, 'imports', [
    { entity_id: entityId, id: 901, repo_id: 1, organization_slug: 'org', repo_slug: 'one', percent_complete: 69 },
    {
      entity_id: entityId,
      id: 902,
      repo_id: 2,
      organization_slug: 'org',
      repo_slug: 'two',
      status: 'processing_completed',
      finished_at: NOW,
    },
  ]);
  const unfinished = [expect.stringContaining('not imported to the end: org/one to 69 %;')];
  expect(await warningsOf(delta)).toEqual(unfinished);
  expect(await warningsOf(delta, 'acme/org/two')).toEqual([]);
  // The last of a hundred may take as long as all others.
  await app.store.pool.query(`update imports set status = 'processing_completed' where id = 901`);
  expect(await warningsOf(delta)).toEqual(unfinished);
  await app.store.pool.query('delete from imports where id in (901, 902)');
  await enqueue(app.store.db, 'derive_traits', { entity_id: entityId }, { jobKey: 'traits' });
  expect(await warningsOf(delta)).toEqual([]);
  const traits = [expect.stringContaining('coding time, phase and purpose')];
  expect(await warningsOf(minutes)).toEqual(traits);
  // It failed, and is tried again later.
  await app.store.pool.query(
    `update strata_queue._private_jobs set attempts = 1, run_at = now() + interval '10 minutes'`,
  );
  expect(await warningsOf(minutes)).toEqual(traits);
  // That of another entity does not matter.
  await enqueue(app.store.db, 'derive_traits', { entity_id: entityId + 1 }, { jobKey: 'traits' });
  expect(await warningsOf(minutes)).toEqual([]);
});

test('repos with figures of an earlier version of the program are named until they are derived anew', async () => {
  const warningsOf = async (path: string): Promise<unknown> => {
    const query = `resource_path=${path}&aggregate_by=none&start_date=2026-02-04&end_date=2026-02-15`;
    return (await app.request({ route: 'GET /reports', query })).body.warnings ?? [];
  };
  const derive = (repoId: number, derivation: object | null) =>
    app.store.pool.query('update repos set derived_under = $3 where entity_id = $1 and id = $2', [
      entityId,
      repoId,
      derivation,
    ]);
  await derive(1, { ...CURRENT_DERIVATION, formula_version: CURRENT_DERIVATION.formula_version - 1 });
  await derive(2, CURRENT_DERIVATION);
  const named = [expect.stringContaining('not yet derived anew after an upgrade: org/one;')];
  expect(await warningsOf('acme')).toEqual(named);
  expect(await warningsOf('acme/org/one')).toEqual(named);
  expect(await warningsOf('acme/org/two')).toEqual([]);
  await derive(1, CURRENT_DERIVATION);
  expect(await warningsOf('acme')).toEqual([]);
  for (const id of [1, 2]) await derive(id, null);
});

test('times before the import window are not compared, and filled with null', async () => {
  await app.store.pool.query(
    `update repos set default_branch = 'main', processed_from = '2026-02-05T10:00:00Z' where entity_id = $1`,
    [entityId],
  );
  await bump();
  const { body } = await report(
    'generate_summary_stats=true&fill_all_dates=true&aggregate_by=none&start_date=2026-02-04&end_date=2026-02-15',
  );
  expect(
    points(body)
      ['Diff Delta']!.slice(0, 4)
      .map(({ y }) => y),
  ).toEqual([null, null, 0, 0]);
  expect(body.warnings).toEqual([expect.stringContaining('commits before 2026-02-06 are not all imported')]);
  const [card] = body.calculated_summary_stats as Record<string, unknown>[];
  expect(card).toMatchObject({
    previous_value: null,
    previous_value_per_weekday: null,
    percent_change: null,
    detail: expect.stringContaining('because commits before 2026-02-06 are not all imported'),
  });
  // One repo is whole: points may be 0, but the period before still lacks the others.
  await app.store.pool.query('update repos set processed_from = null where entity_id = $1 and id = 1', [entityId]);
  await bump();
  const mixed = await report(
    'generate_summary_stats=true&fill_all_dates=true&aggregate_by=none&start_date=2026-02-04&end_date=2026-02-15',
  );
  expect(
    points(mixed.body)
      ['Diff Delta']!.slice(0, 3)
      .map(({ y }) => y),
  ).toEqual([0, 0, 0]);
  expect((mixed.body.calculated_summary_stats as { percent_change: unknown }[])[0]!.percent_change).toBeNull();
  await app.store.pool.query('update repos set default_branch = null, processed_from = null where entity_id = $1', [
    entityId,
  ]);
  await bump();
});

test('days before everything that is imported are unknown, whatever the scope, and not 0', async () => {
  const cut = (from: string | null, ids: readonly number[]) =>
    app.store.pool.query(
      `update repos set default_branch = 'main', processed_from = $2 where entity_id = $1 and id = any($3)`,
      [entityId, from, ids],
    );
  const ask = async (path: string, query: string) => {
    const { body } = await app.request({
      route: 'GET /reports',
      query: `resource_path=${path}&fill_all_dates=true&generate_summary_stats=true&${query}`,
    });
    const cards = body.calculated_summary_stats as Record<string, unknown>[];
    return { body, cards, y: Object.values(points(body)).flatMap((series) => series.map((point) => point.y)) };
  };
  const december = 'start_date=2025-12-01&end_date=2025-12-03';
  await cut('2026-02-05T00:00:00Z', [1, 2, 3]);
  await bump();
  // All are cut; then one begins later than that by itself, so that its days before are no work of the others.
  const why = 'no commits before 2026-02-05 are imported; import the repos with an earlier since';
  for (const whole of [[], [2], [2, 3]]) {
    await cut(null, whole);
    await bump();
    const paths = ['acme', 'acme/org', 'acme/org/one,acme/org/two', 'acme/org/one'];
    for (const path of paths) {
      for (const by of ['none', 'repo']) {
        const { body, cards, y } = await ask(path, `segment_by=commit_count&aggregate_by=${by}&${december}`);
        expect([path, whole, y]).toEqual([path, whole, [null, null, null]]);
        expect(body.series).toMatchObject([{ name: 'Commits', total: null }]);
        expect(body).toMatchObject({
          unavailable_reason: why,
          warnings: [`this statistic has no figures: ${why}`],
        });
        expect(cards[0]).toMatchObject({
          key: 'commit_count',
          value: null,
          value_per_weekday: null,
          unavailable_reason: why,
          detail: `No value: ${why}.`,
        });
      }
    }
    const people = await ask('acme', `segment_by=active_committer_in_week_count&aggregate_by=none&${december}`);
    expect([people.y, people.cards[0]?.value]).toEqual([[null, null, null], null]);
  }
  // What is stored of those days stays: its author's clock says December, the repo took it later.
  const stray = await ask('acme/org/one', 'segment_by=commit_count&start_date=2025-10-31&end_date=2025-11-01');
  expect(stray.y).toEqual([null, expect.any(Number)]);
  expect(stray.body.unavailable_reason).toBeUndefined();
  expect(stray.body.warnings).toEqual([expect.stringContaining('are not all imported')]);
  // A repo that reaches back makes the figure one of some repos.
  await cut(null, [1]);
  await cut('2026-02-05T00:00:00Z', [2, 3]);
  await bump();
  const some = await ask('acme', `segment_by=commit_count&aggregate_by=none&${december}`);
  expect([some.y, some.cards[0]?.value]).toEqual([[0, 0, 0], 0]);
  expect(some.body.warnings).toEqual([expect.stringContaining('commits before 2026-02-05 are not all imported')]);
  const older = await ask(
    'acme',
    'segment_by=commit_count&aggregate_by=none&start_date=2025-10-01&end_date=2025-10-02',
  );
  expect([older.y, older.cards[0]?.value]).toEqual([[null, null], null]);
  expect(older.body.unavailable_reason).toContain('no commits before 2025-11-01 are imported');
  await app.store.pool.query('update repos set default_branch = null, processed_from = null where entity_id = $1', [
    entityId,
  ]);
  await bump();
});

test('releases that tags make are known as far as commits are imported, those of calls from their first', async () => {
  const { pool } = app.store;
  const release = (repo_id: number, released_at: string, triggered_by: string) => ({
    entity_id: entityId,
    repo_id,
    released_at,
    triggered_by,
  });
  const ask = async (path: string, query: string) => {
    const { body } = await app.request({
      route: 'GET /reports',
      query: `resource_path=${path}&segment_by=release_count&aggregate_by=none&fill_all_dates=true&generate_summary_stats=true&${query}`,
    });
    const [card] = body.calculated_summary_stats as Record<string, unknown>[];
    return { body, card, y: Object.values(points(body)).flatMap((series) => series.map((point) => point.y)) };
  };
  await pool.query(
    `update repos set default_branch = 'main', processed_from = '2026-02-05T00:00:00Z' where entity_id = $1`,
    [entityId],
  );
  await insertRows(app.store, 'releases', [
    release(1, '2026-02-09T10:00:00Z', 'git_tag'),
    release(2, '2026-02-09T10:00:00Z', 'api'),
  ]);
  await bump();
  const tagged = await ask('acme/org/one', 'start_date=2026-02-04&end_date=2026-02-10');
  expect(tagged.y).toEqual([null, 0, 0, 0, 0, 1, 0]);
  expect(tagged.body).toMatchObject({
    context: { commits_complete_from: '2026-02-05' },
    warnings: ['commits before 2026-02-05 are not all imported: earlier points lack the releases of their tags'],
  });
  expect(tagged.card).toMatchObject({ value: 1, previous_value: null, percent_change: null });
  const before = await ask('acme/org/one', 'start_date=2025-12-01&end_date=2025-12-01');
  expect([before.y, before.card?.value]).toEqual([[null], null]);
  expect(before.body.unavailable_reason).toContain('no commits before 2026-02-05 are imported');
  // Bugs are judged by releases and their commits, without needing them.
  const judged = await report('segment_by=bug_escape_rate');
  expect(judged.body).toMatchObject({ context: { commits_complete_from: '2026-02-05' } });
  // What calls record has nothing to do with imports.
  const called = await ask('acme/org/two', 'start_date=2026-02-04&end_date=2026-02-10');
  expect([called.y, called.card?.previous_value]).toEqual([[0, 0, 0, 0, 0, 1, 0], 0]);
  expect(called.body.warnings).toBeUndefined();
  // Of both, days with a release of a call are of some repos; nothing is compared with them.
  await insertRows(app.store, 'releases', [release(2, '2026-01-20T10:00:00Z', 'api')]);
  await bump();
  const both = await ask('acme', 'start_date=2026-02-03&end_date=2026-02-10');
  expect(both.y).toEqual([0, 0, 0, 0, 0, 0, 2, 0]);
  expect(both.card).toMatchObject({ value: 2, previous_value: null });
  await pool.query('delete from releases where entity_id = $1', [entityId]);
  await pool.query('update repos set default_branch = null, processed_from = null where entity_id = $1', [entityId]);
  await bump();
});

test('a caller who may see nobody of a report has no figures, and one who sees somebody has theirs', async () => {
  await app.operations.settings.set('operator', 'acme', 'stats_access', 'private');
  const ask = async (query: string, token: string) => {
    const { body } = await report(
      `fill_all_dates=true&generate_summary_stats=true&start_date=2026-02-10&end_date=2026-02-11&${query}`,
      token,
    );
    const [card] = body.calculated_summary_stats as { value: unknown; detail: string }[];
    return { body, card: card!, y: Object.values(points(body)).flatMap((series) => series.map((point) => point.y)) };
  };
  const { manager, member, admin } = app.tokens;
  for (const query of ['segment_by=commit_count&aggregate_by=none', 'aggregate_by=repo', 'segment_by=code_category']) {
    const { body, card, y } = await ask(query, manager);
    expect([query, y]).toEqual([query, [null, null]]);
    expect(body).toMatchObject({
      context: { contributors: { covered: 0, total: 3 } },
      series: [{ total: null }],
      unavailable_reason: expect.stringContaining('you may not see the statistics of any of the 3 developers in it'),
      warnings: [expect.stringContaining('stats_access')],
    });
    expect(card).toMatchObject({ value: null, detail: expect.stringContaining('stats_access') });
  }
  const other = await ask('segment_by=commit_count&aggregate_by=none&committer_identifier=bob', member);
  expect([other.y, other.card.value]).toEqual([[null, null], null]);
  expect(other.body.unavailable_reason).toContain('the only developer in it');
  const own = await ask('segment_by=commit_count&aggregate_by=none', member);
  expect([own.y, own.card.value, own.body.unavailable_reason]).toEqual([[0, 0], 0, undefined]);
  const all = await ask('segment_by=commit_count&aggregate_by=none', admin);
  expect([all.y.every((y) => y! > 0), all.body.unavailable_reason]).toEqual([true, undefined]);
  // Who is asked changes nothing about a release.
  await insertRows(app.store, 'releases', [
    { entity_id: entityId, id: 71, repo_id: 1, released_at: '2026-02-10T12:00:00Z', triggered_by: 'api' },
  ]);
  await bump();
  const releases = await ask('segment_by=release_count&aggregate_by=none', manager);
  expect(releases.y).toEqual([1, 0]);
  for (const token of [manager, member]) {
    const ofAll = await ask('segment_by=release_count&aggregate_by=none', token);
    expect([ofAll.y, ofAll.body.context]).toMatchObject([[1, 0], { contributors: { covered: 3, total: 3 } }]);
  }
  // What is held against people is of those whom the caller sees.
  const perPerson = await ask('segment_by=diff_delta_per_committer&aggregate_by=none', member);
  expect(perPerson.body.context).toMatchObject({ contributors: { covered: 1, total: 3 } });
  // Beside it stand cards of people, so few are still withheld, and the count is of those few.
  await app.operations.settings.set('operator', 'acme', 'small_group_floor', 2);
  const { body: floored } = await report('segment_by=release_count&aggregate_by=none', member);
  expect(floored.context).toMatchObject({
    contributors: { covered: 1, total: 3 },
    withheld: { floor: 2, contributors: 1 },
  });
  await app.operations.settings.set('operator', 'acme', 'small_group_floor', undefined);
  await app.store.pool.query('delete from releases where entity_id = $1', [entityId]);
  await app.operations.settings.set('operator', 'acme', 'stats_access', undefined);
  await bump();
});

test('a manager sees nobody more by making a team of everybody, joining one or lengthening a membership', async () => {
  const settings = (access: string | undefined) =>
    app.operations.settings.set('operator', 'acme', 'stats_access', access);
  const seen = async () =>
    Object.keys(points((await report('aggregate_by=committer', app.tokens.manager)).body)).toSorted();
  const manager = 'manager@example.com';
  const change = (method: 'POST' | 'PUT', token: string, json: object) =>
    app.request({ route: `${method} /teams`, token, json: { resource_path: 'acme', ...json } });
  const everybody = { name: 'Everybody', developer_members: ['ada', 'bob', 'cyd'], manager_members: [manager] };
  for (const access of ['team', 'private']) {
    await settings(access);
    const before = await seen();
    const made = await change('POST', app.tokens.manager, everybody);
    expect([made.status, String(made.body.warnings)]).toEqual([200, expect.stringContaining('until an admin')]);
    expect(await seen(), access).toEqual(before);
    // A team of others that an admin made.
    await change('POST', app.tokens.admin, { name: 'Others', developer_members: ['bob', 'cyd'] });
    await change('PUT', app.tokens.manager, {
      name: 'Others',
      manager_members: [manager],
      developer_members: [manager],
    });
    expect(await seen(), access).toEqual(before);
    // An admin agrees by making the same call.
    const agreed = await change('PUT', app.tokens.admin, everybody);
    expect([agreed.status, agreed.body.warnings]).toEqual([200, undefined]);
    expect(await seen(), access).toEqual(['ADA', 'BOB', 'CYD']);
    for (const name of ['Everybody', 'Others']) {
      await app.request({ route: 'DELETE /teams', query: `resource_path=acme&name=${name}` });
    }
  }
  await settings(undefined);
});

test('dates are filled also where an aggregated range has no data', async () => {
  const empty = 'fill_all_dates=true&start_date=2026-01-12&end_date=2026-01-13';
  for (const by of ['repo', 'committer', 'team']) {
    const { body } = await report(`${empty}&aggregate_by=${by}`);
    expect(
      points(body)['Diff Delta']!.map(({ y }) => y),
      by,
    ).toEqual([0, 0]);
  }
  const split = await report(`${empty}&segment_by=code_category&aggregate_by=repo`);
  expect(points(split.body)['Diff Delta by kind of code']!.map(({ y }) => y)).toEqual([0, 0]);
});

test('a member may follow the address of a point, as far as the figures reach', async () => {
  const usage = (committer_id: number) => ({
    entity_id: entityId,
    committer_id,
    used_on: '2026-02-10',
    llm_model_name: 'm',
    ai_provider_em: 'custom',
    lines_added: 5,
  });
  await insertRows(app.store, 'ai_usages', [usage(1), usage(3)]);
  await bump();
  const follow = async (access: string, more = '') => {
    await app.operations.settings.set('operator', 'acme', 'stats_access', access);
    const query = `segment_by=ai_lines_added_count&aggregate_by=none&start_date=2026-02-09&end_date=2026-02-11`;
    const { body } = await report(query, app.tokens.member);
    const [point] = Object.values(points(body))[0]!;
    const address = `${point!.url.split('?')[1]}${more}`;
    const answer = await app.request({ route: 'GET /audits', query: address, token: app.tokens.member });
    return { y: point!.y, status: answer.status, count: answer.body.total_count, divisor: answer.body.explanation };
  };
  expect(await follow('open')).toMatchObject({ y: 10, status: 200, count: 2, divisor: { divisor: null } });
  expect(await follow('private')).toMatchObject({ y: 5, status: 200, count: 1 });
  expect(await follow('open', '&include_excluded=true')).toMatchObject({ status: 403 });
  const list = 'resource_path=acme&resource_type=ai_usages';
  expect((await app.request({ route: 'GET /audits', query: list, token: app.tokens.member })).status).toBe(403);
  await app.operations.settings.set('operator', 'acme', 'stats_access', undefined);
  await app.store.pool.query('delete from ai_usages where entity_id = $1', [entityId]);
  await bump();
});

test('an explanation names what its count is divided by', async () => {
  const range = 'aggregate_by=none&start_date=2026-02-09&end_date=2026-02-11';
  const divisor = async (segment: string) => {
    const { body } = await report(`segment_by=${segment}&${range}&fill_all_dates=true`);
    const address = Object.values(points(body))[0]![1]!.url.split('?')[1]!;
    const answer = await app.request({ route: 'GET /audits', query: address });
    return (answer.body.explanation as { divisor: unknown }).divisor;
  };
  expect(await divisor('churn_line_percent')).toEqual({ name: 'changed lines of processed files', total: 20 });
  expect(await divisor('diff_delta_per_committer')).toEqual({
    name: 'developers with a counted commit in the interval',
    total: 2,
  });
  expect(await divisor('active_committer_per_date_count')).toMatchObject({ total: 1 });
  expect(await divisor('commit_count')).toBeNull();
});

test('introspection tells what a statistic needs and what is missing', async () => {
  const all = await app.request({ route: 'GET /segment_introspections' });
  const segments = all.body.segments as { segment_em: string; is_available: boolean }[];
  expect(segments.map(({ segment_em }) => segment_em)).toEqual([...SEGMENT_IDS]);
  const one = await app.request({ route: 'GET /segment_introspections', query: 'segment_em=pr_cycle' });
  expect(one.body).toMatchObject({
    action_em: 'action_get_resource',
    response_em: 'response_success',
    segments: [
      {
        segment_em: 'pr_cycle',
        unit: 'days',
        aggregation_options: ['none', 'team', 'repo', 'repo_path', 'committer', 'ai_cohort'],
        default_aggregation: 'repo',
        interval_combination: 'mean',
        divided_by: 'items counted',
        higher_is_better: false,
        projectable: false,
        companion_segment_em: 'pr_merged_without_human_review_count',
        data_requirements: ['pull_requests'],
        is_available: false,
        unavailable_reason: expect.stringContaining('connect a code host'),
      },
    ],
  });
});

test('the series are listed in order, with totals that are no sums of ratios', async () => {
  const query = 'resource_path=acme&segment_by=churn_line_percent&days_ago=60&aggregate_by=repo';
  const { body } = await app.request({ route: 'GET /reports', query });
  const series = body.series as { name: string; total: number | null }[];
  expect(series.map(({ name }) => name).toSorted()).toEqual(Object.keys(body.series_segments as object).toSorted());
  const sum = await app.request({ route: 'GET /reports', query: 'resource_path=acme&days_ago=60&aggregate_by=repo' });
  const points = sum.body.series_segments as Record<string, { y: number; page_url: string }[]>;
  for (const { name, total } of sum.body.series as { name: string; total: number }[]) {
    expect(total).toBeCloseTo(points[name]!.reduce((all, { y }) => all + y, 0));
    expect(points[name]![0]!.page_url).toMatch(
      new RegExp(`^/e/acme/s/none\\?range=2025-12-21\\.\\.2026-02-18&by=repo&at=${name}@2026-\\d\\d-\\d\\d$`),
    );
  }
});

test('an interval is chosen, reaches the records behind a point, and is refused beyond 400 points', async () => {
  const base = 'resource_path=acme&aggregate_by=none';
  const daily = await app.request({ route: 'GET /reports', query: `${base}&days_ago=60&interval=day` });
  expect(daily.body.interval_em).toBe('daily');
  const [point] = Object.values(daily.body.series_segments as Record<string, { url: string }[]>)[0]!;
  const audit = new URL(point!.url, 'http://localhost');
  const explained = await app.request({ route: `GET ${audit.pathname.slice(7)}`, query: audit.search.slice(1) });
  expect(explained.status, explained.text).toBe(200);
  const refused = await app.request({ route: 'GET /reports', query: `${base}&days_ago=401&interval=day` });
  expect([refused.status, Object.keys(refused.body.errors as object)]).toEqual([400, ['interval']]);
});

test('a report is known again by its tag until the data change, and comes as CSV', async () => {
  const query = 'resource_path=acme&days_ago=30';
  const first = await app.request({ route: 'GET /reports', query });
  const headers = { 'if-none-match': String(first.headers.etag) };
  expect(first.headers['cache-control']).toBe('private, no-cache');
  expect(String(first.headers.vary).split(/, */)).toContain('accept-encoding');
  expect((await app.request({ route: 'GET /reports', query, headers })).status).toBe(304);
  await bump();
  expect((await app.request({ route: 'GET /reports', query, headers })).status).toBe(200);
  const csv = await app.request({ route: 'GET /reports', query: `${query}&format=csv` });
  expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8');
  const rows = csv.text.trim().split('\r\n');
  const points = Object.values(first.body.series_segments as Record<string, unknown[]>).flat();
  expect([rows[0], rows.length]).toEqual(['series,start_date,end_date,x,y,unit', points.length + 1]);
});

test('what is missing is named with what to do, and wire values have words', async () => {
  const { body } = await app.request({ route: 'GET /segment_introspections' });
  const segments = body.segments as { is_available: boolean; missing: { remedy: string }[]; page: string }[];
  for (const { is_available, missing } of segments) expect(missing.length === 0).toBe(is_available);
  const names = body.display_names as Record<string, Record<string, string>>;
  expect(names.ai_provider?.vendorA_assistant).toBe('GitHub Copilot');
  const report = await app.request({ route: 'GET /reports', query: 'resource_path=acme&segment_by=pr_cycle' });
  expect(report.body.missing).toMatchObject([{ data_kind: 'pull_requests', title: 'Pull requests' }]);
});

test('several statistics come in one call, each as it would alone, and one refusal refuses all', async () => {
  const common = 'resource_path=acme&aggregate_by=none&start_date=2026-02-01&end_date=2026-02-18&fill_all_dates=true';
  const names = ['commit_count', 'none', 'churn_line_percent', 'line_operation_counts'];
  const batch = (query: string) => app.request({ route: 'GET /reports/batch', query });
  const { body, headers } = await batch(`${common}&segment_by=${names.join(',')}`);
  const alone = await Promise.all(
    names.map(
      async (name) => (await app.request({ route: 'GET /reports', query: `${common}&segment_by=${name}` })).body,
    ),
  );
  expect(body.reports).toEqual(alone);
  expect(headers.etag).toMatch(/^W\/"/);
  const repeated = await batch(`${common}&segment_by=none,none,commit_count`);
  expect(repeated.body.response_detail).toBe('3 reports');
  expect(repeated.body.reports).toEqual([alone[1], alone[1], alone[0]]);
  const refused = await batch(`${common}&segment_by=none,pr_cycle,churn_line_percent&time_statistic=median`);
  expect(refused.status).toBe(422);
  expect((await batch(`${common}&segment_by=none,no_such`)).status).toBe(400);
  expect((await batch(common)).status).toBe(400);
  const foreign = await batch('resource_path=other&segment_by=none');
  expect(foreign.status).toBe(404);
});
