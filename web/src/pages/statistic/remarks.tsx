// What the answer says about its own figures: warnings, what is left out, how sure AI figures are.
import type { Figures } from '../../report/use-report.ts';
import { countOf, formatCount, formatValue } from '../../text/numbers.ts';
import { capitalize } from '../../text/words.ts';
import { Notice } from '../../ui/surfaces/notice.tsx';
import styles from './statistic.module.css';

export function Remarks({ figures }: { readonly figures: Figures }) {
  const { report, segment } = figures;
  if (report === undefined) return null;
  const { ai_range: range, lines_left_out: left, agent_work_left_out: agents } = report.context;
  const format = { unit: segment.unit, precision: segment.value_precision };
  const remarks = [
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
  ];
  const warnings = (report.warnings ?? []).filter((warning) => !warning.startsWith('this statistic has no figures'));
  if (remarks.length + warnings.length === 0) return null;
  return (
    <div className={styles.remarks}>
      {warnings.map((warning) => (
        <Notice key={warning} kind="warning">
          {capitalize(warning)}
        </Notice>
      ))}
      {remarks.map((remark) => (
        <Notice key={remark}>{remark}</Notice>
      ))}
    </div>
  );
}
