// Where the lines of a merge came from, by the rule of `git blame`: a file equal to some parent's belongs
// to the first such parent; otherwise each line goes to the first parent that has it, the path being
// followed through a rename where a parent lacks it; the rest was written by the merge itself.
// Only files that differ from the first parent are routed: all others belong to it by default.
import type { BlobComparer } from '../diff/blob-comparer.ts';
import { type Contested, ContestedHunks, contestedKey, type HunkReader } from '../diff/contested-hunks.ts';
import type { DiffTreeProcess } from '../diff/diff-tree-process.ts';
import type { PackedLists } from '../diff/packed-lists.ts';
import {
  type ComparedCommit,
  isSameBlob,
  type RawChange,
  readCombinedChanges,
  readRawChanges,
} from '../diff/raw-changes.ts';
import { effort } from '../model/effort.ts';
import type { FollowedPath, PathFollower } from './path-follower.ts';
import type { RenameQuestion } from './renames.ts';

export interface RoutePart {
  /** Position in the merge's list of parents. */
  readonly parent: number;
  /** The path in that parent. */
  readonly path: string;
  /** From the parent's file to the merge's, as in FileDiff; null when both are the same. */
  readonly hunks: Int32Array | null;
}

export interface MergeRoute {
  readonly path: string;
  /** Tried in order; what none takes was written by the merge. */
  readonly parts: readonly RoutePart[];
}

export interface ReadMerge {
  /** Only of files that differ from the first parent's. */
  readonly routes: MergeRoute[];
  /** From each parent to the merge, by path; from the second of two only where the merge differs from both. */
  readonly lists: readonly ReadonlyMap<string, RawChange>[];
}

/** What answers questions about merges. */
export interface MergeReader extends HunkReader {
  /** Lists raw differences with one parent, and with all parents at once. */
  readonly trees: DiffTreeProcess;
  readonly combined: DiffTreeProcess;
  readonly follower: Pick<PathFollower, 'followAll'>;
  /** Lists what it can of merges in process; null: git lists all. */
  readonly packed: Pick<PackedLists, 'listMerge' | 'listGone'> | null;
}

/** Merges of which it is known what they change. */
export class ListedMerges {
  readonly #reader: MergeReader;
  /** Whole but for what is contested, by sha. */
  readonly #merges: ReadonlyMap<string, ReadMerge>;
  readonly #contested: readonly Contested[];
  readonly #hunks: ContestedHunks;

  constructor(reader: MergeReader, merges: ReadonlyMap<string, ReadMerge>, contested: readonly Contested[]) {
    this.#reader = reader;
    this.#merges = merges;
    this.#contested = contested;
    this.#hunks = new ContestedHunks(reader, contested);
  }

  /** Compares what is contested at a path, where other versions of that file are at hand just then. */
  compare(path: string): void {
    this.#hunks.compare(path);
  }

  /** By sha; merges of which nothing could be read are missing. To be called once. */
  async route(isWanted: (sha: string) => boolean): Promise<Map<string, ReadMerge>> {
    const routes = new Map([...this.#merges].filter(([sha]) => isWanted(sha)));
    const contested = this.#contested.filter(({ merge }) => isWanted(merge.sha));
    effort.merges += routes.size;
    effort.mergesCompared += contested.length;
    const hunks = await this.#hunks.readAll(isWanted);
    const { found: renames, lacking } = await followRenames(this.#reader, contested);
    for (const sha of lacking) routes.delete(sha);
    for (const each of contested.filter(({ merge }) => !lacking.has(merge.sha)))
      for (const path of each.paths)
        routes.get(each.merge.sha)!.routes.push({ path, parts: partsOf(each, path, hunks, renames) });
    return routes;
  }
}

export async function listMerges(reader: MergeReader, merges: readonly ComparedCommit[]): Promise<ListedMerges> {
  const routes = new Map<string, ReadMerge>();
  const changes = await readLists(reader, merges);
  const contested: Contested[] = [];
  for (const merge of merges) {
    const lists = changes.get(merge.sha);
    if (lists === undefined) continue;
    const found: MergeRoute[] = [];
    const paths: string[] = [];
    for (const [path, change] of lists[0]!) {
      if (change.status === 'D') continue;
      const same = lists.findIndex((list) => isSameBlob(list.get(path)));
      if (same > 0) found.push({ path, parts: [{ parent: same, path, hunks: null }] });
      else if (same < 0) paths.push(path);
    }
    routes.set(merge.sha, { routes: found, lists });
    if (paths.length === 0) continue;
    if (isAway(reader.blobs, lists, paths)) routes.delete(merge.sha);
    else contested.push({ merge, lists, paths });
  }
  return new ListedMerges(reader, routes, contested);
}

/**
 * A branch that began long ago differs from the merge in all that happened since: of two parents the second is listed
 * only where the merge has a file of its own.
 */
async function readLists(
  { packed, trees, combined }: MergeReader,
  all: readonly ComparedCommit[],
): Promise<Map<string, ReadonlyMap<string, RawChange>[]>> {
  const lists = new Map<string, ReadonlyMap<string, RawChange>[]>();
  const merges = all.filter((merge) => {
    const listed = packed?.listMerge(merge) ?? null;
    if (listed !== null) lists.set(merge.sha, listed);
    return listed === null;
  });
  if (merges.length === 0) return lists;
  const pairs = merges.filter(hasTwoParents);
  const [changes, own] = await Promise.all([
    readRawChanges(
      trees,
      merges.map((merge) => (hasTwoParents(merge) ? { ...merge, parents: merge.parents.slice(0, 1) } : merge)),
    ),
    readCombinedChanges(combined, pairs),
  ]);
  for (const merge of merges) {
    const known = changes.get(merge.sha);
    if (known === undefined) continue;
    if (!hasTwoParents(merge)) lists.set(merge.sha, known);
    const paths = own.get(merge.sha);
    if (paths !== undefined)
      lists.set(merge.sha, [known[0]!, new Map([...paths].map(([path, changes]) => [path, changes[1]!]))]);
  }
  return lists;
}

const hasTwoParents = ({ parents }: ComparedCommit): boolean => parents.length === 2;

/** Whether a partial clone lacks something that the routes depend on. */
function isAway(blobs: BlobComparer | null, lists: Contested['lists'], paths: readonly string[]): boolean {
  if (!blobs?.isOfPartialClone) return false;
  return lists.some((list) =>
    paths.some((path) => {
      const change = list.get(path);
      if (change === undefined) return false;
      return blobs.isAway(change.newBlob) || (change.status !== 'A' && blobs.isAway(change.oldBlob));
    }),
  );
}

/** Blame's two passes over the parents: the same path in each, then a renamed one where it is missing. */
function partsOf(
  { merge, lists }: Contested,
  path: string,
  hunks: ReadonlyMap<string, Int32Array>,
  renames: ReadonlyMap<string, FollowedPath>,
): RoutePart[] {
  const blobs: (string | null)[] = merge.parents.map(() => null);
  const parts: (RoutePart | null)[] = merge.parents.map(() => null);
  const isNew = (parent: number, blob: string) => !blobs.slice(0, parent).includes(blob);
  for (let parent = 0; parent < lists.length; parent++) {
    const change = lists[parent]!.get(path);
    if (change === undefined || change.status !== 'M' || !isNew(parent, change.oldBlob)) continue;
    blobs[parent] = change.oldBlob;
    parts[parent] = { parent, path, hunks: hunks.get(contestedKey(merge.sha, parent, path)) ?? new Int32Array(0) };
  }
  const blob = lists[0]!.get(path)!.newBlob;
  for (let parent = 0; parent < lists.length; parent++) {
    const rename = renames.get(contestedKey(merge.sha, parent, path));
    if (parts[parent] !== null || rename === undefined) continue;
    const oldBlob = rename.blob;
    if (oldBlob === blob) return [{ parent, path: rename.path, hunks: null }];
    if (!isNew(parent, oldBlob)) continue;
    blobs[parent] = oldBlob;
    parts[parent] = { parent, path: rename.path, hunks: rename.hunks };
  }
  return parts.filter((part) => part !== null);
}

interface FollowedRenames {
  readonly found: ReadonlyMap<string, FollowedPath>;
  /** Merges of which a partial clone lacks files among which git would look. */
  readonly lacking: ReadonlySet<string>;
}

/** For contested paths that a parent lacks: the path it has them under, by rename detection. */
async function followRenames(reader: MergeReader, contested: readonly Contested[]): Promise<FollowedRenames> {
  const found = new Map<string, FollowedPath>();
  const merges = new Set<string>();
  let questions: (RenameQuestion & { readonly sha: string; readonly parent: number })[] = [];
  let files = 0;
  const ask = async () => {
    const answers = await reader.follower.followAll(questions);
    for (const [i, followed] of answers.entries()) {
      const { sha, parent } = questions[i]!;
      if (followed === null) merges.add(sha);
      else for (const [path, rename] of followed) found.set(contestedKey(sha, parent, path), rename);
    }
    questions = [];
    files = 0;
  };
  for (const { merge, lists, paths } of contested)
    for (const [parent, listed] of lists.entries()) {
      const lacking = paths.filter((path) => listed.get(path)?.status === 'A');
      if (lacking.length === 0) continue;
      const isWhole = parent === 0 || !hasTwoParents(merge);
      const changes = isWhole ? listed : await listMissing(reader, merge, parent, listed, lacking);
      questions.push({ changes, paths: lacking, sha: merge.sha, parent });
      files += changes.size;
      if (files > MOST_ASKED_FILES) await ask();
    }
  await ask();
  return { found, lacking: merges };
}

/** Of so many files git is asked at once: it goes on while this thread does, and the lists take memory. */
const MOST_ASKED_FILES = 50_000;

/** What renames are found among; git lists the files that differ, too. */
async function listMissing(
  { packed, trees }: MergeReader,
  { sha, parents }: ComparedCommit,
  parent: number,
  listed: ReadonlyMap<string, RawChange>,
  lacking: readonly string[],
): Promise<ReadonlyMap<string, RawChange>> {
  const gone = packed?.listGone(sha, parents[parent]!) ?? null;
  if (gone === null)
    return (await readRawChanges(trees, [{ sha, parents: [parents[parent]!] }])).get(sha)?.[0] ?? listed;
  for (const path of lacking) gone.set(path, listed.get(path)!);
  return gone;
}
