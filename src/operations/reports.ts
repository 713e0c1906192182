// Reports and what can be said about the statistics they show. Authorises, looks up what the request names,
// and keeps answers for as long as the entity's data and date stay the same.
import { readDateRange } from '../domain/date-range.ts';
import { entityClock } from '../domain/entity-calendar.ts';
import type { EntitySettings } from '../domain/entity-settings.ts';
import { StrataError } from '../domain/errors.ts';
import type { ResourcePath } from '../domain/resource-path.ts';
import type { Aggregation, IntervalName, SegmentId } from '../domain/segments.ts';
import { createByteLru } from '../kit/byte-lru.ts';
import { type ExplainedRecord, explainPoint } from '../metrics/explain-point.ts';
import { type DateRange, daysIn, type Interval, intervalFor, intervalsOf, wholeRange } from '../metrics/intervals.ts';
import {
  defaultAggregation,
  describeAll,
  describeSegment,
  isProjectable,
  readDataKinds,
  type SegmentDescription,
} from '../metrics/introspect.ts';
import { dependsOnNow } from '../metrics/plan-segment.ts';
import {
  findPeople,
  findTeam,
  readDaysOff,
  readFreshness,
  readSurroundings,
  readVisiblePeople,
  type Surroundings,
  type SurroundingsAsk,
  type TeamRow,
} from '../metrics/read-scope.ts';
import { type NamedSeries, runReport } from '../metrics/run-report.ts';
import type { Scope } from '../metrics/scope.ts';
import { SEGMENTS } from '../metrics/segments/index.ts';
import { type Card, summarize } from '../metrics/summarize.ts';
import { type Actor, OPERATOR } from './actor.ts';
import { resolveScope } from './authorise.ts';
import type { OperationParts } from './operation-parts.ts';
import type { ReportInput } from './report-input.ts';
import { createPoints, type ReportPoint } from './report-points.ts';
import type { SettingOperations } from './settings.ts';

export interface Report {
  readonly context: {
    readonly entity: string;
    readonly organization?: string;
    readonly repo?: string;
    readonly team?: string;
    readonly contributors: { readonly covered: number; readonly total: number };
  };
  readonly aggregated_by: Aggregation;
  /** What the dates asked for come to, in the entity's zone. */
  readonly range: DateRange;
  readonly interval_em: IntervalName;
  readonly segment_em: SegmentId;
  readonly series_segments: Record<string, ReportPoint[]>;
  readonly unit: string;
  readonly value_precision: number;
  readonly calculated_summary_stats?: Card[];
  readonly warnings: readonly string[];
}

export interface ReportOperations {
  run(actor: Actor, input: ReportInput): Promise<Report>;
  /** The records that a point counts, each with its contribution. */
  explain(actor: Actor, input: ReportInput, series: string, range: DateRange): Promise<ExplainedRecord[]>;
  introspect(actor: Actor, entity: string | null, segment: SegmentId | null): Promise<SegmentDescription[]>;
}

const CACHE_BYTES = 32 * 1024 * 1024;
const REMEMBERED_MS = 5_000;
const SURROUNDINGS_BYTES = 20_000;

const invalid = (field: string, message: string): StrataError =>
  new StrataError('invalid_parameter', `${field}: ${message}`, { errors: { [field]: [message] } });

/** Well-formed, but not for this statistic. */
const notOffered = (field: string, message: string): StrataError =>
  new StrataError('unprocessable', `${field}: ${message}`, { errors: { [field]: [message] } });

interface Prepared {
  readonly entitySlug: string;
  readonly version: number;
  readonly scope: Scope;
  readonly settings: EntitySettings;
  readonly range: DateRange;
  readonly aggregation: Aggregation;
  readonly contributors: { readonly covered: number; readonly total: number };
  readonly team: string | null;
}

export function createReportOperations(
  { store, now }: OperationParts,
  settingOperations: Pick<SettingOperations, 'effective'>,
): ReportOperations {
  const cache = createByteLru<NamedSeries[]>(CACHE_BYTES);
  const surroundings = createByteLru<{ around: Surroundings; untilMs: number }>(CACHE_BYTES / 8);
  const summaries = createByteLru<Card[]>(CACHE_BYTES / 8);

  /** Looked up again when the entity's data has changed, and every few seconds for what leaves no trace there. */
  async function lookAround(entityId: number, ask: SurroundingsAsk): Promise<Surroundings> {
    const key = JSON.stringify([entityId, await readFreshness(store, entityId), ask]);
    const known = surroundings.get(key);
    if (known !== undefined && performance.now() < known.untilMs) return known.around;
    const around = await readSurroundings(store, entityId, ask);
    surroundings.set(key, { around, untilMs: performance.now() + REMEMBERED_MS }, key.length + SURROUNDINGS_BYTES);
    return around;
  }

  async function prepare(actor: Actor, input: ReportInput): Promise<Prepared> {
    const { entity_id: entityId, entity_slug } = await resolveScope(store.db, actor, input.resource_path, 'member');
    const settings = await settingOperations.effective(entityId);
    const seesAll = actor === OPERATOR || actor.is_super_admin || actor.role === 'admin';
    const [asked, visible] = await Promise.all([
      askedPeople(entityId, input),
      seesAll ? null : readVisiblePeople(store, entityId, actor.user_id, settings.stats_access),
    ]);
    const [around, daysOff] = await Promise.all([
      lookAround(entityId, { paths: input.resource_path, teamSlug: input.team_slug, asked, visible }),
      asked?.length === 1 ? readDaysOff(store, entityId, asked[0]!) : new Set<string>(),
    ]);
    const team = input.team_slug === undefined ? null : findTeam(around.teams, input.team_slug);
    const teamId = team === null || team.is_default ? null : team.id;
    const personIds =
      asked === null ? visible : visible === null ? asked : asked.filter((person) => visible.includes(person));
    const dates = readDateRange(input, settings.time_zone, now(), 90)!;
    const range = { from: dates.start_date, to: dates.end_date };
    if (daysIn(range) > 36_525) throw invalid('start_date', `${range.from} to ${range.to} is longer than 100 years`);
    const row = SEGMENTS[input.segment_by];
    const aggregation = chooseAggregation(input, {
      teamCount: teamId === null ? countOwnTeams(around.teams) : 0,
      repoCount: around.repos.repoCount,
    });
    if (!row.by.includes(aggregation)) {
      throw notOffered(
        'aggregate_by',
        `"${aggregation}" is not offered for ${input.segment_by}; expected one of ${row.by.join(', ')}`,
      );
    }
    return {
      entitySlug: entity_slug,
      version: around.version,
      settings,
      range,
      aggregation,
      team: team?.slug ?? null,
      contributors: around.contributors,
      scope: {
        entityId,
        zone: settings.time_zone,
        clock: entityClock(settings),
        weekStartsOnSunday: settings.week_start === 'sunday',
        repoIds: around.repos.repoIds,
        organizationIds: around.repos.organizationIds,
        personIds,
        isAboutPeople: asked !== null || teamId !== null,
        teamId,
        aiProvider: input.ai_provider ?? null,
        daysOff,
        now: now(),
      },
    };
  }

  async function askedPeople(entityId: number, input: ReportInput): Promise<number[] | null> {
    const people: number[] = [];
    if (input.committer_identifier !== undefined) {
      people.push(...(await findPeople(store, entityId, 'committer_identifier', [input.committer_identifier])));
    }
    if (input.committer_user_name !== undefined) {
      people.push(...(await findPeople(store, entityId, 'committer_user_name', input.committer_user_name)));
    }
    return input.committer_identifier === undefined && input.committer_user_name === undefined
      ? null
      : [...new Set(people)];
  }

  /** Groups with enough contributors to be shown on their own; null: all are. */
  async function shownGroups(prepared: Prepared): Promise<ReadonlySet<string> | null> {
    const floor = prepared.settings.small_group_floor;
    if (floor <= 1 || !['team', 'repo', 'repo_path', 'committer', 'ai_cohort'].includes(prepared.aggregation))
      return null;
    const row = { ...SEGMENTS.diff_delta_per_committer, value: 'active_committers', combine: 'distinct' } as const;
    const { of: _, ...counted } = row;
    const series = await runReport(
      store,
      {
        row: counted,
        aggregation: prepared.aggregation,
        range: prepared.range,
        bucket: 'whole',
        intervals: [wholeRange(prepared.range)],
        statistic: 'mean',
      },
      prepared.scope,
    );
    return new Set(series.filter(({ values }) => (values[0] ?? 0) >= floor).map(({ group }) => group));
  }

  async function readSeries(
    prepared: Prepared,
    input: ReportInput,
    name: IntervalName,
    intervals: readonly Interval[],
  ): Promise<NamedSeries[]> {
    const key = rememberedAs(prepared, input);
    const known = key === null ? undefined : cache.get(key);
    if (known !== undefined) return known;
    const { scope, range, aggregation } = prepared;
    const series = await runReport(
      store,
      {
        row: SEGMENTS[input.segment_by],
        aggregation,
        range,
        bucket: name,
        intervals,
        statistic: input.time_statistic ?? 'mean',
        shownGroups: await shownGroups(prepared),
      },
      scope,
    );
    if (key !== null) cache.set(key, series, key.length + series.length * intervals.length * 16 + 200);
    return series;
  }

  async function readSummary(prepared: Prepared, input: ReportInput): Promise<Card[]> {
    const key = rememberedAs(prepared, input);
    const known = key === null ? undefined : summaries.get(key);
    if (known !== undefined) return known;
    const { range, scope } = prepared;
    const cards = await summarize(store, input.segment_by, range, scope, input.time_statistic ?? 'mean');
    if (key !== null) summaries.set(key, cards, key.length + JSON.stringify(cards).length);
    return cards;
  }

  return {
    async run(actor, input) {
      const prepared = await prepare(actor, input);
      const { scope, range, aggregation, settings } = prepared;
      const row = SEGMENTS[input.segment_by];
      if (input.time_statistic !== undefined && input.time_statistic !== 'mean' && row.combine !== 'mean') {
        throw notOffered(
          'time_statistic',
          `"${input.time_statistic}" is not offered for ${input.segment_by}, which is no statistic of times; expected mean`,
        );
      }
      const interval = intervalFor(range);
      const intervals = intervalsOf(range, interval, scope.weekStartsOnSunday);
      const warnings: string[] = [];
      const isTooSmall = settings.small_group_floor > 1 && prepared.contributors.covered < settings.small_group_floor;
      if (isTooSmall) {
        warnings.push(
          `the report covers ${prepared.contributors.covered} contributors, fewer than the ${settings.small_group_floor} that this entity asks for; its figures are withheld`,
        );
      }
      if (input.project_final_point === true && !isProjectable(row)) {
        warnings.push(`project_final_point has no effect: ${input.segment_by} is not a sum`);
      }
      const series = isTooSmall ? [] : await readSeries(prepared, input, interval, intervals);
      const points = createPoints({ input, scope, aggregation, range, name: interval, intervals });
      const paths = input.resource_path;
      const one = (read: (path: ResourcePath) => string | null): string | null => {
        const names = [...new Set(paths.map(read))];
        return names.length === 1 ? (names[0] ?? null) : null;
      };
      const organization = one((path) => path.organization);
      const repo = one((path) => path.repo);
      return {
        context: {
          entity: prepared.entitySlug,
          ...(organization === null ? {} : { organization }),
          ...(repo === null ? {} : { repo }),
          ...(prepared.team === null ? {} : { team: prepared.team }),
          contributors: prepared.contributors,
        },
        aggregated_by: aggregation,
        range,
        interval_em: interval,
        segment_em: input.segment_by,
        series_segments: Object.fromEntries(series.map((each) => [each.name, points(each)])),
        unit: row.unit,
        value_precision: row.precision,
        ...(input.generate_summary_stats === true
          ? {
              calculated_summary_stats: isTooSmall ? [] : await readSummary(prepared, input),
            }
          : {}),
        warnings,
      };
    },

    async explain(actor, input, series, range) {
      const prepared = await prepare(actor, input);
      const name = intervalFor(prepared.range);
      const intervals = intervalsOf(prepared.range, name, prepared.scope.weekStartsOnSunday);
      const interval = intervals.find(({ start, end }) => start === range.from && end === range.to);
      if (interval === undefined) {
        throw invalid('interval', `${range.from} to ${range.to} is no point of this report`);
      }
      const all = await readSeries(prepared, input, name, intervals);
      const found = all.find((each) => each.name === series);
      if (found === undefined) {
        throw invalid(
          'series',
          `"${series}" is not in this report; there are ${all.map((each) => each.name).join(', ')}`,
        );
      }
      const ask = {
        row: SEGMENTS[input.segment_by],
        aggregation: prepared.aggregation,
        range: prepared.range,
        bucket: name,
        intervals,
        statistic: input.time_statistic ?? 'mean',
      } as const;
      return explainPoint(store, ask, prepared.scope, { series: found, all, interval });
    },

    async introspect(actor, entity, segment) {
      const slug = entity ?? (actor === OPERATOR ? null : actor.entity_slug);
      if (slug === null) throw invalid('resource_path', 'an entity is needed');
      const path = { entity: slug, organization: null, repo: null };
      const { entity_id } = await resolveScope(store.db, actor, [path], 'member');
      const [has, { teams, repos }] = await Promise.all([
        readDataKinds(store, entity_id),
        lookAround(entity_id, { paths: [path], asked: null, visible: null }),
      ]);
      const around = { has, teamCount: countOwnTeams(teams), repoCount: repos.repoCount };
      return segment === null ? describeAll(around) : [describeSegment(segment, around)];
    },
  };
}

function chooseAggregation(input: ReportInput, around: { teamCount: number; repoCount: number }): Aggregation {
  if (input.suppress_aggregation === true) return 'none';
  return input.aggregate_by ?? defaultAggregation(SEGMENTS[input.segment_by], around);
}

/** Teams that can be told apart: not the one that everybody is in, and not empty. */
const countOwnTeams = (teams: readonly TeamRow[]): number =>
  teams.filter(({ is_default, has_members }) => !is_default && has_members).length;

/** What an answer depends on besides the clock; null where it depends on that too. */
function rememberedAs(prepared: Prepared, input: ReportInput): string | null {
  const { scope, range, aggregation, version, settings } = prepared;
  const { clock, now, daysOff, ...plain } = scope;
  const today = clock.dateOf(now.getTime());
  if (dependsOnNow(SEGMENTS[input.segment_by]) && range.to >= today) return null;
  const statistic = input.time_statistic ?? 'mean';
  return JSON.stringify([
    input.segment_by,
    version,
    today,
    aggregation,
    range,
    statistic,
    plain,
    [...daysOff],
    settings,
  ]);
}
