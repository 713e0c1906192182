// Releases: sent by customers, and listed together with those that tags and rules make.

import { recordDefectsOfIssues } from '../../derive/delivery/defects-from-issues.ts';
import { reconcileDefects } from '../../derive/delivery/reconcile-defects.ts';
import { type RangeInput, readDateRange } from '../../domain/calendar/date-range.ts';
import { StrataError } from '../../domain/errors.ts';
import { findCommit } from '../../storage/commits/find-commit.ts';
import { bumpDataVersion } from '../../storage/commits/rollups.ts';
import type { Database } from '../../storage/database/handle.ts';
import { addDefectFix, addDefectScope, findDefects } from '../../storage/delivery/defects.ts';
import {
  addReleaseIssueKeys,
  findPrecedingCommit,
  findRelease,
  insertRelease,
  type ListedRelease,
  listDefectsOfRelease,
  listReleases,
  type ReleaseRow,
  updateRelease,
} from '../../storage/delivery/releases.ts';
import type { Grant } from '../access/grant.ts';
import type { OperationParts } from '../operation-parts.ts';
import { findCommitters } from '../people/resolve-committer.ts';
import { findResource, type ResourceIds } from '../repos/find-resources.ts';
import { enqueueDerivation } from './enqueue-derivation.ts';
import { type Paging, PER_PAGE, pagingOf, resolveListScope } from './list-scope.ts';

export interface ReleaseInput {
  readonly name?: string | undefined;
  readonly released_at?: Date | undefined;
  readonly release_now: boolean;
  readonly release_sha?: string | undefined;
  readonly head_long?: string | undefined;
  readonly defect_keys_resolved: readonly string[];
  readonly issue_keys_resolved: readonly string[];
  readonly deployed_by_user_name?: string | undefined;
}

export interface RecordedRelease {
  readonly isNew: boolean;
  readonly released_at: string;
  /** Null when no commit is known that it followed. */
  readonly sha: string | null;
  readonly warnings: readonly string[];
}

export interface ReleaseRecord {
  readonly id: number;
  readonly name: string;
  readonly repo: string;
  readonly repo_id: number;
  readonly repo_path: string;
  readonly triggered_by: ReleaseRow['triggered_by'];
  readonly deployed_by: DeployerRecord | null;
  readonly released_at: string;
  readonly commit_count: number;
  readonly defect_count: number;
  readonly issue_count: number;
}

export interface DeployerRecord {
  /** Null for somebody who is not known as a committer. */
  readonly id: number | null;
  readonly committer_user_name: string;
  readonly full_name: string | null;
  readonly git_provider_id: string | null;
  readonly last_commit_authored_at: string | null;
  readonly last_commit_committed_at: string | null;
  readonly processing_status: ListedRelease['processing_status'];
  readonly provider_email: string | null;
  readonly user_id: number | null;
}

export interface ReleaseListInput extends RangeInput {
  readonly team_slug?: string | undefined;
  readonly page: number;
}

export interface ReleaseOperations {
  /** Of the repo that is named. */
  record(grant: Grant<'member'>, input: ReleaseInput): Promise<RecordedRelease>;
  list(grant: Grant<'member'>, input: ReleaseListInput): Promise<Paging & { readonly releases: ReleaseRecord[] }>;
}

const DEFAULT_DAYS = 90;

export function createReleaseOperations({ store: { db }, now }: OperationParts): ReleaseOperations {
  return {
    async record({ entity: { id: entityId }, settings, paths }, input) {
      const place = await findResource(db, entityId, paths[0]!);
      if (place.repo_id === null)
        throw refused('resource_path', 'names no repo; expected <entity>/<organization>/<repo>');
      const repoId = place.repo_id;
      const stated = await readReleaseCommit(db, entityId, repoId, input, now());
      const warnings = [...stated.warnings];
      const deployer = await findDeployer(db, entityId, input.deployed_by_user_name, warnings);
      const release = await db.transaction().execute(async (trx) => {
        // First, because it lets one call of an entity at a time pass: two cannot make the same release.
        await bumpDataVersion(trx, entityId);
        const fields = { ...(input.name === undefined ? {} : { name: input.name }), ...deployer };
        const saved = await ensureRelease(trx, entityId, repoId, stated, fields, now());
        warnings.push(...unmovedTime(stated, saved));
        await addReleaseIssueKeys(trx, entityId, saved.id, input.issue_keys_resolved);
        await markDefectsFixed(trx, entityId, { ...place, repo_id: repoId }, saved, input.defect_keys_resolved);
        if (input.issue_keys_resolved.length > 0) await recordDefectsOfIssues(trx, entityId, saved.id);
        await reconcileDefects(trx, entityId, await listDefectsOfRelease(trx, entityId, saved.id), settings);
        await enqueueDerivation(trx, { entity_id: entityId, repo_id: repoId });
        return saved;
      });
      return { ...release, warnings };
    },

    async list(grant, input) {
      const { resources, repoIds } = await resolveListScope(db, grant, input.team_slug);
      const range = readDateRange(input, grant.settings.time_zone, now(), DEFAULT_DAYS);
      if (range === null) throw new Error('a list of releases always has a range');
      const { total, releases } = await listReleases(
        db,
        grant.entity.id,
        { resources, repoIds, range },
        { limit: PER_PAGE, offset: (input.page - 1) * PER_PAGE },
      );
      return { ...pagingOf(input.page, total), releases: releases.map(releaseToRecord) };
    },
  };
}

const refused = (field: string, message: string): StrataError =>
  new StrataError('unprocessable', `${field}: ${message}`, { errors: { [field]: [message] } });

interface StatedRelease {
  readonly releasedAt: Date;
  readonly commit: Buffer | null;
  /** The caller named the commit; else it is the one that preceded the release. */
  readonly isCommitNamed: boolean;
  /** The caller named the time; else it is now, or the commit's. */
  readonly isTimeNamed: boolean;
  readonly warnings: readonly string[];
}

async function readReleaseCommit(
  db: Database,
  entityId: number,
  repoId: number,
  input: ReleaseInput,
  now: Date,
): Promise<StatedRelease> {
  const sha = input.release_sha ?? input.head_long;
  if (input.head_long !== undefined && input.head_long !== sha) {
    throw refused('head_long', `${input.head_long} is not release_sha ${sha}; the two are names of the same thing`);
  }
  const warnings =
    input.release_now && input.released_at !== undefined ? ['release_now: ignored beside released_at'] : [];
  const stated = input.released_at ?? (input.release_now ? now : undefined);
  const isTimeNamed = input.released_at !== undefined;
  if (sha === undefined) {
    if (stated === undefined) {
      const message = 'is missing; expected it, release_now, release_sha or head_long';
      throw new StrataError('missing_conditional_parameter', `released_at: ${message}`, {
        errors: { released_at: [message] },
      });
    }
    const commit = await findPrecedingCommit(db, entityId, repoId, stated);
    return { releasedAt: stated, commit: commit?.sha ?? null, isCommitNamed: false, isTimeNamed, warnings };
  }
  const commit = await findCommit(db, entityId, repoId, sha);
  if (commit === undefined) {
    throw refused(
      input.release_sha === undefined ? 'head_long' : 'release_sha',
      `${sha} is not a commit known in this repo; expected one that is imported (a new one is, within minutes)`,
    );
  }
  const releasedAt = stated ?? new Date(commit.authored_at);
  return { releasedAt, commit: Buffer.from(sha, 'hex'), isCommitNamed: true, isTimeNamed, warnings };
}

async function findDeployer(
  db: Database,
  entityId: number,
  userName: string | undefined,
  warnings: string[],
): Promise<{ deployed_by_user_name: string; deployed_by_committer_id: number | null } | Record<never, never>> {
  if (userName === undefined) return {};
  const committer = (await findCommitters(db, entityId, [userName])).get(userName);
  if (committer === undefined) {
    warnings.push(`deployed_by_user_name: nobody is known as "${userName}" yet; the name is kept`);
  }
  return { deployed_by_user_name: userName, deployed_by_committer_id: committer?.id ?? null };
}

type SavedRelease = {
  readonly id: number;
  readonly isNew: boolean;
  readonly released_at: string;
  readonly sha: string | null;
};

async function ensureRelease(
  db: Database,
  entityId: number,
  repoId: number,
  stated: StatedRelease,
  fields: object,
  now: Date,
): Promise<SavedRelease> {
  const existing = await findRelease(db, entityId, repoId, stated.commit, stated.releasedAt);
  if (existing === undefined) {
    const id = await insertRelease(db, {
      ...fields,
      entity_id: entityId,
      repo_id: repoId,
      release_sha: stated.commit,
      released_at: stated.releasedAt,
      triggered_by: 'api',
    });
    return {
      id,
      isNew: true,
      released_at: stated.releasedAt.toISOString(),
      sha: stated.commit?.toString('hex') ?? null,
    };
  }
  const releasedAt = timeOfRepeated(existing, stated);
  const commit = stated.isCommitNamed ? stated.commit : (existing.release_sha ?? stated.commit);
  await updateRelease(
    db,
    entityId,
    existing.id,
    { ...fields, released_at: releasedAt, release_sha: commit, triggered_by: 'api' },
    now,
  );
  return { id: existing.id, isNew: false, released_at: releasedAt.toISOString(), sha: commit?.toString('hex') ?? null };
}

/**
 * A time that is sent corrects what a tag or rule concluded, and the time of a commit that is sent with it.
 * Otherwise code is released when it first went out, however often the same commit is deployed again.
 */
function timeOfRepeated(existing: ReleaseRow, stated: StatedRelease): Date {
  const before = new Date(existing.released_at);
  if (!stated.isTimeNamed) return before;
  if (stated.isCommitNamed || existing.triggered_by !== 'api') return stated.releasedAt;
  return stated.releasedAt < before ? stated.releasedAt : before;
}

const MINUTE_MS = 60_000;

/** The caller sent another time than the release has: it is a deploy of what had been released before. */
function unmovedTime(stated: StatedRelease, saved: SavedRelease): string[] {
  const isApart = Math.abs(stated.releasedAt.getTime() - Date.parse(saved.released_at)) >= MINUTE_MS;
  if (saved.isNew || stated.isCommitNamed || !isApart) return [];
  const commit = saved.sha === null ? 'it' : `commit ${saved.sha.slice(0, SHORT_SHA)}`;
  return [
    `${stated.isTimeNamed ? 'released_at' : 'release_now'}: ${stated.releasedAt.toISOString()} is no release of its own, ` +
      `because ${commit} was released at ${saved.released_at} already; name the commit with release_sha if it is another`,
  ];
}

async function markDefectsFixed(
  db: Database,
  entityId: number,
  place: ResourceIds & { readonly repo_id: number },
  release: SavedRelease,
  defectKeys: readonly string[],
): Promise<void> {
  const found = new Map((await findDefects(db, entityId, defectKeys)).map((row) => [row.defect_key, row.id]));
  const unknown = defectKeys.filter((key) => !found.has(key));
  if (unknown.length > 0) {
    throw refused(
      'defect_keys_resolved',
      `${unknown.map((key) => `"${key}"`).join(', ')} unknown; submit a defect with POST /critical_defects first`,
    );
  }
  for (const defectId of found.values()) {
    await addDefectScope(db, entityId, defectId, place);
    await addDefectFix(db, {
      entity_id: entityId,
      defect_id: defectId,
      repo_id: place.repo_id,
      released_at: release.released_at,
      named_release_id: release.id,
      release_id: release.id,
    });
  }
}

const SHORT_SHA = 7;

function releaseToRecord(row: ListedRelease): ReleaseRecord {
  return {
    id: row.id,
    name: row.name ?? row.release_sha?.toString('hex').slice(0, SHORT_SHA) ?? row.released_at,
    repo: row.repo,
    repo_id: row.repo_id,
    repo_path: row.repo_path,
    triggered_by: row.triggered_by,
    deployed_by: deployerOf(row),
    released_at: row.released_at,
    commit_count: row.commit_count,
    defect_count: row.defect_count,
    issue_count: row.issue_count,
  };
}

function deployerOf(row: ListedRelease): DeployerRecord | null {
  const name = row.committer_user_name ?? row.deployed_by_user_name;
  if (name === null) return null;
  return {
    id: row.deployer_id,
    committer_user_name: name,
    full_name: row.full_name,
    git_provider_id: row.git_provider_id,
    last_commit_authored_at: row.last_commit_authored_at,
    last_commit_committed_at: row.last_commit_committed_at,
    processing_status: row.processing_status,
    provider_email: row.provider_email,
    user_id: row.user_id,
  };
}
