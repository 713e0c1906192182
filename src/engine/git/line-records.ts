// The notes under refs/notes/ai: which commits have one, and each one's lines when asked for. Notes are read
// through one git process, and only those of commits that the walk passes.
import { type GitAiNote, NoteError, parseGitAiNote } from '../evidence/git-ai-note.ts';
import type { LineEvidence } from '../evidence/line-evidence.ts';
import { createObjectReader, ObjectUnreadable } from './object-reader.ts';
import { type GitRepository, readGit } from './run-git.ts';

export const AI_NOTES_REF = 'refs/notes/ai';

export interface LineRecords {
  has(sha: string): boolean;
  /** Null when the note cannot be read or makes no sense. */
  read(sha: string): Promise<LineEvidence | null>;
  close(): void;
}

export const NO_LINE_RECORDS: LineRecords = { has: () => false, read: async () => null, close() {} };

export async function openLineRecords(repository: GitRepository): Promise<LineRecords> {
  const listed = await readGit(repository, ['notes', `--ref=${AI_NOTES_REF}`, 'list']).catch(() => null);
  const notes = new Map<string, string>();
  for (const line of (listed?.toString('latin1') ?? '').split('\n')) {
    const [note, sha] = line.split(' ');
    if (note && sha) notes.set(sha, note);
  }
  if (notes.size === 0) return NO_LINE_RECORDS;
  const reader = createObjectReader(repository);
  return {
    has: (sha) => notes.has(sha),
    async read(sha) {
      try {
        const { bytes } = await reader.read(notes.get(sha) ?? '');
        const note: GitAiNote = parseGitAiNote(bytes);
        return note.lines;
      } catch (error) {
        if (error instanceof NoteError || error instanceof ObjectUnreadable) return null;
        throw error;
      }
    },
    close: () => reader.close(),
  };
}
