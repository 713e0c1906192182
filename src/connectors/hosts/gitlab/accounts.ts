// Accounts of GitLab. Lists of records show no flag for bots; an account whose name suggests one is looked up, and the
// host's own flag decides.
import { z } from 'zod';
import type { Account } from '../../../domain/people/account.ts';

export const gitlabAccount = z
  .object({ id: z.int(), username: z.string(), name: z.string().nullish(), public_email: z.string().nullish() })
  .nullish();
export type GitlabAccount = z.infer<typeof gitlabAccount>;

/** Whom GitLab puts in the place of deleted accounts. */
const GHOST = 'ghost';
const WORTH_A_LOOK = /bot|service_account/i;

export interface AccountReader {
  user(user: GitlabAccount): Account | null;
  /** Runs `make`, and once more if it met accounts whose flag had to be looked up. */
  withFlags<T>(make: () => T, lookUp: (id: number) => Promise<boolean>): Promise<T>;
}

/** `hostName` is the server's own: its private commit addresses lie below it. */
export function accountReader(hostName: string): AccountReader {
  const flags = new Map<number, boolean>();
  const wanted = new Set<number>();
  return {
    user(user) {
      if (user == null || user.username === GHOST) return null;
      const { id, username, name, public_email } = user;
      if (WORTH_A_LOOK.test(username) && !flags.has(id)) wanted.add(id);
      const isBot = flags.get(id) === true || username.endsWith('[bot]');
      return {
        external_id: String(id),
        kind: isBot ? 'bot' : 'user',
        login: username,
        name: name ?? null,
        email: public_email || null,
        commit_emails: [`${id}-${username.toLowerCase()}@users.noreply.${hostName}`],
      };
    },

    async withFlags(make, lookUp) {
      const made = make();
      if (wanted.size === 0) return made;
      for (const id of wanted) flags.set(id, await lookUp(id));
      wanted.clear();
      return make();
    },
  };
}
