// Makes a company: three years of work, with drafts, squashes, ghosts, bots, long lists and threads.
import { createHash } from 'node:crypto';
import {
  type Company,
  type CompanyRepo,
  type CompanySize,
  type Issue,
  type Person,
  type Pull,
  type PullComment,
  randomOf,
} from './company.ts';

const START_MS = Date.UTC(2023, 10, 1);
const SPAN_MS = 3 * 365 * 86_400_000;
/** Nothing has happened later. */
const END_MS = Date.UTC(2026, 10, 9);
const HOUR_MS = 3_600_000;

export const SMALL_COMPANY: CompanySize = { repos: 1, pulls: 60, issues: 130, runs: 40, deployments: 20 };

export function generateCompany(seed: number, size: CompanySize): Company {
  const random = randomOf(seed);
  let nextId = 1_000;
  const id = () => {
    nextId += 1;
    return nextId;
  };
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const chance = (share: number) => random() < share;
  const iso = (ms: number) => new Date(Math.floor(ms / 1000) * 1000).toISOString();
  const sha = (text: string) => createHash('sha1').update(`${seed} ${text}`).digest('hex');
  const people: Person[] = ['ada', 'grace', 'linus', 'margaret', 'edsger', 'barbara', 'donald'].map((login) => ({
    id: id(),
    login,
    name: `${login[0]!.toUpperCase()}${login.slice(1)} Example`,
    email: `${login}@example.com`,
    isBot: false,
  }));
  const bot: Person = { id: id(), login: 'helper[bot]', name: 'helper', email: 'helper@example.com', isBot: true };
  people.push(bot);
  const humans = people.filter(({ isBot }) => !isBot);
  /** One in forty is a deleted account. */
  const anybody = (): Person | null => (chance(0.025) ? null : chance(0.1) ? bot : pick(humans));

  const makePull = (repo: CompanyRepo, number: number, startMs: number): Pull => {
    const author = anybody();
    let at = startMs;
    const step = (hours: number) => {
      at += random() * hours * HOUR_MS + 60_000;
      return iso(at);
    };
    const isHuge = number === 7;
    const commitCount = isHuge ? 130 : 1 + Math.floor(random() * 5);
    const commits = Array.from({ length: commitCount }, (_, index) => ({
      sha: sha(`${repo.name} ${number} commit ${index}`),
      at: iso(startMs - (commitCount - index) * 600_000),
      by: author ?? pick(humans),
    }));
    const pull: Pull = {
      id: id(),
      number,
      title: `Change ${number} of ${repo.name}`,
      author,
      branch: `work/${number}`,
      base: 'main',
      createdAt: iso(startMs),
      updatedAt: iso(startMs),
      isDraft: false,
      closedAt: null,
      mergedAt: null,
      mergedBy: null,
      mergeMethod: null,
      mergeSha: null,
      commits,
      reviews: [],
      comments: [],
      events: [],
      resolved: new Set(),
      labels: chance(0.3) ? ['feature'] : [],
      assignees: chance(0.3) ? [pick(humans)] : [],
      closes: chance(0.3) && repo.issues.length > 0 ? [pick(repo.issues).number] : [],
    };
    if (chance(0.3)) {
      pull.isDraft = chance(0.2);
      if (!pull.isDraft) pull.events.push({ id: id(), kind: 'ready', at: step(20), by: author, of: null });
    }
    if (chance(0.5)) {
      pull.events.push({ id: id(), kind: 'review_requested', at: step(2), by: author, of: pick(humans) });
    }
    const threads: PullComment[] = [];
    const reviewCount = isHuge ? 45 : Math.floor(random() * 4);
    for (let index = 0; index < reviewCount; index += 1) {
      const by = anybody();
      const review = {
        id: id(),
        by,
        state: pick(['approved', 'changes_requested', 'commented', 'dismissed'] as const),
        at: step(30),
      };
      pull.reviews.push(review);
      if (!chance(0.6)) continue;
      const place = {
        path: `src/file-${Math.floor(random() * 9)}.ts`,
        line: 1 + Math.floor(random() * 200),
        reviewId: review.id,
      };
      const first = { id: id(), by, at: review.at, updatedAt: review.at, body: `Line ${index}`, place, answers: null };
      pull.comments.push(first);
      threads.push(first);
      if (chance(0.5)) {
        const when = step(5);
        pull.comments.push({ id: id(), by: author, at: when, updatedAt: when, body: 'Done', place, answers: first.id });
        pull.resolved.add(first.id);
      }
    }
    for (let index = Math.floor(random() * 3); index > 0; index -= 1) {
      const when = step(10);
      pull.comments.push({
        id: id(),
        by: anybody(),
        at: when,
        updatedAt: when,
        body: 'A word',
        place: null,
        answers: null,
      });
    }
    const fate = random();
    if (fate < 0.7 && !pull.isDraft) {
      const when = step(20);
      pull.closedAt = when;
      pull.mergedAt = when;
      pull.mergedBy = pick(humans);
      pull.mergeMethod = pick(['merge', 'squash', 'rebase'] as const);
      pull.mergeSha = sha(`${repo.name} ${number} landed`);
    } else if (fate < 0.85) {
      pull.closedAt = step(20);
      pull.events.push({ id: id(), kind: 'closed', at: pull.closedAt, by: pick(humans), of: null });
    }
    pull.updatedAt = iso(at);
    return pull;
  };

  const makeIssue = (number: number, startMs: number): Issue => {
    const closedMs = chance(0.7) ? startMs + random() * 500 * HOUR_MS + 60_000 : Number.POSITIVE_INFINITY;
    const closedAt = closedMs < END_MS ? iso(closedMs) : null;
    const issue: Issue = {
      id: id(),
      number,
      title: `Wish ${number}`,
      by: anybody(),
      assignee: chance(0.6) ? pick(humans) : null,
      labels: chance(0.3) ? ['bug'] : [],
      createdAt: iso(startMs),
      updatedAt: closedAt ?? iso(startMs),
      closedAt,
      isPlanned: !chance(0.1),
      events: [],
    };
    if (issue.assignee !== null) {
      issue.events.push({ id: id(), kind: 'assigned', at: iso(startMs + 1000), by: pick(humans), of: issue.assignee });
    }
    if (closedAt !== null) issue.events.push({ id: id(), kind: 'closed', at: closedAt, by: pick(humans), of: null });
    return issue;
  };

  const repos = Array.from({ length: size.repos }, (_, index): CompanyRepo => {
    const repo: CompanyRepo = { id: id(), name: `repo-${index + 1}`, pulls: [], issues: [], deployments: [], runs: [] };
    const count = size.pulls + size.issues;
    let pulls = 0;
    for (let number = 1; number <= count; number += 1) {
      const startMs = START_MS + (SPAN_MS * number) / (count + 1);
      const isPull = pulls < size.pulls && (number - pulls > size.issues || chance(size.pulls / count));
      if (isPull) {
        pulls += 1;
        repo.pulls.push(makePull(repo, number, startMs));
      } else repo.issues.push(makeIssue(number, startMs));
    }
    for (let run = 0; run < size.runs; run += 1) {
      const startMs = START_MS + (SPAN_MS * run) / size.runs;
      repo.runs.push({
        id: id(),
        name: pick(['Build', 'Release']),
        branch: 'main',
        sha: sha(`${repo.name} run ${run}`),
        createdAt: iso(startMs),
        finishedAt: iso(startMs + 600_000),
        attempt: chance(0.1) ? 2 : 1,
        by: pick(humans),
      });
    }
    for (let number = 0; number < size.deployments; number += 1) {
      const startMs = START_MS + (SPAN_MS * number) / size.deployments;
      repo.deployments.push({
        id: id(),
        sha: sha(`${repo.name} deployment ${number}`),
        environment: pick(['production', 'staging']),
        createdAt: iso(startMs),
        finishedAt: iso(startMs + 300_000),
        state: chance(0.9) ? 'success' : 'failure',
        by: pick(humans),
      });
    }
    return repo;
  });
  return {
    organization: 'works',
    organizationId: id(),
    people,
    repos,
    teams: ['makers', 'menders'].map((slug) => ({ id: id(), slug, members: humans.filter(() => chance(0.5)) })),
  };
}
