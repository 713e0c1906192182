// A company as no host tells it: people, repos with pull requests and issues, and what was deployed. Doubles of hosts
// show it in their own words, and tests compute from it what must come out.
import type { Project } from './github-projects.ts';

export interface Person {
  readonly id: number;
  login: string;
  readonly name: string;
  readonly email: string;
  readonly isBot: boolean;
}

export interface PullReview {
  readonly id: number;
  readonly by: Person | null;
  readonly state: 'approved' | 'changes_requested' | 'commented' | 'dismissed';
  readonly at: string;
}

export interface PullComment {
  readonly id: number;
  readonly by: Person | null;
  readonly at: string;
  updatedAt: string;
  body: string;
  /** On a line of code; null on the conversation. */
  readonly place: { readonly path: string; readonly line: number; readonly reviewId: number | null } | null;
  /** The first comment of the thread that it answers. */
  readonly answers: number | null;
}

export interface PullEvent {
  readonly id: number;
  readonly kind: 'ready' | 'draft' | 'review_requested' | 'closed' | 'reopened' | 'force_pushed';
  readonly at: string;
  readonly by: Person | null;
  readonly of: Person | null;
}

export interface Pull {
  readonly id: number;
  readonly number: number;
  title: string;
  readonly author: Person | null;
  readonly branch: string;
  readonly base: string;
  readonly createdAt: string;
  updatedAt: string;
  isDraft: boolean;
  closedAt: string | null;
  mergedAt: string | null;
  mergedBy: Person | null;
  mergeMethod: 'merge' | 'squash' | 'rebase' | null;
  mergeSha: string | null;
  commits: { readonly sha: string; readonly at: string; readonly by: Person }[];
  reviews: PullReview[];
  comments: PullComment[];
  events: PullEvent[];
  /** First comments of threads that are resolved. */
  resolved: Set<number>;
  labels: string[];
  assignees: Person[];
  closes: number[];
}

export interface Issue {
  readonly id: number;
  readonly number: number;
  title: string;
  readonly by: Person | null;
  assignee: Person | null;
  labels: string[];
  readonly createdAt: string;
  updatedAt: string;
  closedAt: string | null;
  isPlanned: boolean;
  /** The issue of another project that it was moved to. */
  movedTo?: number;
  events: {
    readonly id: number;
    readonly kind: 'closed' | 'reopened' | 'assigned';
    readonly at: string;
    readonly by: Person;
    readonly of: Person | null;
  }[];
}

export interface Deployed {
  readonly id: number;
  readonly sha: string;
  readonly environment: string;
  readonly createdAt: string;
  readonly finishedAt: string;
  readonly state: 'success' | 'failure';
  readonly by: Person;
}

export interface Run {
  readonly id: number;
  readonly name: string;
  readonly branch: string;
  readonly sha: string;
  readonly createdAt: string;
  readonly finishedAt: string;
  readonly attempt: number;
  readonly by: Person;
}

export interface CompanyRepo {
  readonly id: number;
  name: string;
  readonly pulls: Pull[];
  readonly issues: Issue[];
  readonly deployments: Deployed[];
  readonly runs: Run[];
}

export interface Company {
  /** Boards across the repos, where the host has them. */
  projects?: Project[];
  organization: string;
  readonly organizationId: number;
  readonly people: Person[];
  readonly repos: CompanyRepo[];
  readonly teams: { readonly id: number; readonly slug: string; readonly members: Person[] }[];
}

export interface CompanySize {
  readonly repos: number;
  /** In each repo. */
  readonly pulls: number;
  readonly issues: number;
  readonly runs: number;
  readonly deployments: number;
}

/** The same seed makes the same company. */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
