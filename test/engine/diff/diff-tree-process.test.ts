import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { DiffTreeProcess, END_MARK } from '../../../src/engine/diff/diff-tree-process.ts';
import { RAW_CHANGES_FLAGS } from '../../../src/engine/diff/raw-changes.ts';
import { goldenRepo } from '../../world/golden-repo.ts';

const repo = goldenRepo()
  .commit('first', { files: { a: 'one\n' } })
  .commit('second', { files: { a: 'two\n' } })
  .build();
const repository = { gitDir: repo.path, environment: { PATH: process.env.PATH ?? '' } };
const line = `${repo.sha('second')} ${repo.sha('first')}`;

test('git ends when it is told to while an answer is still coming, and the asker learns of it', async () => {
  const trees = new DiffTreeProcess(repository, RAW_CHANGES_FLAGS);
  let closed: Promise<void> | undefined;
  const asked = trees.request(
    Array.from({ length: 20_000 }, () => line),
    async () => {
      // By then git has written more than was taken from it.
      await sleep(200);
      closed ??= trees.close();
      return false;
    },
  );
  await expect(asked).rejects.toThrow();
  await closed;
  // The next request starts another git.
  let text = '';
  await trees.request([line], (chunk) => {
    text += chunk.toString('latin1');
    return text.endsWith(`${END_MARK}\n`);
  });
  expect(text).toContain(repo.sha('second'));
  await trees.close();
}, 20_000);
