// The value of the whole range, and how it compares.
import { COVERAGE_WHY, coverageOf } from '../api/said-of-report.ts';
import { formatInterval } from '../text/dates.ts';
import { describeChange, formatValue, unitOf, unitWords } from '../text/numbers.ts';
import { ChangeMark } from '../ui/marks/change-mark.tsx';
import { notCompared } from './compared/not-compared.ts';
import styles from './headline.module.css';
import { usePage } from './page-context.ts';
import type { Figures } from './use-report.ts';

const BEFORE = { prev: 'the period before', year: 'a year before', none: '' } as const;

export function Headline({ figures }: { readonly figures: Figures }) {
  const { view, today } = usePage();
  const { segment, total, before, beforeDays, cutAt, report } = figures;
  const format = { unit: segment.unit, precision: segment.value_precision };
  const coverage = report === undefined ? null : coverageOf(report.context.contributors);
  return (
    <p className={styles.headline} data-empty={(report !== undefined && total === null) || undefined}>
      {report === undefined || total === null ? null : (
        <span className={styles.value}>{formatValue(total, format)}</span>
      )}
      {total === null || unitWords(segment.unit) === '' ? null : (
        <span className={styles.unit}>{unitOf(total, format)}</span>
      )}
      <ChangeMark change={describeChange(total, before, format, segment.higher_is_better)} />
      {before === null || total === null ? null : (
        <span className={styles.quiet}>
          {formatValue(before, format)} {BEFORE[view.vs]}
          {beforeDays === null ? null : `, ${formatInterval(beforeDays.start, beforeDays.end, today)}`}
        </span>
      )}
      {cutAt === null || total === null ? null : <span className={styles.quiet}>{notCompared(cutAt)}</span>}
      {coverage === null ? null : (
        <span className={styles.quiet} title={COVERAGE_WHY}>
          {coverage}
        </span>
      )}
    </p>
  );
}
