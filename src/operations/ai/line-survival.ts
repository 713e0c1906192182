// Whether lines last: survival by evidence of AI, and by the month in which they were written.
import { lineCategoryIds } from '../../domain/access/entity-settings.ts';
import { EVIDENCE_CLASSES, type EvidenceClass, evidenceClassOf } from '../../domain/ai/evidence.ts';
import { estimateSurvival, type LineCohort, SURVIVAL_DAYS, type SurvivalPoint } from '../../domain/ai/survival.ts';
import { readDateRange, todayIn } from '../../domain/calendar/date-range.ts';
import type { EvidenceSource } from '../../domain/commits/line-model.ts';
import { groupBy } from '../../kit/group-by.ts';
import { counted } from '../../kit/text/counted.ts';
import {
  type EndedLines,
  readEndedLines,
  readLastDay,
  readWrittenLines,
  type SurvivalScope,
  type WrittenLines,
} from '../../storage/ai/line-survival.ts';
import { listRepoIds } from '../../storage/repos/resources.ts';
import type { Grant } from '../access/grant.ts';
import type { OperationParts } from '../operation-parts.ts';
import { findVisiblePeople } from '../people/visible-people.ts';
import { findResources } from '../repos/find-resources.ts';

export type SurvivalOrigin = EvidenceClass | 'rest';
const CLASSES = Object.keys(EVIDENCE_CLASSES) as EvidenceClass[];
export const SURVIVAL_ORIGINS: [SurvivalOrigin, ...SurvivalOrigin[]] = ['rest', ...CLASSES];

export interface SurvivalCurve {
  readonly origin: SurvivalOrigin;
  readonly lines: number;
  readonly points: readonly SurvivalPoint[];
}

export interface LineSurvival {
  readonly written_from: string;
  readonly written_to: string;
  /** Last day that was processed: lines that stand there are followed no further. */
  readonly followed_to: string | null;
  readonly curves: readonly SurvivalCurve[];
  readonly cohorts: readonly {
    readonly written_in: string;
    readonly lines: number;
    readonly points: readonly SurvivalPoint[];
  }[];
  readonly caveats: readonly string[];
}

export interface LineSurvivalOperations {
  read(
    grant: Grant<'manager'>,
    input: {
      readonly start_date?: string | undefined;
      readonly end_date?: string | undefined;
      readonly days_ago?: number | undefined;
    },
  ): Promise<LineSurvival>;
}

const DEFAULT_DAYS = 365;
const FEW_LINES = 1000;
const DAY_MS = 86_400_000;
const MOST_AGE = Math.max(...SURVIVAL_DAYS);

export function createLineSurvivalOperations({ store: { db }, now }: OperationParts): LineSurvivalOperations {
  return {
    async read(grant, input) {
      const { entity, paths, settings } = grant;
      const range = readDateRange(input, settings.time_zone, now(), DEFAULT_DAYS)!;
      const scope: SurvivalScope = {
        entityId: entity.id,
        repoIds: await listRepoIds(db, entity.id, await findResources(db, entity.id, paths)),
        from: range.start_date,
        to: range.end_date,
        categories: lineCategoryIds(settings),
        mostAge: MOST_AGE,
        visible: await findVisiblePeople(db, grant, now()),
      };
      const [written, ended, last] = await Promise.all([
        readWrittenLines(db, scope),
        readEndedLines(db, scope),
        readLastDay(db, scope, todayIn(settings.time_zone, now())),
      ]);
      const curves = SURVIVAL_ORIGINS.map((origin) => {
        const cohorts = cohortsOf(written, ended, last, ({ source }) => originOf(source) === origin);
        return { origin, ...curveOf(cohorts) };
      }).filter(({ lines }) => lines > 0);
      const months = [...new Set(written.map(({ written_on }) => written_on.slice(0, 7)))].toSorted();
      return {
        written_from: scope.from,
        written_to: scope.to,
        followed_to: last,
        curves,
        cohorts: months.map((month) => ({
          written_in: month,
          ...curveOf(cohortsOf(written, ended, last, ({ written_on }) => written_on.startsWith(month))),
        })),
        caveats: [...caveatsOf(curves), ...caveatOfSight(scope.visible)],
      };
    },
  };
}

const originOf = (source: string | null): SurvivalOrigin =>
  source === null ? 'rest' : (evidenceClassOf(source as EvidenceSource) ?? 'rest');

const daysBetween = (from: string, to: string): number => Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);

type Keep = (lines: { readonly source: string | null; readonly written_on: string }) => boolean;

function cohortsOf(
  written: readonly WrittenLines[],
  ended: readonly EndedLines[],
  last: string | null,
  keep: Keep,
): LineCohort[] {
  if (last === null) return [];
  const keyOf = (each: { source: string | null; written_on: string }): string => `${each.written_on} ${each.source}`;
  const ends = groupBy(ended, keyOf);
  return written.filter(keep).map((each) => ({
    followedDays: daysBetween(each.written_on, last),
    lines: each.lines,
    ends: ends.get(keyOf(each)) ?? [],
  }));
}

const curveOf = (cohorts: readonly LineCohort[]) => ({
  lines: cohorts.reduce((sum, { lines }) => sum + lines, 0),
  points: estimateSurvival(cohorts, SURVIVAL_DAYS),
});

const caveatOfSight = (visible: readonly number[] | null): string[] =>
  visible === null
    ? []
    : [
        `lines count that were written by the ${counted(visible.length, 'person', 'people')} whom you may see (stats_access)`,
      ];

function caveatsOf(curves: readonly SurvivalCurve[]): string[] {
  const all = curves.reduce((sum, { lines }) => sum + lines, 0);
  const known = curves.filter(({ origin }) => origin !== 'rest').reduce((sum, { lines }) => sum + lines, 0);
  const share = all === 0 ? 0 : Math.round((1000 * known) / all) / 10;
  return [
    ...(share < 30
      ? [`only ${share} % of the lines bear evidence of AI or of its absence; the rest may hold AI lines too`]
      : []),
    ...curves
      .filter(({ lines }) => lines < FEW_LINES)
      .map(({ origin, lines }) => `${origin} has ${lines} lines only: its curve is uncertain`),
    'who uses AI, and for what, is not drawn by lot: curves differ for other reasons too',
  ];
}
