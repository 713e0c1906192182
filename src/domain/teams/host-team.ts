// Teams as hosts report them.
import type { Account } from '../people/account.ts';

export interface HostTeam {
  readonly external_id: string;
  readonly parent_external_id: string | null;
  readonly slug: string;
  readonly name: string;
  /** Everybody; who is missing has left. */
  readonly members: readonly HostTeamMember[];
}

export interface HostTeamMember {
  readonly account: Account;
  readonly role: 'member' | 'maintainer';
  /** A member of a team below this one. */
  readonly is_inherited: boolean;
}
