// Settings of an entity and its repos: read and changed.

import {
  checkEntitySetting,
  ENTITY_SETTING_KEYS,
  ENTITY_SETTINGS,
  type EntitySettingKey,
  effectiveEntitySettings,
  repoSettingsOf,
  requireRepoSettingKey,
} from '../../domain/access/entity-settings.ts';
import { StrataError } from '../../domain/errors.ts';
import { importQueueOptions } from '../../domain/repos/import-queue.ts';
import { parseResourcePath } from '../../domain/resource-path.ts';
import {
  deleteSetting,
  readRepoSettings,
  readStoredSettings,
  storeRepoSetting,
  storeSetting,
} from '../../storage/access/entity-settings.ts';
import { creditUsages } from '../../storage/ai/usage-credits.ts';
import type { Database } from '../../storage/database/handle.ts';
import { inTransaction } from '../../storage/database/in-transaction.ts';
import { enqueue } from '../../storage/queue/queue.ts';
import { listImports } from '../../storage/repos/imports.ts';
import { enqueueDerivation } from '../delivery/enqueue-derivation.ts';
import type { OperationParts } from '../operation-parts.ts';
import type { SettingRecord } from '../records.ts';
import { findResource } from '../repos/find-resources.ts';
import type { Actor } from './actor.ts';
import type { EffectiveSettings } from './effective-settings.ts';
import type { AccessOperations } from './grant.ts';

export interface SettingOperations {
  list(actor: Actor, entity: string): Promise<SettingRecord[]>;
  /** `undefined` puts the default back. Figures that depend on the setting are computed anew by a job. */
  set(actor: Actor, entity: string, key: EntitySettingKey, value: unknown): Promise<SettingRecord>;
  /** What holds for a repo, named `<organization>/<repo>`: its own value, or else its entity's. */
  getForRepo(actor: Actor, entity: string, repo: string, key: EntitySettingKey): Promise<SettingRecord>;
  /** `undefined` lets the entity's value hold again. */
  setForRepo(actor: Actor, entity: string, repo: string, key: EntitySettingKey, value: unknown): Promise<SettingRecord>;
}

export function createSettingOperations(
  { store: { db }, now }: OperationParts,
  access: Pick<AccessOperations, 'enterEntity'>,
  effective: Pick<EffectiveSettings, 'forget'>,
): SettingOperations {
  const readForRepo = async (entityId: number, repoId: number, key: EntitySettingKey): Promise<SettingRecord> => {
    const own = repoSettingsOf(await readRepoSettings(db, entityId, repoId));
    const settings = effectiveEntitySettings({ ...(await readStoredSettings(db, entityId)), ...own });
    return {
      key,
      value: settings[key],
      is_default: !Object.hasOwn(own, key),
      rebuild: ENTITY_SETTINGS[key].rebuild,
    };
  };

  return {
    async list(actor, slug) {
      const { entity } = await access.enterEntity(actor, slug, 'member');
      const stored = await readStoredSettings(db, entity.id);
      const settings = effectiveEntitySettings(stored);
      return ENTITY_SETTING_KEYS.map((key) => ({
        key,
        value: settings[key],
        is_default: !Object.hasOwn(stored, key),
        rebuild: ENTITY_SETTINGS[key].rebuild,
      }));
    },

    async set(actor, slug, key, value) {
      const { entity } = await access.enterEntity(actor, slug, 'admin');
      const { default: initial, rebuild } = ENTITY_SETTINGS[key];
      const checked = value === undefined ? initial : checkEntitySetting(key, value);
      await inTransaction(db, async (transaction) => {
        if (value === undefined) await deleteSetting(transaction, { entity_id: entity.id, key });
        else await storeSetting(transaction, { entity_id: entity.id, key, value: checked }, now());
        if (rebuild === 'credits') await creditUsages(transaction, entity.id, 'entity');
        if (rebuild === 'derivation') await enqueueDerivations(transaction, entity.id);
        if (rebuild === 'rollups') {
          const jobKey = `rebuild:${entity.id}`;
          await enqueue(transaction, 'rebuild_rollups', { entity_id: entity.id }, { jobKey });
        }
        if (rebuild === 'refresh') await enqueueRefreshes(transaction, entity.id);
      });
      effective.forget(entity.id);
      return { key, value: checked, is_default: value === undefined, rebuild };
    },

    async getForRepo(actor, slug, repo, key) {
      const { entity } = await access.enterEntity(actor, slug, 'member');
      requireRepoSettingKey(key);
      return readForRepo(entity.id, await findRepoId(db, entity, repo), key);
    },

    async setForRepo(actor, slug, repo, key, value) {
      const { entity } = await access.enterEntity(actor, slug, 'admin');
      requireRepoSettingKey(key);
      const repoId = await findRepoId(db, entity, repo);
      const checked = value === undefined ? undefined : checkEntitySetting(key, value);
      await inTransaction(db, async (transaction) => {
        await storeRepoSetting(transaction, { entity_id: entity.id, repo_id: repoId, key, value: checked });
        await enqueueDerivation(transaction, { entity_id: entity.id, repo_id: repoId });
        if (ENTITY_SETTINGS[key].rebuild === 'refresh') await enqueueRefreshes(transaction, entity.id, repoId);
      });
      return readForRepo(entity.id, repoId, key);
    },
  };
}

/** Works out anew what follows from commits, hosts and trackers: of each repo, and across them. */
async function enqueueDerivations(db: Database, entityId: number): Promise<void> {
  for (const { repo_id } of await listImports(db, entityId)) {
    if (repo_id !== null) await enqueueDerivation(db, { entity_id: entityId, repo_id });
  }
  await enqueueDerivation(db, { entity_id: entityId });
}

/** Imports again what was imported: of the whole entity, or of one repo. */
async function enqueueRefreshes(db: Database, entityId: number, repoId?: number): Promise<void> {
  for (const row of await listImports(db, entityId)) {
    if (row.repo_id === null || (repoId !== undefined && row.repo_id !== repoId)) continue;
    const payload = { entity_id: entityId, import_id: row.id };
    await enqueue(db, 'import_repo', payload, importQueueOptions(payload));
  }
}

async function findRepoId(db: Database, entity: { id: number; slug: string }, repo: string): Promise<number> {
  if (repo.split('/').length < 2) {
    const message = `"${repo}" is not a repo; expected <organization>/<repo>`;
    throw new StrataError('invalid_parameter', message, { errors: { repo: [message] } });
  }
  const { repo_id } = await findResource(db, entity.id, parseResourcePath(`${entity.slug}/${repo}`));
  if (repo_id === null)
    throw new StrataError('not_found', `${repo} is an organization; expected <organization>/<repo>`);
  return repo_id;
}
