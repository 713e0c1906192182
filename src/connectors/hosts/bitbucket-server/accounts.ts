// Users of Bitbucket Data Center as accounts.
import type { Account } from '../../../domain/people/account.ts';
import type { ServerUser } from './collect-answers.ts';

/** Null for a deleted one. */
export function serverUserToAccount(user: ServerUser): Account | null {
  if (user == null) return null;
  return {
    // Users of old servers that were deleted have a name only.
    external_id: user.id == null ? user.name : String(user.id),
    kind: user.type === 'SERVICE' ? 'bot' : 'user',
    login: user.slug ?? user.name,
    name: user.displayName ?? null,
    email: user.emailAddress || null,
    commit_emails: [],
  };
}
