// The notes in which tools record who wrote which line of a commit: one row per format.
import { isRecordOf, parseAgentTrace, type RecordedCommit, TraceError } from './agent-trace.ts';
import { NoteError, parseGitAiNote } from './git-ai-note.ts';
import { type LineEvidence, mergeLineEvidence } from './line-evidence.ts';

export interface RecordNotes {
  readonly ref: string;
  /** Throws a NoteError or a TraceError when the note makes no sense. */
  readonly parse: (note: Uint8Array, commit: RecordedCommit) => LineEvidence;
}

export const RECORD_NOTES: readonly RecordNotes[] = [
  { ref: 'refs/notes/ai', parse: (note) => parseGitAiNote(note).lines },
  {
    ref: 'refs/notes/agent-trace',
    parse: (note, commit) =>
      mergeLineEvidence(
        parseAgentTrace(note)
          .filter((record) => isRecordOf(record, commit))
          .map(({ lines }) => lines),
      ),
  },
];

/** Null when the note makes no sense. */
export function readRecordNote({ parse }: RecordNotes, note: Uint8Array, commit: RecordedCommit): LineEvidence | null {
  try {
    return parse(note, commit);
  } catch (error) {
    if (error instanceof NoteError || error instanceof TraceError) return null;
    throw error;
  }
}
