// Imports: queueing them, and telling how far they are. The work itself is a background job.

import { setTimeout as sleep } from 'node:timers/promises';
import { collectQueueOptions } from '../../domain/collect/collect-queue.ts';
import { StrataError } from '../../domain/errors.ts';
import { ownedAddress, parseCloneAddress } from '../../domain/repos/clone-address.ts';
import { defaultRepoName } from '../../domain/repos/default-name.ts';
import { importQueueOptions } from '../../domain/repos/import-queue.ts';
import { isImportFailure } from '../../domain/repos/import-status.ts';
import { areSameAddress, hostOf, readRepoName, repoNameKey } from '../../domain/repos/repo-name.ts';
import { findInSources, formatRepoPath, RepoAccessError, type RepoPath } from '../../domain/repos/source.ts';
import { parseResourcePath, type ResourcePath } from '../../domain/resource-path.ts';
import { DERIVING_TASKS, FIGURE_TASKS } from '../../domain/tasks.ts';
import { groupBy } from '../../kit/group-by.ts';
import { nearestName } from '../../kit/text/nearest-name.ts';
import { hurryRepo } from '../../storage/collect/streams.ts';
import type { Database } from '../../storage/database/handle.ts';
import { inTransaction } from '../../storage/database/in-transaction.ts';
import { enqueue, hasJobs } from '../../storage/queue/queue.ts';
import { hasLivingWorker } from '../../storage/queue/workers.ts';
import { type DataSpan, readDataSpan, readDataState, versionOf } from '../../storage/repos/data-state.ts';
import {
  findImport,
  type ImportRow,
  listImports,
  lockRepoNames,
  queueImport,
  stopImport,
} from '../../storage/repos/imports.ts';
import { findHostedRepo, listUnlistedHosts } from '../../storage/repos/provider-connections.ts';
import { removeRepo } from '../../storage/repos/remove-repo.ts';
import { findSource, listSourceAddresses, type RegisteredSource, registerSource } from '../../storage/repos/repos.ts';
import type { Actor, OPERATOR } from '../access/actor.ts';
import type { AccessOperations, Grant } from '../access/grant.ts';
import { enqueueDerivation } from '../delivery/enqueue-derivation.ts';
import { listNames } from '../list-names.ts';
import type { OperationParts } from '../operation-parts.ts';
import type { ImportRecord } from '../records.ts';
import { findResources } from './find-resources.ts';
import { createImportFolders, realPlace } from './import-folders.ts';
import {
  type ImportState,
  importToRecord,
  importToState,
  readImportRecords,
  readImportStates,
} from './import-records.ts';

export interface ImportWindow {
  /** ISO 8601; commits since then. */
  readonly from?: string;
  readonly all?: boolean;
}

export interface RemovedRepo {
  readonly repo_path: string;
  readonly commit_count: number;
  /** People who were known by nothing else. */
  readonly committer_count: number;
}

/** A place to import from, and what the repo is to be called; after the place when absent. */
export interface NamedSource {
  readonly address: string;
  readonly as?: string | undefined;
}

export interface ImportCandidate {
  readonly path: string;
  readonly name: string;
  readonly is_imported: boolean;
}

export interface ImportOperations {
  /** Queues the import of a repo that one of the sources has. Throws unprocessable, by field, when none has. */
  queue(grant: Grant<'manager'>, repoPath: string, window?: ImportWindow): Promise<ImportRecord>;
  /** Takes the repo with all its facts out of the entity, and out of every report. */
  remove(grant: Grant<'admin'>, repoPath: string): Promise<RemovedRepo>;
  /** An address that an admin names. Only the operator's own may be ssh, whose keys are the operator's. */
  queueAddress(grant: Grant<'admin'>, source: NamedSource, window?: ImportWindow): Promise<ImportRecord>;
  /** A repository, or those in a folder, below the folders that the operator allowed. */
  queueFolder(grant: Grant<'admin'>, source: NamedSource, window?: ImportWindow): Promise<ImportRecord[]>;
  /** Repositories below the allowed folders. */
  candidates(grant: Grant<'member'>): Promise<ImportCandidate[]>;
  /** State of the entity's data, and the days of its first and last commit. */
  dataOf(grant: Grant<'member'>): Promise<DataSpan & { readonly version: string; readonly repo_count: number }>;
  /** Only the operator may name any folder of the machine. */
  register(
    actor: typeof OPERATOR,
    entity: string,
    source: {
      readonly kind: 'path' | 'address';
      readonly address: string;
      readonly as: string;
      /** Nobody chose the name: it must not take the place of another repository. */
      readonly isNameGuessed?: boolean;
    },
    window?: ImportWindow,
  ): Promise<ImportState>;
  /** The records with what a progress bar needs. */
  states(actor: Actor, entity: string, importIds: readonly number[]): Promise<ImportState[]>;
  list(grant: Grant<'member'>): Promise<ImportRecord[]>;
  /** Folders below which the actor may name repositories; none for most. */
  allowedFolders(actor: Actor): readonly string[];
  /** Whether anybody is there to do the work. */
  hasWorker(): Promise<boolean>;
  /**
   * Whether an entity's figures are being worked out, or are about to be: by imports too, or from what is stored. `left`
   * counts what failed and waits for its next try.
   */
  isWorkingOut(actor: Actor, entity: string, what: 'all' | 'derivations' | 'left'): Promise<boolean>;
}

/** How long a call waits for the first listing of a host's repos. */
const LISTING_MS = 20_000;
const LISTING_POLL_MS = 300;

const refused = (field: string, message: string): StrataError =>
  new StrataError('unprocessable', message, { errors: { [field]: [message] }, fields: { imported: false } });

/** A name that was made up from a folder's is not taken away from another repository. */
function refuseOther(name: string, known: RegisteredSource | undefined, address: string): void {
  if (known === undefined || areSameAddress(known.address, address)) return;
  const place = realPlace(known.address);
  if (place !== null && place === realPlace(address)) return;
  const choice = `name this one with --as ORG/REPO, or give --as ${name} to import it from here from now on`;
  throw refused('as', `${name} is ${known.address} already; ${choice}`);
}

/** A repo is read from one place; another may be tried while none has brought a commit. */
function refuseTaken(
  path: RepoPath,
  held: { readonly row: ImportRow | undefined; readonly source: RegisteredSource | undefined },
  isNameChosen: boolean,
): void {
  if (held.row === undefined) return;
  const { commit_processed_count, error_em, error_detail } = held.row;
  const hasFailed = error_em !== null || error_detail !== '';
  // Two repositories may have the same last part: only who names the repo means the one that is still being tried.
  if (commit_processed_count === 0 && (isNameChosen || hasFailed)) return;
  const name = formatRepoPath(path);
  const from = held.source === undefined ? 'imported from a connected host or a folder' : held.source.address;
  const message = `${name} is ${from} already; choose another name with as, have the operator run strata import ADDRESS --as ${name} to read it from another place from now on, or remove it first`;
  throw new StrataError('conflict', message, { errors: { as: [message] }, fields: { imported: false } });
}

/** A name that may be one, in its normal form. */
export function parseRepoPath(text: string, parameter = 'repo_path'): RepoPath {
  const path = readRepoName(text);
  const isValid = (slug: string) => {
    try {
      return parseResourcePath(slug).organization === null && slug !== '.' && slug !== '..';
    } catch {
      return false;
    }
  };
  if (path === null || ![...path.organization.split('/'), path.repo].every(isValid)) {
    throw refused(parameter, `"${text.slice(0, 200)}" is not accepted; expected <organization>/<repo>`);
  }
  return path;
}

export function createImportOperations(
  parts: OperationParts,
  access: Pick<AccessOperations, 'enterEntity'>,
): ImportOperations {
  const { db } = parts.store;
  const sources = parts.sources ?? [];

  const start = (
    entityId: number,
    path: RepoPath,
    window: ImportWindow,
    source?: RegisteredSource,
  ): Promise<ImportRow> =>
    inTransaction(db, async (trx) => {
      await lockRepoNames(trx, entityId);
      const existing = await findImport(trx, entityId, path.organization, path.repo);
      const isReplaced = existing?.commit_processed_count === 0 && (await isReadElsewhere(trx, entityId, path, source));
      // What the place before would still bring belongs to another repository.
      if (isReplaced) await stopImport(trx, existing);
      const isRestarted =
        existing === undefined ||
        isReplaced ||
        existing.status === 'offered_pending_acceptance' ||
        isImportFailure(existing.status) ||
        (isWindowGiven(window) && !(isUnderWay(existing) && isSameWindow(existing, window)));
      const queued = isRestarted
        ? await queueImport(trx, {
            entity_id: entityId,
            organization_slug: existing?.organization_slug ?? path.organization,
            repo_slug: existing?.repo_slug ?? path.repo,
            wanted_from: window.from ?? null,
            wants_all: window.all ?? false,
          })
        : existing;
      const named = { organization: queued.organization_slug, repo: queued.repo_slug };
      if (source !== undefined) await registerSource(trx, entityId, named, source);
      await enqueueImport(trx, queued);
      // The host is looked at as freshly as git.
      if (queued.repo_id !== null && (await hurryRepo(trx, entityId, queued.repo_id, parts.now()))) {
        await enqueueCollecting(trx, entityId, named);
      }
      return queued;
    });

  /** A repo of a host that was connected a moment ago is waited for, while its repos are being listed. */
  const findListed = async (entityId: number, path: RepoPath): ReturnType<typeof findInSources> => {
    const until = parts.now().getTime() + LISTING_MS;
    for (;;) {
      // Asked first: a listing that ends in between is seen by the search after it.
      const hosts = await listUnlistedHosts(db, entityId);
      const found = await findInSources(sources, entityId, path);
      if (found !== null || hosts.length === 0) return found;
      if (!(await hasLivingWorker(db)) || parts.now().getTime() >= until) {
        const message = `not found yet: the repos of ${hosts.join(', ')} are still being listed; try again in a minute`;
        throw refused('repo_path', message);
      }
      await sleep(LISTING_POLL_MS);
    }
  };
  /** An address names the repo that is cloned from its host. Of a folder nobody knows where it was cloned from. */
  const refuseOtherHost = async (entityId: number, text: string, path: RepoPath): Promise<void> => {
    const host = hostOf(text);
    if (host === null) return;
    const source = await findSource(db, entityId, path);
    const hosted = source === undefined ? await findHostedRepo(db, entityId, path) : [];
    const addresses = [source?.address ?? '', ...hosted.map(({ clone_url }) => clone_url)];
    const hosts = addresses.flatMap((address) => hostOf(address) ?? []);
    if (hosts.length === 0 || hosts.includes(host)) return;
    throw refused(
      'repo_path',
      `not found at ${host}: ${formatRepoPath(path)} is cloned from ${[...new Set(hosts)].join(' and ')}`,
    );
  };
  const place = createImportFolders(parts);

  return {
    async queueAddress({ entity }, { address: given, as }, window = {}) {
      const { url, credentials } = parseCloneAddress(given, 'admin');
      const path = parseRepoPath(as ?? defaultRepoName(url.href), 'as');
      const known = await findSource(db, entity.id, path);
      const isKnown = known !== undefined && areSameAddress(known.address, url.href);
      if (!isKnown) {
        const row = await findImport(db, entity.id, path.organization, path.repo);
        refuseTaken(path, { row, source: known }, as !== undefined);
      }
      if (credentials !== null) {
        if (parts.credentials === undefined) throw new Error('there is no place to keep credentials');
        await parts.credentials.store(ownedAddress(entity.id, url.href), credentials);
      }
      // As the operator reads it, with the operator's keys, unless the caller brings their own.
      const source =
        isKnown && known.is_operators && credentials === null
          ? known
          : ({ kind: 'address', address: url.href, is_operators: false } as const);
      return importToRecord(await start(entity.id, path, window, source), parts.now());
    },

    async queueFolder({ actor, entity }, { address, as }, window = {}) {
      if (as !== undefined) parseRepoPath(as, 'as');
      const targets = place.targetsAt(actor, address, as);
      const records: ImportRecord[] = [];
      // All of them first: a folder is imported as a whole, or not at all.
      for (const { as: name, address: own, isNameGuessed } of targets)
        if (isNameGuessed) refuseOther(name, await findSource(db, entity.id, parseRepoPath(name, 'as')), own);
      for (const target of targets) {
        const path = parseRepoPath(target.as, 'as');
        const source = { kind: 'path', address: target.address, is_operators: true } as const;
        records.push(importToRecord(await start(entity.id, path, window, source), parts.now()));
      }
      return records;
    },

    async candidates({ actor, entity }) {
      const known = await listSourceAddresses(db, entity.id);
      return place.list(actor).map(({ address, as }) => ({ path: address, name: as, is_imported: known.has(address) }));
    },

    async dataOf({ entity }) {
      const [state, span] = await Promise.all([readDataState(db, entity.id), readDataSpan(db, entity.id)]);
      return { version: versionOf(state), repo_count: state.repo_count, ...span };
    },

    async queue({ entity }, repoPath, window = {}) {
      const path = parseRepoPath(repoPath);
      await refuseOtherHost(entity.id, repoPath, path);
      let found: Awaited<ReturnType<typeof findInSources>>;
      try {
        found = await findListed(entity.id, path);
      } catch (error) {
        if (error instanceof RepoAccessError) throw refused('repo_path', error.message);
        throw error;
      }
      if (found === null) throw refused('repo_path', 'not found');
      return importToRecord(await start(entity.id, found.repo.path, window), parts.now());
    },

    async remove({ entity }, repoPath) {
      const path = parseRepoPath(repoPath);
      await refuseOtherHost(entity.id, repoPath, path);
      const removed = await inTransaction(db, async (trx) => {
        const row = await findImport(trx, entity.id, path.organization, path.repo);
        if (row === undefined) throw await unknownImport(trx, entity.id, path);
        const counts = await removeRepo(trx, row);
        await enqueueDerivation(trx, { entity_id: entity.id });
        return { ...counts, row };
      });
      const { organization_slug: organization, repo_slug: repo, id: importId } = removed.row;
      const shown = { organization, repo };
      await parts.forgetMirror?.({ entityId: entity.id, importId });
      return { repo_path: formatRepoPath(shown), commit_count: removed.commits, committer_count: removed.committers };
    },

    async register(actor, entitySlug, source, window = {}) {
      const { entity } = await access.enterEntity(actor, entitySlug, 'admin');
      const path = parseRepoPath(source.as, 'as');
      const { url, credentials } =
        source.kind === 'address' ? parseCloneAddress(source.address) : { url: null, credentials: null };
      const address = url?.href ?? source.address;
      if (source.isNameGuessed) refuseOther(source.as, await findSource(db, entity.id, path), address);
      if (credentials !== null) {
        if (parts.credentials === undefined) throw new Error('there is no place to keep credentials');
        await parts.credentials.store(address, credentials);
      }
      const registered = { kind: source.kind, address, is_operators: true };
      return importToState(await start(entity.id, path, window, registered), parts.now());
    },

    async states(actor, entitySlug, importIds) {
      const { entity } = await access.enterEntity(actor, entitySlug, 'member');
      const rows = (await listImports(db, entity.id)).filter((row) => importIds.includes(row.id));
      return readImportStates(db, entity.id, rows, parts.now());
    },

    list: async ({ entity, paths }) =>
      readImportRecords(db, entity.id, await findImports(db, entity.id, paths), parts.now()),

    allowedFolders: place.allowed,

    hasWorker: () => hasLivingWorker(db),

    async isWorkingOut(actor, entitySlug, what) {
      const { entity } = await access.enterEntity(actor, entitySlug, 'member');
      const tasks = what === 'derivations' ? DERIVING_TASKS : FIGURE_TASKS;
      return hasJobs(db, entity.id, tasks, what === 'left' ? 'all' : 'due');
    },
  };
}

/** Whether a known repo is so far read from another place than this: what no place is registered of comes from a host or folder. */
async function isReadElsewhere(
  db: Database,
  entityId: number,
  path: RepoPath,
  source: RegisteredSource | undefined,
): Promise<boolean> {
  if (source === undefined) return false;
  const known = await findSource(db, entityId, path);
  return known === undefined || !areSameAddress(known.address, source.address);
}

/** Of the paths, in the order of their ids. What has neither an import nor a repo does not exist. */
async function findImports(db: Database, entityId: number, paths: readonly ResourcePath[]): Promise<ImportRow[]> {
  const all = await listImports(db, entityId);
  const named = groupBy(all, (row) => `${repoNameKey(row.organization_slug)} ${repoNameKey(row.repo_slug)}`);
  const ofOrganization = groupBy(all, (row) => repoNameKey(row.organization_slug));
  const importsAt = ({ organization, repo }: ResourcePath): readonly ImportRow[] => {
    if (organization === null) return all;
    if (repo === null) return ofOrganization.get(repoNameKey(organization)) ?? [];
    // What looks like a repo is an organization where groups lie in groups.
    const group = ofOrganization.get(repoNameKey(`${organization}/${repo}`)) ?? [];
    return [...(named.get(`${repoNameKey(organization)} ${repoNameKey(repo)}`) ?? []), ...group];
  };
  const found = paths.map(importsAt);
  await findResources(
    db,
    entityId,
    paths.filter((_, place) => found[place]!.length === 0),
  );
  const wanted = new Set(found.flat());
  return all.filter((row) => wanted.has(row));
}

async function unknownImport(db: Database, entityId: number, path: RepoPath): Promise<StrataError> {
  const names = (await listImports(db, entityId)).map((row) =>
    formatRepoPath({ organization: row.organization_slug, repo: row.repo_slug }),
  );
  const wanted = formatRepoPath(path);
  const nearest = nearestName(wanted, names);
  const hint = nearest === null ? listNames(names) : `did you mean "${nearest}"?`;
  const message = `there is no import of ${wanted}; ${hint}`;
  return new StrataError('not_found', message, { errors: { repo_path: [message] } });
}

const isWindowGiven = ({ from, all }: ImportWindow): boolean => from !== undefined || all === true;

const isUnderWay = ({ status }: ImportRow): boolean => status !== 'processing_completed';

const isSameWindow = (row: ImportRow, { from, all = false }: ImportWindow): boolean =>
  row.wants_all === all &&
  (from === undefined ? row.wanted_from === null : Date.parse(row.wanted_from ?? '') === Date.parse(from));

/** In the caller's transaction: the job exists exactly when the record does. */
async function enqueueImport(db: Database, row: ImportRow): Promise<void> {
  const payload = { entity_id: row.entity_id, import_id: row.id };
  await enqueue(db, 'import_repo', payload, importQueueOptions(payload));
}

/** Every connection that sees the repo: they share the work. */
async function enqueueCollecting(db: Database, entityId: number, path: RepoPath): Promise<void> {
  for (const { connection } of await findHostedRepo(db, entityId, path)) {
    const payload = { entity_id: entityId, source: 'host' as const, connection_id: connection.id };
    await enqueue(db, 'collect', payload, collectQueueOptions(payload));
  }
}
