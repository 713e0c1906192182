// One walk of a mirror: what is new since the last one goes into the store, then the commits that are
// stored already are brought in line with the branches as they are now. The heads are stored last, in
// the same transaction, so a walk that was cut off begins again where the last whole one ended.

import type { EntitySettings } from '../../domain/access/entity-settings.ts';
import { type Derivation, isDerivedUnder } from '../../domain/commits/derivation.ts';
import { listFirstCommits } from '../../engine/git/list-first-commits.ts';
import { countCommits, listShallowEnds, listShas } from '../../engine/git/list-shas.ts';
import { findMissing } from '../../engine/objects/find-missing.ts';
import { trailsFolder } from '../../engine/trails/place.ts';
import { analyzeSlice, type SliceOptions } from '../../engine/walk/analyze.ts';
import { endReadyThreads, startFirstThreads } from '../../engine/walk/threads.ts';
import {
  addToDefaultBranch,
  storeDefaultBranch,
  storeFurtherChildren,
  storePresence,
} from '../../storage/commits/commit-changes.ts';
import { beginDerivation, beginRereading } from '../../storage/commits/derive-anew.ts';
import type { FactTarget } from '../../storage/commits/load-batch.ts';
import { prepareStaging } from '../../storage/commits/load-batch.ts';
import { lockShared, reconcileShared } from '../../storage/commits/shared-commits.ts';
import { countStoredCommits, findStoredCommits, listWithoutOrigin } from '../../storage/commits/stored-commits.ts';
import { analyzeGrown } from '../../storage/database/analyze-grown.ts';
import type { Session } from '../../storage/database/session.ts';
import { lacksFirstCommits, storeFirstCommits } from '../../storage/people/first-commits.ts';
import {
  type RepoRow,
  readBranchHeads,
  storeBranches,
  storeDerivation,
  storeTags,
  updateRepo,
} from '../../storage/repos/repos.ts';
import { linkCopies } from './link-copies.ts';
import { ImportLoader } from './loader.ts';
import type { ImportMeter } from './meter.ts';
import { checkMirror, lacksUnexpectedly, listReadableAgain, MirrorDamaged } from './mirror-check.ts';
import type { ImportPeople } from './people.ts';
import type { MirroredRefs } from './refs.ts';
import { hasBoundaryMoved } from './shallow.ts';

/** What a walk fills and what is compared as soon as it has ended; the larger tables of facts are looked up by their keys. */
const FILLED = ['commits', 'committers', 'committer_identities', 'signatures'] as const;

export interface WalkInput {
  readonly session: Session;
  readonly target: FactTarget;
  readonly repo: RepoRow;
  readonly mirror: MirroredRefs;
  readonly people: ImportPeople;
  readonly meter: ImportMeter;
  /** Seconds since 1970, or null for the whole history. */
  readonly since: number | null;
  readonly threads: number | null;
  /** How many commits are stored, by the import's record: to count them takes a while in a large repo. */
  readonly processed: number;
  /** The entity's own rules for the category of a file. */
  readonly pathRules: EntitySettings['category_rules'];
  /** Full shas that releases lead to. */
  readonly released: readonly string[];
  readonly batchBytes: number;
  readonly derivation: Derivation;
  readonly signal: AbortSignal;
}

/** With so many there is much to do before anything new is read: threads are started meanwhile. */
const MANY_COMMITS = 20_000;

/** More are looked up as all commits of the repo. */
const MOST_SHAS = 20_000;

/** Returns false when there was nothing to do: no commit, branch or tag is new. */
export async function walkMirror(input: WalkInput): Promise<boolean> {
  try {
    return await walkChanges(input);
  } finally {
    // Whatever went wrong before they had something to do.
    await endReadyThreads();
  }
}

async function walkChanges(input: WalkInput): Promise<boolean> {
  const { session, target, repo, mirror } = input;
  const heads = await readBranchHeads(session.db, target.entityId, target.repoId);
  const isWider = isWindowWider(input.since, repo);
  const isRederived = !isDerivedUnder(repo.derived_under, input.derivation);
  const readable = isRederived ? [] : await listReadableAgain(session.db, target, mirror.repository);
  const isReread = readable.some((sha) => repo.reread_shas?.includes(sha) !== true);
  const boundary = await listShallowEnds(mirror.repository, mirror.heads.values());
  const isMoved = await session.transaction(async () => {
    await session.client.query('set local statement_timeout = 0');
    return hasBoundaryMoved(session.db, { target, repo, mirror }, boundary);
  });
  const isStale = isRederived || isReread || isMoved;
  const isStill = isSame(heads, mirror.heads) && repo.default_branch === mirror.defaultBranch;
  if (isStill && !isWider && !isStale && !repo.has_open_walk) {
    return session.transaction(async () => {
      await session.client.query('set local statement_timeout = 0');
      await lockShared(session.db, target.entityId);
      const isTagChanged = await storeRefs(input, boundary);
      // What a new release holds is no longer the source of a squash.
      if (isTagChanged) await linkCopies(session, target, input.released);
      await checkMirror(mirror);
      return isTagChanged;
    });
  }
  const oldHeads = isWider || isStale ? [] : [...new Set(heads.values())];
  const others = [...new Set(mirror.heads.values())].filter((sha) => sha !== mirror.defaultHead).sort();
  const slice = { heads: [mirror.defaultHead], otherHeads: others, notHeads: oldHeads, onDefaultBranch: true };
  if (input.processed >= MANY_COMMITS) startFirstThreads(input.threads);
  await prepareStaging(session);
  const isReadAnew = isReread || isMoved;
  if (isReadAnew || (isStale && !isDerivedUnder(repo.deriving_under, input.derivation))) {
    await session.transaction(async () => {
      await session.client.query('set local statement_timeout = 0');
      await (isReadAnew ? beginRereading : beginDerivation)(session.db, target, input.derivation);
      await updateRepo(session.db, target.entityId, target.repoId, { has_open_walk: true, shallow_shas: boundary });
    });
  }
  const [before, listed] = await Promise.all([countStoredCommits(session.db, target), countListed(input, slice)]);
  const earlier =
    before.processed === 0 ? null : await readEarlier(input, { oldHeads, stored: [...heads.values()], isMoved });
  const stored = earlier?.ids ?? null;
  const expected = Math.max(0, listed - (stored?.size ?? 0));
  const isDerivedAnew = isStale && earlier !== null;
  await input.meter.start({ before, stored, expected, isDerivedAnew });
  await updateRepo(session.db, target.entityId, target.repoId, { has_open_walk: true, shallow_shas: boundary });
  // Their lines may come from commits that were outside of the narrower window.
  const reopened = isWider ? await listWithoutOrigin(session.db, target) : new Set<string>();
  const loader = new ImportLoader({
    session,
    target,
    people: input.people,
    stored,
    reopened,
    isDerivedAnew,
    expected,
    children: earlier?.children ?? null,
    batchBytes: input.batchBytes,
    checkSource: () => checkMirror(mirror),
    progress: (change) => input.meter.note(change),
  });
  const emitted = new Set<string>();
  try {
    await loadSlice(input, slice, { loader, emitted, earlier, reopened });
    await loader.finish();
  } finally {
    await Promise.all([loader.idle(), endReadyThreads()]);
  }
  input.signal.throwIfAborted();
  await analyzeGrown(session.db, target.entityId, FILLED);
  // Only a walk that leaves something out, and that meets somebody new or reaches further back, has to look. One that was cut off
  // may have reached further back, and has not looked.
  const isFurther = earlier === null || isMoved || repo.has_open_walk;
  const readsFirsts = input.since !== null && (isFurther || (await lacksFirstCommits(session.db, target, emitted)));
  const firsts = readsFirsts
    ? await listFirstCommits(mirror.repository, [...new Set(mirror.heads.values())], mirror.defaultHead)
    : null;
  await session.transaction(async () => {
    await session.client.query('set local statement_timeout = 0');
    await lockShared(session.db, target.entityId);
    await input.meter.checkRight();
    if (firsts !== null) await storeFirstCommits(session.db, target.entityId, firsts);
    await storeFurtherChildren(session.db, target, loader.furtherChildren);
    const followed = { defaultHead: heads.get(repo.default_branch ?? ''), hasOffDefault: before.off_default > 0 };
    const isChanged = earlier !== null && (await followBranches(input, earlier, followed));
    const isTagChanged = await storeRefs(input, boundary);
    // A walk that was cut off may have stored all commits, and linked none.
    if (isChanged || isTagChanged || emitted.size > 0 || repo.has_open_walk)
      await linkCopies(session, target, input.released);
    const isWhole = earlier === null || !repo.is_checked_for_copies || emitted.size > MOST_SHAS;
    const shas = [...emitted].map((sha) => Buffer.from(sha, 'hex'));
    await reconcileShared(session.db, target.entityId, isWhole ? { repoId: target.repoId } : { shas });
    await updateRepo(session.db, target.entityId, target.repoId, { is_checked_for_copies: true });
    await storeDerivation(session.db, target.entityId, target.repoId, input.derivation);
    if (isReadAnew || repo.reread_shas !== null) {
      const reread_shas = await listReadableAgain(session.db, target, mirror.repository);
      await updateRepo(session.db, target.entityId, target.repoId, { reread_shas });
    }
    await checkMirror(mirror);
  });
  return true;
}

function isWindowWider(since: number | null, repo: RepoRow): boolean {
  if (repo.default_branch === null || repo.processed_from === null) return false;
  return since === null || since * 1000 < Date.parse(repo.processed_from);
}

const isSame = (a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean =>
  a.size === b.size && [...a].every(([name, sha]) => b.get(name) === sha);

interface Earlier {
  /** Of the walk's commits that are stored. */
  readonly ids: ReadonlyMap<string, number>;
  /** Those of them whose facts are complete. */
  readonly complete: ReadonlySet<string>;
  readonly children: ReadonlyMap<string, string[]>;
  /** A branch was deleted or forced, commits have come back, or a walk or the history before this one was cut off. */
  readonly isPresenceOpen: boolean;
}

interface EarlierHeads {
  /** Where the walk ends. */
  readonly oldHeads: readonly string[];
  /** Of all branches as they were stored. */
  readonly stored: readonly string[];
  /** Whether the history reaches to other commits than before. */
  readonly isMoved: boolean;
}

async function readEarlier(
  { session, target, mirror, repo }: WalkInput,
  { oldHeads, stored, isMoved }: EarlierHeads,
): Promise<Earlier> {
  const { repository } = mirror;
  const heads = [...new Set(mirror.heads.values())];
  const [listed, vanished, missing] = await Promise.all([
    listShas(repository, heads, oldHeads),
    listShas(repository, stored, heads),
    // A mirror that was made anew lacks the old heads: they vanished too.
    findMissing(repository, 'commit', stored),
  ]);
  const complete = new Set<string>();
  const ids = new Map<string, number>();
  for (const [sha, { id, isComplete }] of await findStoredCommits(session.db, target, listed.shas)) {
    ids.set(sha, id);
    if (isComplete) complete.add(sha);
  }
  const isPresenceOpen =
    isMoved || repo.has_open_walk || complete.size > 0 || vanished.shas.length > 0 || missing.size > 0;
  return { ids, complete, children: listed.children, isPresenceOpen };
}

type Slice = Required<Pick<SliceOptions, 'heads' | 'otherHeads' | 'notHeads' | 'onDefaultBranch'>>;

const countListed = ({ mirror, since }: WalkInput, { heads, otherHeads, notHeads }: Slice): Promise<number> =>
  countCommits(mirror.repository, [...heads, ...otherHeads], notHeads, since);

interface Loading {
  readonly loader: ImportLoader;
  readonly emitted: Set<string>;
  readonly earlier: Earlier | null;
  readonly reopened: ReadonlySet<string>;
}

async function loadSlice(
  input: WalkInput,
  slice: Slice,
  { loader, emitted, earlier, reopened }: Loading,
): Promise<void> {
  const isComplete = (sha: string): boolean => earlier?.complete.has(sha) === true && !reopened.has(sha);
  const options: SliceOptions = {
    ...slice,
    since: input.since,
    conventionsAt: input.mirror.defaultHead,
    pathRules: input.pathRules,
    churnDays: input.derivation.churn_days,
    trailsIn: trailsFolder(input.mirror.repository.gitDir),
    signal: input.signal,
    ...(earlier === null ? {} : { isComplete }),
    ...(input.threads === null ? {} : { threads: input.threads }),
  };
  for await (const event of analyzeSlice(input.mirror.repository, options)) {
    input.signal.throwIfAborted();
    if (event.kind === 'commit') {
      if (lacksUnexpectedly(input.mirror, event.fact)) throw new MirrorDamaged(event.fact.sha);
      emitted.add(event.fact.sha);
    }
    const isFull = loader.add(event);
    if (isFull !== undefined) await isFull;
  }
}

/** As the walk before left it. */
interface Followed {
  readonly defaultHead: string | undefined;
  /** Whether commits off the default branch are stored. */
  readonly hasOffDefault: boolean;
}

/** Presence and the default branch of commits stored by earlier walks. Returns whether any changed. */
async function followBranches(input: WalkInput, earlier: Earlier, followed: Followed): Promise<boolean> {
  const { session, target, mirror, repo } = input;
  const { repository } = mirror;
  let changed = 0;
  if (earlier.isPresenceOpen) {
    const reachable = await listShas(repository, new Set(mirror.heads.values()));
    const leftOut = await listShas(repository, mirror.leftOutHeads, mirror.heads.values());
    changed += await storePresence(session.db, target, new Set(reachable.shas), new Set(leftOut.shas));
  }
  const isSameBranch = repo.default_branch === mirror.defaultBranch;
  if (isSameBranch && !earlier.isPresenceOpen && (await hasOnlyGrown(mirror, followed.defaultHead))) {
    if (!followed.hasOffDefault) return changed > 0;
    const grown = await listShas(repository, [mirror.defaultHead], [followed.defaultHead!]);
    changed += await addToDefaultBranch(session.db, target, grown.shas);
  } else {
    const onDefault = await listShas(repository, [mirror.defaultHead]);
    changed += await storeDefaultBranch(session.db, target, new Set(onDefault.shas));
  }
  return changed > 0;
}

/** Whether the default branch still leads to where it led before. */
const hasOnlyGrown = async ({ repository, defaultHead }: MirroredRefs, before: string | undefined): Promise<boolean> =>
  before !== undefined && (await countCommits(repository, [before], [defaultHead], null)) === 0;

/** Returns whether a tag is new or gone. */
async function storeRefs(
  { session, target, mirror, since, repo }: WalkInput,
  boundary: readonly string[],
): Promise<boolean> {
  const { db } = session;
  const { entityId, repoId } = target;
  await storeBranches(db, entityId, repoId, mirror.heads);
  const isTagChanged = await storeTags(db, entityId, repoId, mirror.tags);
  const isFirst = repo.default_branch === null;
  const keepsWindow = !isFirst && !isWindowWider(since, repo);
  await updateRepo(db, entityId, repoId, {
    default_branch: mirror.defaultBranch,
    last_fetched_at: new Date().toISOString(),
    has_open_walk: false,
    shallow_shas: [...boundary],
    ...(keepsWindow ? {} : { processed_from: since === null ? null : new Date(since * 1000).toISOString() }),
  });
  return isTagChanged;
}
