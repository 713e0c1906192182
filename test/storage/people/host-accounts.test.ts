// Accounts at hosts and the people behind them: by id, by addresses that the host vouches for, never by a name.
import { beforeAll, expect, test } from 'vitest';
import type { Account } from '../../../src/domain/people/account.ts';
import { insertEntity } from '../../../src/storage/access/entities.ts';
import type { Store } from '../../../src/storage/database/handle.ts';
import { resolveSignatures } from '../../../src/storage/people/commit-people.ts';
import { findCommittersByIdentifier } from '../../../src/storage/people/find-committers.ts';
import { resolveAccounts } from '../../../src/storage/people/host-accounts.ts';
import { createTestDatabase } from '../../support/database.ts';

const NOW = new Date('2026-11-16T08:00:00Z');
let store: Store;
let entityId: number;

beforeAll(async () => {
  ({ store } = await createTestDatabase());
  entityId = (await insertEntity(store.db, { slug: 'acme', name: 'Acme' }))!.id;
});

const account = (external_id: string, login: string, changes: Partial<Account> = {}): Account => ({
  external_id,
  kind: 'user',
  login,
  name: null,
  email: null,
  commit_emails: [`${login}@users.noreply.github.com`],
  ...changes,
});

const resolve = async (...accounts: Account[]) => {
  const known = await resolveAccounts(store.db, { entityId, hostKey: 'hostC:github.com' }, accounts, NOW);
  return accounts.map(({ external_id }) => known.get(external_id)!);
};

const rootOf = async (id: number | null): Promise<number> => {
  const { rows } = await store.pool.query('select root_committer_id as id from committers where id = $1', [id]);
  return rows[0].id;
};

const committed = async (name: string, email: string): Promise<number> => {
  const seed = {
    name,
    email,
    address_key: email.replace(/^\d+\+/, ''),
    user_name: name.toLowerCase(),
    kind: 'person' as const,
    git_provider_id: null,
    belongs_to: null,
  };
  const [found] = (await resolveSignatures(store.db, entityId, [seed], 'processing_stats')).values();
  return found!.committer_id;
};

test('an account without a commit is a person, found by its id at the host', async () => {
  const [first] = await resolve(account('41', 'ada'));
  const [again] = await resolve(account('41', 'ada'));
  expect(again).toEqual(first);
  expect(first!.is_bot).toBe(false);
  const [found] = await findCommittersByIdentifier(store.db, entityId, ['41']);
  expect(found).toMatchObject({ id: first!.committer_id, committer_user_name: 'ada' });
});

test('a commit with its private address belongs to the same person, whichever comes first', async () => {
  const [grace] = await resolve(account('42', 'grace'));
  expect(await committed('Grace', '42+grace@users.noreply.github.com')).toBe(grace!.committer_id);
  const linus = await committed('Linus', 'linus@users.noreply.github.com');
  const [known] = await resolve(account('43', 'linus'));
  expect(known!.committer_id).toBe(linus);
});

test('an address that the host vouches for later joins the two, and one that nobody has is kept', async () => {
  const author = await committed('Margaret', 'margaret@corp.example');
  const [before] = await resolve(account('44', 'mh'));
  expect(before!.committer_id).not.toBe(author);
  await resolve(account('44', 'mh', { commit_emails: ['margaret@corp.example', 'mh@home.example'] }));
  expect(await rootOf(before!.committer_id)).toBe(await rootOf(author));
  const later = await committed('Margaret H.', 'mh@home.example');
  expect(await rootOf(later)).toBe(await rootOf(author));
});

test('the same display name joins nobody', async () => {
  const [one, other] = await resolve(
    account('45', 'js1', { name: 'John Smith' }),
    account('46', 'js2', { name: 'John Smith' }),
  );
  expect(one!.committer_id).not.toBe(other!.committer_id);
});

test('a renamed account is the same one, and its old login may go to another', async () => {
  const [before] = await resolve(account('47', 'first'));
  const [renamed] = await resolve(account('47', 'second', { commit_emails: [] }));
  expect(renamed).toEqual(before);
  const { rows } = await store.pool.query(`select login, former_logins from host_accounts where external_id = '47'`);
  expect(rows).toEqual([{ login: 'second', former_logins: ['first'] }]);
  const [heir] = await resolve(account('50', 'first'));
  expect(await rootOf(heir!.committer_id)).not.toBe(await rootOf(before!.committer_id));
});

test('a bot is one by its kind, and uses no seat', async () => {
  const [bot] = await resolve(account('48', 'helper[bot]', { kind: 'bot' }));
  expect(bot!.is_bot).toBe(true);
  const { rows } = await store.pool.query('select is_bot, processing_status from committers where id = $1', [
    bot!.committer_id,
  ]);
  expect(rows).toEqual([{ is_bot: true, processing_status: 'limited_processing' }]);
});

test('many at once are made once each', async () => {
  const crowd = Array.from({ length: 40 }, (_, index) => account(`9${index}`, `crowd-${index}`));
  const [one, two] = await Promise.all([resolve(...crowd), resolve(...crowd)]);
  expect(one).toEqual(two);
  expect(new Set(one.map(({ committer_id }) => committer_id)).size).toBe(40);
});
