// What reports say of AI in a generated entity, kept as a file: the store of usage may grow columns, sources and
// choices, but what submitted usage gives does not move. It did twice: what no record says became null instead of 0, and
// somebody alone is not called Other.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isAddedSegment, SEGMENT_IDS } from '../../src/domain/segments.ts';
import { SEGMENTS } from '../../src/metrics/catalogue/segments/index.ts';
import { createFactsKit } from '../world/facts-kit.ts';
import { createWorld, loadWorld } from '../world/generated-world.ts';

const SIZE = { people: 12, repos: 4, teams: 3, days: 150 };
const RANGE = { from: '2026-01-05', to: '2026-06-03' };

test('answers about submitted usage are those that were given before usage had sources', async () => {
  const kit = await createFactsKit();
  const world = createWorld(7, SIZE, RANGE.from, (ms) => new Date(ms).toISOString().slice(0, 10));
  await loadWorld(kit, world, SIZE);
  const answers: Record<string, unknown> = {};
  const specified = SEGMENT_IDS.filter((id) => !isAddedSegment(id));
  for (const id of specified.filter((id) => SEGMENTS[id].needs.includes('ai_usage') || SEGMENTS[id].isAboutAi)) {
    for (const by of SEGMENTS[id].by) {
      answers[`${id} by ${by}`] = await kit.report(id, { range: RANGE, interval: 'monthly', by });
    }
  }
  const golden = JSON.parse(readFileSync(new URL('ai-answers.golden.json', import.meta.url), 'utf8'));
  expect(JSON.parse(JSON.stringify(answers))).toEqual(golden);
});
