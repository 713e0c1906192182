// Entities: the tenants of the service.

import { StrataError } from '../../domain/errors.ts';
import {
  type EntityRow,
  findActiveEntity,
  findEntity,
  insertEntity,
  listEntities,
} from '../../storage/access/entities.ts';
import { inTransaction } from '../../storage/database/in-transaction.ts';
import type { OperationParts } from '../operation-parts.ts';
import type { EntityRecord } from '../records.ts';
import type { Actor } from './actor.ts';
import { OPERATOR } from './actor.ts';
import { requireSuperAdmin } from './grant.ts';

const SLUG = /^[a-z0-9]([a-z0-9._-]{0,98}[a-z0-9])?$/;

export interface EntityOperations {
  create(actor: Actor, input: { slug: string; name?: string | undefined }): Promise<EntityRecord>;
  /** Those the actor may know of; for the operator and super admins also those that are leaving or gone. */
  list(actor: Actor): Promise<EntityRecord[]>;
}

export function createEntityOperations({ store: { db } }: OperationParts): EntityOperations {
  return {
    async create(actor, { slug, name }) {
      requireSuperAdmin(actor);
      checkEntitySlug(slug, 'slug');
      const values = { slug, name: name?.trim() || slug };
      const entity = await inTransaction(db, (trx) => insertEntity(trx, values));
      if (entity === null) {
        const isGone = (await findEntity(db, slug))?.state !== 'active';
        const by = isGone ? ' by an entity that was removed, and stays so; choose another' : '';
        throw new StrataError('conflict', `the slug "${slug}" is taken${by}`);
      }
      return entityToRecord(entity);
    },

    async list(actor) {
      if (actor === OPERATOR || actor.is_super_admin) return (await listEntities(db)).map(entityToRecord);
      const own = await findActiveEntity(db, actor.entity_slug);
      return own === null ? [] : [entityToRecord(own)];
    },
  };
}

/** Throws when the text cannot be a slug; `parameter` is what the caller called it. */
export function checkEntitySlug(slug: string, parameter: string): void {
  if (SLUG.test(slug)) return;
  const message = `"${slug.slice(0, 200)}" cannot be a slug; accepted are up to 100 lower-case letters, digits, dots, dashes and underscores, with a letter or digit at both ends`;
  throw new StrataError('invalid_parameter', message, { errors: { [parameter]: [message] } });
}

const entityToRecord = ({ id, slug, name, state, created_at }: EntityRow): EntityRecord => ({
  id,
  slug,
  name,
  state,
  created_at,
});
