// The hashes of whole files' lines, by the rules that the kernel classifies with.
import { classifyKernel } from './classify-kernel.ts';

/** The hashes of all lines of a file, as `DuplicateIndex.load` takes them. A last line needs no line feed. */
export function hashFileLines(content: Uint8Array): Uint32Array {
  const kernel = classifyKernel();
  kernel.calls.reach(kernel.given + content.length);
  kernel.bytes.set(content, kernel.given);
  const count = kernel.calls.hashFile(content.length);
  const at = kernel.calls.fileHashes();
  return new Uint32Array(kernel.buffer.slice(at, at + count * 4));
}
