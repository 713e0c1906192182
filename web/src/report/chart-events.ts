// Releases and defects as the strip under a chart shows them: each on its day of the entity's zone, where reports count it.
import type { Answer } from '../api/schema.ts';
import type { ChartEvent } from '../charts/chart-data.ts';
import { dayInZone, dayOfWords } from '../text/dates.ts';

interface Listed {
  readonly releases: readonly Pick<Answer<'GET /releases'>, 'releases'>[];
  readonly defects: readonly Pick<Answer<'GET /critical_defects'>, 'critical_defects'>[];
}

export function chartEvents({ releases, defects }: Listed, zone: string): readonly ChartEvent[] {
  return [
    ...releases
      .flatMap((page) => page.releases)
      .map(
        ({ name, released_at: at }): ChartEvent => ({
          kind: 'release',
          day: dayInZone(new Date(at), zone),
          title: `Release ${name}`,
          href: null,
        }),
      ),
    // Moments of defects are written in the entity's zone.
    ...defects
      .flatMap((page) => page.critical_defects)
      .flatMap(({ defectKey, detectedAt }): ChartEvent[] => {
        const day = dayOfWords(detectedAt);
        return day === null ? [] : [{ kind: 'defect', day, title: `Defect ${defectKey}`, href: null }];
      }),
  ];
}
