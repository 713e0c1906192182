// From a file version back to the commit that made it: the nearest commit none of whose parents has the
// same content at the same path. The rule at a merge is blame's: the first parent that has it takes all.
import type { Commit } from '../objects/commit-object.ts';
import { hasBlob } from '../objects/object-kinds.ts';
import type { RenameFinder } from '../trace/renames.ts';
import { LineHistoryError } from './line-history-error.ts';
import { findFormerVersion } from './versions/commit-changes.ts';
import type { FileVersion } from './versions/file-version.ts';
import type { ObjectStore } from './versions/object-store.ts';
import { bytesToPath } from './versions/path-bytes.ts';
import type { PathIndex } from './versions/path-index.ts';

export interface FileCommit {
  /** The version as the commit left it. */
  readonly version: FileVersion;
  /** For each parent in order: the version it had, under the same or a former path; null when it had none. */
  readonly before: readonly (FileVersion | null)[];
  /** True when a parent commit is not in the repository, as at the edge of a shallow clone. */
  readonly isCutOff: boolean;
}

/** Finds the commits that made a file what it is. Remembers how far it has read ahead: one per question. */
export interface ChangeFinder {
  find(from: FileVersion): Promise<FileCommit>;
}

const FIRST_BATCH = 4;
const MAX_COMMITS_AHEAD = 512;
const MAX_VERSIONS_AHEAD = 64;
/** Versions read ahead of a large file together take about this much. */
const MAX_BYTES_AHEAD = 8 * 1024 * 1024;

export function createChangeFinder(store: ObjectStore, renames: RenameFinder, index: PathIndex | null): ChangeFinder {
  let commitBatch = FIRST_BATCH;
  let commitsAhead = 0;
  let versionBatch = FIRST_BATCH;
  let versionsAhead = 0;

  /** Without an index: all commits from here on. Not before a few steps have shown that the way is long. */
  const readCommitsAhead = async (commit: Commit, path: string): Promise<void> => {
    if (commitsAhead-- > 0) return;
    if (commitBatch > FIRST_BATCH) {
      const names = Array.from({ length: commitBatch }, (_, back) => `${commit.sha}~${back + 1}`);
      await store.readAhead(names, path, false);
      commitsAhead = commitBatch;
    }
    commitBatch = Math.min(commitBatch * 2, MAX_COMMITS_AHEAD);
  };

  /** With an index: only the commits that changed the file, and their parents. */
  const readVersionsAhead = async (commit: Commit, path: string, blob: string): Promise<void> => {
    if (versionsAhead-- > 0 || index?.upcoming === undefined) return;
    const { bytes } = await store.lines(blob);
    const count = Math.min(versionBatch, Math.ceil(MAX_BYTES_AHEAD / (bytes.length + 1)));
    const stops = index.upcoming(commit.sha, bytesToPath(path), count);
    await store.readAhead([...stops, ...stops.map((sha) => `${sha}~1`)], path, true);
    versionsAhead = stops.length;
    versionBatch = Math.min(versionBatch * 2, MAX_VERSIONS_AHEAD);
  };

  return {
    async find({ commit, path, blob }) {
      await readVersionsAhead(commit, path, blob);
      for (;;) {
        const sha = index === null ? commit.sha : await index.skip(commit.sha, bytesToPath(path));
        if (sha !== commit.sha) commit = await store.commit(sha);
        else {
          commit = await store.followFile(commit, path, blob);
          await readCommitsAhead(commit, path);
        }
        const parents = await readParents(store, commit);
        const same = await firstWithBlob(store, parents, path, blob);
        if (same === null) return describeChange(store, renames, { commit, path, blob }, parents);
        commit = same;
      }
    },
  };
}

async function readParents(store: ObjectStore, commit: Commit): Promise<(Commit | null)[]> {
  const parents: (Commit | null)[] = [];
  for (const sha of commit.parents) {
    try {
      parents.push(await store.commit(sha));
    } catch (error) {
      if (!(error instanceof LineHistoryError)) throw error;
      parents.push(null);
    }
  }
  return parents;
}

async function firstWithBlob(
  store: ObjectStore,
  parents: readonly (Commit | null)[],
  path: string,
  blob: string,
): Promise<Commit | null> {
  for (const parent of parents) {
    if (parent === null) continue;
    const entry = await store.entryAt(parent.tree, path);
    if (entry?.sha === blob) return parent;
  }
  return null;
}

async function describeChange(
  store: ObjectStore,
  renames: RenameFinder,
  version: FileVersion,
  parents: readonly (Commit | null)[],
): Promise<FileCommit> {
  const before: (FileVersion | null)[] = [];
  for (const parent of parents) {
    if (parent === null) {
      before.push(null);
      continue;
    }
    const entry = await store.entryAt(parent.tree, version.path);
    if (entry !== null && hasBlob(entry.mode)) before.push({ commit: parent, path: version.path, blob: entry.sha });
    else before.push(await findFormerVersion(renames, version, parent));
  }
  return { version, before, isCutOff: parents.some((parent) => parent === null) };
}
