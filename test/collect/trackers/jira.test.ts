// Jira Cloud and Jira Data Center from end to end: connected, collected, derived; rows and sprint figures are what the
// generator's own records say.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { followSources } from '../../../src/derive/teams/follow-sources.ts';
import { assignSprints } from '../../../src/derive/work/assign-sprints.ts';
import { deriveIssueHistory } from '../../../src/derive/work/derive-issue-history.ts';
import { generateTracker, SMALL_TRACKER } from '../../world/company/generate-tracker.ts';
import { current, type TrackedIssue } from '../../world/company/tracker-company.ts';
import { JIRA, JIRA_SERVER } from '../../world/tracker-doubles/trackers.ts';
import { expectNight } from './night.ts';
import { expectIssues, expectSprints } from './tracker-facts.ts';
import { createTrackerKit, type TrackerKit } from './tracker-kit.ts';

const START = new Date('2026-11-10T10:00:00Z');

describe.each([JIRA, JIRA_SERVER])('$name', (tracker) => {
  const company = generateTracker(tracker === JIRA ? 3 : 4, SMALL_TRACKER);
  let kit: TrackerKit;

  beforeAll(async () => {
    const double = await tracker.start(company);
    kit = await createTrackerKit(double, tracker.connection(double), START);
    await kit.collectAll();
  }, 120_000);
  afterAll(() => kit.close());

  test('issues have their type, points, epic, assignee and times', () => expectIssues(kit, company, tracker));

  test('sprints have the points that stood at their start and end', () => expectSprints(kit, company));

  test('a quiet look takes three calls', async () => {
    kit.clock = new Date(kit.clock.getTime() + 11 * 60_000);
    const { calls } = await kit.collect();
    expect(calls).toBeLessThanOrEqual(3);
  });

  test('what changes later arrives: a renamed sprint, new points, a moved issue', async () => {
    const before = kit.clock.toISOString();
    company.sprints[0]!.name = 'Renamed';
    const issue = company.issues.find(({ type }) => type === 'Story')!;
    const change = { id: 99_000, at: before.replace(/\.\d+Z/, '.000Z'), by: company.members[0]! };
    issue.changes.push({ ...change, field: 'points', before: current(issue, 'points'), after: 21 });
    const moved = current(issue, 'key');
    issue.changes.push({ ...change, id: 99_001, field: 'key', before: moved, after: 'MOVED-1' });
    issue.updatedAt = change.at;
    kit.clock = new Date(kit.clock.getTime() + 31 * 60_000);
    await kit.collectAll();
    const [row] = await kit.query(
      `select key, former_keys, story_points from issues where external_id = '${issue.id}'`,
    );
    expect(row).toEqual({ key: 'MOVED-1', former_keys: [moved], story_points: 2_100 });
    await expectSprints(kit, company);
  });

  test('a spent quota is waited out, and nothing is requested meanwhile', async () => {
    kit.clock = new Date(kit.clock.getTime() + 31 * 60_000);
    kit.double.instead = () => ({ status: 429, headers: { 'retry-after': '90' }, body: 'slow down' });
    const { again } = await kit.collect();
    expect(again).toEqual(new Date(kit.clock.getTime() + 90_000));
    const asked = kit.double.exchanges.length;
    await kit.collect();
    expect(kit.double.exchanges.length).toBe(asked);
    const listed = await kit.app.request({ route: 'GET /trackers', query: 'resource_path=acme' });
    expect(JSON.parse(listed.text)).toMatchObject([
      { error_em: null, wait_until: again!.toISOString().replace('.000Z', 'Z') },
    ]);
    kit.double.instead = null;
    kit.clock = again!;
    await kit.collectAll();
    await expectSprints(kit, company);
  });

  test('a board is a team of whoever was assigned issues of its sprints, and its sprints are the team’s', async () => {
    const { db } = kit.app.store;
    await deriveIssueHistory(db, kit.entityId);
    await followSources(db, kit.entityId, { now: kit.clock, timeZone: 'UTC', collectedTrackers: [kit.trackerId] });
    await assignSprints(db, kit.entityId);
    const running = company.sprints.filter(({ startsAt }) => startsAt !== null);
    const ever = (issue: TrackedIssue) =>
      [
        issue.first.sprints,
        ...issue.changes.flatMap(({ field, after }) => (field === 'sprints' ? [after] : [])),
      ].flat();
    const expected = [...new Set(running.map(({ boardId }) => boardId))].sort().map((board) => {
      const own = running.filter(({ boardId }) => boardId === board);
      const worked = company.issues.filter((issue) => own.some(({ id }) => ever(issue).includes(id)));
      const names = worked.flatMap((issue) => current(issue, 'assignee')?.name ?? []);
      return {
        name: `Payments board ${board}`,
        board: String(board),
        source: 'source_tracker_a',
        members: [...new Set(names)].sort(),
        sprints: own.map(({ name }) => name).sort(),
      };
    });
    const teams = await kit.query(
      `select t.name, t.project_board_id as board, t.external_source_em as source,
         (select json_agg(distinct c.full_name order by c.full_name) from team_members m
          join committers c on c.id = m.committer_id where m.team_id = t.id and m.until_on is null) as members,
         (select json_agg(s.name order by s.name collate "C") from sprints s where s.team_id = t.id) as sprints
       from teams t where t.source_key is not null order by t.project_board_id`,
    );
    expect(teams).toEqual(expected);
    expect(expected.length).toBe(2);
  });

  test('a night compares what is open, and stores what changed without a word', () => expectNight(kit, company));

  test('another meaning of a status changes the past', async () => {
    await kit.query("update tracker_statuses set category = 'in_progress' where name = 'Status closed'");
    await kit.query("update issues set status_category = 'in_progress' where status = 'Status closed'");
    kit.clock = new Date(kit.clock.getTime() + 60_000);
    await kit.collectAll();
    const [row] = await kit.query<{ count: number }>(
      "select count(*)::int as count from issues where status = 'Status closed' and resolved_at is not null",
    );
    expect(row!.count).toBe(0);
    expect(company.issues.filter((issue) => current(issue, 'status') === 'closed').length).toBeGreaterThan(0);
  });

  test('a sprint that was planned with dates counts when it begins', async () => {
    const last = company.sprints.at(-1)!;
    const planned = { ...last, startsAt: '2026-10-19T09:00:00.000Z', endsAt: '2026-10-30T17:00:00.000Z' };
    const look = async (state: 'future' | 'active') => {
      company.sprints.splice(-1, 1, { ...planned, state });
      kit.clock = new Date(kit.clock.getTime() + 31 * 60_000);
      await kit.collectAll();
      return kit.query(
        `select s.state, count(distinct p.issue_id)::int as issues from sprints s
         left join sprint_parts p on p.sprint_id = s.id where s.external_id = '${last.id}' group by 1`,
      );
    };
    expect(await look('future')).toEqual([]);
    const carried = company.issues.filter((issue) => current(issue, 'sprints').includes(last.id)).length;
    expect(await look('active')).toEqual([{ state: 'active', issues: carried }]);
    // As earlier versions have stored one that has not begun.
    await kit.query(`update sprints set state = 'future' where external_id = '${last.id}'`);
    expect(await look('future')).toEqual([]);
  });
});
