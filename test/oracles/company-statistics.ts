// What the statistics of a generated company must be, by loops over its own records: no SQL, and no code of src. Git's part
// is taken as given: which commits count, and their Diff Delta.
import type { Issue, Person, Pull } from '../world/company/company.ts';
import type { Works } from '../world/company/generate-works.ts';
import {
  current,
  doneAt,
  type Member,
  pointsOf,
  sprintFigures,
  startedAt,
  type TrackedIssue,
} from '../world/company/tracker-company.ts';
import type { WrittenCommit } from '../world/company/write-history.ts';
import type { Tells } from '../world/company-hosts/hosts.ts';
import { businessMinutes, clipToMonths, monthOf, monthsBetween } from './business-months.ts';

export interface GitFact {
  readonly sha: string;
  readonly counts: boolean;
  /** In thousandths. */
  readonly delta: number;
}

/** What a tracker calls things. */
export interface TrackerTells {
  key(issue: TrackedIssue): string;
  type(issue: TrackedIssue): string;
  isSubtask(issue: TrackedIssue): boolean;
  /** Whether it keeps e-mail addresses to itself: then nothing ties its people to those who commit. */
  readonly hidesEmails: boolean;
}

export interface Told {
  readonly works: Works;
  readonly host: Tells;
  readonly tracker: TrackerTells;
  readonly git: ReadonlyMap<string, GitFact>;
  /** Whether the host's own issues are collected. */
  readonly hasHostIssues: boolean;
  /** Sprints of the host itself: name, first and last moment. */
  readonly hostSprints: readonly { readonly name: string; readonly startsAt: string; readonly endsAt: string }[];
  /** When epics of the host itself were finished; no commit names them. */
  readonly hostEpics: readonly string[];
  readonly team: { readonly name: string; readonly logins: readonly string[] };
  /** Whoever uses an AI tool so much on the one day of a week that it is the week of a power user. */
  readonly usage: { readonly login: string; readonly days: readonly string[] };
  /** Of the last collecting. */
  readonly now: string;
}

interface Item {
  readonly at: string;
  readonly value: number;
  readonly series?: string;
  /** What is counted once in an interval. */
  readonly once?: string;
}
export interface Statistic {
  readonly items: readonly Item[];
  readonly of?: readonly Item[];
  readonly times?: number;
  readonly combine: 'sum' | 'mean' | 'distinct' | 'ratio';
  /** The divisor is counted week by week, up to this time; the mean of the weeks whose Thursday the month has divides. */
  readonly ofWeeksUntil?: string;
}

const DAY_MS = 86_400_000;
const hoursBetween = (from: string, to: string) => businessMinutes(from, to) / 60;
const daysBetween = (from: string, to: string) => businessMinutes(from, to) / 480;
const earliest = (times: readonly (string | null)[]): string | null =>
  times.filter((time) => time !== null).sort()[0] ?? null;

interface PlainIssue {
  readonly id: string;
  readonly key: string;
  readonly type: string;
  readonly isBug: boolean;
  readonly isEpic: boolean;
  readonly isSubtask: boolean;
  readonly points: number | null;
  readonly assignee: string | null;
  readonly openedAt: string;
  readonly startedAt: string | null;
  readonly resolvedAt: string | null;
  readonly epic: string | null;
  readonly tracked: TrackedIssue | null;
}

function issuesOf({ works, tracker, hasHostIssues }: Told): PlainIssue[] {
  const nameOf = (member: Member | Person | null) => member?.name ?? null;
  const tracked = works.tracker.issues.map((issue): PlainIssue => {
    const points = current(issue, 'points');
    return {
      id: `tracker ${issue.id}`,
      key: tracker.key(issue),
      type: tracker.type(issue),
      isBug: issue.type === 'Bug',
      isEpic: issue.type === 'Epic',
      isSubtask: tracker.isSubtask(issue),
      points: typeof points === 'number' ? pointsOf(points) : null,
      assignee: nameOf(current(issue, 'assignee')),
      openedAt: issue.createdAt,
      startedAt: startedAt(issue),
      resolvedAt: doneAt(issue, null),
      epic: issue.epic === null ? null : `tracker ${issue.epic.id}`,
      tracked: issue,
    };
  });
  const own = (hasHostIssues ? works.company.repos[0]!.issues : []).map((issue: Issue): PlainIssue => {
    const isBug = issue.labels.includes('bug');
    return {
      id: `host ${issue.id}`,
      key: `${works.company.organization}/${works.company.repos[0]!.name}#${issue.number}`,
      type: isBug ? 'Bug' : 'Issue',
      isBug,
      isEpic: false,
      isSubtask: false,
      points: null,
      assignee: nameOf(issue.assignee),
      openedAt: issue.createdAt,
      startedAt: null,
      resolvedAt: issue.isPlanned ? issue.closedAt : null,
      epic: null,
      tracked: null,
    };
  });
  return [...tracked, ...own];
}

/** Tags, and what was deployed to production; a commit that has both was released when it was deployed first. The oldest first. */
function releasesOf({ works, host }: Told): { readonly place: number; readonly at: string }[] {
  // Of several tags on a commit the first holds.
  const times = new Map(works.tags.toReversed().map(({ place, at }) => [place, at]));
  const deployed = (host.hasDeployments ? works.company.repos[0]!.deployments : []).filter(
    ({ environment, state }) => environment === 'production' && state === 'success',
  );
  const places = new Map(works.commits.map(({ sha, place }) => [sha, place]));
  for (const { sha, finishedAt } of deployed.toSorted((a, b) => (a.finishedAt < b.finishedAt ? 1 : -1))) {
    const place = places.get(sha) ?? null;
    if (place !== null) times.set(place, finishedAt);
  }
  return [...times].map(([place, at]) => ({ place, at })).sort((a, b) => (a.at < b.at ? -1 : 1));
}

/** Everything that is worked out once and used by several statistics. */
function study(told: Told) {
  const { works, host, git } = told;
  const pulls = works.company.repos[0]!.pulls;
  const isPerson = (person: Person | null) => person === null || !person.isBot;
  const isOther = (pull: Pull, by: Person | null) => by === null || by !== pull.author;
  const firstReview = (pull: Pull, isWanted: (by: Person | null) => boolean) =>
    earliest(
      [
        ...host.reviews(pull).filter(({ by }) => isOther(pull, by) && isWanted(by)),
        ...pull.comments.filter(({ by, place }) => place !== null && isOther(pull, by) && isWanted(by)),
      ].map(({ at }) => at),
    );
  const releases = releasesOf(told);
  const releaseOf = (place: number | null) =>
    place === null ? undefined : releases.find((release) => release.place >= place);
  const commitOf = new Map(works.commits.map((commit) => [commit.sha, commit]));
  const issues = issuesOf(told);
  const byTracked = new Map(issues.map((issue) => [issue.tracked, issue]));
  const namedBy = (commit: WrittenCommit): PlainIssue[] => {
    const number = commit.of?.number ?? commit.squashOf;
    const named = number === null ? (commit.bug === null ? [] : [commit.bug]) : works.named.get(number)!;
    return named.map((issue) => byTracked.get(issue)!);
  };
  const counted = works.commits.filter(({ sha }) => git.get(sha)?.counts === true);
  const deltaOf = ({ sha }: WrittenCommit) => git.get(sha)!.delta / 1000;
  const commitsOfIssue = new Map<string, WrittenCommit[]>();
  for (const commit of works.commits.filter(({ isMerge }) => !isMerge)) {
    for (const { id } of namedBy(commit)) commitsOfIssue.set(id, [...(commitsOfIssue.get(id) ?? []), commit]);
  }
  const plainPulls = pulls.map((pull) => {
    const landed = pull.mergeSha === null ? undefined : commitOf.get(pull.mergeSha);
    const tag = pull.mergedAt === null ? undefined : releaseOf(landed?.place ?? null);
    return {
      pull,
      openedAt: host.openedAt(pull),
      isByPerson: isPerson(pull.author),
      firstAt: firstReview(pull, () => true),
      firstHumanAt: firstReview(pull, isPerson),
      firstCommitAt: earliest(pull.commits.map(({ at }) => at))!,
      releasedAt: tag === undefined || tag === releases[0] ? null : tag.at,
    };
  });
  /** Of all the default branch's commits that name it, the last; null while one of them waits. */
  const releasedAt = ({ id }: PlainIssue): string | null => {
    const tags = (commitsOfIssue.get(id) ?? [])
      .filter(({ place }) => place !== null)
      .map(({ place }) => releaseOf(place));
    if (tags.some((tag) => tag === undefined)) return null;
    return (
      tags
        .filter((tag) => tag !== releases[0])
        .map((tag) => tag!.at)
        .sort()
        .at(-1) ?? null
    );
  };
  /** The commit that wrote the first line of a merged pull request. */
  const originOf = (pull: Pull) =>
    works.commits.find(
      ({ of, squashOf }) => (of?.number === pull.number && of.index === 0) || squashOf === pull.number,
    );
  return {
    originOf,
    pulls: plainPulls,
    isPerson,
    isOther,
    releaseOf,
    issues,
    namedBy,
    counted,
    deltaOf,
    commitsOfIssue,
    releasedAt,
  };
}

export function companyStatistics(told: Told): Record<string, Statistic> {
  const { works, host, team, now } = told;
  const s = study(told);
  const byPeople = s.pulls.filter(({ isByPerson }) => isByPerson);
  const resolved = s.issues.filter(({ resolvedAt }) => resolvedAt !== null);
  const ordinary = resolved.filter(({ isEpic }) => !isEpic);
  const one = (at: string, series?: string): Item => ({ at, value: 1, ...(series === undefined ? {} : { series }) });
  const sum = (items: readonly Item[]): Statistic => ({ items, combine: 'sum' });
  const mean = (items: readonly Item[]): Statistic => ({ items, combine: 'mean' });
  const ofPulls = (at: (p: (typeof s.pulls)[number]) => string | null, value = (_: (typeof s.pulls)[number]) => 1) =>
    byPeople.flatMap((p): Item[] => {
      const time = at(p);
      return time === null ? [] : [{ at: time, value: value(p) }];
    });

  // Reviews and comments.
  const reviews = s.pulls.flatMap(({ pull }) =>
    host
      .reviews(pull)
      .filter(({ by }) => s.isOther(pull, by))
      .map((review) => ({ ...review, pull })),
  );
  const ofPeople = reviews.filter(({ by }) => by !== null && !by.isBot);
  const comments = s.pulls.flatMap(({ pull }) =>
    pull.comments.filter(({ by }) => s.isOther(pull, by) && s.isPerson(by)).map(({ at, by }) => ({ at, by, pull })),
  );

  // Commits.
  const work = s.counted.map((commit): Item => ({ at: commit.at, value: s.deltaOf(commit) }));
  const phases = s.counted.map(
    (commit): Item => ({ at: commit.at, value: s.deltaOf(commit), series: phaseOf(commit, told, s) }),
  );
  const byIssue = (series: (issue: PlainIssue) => string) =>
    s.counted.flatMap((commit): Item[] => {
      const issues = s.namedBy(commit);
      const value = s.deltaOf(commit);
      if (issues.length === 0) return [{ at: commit.at, value, series: 'No issue' }];
      return issues.map((issue) => ({ at: commit.at, value: value / issues.length, series: series(issue) }));
    });
  const bugShare = (commit: WrittenCommit): number => {
    const issues = s.namedBy(commit);
    if (issues.length > 0) return issues.filter(({ isBug }) => isBug).length / issues.length;
    const number = commit.of?.number ?? commit.squashOf;
    const pull = s.pulls.find(({ pull: each }) => each.number === number)?.pull;
    if (pull === undefined) return 0;
    return (host.hasLabels && pull.labels.includes('bug')) || pull.branch.startsWith('fix/') ? 1 : 0;
  };
  const active = s.counted.map(({ at, by }): Item => ({ at, value: 1, once: by.email }));

  // Issues.
  const points = (issue: PlainIssue, series?: string): Item => ({
    at: issue.resolvedAt!,
    value: issue.points ?? 0,
    ...(series === undefined ? {} : { series }),
  });
  const personOf = (name: string, tracked: TrackedIssue | null) =>
    tracked !== null && told.tracker.hidesEmails ? `${name} of the tracker` : name;
  const estimates = estimatePoints(ordinary, s, team, works);
  const bugs = s.issues.filter(({ isBug }) => isBug);
  const inTeam = (name: string | null) =>
    works.company.people.some((person) => person.name === name && team.logins.includes(person.login));
  const weeks = new Set(told.usage.days.map(weekOf));
  const cohortOf = (person: Person, at: string) =>
    person.login === told.usage.login && weeks.has(weekOf(at)) ? 'Power' : 'Non-user';
  const epicItems = epicShares(s, cohortOf);

  // Sprints.
  const dated = works.tracker.sprints.filter(({ startsAt }) => startsAt !== null);
  const figures = dated.map((sprint) => ({ sprint, ...sprintFigures(works.tracker, sprint) }));
  const endOf = (sprint: (typeof dated)[number]) => sprint.completedAt ?? sprint.endsAt!;
  const atEnd = (value: (f: (typeof figures)[number]) => number) =>
    figures.map((f): Item => ({ at: endOf(f.sprint), value: value(f) }));

  return {
    prs_opened: sum(ofPulls(({ pull, openedAt }) => (pull.isDraft ? null : openedAt))),
    pr_abandoned_count: sum(ofPulls(({ pull }) => (pull.mergedAt === null ? pull.closedAt : null))),
    abandoned_pr_cohorts: sum(
      s.pulls.flatMap(({ pull }) =>
        pull.mergedAt === null && pull.closedAt !== null && pull.author !== null && !pull.author.isBot
          ? [one(pull.closedAt, host.tiesCommitters ? cohortOf(pull.author, pull.closedAt) : 'Non-user')]
          : [],
      ),
    ),
    pr_merged_without_any_review_count: sum(
      ofPulls(({ pull, firstAt }) => (firstAt === null || firstAt > pull.mergedAt! ? pull.mergedAt : null)),
    ),
    pr_merged_without_human_review_count: sum(
      ofPulls(({ pull, firstHumanAt }) =>
        firstHumanAt === null || firstHumanAt > pull.mergedAt! ? pull.mergedAt : null,
      ),
    ),
    pr_awaiting_review_count: sum(
      byPeople.flatMap(({ pull, openedAt, firstHumanAt }) => {
        if (pull.isDraft) return [];
        const until = earliest([firstHumanAt, pull.closedAt, pull.mergedAt]);
        return monthsBetween(openedAt, now).flatMap(({ start, end }) =>
          openedAt < end && (until === null || until >= end) ? [one(start)] : [],
        );
      }),
    ),
    pr_awaiting_review_hours: sum(
      byPeople.flatMap(({ pull, openedAt, firstHumanAt }) => {
        if (pull.isDraft) return [];
        const until = earliest([firstHumanAt, pull.closedAt, pull.mergedAt, now])!;
        return clipToMonths(openedAt, until).map(({ from, to }) => ({ at: from, value: hoursBetween(from, to) }));
      }),
    ),
    pr_average_hours_awaiting_first_review: mean(
      ofPulls(
        ({ pull, firstHumanAt }) =>
          pull.mergedAt !== null && firstHumanAt !== null && firstHumanAt > pull.mergedAt ? null : firstHumanAt,
        ({ openedAt, firstHumanAt }) => hoursBetween(openedAt, firstHumanAt!),
      ),
    ),
    pr_cycle: mean(
      ofPulls(
        ({ pull }) => pull.mergedAt,
        ({ pull, firstCommitAt }) => daysBetween(firstCommitAt, pull.mergedAt!),
      ),
    ),
    pr_lead_time: mean(
      ofPulls(
        ({ releasedAt }) => releasedAt,
        ({ firstCommitAt, releasedAt }) => daysBetween(firstCommitAt, releasedAt!),
      ),
    ),
    pr_resolved_days: mean(
      ofPulls(
        ({ pull }) => pull.closedAt,
        ({ pull, openedAt }) => daysBetween(openedAt, pull.closedAt!),
      ),
    ),
    pr_review_count: sum(reviews.map(({ at }) => one(at))),
    prs_reviewed: {
      items: ofPeople.map(({ at, pull }) => ({ at, value: 1, once: String(pull.number) })),
      combine: 'distinct',
    },
    commits_reviewed: {
      items: ofPeople.flatMap(({ at, by, pull }) =>
        pull.commits.map(({ sha }) => ({ at, value: 1, once: `${by!.login} ${sha}` })),
      ),
      combine: 'distinct',
    },
    pr_comments_left: sum(comments.flatMap(({ at, by }) => (by === null ? [] : [one(at)]))),
    pr_comments_received: sum(
      comments.flatMap(({ at, pull }) => (pull.author === null || pull.author.isBot ? [] : [one(at)])),
    ),
    days_to_first_pr: mean(firstPulls(told, s)),
    pull_request_phase: sum(phases),
    bug_work_percent: {
      items: s.counted.map((commit) => ({ at: commit.at, value: s.deltaOf(commit) * bugShare(commit) })),
      of: work,
      times: 100,
      combine: 'ratio',
    },
    issue_external_identifier: sum(byIssue(({ key }) => key)),
    ticket_type: sum(byIssue(({ type }) => type)),
    inside_bounds_sprint_name: sum(
      s.counted.map((commit) => ({ at: commit.at, value: s.deltaOf(commit), series: sprintAt(commit.at, told) })),
    ),
    epics_resolved_count: sum([
      ...resolved.filter(({ isEpic }) => isEpic).map(({ resolvedAt }) => one(resolvedAt!)),
      ...told.hostEpics.map((at) => one(at)),
    ]),
    issue_business_days_to_fix: mean(
      resolved
        .filter(({ isBug }) => isBug)
        .map(({ openedAt, resolvedAt }) => ({ at: resolvedAt!, value: daysBetween(openedAt, resolvedAt!) })),
    ),
    issue_days_lead_time: mean(
      s.issues.flatMap((issue) => {
        const end = s.releasedAt(issue) ?? issue.resolvedAt;
        if (issue.isEpic || issue.startedAt === null || end === null) return [];
        return [{ at: end, value: daysBetween(issue.startedAt, end) }];
      }),
    ),
    issues_resolved_per_active_developer: {
      items: ordinary.filter(({ isSubtask }) => !isSubtask).map(({ resolvedAt }) => one(resolvedAt!)),
      of: active,
      combine: 'ratio',
    },
    story_points_resolved: sum(ordinary.map((issue) => points(issue))),
    story_points_resolved_estimated: sum(
      ordinary.map((issue) => ({ at: issue.resolvedAt!, value: issue.points ?? estimates.get(issue.id) ?? 0 })),
    ),
    story_points_per_active_developer: { items: ordinary.map((issue) => points(issue)), of: active, combine: 'ratio' },
    story_points_per_assignee: {
      items: ordinary.filter(({ assignee }) => assignee !== null).map((issue) => points(issue)),
      of: ordinary.flatMap(({ assignee, resolvedAt, tracked }) =>
        assignee === null ? [] : [{ at: resolvedAt!, value: 1, once: personOf(assignee, tracked) }],
      ),
      combine: 'ratio',
    },
    team_story_points_complete: sum(
      ordinary.filter(({ assignee }) => inTeam(assignee)).map((issue) => points(issue, team.name)),
    ),
    ticket_type_story_points: sum(ordinary.map((issue) => points(issue, issue.type))),
    bug_escape_rate: {
      items: bugs.filter((bug) => hasEscaped(bug, s)).map(({ openedAt }) => one(openedAt)),
      of: bugs.map(({ openedAt }) => one(openedAt)),
      times: 100,
      combine: 'ratio',
    },
    epic_resolved_count_cohorts: sum(epicItems),
    epic_resolved_count_cohorts_per_committer: {
      items: epicItems,
      of: s.counted.map(({ at, by }) => ({ at, value: 1, once: by.email, series: cohortOf(by, at) })),
      combine: 'ratio',
      ofWeeksUntil: now,
    },
    sprint_start_story_points_committed: sum(
      figures.map(({ sprint, committed }) => ({ at: sprint.startsAt!, value: committed })),
    ),
    sprint_end_story_points_completed: sum(atEnd(({ completed }) => completed)),
    story_points_velocity: {
      items: atEnd(({ kept }) => kept),
      of: atEnd(({ committed }) => committed),
      times: 100,
      combine: 'ratio',
    },
    unplanned_work_story_points_percent: {
      items: atEnd(({ unplanned }) => unplanned),
      of: atEnd(({ completed }) => completed),
      times: 100,
      combine: 'ratio',
    },
  };
}

type Study = ReturnType<typeof study>;

function phaseOf(commit: WrittenCommit, { works }: Told, s: Study): string {
  const number = commit.of?.number ?? commit.squashOf;
  const pull = s.pulls.find(({ pull: each }) => each.number === number);
  if (pull !== undefined) {
    if (commit.at < pull.openedAt) return 'Preparing';
    if (commit.squashOf !== null || pull.pull.mergedAt === null || commit.at <= pull.pull.mergedAt)
      return 'Under review';
    return 'After merge';
  }
  if (commit.mends === null) return 'No pull request';
  const { mergedAt } = works.company.repos[0]!.pulls.find((each) => each.number === commit.mends)!;
  return Date.parse(commit.at) - Date.parse(mergedAt!) < 30 * DAY_MS ? 'After merge' : 'No pull request';
}

/** Where sprints overlap, the one that began first holds. */
function sprintAt(at: string, { works, hostSprints }: Told): string {
  const sprints = [
    ...works.tracker.sprints.flatMap(({ name, startsAt, endsAt, completedAt }) =>
      startsAt === null ? [] : [{ name, startsAt, endsAt: completedAt ?? endsAt! }],
    ),
    ...hostSprints,
  ].sort((a, b) => (a.startsAt < b.startsAt ? -1 : 1));
  return sprints.find(({ startsAt, endsAt }) => at >= startsAt && at < endsAt)?.name ?? 'No sprint';
}

/** Of everybody's first pull request: days since their first commit. */
function firstPulls({ works, host }: Told, s: Study): Item[] {
  const items: Item[] = [];
  for (const person of works.company.people) {
    const own = s.pulls.filter(({ pull }) => pull.author === person && !pull.isDraft).map(({ openedAt }) => openedAt);
    const opened = earliest(own);
    if (opened === null || person.isBot) continue;
    const committed = earliest(works.commits.filter(({ by }) => by === person).map(({ at }) => at));
    const joined = earliest([host.tiesCommitters ? committed : null, opened])!;
    const day = (at: string) => Math.floor(Date.parse(at) / DAY_MS);
    items.push({ at: opened, value: day(opened) - day(joined) });
  }
  return items;
}

/** Counts weeks, from Monday to Sunday. */
const weekOf = (at: string): number => Math.floor((Date.parse(at) / DAY_MS + 3) / 7);

/** A finished epic is shared among the commits that name it or its issues; one that none names is nobody's. */
function epicShares(s: Study, cohortOf: (person: Person, at: string) => string): Item[] {
  return s.issues
    .filter(({ isEpic, resolvedAt }) => isEpic && resolvedAt !== null)
    .flatMap((epic) => {
      const parts = s.issues
        .filter((issue) => issue.id === epic.id || issue.epic === epic.id)
        .flatMap(({ id }) => s.commitsOfIssue.get(id) ?? [])
        .filter((commit) => s.counted.includes(commit))
        .map((commit) => ({ commit, delta: s.deltaOf(commit) / s.namedBy(commit).length }));
      const total = parts.reduce((sum, { delta }) => sum + delta, 0);
      if (total === 0) return [];
      return parts.map(({ commit, delta }) => ({
        at: epic.resolvedAt!,
        value: delta / total,
        series: cohortOf(commit.by, commit.at),
      }));
    });
}

/** A bug escaped when it was opened after the release that shipped the line that its fix had to change. */
function hasEscaped(bug: PlainIssue, s: Study): boolean {
  return (s.commitsOfIssue.get(bug.id) ?? []).some((commit) => {
    if (commit.mends === null) return false;
    const origin = s.pulls.find(({ pull }) => pull.number === commit.mends)!.pull;
    const written = s.originOf(origin);
    const tag = s.releaseOf(written?.place ?? null);
    return tag !== undefined && bug.openedAt > tag.at;
  });
}

/** By Diff Delta at the rate of the half year before, else the median of the type; within a team, else among the rest. */
function estimatePoints(
  issues: readonly PlainIssue[],
  s: Study,
  team: Told['team'],
  works: Works,
): Map<string, number> {
  const teamOf = (name: string | null) =>
    works.company.people.some((person) => person.name === name && team.logins.includes(person.login));
  const sized = issues.map((issue) => {
    const commits = (s.commitsOfIssue.get(issue.id) ?? []).filter((commit) => s.counted.includes(commit));
    return {
      ...issue,
      isOfTeam: teamOf(issue.assignee),
      delta: commits.reduce((total, commit) => total + s.deltaOf(commit) / s.namedBy(commit).length, 0),
    };
  });
  const estimates = new Map<string, number>();
  for (const issue of sized.filter(({ points }) => points === null)) {
    const known = sized.filter(({ isOfTeam, points }) => isOfTeam === issue.isOfTeam && points !== null && points > 0);
    const end = Date.parse(issue.resolvedAt!);
    const recent = known.filter(({ delta, resolvedAt }) => {
      const at = Date.parse(resolvedAt!);
      return delta > 0 && at <= end && at > end - 180 * DAY_MS;
    });
    const [points, delta] = [recent.reduce((t, p) => t + p.points!, 0), recent.reduce((t, p) => t + p.delta, 0)];
    const middle = median(known.filter(({ type }) => type === issue.type).map((p) => p.points!));
    const guess = issue.delta > 0 && delta > 0 ? (issue.delta * points) / delta : middle;
    if (guess !== null) estimates.set(issue.id, Math.round(guess * 100) / 100);
  }
  return estimates;
}

function median(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  const sorted = [...values].sort((a, b) => a - b);
  const half = (sorted.length - 1) / 2;
  return (sorted[Math.floor(half)]! + sorted[Math.ceil(half)]!) / 2;
}

/** How many different ones there are in a week of the month, on average. */
function meanOfWeeks(items: readonly Item[], month: string, until: string): number {
  const thursdays: number[] = [];
  for (let day = Date.parse(`${month}T00:00:00Z`); monthOf(new Date(day).toISOString()) === month; day += DAY_MS) {
    if (new Date(day).getUTCDay() === 4 && day < Date.parse(until)) thursdays.push(day);
  }
  const sizes = thursdays.map((day) => {
    const week = weekOf(new Date(day).toISOString());
    return new Set(items.filter(({ at }) => weekOf(at) === week).map(({ once }) => once)).size;
  });
  return sizes.reduce((sum, size) => sum + size, 0) / sizes.length;
}

/** Series → first day of the month → value; what is absent has none. */
export function monthly({ items, of, times = 1, combine, ofWeeksUntil }: Statistic): Map<string, Map<string, number>> {
  const cells = (list: readonly Item[]) => {
    const found = new Map<string, { total: number; count: number; once: Set<string> }>();
    for (const { at, value, series = '', once } of list) {
      const key = JSON.stringify([series, monthOf(at)]);
      const cell = found.get(key) ?? { total: 0, count: 0, once: new Set() };
      cell.total += value;
      cell.count += 1;
      if (once !== undefined) cell.once.add(once);
      found.set(key, cell);
    }
    return found;
  };
  const above = cells(items);
  const below = of === undefined ? null : cells(of);
  const result = new Map<string, Map<string, number>>();
  for (const [key, cell] of above) {
    const [series, month] = JSON.parse(key) as [string, string];
    const under = below?.get(key);
    const size =
      ofWeeksUntil !== undefined
        ? meanOfWeeks(
            of!.filter((item) => item.series === series),
            month,
            ofWeeksUntil,
          )
        : under === undefined
          ? 0
          : under.once.size > 0
            ? under.once.size
            : under.total;
    if (below !== null && size === 0) continue;
    const value =
      combine === 'distinct'
        ? cell.once.size
        : combine === 'mean'
          ? cell.total / cell.count
          : below === null
            ? cell.total
            : (cell.total / size) * times;
    const months = result.get(series) ?? new Map<string, number>();
    months.set(month, value);
    result.set(series, months);
  }
  return result;
}
