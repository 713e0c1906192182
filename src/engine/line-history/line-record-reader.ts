// The exact records of who wrote which lines of a commit, where tools left some in notes or in the project's log. Read
// through the object store: they may be written or fetched at any time, so where they stand is asked for every question.
import type { RecordedCommit } from '../evidence/agent-trace.ts';
import { type LineEvidence, mergeLineEvidence } from '../evidence/line-evidence.ts';
import { RECORD_NOTES, readRecordNote } from '../evidence/record-notes.ts';
import { openTraceLog, TRACE_LOG_PATH, type TraceLog } from '../evidence/trace-log.ts';
import type { Commit } from '../objects/commit-object.ts';
import { hasBlob } from '../objects/object-kinds.ts';
import { LineHistoryError } from './line-history-error.ts';
import type { ObjectStore } from './versions/object-store.ts';

/** The records as they stand now. */
export interface LineRecordReader {
  /** Null when there are none, or none that can be read. `path` is the file whose line the commit changed. */
  read(commit: Commit, path: string | null): Promise<LineEvidence | null>;
  /** Changes when a record may have. */
  readonly basis: string;
}

/** Git spreads many notes over folders named after the first digits, two at a time. */
const MAX_FOLDERS = 3;

export function createLineRecords(store: ObjectStore): () => Promise<LineRecordReader> {
  let opened: { readonly blob: string; readonly log: TraceLog } | null = null;

  const bytesOf = async (blob: string): Promise<Uint8Array> => (await store.lines(blob)).bytes;
  const findLog = async (): Promise<string | null> => {
    const head = await store.head();
    const entry = head === null ? null : await store.entryAt(head.tree, TRACE_LOG_PATH);
    return entry !== null && hasBlob(entry.mode) ? entry.sha : null;
  };
  const openLog = async (blob: string): Promise<TraceLog> => {
    if (opened?.blob !== blob) opened = { blob, log: openTraceLog(await bytesOf(blob)) };
    return opened.log;
  };
  const findNote = async (root: string, sha: string): Promise<string | null> => {
    for (let folders = 0; folders <= MAX_FOLDERS; folders++) {
      const parts = Array.from({ length: folders }, (_, n) => sha.slice(2 * n, 2 * n + 2));
      const entry = await store.entryAt(root, [...parts, sha.slice(2 * folders)].join('/'));
      if (entry !== null && hasBlob(entry.mode)) return entry.sha;
    }
    return null;
  };

  return async () => {
    const [logBlob, ...roots] = await Promise.all([
      unlessUnreadable(findLog()),
      ...RECORD_NOTES.map(({ ref }) => store.notesTree(ref)),
    ]);
    return {
      async read(commit, path) {
        const recorded = await toRecorded(store, commit);
        const { sha } = commit;
        const log = logBlob === null ? null : await unlessUnreadable(openLog(logBlob));
        const parts = log?.has(recorded) === true ? [log.read(recorded, (changed) => changed === path)] : [];
        for (const [index, kind] of RECORD_NOTES.entries()) {
          const root = roots[index] ?? null;
          const blob = root === null ? null : await unlessUnreadable(findNote(root, sha));
          const note = blob === null ? null : await unlessUnreadable(bytesOf(blob));
          const lines = note === null ? null : readRecordNote(kind, note, recorded);
          if (lines !== null) parts.push(lines);
        }
        return parts.length === 0 ? null : mergeLineEvidence(parts);
      },
      basis: [logBlob, ...roots].map((sha) => sha ?? '').join(':'),
    };
  };
}

async function toRecorded(store: ObjectStore, { sha, committer, parents }: Commit): Promise<RecordedCommit> {
  const found = await Promise.all(parents.map((parent) => unlessUnreadable(store.commit(parent))));
  return {
    sha,
    committedAt: committer.at,
    parents: found.flatMap((parent) =>
      parent === null ? [] : [{ sha: parent.sha, committedAt: parent.committer.at }],
    ),
  };
}

async function unlessUnreadable<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof LineHistoryError) return null;
    throw error;
  }
}
