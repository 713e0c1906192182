// Reports and what can be said about the statistics they show. Authorises, looks up what the request names,
// and keeps answers for as long as the entity's data and date stay the same.

import type { EntitySettings } from '../../domain/access/entity-settings.ts';
import { weightsOf } from '../../domain/ai/evidence.ts';
import { readDateRange } from '../../domain/calendar/date-range.ts';
import { entityClock } from '../../domain/calendar/entity-calendar.ts';
import { StrataError } from '../../domain/errors.ts';
import type { ResourcePath } from '../../domain/resource-path.ts';
import type { Aggregation, IntervalName, SegmentId } from '../../domain/segments.ts';
import { createByteLru } from '../../kit/byte-lru.ts';
import type { SegmentRow } from '../../metrics/catalogue/segment-row.ts';
import { SEGMENTS } from '../../metrics/catalogue/segments/index.ts';
import { dependsOnNow } from '../../metrics/compile/plan-segment.ts';
import { type ExplainedRecord, explainPoint } from '../../metrics/explain-point.ts';
import { ineffectiveScope } from '../../metrics/ineffective-scope.ts';
import {
  type DateRange,
  daysIn,
  type Interval,
  intervalFor,
  intervalsOf,
  wholeRange,
} from '../../metrics/intervals.ts';
import {
  defaultAggregation,
  describeAll,
  describeSegment,
  isProjectable,
  readDataKinds,
  type SegmentDescription,
} from '../../metrics/introspect.ts';
import {
  findPeople,
  findTeam,
  readDaysOff,
  readVisiblePeople,
  type Surroundings,
  type SurroundingsAsk,
  type TeamRow,
} from '../../metrics/read-scope.ts';
import { type ReportRemarks, remarkOn, saidOfAgents } from '../../metrics/remark-on.ts';
import { type NamedSeries, runReport } from '../../metrics/run-report.ts';
import type { Scope } from '../../metrics/scope.ts';
import { type Card, summarize } from '../../metrics/summarize.ts';
import { type Actor, OPERATOR } from '../access/actor.ts';
import { resolveScope } from '../access/authorise.ts';
import type { SettingOperations } from '../access/settings.ts';
import type { OperationParts } from '../operation-parts.ts';
import { createSurroundings } from './context.ts';
import type { ReportInput } from './input.ts';
import { createPoints, type ReportPoint } from './points.ts';

export interface Report {
  readonly context: {
    readonly entity: string;
    readonly organization?: string;
    readonly repo?: string;
    readonly team?: string;
    readonly contributors: { readonly covered: number; readonly total: number };
  } & ReportRemarks;
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

const invalid = (field: string, message: string): StrataError =>
  new StrataError('invalid_parameter', `${field}: ${message}`, { errors: { [field]: [message] } });

/** Well-formed, but not for this statistic. */
const notOffered = (field: string, message: string): StrataError =>
  new StrataError('unprocessable', `${field}: ${message}`, { errors: { [field]: [message] } });

interface Prepared {
  readonly entitySlug: string;
  readonly version: number;
  readonly paths: readonly ResourcePath[];
  readonly scope: Scope;
  readonly settings: EntitySettings;
  readonly range: DateRange;
  readonly aggregation: Aggregation;
  readonly contributors: { readonly covered: number; readonly total: number };
  readonly team: string | null;
  /** Whether what was remembered of the entity is what it is now; an answer that rests on less is not kept. */
  readonly holds: Promise<boolean>;
}

/** What a request says about itself, before anything is looked up of the entity that changes with its data. */
interface Asked {
  readonly entityId: number;
  readonly entitySlug: string;
  readonly settings: EntitySettings;
  readonly people: readonly number[] | null;
  readonly visible: readonly number[] | null;
  readonly daysOff: ReadonlySet<string>;
}

export function createReportOperations(
  { store, now }: OperationParts,
  settingOperations: Pick<SettingOperations, 'effective'>,
): ReportOperations {
  const cache = createByteLru<NamedSeries[]>(CACHE_BYTES);
  const surroundings = createSurroundings(store, CACHE_BYTES / 8);
  const summaries = createByteLru<Card[]>(CACHE_BYTES / 8);
  const remarks = createByteLru<ReportRemarks>(CACHE_BYTES / 8);

  /**
   * Works with what is remembered of the entity while the database says whether that still holds, because asking takes
   * as long as a small report; works again where it does not.
   */
  async function onSurroundings<T>(
    actor: Actor,
    input: ReportInput,
    work: (prepared: Prepared) => Promise<T>,
  ): Promise<T> {
    const asked = await readAsked(actor, input);
    const { entityId, people, visible } = asked;
    const ask: SurroundingsAsk = { paths: input.resource_path, teamSlug: input.team_slug, asked: people, visible };
    const known = surroundings.recall(entityId, ask);
    if (known !== null) {
      const holds = surroundings.holds(known);
      const tried = async (): Promise<T> => work(prepare(asked, input, known.around, holds));
      const [result] = await Promise.allSettled([tried(), holds]);
      if (await holds) {
        if (result.status === 'rejected') throw result.reason;
        return result.value;
      }
    }
    return work(prepare(asked, input, await surroundings.read(entityId, ask), Promise.resolve(true)));
  }

  async function readAsked(actor: Actor, input: ReportInput): Promise<Asked> {
    const { entity_id: entityId, entity_slug } = await resolveScope(store.db, actor, input.resource_path, 'member');
    const settings = await settingOperations.effective(entityId);
    const seesAll = actor === OPERATOR || actor.is_super_admin || actor.role === 'admin';
    const [people, visible] = await Promise.all([
      askedPeople(entityId, input),
      seesAll ? null : readVisiblePeople(store, entityId, actor.user_id, settings.stats_access),
    ]);
    const daysOff = people?.length === 1 ? await readDaysOff(store, entityId, people[0]!) : new Set<string>();
    return { entityId, entitySlug: entity_slug, settings, people, visible, daysOff };
  }

  function prepare(
    { entityId, entitySlug, settings, people: asked, visible, daysOff }: Asked,
    input: ReportInput,
    around: Surroundings,
    holds: Promise<boolean>,
  ): Prepared {
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
      entitySlug,
      holds,
      version: around.version,
      paths: around.repos.paths,
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
        weights: weightsOf(settings),
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
    const { scope, range, aggregation } = prepared;
    const known = key === null ? undefined : cache.get(key);
    const orEmpty = (series: NamedSeries[]): NamedSeries[] =>
      series.length === 0 && aggregation === 'none' ? emptySeries(SEGMENTS[input.segment_by], intervals) : series;
    if (known !== undefined) return orEmpty(known);
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
    if (key !== null && (await prepared.holds))
      cache.set(key, series, key.length + series.length * intervals.length * 16 + 200);
    return orEmpty(series);
  }

  async function readSummary(prepared: Prepared, input: ReportInput): Promise<Card[]> {
    const key = rememberedAs(prepared, input);
    const known = key === null ? undefined : summaries.get(key);
    if (known !== undefined) return known;
    const { range, scope } = prepared;
    const cards = await summarize(store, input.segment_by, range, scope, input.time_statistic ?? 'mean');
    if (key !== null && (await prepared.holds)) summaries.set(key, cards, key.length + JSON.stringify(cards).length);
    return cards;
  }

  async function readRemarks(prepared: Prepared, input: ReportInput): Promise<ReportRemarks> {
    const key = rememberedAs(prepared, input);
    const known = key === null ? undefined : remarks.get(key);
    if (known !== undefined) return known;
    const { range, scope, aggregation } = prepared;
    const found = await remarkOn(store, SEGMENTS[input.segment_by], aggregation, range, scope);
    if (key !== null && (await prepared.holds)) remarks.set(key, found, key.length + 200);
    return found;
  }

  async function report(prepared: Prepared, input: ReportInput): Promise<Report> {
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
    warnings.push(...ineffectiveScope(input.segment_by, scope));
    const series = isTooSmall ? [] : await readSeries(prepared, input, interval, intervals);
    const said = isTooSmall ? {} : await readRemarks(prepared, input);
    if (said.agent_work_left_out !== undefined) warnings.push(saidOfAgents(said.agent_work_left_out));
    const points = createPoints({ input, scope, aggregation, range, name: interval, intervals });
    const { paths } = prepared;
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
        ...said,
      },
      aggregated_by: aggregation,
      range,
      interval_em: interval,
      segment_em: input.segment_by,
      series_segments: Object.fromEntries(
        series.map((each) => [each.name, points(each)] as const).filter(([, { length }]) => length > 0),
      ),
      unit: row.unit,
      value_precision: row.precision,
      ...(input.generate_summary_stats === true
        ? {
            calculated_summary_stats: isTooSmall ? [] : await readSummary(prepared, input),
          }
        : {}),
      warnings,
    };
  }

  async function explain(
    prepared: Prepared,
    input: ReportInput,
    series: string,
    range: DateRange,
  ): Promise<ExplainedRecord[]> {
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
  }

  return {
    run: (actor, input) => onSurroundings(actor, input, (prepared) => report(prepared, input)),

    explain: (actor, input, series, range) =>
      onSurroundings(actor, input, (prepared) => explain(prepared, input, series, range)),

    async introspect(actor, entity, segment) {
      const slug = entity ?? (actor === OPERATOR ? null : actor.entity_slug);
      if (slug === null) throw invalid('resource_path', 'an entity is needed');
      const path = { entity: slug, organization: null, repo: null };
      const { entity_id } = await resolveScope(store.db, actor, [path], 'member');
      const [has, { teams, repos }] = await Promise.all([
        readDataKinds(store, entity_id),
        surroundings.read(entity_id, { paths: [path], asked: null, visible: null }),
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

/** The series that a statistic has by itself, without any data: their dates can be filled. */
function emptySeries({ title, bands, split }: SegmentRow, intervals: readonly Interval[]): NamedSeries[] {
  const values = intervals.map(() => undefined);
  if (bands !== undefined) return Object.keys(bands).map((name) => ({ name, group: '', split: name, values }));
  return split === undefined ? [{ name: title, group: '', split: '', values }] : [];
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
