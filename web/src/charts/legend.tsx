// Names of the series; each links to the records of the whole range.
import { formatValue } from '../text/numbers.ts';
import styles from './chart.module.css';
import { type ChartData, type Form, isStacked, type Scheme, type Series } from './chart-data.ts';
import { isHatched, lineDash, seriesColor } from './colors.ts';

interface LegendProps {
  readonly data: ChartData;
  readonly form: Form;
  readonly scheme: Scheme;
  readonly hrefOf: (series: Series) => string | null;
  readonly ghostLabel: string | null;
}

export function Legend({ data, form, scheme, hrefOf, ghostLabel }: LegendProps) {
  if (data.series.length < 2 && ghostLabel === null) return null;
  const count = data.series.length;
  return (
    <ul className={styles.legend}>
      {count > 1 &&
        data.series.map((series, at) => {
          const color = seriesColor(at, count, scheme, series);
          const href = hrefOf(series);
          const text = (
            <>
              <svg width="16" height="10" aria-hidden="true">
                {isStacked(form) ? (
                  <>
                    <rect width="16" height="10" rx="2" fill={color} />
                    {isHatched(at) && scheme === 'categories' && form !== 'stacked area' && (
                      <rect width="16" height="10" rx="2" fill="url(#hatch)" className={styles.hatch} />
                    )}
                  </>
                ) : (
                  <line x1="0" x2="16" y1="5" y2="5" stroke={color} strokeWidth="2.5" strokeDasharray={lineDash(at)} />
                )}
              </svg>
              <span className={styles.legendName} title={series.title}>
                {series.title}
              </span>
              {series.total !== null && <span className={styles.legendTotal}>{formatValue(series.total, data)}</span>}
            </>
          );
          return (
            <li key={series.name} className={styles.legendEntry} data-legend={series.title}>
              {href === null ? (
                <span className={styles.legendItem}>{text}</span>
              ) : (
                <a className={styles.legendItem} href={href}>
                  {text}
                </a>
              )}
            </li>
          );
        })}
      {ghostLabel !== null && (
        <li className={styles.legendItem} data-legend={ghostLabel}>
          <svg width="16" height="10" aria-hidden="true">
            <line x1="0" x2="16" y1="5" y2="5" className={styles.ghostSwatch} />
          </svg>
          <span>{ghostLabel}</span>
        </li>
      )}
    </ul>
  );
}
