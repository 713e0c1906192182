// The content changes of one line, newest first, as far back as the repository goes. Each step finds the
// commit that wrote the line as it stands, what it did, and the line it was made from.

import type { LineDiffOptions } from '../compare/diff-lines.ts';
import type { LineTable } from '../compare/line-table.ts';
import { createPathAttributes } from '../judge/git-attributes.ts';
import type { FileJudge } from '../judge/judge-file.ts';
import type { Classifier, PathAttributes } from '../model/classified.ts';
import type { Commit } from '../objects/commit-object.ts';
import { isBlob } from '../objects/tree-object.ts';
import { compareTrees } from './compare-trees.ts';
import type { ChangeFinder, FileVersion } from './find-change.ts';
import { findRename } from './find-rename.ts';
import { followBack, followForward } from './follow-line.ts';
import {
  categoryLabel,
  judgeLine,
  type LineHistoryOperation,
  type LineJudgement,
  type LinePlace,
} from './judge-line.ts';
import type { ObjectStore } from './object-store.ts';
import { bytesToPath } from './path-bytes.ts';
import { readCommitDiff } from './read-commit-diff.ts';

export interface TraceContext {
  readonly store: ObjectStore;
  readonly changes: ChangeFinder;
  readonly classifier: Classifier;
  readonly fileJudge: FileJudge;
  readonly diffOptions: LineDiffOptions;
}

export interface LineChange {
  readonly commit: Commit;
  readonly operation: LineHistoryOperation;
  readonly before: LinePlace | null;
  readonly after: LinePlace | null;
  readonly judgement: LineJudgement;
  /** The walk cannot go on because the repository lacks what comes before. */
  readonly isCutOff: boolean;
}

/** The change that made the line at `from` what it is; the next one starts at its `before`. */
export async function findLineChange(context: TraceContext, from: LinePlace): Promise<LineChange> {
  const { store, changes, diffOptions } = context;
  let { version, lineIndex } = from;
  for (;;) {
    const made = await changes.find(version);
    const table = await store.lines(version.blob);
    const kept = await findKeeper(store, made.before, table, lineIndex, diffOptions);
    if (kept !== null && kept.version.path === version.path) {
      version = kept.version;
      lineIndex = kept.lineIndex;
      continue;
    }
    const after = { version: made.version, lineIndex };
    if (kept !== null) return renameChange(context, kept, after);
    const before = made.before.find((each) => each !== null) ?? null;
    const parent = before?.commit ?? (await firstReadable(store, made.version.commit));
    const read = await readCommitDiff(store, before, made.version, made.version.commit, parent, diffOptions);
    const attributes = await readAttributes(store, made.version);
    const judgement = judgeLine(context.classifier, attributes, read, 'after', lineIndex);
    return {
      commit: made.version.commit,
      operation: judgement.operation,
      before: judgement.other,
      after,
      judgement,
      isCutOff: made.isCutOff && judgement.other === null,
    };
  }
}

/** What the commit did to a line of its parent; null when it left the line alone. */
export async function findRemoval(
  context: TraceContext,
  commit: Commit,
  before: LinePlace,
): Promise<LineChange | null> {
  const { store, diffOptions } = context;
  const after = await findLaterVersion(store, commit, before.version);
  if (after?.blob === before.version.blob && after.path === before.version.path) return null;
  if (after !== null) {
    const [oldTable, newTable] = [await store.lines(before.version.blob), await store.lines(after.blob)];
    const fate = followForward(oldTable, newTable, before.lineIndex, diffOptions);
    if (fate.kind === 'kept') {
      if (after.path === before.version.path) return null;
      return renameChange(context, before, { version: after, lineIndex: fate.lineIndex });
    }
  }
  const read = await readCommitDiff(store, before.version, after, commit, before.version.commit, diffOptions);
  const attributes = await readAttributes(store, after ?? before.version);
  const judgement = judgeLine(context.classifier, attributes, read, 'before', before.lineIndex);
  return { commit, operation: judgement.operation, before, after: judgement.other, judgement, isCutOff: false };
}

/** The file got another name and the line stayed as it was. */
async function renameChange(context: TraceContext, before: LinePlace, after: LinePlace): Promise<LineChange> {
  const { version } = after;
  const attributes = await readAttributes(context.store, version);
  const { categoryId } = context.fileJudge.judge(bytesToPath(version.path), attributes, null, false);
  const judgement: LineJudgement = {
    operation: 'operation_move',
    other: before,
    categoryLabel: categoryLabel(categoryId),
    score: () => 0,
  };
  return { commit: version.commit, operation: 'operation_move', before, after, judgement, isCutOff: false };
}

async function findKeeper(
  store: ObjectStore,
  parents: readonly (FileVersion | null)[],
  table: LineTable,
  lineIndex: number,
  options: LineDiffOptions,
): Promise<LinePlace | null> {
  for (const version of parents) {
    if (version === null) continue;
    const old = await store.lines(version.blob);
    const fate = followBack(old, table, lineIndex, options);
    if (fate.kind === 'kept') return { version, lineIndex: fate.lineIndex };
  }
  return null;
}

async function firstReadable(store: ObjectStore, commit: Commit): Promise<Commit | null> {
  const [first] = commit.parents;
  return first === undefined ? null : await store.commit(first).catch(() => null);
}

/** Files that a deleted file may have become: more are not compared. */
const MAX_LATER_CANDIDATES = 50;

/** The version of a parent's file that the commit left, under the same or a later path. */
async function findLaterVersion(store: ObjectStore, commit: Commit, before: FileVersion): Promise<FileVersion | null> {
  const entry = await store.entryAt(commit.tree, before.path);
  if (entry !== null && isBlob(entry.mode)) return { commit, path: before.path, blob: entry.sha };
  const { changes } = await compareTrees(store, before.commit.tree, commit.tree, 20_000);
  const added = changes.filter(({ before: was, after }) => was === null && after !== null && isBlob(after.mode));
  const identical = added.find(({ after }) => after!.sha === before.blob);
  for (const candidate of identical ? [identical] : added.slice(0, MAX_LATER_CANDIDATES)) {
    const source = await findRename(store, changes, candidate.path, candidate.after!.sha);
    if (source?.path === before.path) return { commit, path: candidate.path, blob: candidate.after!.sha };
  }
  return null;
}

/** The .gitattributes that speak about a path: those in its folder and above. */
async function readAttributes(store: ObjectStore, version: FileVersion): Promise<PathAttributes | null> {
  const parts = version.path.split('/');
  const files: { path: string; content: Uint8Array }[] = [];
  for (let depth = 0; depth < parts.length; depth++) {
    const path = [...parts.slice(0, depth), '.gitattributes'].join('/');
    const entry = await store.entryAt(version.commit.tree, path);
    if (entry === null || !isBlob(entry.mode)) continue;
    const table = await store.lines(entry.sha).catch(() => null);
    if (table !== null) files.push({ path: bytesToPath(path), content: table.bytes });
  }
  return files.length === 0 ? null : createPathAttributes(files);
}
