// What is known of a commit's lines when it is reached: their number by operation. Ages and scores follow
// when the origins of its removed lines are known.
import { type FileColumn, fileColumn } from './classified.ts';
import type { CommitPacket } from './packet.ts';

export interface CommitTotals {
  readonly lines_added: number;
  readonly lines_deleted: number;
  readonly lines_moved: number;
  readonly lines_updated: number;
  readonly lines_find_replaced: number;
  readonly lines_copy_pasted: number;
  readonly added: number;
  readonly removed: number;
  readonly file_count: number;
}

export function sumCommit({ files, classified }: CommitPacket): CommitTotals {
  const sum = (column: FileColumn): number => {
    let total = 0;
    if (classified !== null) for (let i = 0; i < files.length; i++) total += fileColumn(classified, i, column);
    return total;
  };
  let [added, removed] = [0, 0];
  for (const file of files) {
    added += file.added;
    removed += file.removed;
  }
  return {
    lines_added: sum('linesAdded'),
    lines_deleted: sum('linesDeleted'),
    lines_moved: sum('linesMoved'),
    lines_updated: sum('linesUpdated'),
    lines_find_replaced: sum('linesFindReplaced'),
    lines_copy_pasted: sum('linesCopyPasted'),
    added,
    removed,
    file_count: files.length,
  };
}
