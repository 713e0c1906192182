// What an entity has data of, and what a statistic lacks. Where data is missing a report has no figure: a zero, or a
// series of work without an issue, would look like a finding.
import { type Aggregation, DATA_KINDS, type DataKind } from '../domain/segments.ts';
import type { SegmentRow } from './catalogue/segment-row.ts';
import { planSegment } from './compile/plan-segment.ts';
import { compileQuery } from './compile/query.ts';
import type { DateRange } from './intervals.ts';
import { type Scope, shapeOf } from './scope.ts';

/** From when on data of one kind is there that imports bring. */
export interface ImportedDays {
  /** First day of which anything is imported; null where all repos are imported from their beginning. */
  readonly from: string | null;
  /** First whole day on which all repos of the scope are imported. */
  readonly allFrom: string | null;
}

/** What is known at all, of the scope of a report. */
export interface KnownData {
  readonly kinds: ReadonlySet<DataKind>;
  readonly commits: ImportedDays;
  /** Those that come from tags: a tag is a release where its commit is imported. */
  readonly releases: ImportedDays;
  /** How many people the scope has, where the caller may see the statistics of none of them; else 0. */
  readonly unseenPeople: number;
  /** Repos of the scope whose import has not come to its end, with how far it is. */
  readonly unfinished: readonly { readonly repo_path: string; readonly percent: number }[];
  /** Whether what follows from stored commits is still to be worked out. */
  readonly isDeriving: boolean;
  /** Paths of the repos of the scope whose facts an earlier version of the program derived otherwise. */
  readonly derivedOtherwise: readonly string[];
}

const WHAT_TO_DO: Record<DataKind, string> = {
  commits: 'no commits are imported; import a repo',
  ai_usage: 'no AI usage is reported; send it with POST /ai_usages',
  pull_requests:
    'no pull requests are known; connect a code host with POST /api_tokens/provision_user and import a repo of it',
  issues: 'no issues are known; connect a code host that has issues, or a tracker',
  sprints: 'no sprints are known; connect a tracker that has sprints',
  releases: 'no releases are known; send them with POST /releases or tag them',
  critical_defects: 'no critical defects are recorded; send them with POST /critical_defects',
  teams: 'there are no teams; make one with POST /teams',
};

/** What groups come from: without reports of use everybody would be a non-user. */
const GROUPS_NEED: Partial<Record<Aggregation, DataKind>> = { ai_cohort: 'ai_usage', team: 'teams' };

/** Kinds of data that a statistic needs and the entity lacks. */
export function missingKinds(
  row: Pick<SegmentRow, 'needs'>,
  aggregation: Aggregation,
  has: ReadonlySet<DataKind>,
): DataKind[] {
  const ofGroups = GROUPS_NEED[aggregation];
  const needs = new Set([...row.needs, ...(ofGroups === undefined ? [] : [ofGroups])]);
  return DATA_KINDS.filter((kind) => needs.has(kind) && !has.has(kind));
}

/** Why a statistic has no figures, for want of data or of the right to see them; null where it has. */
export function whyUnavailable(
  row: SegmentRow,
  aggregation: Aggregation,
  { kinds, unseenPeople }: KnownData,
  scope: Scope,
): string | null {
  const missing = missingData(row, aggregation, kinds);
  if (missing !== null || unseenPeople === 0 || !isOfPeople(row, 'none', scope)) return missing;
  const nobody = unseenPeople === 1 ? 'the only developer' : `any of the ${unseenPeople} developers`;
  return `you may not see the statistics of ${nobody} in it; an admin sets with stats_access whose you see`;
}

/** Whether the people that are asked for, or may be seen, narrow its figures; the compiled queries say so. */
export const isOfPeople = (row: SegmentRow, aggregation: Aggregation, scope: Scope): boolean =>
  planSegment(row, aggregation, 'whole').questions.some(({ question }) =>
    compileQuery(question, { ...shapeOf(scope), namesPeople: true }).includes(':people'),
  );

/** Why a figure of nothing is unknown and not 0: the days are before everything that is imported. Null where they are not. */
export function whyNotImported(row: ImportedRow, known: KnownData, range: DateRange): string | null {
  const { from } = importedDays(row, known);
  return from !== null && range.to < from
    ? `no commits before ${from} are imported; import the repos with an earlier since`
    : null;
}

/** Which data a statistic lacks, and what to do; null where it lacks none. */
export function missingData(
  row: Pick<SegmentRow, 'needs'>,
  aggregation: Aggregation,
  has: ReadonlySet<DataKind>,
): string | null {
  const missing = missingKinds(row, aggregation, has);
  return missing.length === 0 ? null : missing.map((kind) => WHAT_TO_DO[kind]).join('; ');
}

type ImportedRow = Pick<SegmentRow, 'needs' | 'restsOn'>;

export const needsCommits = (row: ImportedRow): boolean => [...row.needs, ...(row.restsOn ?? [])].includes('commits');

const COMPLETE: ImportedDays = { from: null, allFrom: null };

/** Since when there is what a statistic counts; commits bring releases with them. */
export function importedDays(row: ImportedRow, { commits, releases }: KnownData): ImportedDays {
  if (needsCommits(row)) return commits;
  return row.needs.includes('releases') ? releases : COMPLETE;
}
