// The same numbers as a table: intervals down, series across. Each cell links to the records behind it.
import { formatInterval } from '../text/dates.ts';
import { formatValue, unitHeading } from '../text/numbers.ts';
import { UNKNOWN_WHY } from '../text/words.ts';
import type { ChartData, Series } from './chart-data.ts';
import styles from './table-twin.module.css';

interface TableTwinProps {
  readonly data: ChartData;
  readonly title: string;
  readonly today: string;
  readonly hrefOf: (series: Series, index: number) => string | null;
  readonly selected?: { readonly name: string; readonly start: string } | null;
}

export function TableTwin({ data, title, today, hrefOf, selected }: TableTwinProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keys
    <section className={styles.scroll} tabIndex={0} aria-label={`${title}, as a table`}>
      <table className={styles.table}>
        <caption className="visually-hidden">
          {title}, in {unitHeading(data.unit)}
        </caption>
        <thead>
          <tr>
            <th scope="col">{{ daily: 'Day', weekly: 'Week', monthly: 'Month' }[data.intervalName]}</th>
            {data.series.map((series) => (
              <th key={series.name} scope="col" className={styles.number}>
                {series.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {data.intervals
            .map((interval, index) => ({ interval, index }))
            .toReversed()
            .map(({ interval, index }) => (
              <tr key={interval.start}>
                <th scope="row">
                  {formatInterval(interval.start, interval.end, today)}
                  {interval.isOpen ? <span className={styles.soFar}>so far</span> : null}
                </th>
                {data.series.map((series) => (
                  <Cell
                    key={series.name}
                    text={formatValue(series.values[index], data)}
                    isUnknown={series.unknown?.[index] ?? false}
                    href={(series.values[index] ?? null) === null ? null : hrefOf(series, index)}
                    isSelected={selected?.name === series.name && selected.start === interval.start}
                  />
                ))}
              </tr>
            ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">Whole range</th>
            {data.series.map((series) => (
              <Cell
                key={series.name}
                text={formatValue(series.total, data)}
                isUnknown={series.isUnknown ?? false}
                href={null}
                isSelected={false}
              />
            ))}
          </tr>
        </tfoot>
      </table>
    </section>
  );
}

interface CellProps {
  readonly text: string;
  readonly href: string | null;
  readonly isSelected: boolean;
  readonly isUnknown: boolean;
}

function Cell({ text, href, isSelected, isUnknown }: CellProps) {
  return (
    <td className={styles.number} data-selected={isSelected || undefined} title={isUnknown ? UNKNOWN_WHY : undefined}>
      {isUnknown ? <span className="visually-hidden">unknown</span> : null}
      {href === null ? text : <a href={href}>{text}</a>}
    </td>
  );
}
