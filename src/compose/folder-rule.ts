// Which entities the organizations of the operator's folder of repositories belong to.
import type { Config } from '../config/load-config.ts';
import type { FolderRule } from '../connectors/sources/folder.ts';
import { repoNameKey } from '../domain/repos/repo-name.ts';
import { findActiveEntity, readFirstEntityId } from '../storage/access/entities.ts';
import type { Store } from '../storage/database/handle.ts';

/** Organizations by their rules, the others by the rule of `*`, and without any rule the first entity's. */
export function createFolderRule(
  { repository_owners: rules }: Pick<Config, 'repository_owners'>,
  { db }: Pick<Store, 'db'>,
): FolderRule {
  return async (entityId, organization) => {
    if (rules.length === 0) return entityId === (await readFirstEntityId(db));
    const own = rules.filter((rule) => repoNameKey(rule.organization) === repoNameKey(organization));
    for (const { entity } of own.length > 0 ? own : rules.filter((rule) => rule.organization === '*')) {
      if ((await findActiveEntity(db, entity))?.id === entityId) return true;
    }
    return false;
  };
}
