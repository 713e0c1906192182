// What is known of a commit's lines when it is reached: their number by operation. Ages and scores follow
// when the origins of its removed lines are known.
import { LINE_MEASURES, type LineMeasure } from '../../domain/commits/file-measures.ts';
import { columnIndex, FILE_COLUMN_COUNT } from './classified.ts';
import type { CommitRecord } from './commit-record.ts';

export interface CommitTotals extends Readonly<Record<LineMeasure, number>> {
  readonly added: number;
  readonly removed: number;
  readonly file_count: number;
}

const COLUMNS = LINE_MEASURES.map((name) => ({ name, column: columnIndex(name) }));

/** For every commit that has open questions when it is reached: columns are looked up by place. */
export function sumCommit({ files, classified }: CommitRecord): CommitTotals {
  const totals = { added: 0, removed: 0, file_count: files.length } as Record<LineMeasure | TotalName, number>;
  for (const file of files) {
    totals.added += file.added;
    totals.removed += file.removed;
  }
  const rows = classified?.files;
  const end = files.length * FILE_COLUMN_COUNT;
  for (const { name, column } of COLUMNS) {
    let total = 0;
    if (rows !== undefined) for (let at = column; at < end; at += FILE_COLUMN_COUNT) total += rows[at]!;
    totals[name] = total;
  }
  return totals;
}

type TotalName = 'added' | 'removed' | 'file_count';
