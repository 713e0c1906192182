// The hashes of lines of files, by the rules that the kernel classifies with.
import { classifyKernel } from './classify-kernel.ts';

/** The hashes of all lines of a file, as `DuplicateIndex.load` takes them. A last line needs no line feed. */
export const hashFileLines = (content: Uint8Array): Uint32Array => hashLinesOf([content]);

/** The same of lines from here and there in a file. */
export function hashLinesOf(pieces: readonly Uint8Array[]): Uint32Array {
  const kernel = classifyKernel();
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  kernel.calls.reach(kernel.given + length);
  let at = kernel.given;
  for (const piece of pieces) {
    kernel.bytes.set(piece, at);
    at += piece.length;
  }
  const count = kernel.calls.hashFile(length);
  const hashes = kernel.calls.fileHashes();
  return new Uint32Array(kernel.buffer.slice(hashes, hashes + count * 4));
}
