// The parts of the engine that are compiled to WebAssembly (kernel/ in the project's root, a folder each). Each thread
// asks for a kernel once; what is compiled is shared by all of them.
import { readFileSync } from 'node:fs';

export type KernelName = 'packs' | 'classify' | 'duplicates';

// The build puts them beside the compiled code; a test runner that loads the sources finds them there too.
const FOLDER = import.meta.url.endsWith('.ts')
  ? new URL('../../dist/engine/kernels/', import.meta.url)
  : new URL('./kernels/', import.meta.url);

const loaded = new Map<KernelName, WebAssembly.Module>();

/** A kernel with this memory. */
export function startKernel(name: KernelName, memory: WebAssembly.Memory): WebAssembly.Instance['exports'] {
  let module = loaded.get(name);
  if (module === undefined) {
    module = new WebAssembly.Module(readFileSync(new URL(`${name}.wasm`, FOLDER)));
    loaded.set(name, module);
  }
  return new WebAssembly.Instance(module, { env: { memory } }).exports;
}
