// Who is asking. A token belongs to one entity and to the user who made it; its rights are that
// user's rights in the entity.

export const ROLES = ['member', 'manager', 'admin'] as const;
export type Role = (typeof ROLES)[number];

export interface Caller {
  readonly user_id: number;
  readonly token_id: number;
  readonly entity_id: number;
  readonly entity_slug: string;
  readonly role: Role;
  readonly is_super_admin: boolean;
}

/** True when `role` includes all that `needed` may do. */
export const hasRole = (role: Role, needed: Role): boolean => ROLES.indexOf(role) >= ROLES.indexOf(needed);
