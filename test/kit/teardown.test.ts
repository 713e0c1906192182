import { describe, expect, it } from 'vitest';
import { Teardown } from '../../src/kit/teardown.ts';

describe('teardown', () => {
  it('closes in the opposite order, each step once, however often it is asked', async () => {
    const closed: string[] = [];
    const teardown = new Teardown();
    for (const name of ['database', 'worker', 'server']) teardown.add(async () => void closed.push(name));
    await Promise.all([teardown.run(), teardown.run()]);
    await teardown.run();
    expect(closed).toEqual(['server', 'worker', 'database']);
  });

  it('goes on after a step that fails, and reports the first failure', async () => {
    const closed: string[] = [];
    const teardown = new Teardown();
    teardown.add(() => void closed.push('database'));
    teardown.add(() => {
      throw new Error('worker');
    });
    teardown.add(async () => {
      throw new Error('server');
    });
    await expect(teardown.run()).rejects.toThrow('server');
    expect(closed).toEqual(['database']);
  });

  it('undoes a half-done opening and keeps the reason why it failed', async () => {
    const closed: string[] = [];
    const teardown = new Teardown();
    const opening = teardown.guard(async () => {
      teardown.add(() => void closed.push('database'));
      teardown.add(() => {
        throw new Error('a failure while closing');
      });
      throw new Error('the port is taken');
    });
    await expect(opening).rejects.toThrow('the port is taken');
    expect(closed).toEqual(['database']);
  });
});
