// The database's tables as Kysely row types. Kept by hand beside the migrations; a test proves that
// they are the columns the database has. Timestamps and dates are strings (ISO 8601, UTC).
import type { Generated } from 'kysely';
import type { Role } from '../domain/caller.ts';
import type { FactsSchema } from './facts-schema.ts';
import type { GeneratedJson, GeneratedTimestamp, JsonColumn, Timestamp } from './row-types.ts';

export type * from './row-types.ts';

export const TABLE_KINDS = ['reference', 'tenant', 'local'] as const;
export type TableKind = (typeof TABLE_KINDS)[number];

export const ENTITY_STATES = ['active', 'offboarding', 'deleted'] as const;
export type EntityState = (typeof ENTITY_STATES)[number];

export interface Schema extends FactsSchema {
  table_kinds: { table_name: string; kind: TableKind };
  schema_migrations: {
    name: string;
    sha256: string;
    applied_at: GeneratedTimestamp;
    milliseconds: number;
  };
  entities: {
    id: Generated<number>;
    slug: string;
    name: string;
    state: Generated<EntityState>;
    created_at: GeneratedTimestamp;
    updated_at: GeneratedTimestamp;
    state_changed_at: GeneratedTimestamp;
  };
  users: {
    id: Generated<number>;
    /** Lower case. */
    email: string;
    full_name: string | null;
    avatar_url: string | null;
    is_super_admin: Generated<boolean>;
    created_at: GeneratedTimestamp;
    updated_at: GeneratedTimestamp;
  };
  memberships: {
    entity_id: number;
    user_id: number;
    role: Role;
    created_at: GeneratedTimestamp;
    updated_at: GeneratedTimestamp;
  };
  api_tokens: {
    id: Generated<number>;
    entity_id: number;
    user_id: number;
    name: string | null;
    token_sha256: Buffer;
    created_by: number | null;
    created_at: GeneratedTimestamp;
    last_used_at: Timestamp | null;
    expires_at: Timestamp | null;
    revoked_at: Timestamp | null;
  };
  entity_settings: { entity_id: number; key: string; value: JsonColumn; updated_at: GeneratedTimestamp };
  job_progress: {
    job_key: string;
    stage: string;
    done: Generated<number>;
    total: number | null;
    detail: GeneratedJson;
    started_at: GeneratedTimestamp;
    updated_at: GeneratedTimestamp;
  };
  workers: {
    id: string;
    host: string;
    pid: number;
    concurrency: number;
    started_at: GeneratedTimestamp;
    beat_at: GeneratedTimestamp;
  };
}
