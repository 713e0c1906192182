// Runs a table of examples: facts in, series out. Each example has an entity of its own.
import { beforeAll, expect, test } from 'vitest';
import { summarizeShipped } from '../../src/derive/delivery/releases-shipped.ts';
import { deriveSprintParts } from '../../src/derive/work/derive-sprint-parts.ts';
import type { SegmentId } from '../../src/domain/segments.ts';
import { creditUsages } from '../../src/storage/ai/usage-credits.ts';
import type { Store } from '../../src/storage/database/handle.ts';
import { createTestDatabase } from '../support/database.ts';
import { type Ask, createFactsKit, type Fields } from '../world/facts-kit.ts';
import { noteAllUsageWeeks, sumAllUsageWeeks } from '../world/sum-usage-weeks.ts';

export interface Example extends Partial<Ask> {
  readonly segment: SegmentId;
  /** What is special about it, where a statistic has several. */
  readonly when?: string;
  readonly facts: Readonly<Record<string, readonly Fields[]>>;
  /** Series → value of each interval that has one, by its first day. */
  readonly gives: Record<string, Record<string, number | null>>;
}

/** Mondays are the 2nd, 9th, 16th and 23rd; the 16th is a holiday: 19 business days. */
export const FEBRUARY = { from: '2026-02-01', to: '2026-02-28' };
export const FEB = '2026-02-01';

export function checkExamples(examples: readonly Example[]): void {
  let store: Store;
  beforeAll(async () => {
    store = (await createTestDatabase()).store;
  });
  for (const { segment, when, facts, gives, range = FEBRUARY, ...ask } of examples) {
    test(`${segment}${when === undefined ? '' : ` ${when}`}`, async () => {
      const kit = await createFactsKit(store);
      for (const [table, rows] of Object.entries(facts)) await kit.insert(table, ...rows);
      // As the job would after the last of these.
      await summarizeShipped(store.db, kit.entityId, null);
      await deriveSprintParts(store, kit.entityId);
      await creditUsages(store.db, kit.entityId, 'entity');
      await sumAllUsageWeeks(store, kit.entityId);
      expect(await kit.report(segment, { range, ...ask })).toEqual(gives);
      // The same while sums of weeks are not up to date.
      await store.pool.query('update weekly_people set interactions = 77, usage_days = 127 where usage_days <> 0');
      await noteAllUsageWeeks(store, kit.entityId);
      expect(await kit.report(segment, { range, ...ask })).toEqual(gives);
    });
  }
}
