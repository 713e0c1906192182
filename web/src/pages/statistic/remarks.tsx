// What the answer says about its own figures: warnings, what is left out, how sure AI figures are.
import { findGaps } from '../../api/blank-unknown.ts';
import { isSaidOfProvider } from '../../api/said-of-report.ts';
import type { Figures } from '../../report/use-report.ts';
import { formatDay } from '../../text/dates.ts';
import { countOf, formatCount, formatValue } from '../../text/numbers.ts';
import { sentence, UNKNOWN_WHY, wireWords } from '../../text/words.ts';
import { Notice } from '../../ui/surfaces/notice.tsx';
import styles from './statistic.module.css';

const INTERVAL_NOUNS = { daily: 'day', weekly: 'week', monthly: 'month' } as const;
const COPY_WORDS: Readonly<Record<string, string>> = {
  rebase_copy: 'rebased',
  cherry_pick_copy: 'cherry-picked',
  squash_source: 'squashed into others',
};
const MOST_NAMES = 4;
const ISO_DAY = /\b\d{4}-\d{2}-\d{2}\b/g;

const listNames = (names: readonly string[]): string =>
  names.length <= MOST_NAMES
    ? names.join(', ')
    : `${names.slice(0, MOST_NAMES).join(', ')} and ${names.length - MOST_NAMES} more`;

export function Remarks({ figures }: { readonly figures: Figures }) {
  const { report, segment } = figures;
  if (report === undefined) return null;
  const {
    ai_range: range,
    lines_left_out: left,
    agent_work_left_out: agents,
    copies_left_out: copies,
  } = report.context;
  const format = { unit: segment.unit, precision: segment.value_precision };
  const gaps = findGaps(report);
  const remarks = [
    ...(gaps.series.length === 0 ? [] : [`Unknown, not zero: ${listNames(gaps.series)}. ${UNKNOWN_WHY}`]),
    ...(gaps.intervals === 0
      ? []
      : [
          `${countOf(gaps.intervals, INTERVAL_NOUNS[report.interval_em])} ${gaps.intervals === 1 ? 'has' : 'have'} a gap instead of a 0: code was changed and nothing says who wrote it.`,
        ]),
    ...(range === undefined || range.low === range.high
      ? []
      : [
          `Rests on evidence of AI: between ${formatValue(range.low, format)}, counting only what is sure, and ${formatValue(range.high, format)}, counting all lines of commits with evidence.`,
        ]),
    ...(left === undefined || left.lines === 0
      ? []
      : [
          `${countOf(left.lines, 'changed line')} (${formatValue(left.percent, { unit: '%', precision: 1 })}) are left out because of the kind of file: ${Object.entries(
            left.by_category,
          )
            .toSorted(([, a], [, b]) => b - a)
            .slice(0, 3)
            .map(([category, lines]) => `${category} ${formatCount(lines)}`)
            .join(', ')}.`,
        ]),
    ...(agents === undefined || agents.commits === 0
      ? []
      : [`${countOf(agents.commits, 'commit')} of AI agents that no person is known to have directed are not in it.`]),
    ...(copies === undefined
      ? []
      : [
          `${countOf(copies.commits, 'copy', 'copies')} of commits ${copies.commits === 1 ? 'is' : 'are'} left out, because the work counts once: ${Object.entries(
            copies.by_reason,
          )
            .map(([reason, count]) => `${formatCount(count)} ${COPY_WORDS[reason] ?? wireWords(reason)}`)
            .join(', ')}.`,
        ]),
  ];
  // The figure says both in its own words.
  const warnings = (report.warnings ?? []).filter(
    (warning) => !warning.startsWith('this statistic has no figures') && !isSaidOfProvider(warning),
  );
  if (remarks.length + warnings.length === 0) return null;
  return (
    <div className={styles.remarks}>
      {warnings.map((warning) => (
        <Notice key={warning} kind="warning">
          {sentence(warning.replaceAll(ISO_DAY, formatDay))}
        </Notice>
      ))}
      {remarks.map((remark) => (
        <Notice key={remark}>{remark}</Notice>
      ))}
    </div>
  );
}
