// What a report is about: whose work, in which repos, seen with which calendar. Resolved from the request
// by the operation; the compiler only reads it.
import type { EvidenceWeights } from '../domain/ai/evidence.ts';
import type { BusinessClock } from '../domain/calendar/business-time.ts';

export interface Scope {
  readonly entityId: number;
  readonly zone: string;
  readonly clock: BusinessClock;
  readonly weekStartsOnSunday: boolean;
  /** Null: all. */
  readonly repoIds: readonly number[] | null;
  /** Of the organizations named, for records that belong to no repo. */
  readonly organizationIds: readonly number[];
  /** Root committers whose work may be counted; null: all with statistics. */
  readonly personIds: readonly number[] | null;
  /** Whether people were asked for by name: `personIds` may also be those whom the caller may see. */
  readonly asksForPeople: boolean;
  /** Whether people or a team were asked for, so that work of nobody is left out. */
  readonly isAboutPeople: boolean;
  readonly teamId: number | null;
  readonly aiProvider: string | null;
  /** Of commits only those that the default branch of their repo leads to. */
  readonly isDefaultBranchOnly: boolean;
  /** Days off of the one person asked for. */
  readonly daysOff: ReadonlySet<string>;
  /** What evidence of AI is worth. */
  readonly weights: EvidenceWeights;
  /** Ids of the kinds of code whose lines are in line statistics. */
  readonly lineCategories: readonly number[];
  readonly now: Date;
}

/** What of a scope decides a query's text; everything else about it is a parameter. */
export interface ScopeShape {
  readonly namesRepos: boolean;
  readonly namesPeople: boolean;
  readonly asksForPeople: boolean;
  readonly namesTeam: boolean;
  readonly namesProvider: boolean;
  readonly isDefaultBranchOnly: boolean;
  readonly isAboutPeople: boolean;
  readonly weekStartsOnSunday: boolean;
  /** Tools report by days of UTC. Each is a part of a day of the zone and of the one before (-1) or after it (1); 0: they are the same. */
  readonly otherDayOfTools: -1 | 0 | 1;
}

export const shapeOf = (scope: Scope): ScopeShape => ({
  namesRepos: scope.repoIds !== null,
  namesPeople: scope.personIds !== null,
  asksForPeople: scope.asksForPeople,
  namesTeam: scope.teamId !== null,
  namesProvider: scope.aiProvider !== null,
  isDefaultBranchOnly: scope.isDefaultBranchOnly,
  isAboutPeople: scope.isAboutPeople,
  weekStartsOnSunday: scope.weekStartsOnSunday,
  otherDayOfTools: otherDayOfTools(scope),
});

function otherDayOfTools({ zone, clock, now }: Scope): ScopeShape['otherDayOfTools'] {
  if (zone === 'UTC') return 0;
  const today = clock.dateOf(now.getTime());
  const isWest = clock.startOf(today) > Date.parse(`${today}T00:00:00Z`);
  return isWest ? -1 : 1;
}
