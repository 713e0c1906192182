// The exact record of who wrote which lines of a commit, where a tool left one under refs/notes/ai. Read
// through the object store: a note may be written or fetched at any time, so nothing is remembered but objects.
import { NoteError, parseGitAiNote } from '../evidence/git-ai-note.ts';
import type { LineEvidence } from '../evidence/line-evidence.ts';
import { LineHistoryError } from './line-history-error.ts';
import type { ObjectStore } from './object-store.ts';
import { isBlob } from './tree-object.ts';

/** Git spreads many notes over folders named after the first digits, two at a time. */
const MAX_FOLDERS = 3;

/** Null when there is none, or none that can be read. */
export async function readLineNote(store: ObjectStore, commitSha: string): Promise<LineEvidence | null> {
  try {
    const root = await store.notesTree();
    if (root === null) return null;
    for (let folders = 0; folders <= MAX_FOLDERS; folders++) {
      const parts = Array.from({ length: folders }, (_, n) => commitSha.slice(2 * n, 2 * n + 2));
      const entry = await store.entryAt(root, [...parts, commitSha.slice(2 * folders)].join('/'));
      if (entry === null || !isBlob(entry.mode)) continue;
      return parseGitAiNote((await store.lines(entry.sha)).bytes).lines;
    }
    return null;
  } catch (error) {
    if (error instanceof NoteError || error instanceof LineHistoryError) return null;
    throw error;
  }
}
