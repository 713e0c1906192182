// From resource paths to the organizations and repos they name.
import { StrataError } from '../../domain/errors.ts';
import { formatResourcePath, type ResourcePath } from '../../domain/resource-path.ts';
import { findResourceIds, type ResourceIds } from '../../storage/access/resources.ts';
import type { Database } from '../../storage/database/handle.ts';
import type { Scope } from '../access/authorise.ts';

export type { ResourceIds };

/** In the order of the paths. Throws not_found for an organization or repo that the entity does not have. */
export async function findResources(db: Database, scope: Scope): Promise<ResourceIds[]> {
  return Promise.all(scope.paths.map((path) => findResource(db, scope.entity_id, path)));
}

export async function findResource(db: Database, entityId: number, path: ResourcePath): Promise<ResourceIds> {
  const found = await findResourceIds(db, entityId, path);
  if (found !== null) return found;
  const what = path.repo === null ? 'organization' : 'repo';
  const how =
    path.repo === null
      ? 'it appears with its first imported repo'
      : 'import it first, with strata import or POST /imports';
  throw new StrataError('not_found', `there is no ${what} ${formatResourcePath(path)}; ${how}`);
}
