// Who may do what. What an actor may not know of does not exist for it (404); what it may know but not
// do is forbidden (403).
import { type Caller, hasRole, type Role } from '../../domain/access/caller.ts';
import { StrataError } from '../../domain/errors.ts';
import { formatResourcePath, type ResourcePath } from '../../domain/resource-path.ts';
import { type EntityRow, findActiveEntity } from '../../storage/access/entities.ts';
import type { Database } from '../../storage/database/handle.ts';
import { type Actor, OPERATOR } from './actor.ts';

/** The entity that resource paths lie in, after the actor's right to it was checked. */
export interface Scope {
  readonly entity_id: number;
  readonly entity_slug: string;
  readonly paths: readonly ResourcePath[];
}

const unknownEntity = (actor: Actor, slug: string): StrataError =>
  new StrataError(
    'not_found',
    actor === OPERATOR
      ? `there is no entity "${slug}"; strata entity list shows those there are`
      : `there is no entity "${slug}" that this token may know of`,
  );

/** Throws not_found for a foreign entity, forbidden for too low a role. */
export async function resolveScope(
  db: Database,
  actor: Actor,
  paths: readonly ResourcePath[],
  role: Role,
): Promise<Scope> {
  const [first] = paths;
  if (first === undefined) throw new StrataError('invalid_parameter', 'at least one resource path is needed');
  const entity = await resolveEntity(db, actor, first.entity, role);
  const foreign = paths.find((path) => path.entity.toLowerCase() !== entity.slug);
  if (foreign) throw unknownEntity(actor, formatResourcePath(foreign));
  return { entity_id: entity.id, entity_slug: entity.slug, paths };
}

/** The same for an entity named by its slug. */
export async function resolveEntity(
  db: Database,
  actor: Actor,
  slug: string,
  role: Role,
): Promise<Pick<EntityRow, 'id' | 'slug'>> {
  const wanted = slug.toLowerCase();
  if (actor !== OPERATOR && wanted === actor.entity_slug) {
    requireRole(actor, role);
    // The token was checked a moment ago, so its entity exists.
    return { id: actor.entity_id, slug: actor.entity_slug };
  }
  if (actor !== OPERATOR && !actor.is_super_admin) throw unknownEntity(actor, slug);
  const entity = await findActiveEntity(db, wanted);
  if (entity === null) throw unknownEntity(actor, slug);
  return entity;
}

export function requireRole(caller: Caller, role: Role): void {
  if (caller.is_super_admin || hasRole(caller.role, role)) return;
  throw new StrataError(
    'forbidden',
    `this needs the role ${role} in ${caller.entity_slug}; the token has ${caller.role}`,
  );
}

export function requireSuperAdmin(actor: Actor): void {
  if (actor === OPERATOR || actor.is_super_admin) return;
  throw new StrataError('forbidden', 'this needs a super admin');
}
