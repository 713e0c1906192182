// What a caller needs to know of itself before anything else: who it is, where it has which role, and what this server
// offers.
import { z } from 'zod';
import type { Caller, Role } from '../../../domain/access/caller.ts';
import type { EntitySettings } from '../../../domain/access/entity-settings.ts';
import { StrataError } from '../../../domain/errors.ts';
import { listEntitiesById } from '../../../storage/access/entities.ts';
import { listUsersWithPassword } from '../../../storage/access/passwords.ts';
import { findSessionEnd, listStandings } from '../../../storage/access/sessions.ts';
import { findUser, type UserRow, updateUser } from '../../../storage/access/users.ts';
import type { OperationParts } from '../../operation-parts.ts';
import type { EffectiveSettings } from '../effective-settings.ts';
import { sessionIdOf } from './sessions.ts';

export const THEMES = ['auto', 'light', 'dark'] as const;
const preferences = z.object({
  theme: z.enum(THEMES).default('auto').catch('auto'),
  shortcuts: z.boolean().default(true).catch(true),
});
export type Preferences = z.infer<typeof preferences>;

export interface EntityOfCaller
  extends Pick<EntitySettings, 'time_zone' | 'week_start' | 'stats_access' | 'small_group_floor'> {
  readonly slug: string;
  readonly name: string;
  readonly role: Role;
}

export interface MeRecord {
  readonly user: {
    readonly id: number;
    readonly email: string;
    readonly full_name: string | null;
    readonly is_super_admin: boolean;
    readonly has_password: boolean;
    readonly preferences: Preferences;
  };
  readonly credential: { readonly kind: Caller['via']['kind']; readonly expires_at: string | null };
  /** Where calls act that name no entity. */
  readonly entity: string;
  readonly entities: readonly EntityOfCaller[];
}

export interface MeOperations {
  read(caller: Caller): Promise<MeRecord>;
  setPreferences(
    caller: Caller,
    change: { readonly [K in keyof Preferences]?: Preferences[K] | undefined },
  ): Promise<Preferences>;
}

/** A super admin of more sees the first ones here, and all in the list of entities. */
const MOST_ENTITIES = 200;

export function createMeOperations(
  { store: { db }, now }: OperationParts,
  settings: Pick<EffectiveSettings, 'read'>,
): MeOperations {
  const requireUser = async ({ user_id }: Caller): Promise<UserRow> => {
    const user = await findUser(db, user_id);
    if (user === null) throw new StrataError('not_found', 'the user is gone');
    return user;
  };
  return {
    async read(caller) {
      const own = { entity_id: caller.entity_id, entity_slug: caller.entity_slug, role: caller.role };
      // A token is for one entity, also where its user has more.
      const standings = caller.via.kind === 'token' ? [own] : (await listStandings(db, caller)).slice(0, MOST_ENTITIES);
      const sessionId = sessionIdOf(caller);
      const [user, entities, withPassword, expires_at, ...effective] = await Promise.all([
        requireUser(caller),
        listEntitiesById(
          db,
          standings.map(({ entity_id }) => entity_id),
        ),
        listUsersWithPassword(db, [caller.user_id]),
        sessionId === null ? null : findSessionEnd(db, sessionId),
        ...standings.map(({ entity_id }) => settings.read(entity_id)),
      ]);
      return {
        user: {
          id: user.id,
          email: user.email,
          full_name: user.full_name,
          is_super_admin: user.is_super_admin,
          has_password: withPassword.has(user.id),
          preferences: preferences.parse(user.preferences),
        },
        credential: { kind: caller.via.kind, expires_at },
        entity: caller.entity_slug,
        entities: standings.map(({ entity_id, entity_slug, role }, index) => {
          const { time_zone, week_start, stats_access, small_group_floor } = effective[index]!;
          const name = entities.find(({ id }) => id === entity_id)?.name ?? entity_slug;
          return { slug: entity_slug, name, role, time_zone, week_start, stats_access, small_group_floor };
        }),
      };
    },

    async setPreferences(caller, change) {
      const user = await requireUser(caller);
      const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
      const changed = { ...preferences.parse(user.preferences), ...given };
      await updateUser(db, user.id, { preferences: JSON.stringify(changed) }, now());
      return changed;
    },
  };
}
