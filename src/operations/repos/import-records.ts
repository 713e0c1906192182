// What is told of an import: its row, with what else is known of its repo.

import { z } from 'zod';
import { daysLeft, expiryWarning, WARN_DAYS } from '../../domain/collect/token-expiry.ts';
import { LEFT_OUT_REASONS } from '../../domain/repos/branch-patterns.ts';
import { importProgress } from '../../domain/repos/import-progress.ts';
import { importQueueOptions } from '../../domain/repos/import-queue.ts';
import type { ImportStatus } from '../../domain/repos/import-status.ts';
import { type ImportWait, importWait } from '../../domain/repos/import-wait.ts';
import { formatRepoPath } from '../../domain/repos/source.ts';
import { listSkippedCommits } from '../../storage/commits/stored-commits.ts';
import type { Database } from '../../storage/database/handle.ts';
import { readJobsByKey } from '../../storage/queue/queue.ts';
import { hasLivingWorker } from '../../storage/queue/workers.ts';
import type { ImportRow } from '../../storage/repos/imports.ts';
import { listExpiringRepos } from '../../storage/repos/provider-connections.ts';
import { readCutOffs, readLastReleases, readNextLooks } from '../../storage/repos/repos.ts';
import type { ImportRecord } from '../records.ts';

/** The record with what a progress bar needs. */
export interface ImportState {
  readonly record: ImportRecord;
  readonly expected_commit_count: number;
  /** When it last ended, well or not. */
  readonly finished_at: string | null;
}

export async function readImportRecords(
  db: Database,
  entityId: number,
  rows: readonly ImportRow[],
  now: Date,
): Promise<ImportRecord[]> {
  const [releases, looks, cutOffs, skipped, warning, wait] = await Promise.all([
    readLastReleases(db, entityId),
    readNextLooks(db, entityId),
    readCutOffs(db, entityId),
    readSkipped(db, entityId, rows),
    readExpiryWarnings(db, entityId, now),
    readWaits(db, rows, now),
  ]);
  const ofRepo = ({ repo_id }: ImportRow, byRepo: ReadonlyMap<number, string | null>): string | null =>
    repo_id === null ? null : (byRepo.get(repo_id) ?? null);
  return rows.map((row) =>
    importToRecord(row, now, {
      skipped: skipped(row),
      cutOffs,
      deployedAt: ofRepo(row, releases),
      warning: warning(row),
      wait: wait(row),
      nextLookAt: ofRepo(row, looks),
    }),
  );
}

export async function readImportStates(
  db: Database,
  entityId: number,
  rows: readonly ImportRow[],
  now: Date,
): Promise<ImportState[]> {
  const [skipped, cutOffs] = await Promise.all([readSkipped(db, entityId, rows), readCutOffs(db, entityId)]);
  return rows.map((row) => importToState(row, now, { skipped: skipped(row), cutOffs }));
}

const DAY_MS = 86_400_000;

/** By import: that the tokens which can read the repo end soon. */
async function readExpiryWarnings(db: Database, entityId: number, now: Date): Promise<(row: ImportRow) => string> {
  const soon = new Date(now.getTime() + (Math.max(...WARN_DAYS) + 1) * DAY_MS);
  const repos = await listExpiringRepos(db, entityId, soon);
  const byPath = new Map(repos.map(({ organization, repo, expires_at }) => [`${organization}/${repo}`, expires_at]));
  return ({ organization_slug, repo_slug }) => {
    const days = daysLeft(byPath.get(`${organization_slug}/${repo_slug}`.toLowerCase()) ?? null, now);
    return days === null ? '' : expiryWarning(days);
  };
}

/** By import: why it does not run just now. */
async function readWaits(db: Database, rows: readonly ImportRow[], now: Date): Promise<(row: ImportRow) => ImportWait> {
  const keyOf = (row: ImportRow) => importQueueOptions({ entity_id: row.entity_id, import_id: row.id }).jobKey;
  const [jobs, hasWorker] = await Promise.all([readJobsByKey(db, rows.map(keyOf)), hasLivingWorker(db)]);
  return (row) =>
    importWait(jobs.get(keyOf(row)), row.last_provider_quota_exceeded_at, {
      startedAt: row.started_at,
      now,
      hasWorker,
    });
}

const MOST_SKIPPED = 20;

/** By import: commits that could not be read wholly. */
async function readSkipped(
  db: Database,
  entityId: number,
  rows: readonly ImportRow[],
): Promise<(row: ImportRow) => ImportRecord['skipped_commits']> {
  const repoIds = rows.flatMap((row) => (row.skipped_commit_count > 0 && row.repo_id !== null ? [row.repo_id] : []));
  const found = repoIds.length === 0 ? [] : await listSkippedCommits(db, entityId, repoIds, MOST_SKIPPED);
  return (row) =>
    found.filter(({ repo_id }) => repo_id === row.repo_id).map(({ sha, reason, path }) => ({ sha, reason, path }));
}

const leftOutBranches = z.array(
  z.object({ name: z.string(), reason: z.enum(LEFT_OUT_REASONS), commit_count: z.number() }),
);

/** What a later version stored otherwise names nothing. */
const readLeftOut = (stored: ImportRow['left_out_branches']): ImportRecord['left_out_branches'] =>
  leftOutBranches.catch([]).parse(stored);

interface KnownOfRepo {
  readonly skipped?: ImportRecord['skipped_commits'];
  /** By repo. */
  readonly cutOffs?: ReadonlyMap<number, number>;
  readonly deployedAt?: string | null;
  readonly warning?: string;
  readonly nextLookAt?: string | null;
  readonly wait?: ImportWait;
}

export function importToRecord(row: ImportRow, now: Date, more: KnownOfRepo = {}): ImportRecord {
  return {
    id: row.id,
    repo_path: formatRepoPath({ organization: row.organization_slug, repo: row.repo_slug }),
    import_status: row.status satisfies ImportStatus,
    created_at: row.created_at,
    updated_at: row.updated_at,
    ...importProgress(row, now),
    expected_commit_count: row.expected_commit_count,
    started_at: row.started_at,
    finished_at: row.finished_at,
    next_look_at: more.nextLookAt ?? null,
    waits_for_em: more.wait?.waits_for_em ?? null,
    waits_until: more.wait?.waits_until ?? null,
    error_em: row.error_em,
    error_detail: row.error_detail === '' ? (more.warning ?? '') : row.error_detail,
    available_provider_connection_count: row.available_provider_connection_count,
    commits_complete_count: row.commits_complete_count,
    commit_processed_count: row.commit_processed_count,
    skipped_commit_count: row.skipped_commit_count,
    skipped_commits: more.skipped ?? [],
    left_out_branches: readLeftOut(row.left_out_branches),
    cut_off_commit_count: more.cutOffs?.get(row.repo_id ?? 0) ?? 0,
    default_branch_processed_back_through: row.default_branch_processed_back_through,
    last_deployed_at: more.deployedAt ?? null,
    last_pr_discovery_at: row.last_pr_discovery_at,
    last_processed_at: row.last_processed_at,
    last_provider_quota_exceeded_at: row.last_provider_quota_exceeded_at,
    last_year_days_with_commit_processed_count: row.last_year_days_with_commit_processed_count,
    percent_complete: row.percent_complete,
    provider_past_year_commit_count: row.provider_past_year_commit_count,
    pull_request_discovered_count: row.pull_request_discovered_count,
    pull_request_processed_count: row.pull_request_processed_count,
    stats_calculated_at: row.stats_calculated_at,
    subscription_earliest_processing_at: row.subscription_earliest_processing_at,
  };
}

export const importToState = (
  row: ImportRow,
  now: Date,
  more: Pick<KnownOfRepo, 'skipped' | 'cutOffs'> = {},
): ImportState => ({
  record: importToRecord(row, now, more),
  expected_commit_count: row.expected_commit_count,
  finished_at: row.finished_at,
});
