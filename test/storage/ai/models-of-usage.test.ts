// One model is one series, whichever way its use came in and however it was spelled; a submitted record keeps its name.
import { beforeEach, describe, expect, test } from 'vitest';
import { usageModel } from '../../../src/domain/ai/models.ts';
import { TASKS } from '../../../src/jobs/tasks.ts';
import { silentLog } from '../../../src/kit/log.ts';
import { replaceCollectedDay } from '../../../src/storage/ai/collected-usages.ts';
import { deleteUsage, storeUsages } from '../../../src/storage/ai/submitted/usages.ts';
import { createFactsKit, type FactsKit } from '../../world/facts-kit.ts';

const DAY = '2026-02-03';
const FEB = '2026-02-01';
const NOW = new Date('2026-02-10T00:00:00Z');
const RANGE = { from: '2026-02-01', to: '2026-02-28' };

let kit: FactsKit;
beforeEach(async () => {
  kit = await createFactsKit(kit?.store);
});

const nothing = {
  lines_deleted: null,
  prompted_suggest_count: null,
  prompted_accept_count: null,
  tab_suggest_count: null,
  tab_accept_count: null,
};
const submit = (llm_model_name: string, cents: number, lines: number | null = null, adds = false) =>
  storeUsages(
    kit.store.db,
    kit.entityId,
    [
      {
        ...nothing,
        lines_added: lines,
        cost_microcents: cents * 1_000_000,
        used_on: DAY,
        committer_id: 1,
        team_id: null,
        llm_model_name,
        ai_provider_em: usageModel(llm_model_name).provider,
        adds,
      },
    ],
    NOW,
  );
const collect = (llm_model_name: string, cents: number) =>
  replaceCollectedDay(
    kit.store.db,
    kit.entityId,
    { source: 'otlp', llm_token_id: null, used_on: DAY },
    [
      {
        ai_provider_em: 'vendorC_platform',
        tool_em: 'claude-code',
        llm_model_name,
        identity: { kind_em: 'email', value: 'user2@example.com' },
        cost_microcents: cents * 1_000_000,
      },
    ],
    NOW,
  );
const cents = () => kit.report('ai_cost_cents', { range: RANGE, interval: 'monthly' });
const lines = () => kit.report('commit_ai_lines_added_count', { range: RANGE, interval: 'monthly' });

describe('the series of a model', () => {
  test('is one for calls, telemetry and commits', async () => {
    await kit.insert('daily_work', { committer_id: 1, authored_on: DAY, lines_added: 100, unknown_lines_added: 100 });
    const credit = { all_lines_added: 7000, ai_lines_added: 7000, all_lines_deleted: 0, all_lines_changed: 7000 };
    await kit.insert('daily_ai', {
      ...credit,
      all_delta: 0,
      committer_id: 2,
      authored_on: DAY,
      model: 'claude-opus-4.5',
    });
    await submit('claude-opus-4-5', 50, 10);
    await collect('claude-opus-4.5', 100);
    expect(await cents()).toEqual({ 'claude-opus-4.5': { [FEB]: 150 } });
    expect(await lines()).toEqual({ 'claude-opus-4.5': { [FEB]: 17 } });
  });

  test('is one for a tool that names no model, and bears a name that is not known as it was sent', async () => {
    await submit('Claude Code', 1);
    await collect('claude-code', 2);
    await submit('In-house-7B', 3);
    await submit(' In-house-7B', 4);
    expect(await cents()).toEqual({ claude: { [FEB]: 3 }, 'In-house-7B': { [FEB]: 7 } });
  });
});

describe('a submitted record', () => {
  test('keeps the name by which it is replaced, added to and deleted', async () => {
    await submit('gpt-5-high', 10);
    await submit('gpt-5-low', 1);
    expect(await cents()).toEqual({ 'gpt-5': { [FEB]: 11 } });
    await submit('gpt-5-high', 20);
    await submit('gpt-5-low', 2, null, true);
    expect(await cents()).toEqual({ 'gpt-5': { [FEB]: 23 } });
    const subject = { used_on: DAY, committer_id: 1, team_id: null, llm_model_name: 'gpt-5-high' };
    expect(await deleteUsage(kit.store.db, kit.entityId, subject)).toBe(true);
    expect(await cents()).toEqual({ 'gpt-5': { [FEB]: 3 } });
  });

  test('that was stored before models were goes by its name until the job has seen it', async () => {
    const old = (llm_model_name: string, cost: number) => ({
      llm_model_name,
      committer_id: 1,
      used_on: DAY,
      cost_microcents: cost * 1_000_000,
    });
    await kit.insert('ai_usages', old('claude-opus-4-5', 1), old('Claude Opus 4.5', 2), old('in-house', 4));
    expect(Object.keys(await cents()).toSorted()).toEqual(['Claude Opus 4.5', 'claude-opus-4-5', 'in-house']);
    const version = async () =>
      (await kit.store.pool.query('select version from data_versions where entity_id = $1', [kit.entityId])).rows[0]
        ?.version ?? 0;
    const before = await version();
    const run = () =>
      TASKS.name_models.run(
        {},
        { log: silentLog, signal: new AbortController().signal } as Parameters<typeof TASKS.name_models.run>[1],
        { store: kit.store } as Parameters<typeof TASKS.name_models.run>[2],
      );
    await run();
    expect(await cents()).toEqual({ 'claude-opus-4.5': { [FEB]: 3 }, 'in-house': { [FEB]: 4 } });
    const after = await version();
    expect(after).toBeGreaterThan(before);
    await run();
    expect(await version()).toBe(after);
  });
});
