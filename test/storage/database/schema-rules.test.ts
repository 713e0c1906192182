import { beforeAll, describe, expect, test } from 'vitest';
import type { Store } from '../../../src/storage/database/handle.ts';
import { readMigrations } from '../../../src/storage/database/migrate.ts';
import { createTestDatabase } from '../../support/database.ts';
import { findMigrationViolations, findSchemaViolations } from '../../support/schema-rules.ts';

let store: Store;
beforeAll(async () => {
  ({ store } = await createTestDatabase());
});

test('the schema obeys the rules', async () => {
  expect(await findSchemaViolations(store.pool)).toEqual([]);
});

test.each(readMigrations())('the migration $name obeys the rules', ({ sql }) => {
  expect(findMigrationViolations(sql)).toEqual([]);
});

const asTenant = `insert into table_kinds values ('bad', 'tenant');`;
const asLocal = `insert into table_kinds values ('bad', 'local');`;
const BAD_SCHEMAS: { name: string; sql: string; found: string }[] = [
  {
    name: 'a table without a kind',
    sql: 'create table bad (id bigint, constraint bad_pkey primary key (id))',
    found: 'bad has no kind in table_kinds',
  },
  { name: 'a kind without a table', sql: asLocal, found: 'bad is in table_kinds, but does not exist' },
  {
    name: 'a table without a primary key',
    sql: `create table bad (n int); ${asLocal}`,
    found: 'bad has no primary key',
  },
  {
    name: 'a tenant table without entity_id',
    sql: `create table bad (id bigint, constraint bad_pkey primary key (id)); ${asTenant}`,
    found: 'bad is a tenant table without entity_id bigint not null',
  },
  {
    name: 'a tenant table with an entity_id of another type',
    sql: `create table bad (entity_id int, constraint bad_pkey primary key (entity_id)); ${asTenant}`,
    found: 'bad is a tenant table without entity_id bigint not null',
  },
  {
    name: 'a primary key that begins with another column',
    sql: `create table bad (entity_id bigint, id bigint, constraint bad_pkey primary key (id, entity_id)); ${asTenant}`,
    found: 'bad_pkey is the primary key of a tenant table and does not begin with entity_id',
  },
  {
    name: 'a unique index without entity_id',
    sql: 'create unique index bad_value_idx on entity_settings (key)',
    found: 'bad_value_idx is a unique index of a tenant table without entity_id',
  },
  {
    name: 'an identity column',
    sql: `create table bad (id bigint generated always as identity, constraint bad_pkey primary key (id)); ${asLocal}`,
    found: 'bad.id is an identity column',
  },
  {
    name: 'a serial that is not a bigserial',
    sql: `create table bad (id serial, constraint bad_pkey primary key (id)); ${asLocal}`,
    found: 'bad.id is numbered by a sequence, but not a bigint',
  },
  {
    name: 'a trigger',
    sql: `create trigger bad_trigger before update on users
            for each row execute function suppress_redundant_updates_trigger()`,
    found: 'bad_trigger is a trigger on a table that is not local',
  },
  {
    name: 'a constraint with a name of another form',
    sql: 'alter table users add constraint sensible check (id > 0)',
    found: 'sensible is not named <table>_…_pkey, _key, _fkey, _check or _excl',
  },
  {
    name: 'a foreign key from a tenant table to a local one',
    sql: `alter table entity_settings add constraint entity_settings_key_fkey
            foreign key (key) references workers (id)`,
    found: 'entity_settings_key_fkey is a foreign key from a tenant table to a local one',
  },
  {
    name: 'a foreign key between tenant tables without entity_id',
    sql: `create table bad (entity_id bigint, key text, setting_entity_id bigint,
            constraint bad_pkey primary key (entity_id, key),
            constraint bad_key_fkey foreign key (setting_entity_id, key) references entity_settings (entity_id, key));
          ${asTenant}`,
    found: 'bad_key_fkey is a foreign key between tenant tables that does not pair entity_id with entity_id',
  },
  {
    name: 'a foreign key from a reference table to a local one',
    sql: `alter table users add constraint users_full_name_fkey foreign key (full_name) references workers (id)`,
    found: 'users_full_name_fkey is a foreign key of a reference table to a table that is not one',
  },
  {
    name: 'a foreign key from a local table to a reference table',
    sql: `alter table workers add constraint workers_pid_fkey foreign key (pid) references users (id)`,
    found: 'workers_pid_fkey is a foreign key of a local table to a table that is not one',
  },
  {
    name: 'a foreign key that sets null',
    sql: `alter table api_tokens add constraint api_tokens_name_fkey
            foreign key (name) references users (email) on delete set null`,
    found: 'api_tokens_name_fkey is a foreign key with set null, set default or on update',
  },
];

describe('a bad schema is found out', () => {
  test.each(BAD_SCHEMAS)('$name', async ({ sql, found }) => {
    const client = await store.pool.connect();
    try {
      await client.query('begin');
      await client.query(sql);
      expect(await findSchemaViolations(client)).toContain(found);
    } finally {
      await client.query('rollback');
      client.release();
    }
  });
});

describe('a bad migration is found out', () => {
  test.each([
    ['create table t (id bigint primary key)', 'line 1: primary key without "constraint <name>"'],
    ['create table t (id bigint,\n unique (id))', 'line 2: unique without "constraint <name>"'],
    ['create table t (id bigint check (id > 0))', 'line 1: check without "constraint <name>"'],
    ['create table t (id bigint references u (id))', 'line 1: references without "constraint <name>"'],
    [
      'alter table t add column a int, add column b int',
      'more than one change in: alter table t add column a int, add column b int',
    ],
  ])('%s', (sql, found) => {
    expect(findMigrationViolations(sql)).toContain(found);
  });

  test('and a good one is not', () => {
    const sql = `create unique index i on t (a); -- primary key
      create table t (a text default 'unique', constraint t_a_check check (a <> 'check'),
        constraint t_a_fkey foreign key (a) references u (a));
      alter table t add constraint t_b_key unique (b, c);`;
    expect(findMigrationViolations(sql)).toEqual([]);
  });
});
