// Releases: sent by customers, and listed together with those that tags and rules make.

import { recordDefectsOfIssues } from '../../derive/delivery/defects-from-issues.ts';
import { reconcileDefects } from '../../derive/delivery/reconcile-defects.ts';
import { type RangeInput, readDateRange } from '../../domain/calendar/date-range.ts';
import { requirePast } from '../../domain/calendar/not-in-the-future.ts';
import { StrataError } from '../../domain/errors.ts';
import { findCommit } from '../../storage/commits/find-commit.ts';
import { bumpDataVersion } from '../../storage/commits/rollups.ts';
import type { Database } from '../../storage/database/handle.ts';
import { inTransaction } from '../../storage/database/in-transaction.ts';
import { addDefectFixes, addDefectScopes, findDefects } from '../../storage/delivery/defects.ts';
import { ensureDeployment } from '../../storage/delivery/deployments.ts';
import {
  addReleaseIssueKeys,
  deleteRelease,
  findPrecedingCommit,
  findRelease,
  insertRelease,
  type ListedRelease,
  listDefectsOfRelease,
  listReleases,
  type ReleaseRow,
  readRelease,
  updateRelease,
} from '../../storage/delivery/releases.ts';
import { listRepoIds } from '../../storage/repos/resources.ts';
import type { Grant } from '../access/grant.ts';
import type { OperationParts } from '../operation-parts.ts';
import { findCommitters } from '../people/resolve-committer.ts';
import { fetchUntil } from '../repos/fetch-now.ts';
import { findResource, findResources, type ResourceIds } from '../repos/find-resources.ts';
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
  /** `deployed`: the commit was released before, and went out again. `corrected`: another commit of the same minute. */
  readonly outcome: 'created' | 'kept' | 'corrected' | 'deployed';
  /** Of the release. */
  readonly released_at: string;
  readonly deployed_at: string | null;
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
  readonly deployment_count: number;
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
  /** With its deployments; defects that it fixed are open again. */
  remove(
    grant: Grant<'admin'>,
    releaseId: number,
  ): Promise<{ readonly name: string | null; readonly released_at: string }>;
}

const DEFAULT_DAYS = 90;
/** Made from what git has; deleting them would not last. */
const FOUND_AGAIN: readonly ReleaseRow['triggered_by'][] = [
  'git_tag',
  'branch_push',
  'branch_prefix',
  'commit_message',
];

export function createReleaseOperations({ store: { db }, now }: OperationParts): ReleaseOperations {
  return {
    async record({ entity: { id: entityId }, settings, paths }, input) {
      const place = await findResource(db, entityId, paths[0]!);
      if (place.repo_id === null)
        throw refused('resource_path', 'names no repo; expected <entity>/<organization>/<repo>');
      const repoId = place.repo_id;
      requirePast({ released_at: input.released_at }, now());
      const stated = await readReleaseCommit(db, entityId, repoId, input, now());
      const found = [...stated.warnings];
      const deployer = await findDeployer(db, entityId, input.deployed_by_user_name, found);
      const { warnings, ...release } = await inTransaction(db, async (trx) => {
        const warnings = [...found];
        // First, because it lets one call of an entity at a time pass: two cannot make the same release.
        await bumpDataVersion(trx, entityId);
        const fields = { ...(input.name === undefined ? {} : { name: input.name }), ...deployer };
        const saved = await ensureRelease(trx, { entity_id: entityId, repo_id: repoId }, stated, fields, now());
        warnings.push(...unlikeStated(stated, saved, fields));
        const named = { place: { ...place, repo_id: repoId }, release: saved, keys: input.defect_keys_resolved };
        const { fixed, late } = await markDefectsFixed(trx, entityId, named);
        warnings.push(...late);
        if (saved.deployment === null) {
          await addReleaseIssueKeys(trx, entityId, saved.id, input.issue_keys_resolved);
          if (input.issue_keys_resolved.length > 0) await recordDefectsOfIssues(trx, entityId, saved.id);
        } else if (input.issue_keys_resolved.length > 0) {
          warnings.push('issue_keys_resolved: ignored, because a deployment changes nothing about its release');
        }
        const touched = [...fixed, ...(await listDefectsOfRelease(trx, entityId, saved.id))];
        await reconcileDefects(trx, entityId, [...new Set(touched)], settings);
        await enqueueDerivation(trx, { entity_id: entityId, repo_id: repoId });
        return { ...saved, warnings };
      });
      const { outcome, released_at, sha, deployment } = release;
      return { outcome, released_at, sha, deployed_at: deployment?.deployed_at ?? null, warnings };
    },

    async remove(grant, releaseId) {
      const entityId = grant.entity.id;
      return inTransaction(db, async (trx) => {
        await bumpDataVersion(trx, entityId);
        const release = await readRelease(trx, entityId, releaseId);
        const repos = await listRepoIds(trx, entityId, await findResources(trx, entityId, grant.paths));
        if (release === undefined || (repos !== null && !repos.includes(release.repo_id))) {
          const message = `there is no release ${releaseId} here; GET /releases lists those there are`;
          throw new StrataError('not_found', message, { errors: { release_id: [message] } });
        }
        if (FOUND_AGAIN.includes(release.triggered_by)) {
          throw refused(
            'release_id',
            `the release of ${release.released_at} follows from the repo (${release.triggered_by}) and would be found ` +
              'again; delete the tag, or change the setting that makes it a release',
          );
        }
        const defects = await listDefectsOfRelease(trx, entityId, releaseId);
        await deleteRelease(trx, release);
        await reconcileDefects(trx, entityId, defects, grant.settings);
        await enqueueDerivation(trx, { entity_id: entityId, repo_id: release.repo_id });
        return { name: release.name, released_at: release.released_at };
      });
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
  /** The caller named the time or said now. */
  readonly hasTime: boolean;
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
  const times = { isTimeNamed: input.released_at !== undefined, hasTime: stated !== undefined };
  if (sha === undefined) {
    if (stated === undefined) {
      const message = 'is missing; expected it, release_now, release_sha or head_long';
      throw new StrataError('missing_conditional_parameter', `released_at: ${message}`, {
        errors: { released_at: [message] },
      });
    }
    const commit = await findHead(db, { entityId, repoId }, stated, input.released_at === undefined);
    return { releasedAt: stated, commit: commit?.sha ?? null, isCommitNamed: false, ...times, warnings };
  }
  const commit = await fetchUntil(db, { entityId, repoId }, () => findCommit(db, entityId, repoId, sha));
  if (commit === undefined) {
    throw refused(
      input.release_sha === undefined ? 'head_long' : 'release_sha',
      `${sha} is not a commit known in this repo, also not after it was fetched; expected one that is pushed to it`,
    );
  }
  const authoredAt = new Date(commit.authored_at);
  const releasedAt = stated ?? authoredAt;
  const early = writtenLater(releasedAt, authoredAt, sha);
  return {
    releasedAt,
    commit: Buffer.from(sha, 'hex'),
    isCommitNamed: true,
    ...times,
    warnings: [...warnings, ...early],
  };
}

/** As far as clocks may differ. */
const CLOCK_SKEW_MILLISECONDS = 10 * 60_000;

/** Kept all the same: a commit may have been written anew after it went out. */
function writtenLater(releasedAt: Date, authoredAt: Date, sha: string): string[] {
  if (authoredAt.getTime() - releasedAt.getTime() <= CLOCK_SKEW_MILLISECONDS) return [];
  return [
    `released_at: ${releasedAt.toISOString()} is before ${sha} was written, ${authoredAt.toISOString()}; what the release ` +
      'holds has no lead time, and as the first of its repo it is what later ones are compared with. If the time is wrong, ' +
      'delete the release and record it anew',
  ];
}

/**
 * The commit that preceded the time. What goes out now may have been pushed a moment ago: when the head that is known was
 * released in another minute, the repo is fetched first.
 */
async function findHead(
  db: Database,
  repo: { readonly entityId: number; readonly repoId: number },
  at: Date,
  isNow: boolean,
): Promise<{ readonly sha: Buffer } | null> {
  const { entityId, repoId } = repo;
  const find = () => findPrecedingCommit(db, entityId, repoId, at);
  if (!isNow) return find();
  const findNew = async () => {
    const head = await find();
    const release = head === null ? undefined : await findRelease(db, entityId, repoId, head.sha, null);
    const isFresh = release === undefined || isSameMinute(new Date(release.released_at), at);
    return head !== null && isFresh ? head : undefined;
  };
  return (await fetchUntil(db, repo, findNew)) ?? (await find());
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

interface SavedRelease {
  readonly id: number;
  readonly outcome: RecordedRelease['outcome'];
  readonly released_at: string;
  readonly sha: string | null;
  readonly name: string | null;
  /** Where the commit was released before, and went out again at another time. */
  readonly deployment: { readonly id: number; readonly deployed_at: string } | null;
}

interface ReleaseFields {
  readonly name?: string;
  readonly deployed_by_user_name?: string;
  readonly deployed_by_committer_id?: number | null;
}

async function ensureRelease(
  db: Database,
  place: { readonly entity_id: number; readonly repo_id: number },
  stated: StatedRelease,
  fields: ReleaseFields,
  now: Date,
): Promise<SavedRelease> {
  const { entity_id, repo_id } = place;
  const existing = await findRelease(db, entity_id, repo_id, stated.commit, stated.releasedAt);
  if (existing === undefined) {
    const release = { ...fields, ...place, release_sha: stated.commit, released_at: stated.releasedAt };
    const id = await insertRelease(db, { ...release, triggered_by: 'api' });
    const sha = stated.commit?.toString('hex') ?? null;
    const name = fields.name ?? null;
    return { id, outcome: 'created', released_at: stated.releasedAt.toISOString(), sha, name, deployment: null };
  }
  const kept = {
    id: existing.id,
    released_at: new Date(existing.released_at).toISOString(),
    sha: existing.release_sha?.toString('hex') ?? null,
    name: existing.name,
    deployment: null,
  };
  const isSameCommit = stated.commit !== null && existing.release_sha?.equals(stated.commit) === true;
  if (isSameCommit && stated.hasTime && !isSameMinute(new Date(existing.released_at), stated.releasedAt)) {
    const { name = null, deployed_by_user_name = null } = fields;
    const deployed = { ...place, release_id: existing.id, deployed_at: stated.releasedAt, name, deployed_by_user_name };
    const { id } = await ensureDeployment(db, deployed);
    return { ...kept, outcome: 'deployed', deployment: { id, deployed_at: stated.releasedAt.toISOString() } };
  }
  if (isSameCommit || (!stated.isCommitNamed && existing.release_sha !== null)) {
    const missing = missingOf(existing, fields);
    if (Object.keys(missing).length > 0) await updateRelease(db, entity_id, existing.id, missing, now);
    return { ...kept, name: existing.name ?? fields.name ?? null, outcome: 'kept' };
  }
  // Of the same minute, and another commit than was concluded.
  const change = {
    ...fields,
    released_at: stated.releasedAt,
    release_sha: stated.commit,
    triggered_by: 'api' as const,
  };
  await updateRelease(db, entity_id, existing.id, change, now);
  const sha = stated.commit?.toString('hex') ?? null;
  return { ...kept, outcome: 'corrected', released_at: stated.releasedAt.toISOString(), sha };
}

const MINUTE_MS = 60_000;
const minuteOf = (time: Date): number => Math.floor(time.getTime() / MINUTE_MS);
const isSameMinute = (a: Date, b: Date): boolean => minuteOf(a) === minuteOf(b);

/** What the release does not say yet. */
function missingOf(release: ReleaseRow, { name, ...deployer }: ReleaseFields): ReleaseFields {
  return {
    ...(release.name === null && name !== undefined ? { name } : {}),
    ...(release.deployed_by_user_name === null ? deployer : {}),
  };
}

/** The caller may have meant a release of its own. */
function unlikeStated(stated: StatedRelease, saved: SavedRelease, fields: ReleaseFields): string[] {
  const commit = saved.sha === null ? 'it' : `commit ${saved.sha.slice(0, SHORT_SHA)}`;
  if (saved.deployment !== null) {
    const given = stated.isTimeNamed ? 'released_at' : 'release_now';
    return [
      `${given}: ${saved.deployment.deployed_at} is a deployment and no release of its own, because ${commit} was ` +
        `released at ${saved.released_at} already${stated.isCommitNamed ? '' : '; name the commit with release_sha if it is another'}`,
    ];
  }
  if (saved.outcome !== 'kept' || fields.name === undefined || saved.name === fields.name) return [];
  return [`name: the release of ${commit} is called "${saved.name}" already, and stays so`];
}

interface NamedDefects {
  readonly place: ResourceIds & { readonly repo_id: number };
  readonly release: SavedRelease;
  readonly keys: readonly string[];
}

/** A defect that was detected after the release went out cannot have been fixed by it; a deployment can fix it. */
async function markDefectsFixed(
  db: Database,
  entityId: number,
  { place, release, keys }: NamedDefects,
): Promise<{ readonly fixed: number[]; readonly late: string[] }> {
  const found = await findDefects(db, entityId, keys);
  const unknown = keys.filter((_, index) => found[index] === undefined);
  if (unknown.length > 0) {
    throw refused(
      'defect_keys_resolved',
      `${unknown.map((key) => `"${key}"`).join(', ')} unknown; submit a defect with POST /critical_defects first`,
    );
  }
  const { deployment } = release;
  const releasedAt = deployment?.deployed_at ?? release.released_at;
  const fixed: number[] = [];
  const late: string[] = [];
  for (const { id, defect_key, detected_at } of found.filter((defect) => defect !== undefined)) {
    if (Date.parse(detected_at) > Date.parse(releasedAt)) {
      late.push(
        `defect_keys_resolved: "${defect_key}" was detected at ${detected_at}, after this release; it stays open ` +
          '(a deployment with release_now or released_at marks it as fixed)',
      );
      continue;
    }
    fixed.push(id);
  }
  await addDefectScopes(db, entityId, fixed, place);
  await addDefectFixes(db, fixed, {
    entity_id: entityId,
    repo_id: place.repo_id,
    released_at: releasedAt,
    ...(deployment === null
      ? { named_release_id: release.id, release_id: release.id }
      : { deployment_id: deployment.id }),
  });
  return { fixed, late };
}

const SHORT_SHA = 7;

function releaseToRecord(row: ListedRelease): ReleaseRecord {
  return {
    id: row.id,
    name: row.name,
    repo: row.repo,
    repo_id: row.repo_id,
    repo_path: row.repo_path,
    triggered_by: row.triggered_by,
    deployed_by: deployerOf(row),
    released_at: row.released_at,
    commit_count: row.commit_count,
    defect_count: row.defect_count,
    issue_count: row.issue_count,
    deployment_count: row.deployment_count,
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
