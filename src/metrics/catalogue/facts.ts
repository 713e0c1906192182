// The facts: what is counted, where its date, person and repo are found, and which records explain it.
// Daily sums have a twin with one row per record and the same columns, so that a point can be taken apart.
import type { DataKind } from '../../domain/segments.ts';
import type { Row, TableName } from '../../storage/database/schema.ts';
import { RELATIONS, type RelationColumn, type RelationName } from './relations.ts';

type Source = TableName | RelationName;
type ColumnOf<S extends Source> = S extends RelationName
  ? RelationColumn<S>
  : S extends TableName
    ? keyof Row<S> & string
    : never;

/** Types of the audits call that list the records behind a point. */
export type AuditType =
  | 'commits'
  | 'pull_requests'
  | 'issues'
  | 'releases'
  | 'critical_defects'
  | 'ai_usages'
  | 'reviews'
  | 'comments'
  | 'sprints'
  | 'committers';

interface FactOf<S extends Source> {
  readonly source: S;
  /** Its one date, where it has one; else measures name the moment they count at. */
  readonly day?: ColumnOf<S>;
  /** A moment by which an index finds the rows of a date. */
  readonly near?: ColumnOf<S>;
  /** A moment that none of a row's states outlasts, by which an index leaves out what has long ended. */
  readonly lastly?: ColumnOf<S>;
  readonly committer?: ColumnOf<S>;
  /** Only rows of commits that count are in it, and so only of people who do. */
  readonly isOfCounted?: true;
  /** No column that is summed is null. */
  readonly isFilled?: true;
  /** A row says what it knows of its amounts: one that no row says is unknown, and not 0. */
  readonly mayLackAmounts?: true;
  /** The relation keeps to the entity and the range by itself; saying so twice makes the planner expect no rows. */
  readonly isOfRange?: true;
  /** How the scope's repos narrow it; absent where it belongs to no repo. */
  readonly repo?: ColumnOf<S>;
  /** Repos that come before its own and hold the same: it counts unless one of them is in the scope. */
  readonly countedIn?: ColumnOf<S>;
  /** Whether there are any, where that is known without looking at the list. */
  readonly isShared?: ColumnOf<S>;
  /** By the repos of the commits that name it. */
  readonly reposOfIssue?: true;
  /** Its repos and organizations, where a record may belong to several. */
  readonly repos?: 'defect_repos' | 'bug_repos';
  readonly team?: ColumnOf<S>;
  readonly provider?: ColumnOf<S>;
  readonly model?: ColumnOf<S>;
  /** Day that decides the cohort, where it is not the fact's date. */
  readonly cohortDay?: ColumnOf<S>;
  /** Who had a part in a record that belongs to nobody. */
  readonly people?: 'release_people' | 'defect_people';
  /** The same columns with one row per record. */
  readonly twin?: RelationName;
  /** The same sums by person, for questions that do not ask for repos. */
  readonly withoutRepos?: Source;
  /** Whether those sums are of days of UTC, whatever the entity's zone. */
  readonly isWithoutReposOfUtc?: true;
  readonly record?: ColumnOf<S>;
  /** Where the records are of several kinds. */
  readonly recordType?: ColumnOf<S>;
  readonly audit: AuditType;
  readonly needs: DataKind;
}
type Fact = { [S in Source]: FactOf<S> }[Source];

const ofCommit = {
  day: 'authored_on',
  committer: 'committer_id',
  repo: 'repo_id',
  audit: 'commits',
  needs: 'commits',
} as const;
const shared = { countedIn: 'counted_in', isShared: 'is_shared' } as const;
const counted = { ...ofCommit, ...shared, isOfCounted: true } as const;
const daily = { ...counted, isFilled: true } as const;
const tracedCommit = { ...counted, near: 'authored_at', record: 'record_id' } as const;
const usageCredit = {
  ...daily,
  withoutRepos: 'usage_credits_of_people',
  isWithoutReposOfUtc: true,
  record: 'record_id',
  provider: 'provider',
  model: 'model',
  audit: 'ai_usages',
  needs: 'ai_usage',
} as const;
const ofPull = { committer: 'committer_id', repo: 'repo_id', record: 'record_id', needs: 'pull_requests' } as const;

export const FACTS = {
  work: { source: 'daily_commits', ...daily, twin: 'commit_work' },
  /** Who worked when. */
  attendance: { source: 'daily_commits', ...daily, twin: 'commit_work', withoutRepos: 'daily_people' },
  categories: { source: 'daily_facts', ...daily, twin: 'commit_categories' },
  credits: { source: 'credits', ...daily, twin: 'commit_credits', provider: 'provider', model: 'model' },
  usage_credits: { source: 'usage_credits', ...usageCredit },
  recent_usage_credits: { source: 'recent_usage_credits', ...usageCredit },
  traced: { source: 'traced_commits', ...tracedCommit },
  commit_issues: { source: 'commit_issues', ...tracedCommit },
  commit_sprints: { source: 'commit_sprints', ...tracedCommit, isOfRange: true },
  churned: { source: 'churned_lines', ...ofCommit, ...shared, near: 'authored_at', record: 'record_id' },
  ai_churned: {
    source: 'ai_churned_lines',
    ...ofCommit,
    ...shared,
    near: 'authored_at',
    record: 'record_id',
    provider: 'provider',
    model: 'model',
  },
  copies: { source: 'copied_commits', ...ofCommit, near: 'authored_at', record: 'record_id' },
  unread: { source: 'unread_commits', ...counted, near: 'authored_at', record: 'record_id' },
  lives: { source: 'line_lives', ...counted, record: 'record_id' },
  seat_days: {
    source: 'seat_days',
    isOfRange: true,
    day: 'used_on',
    committer: 'committer_id',
    provider: 'provider',
    record: 'record_id',
    audit: 'committers',
    needs: 'ai_usage',
  },
  usages: {
    source: 'chosen_usages',
    mayLackAmounts: true,
    day: 'used_on',
    committer: 'committer_id',
    team: 'team_id',
    provider: 'ai_provider_em',
    model: 'model',
    record: 'id',
    audit: 'ai_usages',
    needs: 'ai_usage',
  },
  idle_days: {
    source: 'idle_days',
    isOfRange: true,
    day: 'used_on',
    committer: 'committer_id',
    provider: 'provider',
    record: 'record_id',
    audit: 'committers',
    needs: 'ai_usage',
  },
  engaged_usages: {
    source: 'engaged_usages',
    day: 'used_on',
    committer: 'committer_id',
    provider: 'provider',
    record: 'record_id',
    audit: 'ai_usages',
    needs: 'ai_usage',
  },
  pulls: { source: 'pulls', ...ofPull, lastly: 'closed_at', audit: 'pull_requests' },
  reviews: { source: 'reviews', ...ofPull, audit: 'reviews' },
  reviewed_commits: { source: 'reviewed_commits', ...ofPull, audit: 'reviews' },
  comments: { source: 'comments', ...ofPull, audit: 'comments' },
  received_comments: { source: 'received_comments', ...ofPull, isOfRange: true, audit: 'comments' },
  first_pulls: { source: 'first_pulls', ...ofPull, isOfRange: true, audit: 'pull_requests' },
  first_deploys: { source: 'first_deploys', ...ofPull, isOfRange: true, audit: 'releases', needs: 'releases' },
  releases: {
    source: 'release_facts',
    repo: 'repo_id',
    countedIn: 'counted_in',
    people: 'release_people',
    record: 'record_id',
    audit: 'releases',
    needs: 'releases',
  },
  release_people: {
    source: 'release_people',
    committer: 'committer_id',
    repo: 'repo_id',
    countedIn: 'counted_in',
    record: 'record_id',
    audit: 'releases',
    needs: 'releases',
  },
  changes: {
    source: 'released_changes',
    committer: 'committer_id',
    repo: 'repo_id',
    countedIn: 'counted_in',
    record: 'record_id',
    recordType: 'record_type',
    audit: 'commits',
    needs: 'releases',
  },
  defects: {
    source: 'defects',
    repos: 'defect_repos',
    people: 'defect_people',
    record: 'record_id',
    audit: 'critical_defects',
    needs: 'critical_defects',
  },
  defect_lines: {
    source: 'defect_lines',
    isOfRange: true,
    committer: 'committer_id',
    repo: 'repo_id',
    provider: 'provider',
    cohortDay: 'written_on',
    record: 'record_id',
    audit: 'critical_defects',
    needs: 'critical_defects',
  },
  /** The same lines at the day of the fix. */
  fixed_lines: {
    source: 'fixed_lines',
    day: 'fixed_on',
    near: 'fixed_at',
    committer: 'committer_id',
    repo: 'repo_id',
    provider: 'provider',
    record: 'record_id',
    audit: 'critical_defects',
    needs: 'critical_defects',
  },
  issues: {
    source: 'issue_facts',
    committer: 'committer_id',
    reposOfIssue: true,
    record: 'record_id',
    audit: 'issues',
    needs: 'issues',
  },
  epic_shares: {
    source: 'epic_shares',
    isOfRange: true,
    committer: 'committer_id',
    repo: 'repo_id',
    cohortDay: 'written_on',
    record: 'record_id',
    audit: 'issues',
    needs: 'issues',
  },
  bugs: {
    source: 'bugs',
    committer: 'committer_id',
    repos: 'bug_repos',
    record: 'record_id',
    recordType: 'record_type',
    audit: 'issues',
    needs: 'issues',
  },
  sprint_parts: {
    source: 'sprint_parts',
    isFilled: true,
    committer: 'assignee_id',
    team: 'team_id',
    record: 'sprint_id',
    audit: 'sprints',
    needs: 'sprints',
  },
} as const satisfies Record<string, Fact>;

export type FactName = keyof typeof FACTS;
export type FactColumn<F extends FactName> = ColumnOf<(typeof FACTS)[F]['source']>;

/** A fact with its column types forgotten: what the compiler sees. */
export interface AnyFact {
  readonly source: string;
  readonly day?: string;
  readonly near?: string;
  readonly lastly?: string;
  readonly committer?: string;
  readonly isOfCounted?: true;
  readonly isFilled?: true;
  readonly mayLackAmounts?: true;
  readonly isOfRange?: true;
  readonly repo?: string;
  readonly countedIn?: string;
  readonly isShared?: string;
  readonly reposOfIssue?: true;
  readonly repos?: 'defect_repos' | 'bug_repos';
  readonly team?: string;
  readonly provider?: string;
  readonly model?: string;
  readonly cohortDay?: string;
  readonly people?: 'release_people' | 'defect_people';
  readonly twin?: RelationName;
  readonly withoutRepos?: string;
  readonly isWithoutReposOfUtc?: true;
  readonly record?: string;
  readonly recordType?: string;
  readonly audit: AuditType;
  readonly needs: DataKind;
}

/** The relation's text in brackets, or the table's name. */
export const relationText = (source: string): string => (isRelation(source) ? `(${RELATIONS[source].sql})` : source);

const isRelation = (source: string): source is RelationName => Object.hasOwn(RELATIONS, source);
