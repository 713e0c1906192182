// One statistic as a card: value, change, course. The whole card leads to the statistic's page.
import { isUnknown } from '../api/blank-unknown.ts';
import type { Segment } from '../api/queries.ts';
import { COVERAGE_WHY, coverageOf } from '../api/said-of-report.ts';
import { hasValues } from '../charts/chart-data.ts';
import { Sparkline } from '../charts/sparkline.tsx';
import { describeChange, formatValue, unitOf, unitWords } from '../text/numbers.ts';
import { sentence, UNKNOWN_WHY } from '../text/words.ts';
import { ChangeMark } from '../ui/marks/change-mark.tsx';
import { statisticLink } from '../url/links.ts';
import { writeCaption } from './caption.ts';
import { NOT_COMPARED, notCompared } from './compared/not-compared.ts';
import { findGoneFilter } from './empty/gone-filter.ts';
import { useEmptyAnswer } from './empty/use-empty-answer.ts';
import { ALL_PROVIDERS, ALL_PROVIDERS_WHY, isOfAllProviders } from './filters/applied-filters.ts';
import { usePage } from './page-context.ts';
import styles from './tile.module.css';
import { type Figures, type ReportOptions, useReport } from './use-report.ts';

const SPARKLINE_HEIGHT = 44;
/** As in tile.module.css. */
const COVERAGE_HEIGHT = 24;

/** How a card asks; whoever asks the same gets its answer without a further call. */
export const TILE_OPTIONS: ReportOptions = {
  change: { view: 'chart', grain: 'auto', stat: 'mean' },
  withGhost: false,
  sending: 'together',
};

export function Tile({ segment }: { readonly segment: Segment }) {
  const page = usePage();
  const { entity, view, today } = page;
  const figures = useReport(segment, 'none', TILE_OPTIONS);
  const { data, total, before, cutAt, isOld, report, error } = figures;
  const format = { unit: segment.unit, precision: segment.value_precision };
  const shown = report === undefined ? '' : isUnknown(report) ? 'Unknown' : formatValue(total, format);
  const coverage = report === undefined || total === null ? null : coverageOf(report.context.contributors);
  // Whether there is one shows with the answer: the course makes room for it, so that nothing below moves.
  const height = coverage === null ? SPARKLINE_HEIGHT : SPARKLINE_HEIGHT - COVERAGE_HEIGHT;
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
          <span className={styles.unit}>{unitOf(total, format)}</span>
        ) : null}
      </p>
      <p className={styles.change}>
        <ChangeMark change={describeChange(total, before, format, segment.higher_is_better)} />
        {cutAt === null || total === null ? null : (
          <span className={styles.quiet} title={notCompared(cutAt)}>
            {NOT_COMPARED}
          </span>
        )}
      </p>
      {coverage === null ? null : (
        <p className={styles.wide}>
          <span title={COVERAGE_WHY} data-coverage="">
            {coverage}
          </span>
        </p>
      )}
      {view.ai === null ? null : (
        <p className={styles.wide}>
          {isOfAllProviders(view, report) ? (
            <span title={ALL_PROVIDERS_WHY} data-all-providers="">
              {ALL_PROVIDERS}
            </span>
          ) : null}
        </p>
      )}
      {data !== null && hasValues(data) ? (
        <Sparkline data={data} form={figures.form} height={height} />
      ) : (
        <div style={{ minHeight: height }} className={styles.none}>
          {report === undefined ? (
            error === null ? null : (
              sentence(findGoneFilter(error, page)?.title ?? error.message)
            )
          ) : isUnknown(report) ? (
            UNKNOWN_WHY
          ) : (
            <Reason figures={figures} />
          )}
        </div>
      )}
    </figure>
  );
}

/** In one line: the statistic's own page says more. */
function Reason({ figures }: { readonly figures: Figures }) {
  const { title } = useEmptyAnswer(figures);
  return title;
}
