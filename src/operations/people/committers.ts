// Identities of people: listed, merged into one person, and split again. For the operator and admins.
import { StrataError } from '../../domain/errors.ts';
import type { ProcessingStatus } from '../../domain/people/processing-status.ts';
import { countSeats, lockSeats } from '../../storage/people/developers.ts';
import {
  type CommitterRow,
  findIdentity,
  listCommitters,
  mergeCommitters,
  splitCommitter,
} from '../../storage/people/merge-committers.ts';
import type { Actor } from '../access/actor.ts';
import type { AccessOperations } from '../access/grant.ts';
import { enqueueDerivationsOf } from '../delivery/enqueue-derivation.ts';
import type { OperationParts } from '../operation-parts.ts';
import { requireSeats } from './developers.ts';
import { resolveCommitter, unknownCommitter } from './resolve-committer.ts';

export interface CommitterRecord {
  readonly id: number;
  readonly committer_user_name: string;
  readonly full_name: string;
  readonly email: string;
  readonly processing_status: ProcessingStatus;
  /** User name of the person that this is an identity of; null for the person itself. */
  readonly identity_of: string | null;
}

export interface CommitterOperations {
  list(actor: Actor, entity: string): Promise<CommitterRecord[]>;
  /** Both by any identifier. The second one's user name and status stay. */
  merge(actor: Actor, entity: string, who: string, into: string): Promise<{ merged: string; into: string }>;
  /** By the user name or an address of the identity. Conflict when there is no seat for a further person. */
  split(actor: Actor, entity: string, who: string): Promise<{ split: string; from: string; identity_count: number }>;
}

export function createCommitterOperations(
  { store: { db } }: OperationParts,
  access: Pick<AccessOperations, 'enterEntity'>,
): CommitterOperations {
  return {
    async list(actor, slug) {
      const { entity } = await access.enterEntity(actor, slug, 'admin');
      return (await listCommitters(db, entity.id)).map(committerToRecord);
    },

    async merge(actor, slug, who, into) {
      const { entity } = await access.enterEntity(actor, slug, 'admin');
      const child = await resolveCommitter(db, entity.id, who, 'who');
      const root = await resolveCommitter(db, entity.id, into, 'into');
      if (child.id === root.id) {
        throw new StrataError('unprocessable', `"${who}" and "${into}" are both ${root.committer_user_name} already`);
      }
      await db.transaction().execute(async (trx) => {
        await lockSeats(trx, entity.id);
        await mergeCommitters(trx, entity.id, child.id, root.id);
        await enqueueDerivationsOf(trx, entity.id, [root.id]);
      });
      return { merged: child.committer_user_name, into: root.committer_user_name };
    },

    async split(actor, slug, who) {
      const { entity, settings } = await access.enterEntity(actor, slug, 'admin');
      const found = await findIdentity(db, entity.id, who);
      if (found === undefined) {
        throw unknownCommitter(who, 'committer');
      }
      if (found.id === found.root_committer_id) {
        const message = `${found.committer_user_name} is a person of its own; name one of its merged identities`;
        throw new StrataError('unprocessable', message);
      }
      const group = await db.transaction().execute(async (trx) => {
        await lockSeats(trx, entity.id);
        const before = await countSeats(trx, entity.id);
        const ids = await splitCommitter(trx, entity.id, found);
        requireSeats(before, await countSeats(trx, entity.id), settings.seat_limit);
        await enqueueDerivationsOf(trx, entity.id, [found.id, found.root_committer_id]);
        return ids;
      });
      return { split: found.committer_user_name, from: found.root_user_name, identity_count: group.length };
    },
  };
}

const committerToRecord = (row: CommitterRow): CommitterRecord => ({
  id: row.id,
  committer_user_name: row.committer_user_name,
  full_name: row.full_name,
  email: row.email,
  processing_status: row.processing_status,
  identity_of: row.id === row.root_committer_id ? null : row.root_user_name,
});
