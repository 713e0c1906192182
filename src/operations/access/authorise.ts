// Who may do what. What an actor may not know of does not exist for it (404); what it may know but not
// do is forbidden (403).
import { type Caller, hasRole, type Role } from '../../domain/access/caller.ts';
import { StrataError } from '../../domain/errors.ts';
import { type Actor, OPERATOR } from './actor.ts';

export const unknownEntity = (actor: Actor, slug: string): StrataError =>
  new StrataError(
    'not_found',
    actor === OPERATOR
      ? `there is no entity "${slug}"; strata entity list shows those there are`
      : `there is no entity "${slug}" that this ${actor.via.kind} may know of`,
  );

export function requireRole(caller: Caller, role: Role): void {
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
