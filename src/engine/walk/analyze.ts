// The engine's front door: the facts of a repository, as events. A slice is `heads otherHeads --not notHeads`, one walk
// over the default branch and all others.
import { availableParallelism } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import { CHURN_DAYS } from '../../domain/commits/line-model.ts';
import { createPathAttributes } from '../categories/git-attributes.ts';
import { type CustomPathRule, createFileJudge } from '../categories/judge-file.ts';
import { type CopyLinker, createCopyLinker } from '../copies/copy-linker.ts';
import type { CopyVerdict } from '../copies/linked-commit.ts';
import { createBlobComparer } from '../diff/blob-comparer.ts';
import { createPatchMaker } from '../diff/patch-maker.ts';
import { DEFAULT_DIFF_LIMITS, type DiffLimits } from '../diff/streamed-commit.ts';
import { openLineRecords } from '../evidence/line-records.ts';
import { chooseBranches } from '../git/counted-branches.ts';
import { type Branches, readBranches } from '../git/list-commits.ts';
import { listReleased } from '../git/released-heads.ts';
import { type GitRepository, orElse } from '../git/run-git.ts';
import { listTree } from '../git/tree-listing.ts';
import { identityKey } from '../identity/read-identity.ts';
import { createClassifier } from '../judge/classify-commit.ts';
import { createIndexFilter } from '../judge/duplicates.ts';
import type { AnalysisEvent } from '../model/events.ts';
import type { Identity } from '../model/facts.ts';
import { type NewCommits, planNew, planWalk } from '../model/plan.ts';
import { loadPackIndexes } from '../objects/pack-index.ts';
import { createPathFollower } from '../trace/path-follower.ts';
import { forgetEarlier, joinTrails } from '../trails/join-trails.ts';
import { prepareTrails } from '../trails/place.ts';
import { TrailWriter } from '../trails/trail-writer.ts';
import { Trails } from '../trails/trails.ts';
import { type ChunkList, Feed } from './feed.ts';
import { type ListedSlice, listSlice, type SliceRange } from './list-slice.ts';
import { type FollowPaths, Pipeline } from './pipeline.ts';
import { closeReader, createReader } from './read-chunk.ts';
import { openTree } from './tree/open-tree.ts';
import { TreeThread } from './tree/tree-thread.ts';
import { hasOlder, walkOlder } from './walk-older.ts';

export interface AnalyzeOptions {
  /** Seconds since 1970: commits before are read for their answers only. Null: the whole history. */
  readonly since?: number | null;
  /** Worker threads; one for each processor, up to DEFAULT_THREADS, unless given. */
  readonly threads?: number;
  /** Commits that a thread reads at a time; for tests. */
  readonly chunkCommits?: number;
  readonly limits?: DiffLimits;
  readonly withOrigins?: boolean;
  /** Whether events have objects of files and flows; true unless given. Adding up `rows` takes a fraction of the time. */
  readonly withFiles?: boolean;
  /** Commits whose facts are complete from an earlier run: walked for their answers, not emitted again. */
  readonly isComplete?: (sha: string) => boolean;
  /** The commit whose mailmap, attributes and ignored revisions hold; the first head unless given. */
  readonly conventionsAt?: string;
  /** A customer's own rules about paths, tried before all others. */
  readonly pathRules?: readonly CustomPathRule[];
  /** Whether blocks that repeat others in the tree are looked for; true unless given. */
  readonly withDuplicates?: boolean;
  /** Memory for the lines of the tree; for tests. */
  readonly duplicateIndexBytes?: number;
  /** Whether duplicates have a thread of their own, where that does not follow from what there is to read; for tests. */
  readonly hasTreeThread?: boolean;
  /** The churn window; CHURN_DAYS unless given. */
  readonly churnDays?: number;
  /** Ends the reading with its reason, also while a git process of a thread does not answer. */
  readonly signal?: AbortSignal;
}

export interface SliceOptions extends AnalyzeOptions, SliceRange {
  /** Of what finds copies among all commits of the slice, once it is known whether other branches have any; none unless given. */
  readonly createLinker?: (slice: { readonly isOneBranch: boolean }) => Promise<CopyLinker>;
}

/** More would wait for the one thread that joins what they have read, and each keeps files in memory. */
const DEFAULT_THREADS = 6;
const BATCH_BYTES = 1 << 18;
/** Reading threads have larger numbers. */
const MAIN_THREAD = 0;
const CREDIT_BYTES = 16 << 20;
/** A thread takes longer to start than the duplicates of fewer commits, or the files of a smaller tree. */
const TREE_THREAD_FROM = { commits: 400, listedBytes: 1 << 16 } as const;
const CHUNK_COMMITS = { least: 50, most: 3000, shares: 3 } as const;

/** Tells of the whole repository, or of one branch of it. */
export async function* analyzeRepository(
  repository: GitRepository,
  options: AnalyzeOptions & {
    readonly branchHead?: string;
    /** With the tips that count; without them all but orphans do. */
    readonly branches?: Branches;
    /** Full shas that releases lead to; those of tags that look like one unless given. */
    readonly released?: readonly string[];
  } = {},
): AsyncGenerator<AnalysisEvent, void, void> {
  const { branchHead } = options;
  const { head: first, tips } =
    branchHead === undefined
      ? (options.branches ?? (await readCounted(repository)))
      : { head: branchHead, tips: new Map<string, string>() };
  if (first === null) return;
  const others = [...new Set(tips.values())].filter((sha) => sha !== first).sort();
  let resolveCopies: () => readonly CopyVerdict[] = () => [];
  const slice: SliceOptions = {
    conventionsAt: first,
    ...options,
    heads: [first],
    otherHeads: others,
    onDefaultBranch: true,
    // Branches that are merged have nothing besides.
    createLinker: async ({ isOneBranch }) => {
      const released = isOneBranch ? [] : (options.released ?? (await listReleased(repository)));
      const linker = createCopyLinker({ isOneBranch, released });
      resolveCopies = linker.resolve;
      return linker;
    },
  };
  for await (const events of readSlice(repository, slice)) for (const event of events) yield event;
  for (const verdict of resolveCopies()) yield { kind: 'verdict', ...verdict };
}

async function readCounted(repository: GitRepository): Promise<Branches> {
  const branches = await readBranches(repository);
  return { ...branches, tips: (await chooseBranches(repository, branches)).tips };
}

export async function* analyzeSlice(
  repository: GitRepository,
  options: SliceOptions,
): AsyncGenerator<AnalysisEvent, void, void> {
  for await (const events of readSlice(repository, options)) for (const event of events) yield event;
}

/** Several events at a time: each generator that an event passes costs some promises. */
type Events = AsyncGenerator<readonly AnalysisEvent[], void, void>;

async function* readSlice(repository: GitRepository, options: SliceOptions): Events {
  const conventionsAt = options.conventionsAt ?? options.heads[0] ?? null;
  if (conventionsAt === null) return;
  const { notHeads = [] } = options;
  const feed = new Feed();
  // Of a whole history there is always something to read: a thread is up by the time the commits are listed.
  if (notHeads.length === 0) feed.warmUp();
  try {
    yield* walkSlice(repository, options, conventionsAt, feed);
  } finally {
    await feed.close();
  }
}

async function* walkSlice(repository: GitRepository, options: SliceOptions, conventionsAt: string, feed: Feed): Events {
  const listed = await listSlice(repository, options, conventionsAt, () => feed.warmUp());
  if (listed === null) return;
  const { fresh, others } = listed;
  const isComplete = options.isComplete ?? (() => false);
  // In other branches none are looked for: the tree is stepped back along the first parents of the default branch.
  const looksForDuplicates = options.onDefaultBranch && (options.withDuplicates ?? true);
  const firstParentsFrom = looksForDuplicates ? (options.heads[0] ?? null) : null;
  const planned = planNew({ fresh, others, since: options.since ?? null, isComplete, firstParentsFrom });
  if (!planned.isEmitted.includes(1)) return;
  const { unread } = listed.conventions;
  if (unread.length > 0) yield [{ kind: 'unread_conventions', paths: unread }];
  const keyOf = createIdentityKeys();
  const parts = { listed, conventionsAt, feed };
  const linker = await options.createLinker?.({ isOneBranch: others.length === 0 });
  for await (const events of walkPlanned(repository, planned, parts, options)) {
    if (linker !== undefined)
      for (const event of events) if (event.kind === 'commit') linker.add(candidate(event, keyOf));
    yield events;
  }
}

interface SliceParts {
  readonly listed: ListedSlice;
  readonly conventionsAt: string;
  readonly feed: Feed;
}

async function* walkPlanned(
  repository: GitRepository,
  planned: NewCommits,
  { listed, conventionsAt, feed }: SliceParts,
  options: SliceOptions,
): Events {
  const { conventions } = listed;
  const limits = options.limits ?? DEFAULT_DIFF_LIMITS;
  const { pathRules = [] } = options;
  const attributes = createPathAttributes(conventions.attributes);
  const isIndexed = createIndexFilter(createFileJudge(pathRules), attributes);
  const packs = loadPackIndexes(repository.gitDir);
  const trails =
    options.trailsIn === undefined ? null : prepareTrails(options.trailsIn, { limits, pathRules, ...conventions });
  const setup = {
    repository,
    packs,
    attributes: conventions.attributes,
    pathRules,
    limits,
    trails,
    batchBytes: BATCH_BYTES,
    creditBytes: CREDIT_BYTES,
  };
  const threads = options.threads ?? Math.min(availableParallelism(), DEFAULT_THREADS);
  const chunks = cutChunks(planned, threads, options.chunkCommits);
  const lastEmitted = planned.isEmitted.lastIndexOf(1);
  const tip = planned.isFirstParent.indexOf(1);
  let listedTree = conventions.takeListing();
  const isMuch =
    planned.commits.length >= TREE_THREAD_FROM.commits || (listedTree?.length ?? 0) >= TREE_THREAD_FROM.listedBytes;
  const hasTreeThread = tip >= 0 && (options.hasTreeThread ?? isMuch);
  const treeThread = hasTreeThread ? new TreeThread() : null;
  const readers = feed.begin(setup, Math.min(threads, chunks.length), hasTreeThread);
  const stop = () => {
    feed.fail(options.signal?.reason);
    treeThread?.fail(options.signal?.reason);
  };
  options.signal?.addEventListener('abort', stop, { once: true });
  if (options.signal?.aborted === true) stop();
  // The threads begin while the known commits, the notes and the tree are read.
  const batches = feed.read(chunks);
  const firstBatch = batches.next();
  firstBatch.catch(() => {}); // awaited below
  const blobs = createBlobComparer(packs);
  const loadTree = async () => {
    const ofConventions = listedTree;
    listedTree = null; // it is large, and used once
    if (tip < 0) return null;
    const { sha } = planned.commits.at(tip);
    const listing = sha === conventionsAt ? ofConventions : await listTree(repository, sha);
    const input = { repository, listing, maxBytes: options.duplicateIndexBytes, linesIn: trails?.folder ?? null };
    const treeSetup = { ...input, packs, attributes: conventions.attributes, pathRules, readers };
    return openTree(treeSetup, treeThread, { isIndexed, blobs });
  };
  const opening = Promise.all([openLineRecords(repository, conventions.traceLog, blobs), loadTree()]);
  opening.catch(() => {}); // awaited below
  let knownTrails = null as Trails | null;
  const openKnown = async () => {
    // Of a large history each of these takes a while, in which nothing else is heard.
    const known = await listed.listKnown();
    await setImmediate();
    const plan = planWalk(planned, known);
    await setImmediate();
    if (trails !== null && plan.olderFrom < plan.commits.length) knownTrails = new Trails(trails);
    return plan;
  };
  const [plan, [records, tree]] = await Promise.all([openKnown(), opening]).catch(async (error) => {
    const [opened] = await Promise.allSettled([opening]);
    if (opened.status === 'fulfilled') opened.value[0].close();
    knownTrails?.close();
    blobs?.close();
    await treeThread?.close();
    throw error;
  });
  const pipeline = new Pipeline(plan, {
    records,
    tree: tree?.judge ?? null,
    onDefaultBranch: options.onDefaultBranch,
    ignoredRevisions: conventions.ignoredRevisions,
    withOrigins: options.withOrigins ?? false,
    withFiles: options.withFiles ?? true,
    churnDays: options.churnDays ?? CHURN_DAYS,
  });
  const follower = createPathFollower(repository, blobs);
  // Where objects are missing, what the commit's own diff said stands.
  const follow: FollowPaths = async ({ sha, parents }, { paths, asText }) => {
    const parent = parents[0]!;
    const renamed = paths.length === 0 ? [] : await follower.follow(sha, parent, paths).catch(orElse([]));
    const text = asText.length === 0 ? [] : await follower.compareAsText(sha, parent, asText).catch(orElse([]));
    return new Map([...renamed, ...text]);
  };
  const total = plan.isEmitted.reduce((sum, emitted) => sum + emitted, 0);
  let done = 0;
  const counted = (events: readonly AnalysisEvent[]) => {
    for (const { kind } of events) if (kind === 'commit') done++;
    return events;
  };
  /** Whether some commits were not waited for. */
  let isCut = false;
  // Threads and processes end while what they found is summed up.
  const closing: Promise<void>[] = [];
  try {
    try {
      for (let step = await firstBatch; step.done !== true; step = await batches.next()) {
        await pipeline.consume(step.value, follow);
        for (const events of pipeline.take()) yield counted(events);
        yield [{ kind: 'progress', done, total }];
        if (!pipeline.isDone(lastEmitted)) continue;
        isCut = plan.olderFrom > pipeline.position;
        break;
      }
    } finally {
      closing.push(feed.close());
    }
    if (hasOlder(pipeline, plan)) {
      const classifier = createClassifier({ pathRules });
      const context = { attributes };
      const patches = createPatchMaker(packs, limits);
      const batchBytes = BATCH_BYTES;
      const rules = { classifier, context, isIndexed };
      const reader = createReader({ repository, patches, ...rules, limits, batchBytes });
      const writer = trails === null ? null : new TrailWriter(trails, MAIN_THREAD);
      try {
        const ofTrails =
          knownTrails === null ? null : { known: knownTrails, writer: writer!, ofAllFiles: !records.isEmpty };
        const older = walkOlder(pipeline, plan, reader, { follow, trails: ofTrails, signal: options.signal });
        for await (const events of older) yield counted(events);
      } finally {
        writer?.close();
        await closeReader(reader);
        patches?.close();
      }
    }
    await pipeline.settle();
    if (tree !== null) closing.push(tree.close());
    for (const events of pipeline.finish()) yield counted(events);
    yield [{ kind: 'progress', done, total }];
    if (trails !== null && knownTrails === null && !isCut) forgetEarlier(trails);
  } finally {
    options.signal?.removeEventListener('abort', stop);
    records.close();
    knownTrails?.close();
    await Promise.all([...closing, tree?.close(), follower.close()]);
    blobs?.close();
    if (trails !== null) joinTrails(trails);
  }
  listed.keep(plan);
}

/**
 * Consecutive runs of the commits that are read in full. Long ones first, because the next commit is likely to
 * need files that were just read; shorter ones towards the end, to keep all threads busy to the last. Each is made when
 * it is asked for.
 */
function cutChunks(planned: NewCommits, lanes: number, wanted: number | undefined): ChunkList {
  const count = planned.commits.length;
  const starts: number[] = [];
  for (let from = 0; from < count; ) {
    starts.push(from);
    const even = Math.ceil((count - from) / (lanes * CHUNK_COMMITS.shares));
    from += wanted ?? Math.min(CHUNK_COMMITS.most, Math.max(CHUNK_COMMITS.least, even));
  }
  return {
    length: starts.length,
    at(number) {
      const first = starts[number]!;
      return Array.from({ length: (starts[number + 1] ?? count) - first }, (_, i) => {
        const index = first + i;
        const { sha, parents } = planned.commits.at(index);
        return {
          index,
          sha,
          parents,
          answersOnly: planned.isEmitted[index] === 0,
          isStepped: planned.isStepped[index] === 1,
          isFirstParent: planned.isFirstParent[index] === 1,
        };
      });
    },
  };
}

type KeyOf = (person: Identity) => string;

/** `identityKey`, worked out once for each spelling of a person, all of whose commits share the key's memory. */
function createIdentityKeys(): KeyOf {
  const keys = new Map<string, string>();
  return (person) => {
    const spelling = `${person.email}\n${person.name}`;
    let key = keys.get(spelling);
    if (key === undefined) {
      key = identityKey(person);
      keys.set(spelling, key);
    }
    return key;
  };
}

const NOBODY: readonly string[] = [];
const NO_LINES = { hashes: new Uint32Array(0), lineCount: 0 };

function candidate(
  { fact, minHash }: Extract<AnalysisEvent, { kind: 'commit' }>,
  keyOf: KeyOf,
): Parameters<CopyLinker['add']>[0] {
  return {
    sha: fact.sha,
    parents: fact.parents,
    isOnDefaultBranch: fact.on_default_branch,
    author: keyOf(fact.author),
    coAuthors: fact.co_authors.length === 0 ? NOBODY : fact.co_authors.map(keyOf),
    authoredAt: fact.authored.at,
    committedAt: fact.committed.at,
    message: fact.message,
    patchId: fact.patch_id,
    minHash: minHash ?? NO_LINES,
  };
}
