// Teams against a few statistics: value, change, course. Groups below the floor are withheld, not blank.
import { useQueries, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { countPeople } from '../../api/count-people.ts';
import { reportQuery, type Segment, type Team, teamsQuery } from '../../api/queries.ts';
import { COVERAGE_WHY } from '../../api/said-of-report.ts';
import { Sparkline } from '../../charts/sparkline.tsx';
import { NOT_COMPARED, notCompared } from '../../report/compared/not-compared.ts';
import { Failed } from '../../report/empty/failed.tsx';
import { ALL_PROVIDERS, ALL_PROVIDERS_WHY, isOfAllProviders } from '../../report/filters/applied-filters.ts';
import { chooseForm } from '../../report/form-rule.ts';
import { daysOf, usePage } from '../../report/page-context.ts';
import { readReport } from '../../report/read-report.ts';
import { reportParams } from '../../report/report-params.ts';
import { countOf, describeChange, formatValue, NO_VALUE } from '../../text/numbers.ts';
import { inSentence, UNKNOWN_WHY } from '../../text/words.ts';
import { Button } from '../../ui/controls/button.tsx';
import { ChangeMark } from '../../ui/marks/change-mark.tsx';
import { Panel } from '../../ui/surfaces/panel.tsx';
import { pageLink, statisticLink } from '../../url/links.ts';
import { comparisonDays, passedDays } from '../../url/range.ts';
import styles from './overview.module.css';
import { readTeamCell, type TeamCell } from './team-cell.ts';

const COLUMNS = [
  'none',
  'churn_line_percent',
  'ai_code_line_percent',
  'pr_average_hours_awaiting_first_review',
  'defect_detected_count',
];
const MOST_COLUMNS = 4;
const MOST_ROWS = 12;
/** Everybody is in it, so it says nothing about teams. */
const EVERYBODY = 'all-contributors';

export function TeamMatrix() {
  const page = usePage();
  const { data } = useQuery(teamsQuery(page.entity.slug));
  const teams = (data?.teams ?? []).filter(
    ({ slug }) => slug !== EVERYBODY && (page.view.team === null || slug === page.view.team),
  );
  const columns = COLUMNS.flatMap((name) => page.segments.get(name) ?? [])
    .filter((segment) => segment.is_available && segment.aggregation_options.includes('team'))
    .slice(0, MOST_COLUMNS);
  if (teams.length === 0 || columns.length === 0) return null;
  return <Matrix teams={teams} columns={columns} />;
}

function Matrix({ teams, columns }: { readonly teams: readonly Team[]; readonly columns: readonly Segment[] }) {
  const page = usePage();
  const { entity, view, today } = page;
  const days = daysOf(page);
  const previous = comparisonDays(passedDays(days, today), view.vs, false);
  const query = (segment: Segment, range: typeof days) =>
    reportQuery(
      reportParams(
        entity.slug,
        { ...view, grain: 'auto', stat: 'mean' },
        { segment, days: range, by: 'team', withSummary: false },
      ),
      'together',
    );
  const now = useQueries({ queries: columns.map((segment) => query(segment, days)) });
  const before = useQueries({
    queries: columns.map((segment) => ({ ...query(segment, previous ?? days), enabled: previous !== null })),
  });
  const [sorting, setSorting] = useState<number | null>(null);
  const [showsAll, setShowsAll] = useState(false);

  const cellOf = (team: Team, column: number): TeamCell =>
    readTeamCell({
      team,
      segment: columns[column]!,
      now: now[column]?.data,
      past: previous === null || before[column]?.isPlaceholderData ? undefined : before[column]?.data,
      floor: entity.small_group_floor,
    });
  const rows = teams.map((team) => ({ team, cells: columns.map((_, column) => cellOf(team, column)) }));
  // Many teams begin with those that did most; few stay where people look for them.
  const isLong = rows.length > MOST_ROWS;
  const sortedBy = sorting ?? (isLong ? 0 : null);
  const valueIn = ({ cells }: (typeof rows)[number], column: number): number => cells[column]!.total ?? -1;
  const sorted = sortedBy === null ? rows : rows.toSorted((a, b) => valueIn(b, sortedBy) - valueIn(a, sortedBy));
  const failed = now.find(({ error }) => error !== null)?.error;
  if (failed !== undefined && failed !== null) {
    return (
      <Panel title="Teams">
        <Failed error={failed} />
      </Panel>
    );
  }
  return (
    <Panel title="Teams">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keys */}
      <section className={styles.scroll} tabIndex={0} aria-label="Teams by statistic">
        <table className={styles.matrix}>
          <thead>
            <tr>
              <th scope="col">Team</th>
              {columns.map((segment, column) => (
                <th key={segment.segment_em} scope="col" aria-sort={sortedBy === column ? 'descending' : undefined}>
                  <button type="button" onClick={() => setSorting(sorting === column ? null : column)}>
                    {segment.title} {sortedBy === column ? '↓' : ''}
                  </button>
                  {isOfAllProviders(view, now[column]?.data) && (
                    <span className={styles.wide} title={ALL_PROVIDERS_WHY} data-all-providers="">
                      {ALL_PROVIDERS}
                    </span>
                  )}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {sorted.slice(0, showsAll ? undefined : MOST_ROWS).map(({ team, cells }) => (
              <tr key={team.id}>
                <th scope="row">
                  <a
                    className={styles.team}
                    title={team.name}
                    href={pageLink(entity.slug, 'overview', { ...view, team: team.slug })}
                  >
                    {team.name}
                  </a>
                  <span className={styles.people}>{countOf(countPeople(team, today), 'person', 'people')}</span>
                </th>
                {cells.map((cell, column) => (
                  <td key={columns[column]!.segment_em}>
                    <CellContent cell={cell} segment={columns[column]!} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {isLong && (
        <Button look="quiet" size="small" onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? `Show the first ${MOST_ROWS}` : `Show all ${rows.length} teams`}
        </Button>
      )}
    </Panel>
  );
}

function CellContent({ cell, segment }: { readonly cell: TeamCell; readonly segment: Segment }) {
  const { entity, view, today } = usePage();
  const format = { unit: segment.unit, precision: segment.value_precision };
  if (cell.report === undefined) return null;
  const data = readReport(cell.report, today);
  const series = data.series.find(({ name }) => name === cell.series);
  if (cell.why !== null) {
    return (
      <span className={styles.withheld}>
        {NO_VALUE} <span>{inSentence(cell.why)}</span>
      </span>
    );
  }
  const value = series?.isUnknown ? 'Unknown' : formatValue(cell.total, format);
  const why = [series?.isUnknown ? [UNKNOWN_WHY] : [], cell.coverage === null ? [] : [COVERAGE_WHY]].flat();
  const figures = (
    <div className={styles.cell}>
      <a
        href={statisticLink(entity.slug, segment.segment_em, view, { by: 'team' })}
        title={why.length === 0 ? undefined : why.join(' ')}
        aria-label={cell.coverage === null ? undefined : `${value}, ${cell.coverage}`}
      >
        {value}
      </a>
      {series === undefined ? (
        <span />
      ) : (
        <Sparkline data={{ ...data, series: [series] }} form={chooseForm(segment, 'team', 1, false)} height={20} />
      )}
      {cell.cutAt === null || cell.total === null ? (
        <ChangeMark change={describeChange(cell.total, cell.before, format, segment.higher_is_better)} />
      ) : (
        <span className={styles.withheld} title={notCompared(cell.cutAt)}>
          {NOT_COMPARED}
        </span>
      )}
    </div>
  );
  if (cell.coverage === null) return figures;
  return (
    <>
      {figures}
      <span className={styles.wide} title={COVERAGE_WHY} data-coverage="">
        {cell.coverage}
      </span>
    </>
  );
}
