// A company as a whole, from one seed: people with and without commits, pull requests whose commits are in a real git
// repository, a tracker with the issues that those commits name, sprints, and tags. The doubles of a host and of a tracker
// show it, and test/oracles/company-statistics.ts computes from it what every statistic must be.
import type { Company, Person, Pull } from './company.ts';
import { randomOf } from './company.ts';
import { generateCompany } from './generate-company.ts';
import { generateTracker } from './generate-tracker.ts';
import type { TrackedIssue, TrackerCompany } from './tracker-company.ts';
import { type WrittenCommit, type WrittenTag, writeHistory } from './write-history.ts';

export interface WorksSize {
  readonly pulls: number;
  /** Of the host's own. */
  readonly hostIssues: number;
  /** Of the tracker. */
  readonly issues: number;
  readonly sprints: number;
  readonly runs: number;
  readonly deployments: number;
}

export interface TrackerTraits {
  /** Whether an issue is in one sprint at most, and a sprint ends on its day. */
  readonly isSingle: boolean;
  readonly hasLegacy: boolean;
  /** As people write it in commits. */
  key(issue: TrackedIssue): string;
}

export interface Works {
  readonly company: Company;
  readonly tracker: TrackerCompany;
  /** Of a bare git repository. */
  readonly folder: string;
  readonly commits: readonly WrittenCommit[];
  readonly tags: readonly WrittenTag[];
  /** Issues that the commits of a pull request name, by its number. */
  readonly named: ReadonlyMap<number, readonly TrackedIssue[]>;
}

export const FULL_WORKS: WorksSize = {
  pulls: 2_000,
  hostIssues: 1_000,
  issues: 5_000,
  sprints: 40,
  runs: 400,
  deployments: 200,
};

export const scaleWorks = (size: WorksSize, by: number): WorksSize => ({
  pulls: Math.round(size.pulls * by),
  hostIssues: Math.round(size.hostIssues * by),
  issues: Math.round(size.issues * by),
  sprints: Math.max(5, Math.round(size.sprints * by)),
  runs: Math.round(size.runs * by),
  deployments: Math.round(size.deployments * by),
});

const DAY_MS = 86_400_000;
const FIRST_SPRINT_MS = Date.UTC(2023, 10, 6, 9);
const SPAN_DAYS = 1_080;
const LAST_MS = Date.UTC(2026, 10, 1);
/** Opens pull requests and reviews, and never commits. */
const WITHOUT_COMMITS = 'donald';

export function generateWorks(seed: number, size: WorksSize, traits: TrackerTraits): Works {
  const random = randomOf(seed ^ 0x77_6f_72_6b);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const { pulls, hostIssues, runs, deployments } = size;
  const company = generateCompany(seed, { repos: 1, pulls, issues: hostIssues, runs, deployments });
  const tracker = generateTracker(seed + 1, {
    issues: size.issues,
    sprints: size.sprints,
    isSingle: traits.isSingle,
    hasLegacy: traits.hasLegacy,
    startMs: FIRST_SPRINT_MS,
    sprintDays: Math.floor(SPAN_DAYS / size.sprints),
  });
  const named = new Map<number, readonly TrackedIssue[]>();
  const ordinary = tracker.issues.filter(({ type }) => type !== 'Epic');
  const [repo] = company.repos;
  const committers = company.people.filter(({ isBot, login }) => !isBot && login !== WITHOUT_COMMITS);
  const reworked = repo!.pulls.map((pull): Pull => {
    const lot = random();
    const issues = lot < 0.6 ? [pick(ordinary)] : lot < 0.75 ? [pick(ordinary), pick(ordinary)] : [];
    named.set(pull.number, [...new Set(issues)]);
    const keys = [...new Set(issues)].map(traits.key);
    const isFix = keys.length === 0 && random() < 0.3;
    const writer = pull.author === null || pull.author.login === WITHOUT_COMMITS ? pick(committers) : pull.author;
    return {
      ...pull,
      title: [...keys, `Change ${pull.number}`].join(' '),
      branch: `${isFix && random() < 0.5 ? 'fix' : 'work'}/${pull.number}`,
      labels: isFix ? ['bug'] : pull.labels,
      closes: [],
      mergedBy: pull.mergedBy?.login === WITHOUT_COMMITS ? pick(committers) : pull.mergedBy,
      commits: pull.commits.map((commit, index) => ({
        ...commit,
        by: writer,
        at: index > 0 && index === pull.commits.length - 1 ? underReview(pull) : commit.at,
      })),
    };
  });
  repo!.pulls.splice(0, repo!.pulls.length, ...reworked);
  finishEpics(tracker, random);
  const bugs = tracker.issues.filter(({ type }) => type === 'Bug');
  const messages = (pull: Pull) => (named.get(pull.number) ?? []).map(traits.key).join(' ');
  const history = writeHistory(repo!.pulls, {
    message: messages,
    other: pickOther(committers, random),
    // Each bug is mended once at most.
    mended: () => (random() < 0.7 ? bugs.shift() : undefined) ?? null,
    key: traits.key,
  });
  for (const pull of repo!.pulls) {
    const landed = history.landings.get(pull.number);
    pull.commits = pull.commits.map((commit, index) => ({
      ...commit,
      sha: history.commits.find(({ of }) => of?.number === pull.number && of.index === index)?.sha ?? commit.sha,
    }));
    if (landed !== undefined) pull.mergeSha = landed;
  }
  const tips = history.commits.filter(({ isLanded }) => isLanded);
  const shaAt = (at: string) => (tips.findLast((commit) => commit.committedAt <= at) ?? tips[0]!).sha;
  repo!.deployments.splice(
    0,
    deployments,
    ...repo!.deployments.map((item) => ({ ...item, sha: shaAt(item.createdAt) })),
  );
  repo!.runs.splice(0, runs, ...repo!.runs.map((item) => ({ ...item, sha: shaAt(item.createdAt) })));
  return { company, tracker, named, folder: history.folder, commits: history.commits, tags: history.tags };
}

/** Two in three are done in the end. */
function finishEpics(tracker: TrackerCompany, random: () => number): void {
  for (const epic of tracker.issues.filter(({ type }) => type === 'Epic')) {
    let before: 'todo' | 'doing' = epic.first.status === 'doing' ? 'doing' : 'todo';
    let ms = Date.parse(epic.createdAt);
    for (const after of ['doing', 'done'] as const) {
      ms += (1 + random() * 60) * DAY_MS;
      if (ms > LAST_MS || (after === 'done' && random() < 0.3) || before === after) continue;
      const at = new Date(Math.floor(ms / 1000) * 1000).toISOString();
      epic.changes.push({
        id: 900_000 + epic.id * 2 + epic.changes.length,
        at,
        by: epic.by,
        field: 'status',
        before,
        after,
      });
      epic.updatedAt = at;
      if (after === 'doing') before = after;
    }
  }
}

/** Half way between opening and end. */
function underReview({ createdAt, closedAt }: Pull): string {
  const end = closedAt === null ? Date.parse(createdAt) + DAY_MS : Date.parse(closedAt);
  const half = (Date.parse(createdAt) + end) / 2;
  return new Date(Math.floor(half / 1000) * 1000).toISOString();
}

const pickOther = (people: readonly Person[], random: () => number) => (than: Person) => {
  const others = people.filter((person) => person !== than);
  return others[Math.floor(random() * others.length)]!;
};
