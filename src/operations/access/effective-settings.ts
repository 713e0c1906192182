// All settings of an entity, at most a few seconds old: every call needs one or the other.
import { type EntitySettings, effectiveEntitySettings } from '../../domain/access/entity-settings.ts';
import { readStoredSettings } from '../../storage/access/entity-settings.ts';
import type { OperationParts } from '../operation-parts.ts';

const KEPT_MS = 5_000;

export interface EffectiveSettings {
  read(entityId: number): Promise<EntitySettings>;
  /** After a change in this process; other processes notice when their entry runs out. */
  forget(entityId: number): void;
}

export function createEffectiveSettings({ store: { db }, now }: OperationParts): EffectiveSettings {
  const kept = new Map<number, { settings: Promise<EntitySettings>; untilMs: number }>();
  return {
    read(entityId) {
      const known = kept.get(entityId);
      if (known && now().getTime() < known.untilMs) return known.settings;
      const settings = readStoredSettings(db, entityId).then(effectiveEntitySettings);
      kept.set(entityId, { settings, untilMs: now().getTime() + KEPT_MS });
      settings.catch(() => kept.delete(entityId));
      return settings;
    },
    forget: (entityId) => void kept.delete(entityId),
  };
}
