// The value of the whole range, and how it compares.
import { describeChange, formatValue, singular, unitWords } from '../text/numbers.ts';
import { ChangeMark } from '../ui/marks/change-mark.tsx';
import styles from './headline.module.css';
import { usePage } from './page-context.ts';
import type { Figures } from './use-report.ts';

const BEFORE = { prev: 'the period before', year: 'a year before', none: '' } as const;

export function Headline({ figures }: { readonly figures: Figures }) {
  const { view } = usePage();
  const { segment, total, before, report } = figures;
  const format = { unit: segment.unit, precision: segment.value_precision };
  const people = report?.context.contributors;
  return (
    <p className={styles.headline} data-empty={(report !== undefined && total === null) || undefined}>
      {report === undefined || total === null ? null : (
        <span className={styles.value}>{formatValue(total, format)}</span>
      )}
      {total === null || unitWords(segment.unit) === '' ? null : (
        <span className={styles.unit}>{singular(total, unitWords(segment.unit))}</span>
      )}
      <ChangeMark change={describeChange(total, before, format, segment.higher_is_better)} />
      {before === null || total === null ? null : (
        <span className={styles.quiet}>
          {formatValue(before, format)} {BEFORE[view.vs]}
        </span>
      )}
      {people !== undefined && people.covered < people.total ? (
        <span className={styles.quiet}>
          covers {people.covered} of {people.total} developers
        </span>
      ) : null}
    </p>
  );
}
