// The question that a statistic's page begins with, known from its address before anything of the page is drawn.
import type { Imports, Introspection, Me, Report } from '../api/queries.ts';
import type { Params } from '../api/schema.ts';
import { dayInZone } from '../text/dates.ts';
import { resolveRange } from '../url/range.ts';
import { parsePoint, parseView } from '../url/view.ts';
import { evidenceOf, findPoint } from './evidence/find-point.ts';
import { parseKnownView } from './filters/known-view.ts';
import { hasSummary } from './form-rule.ts';
import { chosenAggregation, reportParams } from './report-params.ts';

interface Known {
  readonly me: Me;
  readonly introspection: Introspection;
  readonly imports: Imports;
  readonly now: Date;
}

/** Null where there is nothing to ask for: an entity or statistic that is unknown or has no data. */
export function firstQuestion(
  { me, introspection, imports, now }: Known,
  place: { readonly entity: string; readonly segment: string; readonly search: string },
): Params<'GET /reports'> | null {
  const entity = me.entities.find(({ slug }) => slug === place.entity);
  const segment = introspection.segments.find(({ segment_em: name }) => name === place.segment);
  if (entity === undefined || segment === undefined || !segment.is_available) return null;
  const view = parseKnownView(place.search, introspection.display_names);
  const days = resolveRange(view.range, dayInZone(now, entity.time_zone), imports.data.first_on);
  const by = chosenAggregation(segment, view);
  return reportParams(entity.slug, view, { segment, days, by, withSummary: hasSummary(segment, by) });
}

/** The records that an open drawer begins with; null where it is closed or its point is not known yet. */
export function firstEvidence(report: Report | undefined, search: string): Readonly<Record<string, string>> | null {
  const { at, kind } = parseView(search);
  const found = at === null || report === undefined ? null : findPoint(report, parsePoint(at));
  return found === null ? null : evidenceOf(found.query, kind);
}
