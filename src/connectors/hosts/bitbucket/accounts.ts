// Accounts of Bitbucket Cloud. Nicknames are not unique; the Atlassian account is the person.
import type { Account } from '../../../domain/people/account.ts';
import type { BitbucketAccount } from './collect-answers.ts';

const APPS = ['app_user', 'AppUser'];

/** Null for a deleted one. */
export function bitbucketToAccount(user: BitbucketAccount, email: string | null = null): Account | null {
  const id = user?.account_id ?? user?.uuid ?? null;
  if (user == null || id === null) return null;
  return {
    external_id: id,
    kind: APPS.includes(user.type ?? '') ? 'app' : user.type === 'team' ? 'team' : 'user',
    login: user.nickname ?? null,
    name: user.display_name ?? null,
    email: null,
    commit_emails: email === null ? [] : [email],
  };
}

/** `Ada <ada@example.com>` → `ada@example.com`. */
export const addressOf = (raw: string | null | undefined): string | null =>
  /<([^<>\s]+@[^<>\s]+)>\s*$/.exec(raw ?? '')?.[1]?.toLowerCase() ?? null;
