// Where a line of one version stands in the version before it, or behind it.
import { diffLines, type Hunks, type LineDiffOptions } from '../compare/diff-lines.ts';
import type { LineTable } from '../compare/line-table.ts';

export type LineFate =
  | { readonly kind: 'kept'; readonly lineIndex: number }
  | { readonly kind: 'changed'; readonly hunks: Hunks };

/** A group of changes can be shown up to this many lines above where the files begin to differ. */
const SLIDE_MARGIN = 101;

export function followBack(before: LineTable, after: LineTable, lineIndex: number, options: LineDiffOptions): LineFate {
  // Equal up to well behind the line: no need to look at the rest.
  const margin = lineIndex + SLIDE_MARGIN + 1;
  if (margin < after.count && margin < before.count) {
    const end = after.starts[margin]!;
    if (
      before.starts[margin] === end &&
      Buffer.compare(before.bytes.subarray(0, end), after.bytes.subarray(0, end)) === 0
    ) {
      return { kind: 'kept', lineIndex };
    }
  }
  return locate(diffLines(before, after, options), lineIndex, 2, 0);
}

export function followForward(
  before: LineTable,
  after: LineTable,
  lineIndex: number,
  options: LineDiffOptions,
): LineFate {
  return locate(diffLines(before, after, options), lineIndex, 0, 2);
}

/** `own` and `other` are the positions of the two sides within a hunk's four numbers. */
function locate(hunks: Hunks, lineIndex: number, own: 0 | 2, other: 0 | 2): LineFate {
  let shift = 0;
  for (let at = 0; at < hunks.length; at += 4) {
    const start = hunks[at + own]!;
    const count = hunks[at + own + 1]!;
    if (lineIndex < start) break;
    if (lineIndex < start + count) return { kind: 'changed', hunks };
    shift += hunks[at + other + 1]! - count;
  }
  return { kind: 'kept', lineIndex: lineIndex + shift };
}
