// What reports depend on of an entity besides its facts (teams, repos, how many people), remembered for a few seconds.
import { createByteLru } from '../../kit/byte-lru.ts';
import { readFreshness, readSurroundings, type Surroundings, type SurroundingsAsk } from '../../metrics/read-scope.ts';
import type { Store } from '../../storage/database/handle.ts';

export interface KnownSurroundings {
  readonly entityId: number;
  readonly around: Surroundings;
  /** What told apart the state of the entity's data in which it was read. */
  readonly freshness: string;
  readonly untilMs: number;
}

export interface RememberedSurroundings {
  /** What is remembered; it may be of data that has changed since. */
  recall(entityId: number, ask: SurroundingsAsk): KnownSurroundings | null;
  /** Whether the data is still the same. */
  holds(known: KnownSurroundings): Promise<boolean>;
  /** As it is now. */
  read(entityId: number, ask: SurroundingsAsk): Promise<Surroundings>;
}

/** Looked up again after this time for what leaves no trace in the data's version. */
const REMEMBERED_MS = 5_000;
const ENTRY_BYTES = 20_000;

export function createSurroundings(store: Store, mostBytes: number): RememberedSurroundings {
  const entries = createByteLru<KnownSurroundings>(mostBytes);
  const keyOf = (entityId: number, ask: SurroundingsAsk): string => JSON.stringify([entityId, ask]);

  const recall: RememberedSurroundings['recall'] = (entityId, ask) => {
    const known = entries.get(keyOf(entityId, ask));
    return known !== undefined && performance.now() < known.untilMs ? known : null;
  };

  return {
    recall,
    holds: async ({ entityId, freshness }) => freshness === (await readFreshness(store, entityId)),
    async read(entityId, ask) {
      const known = recall(entityId, ask);
      const freshness = await readFreshness(store, entityId);
      if (known?.freshness === freshness) return known.around;
      const around = await readSurroundings(store, entityId, ask);
      const key = keyOf(entityId, ask);
      const untilMs = performance.now() + REMEMBERED_MS;
      entries.set(key, { entityId, around, freshness, untilMs }, key.length + ENTRY_BYTES);
      return around;
    },
  };
}
