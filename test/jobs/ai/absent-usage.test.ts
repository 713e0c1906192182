// A provider that says 404 has not said that there is nothing: the token may have lost its right. Days without an answer
// are asked for again, seats and stored days stay, and the error is shown.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createAiCollectors } from '../../../src/connectors/ai/ai-collectors.ts';
import { TOKEN_KINDS, type TokenKindName, tokenSealContext } from '../../../src/domain/ai/providers.ts';
import { TASKS } from '../../../src/jobs/tasks.ts';
import { silentLog } from '../../../src/kit/log.ts';
import { storeTokenSettings } from '../../../src/storage/ai/llm-tokens.ts';
import { testSecrets } from '../../support/app.ts';
import { type ProviderDouble, type ProviderRequest, startProviderDouble } from '../../world/ai-provider-double.ts';
import { createFactsKit, type FactsKit } from '../../world/facts-kit.ts';

let kit: FactsKit;
let double: ProviderDouble;
let now: Date;
/** Whether a path is answered 404, of a day (null where the path is not about one). */
let isAbsent: (path: string, day: string | null) => boolean;
beforeEach(async () => {
  kit = await createFactsKit(kit?.store);
  isAbsent = () => false;
});
afterEach(() => double.close());

const at = (day: string) => {
  now = new Date(`${day}T12:00:00Z`);
};
const dayOf = ({ query }: ProviderRequest) => query.get('day') ?? query.get('starting_at')?.slice(0, 10) ?? null;

/** Copilot and the Console on one server: each has ten lines of user1 for every day before today. */
const startProvider = async () => {
  double = await startProviderDouble((request) => {
    const signed = /^\/signed\/(.*)$/.exec(request.path);
    if (signed !== null) return { text: JSON.stringify({ day: signed[1], user_login: 'user1', loc_added_sum: 10 }) };
    const day = dayOf(request);
    if (isAbsent(request.path, day)) return { status: 404, json: { message: 'Not Found' } };
    if (request.path.endsWith('/billing/seats'))
      return { json: { seats: [{ assignee: { login: 'user1' }, created_at: '2026-01-05T00:00:00Z' }] } };
    if (request.path.includes('/copilot/')) {
      // An unfinished day.
      if (day! >= now.toISOString().slice(0, 10)) return null;
      return { json: { download_links: [`${double.base}/signed/${day}`] } };
    }
    const actor = { type: 'user_actor', email_address: 'user1@example.com' };
    const core_metrics = { num_sessions: 1, lines_of_code: { added: 10, removed: 0 } };
    return { json: { data: [{ actor, core_metrics, tool_actions: {}, model_breakdown: [] }], has_more: false } };
  });
};
async function addToken(kind: TokenKindName, progress: { readonly from: string | null }): Promise<number> {
  await startProvider();
  const { rows } = await kit.store.pool.query(
    `insert into llm_tokens (entity_id, ai_usage_provider_em, secret_sealed, backfilled_on, last_success_on)
     values ($1, $2, $3, $4, $4) returning id`,
    [
      kit.entityId,
      TOKEN_KINDS[kind].provider,
      testSecrets.seal('key', tokenSealContext(kit.entityId, kind)),
      progress.from,
    ],
  );
  if (progress.from !== null)
    await kit.store.pool.query(`update llm_tokens set backfilled_on = '2020-01-01' where id = $1`, [rows[0].id]);
  const settings = { ...(kind === 'copilot' ? { organization: 'acme' } : {}), base_url: double.base };
  await storeTokenSettings(kit.store.db, kit.entityId, rows[0].id, settings, now);
  return rows[0].id;
}
const run = (tokenId: number) =>
  TASKS.collect_usage.run(
    { entity_id: kit.entityId, llm_token_id: tokenId },
    { log: silentLog, signal: new AbortController().signal } as unknown as Parameters<
      typeof TASKS.collect_usage.run
    >[1],
    {
      store: kit.store,
      secrets: testSecrets,
      now: () => now,
      aiCollectors: createAiCollectors({ allowPrivate: true, now: () => now }),
    } as unknown as Parameters<typeof TASKS.collect_usage.run>[2],
  );
const token = async (id: number) =>
  (
    await kit.store.pool.query(
      `select global_error_em, error_detail, last_success_on::text, backfilled_on::text from llm_tokens where id = $1`,
      [id],
    )
  ).rows[0];
const days = async (from = '2000-01-01'): Promise<string[]> =>
  (
    await kit.store.pool.query(
      'select distinct used_on::text as day from ai_usages where entity_id = $1 and used_on >= $2 order by 1',
      [kit.entityId, from],
    )
  ).rows.map(({ day }) => day);
const seatEnds = async () =>
  (await kit.store.pool.query('select until_on from ai_seat_listings where entity_id = $1', [kit.entityId])).rows;
const october = (first: number, last: number): string[] =>
  Array.from({ length: last - first + 1 }, (_, index) => `2026-10-${String(first + index).padStart(2, '0')}`);

test('a right that is lost for longer than days are revised loses no day and no seat, and is shown', async () => {
  at('2026-10-02');
  const id = await addToken('copilot', { from: '2026-09-30' });
  await run(id);
  expect(await seatEnds()).toEqual([{ until_on: null }]);
  isAbsent = () => true;
  for (let day = 3; day <= 14; day++) {
    at(october(day, day)[0]!);
    await run(id);
  }
  expect(await token(id)).toMatchObject({
    global_error_em: 'unexpected_answer',
    error_detail: expect.stringMatching(/GitHub Copilot.*404.*right/),
    last_success_on: '2026-09-26',
  });
  expect(await seatEnds()).toEqual([{ until_on: null }]);
  isAbsent = () => false;
  at('2026-10-15');
  await run(id);
  expect(await days('2026-10-01')).toEqual(october(1, 14));
  expect(await token(id)).toMatchObject({ global_error_em: null, last_success_on: '2026-10-09' });
});

test('a 404 after a pause deletes no stored day', async () => {
  at('2026-10-05');
  const id = await addToken('anthropic', { from: '2026-09-30' });
  await run(id);
  expect(await days()).toEqual(october(1, 5));
  isAbsent = () => true;
  at('2026-10-12');
  await run(id);
  expect(await days()).toEqual(october(1, 5));
  expect(await token(id)).toMatchObject({ global_error_em: 'unexpected_answer', last_success_on: '2026-10-02' });
  isAbsent = () => false;
  at('2026-10-13');
  await run(id);
  expect(await days()).toEqual(october(1, 13));
});

test('seats that may not be read keep no usage away, and stay as they were', async () => {
  at('2026-10-02');
  const id = await addToken('copilot', { from: '2026-09-26' });
  await run(id);
  isAbsent = (path) => path.endsWith('/billing/seats');
  at('2026-10-03');
  await run(id);
  expect((await days()).at(-1)).toBe('2026-10-02');
  expect(await seatEnds()).toEqual([{ until_on: null }]);
  expect(await token(id)).toMatchObject({
    global_error_em: 'unexpected_answer',
    error_detail: expect.stringContaining('seats'),
    last_success_on: '2026-09-27',
  });
});

test('one finished day without an answer is asked for again, and given up a month later', async () => {
  at('2026-10-10');
  const id = await addToken('copilot', { from: '2026-10-02' });
  isAbsent = (_, day) => day === '2026-10-03';
  await run(id);
  expect(await days()).toEqual(october(4, 9));
  expect(await token(id)).toMatchObject({
    global_error_em: 'unexpected_answer',
    error_detail: expect.stringContaining('2026-10-03'),
    last_success_on: '2026-10-02',
  });
  isAbsent = () => false;
  await run(id);
  expect(await days()).toEqual(october(3, 9));
  expect(await token(id)).toMatchObject({ global_error_em: null, last_success_on: '2026-10-04' });

  isAbsent = (_, day) => day === '2026-10-05';
  at('2026-11-20');
  await run(id);
  expect(await token(id)).toMatchObject({ global_error_em: null, last_success_on: '2026-11-14' });
  expect(await days('2026-10-05')).toContain('2026-10-05');
});

test('older days than the provider keeps are read once, but not by a token that has just lost its right', async () => {
  at('2026-10-10');
  let asked = 0;
  const id = await addToken('copilot', { from: null });
  isAbsent = (_, day) => day !== null && ++asked > 20;
  await run(id);
  const first = await token(id);
  expect(first.global_error_em).toBe('unexpected_answer');
  expect(first.backfilled_on > '2026-09-01').toBe(true);
  isAbsent = (_, day) => day !== null && day < '2026-08-01';
  await run(id);
  expect(await token(id)).toMatchObject({ global_error_em: null, backfilled_on: '2025-10-10' });
  expect((await days())[0]).toBe('2026-08-01');
});
