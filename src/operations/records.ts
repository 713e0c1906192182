// What operations answer with, in wire spelling. Times are ISO 8601 in UTC.
import type { Role } from '../domain/caller.ts';
import type { EntitySettingKey, Rebuild } from '../domain/entity-settings.ts';

export interface EntityRecord {
  readonly id: number;
  readonly slug: string;
  readonly name: string;
  readonly created_at: string;
}

export interface MembershipRecord {
  readonly entity: string;
  readonly role: Role;
}

export interface UserRecord {
  readonly id: number;
  readonly email: string;
  readonly full_name: string | null;
  readonly is_super_admin: boolean;
  readonly memberships: readonly MembershipRecord[];
  readonly created_at: string;
}

export interface TokenRecord {
  readonly id: number;
  readonly entity: string;
  readonly user_email: string;
  readonly name: string | null;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly last_used_at: string | null;
  readonly revoked_at: string | null;
}

/** The only answer that ever holds the secret. */
export interface CreatedToken extends TokenRecord {
  readonly token: string;
}

export interface SettingRecord {
  readonly key: EntitySettingKey;
  readonly value: unknown;
  readonly is_default: boolean;
  /** What a change of this setting makes wrong. */
  readonly rebuild: Rebuild;
}
