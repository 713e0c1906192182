// What the answers about all teams say of one of them. Teams without anything in the days have no series, and neither have
// those that are too small to be shown or too many: their figures are in a series of the rest.

import type { Report, Segment, Team } from '../../api/queries.ts';
import { coverageOf, importedFrom, seesNobody } from '../../api/said-of-report.ts';
import { fewerThan } from '../../report/empty/why-empty.ts';
import { isAdditive } from '../../report/form-rule.ts';

export interface TeamCell {
  readonly report: Report | undefined;
  /** Name of the team's series; null where it has none. */
  readonly series: string | null;
  readonly total: number | null;
  /** That the figure is of some of the team only; null where it is of all. */
  readonly coverage: string | null;
  readonly before: number | null;
  /** The day from which on all commits are imported, where that is why nothing is compared. */
  readonly cutAt: string | null;
  /** Why there is no value, where that is known. */
  readonly why: string | null;
}

export interface TeamQuestion {
  readonly team: Pick<Team, 'slug' | 'name'>;
  readonly segment: Segment;
  readonly now: Report | undefined;
  /** Of the days to compare with; undefined where they are not compared or not known yet. */
  readonly past: Report | undefined;
  /** Setting of the entity: groups of fewer people are withheld. */
  readonly floor: number;
}

export function readTeamCell({ team, segment, now, past, floor }: TeamQuestion): TeamCell {
  const cutAt = past === undefined ? null : importedFrom(past);
  const total = now === undefined ? null : totalIn(now, team, segment);
  const own = now === undefined ? undefined : seriesOf(now, team);
  return {
    report: now,
    series: own?.name ?? null,
    total,
    coverage: own?.contributors === undefined ? null : coverageOf(own.contributors),
    before: past === undefined || cutAt !== null ? null : totalIn(past, team, segment),
    cutAt,
    why: now === undefined || total !== null ? null : whyNone(now, team, floor),
  };
}

/** Beside the rest, a team of its name says that it is one. */
const besideRest = (name: string): string => `${name} (team)`;

function seriesOf(report: Report, { slug, name }: TeamQuestion['team']): Report['series'][number] | undefined {
  const teams = report.series.filter(({ is_rest }) => is_rest !== true);
  const own = teams.find((series) => series.name === slug || series.name === name || series.title === name);
  return own ?? (hasRest(report) ? teams.find((series) => series.name === besideRest(name)) : undefined);
}

/** A sum over a team that has no series is 0, unless it may be in the rest or is not the reader's to see. */
function totalIn(report: Report, team: TeamQuestion['team'], segment: Segment): number | null {
  const own = seriesOf(report, team);
  if (own !== undefined) return own.total;
  const { contributors, withheld } = report.context;
  const isWhole = withheld === undefined && contributors.covered === contributors.total && !hasRest(report);
  return isWhole && isAdditive(segment) ? 0 : null;
}

const hasRest = ({ series }: Report): boolean => series.some(({ is_rest }) => is_rest === true);

function whyNone(report: Report, team: TeamQuestion['team'], floor: number): string | null {
  if (seesNobody(report)) return 'Not yours to see';
  if (report.context.withheld !== undefined) return fewerThan(report.context.withheld.floor);
  if (seriesOf(report, team) !== undefined) return null;
  // Some of it may be somebody else's to see: this is true of a team without work, too.
  if (coverageOf(report.context.contributors) !== null) return 'Nothing that is yours to see';
  if (!hasRest(report)) return null;
  // Who was active counts, not who is a member; nobody at all is fewer too, so this is true of a team without work.
  return floor > 1 ? `${fewerThan(floor)} in these days` : 'Not among the largest teams';
}
