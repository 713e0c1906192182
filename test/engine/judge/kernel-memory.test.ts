// What a huge commit has made large is given back with the next commit, in the threads of an analysis.
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createClassifier } from '../../../src/engine/judge/classify-commit.ts';
import { allowPauses } from '../../../src/engine/load-kernel.ts';
import { commitDiff, fileDiff } from './marked-diff.ts';

const LARGE_BYTES = 32 << 20;

test('the memory of a kernel that grew is free before the next one is used', async () => {
  allowPauses();
  const made: WeakRef<WebAssembly.Memory>[] = [];
  const { Memory } = WebAssembly;
  WebAssembly.Memory = class extends Memory {
    constructor(size: ConstructorParameters<typeof Memory>[0]) {
      super(size);
      made.push(new WeakRef(this));
    }
  };
  const sizes = () => made.flatMap((each) => each.deref()?.buffer.byteLength ?? []);
  try {
    const classifier = createClassifier();
    const classify = (lines: number) => {
      const added = Array.from({ length: lines }, (_, i) => `const name${i} = "${'x'.repeat(100)}";`);
      const file = fileDiff('a.ts', 'a.ts', [{ oldIndex: 0, newIndex: 0, removed: [], added }]);
      classifier.classify(commitDiff([file]), { attributes: null });
    };
    classify(200_000);
    expect(Math.max(...sizes())).toBeGreaterThan(LARGE_BYTES);
    // Until the end of the turn in which it was made a reference holds what it refers to.
    await setImmediate();
    classify(1);
    expect(made).toHaveLength(2);
    expect(Math.max(...sizes())).toBeLessThan(LARGE_BYTES);
  } finally {
    WebAssembly.Memory = Memory;
  }
});
