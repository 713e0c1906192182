// Accounts at code hosts and trackers, and the people behind them. An account that acts is a person like any other,
// with or without a commit: it gets a committer, which becomes an identity of another one as soon as an address that
// the host vouches for says so.
import { sql } from 'kysely';
import { effectiveEntitySettings } from '../../domain/access/entity-settings.ts';
import { cleanText } from '../../domain/collect/clean-text.ts';
import { type Account, isBotAccount } from '../../domain/people/account.ts';
import { withoutAccountNumber } from '../../domain/people/account-address.ts';
import { readStoredSettings } from '../access/entity-settings.ts';
import { reconcileRollups } from '../commits/rollups.ts';
import type { Database } from '../database/handle.ts';
import { joinCommitters, makeCommitters } from './commit-people.ts';
import { enqueueReviewsOf } from './enqueue-reviews.ts';
import { lockPeople } from './lock-people.ts';

export interface KnownAccount {
  readonly account_id: number;
  /** Null for teams. */
  readonly committer_id: number | null;
  readonly is_bot: boolean;
}

/** By the host's id. */
export type KnownAccounts = ReadonlyMap<string, KnownAccount>;

interface StoredAccount {
  readonly id: number;
  readonly external_id: string;
  readonly committer_id: number | null;
}

const keyOfAccount = (hostKey: string, externalId: string): string => `account:${hostKey}:${externalId}`.slice(0, 500);

/** Runs in transactions of its own: call it outside of one, before the rows that name the accounts are stored. */
export async function resolveAccounts(
  db: Database,
  place: { readonly entityId: number; readonly hostKey: string },
  given: Iterable<Account>,
  now: Date,
): Promise<KnownAccounts> {
  const accounts = mergeGiven(given);
  if (accounts.length === 0) return new Map();
  let stored = await upsertAccounts(db, place, accounts, now);
  const unknown = accounts.filter(
    ({ external_id, kind }) => kind !== 'team' && stored.get(external_id)?.committer_id === null,
  );
  const claims = await findClaims(db, place, accounts, stored);
  if (unknown.length > 0 || claims.length > 0) {
    await db.transaction().execute(async (trx) => {
      await lockPeople(trx, place.entityId);
      const own = await withoutForeign(trx, place, accounts);
      const isUnknown = new Set(unknown.map(({ external_id }) => external_id));
      await tieAccounts(
        trx,
        place,
        own.filter(({ external_id }) => isUnknown.has(external_id)),
      );
      const tied = await readAccounts(trx, place, own);
      await takeClaims(trx, place.entityId, await findClaims(trx, place, own, tied));
      await markBots(trx, place, own);
    });
    stored = await readAccounts(db, place, accounts);
  }
  return new Map(
    accounts.map((account) => {
      const row = stored.get(account.external_id)!;
      const known = { account_id: row.id, committer_id: row.committer_id, is_bot: isBotAccount(account) };
      return [account.external_id, known] as const;
    }),
  );
}

/** One account may act many times on a page, and not every place tells all of it. */
function mergeGiven(given: Iterable<Account>): Account[] {
  const byId = new Map<string, Account>();
  for (const account of given) {
    const known = byId.get(account.external_id);
    byId.set(account.external_id, {
      external_id: account.external_id,
      kind: known === undefined || known.kind === 'user' ? account.kind : known.kind,
      login: clean(account.login ?? known?.login),
      name: clean(account.name ?? known?.name),
      email: clean(account.email ?? known?.email),
      commit_emails: [...new Set([...(known?.commit_emails ?? []), ...account.commit_emails.map(addressKey)])],
    });
  }
  return [...byId.values()].sort((a, b) => (a.external_id < b.external_id ? -1 : 1));
}

const LONGEST = 320;
const clean = (text: string | null | undefined): string | null => {
  const value = text === null || text === undefined ? '' : cleanText(text, LONGEST);
  return value === '' ? null : value;
};
const addressKey = (email: string): string => cleanText(withoutAccountNumber(email.trim().toLowerCase()), LONGEST);

async function upsertAccounts(
  db: Database,
  { entityId, hostKey }: { readonly entityId: number; readonly hostKey: string },
  accounts: readonly Account[],
  now: Date,
): Promise<Map<string, StoredAccount>> {
  const column = <K extends keyof Account>(key: K) => accounts.map((account) => account[key]);
  const { rows } = await sql<StoredAccount>`
    insert into host_accounts (entity_id, host_key, external_id, kind, login, name, email, seen_at)
    select ${entityId}::bigint, ${hostKey}::text, x, k, l, n, e, ${now.toISOString()}::timestamptz
    from unnest(${column('external_id')}::text[], ${column('kind')}::text[], ${column('login')}::text[],
                ${column('name')}::text[], ${column('email')}::text[]) as t(x, k, l, n, e)
    on conflict (entity_id, host_key, external_id) do update set
      kind = excluded.kind,
      former_logins = case when host_accounts.login <> excluded.login
        and not host_accounts.login = any(host_accounts.former_logins)
        then host_accounts.former_logins || host_accounts.login else host_accounts.former_logins end,
      login = coalesce(excluded.login, host_accounts.login),
      name = coalesce(excluded.name, host_accounts.name),
      email = coalesce(excluded.email, host_accounts.email),
      seen_at = excluded.seen_at
    returning id, external_id, committer_id`.execute(db);
  return new Map(rows.map((row) => [row.external_id, row]));
}

async function readAccounts(
  db: Database,
  { entityId, hostKey }: { readonly entityId: number; readonly hostKey: string },
  accounts: readonly Account[],
): Promise<Map<string, StoredAccount>> {
  const rows = await db
    .selectFrom('host_accounts')
    .select(['id', 'external_id', 'committer_id'])
    .where('entity_id', '=', entityId)
    .where('host_key', '=', hostKey)
    .where(
      'external_id',
      'in',
      accounts.map(({ external_id }) => external_id),
    )
    .execute();
  return new Map(rows.map((row) => [row.external_id, row]));
}

const emailsOf = ({ email, commit_emails }: Account): string[] => [
  ...new Set([...commit_emails, ...(email === null ? [] : [addressKey(email)])]),
];

/**
 * Without addresses of a person who has another account at the same host: a login that was given up may be taken by
 * somebody else, and the private address that is made from it with it.
 */
async function withoutForeign(
  db: Database,
  { entityId, hostKey }: { readonly entityId: number; readonly hostKey: string },
  accounts: readonly Account[],
): Promise<Account[]> {
  const { rows } = await sql<{ key: string; external_id: string }>`
    select i.address_key as key, h.external_id
    from committer_identities i
    join committers c on c.entity_id = i.entity_id and c.id = i.committer_id
    join committers s on s.entity_id = c.entity_id and s.root_committer_id = c.root_committer_id
    join host_accounts h on h.entity_id = s.entity_id and h.committer_id = s.id and h.host_key = ${hostKey}
    where i.entity_id = ${entityId} and i.address_key = any(${[...new Set(accounts.flatMap(emailsOf))]}::text[])`.execute(
    db,
  );
  const holders = new Map<string, Set<string>>();
  for (const { key, external_id } of rows) holders.set(key, (holders.get(key) ?? new Set()).add(external_id));
  const isOwn = (account: Account, key: string) => holders.get(key)?.has(account.external_id) ?? true;
  return accounts.map((account) => ({
    ...account,
    email: account.email !== null && isOwn(account, addressKey(account.email)) ? account.email : null,
    commit_emails: account.commit_emails.filter((key) => isOwn(account, key)),
  }));
}

/** Addresses of tied accounts that belong to nobody yet, or to another person: the host says that they are one. */
async function findClaims(
  db: Database,
  { entityId }: { readonly entityId: number },
  accounts: readonly Account[],
  stored: ReadonlyMap<string, StoredAccount>,
): Promise<Claim[]> {
  const pairs = accounts.flatMap((account) => {
    const committer = stored.get(account.external_id)?.committer_id ?? null;
    return committer === null ? [] : emailsOf(account).map((key) => ({ committer, key }));
  });
  if (pairs.length === 0) return [];
  const { rows } = await sql<Claim>`
    select t.key, t.committer as child, i.committer_id as root
    from unnest(${pairs.map(({ committer }) => committer)}::bigint[], ${pairs.map(({ key }) => key)}::text[])
      as t(committer, key)
    join committers a on a.entity_id = ${entityId} and a.id = t.committer
    left join committer_identities i on i.entity_id = ${entityId} and i.address_key = t.key
    left join committers b on b.entity_id = ${entityId} and b.id = i.committer_id
    where a.root_committer_id is distinct from b.root_committer_id
    order by 1, 2`.execute(db);
  return rows;
}

interface Claim {
  readonly key: string;
  readonly child: number;
  /** Null while nobody has the address. */
  readonly root: number | null;
}

async function takeClaims(db: Database, entityId: number, claims: readonly Claim[]): Promise<void> {
  const free = claims.filter(({ root }) => root === null);
  if (free.length > 0) {
    await sql`
      insert into committer_identities (entity_id, committer_id, address_key)
      select ${entityId}::bigint, c, k
      from unnest(${free.map(({ child }) => child)}::bigint[], ${free.map(({ key }) => key)}::text[]) as t(c, k)
      on conflict (entity_id, address_key) do nothing`.execute(db);
  }
  const joined: number[] = [];
  for (const { child, root } of claims)
    if (root !== null) joined.push(...(await joinCommitters(db, entityId, child, root)));
  await enqueueReviewsOf(db, entityId, joined);
}

/** Whoever was known by commits alone, and is a bot by the word of the host; a status that a person chose stays. */
async function markBots(
  db: Database,
  { entityId, hostKey }: { readonly entityId: number; readonly hostKey: string },
  accounts: readonly Account[],
): Promise<void> {
  const bots = accounts.filter(isBotAccount).map(({ external_id }) => external_id);
  if (bots.length === 0) return;
  const { rows } = await sql<{ id: number }>`
    update committers c set is_bot = true,
      processing_status = case when c.is_status_chosen then c.processing_status else 'not_processing' end
    from host_accounts h join committers o on o.entity_id = h.entity_id and o.id = h.committer_id
    where h.entity_id = ${entityId} and h.host_key = ${hostKey} and h.external_id = any(${bots}::text[])
      and c.entity_id = h.entity_id and c.root_committer_id = o.root_committer_id and not c.is_bot and not c.is_ai_agent
    returning c.id`.execute(db);
  if (rows.length > 0) await reconcileRollups(db, entityId, { authorIds: rows.map(({ id }) => id) });
}

/** Finds or makes the committer of each account, and gives addresses that nobody owns to it. */
async function tieAccounts(
  db: Database,
  { entityId, hostKey }: { readonly entityId: number; readonly hostKey: string },
  accounts: readonly Account[],
): Promise<void> {
  if (accounts.length === 0) return;
  const settings = effectiveEntitySettings(await readStoredSettings(db, entityId));
  const owners = await makeCommitters(
    db,
    entityId,
    accounts.map((account) => {
      const key = keyOfAccount(hostKey, account.external_id);
      const seed = {
        name: account.name ?? account.login ?? account.external_id,
        email: account.email ?? '',
        user_name: (account.login ?? account.name ?? account.external_id).replace(/\[bot\]$/, ''),
        kind: isBotAccount(account) ? ('bot' as const) : ('person' as const),
        git_provider_id: account.external_id,
      };
      return { ...seed, address_key: key, belongs_to: null, alternatives: emailsOf(account) };
    }),
    settings.default_processing_status,
  );
  const ties = accounts.map((account) => ({
    external_id: account.external_id,
    committer: owners.get(keyOfAccount(hostKey, account.external_id))!,
  }));
  await sql`
    update host_accounts set committer_id = t.committer
    from unnest(${ties.map(({ external_id }) => external_id)}::text[], ${ties.map(({ committer }) => committer)}::bigint[])
      as t(external_id, committer)
    where host_accounts.entity_id = ${entityId} and host_accounts.host_key = ${hostKey}
      and host_accounts.external_id = t.external_id`.execute(db);
}
