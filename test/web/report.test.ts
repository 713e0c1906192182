// How a statistic is shown, how its records add up, and why there may be nothing to show.
import { describe, expect, test } from 'vitest';
import { blankUnknown, findGaps, isUnknown } from '../../web/src/api/blank-unknown.ts';
import { CallError } from '../../web/src/api/call.ts';
import type { ImportedRepo, Report, Segment } from '../../web/src/api/queries.ts';
import { coverageOf } from '../../web/src/api/said-of-report.ts';
import { findGoneFilter } from '../../web/src/report/empty/gone-filter.ts';
import { type EmptyFacts, explainEmpty } from '../../web/src/report/empty/why-empty.ts';
import { isSamePoint, writeSumLine } from '../../web/src/report/evidence/sum-line.ts';
import { csvAddress, curlLine, strataLine } from '../../web/src/report/export/commands.ts';
import { chooseForm, chooseScheme, hasSummary, offersShares } from '../../web/src/report/form-rule.ts';
import { readReport, totalOf } from '../../web/src/report/read-report.ts';
import { chosenAggregation, reportParams, resourcePath } from '../../web/src/report/report-params.ts';
import { parseView } from '../../web/src/url/view.ts';

const segment = (change: Partial<Segment> = {}): Segment => ({
  segment_em: 'churn_line_percent',
  title: 'Churned share',
  description: 'Churned lines as a share of all changed lines.',
  category: 'code',
  category_title: 'Code',
  page: 'code',
  unit: '%',
  value_precision: 1,
  is_addition: false,
  is_multi_series: false,
  series: ['Churned share'],
  aggregation_options: ['none', 'team', 'repo'],
  default_aggregation: 'none',
  interval_combination: 'ratio',
  divided_by: 'changed lines',
  higher_is_better: false,
  companion_segment_em: 'none',
  projectable: false,
  has_time_statistics: false,
  data_requirements: ['commits'],
  is_available: true,
  missing: [],
  ...change,
});

const sum = segment({ interval_combination: 'sum', unit: 'lines', value_precision: 0 });
const several = { is_multi_series: true, series: ['Added', 'Deleted'] };

describe('the form of a statistic', () => {
  test.each([
    ['a sum', sum, 'none', 1, 'bars'],
    ['a sum of named parts', { ...sum, ...several }, 'none', 2, 'stacked bars'],
    ['a sum by team', sum, 'team', 4, 'stacked bars'],
    ['a ratio', segment(), 'none', 1, 'lines'],
    ['a ratio by team', segment(), 'team', 4, 'lines'],
    ['shares of one whole', segment(several), 'none', 2, 'stacked area'],
    ['shares of one whole by team', segment(several), 'team', 4, 'lines'],
    [
      'series with divisors of their own',
      segment({ ...several, interval_combination: 'ratio by series' }),
      'none',
      15,
      'lines',
    ],
    ['cohorts, whose bases differ', segment({ ...several, category: 'ai_cohorts' }), 'none', 5, 'lines'],
    ['a sum by cohorts', { ...sum, ...several, category: 'ai_cohorts' }, 'none', 5, 'lines'],
    ['times', segment({ interval_combination: 'mean' }), 'none', 1, 'lines'],
    ['what is so at a moment', segment({ interval_combination: 'snapshot' }), 'none', 1, 'steps'],
    ['different people', segment({ interval_combination: 'distinct' }), 'none', 1, 'lines'],
  ] as const)('of %s', (_, given, by, count, form) => {
    expect(chooseForm(given as Segment, by, count, false)).toBe(form);
  });

  test('shares are offered where series add up, and nowhere else', () => {
    expect([offersShares(sum, 3), offersShares(sum, 1), offersShares(segment(), 3)]).toEqual([true, false, false]);
    expect(chooseForm(sum, 'team', 3, true)).toBe('share bars');
  });

  test('a total over series that do not add up is left to the server', () => {
    expect([hasSummary(sum, 'none'), hasSummary(sum, 'repo'), hasSummary(segment(), 'none')]).toEqual([
      false,
      false,
      false,
    ]);
    expect(hasSummary(segment(), 'repo')).toBe(true);
    // People of two teams would count twice.
    expect(hasSummary(sum, 'team')).toBe(true);
    expect(hasSummary({ ...sum, is_multi_series: true, series: ['one per team'] }, 'none')).toBe(true);
  });

  test('degrees and ages have ordered colours', () => {
    expect(chooseScheme(segment({ category: 'ai_cohorts' }), 'none')).toBe('degrees');
    expect(chooseScheme(sum, 'ai_cohort')).toBe('degrees');
    expect(chooseScheme(segment({ segment_em: 'provenance' }), 'none')).toBe('ages');
    expect(chooseScheme(sum, 'team')).toBe('categories');
  });
});

describe('the parameters of a report', () => {
  const view = parseView('?range=30d&in=org/one,two&team=core&who=ada,bo&stat=p90&ai=vendorA_assistant&grain=week');
  const days = { start: '2026-10-01', end: '2026-10-31' };

  test('follow the address, without what the statistic does not have', () => {
    expect(reportParams('acme', view, { segment: segment(), days, by: 'team', withSummary: false })).toEqual({
      resource_path: 'acme/org/one,acme/two',
      segment_by: 'churn_line_percent',
      start_date: '2026-10-01',
      end_date: '2026-10-31',
      aggregate_by: 'team',
      fill_all_dates: true,
      interval: 'week',
      team_slug: 'core',
      committer_user_name: ['ada', 'bo'],
      // Whether a statistic tells providers apart is for the API to say.
      ai_provider: 'vendorA_assistant',
    });
    expect(resourcePath('acme', null)).toBe('acme');
  });

  test('have no length of intervals that the API would refuse for so many days', () => {
    const ask = (start: string, grain: string) =>
      reportParams('acme', parseView(`?grain=${grain}`), {
        segment: segment(),
        days: { start, end: '2026-10-31' },
        by: 'none',
        withSummary: false,
      }).interval;
    expect(ask('2014-04-26', 'day')).toBeUndefined();
    expect(ask('2026-01-01', 'day')).toBe('day');
    expect(ask('2014-04-26', 'month')).toBe('month');
  });

  test('a split that a statistic does not offer is not asked for', () => {
    expect(chosenAggregation(segment(), parseView('?by=ai_provider'))).toBe('none');
    expect(chosenAggregation(segment(), parseView('?by=repo'))).toBe('repo');
  });

  test('become lines for a terminal that the shell reads as meant', () => {
    const params = reportParams('acme', parseView("?team=o'brien"), {
      segment: segment(),
      days,
      by: 'none',
      withSummary: true,
    });
    expect(curlLine('http://127.0.0.1:7080', params)).toContain(`-d 'team_slug=o'\\''brien'`);
    expect(curlLine('http://127.0.0.1:7080', params)).not.toContain('generate_summary_stats');
    expect(strataLine(params)).toBe(
      `strata report churn_line_percent --resource-path acme --start 2026-10-01 --end 2026-10-31 --by none --team 'o'\\''brien'`,
    );
    expect(csvAddress(params)).toMatch(/^\/api\/v1\/reports\?.*format=csv$/);
  });

  test('keep the days without data outside of the page, as its table does', () => {
    const params = reportParams('acme', parseView(''), {
      segment: segment(),
      days,
      by: 'committer',
      withSummary: true,
    });
    expect(csvAddress(params)).toContain('fill_all_dates=true');
    expect(csvAddress(params)).not.toContain('generate_summary_stats');
    expect(curlLine('http://127.0.0.1:7080', params)).toContain('-d fill_all_dates=true');
  });
});

describe('the line that adds up records', () => {
  const explanation = {
    segment_em: 'churn_line_percent',
    series: 'Churned share',
    unit: '%',
    combination: 'ratio',
    times: 100,
    divisor: { name: 'changed lines', total: 3950 },
    start_date: '2026-09-14',
    end_date: '2026-09-20',
    parts: [
      { part: 'value' as const, measure: 'lines_churned', resource_type: 'commits', record_count: 37, total: 412 },
      { part: 'of' as const, measure: 'lines_changed', resource_type: 'commits', record_count: 37, total: 3950 },
    ],
  };
  const share = { unit: '%', precision: 1 };

  test('divides where the statistic divides', () => {
    const { text, value } = writeSumLine(explanation, share);
    expect(text).toBe('412 ÷ 3,950 changed lines = 10.4\u202f%');
    expect(value).toBeCloseTo(10.43, 2);
    expect(isSamePoint(value, 10.43, 1)).toBe(true);
    expect(isSamePoint(value, 10.5, 1)).toBe(false);
  });

  test('adds where it adds', () => {
    const added = { ...explanation, times: 1, divisor: null, combination: 'sum', parts: [explanation.parts[0]!] };
    expect(writeSumLine(added, { unit: 'lines', precision: 0 })).toEqual({
      text: '412 lines from 37 commits',
      value: 412,
    });
  });

  test('does not pretend that a median is a sum', () => {
    const median = { ...explanation, combination: 'median', divisor: null };
    expect(writeSumLine(median, { unit: 'days', precision: 1 })).toEqual({
      text: 'Median of 37 commits',
      value: null,
    });
  });
});

test('a report without evidence of who wrote the code has no values, whatever it counted', () => {
  const answer = (has_ai_evidence?: boolean): Report =>
    ({
      context: { has_ai_evidence },
      unit: '%',
      series: [{ name: 'AI share', title: 'AI share', total: 0, unit: '%' }],
      series_segments: { 'AI share': [{ start_date: '2026-10-01', y: 0 }] },
      calculated_summary_stats: [
        { key: 'ai_code_line_percent', value: 0 },
        { key: 'commit_count', value: 3 },
      ],
    }) as unknown as Report;
  expect(blankUnknown(answer(false))).toMatchObject({
    series: [{ total: null }],
    series_segments: { 'AI share': [{ start_date: '2026-10-01', y: null }] },
    calculated_summary_stats: [{ value: null }, { value: 3 }],
  });
  for (const known of [answer(true), answer()]) expect(blankUnknown(known)).toBe(known);
  const nothing = {
    ...answer(false),
    series: [{ ...answer().series[0]!, total: null }],
    calculated_summary_stats: answer().calculated_summary_stats!.map((card) => ({ ...card, value: null })),
  };
  expect(isUnknown(blankUnknown(nothing))).toBe(false);
  // No series of a split, and lines of which nobody knows who wrote them.
  const split = blankUnknown({ ...answer(false), series: [], series_segments: {} });
  expect([isUnknown(split), split.calculated_summary_stats?.[0]?.value]).toEqual([true, null]);
});

test('a team and days without evidence have no value in a report that has some', () => {
  const answer = {
    context: { has_ai_evidence: true },
    interval_em: 'weekly',
    unit: '%',
    value_precision: 1,
    series: [
      { name: 'Core', title: 'Core', total: 20, unit: '%' },
      { name: 'Pay', title: 'Pay', total: 0, unit: '%', has_ai_evidence: false },
    ],
    series_segments: {
      Core: [
        { start_date: '2026-10-05', end_date: '2026-10-11', y: 0, has_ai_evidence: false },
        { start_date: '2026-10-12', end_date: '2026-10-18', y: 0 },
        { start_date: '2026-10-19', end_date: '2026-10-25', y: 40 },
      ],
      Pay: [{ start_date: '2026-10-12', end_date: '2026-10-18', y: 0, has_ai_evidence: false }],
    },
  } as unknown as Report;
  const blanked = blankUnknown(answer);
  const [core, pay] = readReport(blanked, '2026-11-01').series;
  expect(core).toMatchObject({ total: 20, values: [null, 0, 40], unknown: [true, false, false] });
  expect(pay).toMatchObject({ total: null, values: [null, null, null], isUnknown: true });
  expect(findGaps(blanked)).toEqual({ intervals: 2, series: ['Pay'] });
});

test('a count without a total is 0 where days are known, a mean where they are all 0', () => {
  const answer = (values: readonly (number | null)[]): Report =>
    ({
      series: [{ name: 'Active', title: 'Active', total: null }],
      series_segments: { Active: values.map((y) => ({ y })) },
    }) as unknown as Report;
  const people = segment({ interval_combination: 'distinct' });
  const totals = [answer([0, 0]), answer([0, null]), answer([2, 1]), answer([null]), answer([])].map((each) =>
    totalOf(each, people),
  );
  expect(totals).toEqual([0, 0, 0, null, null]);
  // No tool says anything of the prompts on the days that have records.
  const sums = [answer([0, null]), answer([0, 0])].map((each) =>
    totalOf(each, segment({ interval_combination: 'sum' })),
  );
  expect(sums).toEqual([null, null]);
  const means = [answer([0, null]), answer([0, 1]), answer([null])].map((each) =>
    totalOf(each, segment({ interval_combination: 'mean of weekly' })),
  );
  expect(means).toEqual([0, null, null]);
});

test('a figure of some of the people says of how many of how many', () => {
  const of = (covered: number, total: number) => coverageOf({ covered, total });
  expect([of(1, 2), of(0, 9), of(1200, 3400), of(2, 2), of(0, 0)]).toEqual([
    'covers 1 of 2 developers',
    'covers 0 of 9 developers',
    'covers 1,200 of 3,400 developers',
    null,
    null,
  ]);
});

describe('an empty chart says why', () => {
  const repo = (phase: ImportedRepo['phase_em']): ImportedRepo =>
    ({
      repo_path: 'org/one',
      phase_em: phase,
      percent_complete: 62,
      error_detail: 'the host has no such repo',
    }) as ImportedRepo;
  const report = (context: object): Report =>
    ({
      context: { contributors: { covered: 5, total: 5 }, range: { start_date: '2025-10-01' }, ...context },
    }) as Report;
  const cut = report({ commits_complete_from: '2025-11-18' });
  const withoutCommits = segment({
    is_available: false,
    missing: [{ data_kind: 'commits', title: 'commits', remedy: 'Import a repository.', curl: null, page: 'imports' }],
  });
  const noTeams = {
    data_kind: 'teams' as const,
    title: 'Teams',
    remedy: 'Make a team of the people who work together.',
    curl: null,
    page: 'teams' as const,
  };
  const facts = (change: Partial<EmptyFacts> = {}): EmptyFacts => ({
    segment: segment(),
    report: report({}),
    repos: [repo('complete')],
    firstDay: '2020-01-01',
    lastDay: '2026-11-15',
    days: { start: '2026-10-01', end: '2026-10-31' },
    view: parseView(''),
    teamName: null,
    providerName: null,
    ...change,
  });

  test.each([
    ['no repo', facts({ repos: [], firstDay: null, lastDay: null }), 'Nothing imported yet'],
    ['import under way', facts({ repos: [repo('reading')], firstDay: null, lastDay: null }), 'Importing, 62 % done'],
    [
      'import failed',
      facts({ repos: [repo('failed')], firstDay: null, lastDay: null }),
      'The import of org/one failed',
    ],
    [
      'import failed',
      facts({ segment: withoutCommits, repos: [repo('failed')], firstDay: null, lastDay: null }),
      'The import of org/one failed',
    ],
    [
      'import under way',
      facts({ segment: withoutCommits, repos: [repo('reading')], firstDay: null, lastDay: null }),
      'Importing, 62 % done',
    ],
    [
      'outside the data',
      facts({ report: cut, days: { start: '2024-01-01', end: '2024-02-01' }, firstDay: '2025-11-20' }),
      'Not imported before 18 Nov 2025',
    ],
    // Another repo of the entity has commits of these days.
    [
      'outside the data',
      facts({ report: cut, days: { start: '2024-01-01', end: '2024-02-01' }, view: parseView('?in=org/one') }),
      'Not imported before 18 Nov 2025',
    ],
    [
      'not visible',
      facts({
        view: parseView('?team=core'),
        report: report({
          contributors: { covered: 0, total: 705 },
          withheld: { reason: 'small_group', floor: 5, contributors: 0 },
        }),
      }),
      '705 of 705 people are not yours to see',
    ],
    [
      'filters',
      facts({ view: parseView('?ai=vendorA_assistant'), providerName: 'Vendor A Assistant' }),
      'Nothing by Vendor A Assistant in these days',
    ],
    [
      'data missing',
      facts({
        segment: segment({
          is_available: false,
          unavailable_reason: 'no pull requests are known',
          missing: [
            {
              data_kind: 'pull_requests',
              title: 'Pull requests',
              remedy: 'Connect the code host.',
              curl: null,
              page: 'imports',
            },
          ],
        }),
      }),
      'Needs pull requests',
    ],
    [
      'data missing',
      facts({ segment: sum, report: { ...report({}), missing: [noTeams] }, view: parseView('?by=team') }),
      'Needs teams',
    ],
    [
      'outside the data',
      facts({ days: { start: '2010-01-01', end: '2010-02-01' } }),
      'These days are before the first commit',
    ],
    ['outside the data', facts({ days: { start: '2027-01-01', end: '2027-02-01' } }), 'No commits in these days yet'],
    [
      'withheld',
      facts({ report: report({ withheld: { reason: 'small_group', floor: 5, contributors: 2 } }) }),
      'Fewer than 5 people',
    ],
    [
      'filters',
      facts({ view: parseView('?team=core&in=org/one'), teamName: 'Core' }),
      'Nothing of team Core in org/one in these days',
    ],
    [
      'not visible',
      facts({ report: report({ contributors: { covered: 212, total: 214 } }) }),
      '2 of 214 people are not yours to see',
    ],
    ['data missing', facts({ report: report({ has_ai_evidence: false }) }), 'Unknown, not zero'],
    ['zero', facts({ segment: sum, report: report({ has_ai_evidence: true }) }), 'Nothing happened'],
    ['zero', facts({ segment: sum }), 'Nothing happened'],
    ['zero', facts(), 'No value in these days'],
  ])('%s', (reason, given, title) => {
    const answer = explainEmpty(given);
    expect(answer.reason).toBe(reason);
    expect(answer.title).toBe(title);
    expect(answer.text).not.toBe('');
  });

  test('and how to import further back, of days before the import', () => {
    const answer = explainEmpty(facts({ report: cut, days: { start: '2024-01-01', end: '2024-02-01' } }));
    expect(answer.text).toContain('--since all');
    expect(answer.action).toEqual({ label: 'Import further back', page: 'imports' });
  });

  test('and what to do: the days that have data, the filter to remove', () => {
    expect(explainEmpty(facts({ days: { start: '2010-01-01', end: '2010-02-01' } })).action).toEqual({
      label: 'Show the last days with commits',
      change: { range: '2026-08-18..2026-11-15', at: null },
    });
    expect(explainEmpty(facts({ view: parseView('?team=core'), teamName: 'Core' })).action).toEqual({
      label: 'Remove team Core',
      change: { team: null, at: null },
    });
  });
});

describe('a filter that the server does not know', () => {
  const asked = (search: string) => ({ view: parseView(search), entity: { slug: 'local' } });
  const refusal = (status: number, detail: string, parameter?: string) =>
    new CallError(
      status,
      {
        action_em: 'action_report',
        response_em: 'response_not_found',
        response_detail: detail,
        ...(parameter === undefined ? {} : { errors: { [parameter]: [detail] } }),
      },
      null,
    );
  const noRepo = refusal(404, 'there is no repo local/acme/gone; there are parts');
  const noTeam = refusal(404, 'there is no team "red"; there are blue', 'team_slug');
  const nobody = refusal(422, 'no committer is known as "ann" by user name', 'committer_user_name');
  const all = asked('?in=acme/gone&team=red&who=ann');

  test('is named, and can be removed', () => {
    expect(findGoneFilter(noRepo, all)).toMatchObject({
      title: 'There is no acme/gone here',
      action: { label: 'Remove the filter', change: { in: null, at: null } },
    });
    expect(findGoneFilter(noTeam, all)).toMatchObject({
      title: 'There is no team red here',
      action: { change: { team: null } },
    });
    expect(findGoneFilter(nobody, all)).toMatchObject({
      title: 'Nobody here is known as ann',
      action: { change: { who: null } },
    });
  });

  test('keeps the names that are known', () => {
    expect(findGoneFilter(noRepo, asked('?in=acme/parts,acme/gone,gone'))).toMatchObject({
      title: 'There is no acme/gone here',
      action: { label: 'Remove from the filter', change: { in: 'acme/parts,gone' } },
    });
    const several = refusal(
      422,
      'no committer is known as "ann"; nobody is known as any of "ann", "bo"',
      'committer_user_name',
    );
    expect(findGoneFilter(several, asked('?who=ann,ada,bo'))).toMatchObject({
      title: 'Nobody here is known as ann or bo',
      action: { change: { who: 'ada' } },
    });
  });

  test('is removed whole where the answer does not say which name it is', () => {
    expect(findGoneFilter(refusal(404, 'no'), asked('?in=acme/gone,acme/parts'))).toMatchObject({
      title: 'There is no acme/gone or acme/parts here',
      action: { change: { in: null } },
    });
  });

  test('is not blamed for anything else', () => {
    for (const error of [
      refusal(422, 'wrong', 'start_date'),
      refusal(400, 'too many', 'committer_user_name'),
      refusal(500, 'no'),
      new CallError(0, null, null),
      new Error('odd'),
    ]) {
      expect(findGoneFilter(error, all), error.message).toBeNull();
    }
    expect(findGoneFilter(noRepo, asked('?team=red'))).toBeNull();
  });
});
