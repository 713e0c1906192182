// Whether the opening of a file says that a program wrote it.
import { MARK_BYTES, MARK_LINES } from '../kernel-contract.ts';
import type { LineBlock } from '../model/diff.ts';
import { GENERATED_MARKS, SCAFFOLD_MARKS } from './path-rules/foreign-paths.ts';

const LINE_FEED = 10;

/** Each of GENERATED_MARKS has one of these in it. */
export const MARK_STEMS = ['enerated', 'edit', 'EDIT'];

/** Of a whole file. */
export function isFileMarked(file: Uint8Array): boolean {
  const length = Math.min(file.length, MARK_BYTES);
  const opening = Buffer.from(file.buffer, file.byteOffset, length);
  if (!hasStem(opening)) return false;
  for (let line = 0, from = 0; line < MARK_LINES && from < length; line++) {
    const feed = opening.indexOf(LINE_FEED, from);
    const to = feed < 0 ? length : feed;
    if (isMark(opening.subarray(from, to))) return true;
    from = to + 1;
  }
  return false;
}

/** The same of lines that begin at the top. What lies between them in memory is not the file's. */
export function isBlockMarked({ bytes, starts, ends, count }: LineBlock): boolean {
  let left = MARK_BYTES;
  for (let line = 0; line < Math.min(count, MARK_LINES) && left > 0; line++) {
    const length = Math.min(ends[line]! - starts[line]!, left);
    left -= length + 1;
    if (isMark(Buffer.from(bytes.buffer, bytes.byteOffset + starts[line]!, length))) return true;
  }
  return false;
}

const hasStem = (text: Buffer): boolean => MARK_STEMS.some((stem) => text.includes(stem));

const isMark = (line: Buffer): boolean =>
  hasStem(line) &&
  GENERATED_MARKS.some((mark) => line.includes(mark)) &&
  !SCAFFOLD_MARKS.some((mark) => line.includes(mark));
