// The parts of the engine that are compiled to WebAssembly (kernel/ in the project's root, a folder each). Each thread
// asks for a kernel once; what is compiled is shared by all of them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { PACKAGE_FOLDER } from '../kit/package-folder.ts';

export type KernelName = 'packs' | 'classify' | 'duplicates';

const FOLDER = join(PACKAGE_FOLDER, 'dist', 'engine', 'kernels');

const loaded = new Map<KernelName, WebAssembly.Module>();

/** A kernel with this memory, and what it may ask for. */
export function startKernel(
  name: KernelName,
  memory: WebAssembly.Memory,
  asks: Readonly<Record<string, (...numbers: number[]) => number>> = {},
): WebAssembly.Instance['exports'] {
  let module = loaded.get(name);
  if (module === undefined) {
    module = new WebAssembly.Module(readFileSync(join(FOLDER, `${name}.wasm`)));
    loaded.set(name, module);
  }
  return new WebAssembly.Instance(module, { env: { memory, ...asks } }).exports;
}

let collectGarbage: (() => void) | null = null;
let mayPause = false;

/** For the threads of an analysis: the main thread may have requests to answer, which would wait for a collection. */
export function allowPauses(): void {
  mayPause = true;
}

/**
 * Gives the memory of kernels that nothing refers to any more back to the system. V8 would do so when it next collects the
 * thread's whole heap, which is small beside them: several would lie idle until then.
 */
export function releaseKernels(): void {
  if (!mayPause) return;
  if (collectGarbage === null) {
    setFlagsFromString('--expose-gc');
    collectGarbage = runInNewContext('gc') as () => void;
  }
  collectGarbage();
}
