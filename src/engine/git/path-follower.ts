// The path that a file had in a parent, found as `git blame` finds it: each path by itself among all paths that
// the parent has and the commit lacks. Two git processes live through all questions and hand out what was
// compared and the contents; the choice is made here, by git's rules, because to start a git for each question
// costs more than all of its work.
import { diffLines } from '../compare/diff-lines.ts';
import { createLineTable } from '../compare/line-table.ts';
import { countSpans, EQUAL_SCORE, rateLikeness, type SpanCounts } from '../compare/span-counts.ts';
import { DiffTreeProcess } from './diff-tree-process.ts';
import { type FollowedPath, followPaths } from './follow-paths.ts';
import { RAW_CHANGES_FLAGS, type RawChange, readRawChanges } from './merge-routes.ts';
import { createObjectReader, type ObjectReader, ObjectUnreadable } from './object-reader.ts';
import type { GitRepository } from './run-git.ts';

export interface PathFollower {
  /** `paths` are files of `commit` that `parent` lacks. Those without a former path are missing in the answer. */
  follow(commit: string, parent: string, paths: readonly string[]): Promise<Map<string, FollowedPath>>;
  close(): Promise<void>;
}

/** What is larger is left to a git process of its own. */
const LIMITS = { objectBytes: 1 << 20, sources: 500 } as const;
/** Half of the larger file, as git has it; three quarters are enough for the only file of the same name. */
const LEAST_SCORE = EQUAL_SCORE * 0.5;
const SAME_NAME_SCORE = EQUAL_SCORE * 0.75;
/** So many candidates git keeps in mind. */
const CANDIDATES = 4;
const IDENTICAL_LOOKED_AT = 100;
/** So many files are asked for at once: a round trip for each would cost more than the comparison. */
const READ_AT_ONCE = 16;
const NO_HUNKS = new Int32Array(0);

interface Source {
  readonly path: string;
  readonly change: RawChange;
}

/** `isLastSpanCounted`: what `countsLastSpan` says of the installed git. */
export function createPathFollower(repository: GitRepository, isLastSpanCounted: boolean): PathFollower {
  const trees = new DiffTreeProcess(repository, RAW_CHANGES_FLAGS);
  const objects = createObjectReader(repository, { maxObjectBytes: LIMITS.objectBytes });
  return {
    async follow(commit, parent, paths) {
      const lists = await readRawChanges(trees, [{ sha: commit, parents: [parent] }]);
      const changes = lists.get(commit)?.[0] ?? new Map<string, RawChange>();
      const sources = [...changes].flatMap(([path, change]) => (change.status === 'D' ? [{ path, change }] : []));
      if (sources.length === 0) return new Map();
      try {
        if (sources.length > LIMITS.sources) throw new ObjectUnreadable(parent, 'too_large');
        return await choose(objects, isLastSpanCounted, changes, sources, paths);
      } catch (error) {
        if (!(error instanceof ObjectUnreadable)) throw error;
        const names = sources.map(({ path }) => path);
        return followPaths(repository, commit, parent, paths, names);
      }
    },
    async close() {
      objects.close();
      await trees.close();
    },
  };
}

async function choose(
  objects: ObjectReader,
  withLastSpan: boolean,
  changes: ReadonlyMap<string, RawChange>,
  sources: readonly Source[],
  paths: readonly string[],
): Promise<Map<string, FollowedPath>> {
  const spans = new Map<string, SpanCounts>();
  const read = async (blobs: readonly string[]): Promise<void> => {
    const missing = [...new Set(blobs)].filter((blob) => !spans.has(blob));
    for (let from = 0; from < missing.length; from += READ_AT_ONCE)
      for (const { sha, bytes } of await Promise.all(
        missing.slice(from, from + READ_AT_ONCE).map((blob) => objects.read(blob)),
      ))
        spans.set(sha, countSpans(bytes, withLastSpan));
  };
  const found = new Map<string, FollowedPath>();
  for (const path of paths) {
    const target = changes.get(path);
    if (target === undefined || target.status !== 'A') continue;
    const same = findIdentical(path, target, sources);
    if (same !== null) {
      found.set(path, { path: same.path, blob: '', hunks: NO_HUNKS });
      continue;
    }
    const source = await findAlike(path, target, sources, spans, read);
    if (source === null) continue;
    const blob = source.change.oldBlob;
    const [before, after] = await Promise.all([objects.read(blob), objects.read(target.newBlob)]);
    const hunks = diffLines(createLineTable(before.bytes), createLineTable(after.bytes));
    found.set(path, { path: source.path, blob, hunks });
  }
  return found;
}

const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
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
  spans: ReadonlyMap<string, SpanCounts>,
  read: (blobs: readonly string[]) => Promise<void>,
): Promise<Source | null> {
  if (!isRegular(target.newMode)) return null;
  const name = baseName(path);
  const rate = ({ change }: Source): number =>
    isRegular(change.oldMode) ? rateLikeness(spans.get(change.oldBlob)!, spans.get(target.newBlob)!, LEAST_SCORE) : 0;
  const [lone, ...others] = sources.filter((source) => baseName(source.path) === name);
  if (lone !== undefined && others.length === 0 && isRegular(lone.change.oldMode)) {
    await read([target.newBlob, lone.change.oldBlob]);
    if (rate(lone) >= SAME_NAME_SCORE) return lone;
  }
  await read([
    target.newBlob,
    ...sources.flatMap(({ change: { oldMode, oldBlob } }) => (isRegular(oldMode) ? [oldBlob] : [])),
  ]);
  const best: Candidate[] = [];
  for (const source of sources)
    keepIfBetter(best, { source, score: rate(source), isSameName: baseName(source.path) === name });
  best.sort(compareCandidates);
  return best[0] !== undefined && best[0].score >= LEAST_SCORE ? best[0].source : null;
}

interface Candidate {
  readonly source: Source;
  readonly score: number;
  readonly isSameName: boolean;
}

function compareCandidates(a: Candidate, b: Candidate): number {
  return b.score - a.score || Number(b.isSameName) - Number(a.isSameName);
}

/** Git's way of keeping the best few, by which it also decides between equally good ones. */
function keepIfBetter(best: Candidate[], candidate: Candidate): void {
  if (best.length < CANDIDATES) {
    best.push(candidate);
    return;
  }
  let worst = 0;
  for (let i = 1; i < CANDIDATES; i++) if (compareCandidates(best[i]!, best[worst]!) > 0) worst = i;
  if (compareCandidates(best[worst]!, candidate) > 0) best[worst] = candidate;
}
