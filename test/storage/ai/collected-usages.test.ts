// Usage from several sources in one store: one source counts per person, day and provider, days are replaced as a whole,
// and what an unknown person did moves once the person is known.
import { beforeEach, describe, expect, test } from 'vitest';
import type { CollectedUsage } from '../../../src/domain/ai/collector.ts';
import { ACTIVITY_COUNTS } from '../../../src/domain/ai/usage-sources.ts';
import { silentLog } from '../../../src/kit/log.ts';
import { createSecretBox } from '../../../src/kit/sealed-secret.ts';
import { createOperations, OPERATOR } from '../../../src/operations/index.ts';
import { replaceCollectedDay } from '../../../src/storage/ai/collected-usages.ts';
import { listIdentities, matchIdentities, setIdentity } from '../../../src/storage/ai/identities.ts';
import { storeUsages } from '../../../src/storage/ai/submitted/usages.ts';
import { readUnknownShare } from '../../../src/storage/ai/usage-overview.ts';
import { sumDueWeeks } from '../../../src/storage/ai/usage-weeks.ts';
import { createFactsKit, type FactsKit } from '../../world/facts-kit.ts';

const DAY = '2026-02-03';
const NOW = new Date('2026-02-10T00:00:00Z');
const RANGE = { from: '2026-02-01', to: '2026-02-28' };
const NOTHING = {
  lines_added: null,
  lines_deleted: null,
  prompted_suggest_count: null,
  prompted_accept_count: null,
  tab_suggest_count: null,
  tab_accept_count: null,
  cost_microcents: null,
};

let kit: FactsKit;
beforeEach(async () => {
  kit = await createFactsKit(kit?.store);
});

const usage = (email: string | null, change: Partial<CollectedUsage> = {}): CollectedUsage => ({
  ai_provider_em: 'vendorC_platform',
  tool_em: 'claude-code',
  llm_model_name: 'claude-opus-4.5',
  identity: email === null ? null : { kind_em: 'email', value: email },
  ...change,
});
const collect = (source: 'provider_api' | 'otlp' | 'import', usages: readonly CollectedUsage[], day = DAY) =>
  replaceCollectedDay(kit.store.db, kit.entityId, { source, llm_token_id: null, used_on: day }, usages, NOW);
const submit = (committerId: number, counts: object, provider = 'vendorC_platform') =>
  storeUsages(
    kit.store.db,
    kit.entityId,
    [
      {
        ...NOTHING,
        ...counts,
        used_on: DAY,
        committer_id: committerId,
        team_id: null,
        llm_model_name: 'claude-opus-4.5',
        ai_provider_em: provider,
        adds: false,
      },
    ],
    NOW,
  );
const lines = async (by?: 'committer') =>
  kit.report('ai_lines_added_count', { range: RANGE, interval: 'monthly', ...(by === undefined ? {} : { by }) });
const cents = () => kit.report('ai_cost_cents', { range: RANGE, interval: 'monthly' });
const FEB = '2026-02-01';
const ADA = 'user1@example.com';

describe('one source counts', () => {
  test('where several report the same person, day and provider; the order does not matter', async () => {
    const steps = [
      () => submit(1, { lines_added: 5 }),
      () => collect('provider_api', [usage(ADA, { lines_added: 70, cost_microcents: 9_000_000 })]),
      () => collect('otlp', [usage(ADA, { lines_added: 900, cost_microcents: 8_000_000, prompt_count: 3 })]),
    ];
    for (const order of [
      [0, 1, 2],
      [2, 1, 0],
      [1, 2, 0],
    ]) {
      kit = await createFactsKit(kit.store);
      for (const index of order) await steps[index]!();
      expect(await lines()).toEqual({ 'claude-opus-4.5': { [FEB]: 5 } });
      // what was submitted has no cost: the provider's counts, and only that
      expect(await cents()).toEqual({ 'claude-opus-4.5': { [FEB]: 9 } });
    }
  });

  test('and the next one when the first is withdrawn', async () => {
    await collect('provider_api', [usage(ADA, { lines_added: 70 })]);
    await collect('otlp', [usage(ADA, { lines_added: 900 })]);
    expect(await lines()).toEqual({ 'claude-opus-4.5': { [FEB]: 70 } });
    await collect('provider_api', []);
    expect(await lines()).toEqual({ 'claude-opus-4.5': { [FEB]: 900 } });
  });

  test('by the order that the entity sets', async () => {
    await submit(1, { lines_added: 5 });
    await collect('otlp', [usage(ADA, { lines_added: 900 })]);
    const operations = createOperations({
      store: kit.store,
      log: silentLog,
      now: () => NOW,
      secrets: createSecretBox(Buffer.alloc(32, 1)),
    });
    const { rows } = await kit.store.pool.query('select slug from entities where id = $1', [kit.entityId]);
    const order = ['otlp', 'submitted', 'import', 'provider_api'];
    await operations.settings.set(OPERATOR, rows[0].slug, 'ai_usage_source_order', order);
    expect(await lines()).toEqual({ 'claude-opus-4.5': { [FEB]: 900 } });
    await operations.settings.set(OPERATOR, rows[0].slug, 'ai_usage_source_order', undefined);
    expect(await lines()).toEqual({ 'claude-opus-4.5': { [FEB]: 5 } });
    await operations.close();
  });

  test('for each provider and, where a provider stands for many tools, for each tool by itself', async () => {
    await submit(1, { lines_added: 5 });
    const codex = { ai_provider_em: 'other', tool_em: 'codex', llm_model_name: 'gpt-5' };
    await collect('provider_api', [usage(ADA, { ...codex, lines_added: 10 })]);
    await collect('otlp', [
      usage(ADA, { ...codex, lines_added: 99 }),
      usage(ADA, { ...codex, tool_em: 'gemini-cli', llm_model_name: 'gemini-3', lines_added: 7 }),
    ]);
    expect(await lines()).toEqual({
      'claude-opus-4.5': { [FEB]: 5 },
      'gpt-5': { [FEB]: 10 },
      'gemini-3': { [FEB]: 7 },
    });
  });

  const enterprise = { ai_provider_em: 'vendorC_enterprise_teams' };

  test.each([
    ['a known person', ADA],
    ['somebody unknown', 'grace@example.com'],
  ])('of %s whose telemetry names no account, and whose day the other provider of the tool reports', async (_, who) => {
    const steps = [
      () => collect('otlp', [usage(who, { lines_added: 100, cost_microcents: 2_000_000 })]),
      () => collect('provider_api', [usage(who, { ...enterprise, lines_added: 90 })]),
    ];
    for (const order of [
      [0, 1],
      [1, 0],
    ]) {
      kit = await createFactsKit(kit.store);
      for (const index of order) await steps[index]!();
      expect(await lines()).toEqual({ 'claude-opus-4.5': { [FEB]: 90 } });
      // The provider reports no cost of the day.
      expect(await cents()).toEqual({ 'claude-opus-4.5': { [FEB]: 2 } });
    }
    // Of a day that the other provider knows nothing of, telemetry counts.
    await collect('otlp', [usage(who, { lines_added: 7 })], '2026-02-04');
    expect(await lines()).toEqual({ 'claude-opus-4.5': { [FEB]: 97 } });
  });

  test('but both providers of a tool add up, and telemetry whose account is known stays with its own', async () => {
    await collect('provider_api', [usage(ADA, { lines_added: 10 }), usage(ADA, { ...enterprise, lines_added: 90 })]);
    await collect('otlp', [usage(ADA, { lines_added: 100 })]);
    expect(await lines()).toEqual({ 'claude-opus-4.5': { [FEB]: 100 } });
    const next = '2026-02-04';
    await collect('provider_api', [usage(ADA, { lines_added: 10 })], next);
    await collect('otlp', [usage(ADA, { ...enterprise, lines_added: 50 })], next);
    expect(await lines()).toEqual({ 'claude-opus-4.5': { [FEB]: 160 } });
  });

  test('also for the cohort, the credited lines and people whose identities are merged later', async () => {
    await submit(1, { prompted_suggest_count: 4 });
    await collect('provider_api', [usage('user2@example.com', { prompted_suggest_count: 40 })]);
    const weeks = async () => {
      await sumDueWeeks(kit.store.db, kit.entityId);
      return kit.store.pool.query(
        'select committer_id, interactions from weekly_people where entity_id = $1 order by 1',
        [kit.entityId],
      );
    };
    expect((await weeks()).rows.map(({ interactions }) => interactions)).toEqual([4, 40]);
    await kit.store.pool.query('update committers set root_committer_id = 1 where entity_id = $1 and id = 2', [
      kit.entityId,
    ]);
    const { creditUsages } = await import('../../../src/storage/ai/usage-credits.ts');
    await creditUsages(kit.store.db, kit.entityId, { committerIds: [1] });
    expect((await weeks()).rows.map(({ interactions }) => interactions)).toEqual([4, 0]);
  });
});

describe('a day of a source', () => {
  test('is replaced: twice is once, and days may come in any order', async () => {
    const day = (on: string, count: number) => collect('provider_api', [usage(ADA, { lines_added: count })], on);
    await day('2026-02-04', 4);
    await day(DAY, 3);
    await day(DAY, 5);
    await day(DAY, 5);
    expect(await lines()).toEqual({ 'claude-opus-4.5': { [FEB]: 9 } });
  });

  test('adds up what names one person and model several times, and keeps every count', async () => {
    const each = Object.fromEntries(ACTIVITY_COUNTS.map((name, index) => [name, index + 1]));
    await collect('provider_api', [usage(ADA, each), usage('USER1@example.com', { ...each, microcredits: 5 })]);
    const { rows } = await kit.store.pool.query('select * from ai_usages where entity_id = $1', [kit.entityId]);
    expect(rows).toHaveLength(1);
    for (const [index, name] of ACTIVITY_COUNTS.entries()) expect(rows[0][name]).toBe(2 * (index + 1));
    expect(rows[0]).toMatchObject({ committer_id: 1, microcredits: 5, source_em: 'provider_api' });
  });
});

describe('an unknown person', () => {
  test('counts for the entity and for no person, is listed with a share, and moves once matched', async () => {
    await collect('provider_api', [
      usage(ADA, { lines_added: 30, cost_microcents: 1_000_000 }),
      usage('grace@example.com', { lines_added: 70, cost_microcents: 3_000_000 }),
    ]);
    expect(await lines()).toEqual({ 'claude-opus-4.5': { [FEB]: 100 } });
    expect(await lines('committer')).toEqual({ 'User 1 - claude-opus-4.5': { [FEB]: 30 } });
    expect(await readUnknownShare(kit.store.db, kit.entityId, FEB)).toEqual({
      identity_count: 1,
      cents_cost: 3,
      cost_percent: 75,
      lines_added: 70,
      lines_percent: 70,
    });
    const unmatched = await listIdentities(kit.store.db, kit.entityId, { status: 'unmatched', since: FEB });
    expect(unmatched).toMatchObject([{ value: 'grace@example.com', kind_em: 'email', cost_microcents: 3_000_000 }]);
    await kit.insert('committers', { id: 9, email: 'Grace@example.com', full_name: 'Grace' });
    expect(await matchIdentities(kit.store.db, kit.entityId)).toBe(1);
    expect(await lines('committer')).toEqual({
      'User 1 - claude-opus-4.5': { [FEB]: 30 },
      'Grace - claude-opus-4.5': { [FEB]: 70 },
    });
    expect((await readUnknownShare(kit.store.db, kit.entityId, FEB)).lines_percent).toBe(0);
  });

  test('stays what an admin said, whatever the rules would find', async () => {
    await collect('otlp', [usage('user2@example.com', { lines_added: 7 })]);
    const [identity] = await listIdentities(kit.store.db, kit.entityId, { status: null, since: FEB });
    expect(identity!.status_em).toBe('matched');
    const ignored = { status_em: 'ignored', committer_id: null, is_chosen: true } as const;
    await setIdentity(kit.store.db, kit.entityId, identity!.id, ignored);
    await collect('otlp', [usage('user2@example.com', { lines_added: 8 })]);
    expect(await lines('committer')).toEqual({});
    expect(await lines()).toEqual({ 'claude-opus-4.5': { [FEB]: 8 } });
  });
});
