// A team and people asked for together: both hold. Whoever may not see somebody does not see them through their team.
import { beforeAll, describe, expect, test } from 'vitest';
import { silentLog } from '../../../src/kit/log.ts';
import { SEGMENTS } from '../../../src/metrics/catalogue/segments/index.ts';
import { wholeRange } from '../../../src/metrics/intervals.ts';
import { runReport } from '../../../src/metrics/run-report.ts';
import { createOperations, OPERATOR, type Operations } from '../../../src/operations/index.ts';
import { bumpDataVersion } from '../../../src/storage/commits/rollups.ts';
import { createFactsKit, type FactsKit } from '../../world/facts-kit.ts';

const NOW = new Date('2026-06-30T12:00:00Z');
let kit: FactsKit;
let operations: Operations;
let slug: string;

interface Asked {
  readonly team_slug?: string;
  readonly committer_user_name?: readonly string[];
  readonly aggregate_by?: string;
}

async function totals(segment_by: string, asked: Asked = {}): Promise<Record<string, number | null>> {
  const grant = await operations.access.enterEntity(OPERATOR, slug, 'manager');
  const input = { segment_by, start_date: '2026-01-01', end_date: '2026-06-30', ...asked };
  const { series } = await operations.reports.run(grant, input as Parameters<typeof operations.reports.run>[1]);
  return Object.fromEntries(series.map(({ name, total }) => [name, total]));
}

beforeAll(async () => {
  kit = await createFactsKit();
  operations = createOperations({ store: kit.store, log: silentLog, now: () => NOW } as Parameters<
    typeof createOperations
  >[0]);
  const { rows } = await kit.store.pool.query<{ slug: string }>('select slug from entities where id = $1', [
    kit.entityId,
  ]);
  slug = rows[0]!.slug;
  await kit.insert(
    'teams',
    ...['Alpha', 'Beta', 'Gamma'].map((name, i) => ({ id: i + 1, name, slug: name.toLowerCase() })),
  );
  await kit.insert(
    'team_members',
    { team_id: 1, committer_id: 1, from_on: '2025-01-01', until_on: '2026-02-01' },
    { team_id: 2, committer_id: 1, from_on: '2026-02-01' },
    { team_id: 3, committer_id: 2 },
    { team_id: 3, committer_id: 3 },
  );
  await kit.insert('team_repos', { team_id: 3, organization_slug: 'org', repo_slug: 'one' });
  const [first, second] = ['2026-06-10T12:00:00Z', '2026-06-11T12:00:00Z'];
  await kit.insert(
    'releases',
    { id: 1, repo_id: 1, released_at: first, name: 'r1' },
    { id: 2, repo_id: 1, released_at: second, name: 'r2' },
  );
  const author = { repo_id: 1, commit_count: 1, counted_commit_count: 1 };
  await kit.insert(
    'release_authors',
    { ...author, release_id: 1, committer_id: 1, released_at: first },
    { ...author, release_id: 2, committer_id: 2, released_at: second },
  );
  await kit.insert('commits', { id: 1, author_id: 1, authored_on: '2026-06-05' });
  await kit.insert('critical_defects', { id: 1, detected_at: '2026-06-04T10:00:00Z' });
  await kit.insert('defect_commits', { defect_id: 1, commit_id: 1 });
  const times = { starts_at: '2026-06-01T09:00:00Z', ends_at: '2026-06-12T17:00:00Z' };
  await kit.insert('issues', { id: 1, assignee_id: 2 }, { id: 2, assignee_id: 3 }, { id: 3, assignee_id: null });
  await kit.insert('sprints', { id: 1, name: 'S', team_id: 3, ...times });
  const part = { sprint_id: 1, team_id: 3, ...times, points_unplanned: 0 };
  const points = (count: number) => ({ points_at_start: count, points_done: count, points_kept: count });
  await kit.insert(
    'sprint_parts',
    { ...part, issue_id: 1, assignee_id: 2, ...points(800) },
    { ...part, issue_id: 2, assignee_id: 3, ...points(500) },
    { ...part, issue_id: 3, assignee_id: null, ...points(100) },
  );
  await kit.insert(
    'ai_usages',
    { team_id: 3, used_on: '2026-06-02', lines_added: 70 },
    { committer_id: 2, used_on: '2026-06-02', lines_added: 10 },
  );
  await bumpDataVersion(kit.store.db, kit.entityId);
}, 120_000);

describe('who has left a team', () => {
  test.each(['release_count', 'defect_detected_count'])('takes no later %s with them', async (segment) => {
    const byTeam = await totals(segment, { aggregate_by: 'team' });
    expect(byTeam).not.toHaveProperty('Alpha');
    expect(byTeam).toHaveProperty('Beta', 1);
    expect(Object.values(await totals(segment, { team_slug: 'alpha' })).every((total) => total === null)).toBe(true);
  });
});

describe('a team and a person', () => {
  const sum = async (segment: string, asked: Asked): Promise<number> =>
    Object.values(await totals(segment, asked)).reduce((all: number, one) => all + (one ?? 0), 0);

  test.each([
    ['sprint_end_story_points_completed', { gamma: 14, user2: 8, user1: 0 }],
    ['sprint_start_story_points_committed', { gamma: 14, user2: 8, user1: 0 }],
    ['ai_lines_added_count', { gamma: 80, user2: 10, user1: 0 }],
    ['release_count', { gamma: 2, user2: 1, user1: 1 }],
  ])('%s is what both have', async (segment, { gamma, user2, user1 }) => {
    expect(await sum(segment, { team_slug: 'gamma' })).toBe(gamma);
    expect(await sum(segment, { team_slug: 'gamma', committer_user_name: ['user2'] })).toBe(user2);
    expect(await sum(segment, { team_slug: 'gamma', committer_user_name: ['user1'] })).toBe(user1);
    expect(await sum(segment, { team_slug: 'gamma', committer_user_name: ['user3'] })).toBe(
      segment.startsWith('sprint') ? 5 : 0,
    );
  });
});

test('a caller who may see some people sees of a team what is theirs or nobody’s', async () => {
  const scope = kit.scope({ personIds: [3], asksForPeople: false, isAboutPeople: true, teamId: 3, now: NOW });
  const range = { from: '2026-06-01', to: '2026-06-30' };
  const whole = {
    range,
    bucket: 'whole',
    intervals: [wholeRange(range)],
    aggregation: 'none',
    statistic: 'mean',
  } as const;
  const seen = async (segment: 'sprint_end_story_points_completed' | 'ai_lines_added_count') => {
    const series = await runReport(kit.store, { ...whole, row: SEGMENTS[segment] }, scope);
    return series.reduce((all, { values }) => all + (values[0] ?? 0), 0);
  };
  expect(await seen('sprint_end_story_points_completed')).toBe(6);
  expect(await seen('ai_lines_added_count')).toBe(70);
});
