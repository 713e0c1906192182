// Files as rows of numbers say what files as objects say, and whoever has asked for no objects gets none.
import { afterAll, expect, test } from 'vitest';
import { openRepository } from '../../../src/engine/git/run-git.ts';
import { FILE_MEASURES, type FileFact } from '../../../src/engine/model/facts.ts';
import { analyzeRepository } from '../../../src/engine/walk/analyze.ts';
import { randomHistory } from '../../world/random-history.ts';

const repo = randomHistory(11);
afterAll(() => repo.cleanup());

/** By commit and path: status, category, and all measures. */
type Said = Map<string, readonly unknown[]>;

const sayFact = (said: Said, sha: string, files: readonly FileFact[]): void => {
  for (const file of files)
    said.set(`${sha} ${file.path}`, [file.status, file.category, ...FILE_MEASURES.map((name) => file[name])]);
};

async function collect(withFiles: boolean) {
  const facts: Said = new Map();
  const rows: Said = new Map();
  let flows = 0;
  for await (const event of analyzeRepository(await openRepository(repo.path), { since: null, withFiles })) {
    if (event.kind !== 'commit' && event.kind !== 'final') continue;
    const [sha, body] = event.kind === 'commit' ? [event.fact.sha, event.fact] : [event.sha, event];
    sayFact(facts, sha, body.files);
    flows += body.flows.length;
    event.rows?.visitFiles((path, status, category, measures) =>
      rows.set(`${sha} ${path}`, [status, category, ...measures]),
    );
  }
  return { facts, rows, flows };
}

test('rows and objects of files say the same', async () => {
  const [both, rowsAlone] = [await collect(true), await collect(false)];
  expect(both.facts.size).toBeGreaterThan(40);
  expect(both.flows).toBeGreaterThan(0);
  expect(both.rows).toEqual(both.facts);
  expect(rowsAlone).toEqual({ facts: new Map(), rows: both.rows, flows: 0 });
});
