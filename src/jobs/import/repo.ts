// Imports a repo, or what is new in it: connection, mirror, walk, facts, done. Every status of the import
// record is written when its cause happens; a failure ends in the status that says why, or is tried again.
import { randomUUID } from 'node:crypto';
import { type EntitySettings, effectiveEntitySettings, repoSettingsOf } from '../../domain/access/entity-settings.ts';
import { deriveQueueOptions } from '../../domain/derive-queue.ts';
import { importQueueOptions, listQueueOptions } from '../../domain/repos/import-queue.ts';
import type { ImportStatus } from '../../domain/repos/import-status.ts';
import { findInSources, formatRepoPath, RepoAccessError, type RepoPath } from '../../domain/repos/source.ts';
import type { TaskPayloads } from '../../domain/tasks.ts';
import { type MirrorOptions, removeMirror } from '../../engine/git/mirror.ts';
import { isActiveEntity } from '../../storage/access/entities.ts';
import { readStoredSettings } from '../../storage/access/entity-settings.ts';
import { findHostedPlace } from '../../storage/collect/scopes.ts';
import { openSession, type Session } from '../../storage/database/session.ts';
import { enqueue } from '../../storage/queue/queue.ts';
import { lockRepo, unlockRepo } from '../../storage/repos/import-lock.ts';
import {
  type ImportProgress,
  type ImportRow,
  type ImportRun,
  ImportTakenOver,
  readImport,
  takeImport,
  writeProgress,
} from '../../storage/repos/imports.ts';
import { listConnectionsOf } from '../../storage/repos/provider-connections.ts';
import { ensureRepo, type RepoRow, readRepo, updateRepo } from '../../storage/repos/repos.ts';
import { startCollecting } from '../collect/start-collecting.ts';
import type { JobContext, JobParts, Task } from '../task.ts';
import { judgeFailure } from './failure.ts';
import { fetchUnseenHeads } from './fetch-unseen-heads.ts';
import { ImportMeter } from './meter.ts';
import { isMirrorToBlame } from './mirror-check.ts';
import { walkOffBranch } from './off-branch.ts';
import { ImportPeople } from './people.ts';
import {
  bringMirrorUpToDate,
  type FetchedRefs,
  leaveOutBranches,
  listReleasedHeads,
  type MirroredRefs,
  mirrorFolder,
  readExternalRefs,
} from './refs.ts';
import { type WalkInput, walkMirror } from './walk.ts';
import { windowStart } from './window-start.ts';

const MINUTE_MS = 60_000;
/** A list of repos is not asked for more often because of one that is not found. */
const LISTED_MINUTES = 10;
/** Branches that an import record names. */
const MOST_LEFT_OUT = 500;

export const importRepo: Task<'import_repo'> = {
  description: 'Brings one repo up to date: mirror, analysis of what is new, facts and daily sums.',
  async run(payload, job, parts) {
    const session = await openSession(parts.store);
    try {
      await lockRepo(session, payload.import_id);
      await runImport(payload, job, parts, session);
      await unlockRepo(session, payload.import_id);
    } catch (error) {
      session.destroy();
      throw error;
    }
    session.release();
  },
};

async function runImport(
  payload: TaskPayloads['import_repo'],
  job: JobContext,
  parts: JobParts,
  session: Session,
): Promise<void> {
  const run: ImportRun = { entityId: payload.entity_id, importId: payload.import_id, runToken: randomUUID() };
  if (!(await isActiveEntity(session.db, run.entityId))) return;
  const row = await takeImport(session.db, run, run.runToken);
  if (row === undefined || row.status === 'offered_pending_acceptance') return;
  const isRefresh = row.status === 'processing_completed';
  try {
    await importOnce({ run, row, isRefresh, job, parts, session });
  } catch (error) {
    if (job.signal.aborted) throw error;
    if (await isRemoved(session, run)) {
      return job.log.info({ import_id: run.importId }, 'the import was removed while it ran, and ends');
    }
    if (error instanceof ImportTakenOver) throw error;
    await noteFailure({ run, row, isRefresh, job, parts, session }, error);
  }
}

/** With its repo or entity. Where the database does not answer, what failed is said instead. */
const isRemoved = async ({ db }: Session, run: ImportRun): Promise<boolean> => {
  try {
    return (await readImport(db, run)) === undefined || !(await isActiveEntity(db, run.entityId));
  } catch {
    return false;
  }
};

interface Attempt {
  readonly run: ImportRun;
  readonly row: ImportRow;
  readonly isRefresh: boolean;
  readonly job: JobContext;
  readonly parts: JobParts;
  readonly session: Session;
}

async function importOnce(attempt: Attempt): Promise<void> {
  const { run, row, isRefresh, job, parts, session } = attempt;
  const { entityId, importId } = run;
  const path: RepoPath = { organization: row.organization_slug, repo: row.repo_slug };
  const reach = (status: ImportStatus, more: ImportProgress = {}) =>
    writeProgress(session.db, run, isRefresh ? more : { status, ...more });
  const stored = await readStoredSettings(session.db, entityId);
  const settings = effectiveEntitySettings(stored);
  const options: MirrorOptions = {
    gitDir: mirrorFolder(parts.imports, entityId, importId),
    environment: parts.imports.childEnvironment,
    sizeLimitBytes: parts.imports.mirrorLimitBytes,
    knownHostsFile: parts.imports.knownHostsFile,
    timeoutSeconds: parts.imports.fetchTimeoutSeconds,
    signal: job.signal,
  };

  await reach('import_started', { subscription_earliest_processing_at: settings.processing_starts_on });
  const known = row.repo_id === null ? undefined : await readRepo(session.db, entityId, row.repo_id);
  // By its id, once it has one: it may be renamed at any time.
  const wanted = { ...path, stored: known && { id: known.id, sourceKind: known.source_kind } };
  const found = await findInSources(parts.sources, entityId, wanted);
  if (found === null) {
    const shown = formatRepoPath(path);
    throw new RepoAccessError(
      'not_found',
      row.repo_id === null
        ? `no source has ${shown}; check the name, or register it with: strata import ADDRESS --as ${shown}`
        : `no source has ${shown} any more. Its history is kept. If the code host has another repository of that name now, remove this one first: strata repo remove ${shown}`,
    );
  }
  await reach('acquired_connection', {
    available_provider_connection_count: found.repo.connectionCount,
    // What collecting from a host has found stays.
    ...(found.repo.pastYearCommitCount === null
      ? {}
      : { provider_past_year_commit_count: found.repo.pastYearCommitCount }),
  });
  const external = await readExternalRefs(found.source, entityId, wanted, options);
  await reach('acquired_external_repo');
  const repo = known ?? (await ensureRepo(session.db, entityId, path, found.source.kind));
  await reach('created_repo', { repo_id: repo.id });
  await noteHostsId(session.db, entityId, path, repo);
  const own = effectiveEntitySettings({ ...stored, ...repoSettingsOf(repo.settings) });
  const fetched = await bringMirrorUpToDate(external, path, options);
  await fetchUnseenHeads(session.db, { entityId, path, repo, address: external.address, options, log: job.log });
  try {
    await walkFetched(attempt, { repo, own, settings, fetched });
  } catch (error) {
    if (!job.signal.aborted && (await isMirrorToBlame(fetched, error))) await removeMirror(options.gitDir);
    throw error;
  }
  job.log.info({ import_id: importId, repo: formatRepoPath(path) }, 'the import is complete');
}

interface Fetched {
  readonly repo: RepoRow;
  /** The settings of the entity, with those of the repo over them. */
  readonly own: EntitySettings;
  readonly settings: EntitySettings;
  readonly fetched: FetchedRefs;
}

async function walkFetched(attempt: Attempt, { repo, own, settings, fetched }: Fetched): Promise<void> {
  const { run, row, isRefresh, job, parts, session } = attempt;
  const { entityId, importId } = run;
  const path: RepoPath = { organization: row.organization_slug, repo: row.repo_slug };
  const mirror = await leaveOutBranches(fetched, own.branches);
  if (!isRefresh) await writeProgress(session.db, run, { status: 'queued_branch_for_commit_processing' });

  const target = { ...run, repoId: repo.id, timeZone: settings.time_zone };
  const meter = new ImportMeter({
    session,
    target,
    isRefresh,
    backThrough: row.default_branch_processed_back_through,
    now: parts.now,
    report: (level, commits, of) =>
      job.log[level]({ import_id: importId, repo: formatRepoPath(path), commits, of }, 'the import goes on'),
  });
  const since = windowStart(row, repo.processed_from, repo.default_branch !== null && isRefresh, settings, parts.now());
  const walk: WalkInput = {
    session,
    target,
    repo,
    mirror,
    meter,
    people: new ImportPeople(session.db, entityId, settings.default_processing_status),
    since,
    threads: parts.imports.threads,
    processed: row.commit_processed_count,
    pathRules: settings.category_rules,
    batchBytes: parts.imports.batchBytes,
    derivation: parts.imports.derivation,
    released: listReleasedHeads(mirror, own),
    signal: job.signal,
  };
  const isNew = await walkMirror(walk);
  const isFurther = await walkOffBranch(walk);
  await finish(attempt, { id: repo.id, since }, isNew || isFurther, mirror);
}

async function finish(
  { run, row, parts, session }: Attempt,
  { id: repoId, since }: { readonly id: number; readonly since: number | null },
  isNew: boolean,
  { leftOut }: MirroredRefs,
): Promise<void> {
  const now = parts.now();
  const jitter = 0.9 + 0.2 * Math.random();
  await session.transaction(async () => {
    await writeProgress(session.db, run, {
      status: 'processing_completed',
      percent_complete: 100,
      finished_at: now,
      stats_calculated_at: now,
      attempt_count: 0,
      error_em: null,
      error_detail: '',
      left_out_branches: JSON.stringify(leftOut.slice(0, MOST_LEFT_OUT)),
    });
    const current = await readImport(session.db, run);
    if (current?.wanted_from !== row.wanted_from || current.wants_all !== row.wants_all) {
      // Another window was requested meanwhile: its job waits behind this one.
      await writeProgress(session.db, run, { status: 'pending', percent_complete: 0, finished_at: null });
    }
    await updateRepo(session.db, run.entityId, repoId, {
      next_refresh_at: new Date(now.getTime() + parts.imports.refreshMinutes * MINUTE_MS * jitter).toISOString(),
    });
    if (parts.collectors !== undefined) {
      const path = { organization: row.organization_slug, repo: row.repo_slug };
      const window = since === null ? null : new Date(since * 1000);
      await startCollecting(session.db, parts.collectors, { entityId: run.entityId, repoId, path, since: window }, now);
    }
    if (isNew) {
      const payload = { entity_id: run.entityId, repo_id: repoId };
      await enqueue(session.db, 'derive_delivery', payload, deriveQueueOptions(payload));
    }
  });
}

/** Ends the import with the status that says why, or queues the next attempt. */
async function noteFailure(attempt: Attempt, error: unknown): Promise<void> {
  const { run, row, isRefresh, job, parts, session } = attempt;
  const failure = judgeFailure(error);
  const now = parts.now();
  const attempts = row.attempt_count + 1;
  const wait = failure.isRetried ? parts.imports.retrySeconds[attempts - 1] : undefined;
  // What a source refuses is no fault of the program: a trace would lead nowhere.
  const reason = error instanceof RepoAccessError ? { reason: error.message } : { err: error };
  job.log.warn(
    { ...reason, import_id: run.importId, attempts, retry_in_seconds: wait ?? null },
    'an import attempt failed',
  );
  const quota = failure.isQuota ? { last_provider_quota_exceeded_at: now } : {};
  await session.transaction(async () => {
    if (wait !== undefined) {
      const detail = `attempt ${attempts} failed and is repeated in ${wait} s: ${failure.detail}`;
      await writeProgress(session.db, run, { ...quota, attempt_count: attempts, error_detail: detail });
      const payload = { entity_id: run.entityId, import_id: run.importId };
      const runAt = new Date(now.getTime() + wait * 1000);
      await enqueue(session.db, 'import_repo', payload, { ...importQueueOptions(payload), runAt });
      return;
    }
    await writeProgress(session.db, run, {
      ...quota,
      // What was imported stays good when a later refresh fails; the record also shows the error.
      ...(isRefresh ? {} : { status: failure.status }),
      finished_at: now,
      attempt_count: 0,
      error_em: failure.error_em,
      error_detail: failure.detail,
    });
    if (failure.error_em === 'repo_not_found' && row.repo_id !== null) {
      await listReposAnew(session.db, { entityId: run.entityId, repoId: row.repo_id }, now);
    }
    if (isRefresh && row.repo_id !== null) {
      const next = new Date(now.getTime() + parts.imports.refreshMinutes * MINUTE_MS);
      await updateRepo(session.db, run.entityId, row.repo_id, { next_refresh_at: next.toISOString() });
    }
  });
}

/** As soon as there is a repo: it may be renamed while it is imported. */
async function noteHostsId(db: Session['db'], entityId: number, path: RepoPath, repo: RepoRow): Promise<void> {
  if (repo.external_id !== null) return;
  const place = await findHostedPlace(db, entityId, { ...path, stored: repo });
  if (place === undefined) return;
  await updateRepo(db, entityId, repo.id, { host_key: place.host_key, external_id: place.external_id });
}

/** The repo may be called otherwise at its host by now. */
async function listReposAnew(
  db: Session['db'],
  repo: { readonly entityId: number; readonly repoId: number },
  now: Date,
): Promise<void> {
  for (const id of await listConnectionsOf(db, repo, new Date(now.getTime() - LISTED_MINUTES * MINUTE_MS))) {
    const payload = { entity_id: repo.entityId, connection_id: id };
    await enqueue(db, 'cache_provider_repos', payload, listQueueOptions(payload));
  }
}
