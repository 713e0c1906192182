import { setTimeout as pause } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { OPERATOR } from '../../../src/operations/index.ts';
import { rebuildRollups } from '../../../src/storage/commits/rollups.ts';
import { joinCommitters } from '../../../src/storage/people/commit-people.ts';
import { lockPeople } from '../../../src/storage/people/lock-people.ts';
import { QUEUE_SCHEMA } from '../../../src/storage/queue/schema.ts';
import { createTestApp, type TestApp } from '../../support/app.ts';
import { addCommit, addPerson, countedCommits, dataVersion, entityIdOf } from './people-kit.ts';

let app: TestApp;
let entityId: number;

beforeEach(async () => {
  app = await createTestApp();
  entityId = await entityIdOf(app.store, 'acme');
  for (const [name, status] of [
    ['ada', 'processing_stats'],
    ['ada-home', 'processing_stats'],
    ['ada-old', 'processing_stats'],
    ['bot', 'not_processing'],
  ] as const) {
    const id = await addPerson(app.store, entityId, { name, status });
    await addCommit(app.store, entityId, id, 'core/site', '2026-10-05T10:00:00Z');
  }
});

const merge = (who: string, into: string) => app.operations.committers.merge(OPERATOR, 'acme', who, into);
const split = (who: string) => app.operations.committers.split(OPERATOR, 'acme', who);
const people = async () =>
  Object.fromEntries(
    (await app.operations.committers.list(OPERATOR, 'acme')).map((row) => [row.committer_user_name, row.identity_of]),
  );
const developers = async () =>
  (await app.request({ route: 'GET /developers' })).body as {
    committers: { committer_user_name: string }[];
    seats: { used: number };
  };

/** The daily tables hold what a rebuild from nothing would give. */
async function expectExactRollups(): Promise<void> {
  const daily = async () => (await app.store.pool.query('select * from daily_commits order by committer_id')).rows;
  const before = await daily();
  const { rows } = await app.store.pool.query('select id from repos where entity_id = $1', [entityId]);
  await app.store.db.transaction().execute((trx) => rebuildRollups(trx, entityId, rows[0].id, 'UTC'));
  expect(before).toEqual(await daily());
}

const derivations = async (): Promise<unknown[]> => {
  const { rows } = await app.store.pool.query(
    `delete from ${QUEUE_SCHEMA}._private_jobs j using ${QUEUE_SCHEMA}._private_tasks t
     where t.id = j.task_id and t.identifier = 'derive_delivery' returning j.payload`,
  );
  return rows.map(({ payload }) => payload);
};

test('whoever changes whose commits count asks for what follows from them', async () => {
  const { rows } = await app.store.pool.query('select id from repos where entity_id = $1', [entityId]);
  const expected = [{ entity_id: entityId, repo_id: rows[0].id }];
  await merge('ada-home', 'ada');
  expect(await derivations()).toEqual(expected);
  await split('ada-home');
  expect(await derivations()).toEqual(expected);
  const answer = await app.request({
    route: 'POST /developers/set_processing',
    form: 'committer_user_name=bot&processing_status=processing_stats',
  });
  expect(answer.status).toBe(200);
  expect(await derivations()).toEqual(expected);
});

test('a merge makes one developer with one seat of two, and a split takes it back', async () => {
  const before = await people();
  const version = await dataVersion(app.store, entityId);
  await merge('ADA-home@example.com', 'ada');
  expect(await people()).toEqual({ ...before, 'ada-home': 'ada' });
  expect(await countedCommits(app.store, entityId)).toEqual({ ada: 2, 'ada-old': 1 });
  expect(await dataVersion(app.store, entityId)).toBeGreaterThan(version);
  const merged = await developers();
  expect([merged.committers.length, merged.seats.used]).toEqual([3, 2]);
  await expectExactRollups();
  expect(await split('ada-home')).toEqual({ split: 'ada-home', from: 'ada', identity_count: 1 });
  expect(await people()).toEqual(before);
  expect(await countedCommits(app.store, entityId)).toEqual({ ada: 1, 'ada-home': 1, 'ada-old': 1 });
  await expectExactRollups();
});

test('whoever is merged into an unprocessed person leaves the reports, and comes back when split', async () => {
  await merge('ada', 'bot');
  expect(await countedCommits(app.store, entityId)).toEqual({ 'ada-home': 1, 'ada-old': 1 });
  await expectExactRollups();
  await split('ada');
  expect(await countedCommits(app.store, entityId)).toEqual({ ada: 1, 'ada-home': 1, 'ada-old': 1 });
});

test('merges of merged people come apart in either order, each with what it had', async () => {
  const before = await people();
  for (const order of [
    ['ada-home', 'ada'],
    ['ada', 'ada-home'],
  ]) {
    await merge('ada-old', 'ada-home');
    await merge('ada-home', 'ada');
    expect(await people()).toEqual({ ...before, 'ada-home': 'ada', 'ada-old': 'ada' });
    if (order[0] === 'ada-home') {
      await split('ada-home');
      expect(await people()).toEqual({ ...before, 'ada-old': 'ada-home' });
      await split('ada-old');
    } else {
      await split('ada-old');
      expect(await people()).toEqual({ ...before, 'ada-home': 'ada' });
      await split('ada-home');
    }
    expect(await people()).toEqual(before);
    await expectExactRollups();
  }
});

test('likely identities are suggested with what speaks for them, merged and split by calls', async () => {
  const sign = async (userName: string, name: string, email: string) => {
    await app.store.pool.query(
      `update committer_identities set address_key = $3 where entity_id = $1 and committer_id = (
         select id from committers where entity_id = $1 and committer_user_name = $2)`,
      [entityId, userName, email],
    );
    await app.store.pool.query('insert into signatures (entity_id, address_key, name, email) values ($1, $3, $2, $3)', [
      entityId,
      name,
      email,
    ]);
  };
  await sign('ada', 'Ada Lovelace', 'ada@example.com');
  await sign('ada-home', 'ada  lovelace', 'lovelace@users.noreply.github.com');
  await sign('ada-old', 'Ada', 'ada@old.example.com');
  const other = await addPerson(app.store, entityId, { name: 'namesake' });
  await addCommit(app.store, entityId, other, 'core/other', '2026-10-05T10:00:00Z');
  await sign('namesake', 'Ada Lovelace', 'ada@elsewhere.example.com');
  const suggestions = async () => {
    const { body } = await app.request({ route: 'GET /developers/suggestions' });
    return (body.suggestions as { committer_user_name: string; into_user_name: string; evidence: object[] }[]).map(
      ({ committer_user_name, into_user_name, evidence }) => [committer_user_name, into_user_name, evidence.length],
    );
  };
  expect(await suggestions()).toEqual([
    ['ada-home', 'ada', 2],
    ['namesake', 'ada-home', 1],
  ]);
  const call = (route: string, fields: object, token = app.tokens.admin) => app.request({ route, token, json: fields });
  const pair = { committer_identifier: 'ADA-home', into_identifier: 'ada@EXAMPLE.com' };
  expect((await call('POST /developers/merge', pair, app.tokens.manager)).status).toBe(403);
  expect((await call('POST /developers/merge', pair)).body).toMatchObject({ into_user_name: 'ada' });
  expect((await suggestions()).map(([who]) => who)).not.toContain('ada-home');
  expect((await call('POST /developers/merge', pair)).status).toBe(422);
  const split = await call('POST /developers/split', { committer_identifier: 'ada-home' });
  expect(split.body).toMatchObject({ committer_user_name: 'ada-home', from_user_name: 'ada', identity_count: 1 });
  expect(await people()).toMatchObject({ 'ada-home': null });
  // Split on purpose: the pair is not suggested again, others are.
  expect(await suggestions()).toEqual([['namesake', 'ada-home', 1]]);
});

test('of calls that merge the same people at once one does, and the others say that they are one already', async () => {
  const answers = await Promise.all(
    [
      ['ada-home', 'ada'],
      ['ada', 'ada-home'],
      ['ada-home', 'ada'],
    ].map(([committer_identifier, into_identifier]) =>
      app.request({ route: 'POST /developers/merge', json: { committer_identifier, into_identifier } }),
    ),
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422, 422]);
  const done = answers.find(({ status }) => status === 200)!.body;
  expect((await people())[done.committer_user_name as string]).toBe(done.into_user_name);
  await expectExactRollups();
});

describe('while an import joins people', () => {
  const idOf = async (name: string): Promise<number> => {
    const { rows } = await app.store.pool.query('select id from committers where committer_user_name = $1', [name]);
    return rows[0].id;
  };
  /** Joins as an import does, and ends when the call has had time to come to it. */
  const joinBeside = async (who: string, into: string, call: () => Promise<unknown>): Promise<void> => {
    const [child, root] = [await idOf(who), await idOf(into)];
    let called: Promise<unknown> = Promise.resolve();
    await app.store.db.transaction().execute(async (trx) => {
      await lockPeople(trx, entityId);
      await joinCommitters(trx, entityId, child, root);
      called = call();
      await pause(300);
    });
    await called;
  };

  test('a status is that of all who belong to the person then', async () => {
    const json = { committer_user_name: 'ada', processing_status: 'limited_processing' };
    await joinBeside('ada-home', 'ada', () => app.request({ route: 'POST /developers/set_processing', json }));
    await expectExactRollups();
  });

  test('those who are merged belong to one person', async () => {
    await joinBeside('ada-old', 'ada-home', () => merge('ada-home', 'ada'));
    expect(await people()).toMatchObject({ 'ada-home': 'ada', 'ada-old': 'ada' });
    await expectExactRollups();
  });
});

test('teams and days off follow the person', async () => {
  await app.request({ route: 'POST /teams', json: { name: 'Core', developer_members: 'ada-home' } });
  const off = { resource_path: 'acme', start_date: '2026-11-23' };
  await app.request({ route: 'POST /developers/record_time_off', json: { ...off, committer_user_name: 'ada-home' } });
  await merge('ada-home', 'ada');
  const shown = await app.request({ route: 'GET /teams', query: 'name=core' });
  expect(shown.body.team).toMatchObject({
    committers_total_count: 2,
    developer_members: [{ committer_user_name: 'ada' }],
  });
  const again = await app.request({
    route: 'POST /developers/record_time_off',
    json: { ...off, committer_user_name: 'ada' },
  });
  expect(again.body.full_success).toBe(false);
});

test('impossible merges and splits are refused with a reason', async () => {
  await expect(merge('ada', 'ghost')).rejects.toThrow('no committer is known as "ghost"');
  await expect(merge('ada', 'ada@example.com')).rejects.toThrow('are both ada already');
  await expect(split('ada')).rejects.toThrow('is a person of its own');
  await expect(split('ghost')).rejects.toThrow('no committer is known as "ghost"');
  await merge('ada-home', 'ada');
  await app.operations.settings.set(OPERATOR, 'acme', 'seat_limit', 2);
  await expect(split('ada-home')).rejects.toMatchObject({ code: 'conflict' });
  expect((await people())['ada-home']).toBe('ada');
});
