// What is known of a commit's lines when it is reached: their number by operation. Ages and scores follow
// when the origins of its removed lines are known.
import { type FileColumn, fileColumn } from './classified.ts';
import type { CommitPacket } from './packet.ts';

const COLUMNS = {
  lines_added: 'linesAdded',
  lines_deleted: 'linesDeleted',
  lines_moved: 'linesMoved',
  lines_updated: 'linesUpdated',
  lines_find_replaced: 'linesFindReplaced',
  lines_copy_pasted: 'linesCopyPasted',
} as const satisfies Record<string, FileColumn>;

export type CommitTotals = { readonly [K in keyof typeof COLUMNS | 'added' | 'removed']: number } & {
  readonly file_count: number;
};

export function sumCommit({ files, classified }: CommitPacket): CommitTotals {
  const sum = (column: FileColumn): number => {
    let total = 0;
    if (classified !== null) for (let i = 0; i < files.length; i++) total += fileColumn(classified, i, column);
    return total;
  };
  const lines = Object.fromEntries(Object.entries(COLUMNS).map(([name, column]) => [name, sum(column)]));
  let [added, removed] = [0, 0];
  for (const file of files) {
    added += file.added;
    removed += file.removed;
  }
  return { ...(lines as { [K in keyof typeof COLUMNS]: number }), added, removed, file_count: files.length };
}
