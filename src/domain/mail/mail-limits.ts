// How much mail an entity may have written in a day. Whoever may invite could otherwise use the service, and its mail server's
// good name, to flood others.

export interface MailLimit {
  /** Of the kind, from one entity. */
  readonly perEntity: number;
  /** Of the kind, from one entity to one address. */
  readonly perRecipient: number;
}

/** By kind of mail; what has no row of its own counts by `other`. */
export const MAIL_LIMITS = {
  team_invitation: { perEntity: 500, perRecipient: 3 },
  survey_link: { perEntity: 2_000, perRecipient: 5 },
  other: { perEntity: 20_000, perRecipient: 10 },
} as const satisfies Record<string, MailLimit>;

export const mailLimitOf = (kind: string): MailLimit =>
  Object.hasOwn(MAIL_LIMITS, kind) ? MAIL_LIMITS[kind as keyof typeof MAIL_LIMITS] : MAIL_LIMITS.other;
