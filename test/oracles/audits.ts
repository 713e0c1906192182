// What each filter means, said once more in plain JavaScript over the objects of audit-data.ts.
import type { AuditType } from '../../src/domain/audit-types.ts';
import { shaOf } from '../operations/seed-records.ts';
import {
  COMMENTS,
  COMMITS,
  type Commit,
  DEFECTS,
  type Identity,
  ISSUES,
  MEMBERSHIPS,
  PULL_REQUESTS,
  type PullRequest,
  RELEASES,
  REVIEWS,
  rootOf,
  SPRINTS,
  TAGS,
  TEAM_REPOS,
  USAGES,
  type Who,
} from '../world/audit-data.ts';

/** A record stripped to what filters look at. `name` is how the answer shows it. */
export interface Plain {
  readonly name: string;
  /** Null where it belongs to no repo and the filter by path does not apply. */
  readonly repos: readonly string[];
  readonly organizations?: readonly string[];
  readonly teams: readonly string[];
  readonly people: readonly Who[];
  readonly at: string | null;
  readonly resolved?: string | undefined;
  readonly isCritical?: boolean;
  readonly issueKeys?: readonly string[];
  readonly provider?: string;
  readonly status?: string;
  readonly tag?: string;
  readonly numbers?: readonly number[];
  readonly shas?: readonly string[];
  readonly phase?: string;
}

const commitOf = (name: string): Commit => COMMITS.find((commit) => commit.name === name)!;
const whoOf = (identity: Identity | null): Who[] => (identity === null ? [] : [rootOf(identity)]);

function teamsOf(identity: Identity | null, at: string, repo: string | null): string[] {
  if (identity === null) return [];
  const day = at.slice(0, 10);
  return MEMBERSHIPS.filter(
    ({ team, who, from, until }) =>
      who === rootOf(identity) &&
      (from === null || from <= day) &&
      (until === null || until > day) &&
      (repo === null || (TEAM_REPOS[team]?.includes(repo) ?? true)),
  ).map(({ team }) => team);
}

/** Written down by hand; business days are the subject of tests of their own. */
const PHASES: Readonly<Record<string, string>> = {
  'shop/web 1': 'phase_merged',
  'shop/web 2': 'phase_closed',
  'shop/web 3': 'phase_open',
  'shop/web 4': 'phase_stale_open',
  'shop/api 1': 'phase_merged',
  'shop/api 2': 'phase_stale_open',
  'shop/api 3': 'phase_open',
};
const pullName = (pull: PullRequest): string => `${pull.repo} ${pull.number}`;
const shasOf = (pull: PullRequest): string[] =>
  [...(pull.commits ?? []), ...(pull.squash ? [pull.squash] : [])].map(shaOf);

const workers: readonly Who[] = ['ada', 'bob', 'cyd'];
const commitsBy = (who: Who): Commit[] => COMMITS.filter((commit) => rootOf(commit.author) === who);

export const PLAIN: Readonly<Record<Exclude<AuditType, 'teams'>, readonly Plain[]>> = {
  commits: COMMITS.map((commit) => ({
    name: commit.name,
    repos: [commit.repo],
    teams: teamsOf(commit.author, commit.at, commit.repo),
    people: whoOf(commit.author),
    at: commit.at,
    issueKeys: ISSUES.filter((issue) => issue.commits?.includes(commit.name)).map((issue) => issue.key),
    numbers: PULL_REQUESTS.filter((pull) => pull.repo === commit.repo && shasOf(pull).includes(shaOf(commit.name))).map(
      (pull) => pull.number,
    ),
    shas: [shaOf(commit.name)],
  })),
  committers: workers.map((who) => ({
    name: who,
    repos: commitsBy(who).map((commit) => commit.repo),
    teams: teamsOf(who, '2026-06-30', null),
    people: [who],
    at: commitsBy(who)
      .filter((commit) => commit.presence === undefined)
      .map((commit) => commit.at)
      .toSorted()
      .at(-1)!,
  })),
  issues: ISSUES.map((issue) => ({
    name: issue.key,
    repos: (issue.commits ?? []).map((name) => commitOf(name).repo),
    teams: teamsOf(issue.assignee, issue.opened, null),
    people: whoOf(issue.assignee),
    at: issue.opened,
    resolved: issue.resolved,
    isCritical: issue.isCritical ?? false,
    issueKeys: [issue.key],
    provider: issue.provider,
    status: issue.status,
  })),
  pull_requests: PULL_REQUESTS.map((pull) => ({
    name: pullName(pull),
    repos: [pull.repo],
    teams: teamsOf(pull.author, pull.opened, pull.repo),
    people: whoOf(pull.author),
    at: pull.opened,
    resolved: pull.closed,
    numbers: [pull.number],
    shas: shasOf(pull),
    phase: PHASES[pullName(pull)]!,
  })),
  tags: TAGS.map((tag) => ({
    name: `${tag.repo} ${tag.name}`,
    repos: [tag.repo],
    teams: [],
    people: [],
    at: tag.at,
    tag: tag.name,
    shas: [shaOf(tag.commit)],
  })),
  releases: RELEASES.map((release) => ({
    name: release.name,
    repos: [release.repo],
    teams: release.commits.flatMap((name) => teamsOf(commitOf(name).author, commitOf(name).at, release.repo)),
    people: [...whoOf(release.deployer), ...release.commits.flatMap((name) => whoOf(commitOf(name).author))],
    at: release.at,
    shas: [shaOf(release.sha)],
  })),
  critical_defects: DEFECTS.map((defect) => ({
    name: defect.key,
    repos: [...(defect.repo === null ? [] : [defect.repo]), ...(defect.fixedIn === undefined ? [] : [defect.fixedIn])],
    organizations: defect.repo === null && defect.organization !== null ? [defect.organization] : [],
    teams: defect.commits.flatMap((name) => teamsOf(commitOf(name).author, commitOf(name).at, null)),
    people: defect.commits.flatMap((name) => whoOf(commitOf(name).author)),
    at: defect.at,
    resolved: defect.resolved,
    issueKeys: defect.issue === undefined ? [] : [defect.issue],
  })),
  ai_usages: USAGES.map((usage) => ({
    name: usage.model,
    repos: [],
    teams: usage.team === null ? teamsOf(usage.who, usage.on, null) : [usage.team],
    people: whoOf(usage.who),
    at: `${usage.on}T12:00:00Z`,
  })),
  reviews: REVIEWS.map((review) => ({
    name: review.at + pullName(review.pull),
    repos: [review.pull.repo],
    teams: teamsOf(review.who, review.at, review.pull.repo),
    people: whoOf(review.who),
    at: review.at,
    numbers: [review.pull.number],
  })),
  comments: COMMENTS.map((comment) => ({
    name: comment.id,
    repos: [comment.pull.repo],
    teams: teamsOf(comment.who, comment.at, comment.pull.repo),
    people: whoOf(comment.who),
    at: comment.at,
    numbers: [comment.pull.number],
    shas: comment.commit === undefined ? [] : [shaOf(comment.commit)],
  })),
  sprints: SPRINTS.map((sprint) => ({
    name: sprint.name,
    repos: [],
    teams: sprint.team === null ? [] : [sprint.team],
    people: [],
    at: sprint.starts,
  })),
};

/** How an answer's record is named here. */
export const nameOf: Readonly<Record<keyof typeof PLAIN, (record: Record<string, unknown>) => string>> = {
  commits: (record) => String(record.message),
  committers: (record) => String(record.committer_user_name),
  issues: (record) => String(record.key),
  pull_requests: (record) => `${record.repo_path} ${record.number}`,
  tags: (record) => `${record.repo_path} ${record.name}`,
  releases: (record) => String(record.name),
  critical_defects: (record) => String(record.defect_key),
  ai_usages: (record) => String(record.llm_model_name),
  reviews: (record) => `${record.submitted_at}${record.repo_path} ${record.pull_request_number}`,
  comments: (record) => String(record.body),
  sprints: (record) => String(record.name),
};

export interface Filter {
  readonly params: Readonly<Record<string, string | number | boolean>>;
  keeps(record: Plain): boolean;
}

const onOrAfter = (at: string | null | undefined, day: string) => at != null && at.slice(0, 10) >= day;
const onOrBefore = (at: string | null | undefined, day: string) => at != null && at.slice(0, 10) <= day;
const hasIssue = (record: Plain, test: RegExp) => (record.issueKeys ?? []).some((key) => test.test(key));
const holds = (record: Plain, start: string) => (record.shas ?? []).some((sha) => sha.startsWith(start));

const everywhere: Filter[] = [
  {
    params: { start_date: '2026-03-02', end_date: '2026-06-30' },
    keeps: ({ at }) => onOrAfter(at, '2026-03-02') && onOrBefore(at, '2026-06-30'),
  },
  { params: { start_date: '2026-03-01' }, keeps: ({ at }) => onOrAfter(at, '2026-03-01') },
  {
    params: { beginning_date: '2026-01-01', ending_date: '2026-02-28' },
    keeps: ({ at }) => onOrBefore(at, '2026-02-28'),
  },
  // 90 days that end there.
  {
    params: { end_date: '2026-04-21' },
    keeps: ({ at }) => onOrAfter(at, '2026-01-22') && onOrBefore(at, '2026-04-21'),
  },
];
const byRepo: Filter[] = [
  {
    params: { resource_path: 'acme/shop' },
    keeps: ({ repos, organizations }) =>
      repos.some((repo) => repo.startsWith('shop/')) || (organizations ?? []).includes('shop'),
  },
  {
    params: { resource_path: 'acme/shop/api,acme/lab' },
    keeps: ({ repos, organizations }) =>
      repos.some((repo) => repo !== 'shop/web') || (organizations ?? []).includes('lab'),
  },
];
const byTeam: Filter[] = ['alpha', 'beta'].map((team) => ({
  params: { team_slug: team },
  keeps: ({ teams }) => teams.includes(team),
}));
const byPerson: Filter[] = [
  { params: { committer_identifier: 'ada@laptop.local' }, keeps: ({ people }) => people.includes('ada') },
  { params: { committer: '4712' }, keeps: ({ people }) => people.includes('bob') },
  {
    params: { committer_user_name: 'bob,cyd' },
    keeps: ({ people }) => people.includes('bob') || people.includes('cyd'),
  },
];
const byResolution: Filter[] = [
  { params: { resolved_start_date: '2026-03-01' }, keeps: ({ resolved }) => onOrAfter(resolved, '2026-03-01') },
  { params: { resolved_end_date: '2026-03-20' }, keeps: ({ resolved }) => onOrBefore(resolved, '2026-03-20') },
];
const byIssue: Filter[] = [
  { params: { issue_key: 'web-12' }, keeps: (record) => hasIssue(record, /^WEB-12$/) },
  { params: { issue_number: 12 }, keeps: (record) => hasIssue(record, /(^|[-#])12$/) },
  { params: { issue_key: '7' }, keeps: (record) => hasIssue(record, /(^|[-#])7$/) },
];
const byNumber: Filter[] = [1, 2].map((number) => ({
  params: { [number === 1 ? 'pull_request_number' : 'number']: number },
  keeps: ({ numbers }) => (numbers ?? []).includes(number),
}));
const bySha: Filter[] = [
  { params: { sha: shaOf('a2') }, keeps: (record) => holds(record, shaOf('a2')) },
  { params: { sha: shaOf('w2').slice(0, 7) }, keeps: (record) => holds(record, shaOf('w2').slice(0, 7)) },
  {
    params: { sha: shaOf('a3').slice(0, 12).toUpperCase() },
    keeps: (record) => holds(record, shaOf('a3').slice(0, 12)),
  },
];

export const FILTERS: Readonly<Record<keyof typeof PLAIN, readonly Filter[]>> = {
  commits: [...byRepo, ...byTeam, ...byPerson, ...everywhere, ...byIssue, ...byNumber, ...bySha],
  committers: [...byRepo, ...byTeam, ...byPerson, ...everywhere],
  issues: [
    ...byRepo,
    ...byTeam,
    ...byPerson,
    ...everywhere,
    ...byResolution,
    ...byIssue,
    { params: { critical_defects_only: true }, keeps: ({ isCritical }) => isCritical === true },
    { params: { critical_defects_only: 'false' }, keeps: () => true },
    { params: { issue_provider_em: 'tracker_a' }, keeps: ({ provider }) => provider === 'tracker_a' },
    { params: { issue_provider_em: 'github' }, keeps: ({ provider }) => provider === 'hostC' },
    { params: { issue_status: 'DONE' }, keeps: ({ status }) => status?.toLowerCase() === 'done' },
  ],
  pull_requests: [
    ...byRepo,
    ...byTeam,
    ...byPerson,
    ...everywhere,
    ...byResolution,
    ...byNumber,
    ...bySha,
    ...['phase_open', 'phase_stale_open', 'phase_closed', 'phase_merged'].map((phase, index) => ({
      params: { [index % 2 === 0 ? 'phase_em' : 'pull_request_phase']: phase },
      keeps: (record: Plain) => record.phase === phase,
    })),
  ],
  tags: [
    ...byRepo,
    ...everywhere,
    ...bySha,
    { params: { tag_name_contains: 'v1' }, keeps: ({ tag }) => tag!.includes('v1') },
    { params: { tag: 'rc' }, keeps: ({ tag }) => tag!.toLowerCase().includes('rc') },
    { params: { tag: '%' }, keeps: () => false },
  ],
  releases: [...byRepo, ...byTeam, ...byPerson, ...everywhere, ...bySha],
  critical_defects: [...byRepo, ...byTeam, ...byPerson, ...everywhere, ...byResolution, ...byIssue],
  ai_usages: [...byTeam, ...byPerson, ...everywhere],
  reviews: [...byRepo, ...byTeam, ...byPerson, ...everywhere, ...byNumber],
  comments: [...byRepo, ...byTeam, ...byPerson, ...everywhere, ...byNumber, ...bySha],
  sprints: [...byTeam, ...everywhere],
};
