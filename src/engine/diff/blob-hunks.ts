// The hunks between two files by their blobs, compared by a git of their own: for what is not compared in process.
import { type GitRepository, readGit } from '../git/run-git.ts';

const FLAGS: readonly string[] = ['diff', '-U0', '--text', '--no-color', '--no-ext-diff', '--no-textconv'];
export const HUNK_HEADER = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;
/** Behind a line feed only: a carriage return ends no line. */
const HUNK_HEADERS = new RegExp(`\\n${HUNK_HEADER.source.slice(1)}`, 'g');
/** Of a patch; files that differ in more are not worth an answer. */
const MOST_BYTES = 256 << 20;

/** As in FileDiff; compared as text, whatever git takes them for. */
export async function readBlobHunks(repository: GitRepository, oldBlob: string, newBlob: string): Promise<Int32Array> {
  if (oldBlob === newBlob) return new Int32Array(0);
  const patch = await readGit(repository, [...FLAGS, oldBlob, newBlob], '', MOST_BYTES);
  return parseHunkHeaders(patch.toString('latin1'));
}

/** Headers only: a line of a file never begins with `@`, for git puts a mark before it. */
function parseHunkHeaders(patch: string): Int32Array {
  return Int32Array.from([...patch.matchAll(HUNK_HEADERS)].flatMap(hunkNumbers));
}

/** The four numbers of a header that HUNK_HEADER has found, as in FileDiff. */
export function hunkNumbers([, oldStart, oldCount = '1', newStart, newCount = '1']: RegExpExecArray): number[] {
  return [...side(Number(oldStart), Number(oldCount)), ...side(Number(newStart), Number(newCount))];
}

/** With a count of 0 git names the line before. */
const side = (start: number, count: number): [number, number] => [count === 0 ? start : start - 1, count];
