// Offboarding: an entity leaves with all that it has. From the call on nobody finds it; a job removes the rest.

import { StrataError } from '../../domain/errors.ts';
import { startOffboarding } from '../../storage/access/delete-entity.ts';
import { type EntityRow, findEntity } from '../../storage/access/entities.ts';
import { inTransaction } from '../../storage/database/in-transaction.ts';
import { enqueue } from '../../storage/queue/queue.ts';
import type { OperationParts } from '../operation-parts.ts';
import type { SuperAdmin } from './grant.ts';

export interface OffboardOperations {
  /** What the entity's state was before: a second call changes nothing. */
  start(actor: SuperAdmin, entitySlug: string): Promise<Pick<EntityRow, 'slug' | 'state'>>;
}

const QUEUE_ATTEMPTS = 1000; // a deletion is never given up

export function createOffboardOperations(
  { store: { db }, log }: OperationParts,
  /** Makes every token be looked up again. */
  forgetTokens: () => void,
): OffboardOperations {
  return {
    async start(_actor, entitySlug) {
      const slug = entitySlug.trim().toLowerCase();
      const entity = await findEntity(db, slug);
      if (entity === null) {
        const message = `there is no entity "${entitySlug.slice(0, 100)}"`;
        throw new StrataError('not_found', message, { errors: { entity_slug: [message] } });
      }
      if (entity.state !== 'deleted') {
        const jobKey = `delete_entity:${entity.id}`;
        await inTransaction(db, async (trx) => {
          await startOffboarding(trx, entity.id);
          await enqueue(trx, 'delete_entity', { entity_id: entity.id }, { jobKey, maxAttempts: QUEUE_ATTEMPTS });
        });
        forgetTokens();
        log.warn({ entity_id: entity.id, entity: slug }, 'an entity is being removed');
      }
      return { slug, state: entity.state };
    },
  };
}
