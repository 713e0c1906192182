// Migrations that repair rows which an earlier version left behind: each is run once more on such rows.
import { expect, test } from 'vitest';
import type { Store } from '../../../../src/storage/database/handle.ts';
import { readMigrations } from '../../../../src/storage/database/migrate.ts';
import { createTestDatabase } from '../../../support/database.ts';

const sqlOf = (name: string): string => readMigrations().find((migration) => migration.name === name)!.sql;

async function addEntity({ pool }: Store): Promise<number> {
  const { rows } = await pool.query<{ id: number }>(
    `insert into entities (slug, name) values ('acme', 'Acme') returning id`,
  );
  return rows[0]!.id;
}

test('0291: a defect that a call recorded counts as named for the entity, one of a release does not', async () => {
  const { store } = await createTestDatabase();
  const entityId = await addEntity(store);
  await store.pool.query(
    `insert into critical_defects (entity_id, defect_key, detected_at, source_em)
     values ($1, 'CALL-1', now(), 'api'), ($1, 'REL-1', now(), 'release')`,
    [entityId],
  );
  await store.pool.query(
    `insert into defect_scopes (entity_id, defect_id, organization_id, repo_id)
     select entity_id, id, 1, 1 from critical_defects`,
  );
  for (let time = 0; time < 2; time++) await store.pool.query(sqlOf('0291_defects_of_the_entity'));
  const { rows: scopes } = await store.pool.query(
    `select d.defect_key, s.organization_id, s.repo_id from defect_scopes s
     join critical_defects d on d.entity_id = s.entity_id and d.id = s.defect_id order by 1, 2 nulls last`,
  );
  expect(scopes).toEqual([
    { defect_key: 'CALL-1', organization_id: 1, repo_id: 1 },
    { defect_key: 'CALL-1', organization_id: null, repo_id: null },
    { defect_key: 'REL-1', organization_id: 1, repo_id: 1 },
  ]);
});

test('0292: usage of teams that are gone is attributed to nobody, in one record of a day and model', async () => {
  const { store } = await createTestDatabase();
  const entityId = await addEntity(store);
  await store.pool.query(`insert into teams (entity_id, id, slug, name) values ($1, 7, 'here', 'Here')`, [entityId]);
  const usages: readonly (readonly [day: string, team: number | null, added: number | null, deleted: number | null])[] =
    [
      ['2026-10-05', null, 3, null],
      ['2026-10-05', 8, 70, 1],
      ['2026-10-05', 9, 7, null],
      ['2026-10-05', 7, 5, null],
      ['2026-10-06', 8, null, 2],
    ];
  for (const [day, team, added, deleted] of usages) {
    await store.pool.query(
      `insert into ai_usages (entity_id, used_on, team_id, llm_model_name, ai_provider_em, lines_added, lines_deleted)
       values ($1, $2, $3, 'gpt-5', 'custom', $4, $5)`,
      [entityId, day, team, added, deleted],
    );
  }
  for (let time = 0; time < 2; time++) await store.pool.query(sqlOf('0292_usage_of_deleted_teams'));
  const { rows } = await store.pool.query(
    'select used_on, team_id, lines_added, lines_deleted, tab_accept_count from ai_usages order by 1, 2 nulls first',
  );
  const none = { tab_accept_count: null };
  expect(rows).toEqual([
    { used_on: '2026-10-05', team_id: null, lines_added: 80, lines_deleted: 1, ...none },
    { used_on: '2026-10-05', team_id: 7, lines_added: 5, lines_deleted: null, ...none },
    { used_on: '2026-10-06', team_id: null, lines_added: null, lines_deleted: 2, ...none },
  ]);
});

test('0293: whom the first look at a board found has always belonged, who joined later and whom people added stay', async () => {
  const { store } = await createTestDatabase();
  const entityId = await addEntity(store);
  await store.pool.query(
    `insert into teams (entity_id, id, slug, name, source_key)
     values ($1, 1, 'board', 'Board', 'board:1:84'), ($1, 2, 'host', 'Host', 'team:5'), ($1, 3, 'own', 'Own', null)`,
    [entityId],
  );
  const members: readonly (readonly [team: number, who: string, from: string | null, isDerived: boolean])[] = [
    [1, 'first', '2026-10-05', true],
    [1, 'second', '2026-10-05', true],
    [1, 'later', '2026-10-09', true],
    [1, 'added', '2026-10-05', false],
    [2, 'hosted', '2026-10-05', true],
  ];
  for (const [index, [team, who, from, isDerived]] of members.entries()) {
    await store.pool.query(
      `insert into team_members (entity_id, team_id, committer_id, identifier, role_em, from_on, is_derived)
       values ($1, $2, $3, $4, 'committer_role', $5, $6)`,
      [entityId, team, index + 1, who, from, isDerived],
    );
  }
  await store.pool.query('alter table teams drop column is_source_collected');
  await store.pool.query(sqlOf('0293_first_look_at_boards'));
  const { rows } = await store.pool.query('select identifier, from_on from team_members order by committer_id');
  expect(rows.map(({ identifier, from_on }) => [identifier, from_on])).toEqual([
    ['first', null],
    ['second', null],
    ['later', '2026-10-09'],
    ['added', '2026-10-05'],
    ['hosted', '2026-10-05'],
  ]);
  const { rows: teams } = await store.pool.query('select id, is_source_collected from teams where id < 4 order by id');
  expect(teams.map(({ is_source_collected }) => is_source_collected)).toEqual([false, true, false]);
});

test('0301: what was taken back at Bitbucket Cloud is a review that was dismissed', async () => {
  const { store } = await createTestDatabase();
  const entityId = await addEntity(store);
  await store.pool.query(`insert into organizations (entity_id, id, slug, name) values ($1, 1, 'org', 'Org')`, [
    entityId,
  ]);
  await store.pool.query(
    `insert into repos (entity_id, id, organization_id, slug, name, source_kind, host_key)
     values ($1, 1, 1, 'cloud', 'Cloud', 'hosted', 'hostB:bitbucket.org'),
       ($1, 2, 1, 'other', 'Other', 'hosted', 'hostC:github.com')`,
    [entityId],
  );
  await store.pool.query(
    `insert into pull_requests (entity_id, id, repo_id, number, title, branch_name, base_branch, created_at, opened_at,
       last_activity_at)
     select $1, r.id, r.id, 1, '', 'work', 'main', now(), now(), now() from repos r`,
    [entityId],
  );
  await store.pool.query(
    `insert into pull_request_reviews (entity_id, pull_request_id, external_id, is_bot, is_by_author, state_em, submitted_at,
       deleted_at)
     select $1, p.id, v.id, false, false, 'approved', now(), v.deleted_at
     from pull_requests p, (values ('here', null), ('gone', now())) as v(id, deleted_at)`,
    [entityId],
  );
  await store.pool.query(sqlOf('0301_reviews_that_were_taken_back'));
  const { rows } = await store.pool.query(
    `select v.pull_request_id as repo, v.external_id as id, v.state_em as state, v.deleted_at is null as is_kept, r.has_stale_reviews
     from pull_request_reviews v join repos r on r.id = v.pull_request_id order by 1, 2`,
  );
  expect(rows).toEqual([
    { repo: 1, id: 'gone', state: 'dismissed', is_kept: true, has_stale_reviews: true },
    { repo: 1, id: 'here', state: 'approved', is_kept: true, has_stale_reviews: true },
    { repo: 2, id: 'gone', state: 'approved', is_kept: false, has_stale_reviews: false },
    { repo: 2, id: 'here', state: 'approved', is_kept: true, has_stale_reviews: false },
  ]);
});

test('0300: the issues of Jira Data Center are collected anew, those of other trackers are not', async () => {
  const { store } = await createTestDatabase();
  const entityId = await addEntity(store);
  await store.pool.query(
    `insert into trackers (entity_id, id, kind, host_key, name)
     values ($1, 1, 'jira', 'cloud', 'Cloud'), ($1, 2, 'jira_server', 'server', 'Server')`,
    [entityId],
  );
  await store.pool.query(
    `insert into sync_streams (entity_id, scope_kind, host_key, tracker_id, stream, mode, priority, finished_at)
     select $1, 'tracker', t.host_key, t.id, s.stream, 'backfill', 2, now()
     from trackers t, (values ('issues'), ('others')) as s(stream)`,
    [entityId],
  );
  await store.pool.query(sqlOf('0300_jira_data_center_anew'));
  const { rows } = await store.pool.query(
    'select tracker_id, stream from sync_streams where finished_at is null and next_due_at is not null',
  );
  expect(rows).toEqual([{ tracker_id: 2, stream: 'issues' }]);
});

test('0302: a token of a super admin that an admin has made is revoked, those of others are not', async () => {
  const { store } = await createTestDatabase();
  const entityId = await addEntity(store);
  await store.pool.query(
    `insert into users (id, email, is_super_admin)
     values (901, 'root@x.org', true), (902, 'root2@x.org', true), (903, 'admin@x.org', false), (904, 'member@x.org', false)`,
  );
  const tokens: readonly (readonly [name: string, user: number, by: number | null])[] = [
    ['made by an admin', 901, 903],
    ['made by themselves', 901, 901],
    ['made by another super admin', 901, 902],
    ['made by the operator', 902, null],
    ['of a member', 904, 903],
  ];
  for (const [name, user, by] of tokens)
    await store.pool.query(
      'insert into api_tokens (entity_id, user_id, name, token_sha256, created_by) values ($1, $2, $3, sha256($4::bytea), $5)',
      [entityId, user, name, Buffer.from(name), by],
    );
  for (let time = 0; time < 2; time++) await store.pool.query(sqlOf('0302_tokens_of_super_admins'));
  const { rows } = await store.pool.query('select name from api_tokens where revoked_at is not null');
  expect(rows).toEqual([{ name: 'made by an admin' }]);
});

test('0304: secrets of webhooks leave the trail, and nothing else of it does', async () => {
  const { store } = await createTestDatabase();
  const rows: readonly (readonly [operation: string, parameters: object])[] = [
    ['strata webhook add', { host: 'hostC:github.com', secret: 'hush' }],
    ['strata webhook add', { host: 'hostC:github.com' }],
    ['strata entity create', { slug: 'a', secret: 'a name of its own' }],
  ];
  for (const [operation, parameters] of rows)
    await store.pool.query(
      `insert into activities (entity_id, occurred_at, credential_kind, operation, outcome_em, parameters)
       values (0, now(), 'operator', $1, 'success', $2)`,
      [operation, parameters],
    );
  for (let time = 0; time < 2; time++) await store.pool.query(sqlOf('0304_no_secrets_in_the_trail'));
  const { rows: left } = await store.pool.query('select operation, parameters from activities order by id');
  expect(left).toEqual([
    { operation: 'strata webhook add', parameters: { host: 'hostC:github.com' } },
    { operation: 'strata webhook add', parameters: { host: 'hostC:github.com' } },
    { operation: 'strata entity create', parameters: { slug: 'a', secret: 'a name of its own' } },
  ]);
});
