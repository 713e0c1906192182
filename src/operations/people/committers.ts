// Identities of people: listed, merged into one person, and split again. For the operator and admins.

import { StrataError } from '../../domain/errors.ts';
import type { ProcessingStatus } from '../../domain/people/processing-status.ts';
import { inTransaction } from '../../storage/database/in-transaction.ts';
import { countSeats, lockSeats } from '../../storage/people/developers.ts';
import { lockPeople } from '../../storage/people/lock-people.ts';
import {
  type CommitterRow,
  findIdentity,
  listCommitters,
  mergeCommitters,
  splitCommitter,
} from '../../storage/people/merge-committers.ts';
import { type IdentitySuggestion, suggestIdentities } from '../../storage/people/suggest-identities.ts';
import type { Actor } from '../access/actor.ts';
import type { AccessOperations, Grant } from '../access/grant.ts';
import { enqueueDerivationsOf } from '../delivery/enqueue-derivation.ts';
import { type Paging, PER_PAGE, pagingOf } from '../delivery/list-scope.ts';
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
  split(actor: Actor, entity: string, who: string): Promise<SplitResult>;
  mergePeople(grant: Grant<'admin'>, who: string, into: string): Promise<{ merged: string; into: string }>;
  splitPerson(grant: Grant<'admin'>, who: string): Promise<SplitResult>;
  /** Who may be one person, with what speaks for it; the strongest first. */
  suggest(
    grant: Grant<'admin'>,
    page: number,
  ): Promise<Paging & { readonly suggestions: readonly IdentitySuggestion[] }>;
}

interface SplitResult {
  readonly split: string;
  readonly from: string;
  readonly identity_count: number;
}

export function createCommitterOperations(
  { store: { db } }: OperationParts,
  access: Pick<AccessOperations, 'enterEntity'>,
): CommitterOperations {
  const operations: CommitterOperations = {
    async list(actor, slug) {
      const { entity } = await access.enterEntity(actor, slug, 'admin');
      return (await listCommitters(db, entity.id)).map(committerToRecord);
    },

    merge: async (actor, slug, who, into) =>
      operations.mergePeople(await access.enterEntity(actor, slug, 'admin'), who, into),

    split: async (actor, slug, who) => operations.splitPerson(await access.enterEntity(actor, slug, 'admin'), who),

    async mergePeople({ entity }, who, into) {
      return inTransaction(db, async (trx) => {
        // Before they are looked up: another call, or an import, may be joining the same people.
        await lockPeople(trx, entity.id);
        await lockSeats(trx, entity.id);
        const child = await resolveCommitter(trx, entity.id, who, 'committer_identifier');
        const root = await resolveCommitter(trx, entity.id, into, 'into_identifier');
        if (child.id === root.id) {
          throw new StrataError('unprocessable', `"${who}" and "${into}" are both ${root.committer_user_name} already`);
        }
        await mergeCommitters(trx, entity.id, child.id, root.id);
        await enqueueDerivationsOf(trx, entity.id, [root.id]);
        return { merged: child.committer_user_name, into: root.committer_user_name };
      });
    },

    async splitPerson({ entity, settings }, who) {
      return inTransaction(db, async (trx) => {
        await lockPeople(trx, entity.id);
        await lockSeats(trx, entity.id);
        const found = await findIdentity(trx, entity.id, who);
        if (found === undefined) {
          throw unknownCommitter(who, 'committer_identifier');
        }
        if (found.id === found.root_committer_id) {
          const message = `${found.committer_user_name} is a person of its own; name one of its merged identities`;
          throw new StrataError('unprocessable', message);
        }
        const before = await countSeats(trx, entity.id);
        const group = await splitCommitter(trx, entity.id, found);
        requireSeats(before, await countSeats(trx, entity.id), settings.seat_limit);
        await enqueueDerivationsOf(trx, entity.id, [found.id, found.root_committer_id]);
        return { split: found.committer_user_name, from: found.root_user_name, identity_count: group.length };
      });
    },

    async suggest({ entity }, page) {
      const all = await suggestIdentities(db, entity.id);
      const start = (page - 1) * PER_PAGE;
      return { ...pagingOf(page, all.length), suggestions: all.slice(start, start + PER_PAGE) };
    },
  };
  return operations;
}

const committerToRecord = (row: CommitterRow): CommitterRecord => ({
  id: row.id,
  committer_user_name: row.committer_user_name,
  full_name: row.full_name,
  email: row.email,
  processing_status: row.processing_status,
  identity_of: row.id === row.root_committer_id ? null : row.root_user_name,
});
