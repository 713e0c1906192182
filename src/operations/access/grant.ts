// Who may do what. What an actor may not know of does not exist for it (404); what it may know but not do is forbidden
// (403). The right of a call is decided once and handed to the operation: who acts, in which entity and under which of its
// settings. An operation names the role it needs in the type of its grant, so that a face which grants less does
// not compile.
import { type Caller, hasRole, type Role } from '../../domain/access/caller.ts';
import type { EntitySettings } from '../../domain/access/entity-settings.ts';
import { StrataError } from '../../domain/errors.ts';
import { formatResourcePath, type ResourcePath } from '../../domain/resource-path.ts';
import { findActiveEntity } from '../../storage/access/entities.ts';
import type { OperationParts } from '../operation-parts.ts';
import { type Actor, OPERATOR } from './actor.ts';
import type { EffectiveSettings } from './effective-settings.ts';

export interface EntityRef {
  readonly id: number;
  readonly slug: string;
}

/** Roles that include each. */
interface AtLeast {
  readonly member: Role;
  readonly manager: 'manager' | 'admin';
  readonly admin: 'admin';
}
const ASKED: AtLeast = { member: 'member', manager: 'manager', admin: 'admin' };

/** A grant of a higher role is one of each lower role too. */
export type Grant<R extends Role> = GrantedFor<AtLeast[R]>;

interface GrantedFor<Asked extends Role> {
  readonly actor: Actor;
  readonly entity: EntityRef;
  readonly settings: EntitySettings;
  /** What the call names, all in the entity; the entity itself where it names nothing. */
  readonly paths: readonly ResourcePath[];
  /** The role that was needed and found. */
  readonly role: Asked;
}

/** What a call is about, before anything is decided. */
export interface Place {
  readonly actor: Actor;
  /** Null for one that does not exist. */
  readonly entity: EntityRef | null;
  /** Of the entity, or of the caller's own where there is none. */
  readonly settings: EntitySettings;
}

export interface AccessOperations {
  /** Looks up the entity that a call names; the caller's own where it names none or none that it may know of. */
  locate(actor: Actor, entitySlug?: string): Promise<Place>;
  /** Looks up and decides. Throws not_found for a foreign entity, forbidden for too low a role. */
  enter<R extends Role>(actor: Actor, paths: readonly ResourcePath[], role: R): Promise<Grant<R>>;
  /** The same for a whole entity. */
  enterEntity<R extends Role>(actor: Actor, slug: string, role: R): Promise<Grant<R>>;
}

export const entityPath = (slug: string): ResourcePath => ({ entity: slug, organization: null, repo: null });

export function createAccessOperations(
  { store: { db } }: OperationParts,
  settings: Pick<EffectiveSettings, 'read'>,
): AccessOperations {
  const locate = async (actor: Actor, entitySlug?: string): Promise<Place> => {
    const slug = entitySlug?.toLowerCase();
    if (actor === OPERATOR) {
      const entity = slug === undefined ? null : await findActiveEntity(db, slug);
      if (entity === null) throw unknownEntity(actor, entitySlug ?? '');
      return { actor, entity, settings: await settings.read(entity.id) };
    }
    // The credential was checked a moment ago, so its entity exists.
    const own = { id: actor.entity_id, slug: actor.entity_slug };
    const isOwn = slug === undefined || slug === own.slug || !actor.is_super_admin;
    const entity = isOwn ? own : await findActiveEntity(db, slug);
    return { actor, entity, settings: await settings.read(entity?.id ?? own.id) };
  };

  const enter = async <R extends Role>(actor: Actor, paths: readonly ResourcePath[], role: R): Promise<Grant<R>> =>
    grantAccess(await locate(actor, paths[0]?.entity), paths, role);

  return { locate, enter, enterEntity: (actor, slug, role) => enter(actor, [entityPath(slug)], role) };
}

/** Decides, without a look-up, whether the actor may do at the place what needs the role. */
export function grantAccess<R extends Role>(place: Place, paths: readonly ResourcePath[], role: R): Grant<R> {
  const { actor, entity, settings } = place;
  const [first] = paths;
  if (first === undefined) throw new StrataError('invalid_parameter', 'at least one resource path is needed');
  if (entity === null || !isIn(first, entity)) throw unknownEntity(actor, first.entity);
  if (actor !== OPERATOR && actor.entity_id === entity.id) requireRole(actor, role);
  requireInside({ actor, entity }, paths);
  return { actor, entity: { id: entity.id, slug: entity.slug }, settings, paths, role: ASKED[role] };
}

/** Further paths of a call must lie in the entity that the right was given for. */
export function requireInside(
  { actor, entity }: Pick<Grant<Role>, 'actor' | 'entity'>,
  paths: readonly ResourcePath[],
) {
  const foreign = paths.find((path) => !isIn(path, entity));
  if (foreign) throw unknownEntity(actor, formatResourcePath(foreign));
}

const isIn = (path: ResourcePath, entity: EntityRef): boolean => path.entity.toLowerCase() === entity.slug;

/** Whether the actor may do in the granted entity what the role may. */
export const mayAs = ({ actor }: Pick<Grant<Role>, 'actor'>, role: Role): boolean =>
  actor === OPERATOR || actor.is_super_admin || hasRole(actor.role, role);

/** The same right for a higher role; throws where the actor does not have it. */
export function raiseGrant<R extends Role>(grant: Grant<Role>, role: R): Grant<R> {
  const { actor, entity } = grant;
  if (actor !== OPERATOR && actor.entity_id === entity.id) requireRole(actor, role);
  return { ...grant, role: ASKED[role] };
}

/** A caller that may act in every entity. */
export type SuperAdmin = (Caller & { readonly is_super_admin: true }) | typeof OPERATOR;

export function isSuperAdmin<A extends Actor>(actor: A): actor is A & SuperAdmin {
  return actor === OPERATOR || actor.is_super_admin;
}

const unknownEntity = (actor: Actor, slug: string): StrataError =>
  new StrataError(
    'not_found',
    actor === OPERATOR
      ? `there is no entity "${slug}"; strata entity list shows those there are`
      : `there is no entity "${slug}" that this ${actor.via.kind} may know of`,
  );

function requireRole(caller: Caller, role: Role): void {
  if (caller.is_super_admin || hasRole(caller.role, role)) return;
  throw new StrataError(
    'forbidden',
    `this needs the role ${role} in ${caller.entity_slug}; the ${caller.via.kind} has ${caller.role}`,
  );
}

export function requireSuperAdmin(actor: Actor): void {
  if (actor === OPERATOR || actor.is_super_admin) return;
  throw new StrataError('forbidden', 'this needs a super admin');
}
