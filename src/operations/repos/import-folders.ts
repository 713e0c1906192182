// Folders of this machine that the operator opened to super admins. A path counts as below one of them when its real place
// is: a link that leads out does not.
import { realpathSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import { StrataError } from '../../domain/errors.ts';
import type { ImportTarget } from '../../domain/repos/import-target.ts';
import { describeClash } from '../../domain/repos/repo-name.ts';
import type { Actor } from '../access/actor.ts';
import { isSuperAdmin } from '../access/grant.ts';
import type { OperationParts } from '../operation-parts.ts';

export interface ImportFolders {
  allowed(actor: Actor): readonly string[];
  /** What lies at a path below an allowed folder. */
  targetsAt(actor: Actor, path: string, as: string | undefined): readonly ImportTarget[];
  /** What lies in the allowed folders. */
  list(actor: Actor): readonly ImportTarget[];
}

const isBelow = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);

/** Null for what is not there. */
export function realPlace(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}

export function createImportFolders({ importFolders = [], listTargets = () => [] }: OperationParts): ImportFolders {
  const allowed = (actor: Actor): readonly string[] => (isSuperAdmin(actor) ? importFolders : []);
  const isInside = (path: string, folders: readonly string[]): boolean => {
    const real = realPlace(path);
    return real !== null && folders.some((folder) => isBelow(real, realPlace(folder) ?? folder));
  };
  const refused = (message: string): StrataError =>
    new StrataError('unprocessable', message, { errors: { path: [message] }, fields: { imported: false } });

  return {
    allowed,

    targetsAt(actor, path, as) {
      const folders = allowed(actor);
      if (folders.length === 0) {
        throw refused(
          'folders are imported by super admins, where the operator set import_folders and the server listens on loopback alone',
        );
      }
      const place = resolve(path);
      // The same words whether something is there or not.
      if (!folders.some((folder) => isBelow(place, folder)) || !isInside(place, folders)) {
        throw refused(`nothing lies there below ${folders.join(', ')}`);
      }
      const inside = listTargets(place, as).filter(({ address }) => isInside(address, folders));
      if (inside.length === 0) throw refused('there is no git repository');
      const clash = describeClash(inside);
      if (clash !== null) throw refused(clash);
      return inside;
    },

    list: (actor) =>
      allowed(actor).flatMap((folder) => {
        try {
          return listTargets(folder, undefined).filter(({ address }) => isInside(address, [folder]));
        } catch (error) {
          if (error instanceof StrataError) return [];
          throw error;
        }
      }),
  };
}
