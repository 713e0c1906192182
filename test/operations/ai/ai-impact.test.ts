// The whole picture of AI in a scope: figures are those of reports, evidence adds up to all lines, seats cost by their days,
// and people are compared with themselves.
import { beforeAll, describe, expect, test } from 'vitest';
import { seatCents } from '../../../src/domain/ai/seat-cost.ts';
import { silentLog } from '../../../src/kit/log.ts';
import type { Actor } from '../../../src/operations/access/actor.ts';
import type { AiImpact } from '../../../src/operations/ai/ai-impact.ts';
import { createOperations, OPERATOR, type Operations } from '../../../src/operations/index.ts';
import { createFactsKit, type FactsKit } from '../../world/facts-kit.ts';

const NOW = new Date('2026-06-15T12:00:00Z');
const RANGE = { start_date: '2026-01-01', end_date: '2026-06-14' };
let kit: FactsKit;
let operations: Operations;
let slug: string;

const grantOf = async (settings = {}) => {
  const grant = await operations.access.enterEntity(OPERATOR, slug, 'manager');
  return { ...grant, settings: { ...grant.settings, ...settings } };
};
const work = (committer_id: number, authored_on: string, counts: object) => ({ committer_id, authored_on, ...counts });

beforeAll(async () => {
  kit = await createFactsKit();
  operations = createOperations({ store: kit.store, log: silentLog, now: () => NOW });
  const { rows } = await kit.store.pool.query('select slug from entities where id = $1', [kit.entityId]);
  slug = rows[0].slug;
  await kit.insert(
    'daily_work',
    // developer 1 begins in the week of 9 March: 12 weeks before are from 15 December, 12 after until 31 May
    work(1, '2025-12-14', { lines_added: 1000, commit_count: 9 }),
    work(1, '2025-12-15', { lines_added: 60, lines_churned: 6, delta_added: 4000, commit_count: 2 }),
    work(1, '2026-02-10', { lines_added: 40, duplicate_lines: 10, commit_count: 1 }),
    work(1, '2026-03-09', { lines_added: 100, lines_churned: 25, known_lines_changed: 50, commit_count: 3 }),
    work(1, '2026-05-31', { lines_added: 100, lines_churned: 25, delta_added: 8000, commit_count: 3 }),
    work(1, '2026-06-01', { lines_added: 5000, commit_count: 30 }),
    // developer 2 has nothing before, developer 3 not all weeks after
    work(2, '2026-02-02', { lines_added: 10, commit_count: 1 }),
    work(3, '2026-04-01', { lines_added: 10, commit_count: 1 }),
    work(3, '2026-06-10', { lines_added: 10, commit_count: 1 }),
  );
  await kit.insert(
    'daily_ai',
    { committer_id: 1, authored_on: '2026-03-12', source: 'note', all_lines_changed: 30, ai_lines_changed: 30_000 },
    {
      committer_id: 1,
      authored_on: '2026-03-12',
      source: 'otlp_commit',
      all_lines_changed: 10,
      ai_lines_changed: 10_000,
    },
  );
  const usage = { lines_added: 5, cost_microcents: 300_000_000, prompt_count: 4 };
  await kit.insert(
    'ai_usages',
    { ...usage, committer_id: 2, used_on: '2026-02-02' },
    { ...usage, committer_id: 3, used_on: '2026-06-09' },
    { ...usage, used_on: '2026-06-09', cost_microcents: 200_000_000 },
  );
  const seat = { ai_provider_em: 'vendorA_assistant' };
  await kit.insert(
    'ai_seats',
    { ...seat, committer_id: 3, from_on: '2026-06-01' },
    { ...seat, committer_id: 2, from_on: '2026-04-01' },
    { ...seat, committer_id: 1, from_on: '2025-01-01', until_on: '2026-01-01' },
  );
  await kit.insert('pull_requests', { id: 1, opened_at: '2026-03-01T00:00:00Z', merged_at: '2026-03-02T00:00:00Z' });
  await kit.insert('pull_requests', { id: 2, opened_at: '2026-03-01T00:00:00Z', merged_at: '2026-03-02T00:00:00Z' });
}, 120_000);

describe('the picture of AI', () => {
  let impact: AiImpact;
  beforeAll(async () => {
    impact = await operations.aiImpact.read(await grantOf({ ai_seat_prices: { vendorA_assistant: 3000 } }), RANGE);
  });

  test('has the figures of reports', async () => {
    const grant = await grantOf();
    for (const { segment_em, value } of impact.figures) {
      const report = await operations.reports.run(grant, {
        segment_by: segment_em,
        suppress_aggregation: true,
        ...RANGE,
      });
      const totals = report.series.flatMap(({ total }) => total ?? []);
      expect([segment_em, value]).toEqual([
        segment_em,
        totals.length === 0
          ? null
          : expect.closeTo(
              totals.reduce((a, b) => a + b),
              3,
            ),
      ]);
    }
    expect(impact.figures.find(({ segment_em }) => segment_em === 'prompt_count')).toMatchObject({ value: 12 });
  });

  test('says of every changed line what is known of it', () => {
    const lines = Object.fromEntries(impact.evidence.map(({ evidence, lines }) => [evidence, lines]));
    expect(lines).toEqual({
      exact: 30,
      agent: 0,
      counted: 0,
      took_part: 10,
      assisted: 0,
      people_only: 10,
      unknown: 5220,
    });
  });

  test('compares nobody whose last week has not ended where they are', async () => {
    const now = () => new Date('2026-06-01T05:00:00Z');
    const early = createOperations({ store: kit.store, log: silentLog, now });
    const comparedIn = async (time_zone: string) =>
      (await early.aiImpact.read(await grantOf({ time_zone }), RANGE)).adoption.compared;
    expect(await comparedIn('UTC')).toBe(1);
    expect(await comparedIn('America/Los_Angeles')).toBe(0);
    await early.close();
  });

  test('has the cost of seats apart from metered cost, by their days', () => {
    // 14 days of June for one; April, May and 14 days of June for the other
    expect(impact.cost).toEqual({ metered_cents: 800, seat_cents: 8800, metered_cents_per_merged_pull_request: 400 });
    expect(impact.seats).toEqual({ held: 2, of_known_people: 2, unused_for_30_days: 1 });
  });

  test('compares each person with their own weeks before', () => {
    const { people, ...both } = impact.adoption;
    expect(both).toMatchObject({ weeks: 12, adopters: 3, compared: 1 });
    expect(people).toEqual([
      {
        committer_user_name: 'user1',
        first_week: '2026-03-09',
        before: {
          commit_count: 3,
          active_weeks: 2,
          diff_delta: 4,
          lines_changed: 100,
          churn_line_percent: 6,
          copy_paste_percent: 0,
          moved_percent: 0,
          duplicate_line_count_per_mil: 100,
          old_code_percent: 0,
        },
        after: expect.objectContaining({ commit_count: 6, lines_changed: 200, churn_line_percent: 25, diff_delta: 8 }),
      },
    ]);
    expect(both.after).toEqual(people[0]!.after);
  });

  test('says what limits it', () => {
    expect(impact.caveats).toEqual(
      expect.arrayContaining([
        'evidence covers 0.9 % of the changed lines: the rest may hold AI lines too',
        'before and after rest on 1 person: one person can turn the figures',
        '2 of 3 people who began with AI lack 12 weeks with commits on both sides',
        '25 % of the cost and 33.3 % of the reported lines belong to nobody who is known',
      ]),
    );
    expect(impact.caveats.join()).toContain('not drawn by lot');
  });

  test('has no cost of seats in days that have not come', async () => {
    const grant = await grantOf({ ai_seat_prices: { vendorA_assistant: 3000 } });
    const seatsOf = async (start_date: string, end_date: string) => {
      const { cost, seats } = await operations.aiImpact.read(grant, { start_date, end_date });
      return [cost.seat_cents, seats.held];
    };
    // It is 15 June: two seats of 15 days.
    expect(await seatsOf('2026-06-01', '2026-06-15')).toEqual([3000, 2]);
    expect(await seatsOf('2026-06-01', '2026-12-31')).toEqual([3000, 2]);
    expect(await seatsOf('2027-01-01', '2027-01-31')).toEqual([0, 0]);
  });

  test('names nobody where the entity shows no groups of one, and compares no group below the floor', async () => {
    const { adoption, caveats } = await operations.aiImpact.read(await grantOf({ small_group_floor: 2 }), RANGE);
    expect(adoption).toMatchObject({ compared: 1, before: null, after: null, people: [] });
    expect(caveats.join()).toContain('withheld');
  });

  test('of a repo is of that repo alone', async () => {
    const grant = await grantOf();
    const paths = [{ entity: slug, organization: 'org', repo: 'repo2' }];
    const { rows } = await kit.store.pool.query(
      `select o.slug as organization, r.slug as repo from repos r join organizations o on o.id = r.organization_id and o.entity_id = r.entity_id where r.entity_id = $1 and r.id = 2`,
      [kit.entityId],
    );
    const ofRepo = await operations.aiImpact.read({ ...grant, paths: [{ ...paths[0]!, ...rows[0] }] }, RANGE);
    expect(ofRepo.evidence.every(({ lines }) => lines === 0)).toBe(true);
    // One of the three merged pull requests is the repo's; the usage is that of the entity.
    await kit.insert('pull_requests', {
      id: 3,
      repo_id: 2,
      opened_at: '2026-03-01T00:00:00Z',
      merged_at: '2026-03-02T00:00:00Z',
    });
    const { cost, caveats } = await operations.aiImpact.read(
      { ...grant, paths: [{ ...paths[0]!, ...rows[0] }] },
      RANGE,
    );
    expect(cost).toMatchObject({ metered_cents: 800, metered_cents_per_merged_pull_request: null });
    expect(caveats.join()).toMatch(/usage and seats belong to no repo/);
    expect(impact.caveats.join()).not.toMatch(/belong to no repo/);
  });
});

describe('a manager who may see only themselves', () => {
  const actorOf = async (email: string): Promise<Actor> => {
    const { rows } = await kit.store.pool.query('insert into users (email) values ($1) returning id', [email]);
    return { user_id: rows[0].id, role: 'manager', is_super_admin: false } as unknown as Actor;
  };
  const PRICES = { ai_seat_prices: { vendorA_assistant: 3000 } };

  test('gets sums of their own work and seats, and none that others are part of', async () => {
    const actor = await actorOf('user3@example.com');
    const grant = { ...(await grantOf({ ...PRICES, stats_access: 'private' })), actor };
    const { evidence, cost, seats, unknown, caveats } = await operations.aiImpact.read(grant, RANGE);
    expect(evidence.filter(({ lines }) => lines > 0)).toEqual([{ evidence: 'unknown', lines: 20, percent: 100 }]);
    expect(cost).toMatchObject({ seat_cents: 1400, metered_cents_per_merged_pull_request: null });
    expect(seats).toEqual({ held: 1, of_known_people: 1, unused_for_30_days: 0 });
    // A share of what everybody used tells what everybody used.
    expect(unknown).toMatchObject({ cost_percent: null, lines_percent: null });
    expect(caveats.join()).toMatch(/1 person whom you may see/);
    expect(caveats.join()).toMatch(/no cost per merged pull request/);
  });

  test('gets everything where statistics are open', async () => {
    const actor = await actorOf('other@example.com');
    const open = await operations.aiImpact.read({ ...(await grantOf(PRICES)), actor }, RANGE);
    expect(open).toEqual(await operations.aiImpact.read(await grantOf(PRICES), RANGE));
  });
});

test('a seat costs its share of each month', () => {
  const seat = { ai_provider_em: 'p', from_on: '2026-02-15', until_on: '2026-03-02' };
  expect(seatCents(seat, { from: '2026-01-01', to: '2026-12-31' }, { p: 2800 })).toBeCloseTo(1400 + 2800 / 31);
  expect(seatCents(seat, { from: '2026-03-01', to: '2026-03-31' }, { p: 3100 })).toBeCloseTo(100);
  expect(seatCents(seat, { from: '2026-01-01', to: '2026-12-31' }, {})).toBe(0);
});
