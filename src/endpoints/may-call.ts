// Whether somebody may call an endpoint about the own entity, by role alone.
import { hasRole, type Role } from '../domain/access/caller.ts';
import type { Access } from './endpoint.ts';

export function mayCall(access: Access, who: Role | 'super admin'): boolean {
  if (access === 'public' || access === 'token' || who === 'super admin') return true;
  return access !== 'super_admin' && hasRole(who, access.resource);
}
