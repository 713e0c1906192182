// Commits of an earlier run, read only as far as open questions reach: of a commit that questions wait at the trees are
// compared above those paths, and of a path that it changes just the two versions, in process. What is not that simple
// (a new path, which may be a rename; a binary or enormous file; an object outside of packs) makes the commit be read whole.

import type { ChangeSegment, FoundChange } from '../diff/change-segment.ts';
import { PatchMaker } from '../diff/patch-maker.ts';
import { isSameBlob, type RawChange } from '../diff/raw-changes.ts';
import type { ListedChange } from '../diff/streamed-commit.ts';
import { type CommitEvidence, readCommitEvidence } from '../evidence/read-commit-evidence.ts';
import type { CommitList } from '../model/commit-list.ts';
import { type Batch, EMPTY_RECORD, type FileRecord, type RouteRecord } from '../model/commit-record.ts';
import { effort } from '../model/effort.ts';
import { type CommitFiles, createCommitFiles } from '../objects/commit-files.ts';
import { parseCommit } from '../objects/commit-object.ts';
import { isRegular } from '../objects/object-kinds.ts';
import { ObjectUnreadable } from '../objects/object-reader.ts';
import type { ProvenanceWalk, WaitingPaths } from '../trace/provenance.ts';
import { type CommitTrail, recordOf } from '../trails/commit-trail.ts';
import type { TrailWriter } from '../trails/trail-writer.ts';
import type { Trails } from '../trails/trails.ts';
import { type ChunkReader, readChunk } from './read-chunk.ts';

export interface QuestionedCommit {
  readonly index: number;
  readonly sha: string;
  readonly parents: readonly string[];
  /** Where questions wait at it. */
  readonly waiting: WaitingPaths;
}

/** What the walk knows of open questions. */
export type OpenQuestions = Pick<ProvenanceWalk, 'isMetBy' | 'hasQuestions'>;

/** What commits change against their first parents, where packs do not show it; null when git cannot say either. */
export type ListByGit = (index: number) => Promise<ChangeSegment | null>;

export interface QuestionedOptions {
  readonly listByGit: ListByGit;
  /** What earlier walks have read, and where what is read now is kept; null: nothing is. */
  readonly trails: OlderTrails | null;
}

export interface OlderTrails {
  readonly known: Trails;
  readonly writer: TrailWriter;
  /** Whether records tell who wrote lines: one about any file of a commit speaks for all of them. */
  readonly ofAllFiles: boolean;
}

/** What is to be compared for a commit: its files, or for a merge the routes of its files. */
interface Task {
  readonly files: readonly ListedChange[];
  readonly routes: readonly {
    readonly path: string;
    /** Without a change the parent has the very same file. */
    readonly parts: readonly { readonly parent: number; readonly change: ListedChange | null }[];
  }[];
}

export class QuestionedChanges {
  readonly #reader: ChunkReader;
  readonly #questions: OpenQuestions;
  readonly #listByGit: ListByGit;
  readonly #trails: OlderTrails | null;
  readonly #trees: CommitFiles;

  constructor(reader: ChunkReader, questions: OpenQuestions, options: QuestionedOptions) {
    this.#reader = reader;
    this.#questions = questions;
    this.#listByGit = options.listByGit;
    this.#trails = options.trails;
    this.#trees = createCommitFiles(reader.files);
  }

  /** Null when the commit changes no file at the paths. All questions that reach it wait there by now. */
  async read(commit: QuestionedCommit): Promise<Batch | null> {
    effort.olderRead++;
    const [parent] = commit.parents;
    const changes = parent === undefined ? null : await this.#changesOf(commit, parent);
    if (changes === null) return this.#keep(commit, await this.#readWhole(commit));
    // No question reaches a path that the commit deletes.
    const questioned = changes.filter(({ status }) => status !== 'D');
    if (questioned.length === 0) return null;
    return (await this.#make(commit, questioned)) ?? this.#keep(commit, await this.#readWhole(commit));
  }

  /** The same by its trail; undefined when the commit has to be read. */
  follow(commits: CommitList, index: number, waiting: WaitingPaths): Batch | null | undefined {
    const trails = this.#trails;
    const known = trails?.known.look(commits, index, { paths: waiting, ofAllFiles: trails.ofAllFiles }) ?? null;
    if (known === null) return undefined;
    if (known !== 'untouched' && !known.tellsWhatMoved && this.#isMet(index, known.trail)) return undefined;
    effort.olderFollowed++;
    if (known === 'untouched') return null;
    const { trail } = known;
    return { commits: [recordOf(trail, index)], hunks: trail.hunks, bytes: 0 };
  }

  /** Whether lines that the commit added are asked about. */
  #isMet(index: number, { files, hunks }: CommitTrail): boolean {
    return files.some(({ oldPath, newPath, isFollowed, hunkStart, hunkEnd }) => {
      if (newPath === null) return false;
      if (oldPath === null || !isFollowed) return this.#questions.hasQuestions(index, newPath);
      return this.#questions.isMetBy(index, newPath, hunks.subarray(hunkStart, hunkEnd));
    });
  }

  /** Null when that is not known: it may be anything. */
  async #changesOf({ index, sha, waiting }: QuestionedCommit, parent: string): Promise<readonly FoundChange[] | null> {
    const paths = new Set(waiting.keys());
    const packed = this.#reader.packed?.listAgainst(sha, parent, paths) ?? null;
    return packed === null ? ((await this.#listByGit(index))?.find(sha, paths) ?? null) : foundChanges(packed);
  }

  async #allChangesOf({ index, sha, parents }: QuestionedCommit): Promise<readonly FoundChange[] | null> {
    const packed = this.#reader.packed?.listAgainst(sha, parents[0]!, null) ?? null;
    return packed === null ? ((await this.#listByGit(index))?.all(sha) ?? null) : foundChanges(packed);
  }

  async #readEvidence(sha: string): Promise<CommitEvidence | null> {
    const read = (bytes: Buffer): CommitEvidence => {
      const { author, message } = parseCommit(sha, bytes);
      return readCommitEvidence({ raw_author: author, message: `${message}\n` });
    };
    const { blobs, objects } = this.#reader.files;
    try {
      return blobs?.look(sha, read, 'commit') ?? read((await objects.read(sha)).bytes);
    } catch (error) {
      if (error instanceof ObjectUnreadable) return null;
      throw error;
    }
  }

  /** All of the commit: the next walk need not read it again. */
  #keep(commit: QuestionedCommit, batch: Batch): Batch {
    this.#trails?.writer.add(batch, () => commit);
    return batch;
  }

  async #readWhole({ index, sha, parents }: QuestionedCommit): Promise<Batch> {
    const parts: Batch[] = [];
    const commit = { index, sha, parents, answersOnly: true, isStepped: false, isFirstParent: false };
    await readChunk(this.#reader, [commit], async (batch) => {
      if (batch.commits.length > 0) parts.push(batch);
    });
    return parts[0]!;
  }

  /** Null when the commit has to be read whole. */
  async #make(commit: QuestionedCommit, questioned: readonly FoundChange[]): Promise<Batch | null> {
    const { index, sha, parents } = commit;
    const task = parents.length === 1 ? planFiles(questioned) : await this.#planMerge(commit, questioned);
    const hunks = new HunkList();
    const files = task === null ? null : this.#makeFiles(task.files, hunks);
    const routes = task === null ? null : this.#makeRoutes(task.routes, hunks);
    if (files === null || routes === null) return null;
    const all = hunks.join();
    // Where its lines are asked about, what it moved has to be known, from wherever in the commit.
    const isMet = files.some(({ newPath, hunkStart, hunkEnd }) =>
      this.#questions.isMetBy(index, newPath!, all.subarray(hunkStart, hunkEnd)),
    );
    if (isMet) return this.#makeMet(commit);
    // Lines of a merge's own may be among what no parent has.
    const evidence = routes.length === 0 ? null : await this.#readEvidence(sha);
    if (routes.length > 0 && evidence === null) return null;
    const record = { ...EMPTY_RECORD, index, files, routes, evidence };
    return { commits: [record], hunks: all, bytes: 0 };
  }

  /** All files of a commit whose lines are asked about; null when git has to look for renames, or to make patches. */
  async #makeMet(commit: QuestionedCommit): Promise<Batch | null> {
    const { index, sha, parents } = commit;
    const { patches, classifier, context } = this.#reader;
    const evidence = await this.#readEvidence(sha);
    const changes = await this.#allChangesOf(commit);
    if (evidence === null || changes === null || patches === null) return null;
    const has = (letter: string) => changes.some(({ status }) => status === letter);
    if (has('A') && has('D')) return null;
    const listed = changes.map(
      ({ path, status, oldMode, newMode, oldBlob, newBlob }): ListedChange => ({
        path,
        status,
        oldMode: Number.parseInt(oldMode, 8),
        newMode: Number.parseInt(newMode, 8),
        oldBlob,
        newBlob,
      }),
    );
    const made = PatchMaker.canMake(listed) ? patches.make(listed) : null;
    if (made === null || made.some(({ limited }) => limited !== null)) return null;
    const classified = classifier.classify({ sha, parents, files: made }, context);
    const hunks = new HunkList();
    const files = made.map((file): FileRecord => {
      const { status, oldPath, newPath, similarity, limited, added, removed } = file;
      const isFollowed = file.hunks.length > 0 || file.oldBlob === file.newBlob;
      const counts = { added: added.count, removed: removed.count, isUnread: false };
      return { status, oldPath, newPath, similarity, limited, isFollowed, ...counts, ...hunks.add(file.hunks) };
    });
    const record = { ...EMPTY_RECORD, index, files, classified, evidence };
    return this.#keep(commit, { commits: [record], hunks: hunks.join(), bytes: 0 });
  }

  #makeFiles(changes: readonly ListedChange[], hunks: HunkList): FileRecord[] | null {
    const files: FileRecord[] = [];
    for (const change of changes) {
      const place = this.#compare(change, hunks);
      if (place === null) return null;
      const { path } = change;
      const counts = { similarity: 100, limited: null, isFollowed: true, added: 0, removed: 0, isUnread: false };
      files.push({ status: 'modified', oldPath: path, newPath: path, ...counts, ...place });
    }
    return files;
  }

  #makeRoutes(routes: Task['routes'], hunks: HunkList): RouteRecord[] | null {
    const made: RouteRecord[] = [];
    for (const { path, parts } of routes) {
      const places: RouteRecord['parts'][number][] = [];
      for (const { parent, change } of parts) {
        const place = change === null ? SAME_FILE : this.#compare(change, hunks);
        if (place === null) return null;
        places.push({ parent, path, ...place });
      }
      made.push({ path, parts: places });
    }
    return made;
  }

  /**
   * By the rule of `ListedMerges`, for paths that no parent lacks. What the merge changes against its first parent is
   * known; under so few paths the files of the others are looked up, where git would compare whole trees.
   */
  async #planMerge(commit: QuestionedCommit, changes: readonly FoundChange[]): Promise<Task | null> {
    const routes: Task['routes'][number][] = [];
    const changed = changes.filter((change) => !isSameBlob(change));
    const blobsOf = await Promise.all(commit.parents.slice(1).map((parent) => this.#blobsAt(commit, parent, changed)));
    for (const [i, first] of changed.entries()) {
      const { path, newBlob } = first;
      const others = blobsOf.map((blobs) => blobs[i]!);
      const same = others.indexOf(newBlob);
      if (same >= 0) {
        routes.push({ path, parts: [{ parent: same + 1, change: null }] });
        continue;
      }
      const change = plainChange(path, first);
      if (change === null) return null;
      const parts = [{ parent: 0, change }];
      for (const [j, oldBlob] of others.entries()) {
        if (oldBlob === null) return null;
        if (parts.some((part) => part.change.oldBlob === oldBlob)) continue;
        parts.push({ parent: j + 1, change: { ...change, oldBlob } });
      }
      routes.push({ path, parts });
    }
    return { files: [], routes };
  }

  /** The blobs that a parent of a merge has at the changed paths; null where it has no regular file. */
  async #blobsAt(
    { sha }: QuestionedCommit,
    parent: string,
    changed: readonly FoundChange[],
  ): Promise<(string | null)[]> {
    const packed = this.#reader.packed?.listAgainst(sha, parent, new Set(changed.map(({ path }) => path))) ?? null;
    if (packed === null) return Promise.all(changed.map(({ path }) => this.#trees.blobAt(parent, path)));
    return changed.map(({ path, newMode, newBlob }) => {
      const change = packed.get(path);
      const [mode, blob] = change === undefined ? [newMode, newBlob] : [change.oldMode, change.oldBlob];
      return isRegular(Number.parseInt(mode, 8)) ? blob : null;
    });
  }

  #compare(change: ListedChange, hunks: HunkList): HunkPlace | null {
    const [file] = this.#reader.patches?.make([change]) ?? [];
    return file === undefined || file.isBinary || file.hunks.length === 0 ? null : hunks.add(file.hunks);
  }
}

type HunkPlace = Pick<FileRecord, 'hunkStart' | 'hunkEnd'>;
const SAME_FILE: HunkPlace = { hunkStart: -1, hunkEnd: -1 };

/** Hunks of several files behind one another. */
class HunkList {
  readonly #parts: Int32Array[] = [];
  #length = 0;

  add(hunks: Int32Array): HunkPlace {
    const hunkStart = this.#length;
    this.#parts.push(hunks.slice());
    this.#length += hunks.length;
    return { hunkStart, hunkEnd: this.#length };
  }

  join(): Int32Array {
    const all = new Int32Array(this.#length);
    let at = 0;
    for (const part of this.#parts) {
      all.set(part, at);
      at += part.length;
    }
    return all;
  }
}

/** Another content of a file; null for any other change. */
function plainChange(path: string, { status, oldMode, newMode, oldBlob, newBlob }: RawChange): ListedChange | null {
  const modes = { oldMode: Number.parseInt(oldMode, 8), newMode: Number.parseInt(newMode, 8) };
  if (status !== 'M' || !isRegular(modes.oldMode) || !isRegular(modes.newMode)) return null;
  return { status, path, ...modes, oldBlob, newBlob };
}

function planFiles(changes: readonly FoundChange[]): Task | null {
  const files: ListedChange[] = [];
  for (const change of changes) {
    if (isSameBlob(change)) continue;
    const plain = plainChange(change.path, change);
    if (plain === null) return null;
    files.push(plain);
  }
  return { files, routes: [] };
}

const foundChanges = (changes: ReadonlyMap<string, RawChange>): FoundChange[] =>
  Array.from(changes, ([path, { status, oldMode, newMode, oldBlob, newBlob }]) => ({
    path,
    status,
    oldMode,
    newMode,
    oldBlob,
    newBlob,
  }));
