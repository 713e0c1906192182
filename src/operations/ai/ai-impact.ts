// The whole picture of AI in a scope: how much is known, what it wrote and whether that lasts, what it costs, and each
// person's own weeks before and after. What limits the conclusions is worked out from the same data and told along.

import { lineCategoryIds } from '../../domain/access/entity-settings.ts';
import { EVIDENCE_CLASSES, type EvidenceClass, evidenceClassOf } from '../../domain/ai/evidence.ts';
import { seatCents } from '../../domain/ai/seat-cost.ts';
import { readDateRange, todayIn } from '../../domain/calendar/date-range.ts';
import type { EvidenceSource } from '../../domain/commits/line-model.ts';
import type { SegmentId } from '../../domain/segments.ts';
import { counted } from '../../kit/text/counted.ts';
import {
  type AdoptionRow,
  countMergedPulls,
  type ImpactScope,
  listSeatsOfRange,
  readAdoption,
  readEvidenceLines,
  type SideSums,
} from '../../storage/ai/ai-impact.ts';
import { readUnknownShare, type UnknownShare } from '../../storage/ai/usage-overview.ts';
import { listRepoIds } from '../../storage/repos/resources.ts';
import type { Grant } from '../access/grant.ts';
import type { OperationParts } from '../operation-parts.ts';
import { findVisiblePeople } from '../people/visible-people.ts';
import type { ReportOperations } from '../reports/reports.ts';
import { findResources } from '../repos/find-resources.ts';
import type { LineSurvivalOperations, SurvivalCurve } from './line-survival.ts';

export interface ImpactFigure {
  readonly segment_em: SegmentId;
  readonly unit: string;
  /** Over the whole range; null where there is no data. */
  readonly value: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly unavailable_reason: string | null;
}

export interface SideFigures {
  readonly commit_count: number;
  readonly active_weeks: number;
  readonly diff_delta: number;
  readonly lines_changed: number;
  readonly churn_line_percent: number | null;
  readonly copy_paste_percent: number | null;
  readonly moved_percent: number | null;
  readonly duplicate_line_count_per_mil: number | null;
  readonly old_code_percent: number | null;
}

export interface AiImpact {
  readonly start_date: string;
  readonly end_date: string;
  readonly figures: readonly ImpactFigure[];
  readonly evidence: readonly {
    readonly evidence: EvidenceClass | 'people_only' | 'unknown';
    readonly lines: number;
    readonly percent: number | null;
  }[];
  readonly survival: readonly SurvivalCurve[];
  readonly cost: {
    readonly metered_cents: number | null;
    /** By the entity's prices, apart from metered cost; null where none is set. */
    readonly seat_cents: number | null;
    readonly metered_cents_per_merged_pull_request: number | null;
  };
  readonly seats: { readonly held: number; readonly of_known_people: number; readonly unused_for_30_days: number };
  /** Usage that counts for the entity and for nobody who is known. */
  readonly unknown: UnknownShare;
  readonly adoption: {
    readonly weeks: number;
    /** People whose first sign of AI lies in the range. */
    readonly adopters: number;
    /** Those of them with commits on both sides and all weeks behind them. */
    readonly compared: number;
    readonly before: SideFigures | null;
    readonly after: SideFigures | null;
    readonly people: readonly {
      readonly committer_user_name: string;
      readonly first_week: string;
      readonly before: SideFigures;
      readonly after: SideFigures;
    }[];
  };
  readonly caveats: readonly string[];
}

export interface AiImpactOperations {
  read(
    grant: Grant<'manager'>,
    input: {
      readonly start_date?: string | undefined;
      readonly end_date?: string | undefined;
      readonly days_ago?: number | undefined;
    },
  ): Promise<AiImpact>;
}

/** What the picture shows of the reports, in this order. */
export const IMPACT_SEGMENTS = [
  'ai_evidence_coverage_percent',
  'ai_code_line_percent',
  'ai_commit_rate',
  'ai_churn_line_percent',
  'churn_line_percent',
  'copy_paste_percent',
  'duplicate_line_count_per_mil',
  'ai_defect_rate',
  'pr_cycle',
  'ai_engaged_committer_count',
  'ai_prompt_acceptance_percent',
  'prompt_count',
  'ai_token_count',
  'ai_active_minutes',
  'ai_cost_cents',
  'delta_per_ai_dollar',
  'seat_used_percent',
] as const satisfies readonly SegmentId[];

const WEEKS = 12;
const DEFAULT_DAYS = 365;
const IDLE_DAYS = 30;
const DAY_MS = 86_400_000;
const FEW_PEOPLE = 20;
const LOW_COVERAGE_PERCENT = 30;
const MUCH_UNKNOWN_PERCENT = 5;

/** Why the cost cannot be set against pull requests: each would be of other work. */
const COST_APART = {
  repos:
    'usage and seats belong to no repo: they are those of the whole entity, and no cost per merged pull request is shown',
  people:
    'cost and pull requests of the people whom you may see are not of the same work: no cost per merged pull request is shown',
};

const round = (value: number, digits = 1): number => Number(value.toFixed(digits));
const share = (part: number, whole: number, times = 100): number | null =>
  whole === 0 ? null : round((times * part) / whole);

export function createAiImpactOperations(
  { store: { db }, now }: OperationParts,
  { reports, survival }: { readonly reports: ReportOperations; readonly survival: LineSurvivalOperations },
): AiImpactOperations {
  return {
    async read(grant, input) {
      const { entity, settings } = grant;
      const { start_date, end_date } = readDateRange(input, settings.time_zone, now(), DEFAULT_DAYS)!;
      const dates = { start_date, end_date };
      const scope: ImpactScope = {
        entityId: entity.id,
        repoIds: await listRepoIds(db, entity.id, await findResources(db, entity.id, grant.paths)),
        from: start_date,
        to: end_date,
        categories: lineCategoryIds(settings),
        visible: await findVisiblePeople(db, grant, now()),
      };
      const apart = [
        ...(scope.repoIds === null ? [] : [COST_APART.repos]),
        ...(scope.visible === null ? [] : [COST_APART.people]),
      ];
      const today = todayIn(settings.time_zone, now());
      // Nobody has held or paid for a seat on days that have not come.
      const heldTo = [end_date, today].toSorted()[0]!;
      const [figures, evidence, curves, seats, unknown, adoption, merged] = await Promise.all([
        Promise.all(IMPACT_SEGMENTS.map((segment) => readFigure(grant, segment, dates))),
        readEvidenceLines(db, scope),
        survival.read(grant, dates),
        start_date > heldTo ? [] : listSeatsOfRange(db, { ...scope, to: heldTo }),
        readUnknown(scope),
        readAdoption(db, scope, { weeks: WEEKS, today }),
        apart.length === 0 ? countMergedPulls(db, scope) : null,
      ]);
      const metered = figures.find(({ segment_em }) => segment_em === 'ai_cost_cents')?.value ?? null;
      const range = { from: start_date, to: heldTo };
      const hasPrices = Object.values(settings.ai_seat_prices).some((price) => (price ?? 0) > 0);
      const isFewer = adoption.people.length < settings.small_group_floor;
      const compared = isFewer ? [] : adoption.people;
      const listed = listEvidence(evidence);
      return {
        ...dates,
        figures,
        evidence: listed,
        survival: curves.curves,
        cost: {
          metered_cents: metered,
          seat_cents: hasPrices
            ? round(
                seats.reduce((sum, seat) => sum + seatCents(seat, range, settings.ai_seat_prices), 0),
                2,
              )
            : null,
          metered_cents_per_merged_pull_request: metered === null || !merged ? null : round(metered / merged, 2),
        },
        seats: {
          held: seats.length,
          of_known_people: seats.filter(({ is_known }) => is_known).length,
          unused_for_30_days: seats.filter(isIdleAt(heldTo)).length,
        },
        unknown,
        adoption: {
          weeks: WEEKS,
          adopters: adoption.adopters,
          compared: adoption.people.length,
          before: sideOf(compared, 'before'),
          after: sideOf(compared, 'after'),
          // One person is a group of one.
          people: settings.small_group_floor > 1 ? [] : compared.map(personToRecord),
        },
        caveats: [
          ...caveatsOf({ evidence, adoption, unknown }),
          ...(isFewer && adoption.people.length > 0
            ? [`fewer people than the ${settings.small_group_floor} that this entity asks for were compared: withheld`]
            : []),
          ...apart,
          ...curves.caveats,
        ],
      };
    },
  };

  /** Who may not see everybody gets no shares: with them goes what everybody used. */
  async function readUnknown({ entityId, from, visible }: ImpactScope): Promise<UnknownShare> {
    const unknown = await readUnknownShare(db, entityId, from);
    return visible === null ? unknown : { ...unknown, cost_percent: null, lines_percent: null };
  }

  async function readFigure(
    grant: Grant<'manager'>,
    segment: SegmentId,
    dates: { readonly start_date: string; readonly end_date: string },
  ): Promise<ImpactFigure> {
    const report = await reports.run(grant, { segment_by: segment, suppress_aggregation: true, ...dates });
    const totals = report.series.flatMap(({ total }) => total ?? []);
    const range = report.context.ai_range;
    return {
      segment_em: segment,
      unit: report.unit,
      value:
        totals.length === 0
          ? null
          : round(
              totals.reduce((sum, total) => sum + total, 0),
              4,
            ),
      low: range?.low ?? null,
      high: range?.high ?? null,
      unavailable_reason: report.unavailable_reason ?? null,
    };
  }
}

const isIdleAt =
  (day: string) =>
  ({ from_on, until_on, last_used_on }: { from_on: string; until_on: string | null; last_used_on: string | null }) => {
    const since = new Date(Date.parse(day) - IDLE_DAYS * DAY_MS).toISOString().slice(0, 10);
    return (until_on === null || until_on > day) && from_on <= since && (last_used_on === null || last_used_on < since);
  };

const CLASSES = Object.keys(EVIDENCE_CLASSES) as EvidenceClass[];

type Evidence = Awaited<ReturnType<typeof readEvidenceLines>>;

function listEvidence({ by_source, lines_changed, lines_known }: Evidence): AiImpact['evidence'] {
  const linesOf = (name: EvidenceClass): number =>
    by_source
      .filter(({ source }) => evidenceClassOf(source as EvidenceSource) === name)
      .reduce((sum, { lines }) => sum + lines, 0);
  const classes = CLASSES.map((evidence) => ({ evidence, lines: linesOf(evidence) }));
  const ofAi = classes.reduce((sum, { lines }) => sum + lines, 0);
  return [
    ...classes,
    { evidence: 'people_only' as const, lines: lines_known - ofAi },
    { evidence: 'unknown' as const, lines: lines_changed - lines_known },
  ].map((row) => ({ ...row, percent: share(row.lines, lines_changed) }));
}

function sumsToFigures(sums: SideSums): SideFigures {
  const { commit_count, active_weeks, delta, lines_changed } = sums;
  return {
    commit_count,
    active_weeks,
    diff_delta: round(delta),
    lines_changed,
    churn_line_percent: share(sums.lines_churned, lines_changed),
    copy_paste_percent: share(sums.lines_copied, lines_changed),
    moved_percent: share(sums.lines_moved, lines_changed),
    duplicate_line_count_per_mil: share(sums.duplicate_lines, lines_changed, 1000),
    old_code_percent: share(sums.lines_of_old_code, lines_changed),
  };
}

/** All compared people together: ratios of their sums, not means of their ratios. */
function sideOf(people: readonly AdoptionRow[], side: 'before' | 'after'): SideFigures | null {
  if (people.length === 0) return null;
  const sum = (name: keyof SideSums): number => people.reduce((total, person) => total + person[side][name], 0);
  return sumsToFigures({
    commit_count: sum('commit_count'),
    active_weeks: sum('active_weeks'),
    delta: sum('delta'),
    lines_changed: sum('lines_changed'),
    lines_churned: sum('lines_churned'),
    lines_copied: sum('lines_copied'),
    lines_moved: sum('lines_moved'),
    duplicate_lines: sum('duplicate_lines'),
    lines_of_old_code: sum('lines_of_old_code'),
  });
}

const personToRecord = ({ user_name, first_week, before, after }: AdoptionRow) => ({
  committer_user_name: user_name,
  first_week,
  before: sumsToFigures(before),
  after: sumsToFigures(after),
});

function caveatsOf({
  evidence: { lines_changed, lines_known },
  adoption,
  unknown,
}: {
  readonly evidence: Evidence;
  readonly adoption: { readonly adopters: number; readonly people: readonly AdoptionRow[] };
  readonly unknown: UnknownShare;
}): string[] {
  const coverage = share(lines_known, lines_changed);
  const compared = adoption.people.length;
  return [
    ...(coverage === null ? ['no lines were changed in these days'] : []),
    ...(coverage !== null && coverage < LOW_COVERAGE_PERCENT
      ? [`evidence covers ${coverage} % of the changed lines: the rest may hold AI lines too`]
      : []),
    ...(compared === 0 ? ['nobody can be compared before and after yet'] : []),
    ...(compared > 0 && compared < FEW_PEOPLE
      ? [`before and after rest on ${counted(compared, 'person', 'people')}: one person can turn the figures`]
      : []),
    ...(adoption.adopters > compared
      ? [
          `${adoption.adopters - compared} of ${counted(adoption.adopters, 'person', 'people')} who began with AI lack ${WEEKS} weeks with commits on both sides`,
        ]
      : []),
    ...((unknown.cost_percent ?? 0) > MUCH_UNKNOWN_PERCENT || (unknown.lines_percent ?? 0) > MUCH_UNKNOWN_PERCENT
      ? [
          `${unknown.cost_percent ?? 0} % of the cost and ${unknown.lines_percent ?? 0} % of the reported lines belong to nobody who is known`,
        ]
      : []),
  ];
}
