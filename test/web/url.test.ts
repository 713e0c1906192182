// The address is the state: every view can be written and read back, and links that were ever shipped open.
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pageLink, safeReturn, signInLink, statisticLink } from '../../web/src/url/links.ts';
import { KEYS, parsePoint, parseView, type View, writePoint, writeView } from '../../web/src/url/view.ts';

const DEFAULTS = parseView('');

const text = fc.string({ minLength: 1, maxLength: 40 }).filter((value) => value.trim() !== '');
const slug = fc.stringMatching(/^[a-z0-9-]{1,20}$/);
const day = fc
  .date({ min: new Date('2000-01-01'), max: new Date('2030-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
const range = fc.oneof(
  fc.constantFrom('ytd', 'all'),
  fc.integer({ min: 1, max: 36_500 }).map((days) => `${days}d`),
  fc.integer({ min: 1, max: 1_200 }).map((months) => `${months}m`),
  fc.tuple(day, day).map(([a, b]) => (a <= b ? `${a}..${b}` : `${b}..${a}`)),
);
const view: fc.Arbitrary<View> = fc.record({
  range,
  vs: fc.constantFrom('prev', 'year', 'none'),
  in: fc.option(text),
  team: fc.option(slug),
  who: fc.option(text),
  ai: fc.option(slug),
  by: fc.option(fc.constantFrom('none', 'team', 'repo', 'committer', 'ai_cohort')),
  stat: fc.constantFrom('mean', 'median', 'p75', 'p90'),
  grain: fc.constantFrom('auto', 'day', 'week', 'month'),
  view: fc.constantFrom('chart', 'share', 'table'),
  split: fc.option(slug),
  at: fc.option(text),
  tab: fc.constantFrom('records', 'excluded', 'how'),
  kind: fc.option(slug),
});

describe('the view in the address', () => {
  test('reads back what it wrote, for any view', () => {
    fc.assert(
      fc.property(view, (wanted) => {
        expect(parseView(writeView(wanted))).toEqual(wanted);
      }),
    );
  });

  test('is written the same way after it was read', () => {
    fc.assert(
      fc.property(view, (wanted) => {
        expect(writeView(parseView(writeView(wanted)))).toBe(writeView(wanted));
      }),
    );
  });

  test('never fails on what somebody typed', () => {
    fc.assert(
      fc.property(fc.string(), (query) => {
        expect(Object.keys(parseView(query))).toEqual(Object.keys(KEYS));
      }),
    );
  });

  test('the default view has no query at all', () => {
    expect(writeView(DEFAULTS)).toBe('');
  });

  const lines = readFileSync(new URL('links.txt', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  test.each(lines)('the shipped link %s opens', (line) => {
    const [given, now] = line.split('→').map((part) => part.trim()) as [string, string];
    expect(writeView(parseView(given))).toBe(now);
  });

  test('every key that is shipped stands in the list of shipped links', () => {
    const listed = new Set(lines.flatMap((line) => [...new URLSearchParams(line.split('→')[1]!.trim()).keys()]));
    expect([...listed].sort()).toEqual(Object.keys(KEYS).sort());
  });
});

describe('a point in the address', () => {
  test('survives series names with at signs', () => {
    const point = fc.record({ series: text, start: day });
    fc.assert(
      fc.property(point, (wanted) => {
        expect(parsePoint(writePoint(wanted))).toEqual(wanted);
      }),
    );
  });
});

describe('links between pages', () => {
  const here = parseView('?range=12m&team=core&view=table&at=Commits@2026-09-01&by=repo');

  test('scope and range go along, what belongs to a page stays behind', () => {
    expect(pageLink('local', 'code', here)).toBe('/e/local/code?range=12m&team=core');
    expect(statisticLink('local', 'commit_count', here, { by: 'team' })).toBe(
      '/e/local/s/commit_count?range=12m&team=core&by=team',
    );
  });

  test('ordinary addresses stay below 300 characters', () => {
    const busy = parseView(
      '?range=2026-07-01..2026-09-30&vs=year&in=expressjs/express&team=core&who=ada,bo&by=committer&view=table&at=Ada+Lovelace@2026-09-14',
    );
    expect(statisticLink('local', 'churn_line_count_cohorts_per_committer', busy, busy).length).toBeLessThan(300);
  });

  test.each([
    ['/e/local/overview?range=30d', '/e/local/overview?range=30d'],
    ['https://evil.example/e/', null],
    ['//evil.example/e/', null],
    ['/\\evil.example', null],
    ['/e/\\evil', null],
    ['/e/\t/evil', null],
    ['/sign-in', null],
    ['javascript:alert(1)', null],
    [null, null],
  ])('after signing in %j leads to %j', (target, expected) => {
    expect(safeReturn(target)).toBe(expected);
  });

  test('the way back to a page is kept through the sign-in', () => {
    const link = signInLink('/e/local/s/none?range=30d');
    expect(safeReturn(new URLSearchParams(link.slice(link.indexOf('?'))).get('to'))).toBe('/e/local/s/none?range=30d');
    expect(signInLink('/somewhere')).toBe('/sign-in');
    // Somebody who was inside learns why the door is shown.
    expect(signInLink('/somewhere', { hasEnded: true })).toBe('/sign-in?why=ended');
    expect(signInLink('/e/local/overview', { hasEnded: true })).toBe('/sign-in?to=%2Fe%2Flocal%2Foverview&why=ended');
  });
});
