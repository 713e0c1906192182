// Entities: the tenants of the service.
import type { Caller, Role } from '../domain/caller.ts';
import { StrataError } from '../domain/errors.ts';
import type { ResourcePath } from '../domain/resource-path.ts';
import { type EntityRow, findActiveEntity, insertEntity, listActiveEntities } from '../storage/entities.ts';
import type { Actor } from './actor.ts';
import { OPERATOR } from './actor.ts';
import { requireSuperAdmin, resolveScope, type Scope } from './authorise.ts';
import type { OperationParts } from './operation-parts.ts';
import type { EntityRecord } from './records.ts';

const SLUG = /^[a-z0-9]([a-z0-9._-]{0,98}[a-z0-9])?$/;

export interface EntityOperations {
  create(actor: Actor, input: { slug: string; name?: string | undefined }): Promise<EntityRecord>;
  /** Those the actor may know of. */
  list(actor: Actor): Promise<EntityRecord[]>;
  /** The entity of the paths; not_found for a foreign one, forbidden for too low a role. */
  resolve(actor: Actor, paths: readonly ResourcePath[], role: Role): Promise<Scope>;
  requireAccess(caller: Caller, paths: readonly ResourcePath[], role: Role): Promise<void>;
}

export function createEntityOperations({ store: { db } }: OperationParts): EntityOperations {
  return {
    async create(actor, { slug, name }) {
      requireSuperAdmin(actor);
      if (!SLUG.test(slug)) {
        throw new StrataError(
          'invalid_parameter',
          `"${slug.slice(0, 200)}" cannot be a slug; accepted are up to 100 lower-case letters, digits, dots, dashes and underscores, with a letter or digit at both ends`,
          { errors: { slug: ['malformed'] } },
        );
      }
      const entity = await insertEntity(db, { slug, name: name?.trim() || slug });
      if (entity === null) throw new StrataError('conflict', `the slug "${slug}" is taken`);
      return entityToRecord(entity);
    },

    async list(actor) {
      if (actor === OPERATOR || actor.is_super_admin) return (await listActiveEntities(db)).map(entityToRecord);
      const own = await findActiveEntity(db, actor.entity_slug);
      return own === null ? [] : [entityToRecord(own)];
    },

    resolve: (actor, paths, role) => resolveScope(db, actor, paths, role),

    async requireAccess(caller, paths, role) {
      await resolveScope(db, caller, paths, role);
    },
  };
}

const entityToRecord = ({ id, slug, name, created_at }: EntityRow): EntityRecord => ({ id, slug, name, created_at });
