// The one screen that `strata analyze` prints, from the totals of its summary: as wide as the terminal, in
// colour only when asked.
import { OPERATION_LABELS, OPERATIONS } from '../../domain/commits/line-model.ts';
import type { NotCounted } from '../../engine/model/facts.ts';
import {
  bar,
  columns,
  type Painter,
  paint,
  plainText,
  risingBars,
  shortenPath,
  wrapParts,
  wrapWords,
} from '../terminal/text.ts';
import { REPLACED_AGES, type SummaryTotals, WEEK_SECONDS } from './summary.ts';

export interface SummaryHeading {
  readonly repository: string;
  readonly branch: string;
  /** Branches that were not read, with the number of their commits. */
  readonly leftOut?: readonly { readonly name: string; readonly commit_count: number }[];
  readonly elapsedMs: number;
  readonly width: number;
  readonly color: boolean;
}

/** What follows the number of commits that do not count: for one, and for several. */
const NOT_COUNTED_WORDS: Record<NotCounted, readonly [string, string]> = {
  merge: ['merge', 'merges'],
  rebase_copy: ['rebased copy', 'rebased copies'],
  cherry_pick_copy: ['cherry-picked copy', 'cherry-picked copies'],
  squash_source: ['squashed into another', 'squashed into others'],
  ignored_revision: ['ignored revision', 'ignored revisions'],
  outside_window: ['outside the window', 'outside the window'],
};

/** The screen as lines of at most `width` columns, without a line feed at the end. */
export function renderSummary(totals: SummaryTotals, heading: SummaryHeading): string {
  const width = Math.max(40, Math.min(heading.width, 120));
  const ink = paint(heading.color);
  const lines: string[] = [];
  const range = totals.firstAt === null ? 'no commits' : `${day(totals.firstAt)} to ${day(totals.lastAt!)}`;
  const title = [plainText(heading.repository), plainText(heading.branch), range]
    .filter((part) => part !== '')
    .join(' · ');
  lines.push(ink.strong(title.slice(0, width)));
  if (totals.firstAt === null) {
    lines.push(
      '',
      'Nothing to count in this range.',
      ...notCountedLine(totals, width, ink),
      ...leftOutLine(heading, width, ink),
      footer(totals, heading, ink),
      '',
    );
    return lines.join('\n');
  }
  const facts: [string, string][] = [
    [count(totals.commits), totals.commits === 1 ? 'commit' : 'commits'],
    [count(totals.developers), developerWords(totals)],
    [count(totals.linesChanged), 'changed lines'],
    [count(totals.delta / 1000), 'Diff Delta'],
  ];
  const words = facts.map(([number, word]) => `${ink.strong(number)} ${word}`);
  lines.push('', ...wrapParts(words, '   ', width));
  lines.push(...notCountedLine(totals, width, ink), ...leftOutLine(heading, width, ink), '');
  lines.push(...tables(totals, width, ink), '');
  lines.push(...weekChart(totals, width, ink), '');
  lines.push(...sentences(totals, width, ink));
  if (totals.rewritten.length > 0) {
    const wide = count(totals.rewritten[0]!.lines).length;
    lines.push('', ink.heading('Most rewritten files'));
    for (const { path, lines: rewritten } of totals.rewritten) {
      lines.push(`  ${count(rewritten).padStart(wide)}  ${shortenPath(plainText(path), width - wide - 4)}`);
    }
  }
  lines.push('', footer(totals, heading, ink), '');
  return lines.join('\n');
}

function developerWords({ developers, bots }: SummaryTotals): string {
  const people = developers === 1 ? 'developer' : 'developers';
  return bots === 0 ? people : `${people} and ${count(bots)} ${bots === 1 ? 'bot' : 'bots'}`;
}

function notCountedLine(totals: SummaryTotals, width: number, ink: Painter): string[] {
  const parts: string[] = [];
  for (const [reason, [one, several]] of Object.entries(NOT_COUNTED_WORDS)) {
    const many = totals.notCounted[reason as NotCounted] ?? 0;
    if (many > 0) parts.push(`${count(many)} ${many === 1 ? one : several}`);
  }
  if (parts.length === 0) return [];
  return wrapWords(`not counted: ${parts.join(', ')}`, width).map(ink.faint);
}

const BRANCHES_SHOWN = 8;

function leftOutLine({ leftOut = [] }: SummaryHeading, width: number, ink: Painter): string[] {
  if (leftOut.length === 0) return [];
  const shown = leftOut
    .slice(0, BRANCHES_SHOWN)
    .map(({ name, commit_count: many }) => `${plainText(name)} (${count(many)} ${many === 1 ? 'commit' : 'commits'})`);
  const further = leftOut.length - shown.length;
  const more = further === 0 ? '' : ` and ${count(further)} more`;
  const text = `left out, sharing no commit with the default branch: ${shown.join(', ')}${more}; --branch reads one`;
  return wrapWords(text, width).map(ink.faint);
}

/** Operations and ages beside each other, or below each other on a narrow terminal. */
function tables(totals: SummaryTotals, width: number, ink: Painter): string[] {
  const isWide = width >= 76;
  const half = isWide ? Math.floor((width - 4) / 2) : width;
  const operations = OPERATIONS.map((key): Row => ({ label: OPERATION_LABELS[key], value: totals.operations[key] }));
  const ages = REPLACED_AGES.map(
    (bucket): Row => ({ label: AGE_WORDS[bucket.key], value: totals.ages[bucket.key] ?? 0 }),
  );
  const left = [ink.heading('Lines by operation'), ...barRows(operations, totals.linesChanged, half, ink)];
  const replaced = ages.reduce((sum, row) => sum + row.value, 0);
  const right = [ink.heading('Age of the code replaced'), ...barRows(ages, replaced, half, ink)];
  return isWide ? columns(left, right, half, 4) : [...left, '', ...right];
}

const AGE_WORDS: Record<(typeof REPLACED_AGES)[number]['key'], string> = {
  lt_2w: 'under 2 weeks',
  lt_1m: 'under a month',
  lt_1y: 'under a year',
  lt_2y: '1 to 2 years',
  gte_2y: 'over 2 years',
};

interface Row {
  readonly label: string;
  readonly value: number;
}

function barRows(rows: readonly Row[], total: number, width: number, ink: Painter): string[] {
  const labels = Math.max(...rows.map((row) => row.label.length));
  const numbers = Math.max(...rows.map((row) => count(row.value).length));
  const most = Math.max(1, ...rows.map((row) => row.value));
  const room = Math.max(4, width - labels - numbers - 10);
  return rows.map(({ label, value }) => {
    const share = percent(value, total).padStart(4);
    const drawn = bar(value / most, room);
    return `  ${label.padEnd(labels)} ${count(value).padStart(numbers)} ${share} ${ink.chart(drawn)}`.trimEnd();
  });
}

/** One bar a week; when the weeks do not fit, one bar for several, as their average. */
function weekChart(totals: SummaryTotals, width: number, ink: Painter): string[] {
  const weeks = chartWeeks(totals.weeks);
  const room = width - 2;
  const perBar = Math.max(1, Math.ceil(weeks.length / room));
  const values: number[] = [];
  for (let start = 0; start < weeks.length; start += perBar) {
    const group = weeks.slice(start, start + perBar);
    values.push(group.reduce((sum, week) => sum + week.delta, 0) / group.length / 1000);
  }
  const most = Math.max(...values);
  const unit = perBar === 1 ? '' : `, a bar is ${perBar} weeks`;
  const middle = median(values);
  const head = `${ink.heading('Diff Delta per week')}  ${ink.faint(`highest ${count(most)}, median ${count(middle)}${unit}`)}`;
  const first = day(weeks[0]!.start);
  const last = day(weeks.at(-1)!.start);
  const gap = values.length - first.length - last.length;
  const axis = gap >= 2 ? `${first}${' '.repeat(gap)}${last}` : first;
  return [head, ...risingBars(values, 3).map((row) => `  ${ink.chart(row)}`), `  ${ink.faint(axis)}`];
}

/** Every week from first to last; a stray date far from all others does not stretch the chart. */
function chartWeeks(weeks: ReadonlyMap<number, number>): { start: number; delta: number }[] {
  const known = [...weeks.keys()].sort((a, b) => a - b);
  let total = 0;
  for (const delta of weeks.values()) total += delta;
  const isStray = (edge: number, next: number | undefined): boolean =>
    next !== undefined && Math.abs(next - edge) > 104 * WEEK_SECONDS && weeks.get(edge)! <= total / 100;
  while (isStray(known[0]!, known[1])) known.shift();
  while (isStray(known.at(-1)!, known.at(-2))) known.pop();
  const filled: { start: number; delta: number }[] = [];
  for (let start = known[0]!; start <= known.at(-1)!; start += WEEK_SECONDS) {
    filled.push({ start, delta: weeks.get(start) ?? 0 });
  }
  return filled;
}

function sentences(totals: SummaryTotals, width: number, ink: Painter): string[] {
  const churn = percent(totals.linesChurned, totals.linesChanged);
  const rows: [string, string][] = [
    ['Churn', `${ink.strong(churn)} of changed lines rewrote or deleted code younger than two weeks`],
  ];
  const evidence = percent(totals.linesWithEvidence, totals.linesChanged);
  if (totals.linesWithEvidence === 0) rows.push(['AI share', 'unknown: no commit carries evidence']);
  else {
    const share = percent(totals.aiLines / 1000, totals.linesChanged);
    rows.push(['AI share', `${ink.strong(share)} of changed lines; ${evidence} have evidence, the rest is unknown`]);
    const models = totals.aiModels
      .slice(0, 3)
      .map(({ model, lines }) => `${plainText(model)} ${percent(lines, totals.aiLines)}`);
    if (models.length > 0) rows.push(['', ink.faint(models.join(', '))]);
  }
  return rows.flatMap(([label, text]) => {
    const [first, ...rest] = wrapWords(text, width - 10);
    const name = label === '' ? ' '.repeat(8) : ink.heading(label.padEnd(8));
    return [`${name}  ${first}`, ...rest.map((line) => ' '.repeat(10) + line)];
  });
}

function footer(totals: SummaryTotals, heading: SummaryHeading, ink: Painter): string {
  const seconds = Math.max(heading.elapsedMs, 1) / 1000;
  const seen = totals.commits + Object.values(totals.notCounted).reduce((sum, many) => sum + many, 0);
  const pace = `${count(seen)} commits read in ${seconds < 10 ? seconds.toFixed(1) : count(seconds)} s (${count(seen / seconds)} a second)`;
  const reasons = Object.entries(totals.limits).map(([reason, commits]) => `${reason} ${count(commits)}`);
  const limits = totals.limited === 0 ? '' : `; ${count(totals.limited)} not read in full (${reasons.join(', ')})`;
  return ink.faint(pace + limits);
}

function day(at: number): string {
  const date = new Date(at * 1000);
  return Number.isNaN(date.getTime()) ? 'unknown' : date.toISOString().slice(0, 10);
}

function count(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

function percent(part: number, whole: number): string {
  if (whole === 0) return '0%';
  const share = (part / whole) * 100;
  return share > 0 && share < 10 ? `${share.toFixed(1)}%` : `${Math.round(share)}%`;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
