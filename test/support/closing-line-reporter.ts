// Prints "N passed, N failed, N skipped" as the last line, in a form that any CI can read.
import type { Reporter, TestModule } from 'vitest/node';

export default class ClosingLineReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const count = { passed: 0, failed: 0, skipped: 0, pending: 0 };
    for (const module of modules) {
      for (const test of module.children.allTests()) count[test.result().state]++;
      if (module.errors().length > 0) count.failed++;
    }
    // After the default reporter's own summary, which is printed in the same tick.
    setImmediate(() => console.log(`\n${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`));
  }
}
