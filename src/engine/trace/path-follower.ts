// The path that a file had in a parent, found as `git blame` finds it: each path by itself among all paths that
// the parent has and the commit lacks. One git process lives through all questions and lists what differs, contents
// come from packs or from another one; the choice is made here, by git's rules, because to start a git for each
// question costs more than all of its work.
import { diffLines } from '../compare/diff-lines.ts';
import { createLineTable } from '../compare/line-table.ts';
import {
  baseName,
  compareCandidates,
  IDENTICAL_LOOKED_AT,
  keepIfBetter,
  LEAST_SCORE,
  type RenameCandidate,
  SAME_NAME_SCORE,
} from '../compare/rename-candidates.ts';
import { countSpans, rateLikeness, type SpanCounts } from '../compare/span-counts.ts';
import type { BlobComparer } from '../diff/blob-comparer.ts';
import { DiffTreeProcess } from '../diff/diff-tree-process.ts';
import { RAW_CHANGES_FLAGS, type RawChange, readRawChanges } from '../diff/raw-changes.ts';
import { type GitRepository, RENAME_LIMIT } from '../git/run-git.ts';
import { createObjectReader, type ObjectReader, ObjectUnreadable } from '../objects/object-reader.ts';
import { type ChangedPath, type FollowedPath, followPaths, readTextHunks } from './follow-paths.ts';

export interface PathFollower {
  /** `paths` are files of `commit` that `parent` lacks. Those without a former path are missing in the answer. */
  follow(commit: string, parent: string, paths: readonly string[]): Promise<Map<string, FollowedPath>>;
  /** The same when it is known what the commit changes against the parent. */
  followAmong(
    changes: ReadonlyMap<string, RawChange>,
    commit: string,
    parent: string,
    paths: readonly string[],
  ): Promise<Map<string, FollowedPath>>;
  /** The hunks of files that git takes for binary, compared as text; those that are no such files are missing. */
  compareAsText(commit: string, parent: string, files: readonly ChangedPath[]): Promise<Map<string, FollowedPath>>;
  close(): Promise<void>;
}

/** What is larger is left to a git process of its own. */
const LIMITS = { objectBytes: 1 << 20, sources: 500, pairs: RENAME_LIMIT ** 2 } as const;
/** So many files are asked for at once: a round trip for each would cost more than the comparison. */
const READ_AT_ONCE = 16;
const NO_HUNKS = new Int32Array(0);

interface Source {
  readonly path: string;
  readonly change: RawChange;
}

/** `isLastSpanCounted`: what `countsLastSpan` says of the installed git. Without `blobs` all contents come from git. */
export function createPathFollower(
  repository: GitRepository,
  isLastSpanCounted: boolean,
  blobs: BlobComparer | null,
): PathFollower {
  const trees = new DiffTreeProcess(repository, RAW_CHANGES_FLAGS);
  const objects = createObjectReader(repository, { maxObjectBytes: LIMITS.objectBytes });
  const contents = createContents(objects, blobs, isLastSpanCounted);
  const followAmong: PathFollower['followAmong'] = async (changes, commit, parent, paths) => {
    const sources = [...changes].flatMap(([path, change]) => (change.status === 'D' ? [{ path, change }] : []));
    if (sources.length === 0) return new Map();
    try {
      if (sources.length > LIMITS.sources || sources.length * paths.length > LIMITS.pairs)
        throw new ObjectUnreadable(parent, 'too_large');
      return await choose(contents, changes, sources, paths);
    } catch (error) {
      if (!(error instanceof ObjectUnreadable)) throw error;
      const names = sources.map(({ path }) => path);
      return followPaths(repository, commit, parent, paths, names);
    }
  };
  const readChanges = async (commit: string, parent: string): Promise<ReadonlyMap<string, RawChange>> => {
    const lists = await readRawChanges(trees, [{ sha: commit, parents: [parent] }]);
    return lists.get(commit)?.[0] ?? new Map();
  };
  return {
    follow: async (commit, parent, paths) => followAmong(await readChanges(commit, parent), commit, parent, paths),
    followAmong,
    async compareAsText(commit, parent, files) {
      if (blobs === null) return readTextHunks(repository, commit, parent, files);
      const changes = await readChanges(commit, parent);
      const found = new Map<string, FollowedPath>();
      const left: ChangedPath[] = [];
      for (const file of files) {
        const { newPath: path, oldPath } = file;
        const change = changes.get(path);
        const blob = path === oldPath && change?.status === 'M' ? change.oldBlob : null;
        const hunks = blob === null ? null : blobs.compareText(blob, change!.newBlob);
        if (blob === null || hunks === null) left.push(file);
        else found.set(path, { path, blob, hunks });
      }
      return new Map([...found, ...(await readTextHunks(repository, commit, parent, left))]);
    },
    async close() {
      objects.close();
      await trees.close();
    },
  };
}

/** Files of at most LIMITS.objectBytes, in packs or handed out by git; what is larger is unreadable. */
interface Contents {
  /** How alike each of the sources is to the target; 0 where that is less than LEAST_SCORE for sure. */
  rate(sources: readonly string[], target: string): Promise<number[]>;
  hunksOf(oldBlob: string, newBlob: string): Promise<Int32Array>;
  /** What was counted of files is kept for the next questions until this is called. */
  forget(): void;
}

function createContents(objects: ObjectReader, packed: BlobComparer | null, withLastSpan: boolean): Contents {
  const spans = new Map<string, SpanCounts>();
  const count = async (blob: string): Promise<void> => {
    const { bytes } = await objects.read(blob);
    if (bytes.length > LIMITS.objectBytes) throw new ObjectUnreadable(blob, 'too_large');
    spans.set(blob, countSpans(bytes, withLastSpan));
  };
  return {
    async rate(sources, target) {
      const rated = packed?.rateLikeness(sources, target, LEAST_SCORE) ?? null;
      if (rated !== null) return rated;
      const missing = [...new Set([target, ...sources])].filter((blob) => !spans.has(blob));
      for (let from = 0; from < missing.length; from += READ_AT_ONCE)
        await Promise.all(missing.slice(from, from + READ_AT_ONCE).map(count));
      const after = spans.get(target)!;
      const scores = sources.map((source) => rateLikeness(spans.get(source)!, after, LEAST_SCORE));
      // Those of the sources are enough to be held.
      spans.delete(target);
      return scores;
    },
    async hunksOf(oldBlob, newBlob) {
      const hunks = packed?.compareText(oldBlob, newBlob) ?? null;
      if (hunks !== null) return hunks;
      const [before, after] = await Promise.all([objects.read(oldBlob), objects.read(newBlob)]);
      return diffLines(createLineTable(before.bytes), createLineTable(after.bytes));
    },
    forget() {
      spans.clear();
      packed?.forgetLikeness();
    },
  };
}

async function choose(
  contents: Contents,
  changes: ReadonlyMap<string, RawChange>,
  sources: readonly Source[],
  paths: readonly string[],
): Promise<Map<string, FollowedPath>> {
  contents.forget();
  const found = new Map<string, FollowedPath>();
  for (const path of paths) {
    const target = changes.get(path);
    if (target === undefined || target.status !== 'A') continue;
    const same = findIdentical(path, target, sources);
    if (same !== null) {
      found.set(path, { path: same.path, blob: '', hunks: NO_HUNKS });
      continue;
    }
    const source = await findAlike(path, target, sources, contents);
    if (source === null) continue;
    const blob = source.change.oldBlob;
    found.set(path, { path: source.path, blob, hunks: await contents.hunksOf(blob, target.newBlob) });
  }
  return found;
}

const isRegular = (mode: string): boolean => mode.startsWith('100');

/** Among equal files the first of the same name, else the first. */
function findIdentical(path: string, target: RawChange, sources: readonly Source[]): Source | null {
  const name = baseName(path);
  let first: Source | null = null;
  let looked = 0;
  for (const source of sources) {
    const { oldBlob, oldMode } = source.change;
    if (oldBlob !== target.newBlob) continue;
    if (!(isRegular(oldMode) && isRegular(target.newMode)) && oldMode !== target.newMode) continue;
    if (baseName(source.path) === name) return source;
    first ??= source;
    if (looked++ > IDENTICAL_LOOKED_AT) break;
  }
  return first;
}

async function findAlike(
  path: string,
  target: RawChange,
  sources: readonly Source[],
  contents: Contents,
): Promise<Source | null> {
  if (!isRegular(target.newMode)) return null;
  const name = baseName(path);
  const rate = (among: readonly Source[]) =>
    contents.rate(
      among.map(({ change }) => change.oldBlob),
      target.newBlob,
    );
  const [lone, ...others] = sources.filter((source) => baseName(source.path) === name);
  if (lone !== undefined && others.length === 0 && isRegular(lone.change.oldMode)) {
    const [score = 0] = await rate([lone]);
    if (score >= SAME_NAME_SCORE) return lone;
  }
  const regular = sources.filter(({ change }) => isRegular(change.oldMode));
  const scores = new Map((await rate(regular)).map((score, i) => [regular[i]!, score]));
  const best: Candidate[] = [];
  // Links are like nothing, but take their place.
  for (const source of sources)
    keepIfBetter(best, { source, score: scores.get(source) ?? 0, isSameName: baseName(source.path) === name });
  best.sort(compareCandidates);
  return best[0] !== undefined && best[0].score >= LEAST_SCORE ? best[0].source : null;
}

interface Candidate extends RenameCandidate {
  readonly source: Source;
}
