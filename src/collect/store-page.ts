// Stores what a page brought: accounts first, each in a transaction of its own; then rows and whatever the caller adds,
// the cursor, in one.
import { effectiveEntitySettings } from '../domain/access/entity-settings.ts';
import type { Collected } from '../domain/collect/collected.ts';
import type { Account } from '../domain/people/account.ts';
import type { TrackerKind } from '../domain/work/issue.ts';
import { readStoredSettings } from '../storage/access/entity-settings.ts';
import { writeCommitCount } from '../storage/collect/repo-progress.ts';
import type { Database } from '../storage/database/handle.ts';
import { storeDeployments, storeRuns } from '../storage/delivery/host-delivery.ts';
import { resolveAccounts } from '../storage/people/host-accounts.ts';
import { storeComments } from '../storage/reviews/comments.ts';
import { accountsOfPullRequests, storePullRequests } from '../storage/reviews/pull-requests.ts';
import { storeHostTeams } from '../storage/teams/host-teams.ts';
import { storeBoardItems } from '../storage/work/board-values.ts';
import {
  accountsOfIssues,
  storeIssueChanges,
  storeIssues,
  storeSprints,
  storeStatuses,
} from '../storage/work/issues.ts';
import { ensureHostTracker } from '../storage/work/trackers.ts';

/** Where a page belongs. */
export interface PagePlace {
  readonly entityId: number;
  readonly hostKey: string;
  readonly repoId: number | null;
  readonly organizationExternalId: string | null;
  /** A tracker that was connected; else the repo's own, made when the first issue comes. */
  readonly trackerId: number | null;
  readonly trackerKind: TrackerKind | null;
  /** For the name of a repo's own tracker. */
  readonly path: string;
  readonly walkStartedAt: Date;
}

function* accountsOf(collected: Collected): Generator<Account> {
  yield* collected.accounts ?? [];
  yield* accountsOfPullRequests(collected.pull_requests ?? []);
  yield* accountsOfIssues(collected.issues ?? [], collected.issue_changes ?? []);
  for (const { author } of collected.comments ?? []) if (author !== null) yield author;
  for (const { creator } of collected.deployments ?? []) if (creator !== null) yield creator;
  for (const { actor } of collected.runs ?? []) if (actor !== null) yield actor;
  for (const { members } of collected.teams?.list ?? []) for (const { account } of members) yield account;
}

/** `within` runs in the transaction of the rows: what it throws takes them back. */
export async function storePage(
  db: Database,
  place: PagePlace,
  collected: Collected,
  now: Date,
  within: (db: Database) => Promise<void>,
): Promise<void> {
  const { entityId, hostKey, repoId } = place;
  const known = await resolveAccounts(db, { entityId, hostKey }, accountsOf(collected), now);
  await db.transaction().execute(async (trx) => {
    // First: a worker that has lost its lease writes nothing.
    await within(trx);
    if (repoId !== null) {
      const repo = { entityId, repoId };
      await storePullRequests(trx, repo, collected.pull_requests ?? [], known, now);
      await storeComments(trx, repo, collected.comments ?? [], known);
      await storeDeployments(trx, repo, collected.deployments ?? [], known);
      await storeRuns(trx, repo, collected.runs ?? [], known);
      const count = collected.past_year_commit_count ?? null;
      if (count !== null) await writeCommitCount(trx, repo, count);
    }
    if (place.organizationExternalId !== null) {
      const organization = { entityId, hostKey, organizationExternalId: place.organizationExternalId };
      const times = { now, walkStartedAt: place.walkStartedAt };
      const { teams, boards } = collected;
      if (teams !== undefined) await storeHostTeams(trx, organization, teams, known, times);
      if (boards !== undefined) await storeBoardItems(trx, organization, boards, times);
    }
    const { issues = [], issue_changes = [], statuses = [], sprints = [] } = collected;
    if (issues.length + issue_changes.length + statuses.length + sprints.length === 0) return;
    const tracker = await findTrackerPlace(trx, place, now);
    const { bug_issue_types: bugTypes } = effectiveEntitySettings(await readStoredSettings(trx, entityId));
    await storeStatuses(trx, tracker, statuses);
    await storeIssues(trx, tracker, issues, known, { bugTypes, now });
    await storeIssueChanges(trx, tracker, issue_changes, known);
    await storeSprints(trx, tracker, sprints);
  });
}

async function findTrackerPlace(db: Database, place: PagePlace, now: Date) {
  const { entityId, hostKey, repoId, trackerId, trackerKind: kind, path } = place;
  if (kind === null) throw new Error('this host has no issues of its own');
  if (trackerId !== null) return { entityId, trackerId, kind };
  // What lies across the repos of an organization belongs to the host.
  const name = repoId === null ? hostKey : path;
  return { entityId, kind, trackerId: await ensureHostTracker(db, { entityId, repoId, kind, hostKey, name }, now) };
}
