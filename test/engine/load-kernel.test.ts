import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { allowPauses, releaseKernels } from '../../src/engine/load-kernel.ts';

test('a memory that nothing refers to is given back at once', async () => {
  const left = new WeakRef(new WebAssembly.Memory({ initial: 16 }));
  const kept = new WebAssembly.Memory({ initial: 16 });
  // Until the end of the turn in which it was made a reference holds what it refers to.
  await setImmediate();
  releaseKernels();
  expect(left.deref()).toBeDefined();
  await setImmediate();
  allowPauses();
  releaseKernels();
  expect(left.deref()).toBeUndefined();
  expect(kept.buffer.byteLength).toBe(16 << 16);
});
