// Accounts of GitHub in the two spellings of its two APIs.
import { z } from 'zod';
import type { Account } from '../../../domain/people/account.ts';

/** GraphQL. Null is a deleted account. */
export const graphqlActor = z
  .object({
    __typename: z.string(),
    login: z.string().nullish(),
    databaseId: z.int().nullish(),
    name: z.string().nullish(),
  })
  .nullish();

/** REST. */
export const restUser = z
  .object({ id: z.int(), login: z.string(), type: z.string().optional(), name: z.string().nullish() })
  .nullish();

/** Whom REST shows in the place of deleted accounts, where it shows anybody. */
const GHOST = 'ghost';

const KINDS: Readonly<Record<string, Account['kind']>> = {
  User: 'user',
  EnterpriseUserAccount: 'user',
  Bot: 'bot',
  Mannequin: 'mannequin',
  Organization: 'user',
};

interface Named {
  readonly id: string;
  readonly login: string;
  readonly type: string;
  readonly name: string | null;
}

/** GitHub's own agent commits under a private address without `[bot]`. */
const PLAIN_BOTS = ['copilot'];

function toAccount({ id, login, type, name }: Named, noreplyHost: string): Account {
  const isBot = type === 'Bot' || login.endsWith('[bot]');
  // The two APIs spell a bot's login differently.
  const full = isBot && !login.endsWith('[bot]') ? `${login}[bot]` : login;
  return {
    external_id: id,
    kind: isBot ? 'bot' : (KINDS[type] ?? 'user'),
    login: full,
    name,
    email: null,
    commit_emails: [full.toLowerCase(), ...PLAIN_BOTS.filter((name) => full.toLowerCase() === `${name}[bot]`)].map(
      (name) => `${name}@users.noreply.${noreplyHost}`,
    ),
  };
}

export interface AccountReader {
  actor(actor: z.infer<typeof graphqlActor>): Account | null;
  user(user: z.infer<typeof restUser>): Account | null;
}

/** `noreplyHost` is where the server's private addresses lie: `github.com`, or its own name. */
export const accountReader = (noreplyHost: string): AccountReader => ({
  actor: (actor) =>
    actor?.login == null || actor.databaseId == null
      ? null
      : toAccount(
          { id: String(actor.databaseId), login: actor.login, type: actor.__typename, name: actor.name ?? null },
          noreplyHost,
        ),
  user: (user) =>
    user == null || user.login === GHOST
      ? null
      : toAccount(
          { id: String(user.id), login: user.login, type: user.type ?? 'User', name: user.name ?? null },
          noreplyHost,
        ),
});
