import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Caller } from '../../../src/domain/access/caller.ts';
import type { ErrorCode } from '../../../src/domain/errors.ts';
import { parseResourcePath, parseResourcePaths } from '../../../src/domain/resource-path.ts';
import { silentLog } from '../../../src/kit/log.ts';
import { ensureCredentials } from '../../../src/operations/access/first-start.ts';
import { createOperations, OPERATOR, type OperationParts, type Operations } from '../../../src/operations/index.ts';
import { countJobs } from '../../../src/storage/queue/queue.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
let operations: Operations;
let parts: OperationParts;
let clock: Date;

beforeAll(async () => {
  database = await createTestDatabase();
  clock = new Date('2026-11-15T12:00:00Z');
  parts = { store: database.store, log: silentLog, now: () => clock, elapsedMs: () => clock.getTime() };
  operations = createOperations(parts);
  await operations.entities.create(OPERATOR, { slug: 'acme', name: 'Acme' });
  await operations.entities.create(OPERATOR, { slug: 'other' });
});
afterAll(() => operations.close());

const later = (seconds: number): void => {
  clock = new Date(clock.getTime() + seconds * 1000);
};

/** A token of a new user with the role, and the caller it stands for. */
async function makeCaller(email: string, entity: string, role: string): Promise<{ token: string; caller: Caller }> {
  await operations.users.create(OPERATOR, { email, entity, role });
  const { token } = await operations.tokens.create(OPERATOR, { entity, user_email: email });
  return { token, caller: (await operations.tokens.authenticate(token))! };
}

const tokenIdOf = ({ via }: Caller): number => (via.kind === 'token' ? via.token_id : Number.NaN);
const zoneOf = async (caller: Caller): Promise<string> => (await operations.access.locate(caller)).settings.time_zone;

const refusal = (code: ErrorCode) => expect.objectContaining({ name: 'StrataError', code });

describe('entities', () => {
  it('are listed in the order they were made', async () => {
    expect((await operations.entities.list(OPERATOR)).map(({ slug, name }) => ({ slug, name }))).toEqual([
      { slug: 'acme', name: 'Acme' },
      { slug: 'other', name: 'other' },
    ]);
  });

  it('have slugs that are different from each other', async () => {
    await expect(operations.entities.create(OPERATOR, { slug: 'acme' })).rejects.toEqual(refusal('conflict'));
  });

  it.each(['', 'Acme', 'a b', 'a/b', '-a', 'a-', '.', 'a'.repeat(101)])('cannot have the slug %j', async (slug) => {
    await expect(operations.entities.create(OPERATOR, { slug })).rejects.toEqual(refusal('invalid_parameter'));
  });

  it('are made by super admins only, and others see just their own', async () => {
    const { caller } = await makeCaller('admin@acme.test', 'acme', 'admin');
    await expect(operations.entities.create(caller, { slug: 'mine' })).rejects.toEqual(refusal('forbidden'));
    expect((await operations.entities.list(caller)).map(({ slug }) => slug)).toEqual(['acme']);
  });
});

describe('access to resource paths', () => {
  it.each([
    ['member', 'acme', 'member', null],
    ['member', 'acme/org/repo', 'manager', 'forbidden'],
    ['manager', 'acme/org', 'manager', null],
    ['manager', 'acme', 'admin', 'forbidden'],
    ['admin', 'acme', 'admin', null],
    ['admin', 'other', 'member', 'not_found'],
    ['admin', 'nowhere', 'member', 'not_found'],
  ] as const)('a %s of acme asks for %s as %s: %s', async (role, path, needed, code) => {
    const { caller } = await makeCaller(`${role}@path.test`, 'acme', role);
    const attempt = operations.access.enter(caller, [parseResourcePath(path)], needed);
    if (code === null)
      expect(await attempt).toMatchObject({ entity: { id: caller.entity_id, slug: 'acme' }, role: needed });
    else await expect(attempt).rejects.toEqual(refusal(code));
  });

  it('a super admin may go everywhere, except to what does not exist', async () => {
    await operations.users.create(OPERATOR, { email: 'root@acme.test', is_super_admin: true });
    const { token } = await operations.tokens.create(OPERATOR, { entity: 'acme', user_email: 'root@acme.test' });
    const caller = (await operations.tokens.authenticate(token))!;
    expect(caller).toMatchObject({ is_super_admin: true, role: 'admin', entity_slug: 'acme' });
    const grant = await operations.access.enter(caller, parseResourcePaths('other/a,other/b'), 'admin');
    expect(grant.entity.slug).toBe('other');
    expect(grant.entity.id).not.toBe(caller.entity_id);
    await expect(operations.access.enter(caller, [parseResourcePath('nowhere')], 'member')).rejects.toEqual(
      refusal('not_found'),
    );
  });

  it('an unknown and a foreign entity are answered with the same words', async () => {
    const { caller } = await makeCaller('curious@acme.test', 'acme', 'admin');
    const messageFor = (slug: string) =>
      operations.access.enter(caller, [parseResourcePath(slug)], 'member').catch((error: Error) => error.message);
    expect((await messageFor('other'))?.toString().replace('other', 'X')).toBe(
      (await messageFor('nowhere'))?.toString().replace('nowhere', 'X'),
    );
  });
});

describe('users', () => {
  it('can have roles in several entities; a second create adds rights and takes none', async () => {
    await operations.users.create(OPERATOR, {
      email: ' Jo@Acme.test ',
      full_name: 'Jo',
      entity: 'acme',
      role: 'manager',
      is_super_admin: true,
    });
    const user = await operations.users.create(OPERATOR, { email: 'jo@acme.test', entity: 'other' });
    expect(user).toMatchObject({
      email: 'jo@acme.test',
      full_name: 'Jo',
      is_super_admin: true,
      memberships: [
        { entity: 'acme', role: 'manager' },
        { entity: 'other', role: 'member' },
      ],
    });
  });

  it('are renamed by super admins alone, and an admin learns nothing of their other roles', async () => {
    const { caller } = await makeCaller('lead@acme.test', 'acme', 'admin');
    await operations.users.create(OPERATOR, { email: 'kim@other.test', full_name: 'Kim', entity: 'other' });
    const joined = await operations.users.create(caller, {
      email: 'kim@other.test',
      full_name: 'Renamed',
      entity: 'acme',
    });
    expect(joined).toMatchObject({ full_name: 'Kim', memberships: [{ entity: 'acme', role: 'member' }] });
    const listed = (await operations.users.list(caller, {})).find(({ email }) => email === 'kim@other.test');
    expect(listed?.memberships).toEqual([{ entity: 'acme', role: 'member' }]);
    const renamed = await operations.users.create(OPERATOR, { email: 'kim@other.test', full_name: 'Kim B' });
    expect(renamed).toMatchObject({ full_name: 'Kim B', memberships: [{ entity: 'acme' }, { entity: 'other' }] });
    await operations.users.create(OPERATOR, { email: 'nameless@acme.test', entity: 'acme' });
    const named = await operations.users.create(caller, {
      email: 'nameless@acme.test',
      full_name: 'Named',
      entity: 'acme',
    });
    expect(named.full_name).toBe('Named');
  });

  it('are made in its own entity by an admin, who can neither reach another nor appoint super admins', async () => {
    const { caller } = await makeCaller('boss@acme.test', 'acme', 'admin');
    await operations.users.create(caller, { email: 'new@acme.test', entity: 'acme' });
    expect((await operations.users.list(caller, {})).map(({ email }) => email)).toContain('new@acme.test');
    await expect(operations.users.create(caller, { email: 'x@acme.test', entity: 'other' })).rejects.toEqual(
      refusal('not_found'),
    );
    await expect(
      operations.users.create(caller, { email: 'x@acme.test', entity: 'acme', is_super_admin: true }),
    ).rejects.toEqual(refusal('forbidden'));
    await expect(operations.users.create(caller, { email: 'x@acme.test' })).rejects.toEqual(refusal('forbidden'));
    await expect(operations.users.list(caller, { entity: 'other' })).rejects.toEqual(refusal('not_found'));
  });

  it.each([
    [{ email: 'nobody' }],
    [{ email: 'a b@c' }],
    [{ email: 'a@b', entity: 'acme', role: 'king' }],
    [{ email: 'a@b', role: 'admin' }],
  ])('%j is refused', async (input) => {
    await expect(operations.users.create(OPERATOR, input)).rejects.toEqual(refusal('invalid_parameter'));
  });
});

describe('tokens', () => {
  it('speak for their user in their entity, and are stored as a hash only', async () => {
    const { token, caller } = await makeCaller('tok@acme.test', 'acme', 'manager');
    expect(token).toMatch(/^strata_[A-Za-z0-9_-]{43}$/);
    expect(caller).toMatchObject({ entity_slug: 'acme', role: 'manager', is_super_admin: false });
    const { rows } = await database.store.pool.query('select * from api_tokens where id = $1', [tokenIdOf(caller)]);
    expect(JSON.stringify(rows)).not.toContain(token.slice(7));
    const list = await operations.tokens.list(OPERATOR, { entity: 'acme' });
    expect(JSON.stringify(list)).not.toContain(token.slice(7));
  });

  it('are refused at once after a revocation in the same process', async () => {
    const { token, caller } = await makeCaller('rev@acme.test', 'acme', 'member');
    const revoked = await operations.tokens.revoke(OPERATOR, String(tokenIdOf(caller)));
    expect(revoked).toMatchObject({ id: tokenIdOf(caller), revoked_at: clock.toISOString().replace('.000', '') });
    expect(await operations.tokens.authenticate(token)).toBeNull();
    later(60);
    expect((await operations.tokens.revoke(OPERATOR, token)).revoked_at).toBe(revoked.revoked_at);
  });

  it('are refused within five seconds after a revocation in another process', async () => {
    const { token } = await makeCaller('far@acme.test', 'acme', 'member');
    const elsewhere = createOperations(parts);
    await elsewhere.tokens.revoke(OPERATOR, token);
    await elsewhere.close();
    later(5);
    expect(await operations.tokens.authenticate(token)).toBeNull();
  });

  it('stop with their expiry', async () => {
    await operations.users.create(OPERATOR, { email: 'exp@acme.test', entity: 'acme' });
    const input = { entity: 'acme', user_email: 'exp@acme.test' };
    const { token } = await operations.tokens.create(OPERATOR, {
      ...input,
      expires_at: new Date(clock.getTime() + 2_000).toISOString(),
    });
    expect(await operations.tokens.authenticate(token)).not.toBeNull();
    later(2);
    expect(await operations.tokens.authenticate(token)).toBeNull();
    for (const expires_at of ['2020-01-01', 'tomorrow', '2027-13-01']) {
      await expect(operations.tokens.create(OPERATOR, { ...input, expires_at })).rejects.toEqual(
        refusal('invalid_parameter'),
      );
    }
  });

  it('stop when their user loses the role, and when their entity leaves', async () => {
    const { token, caller } = await makeCaller('gone@other.test', 'other', 'admin');
    const { pool } = database.store;
    await pool.query(`update entities set state = 'offboarding' where slug = 'other'`);
    later(5);
    expect(await operations.tokens.authenticate(token)).toBeNull();
    await pool.query(`update entities set state = 'active' where slug = 'other'`);
    later(5);
    expect(await operations.tokens.authenticate(token)).not.toBeNull();
    await pool.query('delete from memberships where user_id = $1', [caller.user_id]);
    later(5);
    expect(await operations.tokens.authenticate(token)).toBeNull();
  });

  it('are revoked with the role, and do not come back with another one', async () => {
    const { token, caller } = await makeCaller('leaver@acme.test', 'acme', 'member');
    await operations.users.create(OPERATOR, { email: 'leaver@acme.test', entity: 'other' });
    const { token: elsewhere } = await operations.tokens.create(OPERATOR, {
      entity: 'other',
      user_email: 'leaver@acme.test',
    });
    const grant = await operations.access.enterEntity(OPERATOR, 'acme', 'admin');
    await operations.users.removeRole(grant, caller.user_id);
    await operations.users.create(OPERATOR, { email: 'leaver@acme.test', entity: 'acme' });
    operations.tokens.forget();
    expect(await operations.tokens.authenticate(token)).toBeNull();
    expect(await operations.tokens.authenticate(elsewhere)).not.toBeNull();
  });

  it('of super admins are made by super admins, and all that there are end when somebody becomes one', async () => {
    const { caller } = await makeCaller('admin@tokens.test', 'acme', 'admin');
    await operations.users.create(OPERATOR, { email: 'top@tokens.test', entity: 'acme', is_super_admin: true });
    const input = { entity: 'acme', user_email: 'top@tokens.test' };
    await expect(operations.tokens.create(caller, input)).rejects.toEqual(refusal('forbidden'));
    const { token: own } = await operations.tokens.create(OPERATOR, input);
    const top = (await operations.tokens.authenticate(own))!;
    const { token: ofTop } = await operations.tokens.create(top, input);
    expect(await operations.tokens.authenticate(ofTop)).toMatchObject({ is_super_admin: true });

    await operations.users.create(OPERATOR, { email: 'rising@tokens.test', entity: 'acme' });
    const rising = { entity: 'acme', user_email: 'rising@tokens.test' };
    const { token: byAdmin } = await operations.tokens.create(caller, rising);
    const { token: byOperator } = await operations.tokens.create(OPERATOR, rising);
    expect(await operations.tokens.authenticate(byAdmin)).toMatchObject({ is_super_admin: false });
    await operations.users.create(OPERATOR, { email: 'rising@tokens.test', is_super_admin: true });
    operations.tokens.forget();
    expect(await operations.tokens.authenticate(byAdmin)).toBeNull();
    expect(await operations.tokens.authenticate(byOperator)).toBeNull();
    const { token: again } = await operations.tokens.create(OPERATOR, rising);
    await operations.users.create(OPERATOR, { email: 'rising@tokens.test', is_super_admin: true });
    operations.tokens.forget();
    expect(await operations.tokens.authenticate(again)).toMatchObject({ is_super_admin: true });
  });

  it('need a user with a role in the entity', async () => {
    await operations.users.create(OPERATOR, { email: 'norole@acme.test', entity: 'acme' });
    for (const user_email of ['norole@acme.test', 'unknown@acme.test']) {
      await expect(operations.tokens.create(OPERATOR, { entity: 'other', user_email })).rejects.toEqual(
        refusal('not_found'),
      );
    }
  });

  it('of a foreign entity can neither be listed nor revoked', async () => {
    const { caller } = await makeCaller('a@acme.test', 'acme', 'admin');
    const foreign = await makeCaller('b@other.test', 'other', 'member');
    await expect(operations.tokens.revoke(caller, String(tokenIdOf(foreign.caller)))).rejects.toEqual(
      refusal('not_found'),
    );
    await expect(operations.tokens.list(caller, { entity: 'other' })).rejects.toEqual(refusal('not_found'));
    expect((await operations.tokens.list(caller, {})).every(({ entity }) => entity === 'acme')).toBe(true);
    await expect(operations.tokens.revoke(OPERATOR, 'zebra')).rejects.toEqual(refusal('invalid_parameter'));
  });

  it('have their last use written later, all at once', async () => {
    const own = createOperations(parts);
    const { token, caller } = await makeCaller('use@acme.test', 'acme', 'member');
    later(1);
    await own.tokens.authenticate(token);
    const read = async () =>
      (
        await database.store.db
          .selectFrom('api_tokens')
          .select('last_used_at')
          .where('id', '=', tokenIdOf(caller))
          .executeTakeFirstOrThrow()
      ).last_used_at;
    expect(await read()).toBeNull();
    await own.close();
    expect(Date.parse((await read())!)).toBe(clock.getTime());
  });
});

describe('settings', () => {
  it('are the defaults until set, per entity, and can be put back', async () => {
    const read = async (entity: string) =>
      (await operations.settings.list(OPERATOR, entity)).find(({ key }) => key === 'time_zone');
    await operations.settings.set(OPERATOR, 'acme', 'time_zone', 'Europe/Berlin');
    expect(await read('acme')).toMatchObject({ value: 'Europe/Berlin', is_default: false, rebuild: 'rollups' });
    expect(await read('other')).toMatchObject({ value: 'UTC', is_default: true });
    await operations.settings.set(OPERATOR, 'acme', 'time_zone', undefined);
    expect(await read('acme')).toMatchObject({ value: 'UTC', is_default: true });
  });

  it('queue the rebuild of what depends on them, once for several changes', async () => {
    const jobs = async () =>
      (await countJobs(database.store.db)).find(({ task }) => task === 'rebuild_rollups')?.waiting ?? 0;
    const before = await jobs();
    await operations.settings.set(OPERATOR, 'other', 'stats_access', 'team');
    expect(await jobs()).toBe(before);
    await operations.settings.set(OPERATOR, 'other', 'time_zone', 'Asia/Tokyo');
    await operations.settings.set(OPERATOR, 'other', 'time_zone', 'Asia/Seoul');
    expect(await jobs()).toBe(before + 1);
    await expect(operations.settings.set(OPERATOR, 'other', 'time_zone', 'x')).rejects.toThrow();
    await operations.settings.set(OPERATOR, 'other', 'time_zone', undefined);
    expect(await jobs()).toBe(before + 1);
  });

  it.each([
    ['extra_holidays', ['2026-12-24']],
    ['seat_limit', null],
    ['small_group_floor', 4],
    ['category_rules', [{ pattern: 'x/**', category: 'tests', multiplier: 0.5 }]],
  ] as const)('%s comes back as it went in', async (key, value) => {
    await operations.settings.set(OPERATOR, 'acme', key, value);
    expect((await operations.settings.list(OPERATOR, 'acme')).find((record) => record.key === key)).toMatchObject({
      value,
      is_default: false,
    });
  });

  it('are changed by admins only, and the zone follows at once', async () => {
    const admin = await makeCaller('set@acme.test', 'acme', 'admin');
    const member = await makeCaller('look@acme.test', 'acme', 'member');
    expect(await zoneOf(member.caller)).toBe('UTC');
    await operations.settings.set(admin.caller, 'acme', 'time_zone', 'Asia/Tokyo');
    expect(await zoneOf(member.caller)).toBe('Asia/Tokyo');
    await expect(operations.settings.set(member.caller, 'acme', 'time_zone', 'UTC')).rejects.toEqual(
      refusal('forbidden'),
    );
    await expect(operations.settings.set(admin.caller, 'other', 'time_zone', 'UTC')).rejects.toEqual(
      refusal('not_found'),
    );
    await expect(operations.settings.set(admin.caller, 'acme', 'time_zone', 'x')).rejects.toEqual(
      refusal('invalid_parameter'),
    );
  });
});

describe('first start', () => {
  let folder: string;
  let fresh: TestDatabase;
  let own: OperationParts;
  let ops: Operations;
  const baseUrl = 'http://127.0.0.1:7080';
  const start = (address = baseUrl, isListening = true) =>
    ensureCredentials(own, ops.tokens, { dataFolder: folder, baseUrl: address, isListening, ownsDatabase: false });
  const path = () => join(folder, 'credentials.json');

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'strata-first-'));
    fresh = await createTestDatabase();
    own = { store: fresh.store, log: silentLog, now: () => new Date() };
    ops = createOperations(own);
  });
  afterAll(async () => {
    await ops.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('makes a super admin, the entity local and a private file with a token that works', async () => {
    const { credentials, isNew } = await start();
    expect(isNew).toBe(true);
    expect(JSON.parse(readFileSync(path(), 'utf8'))).toEqual(credentials);
    expect(credentials).toEqual({ base_url: baseUrl, token: expect.stringMatching(/^strata_/), entity: 'local' });
    expect(statSync(path()).mode & 0o777).toBe(0o600);
    expect(await ops.tokens.authenticate(credentials.token)).toMatchObject({
      is_super_admin: true,
      entity_slug: 'local',
    });
  });

  it('happens once: later starts keep the token, follow the address and restore the mode', async () => {
    const before = readFileSync(path(), 'utf8');
    chmodSync(path(), 0o644);
    expect((await start()).isNew).toBe(false);
    expect(readFileSync(path(), 'utf8')).toBe(before);
    expect(statSync(path()).mode & 0o777).toBe(0o600);
    const moved = await start('http://127.0.0.1:9999');
    expect(moved.credentials).toEqual({ ...JSON.parse(before), base_url: 'http://127.0.0.1:9999' });
    const beside = await start('http://127.0.0.1:1111', false);
    expect(beside.credentials).toEqual(moved.credentials);
    expect(await ops.users.list(OPERATOR, {})).toHaveLength(1);
    expect(await ops.entities.list(OPERATOR)).toHaveLength(1);
  });

  it('of another machine on the same database leaves the tokens of the others alone', async () => {
    const mine = JSON.parse(readFileSync(path(), 'utf8')).token;
    const other = mkdtempSync(join(tmpdir(), 'strata-other-'));
    const second = await ensureCredentials(own, ops.tokens, {
      dataFolder: other,
      baseUrl,
      isListening: true,
      ownsDatabase: false,
    });
    rmSync(other, { recursive: true });
    expect(second.isNew).toBe(true);
    for (const token of [mine, second.credentials.token]) expect(await ops.tokens.authenticate(token)).not.toBeNull();
  });

  it('at ten times at once leaves one file whose token works', async () => {
    rmSync(path());
    await Promise.all(Array.from({ length: 10 }, () => start()));
    expect(await ops.tokens.authenticate(JSON.parse(readFileSync(path(), 'utf8')).token)).not.toBeNull();
    const open = (await ops.tokens.list(OPERATOR, {})).filter(
      ({ name, revoked_at }) => revoked_at === null && name?.endsWith(folder),
    );
    expect(open).toHaveLength(1);
  });

  it.each([
    ['missing', () => rmSync(path())],
    ['not JSON', () => writeFileSync(path(), '{"token":')],
    ['without a token', () => writeFileSync(path(), '{"base_url":"x","entity":"local"}')],
    [
      'a token of nobody',
      () =>
        writeFileSync(path(), JSON.stringify({ base_url: 'x', token: `strata_${'a'.repeat(43)}`, entity: 'local' })),
    ],
  ])('repairs a file that is %s, and the token that it had works no more', async (_what, spoil) => {
    const lost = JSON.parse(readFileSync(path(), 'utf8')).token;
    expect(await ops.tokens.authenticate(lost)).not.toBeNull();
    spoil();
    const { credentials, isNew } = await start();
    expect(isNew).toBe(true);
    expect(await ops.tokens.authenticate(lost)).toBeNull();
    expect(await ops.tokens.authenticate(credentials.token)).not.toBeNull();
    expect(await ops.users.list(OPERATOR, {})).toHaveLength(1);
  });

  it('in a folder that was moved with its database revokes the token that the lost file had there', async () => {
    const { credentials } = await start();
    const moved = mkdtempSync(join(tmpdir(), 'strata-moved-'));
    const again = await ensureCredentials(own, ops.tokens, {
      dataFolder: moved,
      baseUrl,
      isListening: true,
      ownsDatabase: true,
    });
    rmSync(moved, { recursive: true });
    expect(again.isNew).toBe(true);
    expect(await ops.tokens.authenticate(credentials.token)).toBeNull();
    expect(await ops.tokens.authenticate(again.credentials.token)).not.toBeNull();
  });

  it('repairs a file whose token was revoked', async () => {
    const { credentials } = await start();
    await ops.tokens.revoke(OPERATOR, credentials.token);
    expect((await start()).credentials.token).not.toBe(credentials.token);
  });
});
