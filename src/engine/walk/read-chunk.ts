// Reads a run of consecutive commits from git and turns each into a record: diff, classification, evidence,
// and for merges the routes to their parents. Runs in a worker thread; batches leave in the commits' order.

import { isFileMarked } from '../categories/generated-mark.ts';
import { readReverts } from '../copies/message-links.ts';
import type { BlobComparer } from '../diff/blob-comparer.ts';
import { DiffStreamParser } from '../diff/diff-stream.ts';
import { DiffTreeProcess } from '../diff/diff-tree-process.ts';
import { GitHunks } from '../diff/git-hunks.ts';
import type { PackedLists } from '../diff/packed-lists.ts';
import { PatchMaker } from '../diff/patch-maker.ts';
import { readPresentFiles, type SplitChanges, splitChanges } from '../diff/present-files.ts';
import { pumpDiff } from '../diff/pump-diff.ts';
import { COMBINED_CHANGES_FLAGS, RAW_CHANGES_FLAGS } from '../diff/raw-changes.ts';
import {
  CHANGE_LIST_FLAGS,
  type CommitWritten,
  DIFF_STREAM_FLAGS,
  type DiffLimits,
  DiffStreamError,
  type ListedChange,
  PLAIN_LIST_FLAGS,
  type StreamedCommit,
} from '../diff/streamed-commit.ts';
import { readCommitEvidence } from '../evidence/read-commit-evidence.ts';
import { parseTrailers } from '../evidence/trailers.ts';
import { GitError, type GitRepository } from '../git/run-git.ts';
import { readCoAuthors } from '../identity/co-authors.ts';
import { standingOf } from '../judge/commit-standing.ts';
import type { Classifier, ClassifyContext } from '../model/classified.ts';
import {
  type Batch,
  type Chunk,
  type ChunkCommit,
  type CommitRecord,
  EMPTY_RECORD,
  type FileRecord,
  type RouteRecord,
  type TreeStep,
} from '../model/commit-record.ts';
import type { FileDiff, GatheredLines, LimitReason } from '../model/diff.ts';
import { createFileSource, type FileSource, lookIntoFiles } from '../objects/file-source.ts';
import { isSubmodule } from '../objects/object-kinds.ts';
import { stopIfEnding } from '../thread-end.ts';
import {
  type ListedMerges,
  listMerges,
  type MergeReader,
  type MergeRoute,
  type ReadMerge,
} from '../trace/merge-routes.ts';
import { createPathFollower, type PathFollower } from '../trace/path-follower.ts';
import { type KnownChanges, ReplacedLines, readMergeSteps } from './merge-steps.ts';
import { ReadingWindow } from './reading-window.ts';

export interface ChunkReader {
  readonly repository: GitRepository;
  /** Makes the patches of most commits; null: git makes all. */
  readonly patches: PatchMaker | null;
  /** What commits change, renames included. */
  readonly lists: DiffTreeProcess;
  /** The same without renames, where files may be missing. */
  readonly plainLists: DiffTreeProcess;
  /** Their patches, and the raw differences of merges with each parent. */
  readonly diffs: DiffTreeProcess;
  /** Hunks of single files of patches that are made in process but for them. */
  readonly hunks: GitHunks;
  readonly trees: DiffTreeProcess;
  readonly combined: DiffTreeProcess;
  /** Former paths of files that a parent of a merge lacks. */
  readonly follower: PathFollower;
  /** Compares single files in process, and lists what merges change; null: git does. */
  readonly blobs: BlobComparer | null;
  readonly packed: PackedLists | null;
  /** Whole files, of merges that the tree is stepped back over. */
  readonly files: FileSource;
  readonly isIndexed: (path: string) => boolean;
  readonly classifier: Classifier;
  readonly context: ClassifyContext;
  readonly limits: DiffLimits;
  /** A batch is sent once it holds this many bytes. */
  readonly batchBytes: number;
  readonly window: ReadingWindow;
}

export interface ReaderSetup {
  readonly repository: GitRepository;
  readonly patches: PatchMaker | null;
  readonly classifier: Classifier;
  readonly context: ClassifyContext;
  readonly isIndexed: (path: string) => boolean;
  readonly limits: DiffLimits;
  readonly batchBytes: number;
}

/** Call `closeReader` when done: it holds git processes once it has read something. */
export function createReader(setup: ReaderSetup): ChunkReader {
  const { repository, patches } = setup;
  const blobs = patches?.comparer ?? null;
  return {
    ...setup,
    blobs,
    packed: patches?.lists ?? null,
    follower: createPathFollower(repository, blobs),
    lists: new DiffTreeProcess(repository, CHANGE_LIST_FLAGS),
    plainLists: new DiffTreeProcess(repository, PLAIN_LIST_FLAGS),
    diffs: new DiffTreeProcess(repository, [...DIFF_STREAM_FLAGS, '--stdin', '-M']),
    hunks: new GitHunks(repository),
    trees: new DiffTreeProcess(repository, RAW_CHANGES_FLAGS),
    combined: new DiffTreeProcess(repository, COMBINED_CHANGES_FLAGS),
    files: createFileSource(repository, blobs),
    window: new ReadingWindow(),
  };
}

export async function closeReader(reader: ChunkReader): Promise<void> {
  reader.files.objects.close();
  const { lists, plainLists, diffs, hunks, trees, combined, follower } = reader;
  await Promise.all([lists, plainLists, diffs, hunks, trees, combined, follower].map((each) => each.close()));
}

/** Calls `emit` with batches in order and waits for it, which is how the consumer slows git down. */
export async function readChunk(
  reader: ChunkReader,
  commits: Chunk,
  emit: (batch: Batch) => Promise<void>,
): Promise<void> {
  const builder = new RecordBuilder(reader);
  const sendIfFull = () => (builder.bytes >= reader.batchBytes ? emit(builder.take()) : undefined);
  const { patches } = reader;
  if (patches === null) {
    const merges = await readRoutes(reader, commits.filter(isMerge));
    await builder.knowMerges(commits, { merges, changesOf: () => undefined, replaced: NOTHING_REPLACED });
    await readByGit(reader, commits, builder, sendIfFull);
  } else {
    for (let from = 0; from < commits.length; ) {
      const atOnce = commits.slice(from, from + reader.window.size);
      from += await readListed(reader, patches, atOnce, builder, sendIfFull);
    }
  }
  await emit(builder.take());
}

/** The list of what commits change takes no more than this: fewer of them are compared together then. */
const MOST_LISTED_BYTES = 32 << 20;
/** What a listed change takes besides its path. */
const CHANGE_BYTES = 350;

interface ListedPlace {
  /** Its place in the chunk. */
  readonly at: number;
  readonly commit: StreamedCommit;
  /** Nobody has looked for renames among its files. */
  readonly isPlain: boolean;
}

/**
 * Those whose patch can be made in process, and how many commits were looked at until the list was long enough, or until
 * git could not go on: what it lists behind a commit with a broken file is listed anew.
 */
async function listChanges(
  reader: ChunkReader,
  commits: Chunk,
): Promise<{ readonly listed: ListedPlace[]; readonly end: number }> {
  const { packed } = reader;
  const found: (StreamedCommit | null)[] = [];
  for (let bytes = 0; found.length < commits.length && bytes <= MOST_LISTED_BYTES; ) {
    stopIfEnding();
    const commit = packed?.list(commits[found.length]!) ?? null;
    found.push(commit);
    if (commit !== null) bytes += listedBytes(commit);
  }
  const left = found.flatMap((commit, at) => (commit === null ? [at] : []));
  const plain = new Set(left.filter((at) => packed?.hasFilesOf(commits[at]!) === false));
  const whole = left.filter((at) => !plain.has(at));
  const ends = [
    await listByGit(reader.lists, reader.limits, commits, whole, found),
    await listByGit(reader.plainLists, reader.limits, commits, [...plain], found),
  ];
  let end = Math.min(...ends);
  const listed: ListedPlace[] = [];
  for (let at = 0, bytes = 0; at < end; at++) {
    const commit = found[at]!;
    if (commit === null) continue;
    if (bytes > MOST_LISTED_BYTES) end = at;
    else if (commit.changes !== null && PatchMaker.canMake(commit.changes)) {
      listed.push({ at, commit, isPlain: plain.has(at) });
    }
    bytes += listedBytes(commit);
  }
  return { listed, end };
}

/** Lists those of the commits that stand at some places; answers how far the list goes then. */
async function listByGit(
  git: DiffTreeProcess,
  limits: DiffLimits,
  commits: Chunk,
  places: readonly number[],
  found: (StreamedCommit | null)[],
): Promise<number> {
  if (places.length === 0) return found.length;
  let next = 0;
  let bytes = 0;
  let end = found.length;
  const wanted = places.map((at) => commits[at]!);
  const failure = await stream(git, wanted, limits, (commit) => {
    // Git is silent about a commit that it does not have.
    while (next < wanted.length && wanted[next]!.sha !== commit.sha) next++;
    if (next === wanted.length) return;
    if (bytes > MOST_LISTED_BYTES) {
      end = Math.min(end, places[next]!);
      return;
    }
    found[places[next]!] = commit;
    bytes += listedBytes(commit);
  });
  // The commit that could not be listed comes next, or behind one that was still being read.
  return failure === null ? end : Math.min(end, (places[next] ?? end) + 1);
}

/** About what it takes until it is read. */
function listedBytes({ message, changes }: StreamedCommit): number {
  let bytes = RECORD_BYTES + message.length * 2;
  for (const { path } of changes ?? []) bytes += CHANGE_BYTES + path.length;
  return bytes;
}

/** Answers how many of the commits it has read; at least one. */
async function readListed(
  reader: ChunkReader,
  patches: PatchMaker,
  commits: Chunk,
  builder: RecordBuilder,
  sendIfFull: SendIfFull,
): Promise<number> {
  const { listed, wanted, end } = await prepareWindow(reader, patches, commits, builder);
  const lacking = new Set(listed.flatMap(({ at }, i) => (wanted[i]!.incomplete.length > 0 ? [commits[at]!] : [])));
  let next = 0;
  for (const [number, { at, commit }] of listed.entries()) {
    stopIfEnding();
    const files = patches.filesOf(number);
    if (files === null) continue;
    if (at > next) await readByGit(reader, commits.slice(next, at), builder, sendIfFull, lacking);
    const { incomplete } = wanted[number]!;
    const isWhole = incomplete.length === 0;
    const gathered = isWhole ? patches.gathered(number) : null;
    builder.add(commits[at]!, { ...commit, files: isWhole ? files : [...files, ...incomplete], gathered });
    next = at + 1;
    const wait = sendIfFull();
    if (wait !== undefined) await wait;
  }
  if (next < end) await readByGit(reader, commits.slice(next, end), builder, sendIfFull, lacking);
  builder.forgetMerges();
  return end;
}

interface PreparedWindow {
  /** Commits whose patches are prepared, and of each which files are there. */
  readonly listed: readonly ListedPlace[];
  readonly wanted: readonly SplitChanges[];
  readonly end: number;
}

/** Lists and compares what commits change. What was found of merges ends with it, but for what their records say. */
async function prepareWindow(
  reader: ChunkReader,
  patches: PatchMaker,
  commits: Chunk,
  builder: RecordBuilder,
): Promise<PreparedWindow> {
  const { listed, end: listedTo } = await listChanges(reader, commits);
  const { comparer } = patches;
  const wanted = listed.map(({ commit: { changes } }): SplitChanges => {
    if (!comparer.isOfPartialClone) return { present: changes ?? [], incomplete: [] };
    return splitChanges(changes ?? [], (blob) => comparer.isAway(blob));
  });
  const mayHoldRenames = (present: readonly ListedChange[]) =>
    ['A', 'D'].every((wanted) => present.some(({ status }) => status === wanted));
  const replaced = new ReplacedLines(commits, reader.isIndexed, reader.limits.lineBytes);
  const router = { ...reader, replaced };
  const merges = await listMergesOf(router, commits.slice(0, listedTo));
  const prepared = patches.prepare(
    wanted.map(({ present }, i) => (listed[i]!.isPlain && mayHoldRenames(present) ? null : present)),
    (path) => merges?.compare(path),
  );
  const end = prepared < listed.length ? listed[prepared]!.at : listedTo;
  listed.length = prepared;
  reader.window.note({ commits: commits.length, listed: listedTo, read: end, filled: patches.filledShare });
  const { unsure } = patches;
  const hunks = unsure.length > 0 ? reader.hunks.read(unsure) : null;
  hunks?.catch(() => {}); // merges are waited for first
  const changes = new Map(listed.map(({ commit }) => [commit.sha, commit.changes ?? undefined]));
  const atHand = commits.slice(0, end);
  const routes = await readRoutes(router, atHand.filter(isMerge), merges);
  await builder.knowMerges(atHand, { merges: routes, changesOf: (sha) => changes.get(sha), replaced });
  if (hunks !== null) patches.give(await hunks);
  return { listed, wanted, end };
}

type SendIfFull = () => Promise<void> | undefined;

/** `lacking` are commits of a partial clone at whose files git would end. */
async function readByGit(
  reader: ChunkReader,
  commits: Chunk,
  builder: RecordBuilder,
  sendIfFull: SendIfFull,
  lacking: ReadonlySet<ChunkCommit> = new Set(),
): Promise<void> {
  const { diffs, limits } = reader;
  const marks = await readMarks(reader, commits);
  let next = 0;
  const deliver = (streamed: StreamedCommit) => {
    // Git is silent about a commit that it does not have: that one is requested again, alone.
    if (streamed.sha !== commits[next]?.sha) throw new DiffStreamError(`${streamed.sha} was not the next one`);
    const files = streamed.files.map((file) => ({ ...file, isMarkedGenerated: marks.get(file.newBlob) }));
    builder.add(commits[next++]!, { ...streamed, files });
  };
  while (next < commits.length) {
    if (lacking.has(commits[next]!) && (await readPresentFiles(reader, commits[next]!.sha, deliver))) {
      await sendIfFull();
      continue;
    }
    let end = next + 1;
    while (end < commits.length && !lacking.has(commits[end]!)) end++;
    await stream(diffs, commits.slice(next, end), limits, deliver, sendIfFull);
    if (next >= end) continue;
    // Something about the next commit could not be read, or git passed it over. Another git is asked for it alone: only
    // when that one says the same, the commit is at fault.
    await diffs.close();
    const commit = commits[next]!;
    const reason = await stream(diffs, [commit], limits, deliver, sendIfFull);
    if (next >= commits.length || commits[next] !== commit) continue;
    if (reason === 'object_missing' && (await readPresentFiles(reader, commit.sha, deliver))) {
      await sendIfFull();
      continue;
    }
    builder.addUnread(commit, await readWritten(reader, commit), reason ?? 'object_missing');
    next++;
  }
}

/** Git's patches show nothing of what stays: which of the files they change carry a generator's mark is looked up before. */
async function readMarks(reader: ChunkReader, commits: Chunk): Promise<ReadonlyMap<string, boolean>> {
  const changed = new Set<string>();
  await stream(
    reader.plainLists,
    commits.filter(({ parents }) => parents.length <= 1),
    reader.limits,
    ({ changes }) => {
      // A new file may be an old one under another name; without one that went, it shows its opening itself.
      const hasGone = changes?.some(({ status }) => status === 'D') === true;
      for (const { status, newBlob, newMode } of changes ?? [])
        if ((status === 'M' || (status === 'A' && hasGone)) && !isSubmodule(newMode)) changed.add(newBlob);
    },
  );
  const blobs = [...changed];
  const found = await lookIntoFiles(reader.files, blobs, isFileMarked);
  return new Map(blobs.flatMap((blob, i) => (found[i] === null ? [] : [[blob, found[i]!]])));
}

/**
 * Null when git answered to the end. Otherwise whole commits have been delivered and the next one has not:
 * git could not read it, or what git printed makes no sense.
 */
async function stream(
  diffs: DiffTreeProcess,
  commits: readonly ChunkCommit[],
  limits: DiffLimits,
  deliver: (commit: StreamedCommit) => void,
  afterPush: SendIfFull = () => undefined,
): Promise<'object_missing' | DiffStreamError['reason'] | null> {
  const parser = new DiffStreamParser(deliver, limits);
  try {
    await diffs.request(
      commits.map(({ sha }) => sha),
      (bytes) => {
        const isDone = parser.push(bytes);
        const wait = afterPush();
        return wait === undefined ? isDone : wait.then(() => isDone);
      },
    );
  } catch (error) {
    if (error instanceof GitError) return 'object_missing';
    if (error instanceof DiffStreamError) return error.reason;
    throw error;
  }
  return null;
}

/** People, times and message of a commit whose diff cannot be had; null when it is not there itself. */
async function readWritten(reader: ChunkReader, { sha }: ChunkCommit): Promise<CommitWritten | null> {
  let written: CommitWritten | null = null;
  const parser = new DiffStreamParser((commit) => {
    written = commit;
  });
  const flags = ['log', '--no-walk', '--stdin', '--pretty=raw', '--no-patch', '--no-notes', '--ignore-missing'];
  try {
    await pumpDiff(reader.repository, flags, `${sha}\n`, parser);
  } catch (error) {
    if (!(error instanceof GitError || error instanceof DiffStreamError)) throw error;
  }
  return written;
}

const isMerge = ({ parents }: ChunkCommit): boolean => parents.length > 1;

type RouteReader = ChunkReader & Pick<MergeReader, 'replaced'>;

/** Null where something could not be read: which merge that is at, `readRoutes` finds out. */
async function listMergesOf(reader: RouteReader, commits: Chunk): Promise<ListedMerges | null> {
  try {
    return await listMerges(reader, commits.filter(isMerge));
  } catch (error) {
    if (error instanceof GitError || error instanceof DiffStreamError) return null;
    throw error;
  }
}

/**
 * Routes of all merges; where objects are missing, of those merges that can be read. Git has to say so twice.
 * `listed` are these and others.
 */
async function readRoutes(
  reader: RouteReader,
  merges: readonly ChunkCommit[],
  listed: ListedMerges | null = null,
): Promise<Map<string, ReadMerge>> {
  const found = await readRoutesInHalves(reader, merges, listed);
  // What a partial clone lacks is known without git.
  if (reader.blobs?.isOfPartialClone || found.size === merges.length) return found;
  await Promise.all([reader.trees.close(), reader.combined.close()]);
  for (const merge of merges) {
    if (found.has(merge.sha)) continue;
    for (const [sha, routes] of await readRoutesInHalves(reader, [merge])) found.set(sha, routes);
  }
  return found;
}

async function readRoutesInHalves(
  reader: RouteReader,
  merges: readonly ChunkCommit[],
  listed: ListedMerges | null = null,
): Promise<Map<string, ReadMerge>> {
  const wanted = new Set(merges.map(({ sha }) => sha));
  try {
    return await (listed ?? (await listMerges(reader, merges))).route((sha) => wanted.has(sha));
  } catch (error) {
    if (!(error instanceof GitError || error instanceof DiffStreamError)) throw error;
    if (merges.length <= 1) return new Map();
    const half = merges.length >> 1;
    const parts = [merges.slice(0, half), merges.slice(half)];
    const found = [await readRoutesInHalves(reader, parts[0]!), await readRoutesInHalves(reader, parts[1]!)];
    return new Map(found.flatMap((part) => [...part]));
  }
}

const NO_HUNKS = new Int32Array(0);
const NOTHING_REPLACED = new ReplacedLines([], () => false, 0);
const RECORD_BYTES = 600;
const FILE_BYTES = 250;

class RecordBuilder {
  readonly #reader: ChunkReader;
  /** Of the commits that are added next. */
  #merges: ReadonlyMap<string, ReadMerge> = new Map();
  #steps: ReadonlyMap<string, TreeStep> = new Map();
  #commits: CommitRecord[] = [];
  #hunks = new Int32Array(4096);
  #hunkEnd = 0;
  bytes = 0;

  constructor(reader: ChunkReader) {
    this.#reader = reader;
  }

  /** To be called before some commits are added. */
  async knowMerges(commits: Chunk, known: KnownChanges): Promise<void> {
    this.#merges = known.merges;
    this.#steps = await readMergeSteps(this.#reader, commits, known);
  }

  /** Once they are added. */
  forgetMerges(): void {
    this.#merges = new Map();
    this.#steps = new Map();
  }

  add(commit: ChunkCommit, streamed: StreamedCommit): void {
    const isRouted = isMerge(commit);
    const { answersOnly } = commit;
    // Also of a commit that only answers: what it moved or indented anew was written before it.
    const classified = isRouted ? null : this.#classify(streamed);
    const { author, committer, authored, committed, message } = streamed;
    const trailers = parseTrailers(message);
    const evidence = readCommitEvidence({ raw_author: author, message }, trailers);
    const routes = isRouted ? this.#merges.get(commit.sha)?.routes : undefined;
    const tree = isRouted ? (this.#steps.get(commit.sha) ?? null) : null;
    this.#commits.push({
      index: commit.index,
      written: { author, committer, authored, committed, message: answersOnly ? '' : message },
      files: this.#keepFiles(streamed),
      routes: (routes ?? []).map((route) => this.#route(route)),
      classified,
      evidence,
      minHash: classified === null || answersOnly ? null : this.#reader.classifier.minHash(),
      coAuthors: answersOnly ? [] : readCoAuthors(trailers, author),
      reverts: answersOnly ? null : readReverts(message),
      unread: isRouted && routes === undefined ? 'object_missing' : streamed.isMessageCut ? 'message_too_long' : null,
      tree,
      kept: null,
    });
    this.bytes += RECORD_BYTES + message.length * 2 + (classified?.buffer.byteLength ?? 0);
    for (const { hashes, hunks } of tree?.changes ?? [])
      this.bytes += FILE_BYTES + (hashes?.byteLength ?? 0) + (hunks?.byteLength ?? 0);
  }

  addUnread(commit: ChunkCommit, written: CommitWritten | null, reason: LimitReason): void {
    this.#commits.push({ ...EMPTY_RECORD, index: commit.index, written, unread: reason });
    this.bytes += RECORD_BYTES;
  }

  take(): Batch {
    const batch = { commits: this.#commits, hunks: this.#hunks.slice(0, this.#hunkEnd), bytes: this.bytes };
    this.#commits = [];
    this.#hunkEnd = 0;
    this.bytes = 0;
    return batch;
  }

  /** Files whose lines were dropped are shown to the classifier without lines. */
  #classify(commit: StreamedCommit) {
    const isAnyUnread = commit.files.some(isUnread);
    const files = isAnyUnread ? commit.files.map((file) => (isUnread(file) ? withoutLines(file) : file)) : commit.files;
    const context = { ...this.#reader.context, standing: standingOf(commit.message) };
    const { sha, parents, gathered = null } = commit;
    return this.#reader.classifier.classify({ sha, parents, files, gathered }, context);
  }

  #keepFiles({ files, gathered = null }: StreamedCommit): FileRecord[] {
    // Those of all files at once, where they stand side by side.
    let at = this.#hunkEnd;
    if (gathered !== null) this.#keepHunks(gatheredHunks(gathered));
    return files.map((file) => {
      if (gathered === null) this.#keepHunks(file.hunks);
      const hunkStart = at;
      at += file.hunks.length;
      return this.#file(file, hunkStart, at);
    });
  }

  #file(file: FileDiff, hunkStart: number, hunkEnd: number): FileRecord {
    this.bytes += FILE_BYTES;
    const isContentChange = file.oldBlob !== file.newBlob;
    return {
      status: file.status,
      oldPath: file.oldPath,
      newPath: file.newPath,
      similarity: file.similarity,
      limited: file.limited,
      isFollowed: hunkEnd > hunkStart || !isContentChange,
      added: file.added.count,
      removed: file.removed.count,
      isUnread: isUnread(file),
      hunkStart,
      hunkEnd,
    };
  }

  #route(route: MergeRoute): RouteRecord {
    const parts = route.parts.map(({ parent, path, hunks }) => {
      if (hunks === null) return { parent, path, hunkStart: -1, hunkEnd: -1 };
      const hunkStart = this.#hunkEnd;
      this.#keepHunks(hunks);
      return { parent, path, hunkStart, hunkEnd: this.#hunkEnd };
    });
    this.bytes += FILE_BYTES;
    return { path: route.path, parts };
  }

  #keepHunks(hunks: Int32Array): void {
    const needed = this.#hunkEnd + hunks.length;
    if (needed > this.#hunks.length) {
      const larger = new Int32Array(Math.max(needed, this.#hunks.length * 2));
      larger.set(this.#hunks.subarray(0, this.#hunkEnd));
      this.#hunks = larger;
    }
    this.#hunks.set(hunks, this.#hunkEnd);
    this.#hunkEnd = needed;
    this.bytes += hunks.length * 4;
  }
}

const gatheredHunks = ({ bytes, hunkWords }: GatheredLines): Int32Array =>
  new Int32Array(bytes.buffer, bytes.byteOffset, hunkWords);

/** Its lines were counted but not kept, or are no text: a submodule's pointer. */
const isUnread = ({ limited, added, removed }: FileDiff): boolean =>
  limited === 'submodule' || !added.hasText || !removed.hasText;

function withoutLines(file: FileDiff): FileDiff {
  const places = new Uint32Array(0);
  const empty = { count: 0, bytes: file.added.bytes, starts: places, ends: places, hasText: true };
  return { ...file, hunks: NO_HUNKS, removed: empty, added: empty };
}
