// Works out what is known of commits only across repos, pull requests and issues: coding time, phase, and
// what the work was for. One job per entity at a time.

import { deriveTraits as derive } from '../derive/commits/derive-traits.ts';
import { effectiveEntitySettings } from '../domain/access/entity-settings.ts';
import { isActiveEntity } from '../storage/access/entities.ts';
import { readStoredSettings } from '../storage/access/entity-settings.ts';
import { matchIdentities } from '../storage/ai/identities.ts';
import { creditUsages } from '../storage/ai/usage-credits.ts';
import { bumpDataVersion } from '../storage/commits/rollups.ts';
import type { Task } from './task.ts';

export const deriveTraits: Task<'derive_traits'> = {
  description: 'Works out coding time, pull request phase and purpose of commits.',
  async run({ entity_id }, { log }, { store }) {
    if (!(await isActiveEntity(store.db, entity_id))) return;
    const settings = effectiveEntitySettings(await readStoredSettings(store.db, entity_id));
    let changed = await derive(store, entity_id, settings);
    // Whom tools name may be known by now.
    changed += await matchIdentities(store.db, entity_id);
    // Kept by whatever changes it; but a new time zone moves the days themselves, and two imports can pass each other.
    changed += await creditUsages(store.db, entity_id, 'entity');
    if (changed > 0) await bumpDataVersion(store.db, entity_id);
    log.debug({ entity_id, changed }, 'what is known of commits is up to date');
  },
};
