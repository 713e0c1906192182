// Who calls. A caller acts in one entity with the rights of a user there, and has shown a credential for it.

export const ROLES = ['member', 'manager', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** What a caller has shown. Limits and times of last use go by it, rights by the user. */
export type Credential =
  | { readonly kind: 'token'; readonly token_id: number }
  | { readonly kind: 'session'; readonly session_id: string };

export interface Caller {
  readonly user_id: number;
  readonly via: Credential;
  readonly entity_id: number;
  readonly entity_slug: string;
  readonly role: Role;
  readonly is_super_admin: boolean;
}

/** Tells credentials of all kinds apart, such as `token 7`. */
export const credentialKey = (via: Credential): string =>
  via.kind === 'token' ? `token ${via.token_id}` : `session ${via.session_id}`;

/** True when `role` includes all that `needed` may do. */
export const hasRole = (role: Role, needed: Role): boolean => ROLES.indexOf(role) >= ROLES.indexOf(needed);
