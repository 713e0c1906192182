// From resource paths to the organizations and repos they name, with an error that helps where there is none.
import { StrataError } from '../../domain/errors.ts';
import { isImportFailure } from '../../domain/repos/import-status.ts';
import { formatResourcePath, type ResourcePath } from '../../domain/resource-path.ts';
import { nearestName } from '../../kit/text/nearest-name.ts';
import type { Database } from '../../storage/database/handle.ts';
import { findImport } from '../../storage/repos/imports.ts';
import { type FoundResource, findResources as find, listNamesBeside } from '../../storage/repos/resources.ts';
import { listNames } from '../list-names.ts';

export type { FoundResource, ResourceIds } from '../../storage/repos/resources.ts';

/** In the order of the paths. Throws not_found for an organization or repo that the entity does not have. */
export async function findResources(
  db: Database,
  entityId: number,
  paths: readonly ResourcePath[],
): Promise<FoundResource[]> {
  const found = await find(db, entityId, paths);
  const known = found.filter((each) => each !== null);
  if (known.length < paths.length) throw await unknownResource(db, entityId, paths[found.indexOf(null)]!);
  return known;
}

export const findResource = async (db: Database, entityId: number, path: ResourcePath): Promise<FoundResource> =>
  (await findResources(db, entityId, [path]))[0]!;

async function unknownResource(db: Database, entityId: number, path: ResourcePath): Promise<StrataError> {
  const { organization, repo } = path;
  const wanted =
    organization === null || repo === null ? undefined : await findImport(db, entityId, organization, repo);
  // An offer is not an import yet.
  if (wanted !== undefined && wanted.status !== 'offered_pending_acceptance') {
    const shown = formatResourcePath(path);
    const message = isImportFailure(wanted.status)
      ? `there is no repo ${shown}; its import has failed, and GET /imports says why`
      : `there is no repo ${shown} yet; it is being imported, and GET /imports says how far that has come`;
    return new StrataError('not_found', message);
  }
  const { kind, names } = await listNamesBeside(db, entityId, path);
  const nearest = nearestName((kind === 'repo' ? path.repo : path.organization) ?? '', names);
  const how =
    path.repo === null
      ? 'it appears with its first imported repo'
      : 'import it first, with strata import or POST /imports';
  const hint = nearest === null ? `${listNames(names)}; ${how}` : `did you mean "${nearest}"?`;
  const what = path.repo === null ? 'organization' : 'repo';
  return new StrataError('not_found', `there is no ${what} ${formatResourcePath(path)}; ${hint}`);
}
