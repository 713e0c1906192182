// An account at a code host or tracker, as a host's normaliser returns it inside of records: by value, wherever it acts.
// Storage finds or makes the person behind it. Null in place of an account means a deleted one, which the trade
// calls a ghost: an unknown person, never a bot.

export const ACCOUNT_KINDS = ['user', 'bot', 'app', 'mannequin', 'team'] as const;
export type AccountKind = (typeof ACCOUNT_KINDS)[number];

export interface Account {
  /** The host's own id, which a rename keeps. */
  readonly external_id: string;
  /** `bot` and `app` by the host's own flag or a `[bot]` login, never by a pattern of names. */
  readonly kind: AccountKind;
  readonly login: string | null;
  readonly name: string | null;
  /** As the host shows it. */
  readonly email: string | null;
  /**
   * Further addresses that the host vouches for: private ones that it makes from the login, and those of commits that
   * it ascribes to the account. An address of a display name or of a guess does not belong here.
   */
  readonly commit_emails: readonly string[];
}

export const isBotAccount = (account: Pick<Account, 'kind'> | null): boolean =>
  account !== null && (account.kind === 'bot' || account.kind === 'app');
