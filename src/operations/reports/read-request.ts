// From what a report is asked for to the request that metrics answers: names become ids, dates a range, and the
// caller's right to see people narrows whom it covers.
import { lineCategoryIds } from '../../domain/access/entity-settings.ts';
import { weightsOf } from '../../domain/ai/evidence.ts';
import type { BusinessClock } from '../../domain/calendar/business-time.ts';
import { readDateRange } from '../../domain/calendar/date-range.ts';
import { entityClock } from '../../domain/calendar/entity-calendar.ts';
import { StrataError } from '../../domain/errors.ts';
import type { ResourcePath } from '../../domain/resource-path.ts';
import { CHOSEN_INTERVALS, type DataKind } from '../../domain/segments.ts';
import { DERIVING_TASKS } from '../../domain/tasks.ts';
import { createByteLru } from '../../kit/byte-lru.ts';
import type { ImportedDays } from '../../metrics/availability.ts';
import { addDays } from '../../metrics/intervals.ts';
import type { ReportRequest } from '../../metrics/reports.ts';
import { readsTraits } from '../../metrics/unfinished-work.ts';
import { listDataKinds } from '../../storage/audits/data-kinds.ts';
import { type ContributorCount, countContributors, countTeamContributors } from '../../storage/people/contributors.ts';
import { listDaysOff } from '../../storage/people/time-off.ts';
import { hasJobs } from '../../storage/queue/queue.ts';
import {
  type Cut,
  type DataSpan,
  type DataState,
  readDataSpan,
  readDataState,
  readImportWindow,
  versionOf,
} from '../../storage/repos/data-state.ts';
import { listRepoIds } from '../../storage/repos/resources.ts';
import { type ChartedTeam, listChartedTeams } from '../../storage/teams/teams.ts';
import type { Grant } from '../access/grant.ts';
import { listNames } from '../list-names.ts';
import type { OperationParts } from '../operation-parts.ts';
import { findNamedPeople } from '../people/named-people.ts';
import { findVisiblePeople } from '../people/visible-people.ts';
import { findResources } from '../repos/find-resources.ts';
import type { ReportInput } from './input.ts';

export interface ReadRequest {
  readonly request: ReportRequest;
  /** As they were understood: a group in a group is an organization. */
  readonly paths: readonly ResourcePath[];
  readonly team: string | null;
  readonly contributors: ContributorCount;
  /** By the ids of teams of which the caller sees only some. */
  readonly partlySeenTeams: ReadonlyMap<string, ContributorCount>;
  readonly data: DataSpan & { readonly version: string };
}

const DEFAULT_DAYS = 90;
const KEPT_BYTES = 4 * 1024 * 1024;
const ENTRY_BYTES = 20_000;

/** What a report depends on besides its facts, as of one state of the entity's data. */
interface Around {
  readonly teams: readonly ChartedTeam[];
  readonly team: ChartedTeam | null;
  readonly contributors: ContributorCount;
  readonly partlySeenTeams: ReadonlyMap<string, ContributorCount>;
  readonly kinds: ReadonlySet<DataKind>;
  readonly span: DataSpan;
}

export type RequestReader = (grant: Grant<'member'>, input: ReportInput, now: Date) => Promise<ReadRequest>;

export function createRequestReader({
  store: { db },
  derivation,
}: Pick<OperationParts, 'store' | 'derivation'>): RequestReader {
  const kept = createByteLru<Around>(KEPT_BYTES);

  async function readAround(
    entityId: number,
    state: DataState,
    asked: {
      people: readonly number[] | null;
      visible: readonly number[] | null;
      teamSlug: string | undefined;
      repoIds: readonly number[] | null;
    },
  ): Promise<Around> {
    const key = JSON.stringify([entityId, state, asked]);
    const known = kept.get(key);
    if (known !== undefined) return known;
    const { people, visible, teamSlug, repoIds } = asked;
    const count = async (teamId: number | null): Promise<ContributorCount> => {
      // Of few who are named, the count would tell whether one who may not be seen has commits in a repo.
      const isOfRepos = visible === null || (people === null && teamId === null);
      const scope = { people, visible, teamId, repoIds: isOfRepos ? repoIds : null };
      const found = await countContributors(db, entityId, scope);
      // Repos without commits may have other work, of whoever.
      return found.total > 0 || scope.repoIds === null
        ? found
        : countContributors(db, entityId, { ...scope, repoIds: null });
    };
    const [teams, kinds, span, ofTeams, all] = await Promise.all([
      listChartedTeams(db, entityId, people),
      listDataKinds(db, entityId),
      readDataSpan(db, entityId),
      visible === null ? [] : countTeamContributors(db, entityId, { people, visible }),
      teamSlug === undefined ? count(null) : null,
    ]);
    const team = teamSlug === undefined ? null : requireTeam(teams, teamSlug);
    const partlySeen = [...ofTeams].filter(([, { covered, total }]) => covered < total);
    const partlySeenTeams = new Map(partlySeen.map(([id, counted]) => [String(id), counted]));
    const contributors = all ?? (await count(narrowingId(team)));
    const around = { teams, team, kinds, span, contributors, partlySeenTeams };
    kept.set(key, around, key.length + ENTRY_BYTES);
    return around;
  }

  return async (grant, input, now) => {
    const { settings } = grant;
    const entityId = grant.entity.id;
    const [state, isDeriving, resources, people, visible] = await Promise.all([
      readDataState(db, entityId),
      readsTraits(input.segment_by) && hasJobs(db, entityId, DERIVING_TASKS, 'all'),
      findResources(db, entityId, grant.paths),
      findNamedPeople(db, entityId, input),
      findVisiblePeople(db, grant, now),
    ]);
    const repoIds = await listRepoIds(db, entityId, resources);
    const [around, window, daysOff] = await Promise.all([
      readAround(entityId, state, { people, visible, teamSlug: input.team_slug, repoIds }),
      readImportWindow(db, entityId, { repoIds, timeZone: settings.time_zone, derivation }),
      people?.length === 1 ? listDaysOff(db, entityId, people[0]!) : new Set<string>(),
    ]);
    const { team, contributors, partlySeenTeams } = around;
    const teamId = narrowingId(team);
    const clock = entityClock(settings);
    const request: ReportRequest = {
      segment: input.segment_by,
      aggregation: input.suppress_aggregation === true ? 'none' : (input.aggregate_by ?? null),
      counts: {
        teamCount: input.team_slug === undefined ? countOwnTeams(around.teams) : 0,
        repoCount: repoIds?.length ?? state.repo_count,
      },
      range: readRange(input, settings.time_zone, now),
      interval: CHOSEN_INTERVALS[input.interval ?? 'auto'],
      statistic: input.time_statistic ?? 'mean',
      scope: {
        entityId,
        zone: settings.time_zone,
        clock,
        weekStartsOnSunday: settings.week_start === 'sunday',
        repoIds,
        organizationIds: resources.flatMap((each) => (each.repo_id === null ? (each.organization_id ?? []) : [])),
        personIds:
          people === null || visible === null ? (people ?? visible) : people.filter((id) => visible.includes(id)),
        asksForPeople: people !== null,
        isAboutPeople: people !== null || teamId !== null,
        teamId,
        aiProvider: input.ai_provider ?? null,
        isDefaultBranchOnly: input.default_branch_only === true,
        daysOff,
        weights: weightsOf(settings),
        lineCategories: lineCategoryIds(settings),
        now,
      },
      settings,
      contributorCount: contributors.covered,
      dataState: versionOf(state),
      known: {
        kinds: around.kinds,
        commits: importedDays(window.commits, clock),
        releases: importedDays(window.releases, clock),
        unseenPeople: visible !== null && contributors.covered === 0 ? contributors.total : 0,
        unfinished: window.unfinished,
        isDeriving,
        derivedOtherwise: window.derived_otherwise,
      },
      fillsDates: input.fill_all_dates === true,
      projectsLast: input.project_final_point === true,
      wantsSummary: input.generate_summary_stats === true,
    };
    const data = { version: versionOf(state), ...around.span };
    const paths = resources.map(({ path }) => path);
    return { request, paths, team: team?.slug ?? null, contributors, partlySeenTeams, data };
  };
}

const importedDays = ({ whole_first_on, first_from, last_from }: Cut, clock: BusinessClock): ImportedDays => ({
  from: whole_first_on ?? firstWholeDay(first_from, clock),
  allFrom: firstWholeDay(last_from, clock),
});

function firstWholeDay(from: string | null, clock: BusinessClock): string | null {
  if (from === null) return null;
  const at = Date.parse(from);
  const date = clock.dateOf(at);
  return clock.startOf(date) === at ? date : addDays(date, 1);
}

/** The team of everybody narrows nothing. */
const narrowingId = (team: ChartedTeam | null): number | null => (team === null || team.is_default ? null : team.id);

function readRange(input: ReportInput, zone: string, now: Date): ReportRequest['range'] {
  const { start_date: from, end_date: to } = readDateRange(input, zone, now, DEFAULT_DAYS)!;
  return { from, to };
}

function requireTeam(teams: readonly ChartedTeam[], slug: string): ChartedTeam {
  const team = teams.find((row) => row.slug === slug.toLowerCase() || row.name === slug);
  if (team !== undefined) return team;
  const list = listNames(teams.map((row) => row.slug));
  throw new StrataError('not_found', `there is no team "${slug}"; ${list}`, {
    errors: { team_slug: [`"${slug}" is unknown; ${list}`] },
  });
}

/** Teams that can be told apart: not the one that everybody is in, and not empty. */
export const countOwnTeams = (teams: readonly ChartedTeam[]): number =>
  teams.filter(({ is_default, has_members }) => !is_default && has_members).length;
