// The place in the repository that a question names, or the error that says which part of it is wrong.
import type { Commit } from '../objects/commit-object.ts';
import { hasBlob } from '../objects/object-kinds.ts';
import type { RenameFinder } from '../trace/renames.ts';
import type { LinePlace } from './judge-line.ts';
import { LineHistoryError } from './line-history-error.ts';
import { findFormerVersion } from './versions/commit-changes.ts';
import type { FileVersion } from './versions/file-version.ts';
import type { ObjectStore } from './versions/object-store.ts';
import { pathToBytes } from './versions/path-bytes.ts';

export interface Start {
  readonly place: LinePlace;
  /** True when the place is in a parent of the commit asked about. */
  readonly isBefore: boolean;
}

export interface StartSource {
  readonly store: ObjectStore;
  readonly renames: RenameFinder;
}

interface StartQuestion {
  readonly path: string;
  readonly lineNumber: number;
  readonly side?: 'after' | 'before';
}

const MAX_PATH_LENGTH = 4096;

export async function findStart(
  { store, renames }: StartSource,
  commit: Commit,
  question: StartQuestion,
): Promise<Start> {
  const isBefore = question.side === 'before';
  const path = checkPath(question.path);
  const version = isBefore ? await versionBefore(store, renames, commit, path) : await versionAt(store, commit, path);
  const where = isBefore ? `before commit ${commit.sha}` : `at commit ${commit.sha}`;
  if (version === null) {
    throw new LineHistoryError(
      'unknown_file',
      'file_path',
      `file_path: there is no file ${quoted(question.path)} ${where}`,
    );
  }
  const table = await store.lines(version.blob);
  if (table.isBinary) {
    throw new LineHistoryError(
      'binary_file',
      'file_path',
      `file_path: ${quoted(question.path)} is a binary file ${where}; only text has lines`,
    );
  }
  const { lineNumber } = question;
  if (!Number.isInteger(lineNumber) || lineNumber < 1 || lineNumber > table.count) {
    const parameter = isBefore ? 'line_number_before' : 'line_number_after';
    const accepted = table.count === 0 ? 'the file is empty' : `expected 1 to ${table.count}`;
    throw new LineHistoryError(
      'line_out_of_range',
      parameter,
      `${parameter}: ${lineNumber} is not a line of ${quoted(question.path)} ${where}; ${accepted}`,
    );
  }
  return { place: { version, lineIndex: lineNumber - 1 }, isBefore };
}

const quoted = (path: string): string => JSON.stringify(path.slice(0, 300));

function checkPath(path: string): string {
  if (path === '' || path.length > MAX_PATH_LENGTH || path.includes('\0')) {
    throw new LineHistoryError(
      'unknown_file',
      'file_path',
      `file_path: ${quoted(path)} is not a path; expected one relative to the root of the repository`,
    );
  }
  return pathToBytes(path);
}

async function versionAt(store: ObjectStore, commit: Commit, path: string): Promise<FileVersion | null> {
  const entry = await store.entryAt(commit.tree, path);
  return entry !== null && hasBlob(entry.mode) ? { commit, path, blob: entry.sha } : null;
}

/** In the first parent that has the file; a file renamed by the commit may be named by its new path too. */
async function versionBefore(
  store: ObjectStore,
  renames: RenameFinder,
  commit: Commit,
  path: string,
): Promise<FileVersion | null> {
  const parents = await Promise.all(commit.parents.map((sha) => store.commit(sha)));
  for (const parent of parents) {
    const version = await versionAt(store, parent, path);
    if (version !== null) return version;
  }
  const after = await versionAt(store, commit, path);
  if (after === null) return null;
  for (const parent of parents) {
    const former = await findFormerVersion(renames, after, parent);
    if (former !== null) return former;
  }
  return null;
}
