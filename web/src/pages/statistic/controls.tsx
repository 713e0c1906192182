// How the statistic is shown: view, split, interval, and which statistic of times.
import { offersShares } from '../../report/form-rule.ts';
import { hereWith, usePage } from '../../report/page-context.ts';
import { chosenGrain } from '../../report/report-params.ts';
import type { Figures } from '../../report/use-report.ts';
import { capitalize, inSentence } from '../../text/words.ts';
import { Switcher } from '../../ui/controls/switcher.tsx';
import { offersGrain } from '../../url/range.ts';
import type { Aggregation, View } from '../../url/view.ts';
import styles from './statistic.module.css';

const GRAINS = [
  ['auto', 'Auto'],
  ['day', 'By day'],
  ['week', 'By week'],
  ['month', 'By month'],
] as const;

const INTERVALS = { daily: 'by day', weekly: 'by week', monthly: 'by month' } as const;

export function Controls({ figures }: { readonly figures: Figures }) {
  const page = usePage();
  const { view, names, go } = page;
  const { segment, by, data } = figures;
  const count = data?.series.length ?? 0;
  const views: readonly View['view'][] = offersShares(segment, count)
    ? ['chart', 'share', 'table']
    : ['chart', 'table'];
  const change = (own: Partial<View>): void => go(hereWith(page, { ...own, at: null }), 'replace');
  return (
    <>
      {segment.has_time_statistics && (
        <select
          className={styles.select}
          aria-label="Statistic of times"
          value={view.stat}
          onChange={(event) => change({ stat: event.target.value as View['stat'] })}
        >
          {(['mean', 'median', 'p75', 'p90'] as const).map((name) => (
            <option key={name} value={name}>
              {capitalize(names.time_statistic[name] ?? name)}
            </option>
          ))}
        </select>
      )}
      {segment.aggregation_options.length > 1 && (
        <select
          className={styles.select}
          aria-label="One series for each"
          value={by}
          onChange={(event) => change({ by: event.target.value as Aggregation })}
        >
          {segment.aggregation_options.map((option) => (
            <option key={option} value={option}>
              {option === 'none' ? 'Not split' : `By ${inSentence(names.aggregation[option] ?? option)}`}
            </option>
          ))}
        </select>
      )}
      <select
        className={styles.select}
        aria-label="Length of an interval"
        value={chosenGrain(view, figures.days)}
        onChange={(event) => change({ grain: event.target.value as View['grain'] })}
      >
        {GRAINS.filter(([grain]) => grain === 'auto' || offersGrain(grain, figures.days)).map(([grain, label]) => (
          <option key={grain} value={grain}>
            {grain === 'auto' && data !== null ? `${label}: ${INTERVALS[data.intervalName]}` : label}
          </option>
        ))}
      </select>
      <Switcher
        label="View"
        options={views.map((name) => ({
          key: name,
          text: capitalize(name),
          href: hereWith(page, { view: name }),
          isCurrent: name === view.view || (name === 'chart' && !views.includes(view.view)),
        }))}
      />
    </>
  );
}
