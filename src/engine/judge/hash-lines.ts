// The hashes of whole files' lines, by the rules that the kernel classifies with.
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
  return takeHashes(kernel, kernel.calls.hashFile(length));
}

function takeHashes(kernel: ReturnType<typeof classifyKernel>, count: number): Uint32Array {
  const at = kernel.calls.fileHashes();
  return new Uint32Array(kernel.buffer.slice(at, at + count * 4));
}
