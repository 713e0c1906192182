// What a cell of the teams' table shows: a true zero is a zero, and what is withheld is said to be.
import { describe, expect, test } from 'vitest';
import { countPeople } from '../../web/src/api/count-people.ts';
import type { Report, Segment, Team } from '../../web/src/api/queries.ts';
import { readTeamCell } from '../../web/src/pages/overview/team-cell.ts';

const sum = { interval_combination: 'sum' } as Segment;
const share = { interval_combination: 'ratio' } as Segment;
const team = { slug: 'core', name: 'Core' };
const REST = 'Other';
const answer = (totals: Readonly<Record<string, number | null>>, context: object = {}): Report =>
  ({
    context: { contributors: { covered: 9, total: 9 }, range: { start_date: '2025-11-01' }, ...context },
    series: Object.entries(totals).map(([name, total]) => ({
      name,
      title: name,
      total,
      ...(name === REST ? { is_rest: true } : {}),
    })),
  }) as unknown as Report;
/** With a mark at the series of the team. */
const partly = (contributors: object): Report => {
  const report = answer({ Core: 180 }, { contributors: { covered: 1, total: 6 } });
  return { ...report, series: report.series.map((series) => ({ ...series, contributors })) } as Report;
};
const ask = (now: Report, change: Partial<Parameters<typeof readTeamCell>[0]> = {}) =>
  readTeamCell({ team, segment: sum, now, past: undefined, floor: 1, ...change });

describe('a team', () => {
  test('with a series has its total and change', () => {
    expect(ask(answer({ Core: 4 }), { past: answer({ Core: 2 }) })).toMatchObject({ total: 4, before: 2, why: null });
  });

  test('without one did nothing: a sum is 0, a share has no value', () => {
    expect(ask(answer({ Pay: 4 }))).toMatchObject({ total: 0, why: null });
    expect(ask(answer({ Pay: 4 }), { segment: share })).toMatchObject({ total: null, why: null });
    expect(ask(answer({ Core: 4 }), { past: answer({ Pay: 1 }) }).before).toBe(0);
  });

  test('of too few people is withheld, which is not 0', () => {
    const folded = ask(answer({ Other: 4 }), { floor: 5 });
    expect(folded).toMatchObject({ total: null, why: 'Fewer than 5 people in these days' });
    const all = answer({}, { withheld: { floor: 5, contributors: 2 } });
    expect(ask(all, { floor: 5 })).toMatchObject({ total: null, why: 'Fewer than 5 people' });
  });

  test('beyond the largest is not 0 either', () => {
    expect(ask(answer({ Pay: 4, Other: 1 }))).toMatchObject({ total: null, why: 'Not among the largest teams' });
  });

  test('of people who are not the reader’s to see is not 0', () => {
    expect(ask(answer({}, { contributors: { covered: 0, total: 9 } }))).toMatchObject({
      total: null,
      why: 'Not yours to see',
    });
    expect(ask(answer({ Pay: 4 }, { contributors: { covered: 3, total: 9 } })).total).toBeNull();
  });

  test('called like the rest is the one beside the rest, or the one where nothing is folded', () => {
    const other = { slug: 'other', name: 'Other' };
    expect(ask(answer({ 'Other (team)': 7, Other: 4 }), { team: other })).toMatchObject({ total: 7, why: null });
    expect(ask(answer({ Pay: 7, Other: 4 }), { team: other })).toMatchObject({
      total: null,
      series: null,
      why: 'Not among the largest teams',
    });
    const alone = answer({ Pay: 7 });
    const series = [...alone.series, { name: 'Other', title: 'Other', total: 4 }];
    const own = { ...alone, series } as Report;
    expect(ask(own, { team: other })).toMatchObject({ total: 4, why: null });
    expect(ask(own)).toMatchObject({ total: 0, why: null });
  });

  test('of which only some are the reader’s to see says how many its figure covers', () => {
    expect(ask(partly({ covered: 1, total: 2 }))).toMatchObject({
      total: 180,
      why: null,
      coverage: 'covers 1 of 2 developers',
    });
    expect(ask(answer({ Core: 4 }, { contributors: { covered: 3, total: 9 } })).coverage).toBeNull();
    expect(ask(answer({ Pay: 4 }, { contributors: { covered: 3, total: 9 } }))).toMatchObject({
      coverage: null,
      why: 'Nothing that is yours to see',
    });
  });

  test('is not compared with days that are not imported', () => {
    const past = answer({ Core: 2 }, { commits_complete_from: '2025-11-18' });
    expect(ask(answer({ Core: 4 }), { past })).toMatchObject({ total: 4, before: null, cutAt: '2025-11-18' });
  });
});

test('the people of a team are its developers today, each once, not their identities', () => {
  const member = (from_on: string | null) => ({ from_on }) as Team['developer_members'][number];
  expect(
    countPeople({ developer_members: [member(null), member('2026-11-17'), member('2026-11-18')] }, '2026-11-17'),
  ).toBe(2);
});
