// What one page of a stream brought, in the shapes of the subjects. A normaliser fills what its stream is about.
import type { CollectedDeployment, CollectedRun } from '../delivery/host-delivery.ts';
import type { Account } from '../people/account.ts';
import type { CollectedComment, CollectedPullRequest } from '../reviews/pull-request.ts';
import type { HostTeam } from '../teams/host-team.ts';
import type { BoardItems } from '../work/board.ts';
import type { ChangesOfIssue, CollectedIssue, CollectedSprint, CollectedStatus } from '../work/issue.ts';

export interface Collected {
  readonly pull_requests?: readonly CollectedPullRequest[];
  /** Comments that come apart from their pull request. */
  readonly comments?: readonly CollectedComment[];
  readonly issues?: readonly CollectedIssue[];
  readonly issue_changes?: readonly ChangesOfIssue[];
  readonly statuses?: readonly CollectedStatus[];
  readonly sprints?: readonly CollectedSprint[];
  /** Issues on boards that lie across the repos of the organization. */
  readonly boards?: BoardItems;
  readonly deployments?: readonly CollectedDeployment[];
  readonly runs?: readonly CollectedRun[];
  /** Teams of the organization; with `is_complete` the others are gone. */
  readonly teams?: { readonly list: readonly HostTeam[]; readonly is_complete: boolean };
  /** Commits of the default branch in the past year, as the host counts them; null where it cannot. */
  readonly past_year_commit_count?: number | null;
  /** Accounts that act in none of the records above. */
  readonly accounts?: readonly Account[];
}
