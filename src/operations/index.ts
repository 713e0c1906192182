// What the service can do, by resource. The API and the command line both call these.

import type { EntitySettingKey } from '../domain/entity-settings.ts';
import type { Actor } from './actor.ts';
import type { CreatedToken, EntityRecord, SettingRecord, TokenRecord, UserRecord } from './records.ts';

export { type Actor, OPERATOR } from './actor.ts';
export type * from './records.ts';

export interface Operations {
  readonly entities: {
    create(actor: Actor, input: { slug: string; name?: string | undefined }): Promise<EntityRecord>;
    list(actor: Actor): Promise<EntityRecord[]>;
  };
  readonly users: {
    create(
      actor: Actor,
      input: {
        email: string;
        full_name?: string | undefined;
        entity?: string | undefined;
        role?: string | undefined;
        is_super_admin?: boolean;
      },
    ): Promise<UserRecord>;
    list(actor: Actor, filter: { entity?: string | undefined }): Promise<UserRecord[]>;
  };
  readonly tokens: {
    create(
      actor: Actor,
      input: { entity: string; user_email: string; name?: string | undefined; expires_at?: string | undefined },
    ): Promise<CreatedToken>;
    list(actor: Actor, filter: { entity?: string | undefined }): Promise<TokenRecord[]>;
    revoke(actor: Actor, idOrToken: string): Promise<TokenRecord>;
  };
  readonly settings: {
    list(actor: Actor, entity: string): Promise<SettingRecord[]>;
    set(actor: Actor, entity: string, key: EntitySettingKey, value: unknown): Promise<SettingRecord>;
  };
}
