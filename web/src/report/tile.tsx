// One statistic as a card: value, change, course. The whole card leads to the statistic's page.
import { isUnknown } from '../api/blank-unknown.ts';
import type { Segment } from '../api/queries.ts';
import { hasValues } from '../charts/chart-data.ts';
import { Sparkline } from '../charts/sparkline.tsx';
import { describeChange, formatValue, singular, unitWords } from '../text/numbers.ts';
import { sentence, UNKNOWN_WHY } from '../text/words.ts';
import { ChangeMark } from '../ui/marks/change-mark.tsx';
import { statisticLink } from '../url/links.ts';
import { writeCaption } from './caption.ts';
import { usePage } from './page-context.ts';
import styles from './tile.module.css';
import { useReport } from './use-report.ts';

const SPARKLINE_HEIGHT = 44;

export function Tile({ segment }: { readonly segment: Segment }) {
  const { entity, view, today } = usePage();
  const figures = useReport(segment, 'none', {
    change: { view: 'chart', grain: 'auto', stat: 'mean' },
    withGhost: false,
    sending: 'together',
  });
  const { data, total, before, isOld, report, error } = figures;
  const format = { unit: segment.unit, precision: segment.value_precision };
  const shown = report === undefined ? '' : isUnknown(report) ? 'Unknown' : formatValue(total, format);
  return (
    <figure
      className={styles.tile}
      data-old={isOld || undefined}
      data-segment={segment.segment_em}
      data-drawn={report === undefined && error === null ? undefined : ''}
    >
      <figcaption>
        <a
          className={styles.title}
          href={statisticLink(entity.slug, segment.segment_em, view)}
          title={segment.description}
        >
          {segment.title}
        </a>
        <span className="visually-hidden">{data === null ? '' : writeCaption(segment, data, figures.days, today)}</span>
      </figcaption>
      <p className={styles.value}>
        {shown}
        {shown !== '' &&
        total !== null &&
        unitWords(segment.unit) !== '' &&
        unitWords(segment.unit) !== segment.title ? (
          <span className={styles.unit}>{singular(total, unitWords(segment.unit))}</span>
        ) : null}
      </p>
      <p className={styles.change}>
        <ChangeMark change={describeChange(total, before, format, segment.higher_is_better)} />
      </p>
      {data !== null && hasValues(data) ? (
        <Sparkline data={data} form={figures.form} height={SPARKLINE_HEIGHT} />
      ) : (
        <div style={{ height: SPARKLINE_HEIGHT }} className={styles.none}>
          {report === undefined
            ? error === null
              ? null
              : sentence(error.message)
            : isUnknown(report)
              ? UNKNOWN_WHY
              : (report.missing?.[0]?.remedy ?? 'nothing in these days')}
        </div>
      )}
    </figure>
  );
}
