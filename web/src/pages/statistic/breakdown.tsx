// The statistic by each thing it can be split by: a ranked table with the course of each.
import { memo } from 'react';
import type { Segment } from '../../api/queries.ts';
import type { ChartData, Series } from '../../charts/chart-data.ts';
import { Sparkline } from '../../charts/sparkline.tsx';
import { Failed } from '../../report/empty/failed.tsx';
import { useEmptyAnswer } from '../../report/empty/use-empty-answer.ts';
import { ALL_PROVIDERS_WHY, isOfAllProviders } from '../../report/filters/applied-filters.ts';
import { chooseForm, otherSplits } from '../../report/form-rule.ts';
import { hereWith, type PageContext, usePage } from '../../report/page-context.ts';
import { type Figures, useReport } from '../../report/use-report.ts';
import { formatValue, unitHeading } from '../../text/numbers.ts';
import { inSentence, sentence, UNKNOWN_WHY } from '../../text/words.ts';
import { Switcher } from '../../ui/controls/switcher.tsx';
import { Panel } from '../../ui/surfaces/panel.tsx';
import type { Aggregation } from '../../url/view.ts';
import styles from './statistic.module.css';

const MOST_ROWS = 12;

interface BreakdownProps {
  readonly segment: Segment;
  readonly by: Aggregation;
  /** The statistic itself is under way. */
  readonly isWaiting: boolean;
}

/** Not drawn anew when the pointer moves over the chart. */
export const Breakdown = memo(function Breakdown({ segment, by, isWaiting }: BreakdownProps) {
  const page = usePage();
  const splits = otherSplits(segment, by);
  const chosen = splits.find((split) => split === page.view.split) ?? firstSplit(splits, page);
  if (chosen === undefined) return null;
  return (
    <Panel title="Breakdown">
      <Switcher
        look="tabs"
        label="Split by"
        options={splits.map((split) => ({
          key: split,
          text: `By ${inSentence(page.names.aggregation[split] ?? split)}`,
          href: hereWith(page, { split }),
          isCurrent: split === chosen,
        }))}
      />
      <Ranked key={chosen} segment={segment} by={chosen} isWaiting={isWaiting} />
    </Panel>
  );
});

/** The first that has several rows: without teams, and with one repo, people tell more. */
function firstSplit(splits: readonly Aggregation[], { imports, segments }: PageContext): Aggregation | undefined {
  const hasTeams = [...segments.values()].every(({ missing }) =>
    missing.every(({ data_kind: kind }) => kind !== 'teams'),
  );
  const isWorthIt = (split: Aggregation): boolean =>
    split === 'team' ? hasTeams : split === 'repo' ? imports.repos.length > 1 : split === 'committer';
  return splits.find(isWorthIt) ?? splits[0];
}

function Ranked({ segment, by, isWaiting }: BreakdownProps) {
  const page = usePage();
  const figures = useReport(segment, by, { withGhost: false, isWaiting });
  const { data } = figures;
  if (figures.error !== null) return <Failed error={figures.error} />;
  if (data === null) return <div style={{ height: 120 }} />;
  // Without a group to name, the answer has one series that is called like the statistic.
  const rows = data.series
    .filter(({ name, total, isUnknown }) => (total !== null || isUnknown === true) && name !== segment.title)
    .toSorted((a, b) => (b.total ?? -1) - (a.total ?? -1));
  if (rows.length === 0) {
    return <NoRows figures={figures} />;
  }
  const isWide = isOfAllProviders(page.view, figures.report);
  return (
    <>
      {isWide && (
        <p className={styles.wide} data-all-providers="">
          {ALL_PROVIDERS_WHY}
        </p>
      )}
      <RankedTable segment={segment} by={by} data={data} rows={rows} />
    </>
  );
}

interface RankedTableProps extends Pick<BreakdownProps, 'segment' | 'by'> {
  readonly data: ChartData;
  readonly rows: readonly Series[];
}

function RankedTable({ segment, by, data, rows }: RankedTableProps) {
  const page = usePage();
  return (
    <table className={styles.ranked}>
      <thead>
        <tr>
          <th scope="col">{page.names.aggregation[by] ?? by}</th>
          <th scope="col">Over time</th>
          <th scope="col" className={styles.number}>
            {unitHeading(segment.unit)}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.slice(0, MOST_ROWS).map((series) => (
          <tr key={series.name}>
            <th scope="row">{series.title}</th>
            <td className={styles.spark}>
              <Sparkline data={{ ...data, series: [series] }} form={chooseForm(segment, by, 1, false)} height={22} />
            </td>
            <td className={styles.number} title={series.isUnknown ? UNKNOWN_WHY : undefined}>
              <a href={hereWith(page, { by, split: null, at: null })}>
                {series.isUnknown ? 'Unknown' : formatValue(series.total, data)}
              </a>
            </td>
          </tr>
        ))}
        {rows.length > MOST_ROWS && (
          <tr>
            <th scope="row" colSpan={3}>
              <a href={hereWith(page, { by, view: 'table', split: null })}>
                {rows.length - MOST_ROWS} more in the table
              </a>
            </th>
          </tr>
        )}
      </tbody>
    </table>
  );
}

function NoRows({ figures }: { readonly figures: Figures }) {
  const { title } = useEmptyAnswer(figures);
  return <p className={styles.remarks}>{figures.report?.missing?.[0]?.remedy ?? sentence(title)}</p>;
}
