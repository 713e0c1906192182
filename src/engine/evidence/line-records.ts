// The records that tools left about single lines, in notes and in the project's own log: which commits have some, and
// each one's lines when asked for. Only the notes of commits that the walk passes are read, from packs where they can be:
// some are larger than the commits they are about.

import type { BlobComparer } from '../diff/blob-comparer.ts';
import { type GitRepository, orElse, readGit } from '../git/run-git.ts';
import { createObjectReader, type ObjectReader, ObjectUnreadable } from '../objects/object-reader.ts';
import type { RecordedCommit } from './agent-trace.ts';
import { NOTE_LIMITS } from './git-ai-note.ts';
import { type LineEvidence, mergeLineEvidence } from './line-evidence.ts';
import { RECORD_NOTES, type RecordNotes, readRecordNote } from './record-notes.ts';
import type { TraceLog } from './trace-log.ts';

export interface CommitRecords {
  readonly lines: LineEvidence;
  /** False when there is a note that cannot be read or makes no sense. */
  readonly isComplete: boolean;
}

export interface LineRecords {
  /** Whether no commit has any. */
  readonly isEmpty: boolean;
  has(commit: RecordedCommit): boolean;
  /** Records that name the parent count for the files that `isChanged` says the commit changed. */
  read(commit: RecordedCommit, isChanged: (path: string) => boolean): Promise<CommitRecords>;
  close(): void;
}

interface ListedNotes {
  readonly kind: RecordNotes;
  /** Commit → blob of the note. */
  readonly notes: ReadonlyMap<string, string>;
}

/** Without `blobs` all notes come from git. */
export async function openLineRecords(
  repository: GitRepository,
  log: TraceLog | null,
  blobs: BlobComparer | null,
): Promise<LineRecords> {
  const listed = await listNotes(repository);
  const reader = createObjectReader(repository, { maxObjectBytes: NOTE_LIMITS.bytes });
  const readNote = async (kind: RecordNotes, blob: string, commit: RecordedCommit): Promise<LineEvidence | null> => {
    const found = blobs?.look(blob, (note) => ({ lines: readRecordNote(kind, note, commit) })) ?? null;
    if (found !== null) return found.lines;
    const note = await readBlob(reader, blob);
    return note === null ? null : readRecordNote(kind, note, commit);
  };
  return {
    isEmpty: log === null && listed.every(({ notes }) => notes.size === 0),
    has: (commit) => listed.some(({ notes }) => notes.has(commit.sha)) || log?.has(commit) === true,
    async read(commit, isChanged) {
      const parts = log?.has(commit) === true ? [log.read(commit, isChanged)] : [];
      let isComplete = true;
      for (const { kind, notes } of listed) {
        const blob = notes.get(commit.sha);
        if (blob === undefined) continue;
        const lines = await readNote(kind, blob, commit);
        if (lines === null) isComplete = false;
        else parts.push(lines);
      }
      return { lines: mergeLineEvidence(parts), isComplete };
    },
    close: () => reader.close(),
  };
}

async function listNotes(repository: GitRepository): Promise<ListedNotes[]> {
  const refs = RECORD_NOTES.map(({ ref }) => ref);
  const found = await linesOf(repository, ['for-each-ref', '--format=%(refname)', ...refs]);
  return Promise.all(
    RECORD_NOTES.filter(({ ref }) => found.includes(ref)).map(async (kind) => {
      const notes = new Map<string, string>();
      for (const line of await linesOf(repository, ['notes', `--ref=${kind.ref}`, 'list'])) {
        const [blob, sha] = line.split(' ');
        if (blob && sha) notes.set(sha, blob);
      }
      return { kind, notes };
    }),
  );
}

async function linesOf(repository: GitRepository, args: readonly string[]): Promise<string[]> {
  const output = await readGit(repository, args).catch(orElse(null));
  return (output?.toString('latin1') ?? '').split('\n');
}

async function readBlob(reader: ObjectReader, blob: string): Promise<Buffer | null> {
  try {
    return (await reader.read(blob)).bytes;
  } catch (error) {
    if (error instanceof ObjectUnreadable) return null;
    throw error;
  }
}
