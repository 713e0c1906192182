// Identities of Azure DevOps as accounts.
import type { Account } from '../../../domain/people/account.ts';
import type { AzureIdentity } from './collect-answers.ts';

const ADDRESS = /^[^@\s\\]+@[^@\s\\]+$/;
/** How descriptors of service identities begin. */
const SERVICE = /^(?:svc|s2s)\./;

/** Null for a deleted one. */
export function identityToAccount(identity: AzureIdentity): Account | null {
  if (identity == null) return null;
  const { id, displayName, uniqueName, descriptor, isContainer } = identity;
  return {
    external_id: id,
    // Groups review too, which repeats the vote of one of their members.
    kind: isContainer === true ? 'team' : SERVICE.test(descriptor ?? '') ? 'bot' : 'user',
    login: uniqueName ?? null,
    name: displayName ?? null,
    email: ADDRESS.test(uniqueName ?? '') ? uniqueName! : null,
    commit_emails: [],
  };
}
