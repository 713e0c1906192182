// The one screen that `strata analyze` prints, from the totals of its summary: as wide as the terminal, in
// colour only when its heading says so.
import {
  CATEGORIES,
  CHURN_WINDOW,
  isLeftOut,
  OPERATION_ROWS,
  OPERATIONS,
  REPLACED_AGES,
} from '../../domain/commits/line-model.ts';
import { MISSING_OBJECTS_REMEDY, missingObjectsWords } from '../../domain/repos/missing-objects.ts';
import { NOT_COUNTED, type NotCounted } from '../../engine/model/facts.ts';
import {
  bar,
  columns,
  cutOffWords,
  type Painter,
  paint,
  plainText,
  risingBars,
  shortenPath,
  wrapParts,
  wrapWords,
} from '../terminal/text.ts';
import { type SummaryTotals, WEEK_SECONDS } from './summary.ts';

export interface SummaryHeading {
  readonly repository: string;
  readonly branch: string;
  /** Branches that were not read, with the number of their commits. */
  readonly leftOut?: readonly { readonly name: string; readonly commit_count: number }[];
  /** At which a shallow history ends; none unless given. */
  readonly cutOffCommits?: number;
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
  const [first, last] = [totals.first_commit_authored_at, totals.last_commit_authored_at];
  const range = first === null || last === null ? 'no commits' : `${dayOf(first)} to ${dayOf(last)}`;
  const title = [plainText(heading.repository), plainText(heading.branch), range]
    .filter((part) => part !== '')
    .join(' · ');
  lines.push(ink.strong(title.slice(0, width)));
  if (first === null) {
    lines.push(
      '',
      'Nothing to count in this range.',
      ...notCountedLine(totals, width, ink),
      ...leftOutLine(heading, width, ink),
      ...cutOffLine(heading, width, ink),
      ...missingObjectsLine(totals, width, ink),
      footer(totals, heading, ink),
      '',
    );
    return lines.join('\n');
  }
  const facts: [string, string][] = [
    [count(totals.commit_count), totals.commit_count === 1 ? 'commit' : 'commits'],
    [count(totals.developer_count), developerWords(totals)],
    [count(totals.lines_changed), totals.lines_changed === 1 ? 'changed line' : 'changed lines'],
    [count(totals.diff_delta), 'Diff Delta'],
  ];
  const words = facts.map(([number, word]) => `${ink.strong(number)} ${word}`);
  lines.push('', ...wrapParts(words, '   ', width));
  lines.push(...notCountedLine(totals, width, ink), ...leftOutLine(heading, width, ink));
  lines.push(...leftOutLinesLine(totals, width, ink), ...cutOffLine(heading, width, ink));
  lines.push(...missingObjectsLine(totals, width, ink), '');
  lines.push(...tables(totals, width, ink), '');
  lines.push(...weekChart(totals, width, ink), '');
  lines.push(...sentences(totals, width, ink));
  const rewritten = totals.most_rewritten_files;
  if (rewritten.length > 0) {
    const wide = count(rewritten[0]!.lines_rewritten).length;
    lines.push('', ink.heading('Most rewritten files'));
    for (const { path, lines_rewritten } of rewritten) {
      lines.push(`  ${count(lines_rewritten).padStart(wide)}  ${shortenPath(plainText(path), width - wide - 4)}`);
    }
  }
  lines.push('', footer(totals, heading, ink), '');
  return lines.join('\n');
}

function developerWords({ developer_count, agent_count }: SummaryTotals): string {
  const people = developer_count === 1 ? 'developer' : 'developers';
  return agent_count === 0
    ? people
    : `${people} and ${count(agent_count)} AI ${agent_count === 1 ? 'agent' : 'agents'}`;
}

function notCountedLine(totals: SummaryTotals, width: number, ink: Painter): string[] {
  const parts: string[] = [];
  for (const reason of NOT_COUNTED) {
    const many = totals.not_counted[reason];
    const [one, several] = NOT_COUNTED_WORDS[reason];
    if (many > 0) parts.push(`${count(many)} ${many === 1 ? one : several}`);
  }
  const { bot_count, bot_commit_count } = totals;
  if (bot_commit_count > 0) parts.push(`${count(bot_commit_count)} by ${bot_count === 1 ? 'a bot' : 'bots'}`);
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

/** That a shallow clone ends at so many commits; null where the history is whole. */
export const describeCutOff = (commits: number): string | null =>
  commits === 0 ? null : `a shallow clone: ${cutOffWords(commits)}; git fetch --unshallow brings the rest`;

/** That objects of commits are missing; null where none are. */
export const describeMissingObjects = ({ skip_reasons: { object_missing: commits } }: SummaryTotals): string | null =>
  commits === 0 ? null : `${missingObjectsWords(commits)}; ${MISSING_OBJECTS_REMEDY}`;

function cutOffLine({ cutOffCommits = 0 }: SummaryHeading, width: number, ink: Painter): string[] {
  const text = describeCutOff(cutOffCommits);
  return text === null ? [] : wrapWords(text, width).map(ink.faint);
}

function missingObjectsLine(totals: SummaryTotals, width: number, ink: Painter): string[] {
  const text = describeMissingObjects(totals);
  return text === null ? [] : wrapWords(text, width).map(ink.faint);
}

function leftOutLinesLine(
  { lines_left_out: left, lines_changed }: SummaryTotals,
  width: number,
  ink: Painter,
): string[] {
  if (left.lines === 0) return [];
  const parts = CATEGORIES.flatMap(({ key, label }) => {
    const lines = isLeftOut(key) ? left.by_category[key] : 0;
    return lines === 0 ? [] : [`${label.toLowerCase()} ${count(lines)}`];
  });
  const share = percent(left.lines, lines_changed + left.lines);
  const text = `not in line statistics: ${share} of all changed lines (${parts.join(', ')})`;
  return wrapWords(text, width).map(ink.faint);
}

/** Operations and ages beside each other, or below each other on a narrow terminal. */
function tables(totals: SummaryTotals, width: number, ink: Painter): string[] {
  const isWide = width >= 76;
  const half = isWide ? Math.floor((width - 4) / 2) : width;
  const operations = OPERATIONS.map(
    (key): Row => ({ label: OPERATION_ROWS[key].label, value: totals.line_operation_counts[key] }),
  );
  const ages = REPLACED_AGES.map(
    ({ key, short_label }): Row => ({ label: short_label, value: totals.line_age_counts[key] }),
  );
  const left = [ink.heading('Lines by operation'), ...barRows(operations, totals.lines_changed, half, ink)];
  const replaced = ages.reduce((sum, row) => sum + row.value, 0);
  const right = [ink.heading('Age of the code replaced'), ...barRows(ages, replaced, half, ink)];
  return isWide ? columns(left, right, half, 4) : [...left, '', ...right];
}

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

interface Week {
  readonly startMs: number;
  readonly delta: number;
}
const WEEK_MS = WEEK_SECONDS * 1000;

/** One bar a week; when the weeks do not fit, one bar for several, as their average. */
function weekChart(totals: SummaryTotals, width: number, ink: Painter): string[] {
  const weeks = chartWeeks(totals.weeks);
  const room = width - 2;
  const perBar = Math.max(1, Math.ceil(weeks.length / room));
  const values: number[] = [];
  for (let start = 0; start < weeks.length; start += perBar) {
    const group = weeks.slice(start, start + perBar);
    values.push(group.reduce((sum, week) => sum + week.delta, 0) / group.length);
  }
  const most = Math.max(...values);
  const unit = perBar === 1 ? '' : `, a bar is ${perBar} weeks`;
  const middle = median(values);
  const head = `${ink.heading('Diff Delta per week')}  ${ink.faint(`highest ${count(most)}, median ${count(middle)}${unit}`)}`;
  const first = dayOf(weeks[0]!.startMs);
  const last = dayOf(weeks.at(-1)!.startMs);
  const gap = values.length - first.length - last.length;
  const axis = gap >= 2 ? `${first}${' '.repeat(gap)}${last}` : first;
  return [head, ...risingBars(values, 3).map((row) => `  ${ink.chart(row)}`), `  ${ink.faint(axis)}`];
}

/** Every week from first to last; a stray date far from all others does not stretch the chart. */
function chartWeeks(weeks: SummaryTotals['weeks']): Week[] {
  const known = weeks.map(
    ({ start_date, diff_delta }): Week => ({ startMs: Date.parse(start_date), delta: diff_delta }),
  );
  const total = known.reduce((sum, week) => sum + week.delta, 0);
  const isStray = (edge: Week, next: Week | undefined): boolean =>
    next !== undefined && Math.abs(next.startMs - edge.startMs) > 104 * WEEK_MS && edge.delta <= total / 100;
  while (isStray(known[0]!, known[1])) known.shift();
  while (isStray(known.at(-1)!, known.at(-2))) known.pop();
  const deltas = new Map(known.map(({ startMs, delta }) => [startMs, delta]));
  const filled: Week[] = [];
  for (let startMs = known[0]!.startMs; startMs <= known.at(-1)!.startMs; startMs += WEEK_MS) {
    filled.push({ startMs, delta: deltas.get(startMs) ?? 0 });
  }
  return filled;
}

function sentences(totals: SummaryTotals, width: number, ink: Painter): string[] {
  const churn = percent(totals.lines_churned, totals.lines_changed);
  const rows: [string, string][] = [
    ['Churn', `${ink.strong(churn)} of changed lines rewrote or deleted code younger than ${CHURN_WINDOW}`],
  ];
  const evidence = percent(totals.lines_with_evidence, totals.lines_changed);
  const aiLines = totals.ai_lines;
  if (aiLines === null) rows.push(['AI share', 'unknown: no commit carries evidence']);
  else {
    const share = percent(aiLines, totals.lines_changed);
    const [low, high] = [totals.ai_lines_low, totals.ai_lines_high].map((end) =>
      percent(end ?? 0, totals.lines_changed),
    );
    rows.push([
      'AI share',
      `${ink.strong(share)} of changed lines (${low}–${high}); ${evidence} have evidence, the rest is unknown`,
    ]);
    const models = totals.ai_models
      .slice(0, 3)
      .map(({ model, ai_lines }) => `${plainText(model)} ${percent(ai_lines, aiLines)}`);
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
  const seen =
    totals.commit_count +
    totals.bot_commit_count +
    Object.values(totals.not_counted).reduce((sum, many) => sum + many, 0);
  const pace = `${count(seen)} ${seen === 1 ? 'commit' : 'commits'} read in ${seconds < 10 ? seconds.toFixed(1) : count(seconds)} s (${count(seen / seconds)} a second)`;
  const reasons = Object.entries(totals.skip_reasons)
    .filter(([, commits]) => commits > 0)
    .map(([reason, commits]) => `${reason} ${count(commits)}`);
  const skipped = totals.skipped_commit_count;
  return ink.faint(skipped === 0 ? pace : `${pace}; ${count(skipped)} not read in full (${reasons.join(', ')})`);
}

const dayOf = (time: string | number): string => new Date(time).toISOString().slice(0, 10);

/** With a comma before each three digits. The formats of `Intl` take longer to load than the screen to draw. */
function count(value: number): string {
  return String(Math.round(value)).replace(/\B(?=(?:\d{3})+$)/g, ',');
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
