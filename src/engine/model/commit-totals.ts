// What is known of a commit's lines when it is reached: their number by operation. Ages and scores follow
// when the origins of its removed lines are known.
import { LINE_MEASURES, type LineMeasure } from '../../domain/commits/file-measures.ts';
import { type FileColumn, fileColumn } from './classified.ts';
import type { CommitRecord } from './commit-record.ts';

export interface CommitTotals extends Readonly<Record<LineMeasure, number>> {
  readonly added: number;
  readonly removed: number;
  readonly file_count: number;
}

export function sumCommit({ files, classified }: CommitRecord): CommitTotals {
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
  const lines = Object.fromEntries(LINE_MEASURES.map((name) => [name, sum(name)])) as Record<LineMeasure, number>;
  return { ...lines, added, removed, file_count: files.length };
}
