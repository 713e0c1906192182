// Are we all right, and what moved? Tiles, the hero chart with releases and defects, teams, what else is
// possible. Without a repo it is the first run instead.
import { isBusy } from '../../api/queries.ts';
import { AlsoPossible } from '../../report/empty/also-possible.tsx';
import { GoneNotice } from '../../report/empty/gone-notice.tsx';
import { OutsideNotice } from '../../report/empty/outside-notice.tsx';
import { usePage } from '../../report/page-context.ts';
import { Tiles } from '../../report/tiles.tsx';
import { formatRelative } from '../../text/dates.ts';
import { countOf } from '../../text/numbers.ts';
import layout from '../../ui/surfaces/page.module.css';
import { pageLink } from '../../url/links.ts';
import { FirstRun } from './first-run.tsx';
import { Hero } from './hero.tsx';
import styles from './overview.module.css';
import { RunningImports } from './running-imports.tsx';
import { TeamMatrix } from './team-matrix.tsx';

/** In the order of the page; those without data fold into one row. */
const TILES = [
  'none',
  'churn_line_percent',
  'active_committer_in_week_count',
  'ai_code_line_percent',
  'pr_cycle',
  'dora_change_lead_time',
  'release_count',
  'change_failure_rate',
  'defect_detected_count',
] as const;

export function OverviewPage() {
  const { segments, imports, entity, view } = usePage();
  if (imports.repos.length === 0 && imports.data.first_on === null) return <FirstRun />;
  const tiles = TILES.flatMap((name) => segments.get(name) ?? []).filter(
    ({ is_available: isAvailable }) => isAvailable,
  );
  const failed = imports.repos.filter(({ phase_em: phase }) => phase === 'failed').length;
  const newest = imports.repos
    .map(({ last_processed_at: at }) => at)
    .filter((at) => at !== null)
    .toSorted()
    .at(-1);
  return (
    <div className={layout.page}>
      <title>{`Overview · ${entity.name} · Strata`}</title>
      <header className={layout.head}>
        <h1>Overview</h1>
        <p className={styles.fresh}>
          {newest === undefined ? null : <span>last read {formatRelative(newest, new Date())}</span>}
          <span>{countOf(imports.repos.length, 'repo')}</span>
          {failed > 0 ? <a href={pageLink(entity.slug, 'imports', view)}>{countOf(failed, 'import')} failed</a> : null}
        </p>
      </header>
      {imports.repos.some(isBusy) && <RunningImports />}
      <GoneNotice segments={tiles} />
      <OutsideNotice segments={tiles} />
      <Tiles segments={tiles} />
      <Hero />
      <TeamMatrix />
      <AlsoPossible segments={[...segments.values()].filter(({ is_available: isAvailable }) => !isAvailable)} />
    </div>
  );
}
