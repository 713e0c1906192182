// How a statistic is computed: what is counted, what it is divided by, how intervals are combined.
import type { Explanation, Segment } from '../../api/queries.ts';
import { countOf, formatMeasure } from '../../text/numbers.ts';
import { capitalize, wireWords } from '../../text/words.ts';
import { usePage } from '../page-context.ts';
import styles from './how-computed.module.css';

interface HowComputedProps {
  readonly segment: Segment;
  readonly explanation?: Explanation;
}

export function HowComputed({ segment, explanation }: HowComputedProps) {
  const { names } = usePage();
  const rows: (readonly [string, string])[] = [
    ['Definition', segment.description],
    ['Combined by', capitalize(segment.interval_combination)],
    ...(segment.divided_by === null ? [] : [['Divided by', capitalize(segment.divided_by)] as const]),
    ...(explanation === undefined
      ? []
      : [
          [
            'Counted here',
            explanation.parts.map(({ measure, total }) => `${wireWords(measure)}: ${formatMeasure(total)}`).join('; '),
          ] as const,
        ]),
    ['Unit', `${segment.unit}, ${countOf(segment.value_precision, 'decimal')}`],
    ['Made from', segment.data_requirements.map((kind) => names.data_kind[kind] ?? wireWords(kind)).join(', ')],
    ['Better when', segment.higher_is_better === null ? 'Neither way' : segment.higher_is_better ? 'More' : 'Less'],
  ];
  return (
    <dl className={styles.list}>
      {rows.map(([term, text]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}
