// What must stand in the tables after a tracker was collected, by a plain computation from the company's own records.
import { expect } from 'vitest';
import {
  current,
  doneAt,
  pointsOf,
  sprintFigures,
  startedAt,
  type TrackerCompany,
} from '../../world/company/tracker-company.ts';
import type { CompanyTracker } from '../../world/tracker-doubles/trackers.ts';
import type { TrackerKit } from './tracker-kit.ts';

const plain = (time: string | null): string | null => time?.replace('.000Z', 'Z') ?? null;

export async function expectIssues(
  kit: TrackerKit,
  company: TrackerCompany,
  words: Pick<CompanyTracker, 'key' | 'type' | 'hasFormerKeys'>,
): Promise<void> {
  const rows = await kit.query<Record<string, unknown>>(
    `select i.key, i.former_keys, i.title, i.type, i.is_epic, i.is_bug, i.status_category, i.story_points, i.epic_key,
       i.opened_at, i.started_at, i.resolved_at, a.name as assignee
     from issues i left join host_accounts a on a.committer_id = i.assignee_id order by i.opened_at, i.external_id`,
  );
  const byOpening = [...company.issues].sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1));
  expect(rows).toEqual(
    byOpening.map((issue) => {
      const points = current(issue, 'points');
      const done = doneAt(issue, null);
      return {
        key: words.key(issue),
        former_keys: words.hasFormerKeys && issue.first.key !== current(issue, 'key') ? [issue.first.key] : [],
        title: issue.title,
        type: words.type(issue),
        is_epic: issue.type === 'Epic',
        is_bug: issue.type === 'Bug',
        status_category: expect.stringMatching(done === null ? /^(new|in_progress)$/ : /^done$/),
        story_points: points === null || points === '-1' ? null : pointsOf(points) * 100,
        epic_key: issue.epic === null ? null : words.key(issue.epic),
        opened_at: plain(issue.createdAt),
        started_at: plain(startedAt(issue)),
        resolved_at: plain(done),
        assignee: current(issue, 'assignee')?.name ?? null,
      };
    }),
  );
}

export async function expectSprints(kit: TrackerKit, company: TrackerCompany): Promise<void> {
  const rows = await kit.query<Record<string, unknown>>(
    `select s.name, s.board_id, s.starts_at, s.ends_at, coalesce(sum(p.points_at_start), 0)::int as committed,
       coalesce(sum(p.points_done), 0)::int as completed, coalesce(sum(p.points_kept), 0)::int as kept,
       coalesce(sum(p.points_unplanned), 0)::int as unplanned
     from sprints s left join sprint_parts p on p.sprint_id = s.id
     group by s.entity_id, s.id order by s.starts_at`,
  );
  const dated = company.sprints.filter(({ startsAt }) => startsAt !== null);
  expect(rows).toEqual(
    dated.map((sprint) => ({
      name: sprint.name,
      board_id: expect.any(String),
      starts_at: plain(sprint.startsAt),
      ends_at: plain(sprint.completedAt ?? sprint.endsAt),
      ...Object.fromEntries(
        Object.entries(sprintFigures(company, sprint)).map(([name, points]) => [name, points * 100]),
      ),
    })),
  );
  // A company without any of these would show nothing.
  for (const name of ['committed', 'completed', 'kept', 'unplanned'] as const) {
    expect(rows.reduce((sum, row) => sum + Number(row[name]), 0)).toBeGreaterThan(0);
  }
}
