// The content changes of one line, newest first, as far back as the repository goes. Each step finds the
// commit that wrote the line as it stands, what it did, and the line it was made from.

import { createPathAttributes } from '../categories/git-attributes.ts';
import type { FileJudge } from '../categories/judge-file.ts';
import { orElse } from '../git/run-git.ts';
import { standingOf } from '../judge/commit-standing.ts';
import type { Classifier, PathAttributes } from '../model/classified.ts';
import type { Commit } from '../objects/commit-object.ts';
import { hasBlob } from '../objects/object-kinds.ts';
import type { RenameFinder } from '../trace/renames.ts';
import type { ChangeFinder } from './find-change.ts';
import { lineAfter, lineBefore } from './follow-line.ts';
import {
  categoryLabel,
  judgeLine,
  type LineHistoryOperation,
  type LineJudgement,
  type LinePlace,
} from './judge-line.ts';
import { findRenamedVersion } from './versions/commit-changes.ts';
import type { FileVersion } from './versions/file-version.ts';
import type { ObjectStore } from './versions/object-store.ts';
import { bytesToPath } from './versions/path-bytes.ts';
import { readCommitDiff } from './versions/read-commit-diff.ts';
import type { VersionComparer } from './versions/version-comparer.ts';

export interface TraceContext {
  readonly store: ObjectStore;
  readonly changes: ChangeFinder;
  readonly classifier: Classifier;
  readonly fileJudge: FileJudge;
  readonly renames: RenameFinder;
  readonly comparer: VersionComparer;
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
  const { store, changes, comparer } = context;
  let { version, lineIndex } = from;
  for (;;) {
    const made = await changes.find(version);
    const kept = await findKeeper(comparer, made.before, { version, lineIndex });
    if (kept !== null && kept.version.path === version.path) {
      version = kept.version;
      lineIndex = kept.lineIndex;
      continue;
    }
    const after = { version: made.version, lineIndex };
    if (kept !== null) return renameChange(context, kept, after);
    const before = made.before.find((each) => each !== null) ?? null;
    const parent = before?.commit ?? (await firstReadable(store, made.version.commit));
    const read = await readCommitDiff(context, { before, after: made.version, commit: made.version.commit, parent });
    const attributes = await readAttributes(store, made.version);
    const judgement = judgeLine(
      context.classifier,
      { attributes, standing: standingOf(made.version.commit.message) },
      read,
      'after',
      lineIndex,
    );
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
  const { store, comparer } = context;
  const after = await findLaterVersion(context, commit, before.version);
  if (after?.blob === before.version.blob && after.path === before.version.path) return null;
  if (after !== null) {
    const kept = lineAfter(await comparer.compare(before.version.blob, after.blob), before.lineIndex);
    if (kept !== null) {
      if (after.path === before.version.path) return null;
      return renameChange(context, before, { version: after, lineIndex: kept });
    }
  }
  const parent = before.version.commit;
  const read = await readCommitDiff(context, { before: before.version, after, commit, parent });
  const attributes = await readAttributes(store, after ?? before.version);
  const judgement = judgeLine(
    context.classifier,
    { attributes, standing: standingOf(commit.message) },
    read,
    'before',
    before.lineIndex,
  );
  return { commit, operation: judgement.operation, before, after: judgement.other, judgement, isCutOff: false };
}

/** The file got another name and the line stayed as it was. */
async function renameChange(context: TraceContext, before: LinePlace, after: LinePlace): Promise<LineChange> {
  const { version } = after;
  const attributes = await readAttributes(context.store, version);
  const { categoryId } = context.fileJudge.judge(bytesToPath(version.path), attributes);
  const judgement: LineJudgement = {
    operation: 'operation_move',
    other: before,
    categoryLabel: categoryLabel(categoryId),
    isTextKept: true,
    score: () => 0,
  };
  return { commit: version.commit, operation: 'operation_move', before, after, judgement, isCutOff: false };
}

/** The first parent whose version has the line. */
async function findKeeper(
  comparer: VersionComparer,
  parents: readonly (FileVersion | null)[],
  { version, lineIndex }: LinePlace,
): Promise<LinePlace | null> {
  for (const older of parents) {
    if (older === null) continue;
    const kept = lineBefore(await comparer.compare(older.blob, version.blob), lineIndex);
    if (kept !== null) return { version: older, lineIndex: kept };
  }
  return null;
}

async function firstReadable(store: ObjectStore, commit: Commit): Promise<Commit | null> {
  const [first] = commit.parents;
  return first === undefined ? null : await store.commit(first).catch(orElse(null));
}

/** The version of a parent's file that the commit left, under the same or a later path. */
async function findLaterVersion(
  { store, renames }: TraceContext,
  commit: Commit,
  before: FileVersion,
): Promise<FileVersion | null> {
  const entry = await store.entryAt(commit.tree, before.path);
  if (entry !== null && hasBlob(entry.mode)) return { commit, path: before.path, blob: entry.sha };
  return findRenamedVersion(renames, commit, before);
}

/** The .gitattributes that speak about a path: those in its folder and above. */
async function readAttributes(store: ObjectStore, version: FileVersion): Promise<PathAttributes | null> {
  const parts = version.path.split('/');
  const files: { path: string; content: Uint8Array }[] = [];
  for (let depth = 0; depth < parts.length; depth++) {
    const path = [...parts.slice(0, depth), '.gitattributes'].join('/');
    const entry = await store.entryAt(version.commit.tree, path);
    if (entry === null || !hasBlob(entry.mode)) continue;
    const table = await store.lines(entry.sha).catch(orElse(null));
    if (table !== null) files.push({ path: bytesToPath(path), content: table.bytes });
  }
  return files.length === 0 ? null : createPathAttributes(files);
}
