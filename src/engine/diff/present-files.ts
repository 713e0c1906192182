// A commit of which git cannot make the diff because contents are not there (a partial or damaged clone): the diff of
// the files that are, and the others by name.

import { GitError, type GitRepository } from '../git/run-git.ts';
import type { FileDiff, FileStatus, LineBlock } from '../model/diff.ts';
import { findMissing } from '../objects/find-missing.ts';
import { isSubmodule } from '../objects/object-kinds.ts';
import type { BlobComparer } from './blob-comparer.ts';
import { DiffStreamParser } from './diff-stream.ts';
import type { DiffTreeProcess } from './diff-tree-process.ts';
import { pathArguments, pumpDiff } from './pump-diff.ts';
import {
  DIFF_STREAM_FLAGS,
  type DiffLimits,
  DiffStreamError,
  type ListedChange,
  type StreamedCommit,
} from './streamed-commit.ts';

const STATUSES: Readonly<Record<string, FileStatus>> = {
  A: 'added',
  D: 'deleted',
  M: 'modified',
  T: 'type_changed',
};

export interface PresentFilesSource {
  readonly repository: GitRepository;
  /** Lists what commits change, without renames. */
  readonly plainLists: DiffTreeProcess;
  readonly limits: DiffLimits;
  readonly blobs: BlobComparer | null;
}

export interface SplitChanges {
  /** Those that can be compared. */
  readonly present: readonly ListedChange[];
  /** The others. */
  readonly incomplete: readonly FileDiff[];
}

export function splitChanges(changes: readonly ListedChange[], isMissing: (blob: string) => boolean): SplitChanges {
  if (changes.every(isInPacks)) return { present: changes, incomplete: [] };
  const present: ListedChange[] = [];
  const incomplete: FileDiff[] = [];
  for (const change of changes) {
    let isWhole = true;
    for (const blob of blobsOf([change])) if (isMissing(blob)) isWhole = false;
    if (isWhole) present.push(change);
    else incomplete.push(missingFile(change));
  }
  return { present, incomplete };
}

/** Whether all of its files are known to lie in packs. */
const isInPacks = ({ status, oldMode, newMode, oldAt = -1, newAt = -1 }: ListedChange): boolean =>
  (oldAt >= 0 || status === 'A' || isSubmodule(oldMode)) && (newAt >= 0 || status === 'D' || isSubmodule(newMode));

/** False when that is not what is wrong with the commit; then nothing has been delivered. */
export async function readPresentFiles(
  source: PresentFilesSource,
  sha: string,
  deliver: (commit: StreamedCommit) => void,
): Promise<boolean> {
  try {
    const listed = await listAll(source, sha);
    const changes = listed?.changes ?? [];
    const missing = await findMissingBlobs(source, changes);
    if (listed === null || missing.size === 0) return false;
    const { present, incomplete } = splitChanges(changes, (blob) => missing.has(blob));
    if (present.length === 0) {
      deliver({ ...listed, files: incomplete });
      return true;
    }
    const paths = pathArguments(present.map(({ path }) => path));
    if (paths.length === 0) return false;
    let isDelivered = false;
    const parser = new DiffStreamParser((commit) => {
      isDelivered = true;
      deliver({ ...commit, files: [...commit.files, ...incomplete] });
    }, source.limits);
    await pumpDiff(source.repository, [...DIFF_STREAM_FLAGS, '--stdin', '-M', ...paths], `${sha}\n`, parser);
    return isDelivered;
  } catch (error) {
    if (error instanceof GitError || error instanceof DiffStreamError || isTooLong(error)) return false;
    throw error;
  }
}

async function listAll({ plainLists, limits }: PresentFilesSource, sha: string): Promise<StreamedCommit | null> {
  let listed: StreamedCommit | null = null;
  const parser = new DiffStreamParser(
    (commit) => {
      listed = commit;
    },
    limits,
    Number.POSITIVE_INFINITY,
  );
  await plainLists.request([sha], (bytes) => parser.push(bytes));
  return listed;
}

/** Git would try to fetch what a partial clone lacks. */
async function findMissingBlobs(
  { repository, blobs }: PresentFilesSource,
  changes: readonly ListedChange[],
): Promise<ReadonlySet<string>> {
  if (!blobs?.isOfPartialClone) return findMissing(repository, 'blob', blobsOf(changes));
  return new Set([...blobsOf(changes)].filter((blob) => blobs.isAway(blob)));
}

/** Submodules point at commits of other repositories. */
function* blobsOf(changes: readonly ListedChange[]): Generator<string> {
  for (const { status, oldMode, newMode, oldBlob, newBlob } of changes) {
    if (status !== 'A' && !isSubmodule(oldMode)) yield oldBlob;
    if (status !== 'D' && !isSubmodule(newMode)) yield newBlob;
  }
}

function missingFile({ status, oldMode, newMode, oldBlob, newBlob, path }: ListedChange): FileDiff {
  const places = new Uint32Array(0);
  const none: LineBlock = { count: 0, bytes: new Uint8Array(0), starts: places, ends: places, hasText: true };
  return {
    status: STATUSES[status] ?? 'modified',
    oldPath: status === 'A' ? null : path,
    newPath: status === 'D' ? null : path,
    similarity: 100,
    oldMode,
    newMode,
    oldBlob,
    newBlob,
    isBinary: false,
    limited: 'object_missing',
    hunks: new Int32Array(0),
    removed: none,
    added: none,
  };
}

const isTooLong = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'E2BIG';
