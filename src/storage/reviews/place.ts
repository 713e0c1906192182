// Where pull requests are stored, and those whose children come next.
import type { CollectedPullRequest, PullRequestChildren } from '../../domain/reviews/pull-request.ts';

export interface ReviewPlace {
  readonly entityId: number;
  readonly repoId: number;
}

export interface StoredParent {
  readonly id: number;
  readonly request: CollectedPullRequest;
  readonly children: PullRequestChildren;
}

/** The order in which pull requests `table` have a commit: who landed it first has it, whichever was collected first. */
export const firstToLand = (table: string): string => `${table}.merged_at nulls last, ${table}.number`;
