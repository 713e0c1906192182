// Who calls. A caller acts in one entity with the rights of a user there, and has shown a credential for it.

export const ROLES = ['member', 'manager', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** What a caller has shown. Limits and times of last use go by it, rights by the user. */
export type Credential =
  | { readonly kind: 'token'; readonly token_id: number }
  | { readonly kind: 'session'; readonly session_id: string };

/** What somebody is in an entity. */
export interface Standing {
  readonly entity_id: number;
  readonly entity_slug: string;
  readonly role: Role;
}

export interface Caller extends Standing {
  readonly user_id: number;
  readonly via: Credential;
  readonly is_super_admin: boolean;
  /** A session speaks for its user wherever that has a role; a token has one entity only. */
  readonly elsewhere?: readonly Standing[];
}

/** The caller in the entity that a call names, where it has a role there; else as it is. */
export function actingIn(caller: Caller, entitySlug: string | undefined): Caller {
  const slug = entitySlug?.toLowerCase();
  const there = slug === caller.entity_slug ? undefined : caller.elsewhere?.find((each) => each.entity_slug === slug);
  return there === undefined ? caller : { ...caller, ...there };
}

/** Tells credentials of all kinds apart, such as `token 7`. */
export const credentialKey = (via: Credential): string =>
  via.kind === 'token' ? `token ${via.token_id}` : `session ${via.session_id}`;

/** True when `role` includes all that `needed` may do. */
export const hasRole = (role: Role, needed: Role): boolean => ROLES.indexOf(role) >= ROLES.indexOf(needed);
