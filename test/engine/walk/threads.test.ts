// What an analysis leaves behind when it ends before its threads have read all.
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openRepository } from '../../../src/engine/git/run-git.ts';
import { analyzeRepository } from '../../../src/engine/walk/analyze.ts';
import { goldenRepo } from '../../world/golden-repo.ts';
import { createRandom } from '../../world/random-history.ts';

/** What processes that this one has started run; of a dead one that nobody has taken note of, that it is one. */
function listChildren(): string[] {
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return [];
    try {
      const [, state, parent] = /\) (\S) (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))!;
      if (Number(parent) !== process.pid) return [];
      return [state === 'Z' ? `${pid} dead` : readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')];
    } catch {
      return []; // it has just ended
    }
  });
}

/** Takes threads seconds to read: each commit writes most of a long file anew, and every tenth renames one, which git lists. */
function longReading() {
  const random = createRandom(11);
  const builder = goldenRepo();
  const text = () => Array.from({ length: 6000 }, () => `word ${random(400)}\n`).join('');
  for (let n = 0; n < 900; n++) {
    const from = Math.floor(n / 10);
    const isMove = n % 10 === 0 && n > 0;
    builder.commit(`c${n}`, {
      files: { [`long${n % 3}`]: text(), ...(n === 0 ? { moved0: 'one\ntwo\n' } : {}) },
      rename: isMove ? { [`moved${from - 1}`]: `moved${from}` } : {},
    });
  }
  return builder.build();
}

test.runIf(process.platform === 'linux')('an analysis that is left early leaves no process behind', async () => {
  const repository = await openRepository(longReading().path);
  const before = listChildren();
  const stopped = new AbortController();
  const events = analyzeRepository(repository, { threads: 2, chunkCommits: 450, signal: stopped.signal });
  const first = events.next();
  // Each thread has a git that lists renames before it compares files, which takes seconds.
  while (listChildren().filter((child) => child.includes('diff-tree')).length < 2) await sleep(20);
  await sleep(100);
  const spent = process.cpuUsage();
  stopped.abort();
  await expect(first).rejects.toThrow('aborted');
  // Threads end in the midst of a piece of work, and not behind it. A busy machine takes longer, but no more processor time.
  expect(process.cpuUsage(spent).user).toBeLessThan(600_000);
  expect(listChildren()).toEqual(before);
});
