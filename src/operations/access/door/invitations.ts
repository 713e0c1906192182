// Invitations: an admin names somebody and a role, and hands over a link that opens the door once.

import type { Role } from '../../../domain/access/caller.ts';
import { INVITATION_MS, signInLink } from '../../../domain/access/sign-in.ts';
import { StrataError } from '../../../domain/errors.ts';
import {
  deleteInvitation,
  deleteOpenInvitations,
  insertSignInKey,
  listInvitations,
  type SignInKeyRow,
} from '../../../storage/access/sign-in-keys.ts';
import { ensureMembership, findUserByEmail, hasRightsBeyond, hasRole } from '../../../storage/access/users.ts';
import { inTransaction } from '../../../storage/database/in-transaction.ts';
import { addMail } from '../../../storage/mail/outgoing.ts';
import type { OperationParts } from '../../operation-parts.ts';
import { OPERATOR } from '../actor.ts';
import type { Grant } from '../grant.ts';
import { readEmail } from '../users.ts';
import { hashSecret, newSecret, type SessionOperations } from './sessions.ts';

export interface InvitationRecord {
  readonly id: number;
  readonly entity: string;
  readonly email: string;
  readonly full_name: string | null;
  readonly role: Role;
  readonly created_at: string;
  readonly expires_at: string;
  readonly accepted_at: string | null;
}

export interface NewInvitation {
  readonly email: string;
  readonly full_name?: string | undefined;
  readonly role: Role;
}

export interface InvitationOperations {
  /**
   * The link is in this answer alone. A second invitation of the same address takes the place of the first. Who has an account
   * with rights that no admin of this entity has gets the role at once, and the link opens nothing: it would open all of the
   * account. The answer is the same, so that nobody learns of accounts elsewhere.
   */
  create(
    grant: Grant<'admin'>,
    input: NewInvitation,
  ): Promise<{ readonly invitation: InvitationRecord; readonly link: string; readonly mailed: boolean }>;
  list(grant: Grant<'admin'>): Promise<InvitationRecord[]>;
  remove(grant: Grant<'admin'>, id: number): Promise<InvitationRecord>;
}

/** Open invitations of one entity; more are a flood. */
const MOST_OPEN = 1000;

export function createInvitationOperations(
  parts: OperationParts,
  sessions: Pick<SessionOperations, 'endAllOf'>,
): InvitationOperations {
  const { store, now, links, mail } = parts;
  const { db } = store;
  return {
    async create(grant, input) {
      const { entity, actor } = grant;
      const email = readEmail(input.email);
      const open = (await listInvitations(db, entity.id)).filter(({ used_at }) => used_at === null);
      if (open.length >= MOST_OPEN) {
        throw new StrataError('conflict', `there are ${open.length} open invitations; take some back first`);
      }
      if (links === undefined) throw new Error('there is no address for links');
      const { baseUrl } = links;
      const key = newSecret();
      const created_at = now();
      const mailed = mail?.canSend === true;
      return inTransaction(db, async (trx) => {
        const user = await findUserByEmail(trx, email);
        const joinsAtOnce = user !== null && (await hasRightsBeyond(trx, user, entity.id));
        const link = signInLink(baseUrl(), 'invitation', key);
        await deleteOpenInvitations(trx, entity.id, email);
        if (joinsAtOnce && !(await hasRole(trx, user.id, entity.id))) {
          await ensureMembership(trx, { entity_id: entity.id, user_id: user.id, role: input.role }, created_at);
          // Who held a session of somebody without rights here is not to have them.
          await sessions.endAllOf(trx, user.id);
        }
        if (mailed)
          await addMail(trx, entity.id, [invitationMail(email, entity.slug, joinsAtOnce ? null : link, baseUrl())]);
        const row = await insertSignInKey(trx, {
          key_sha256: hashSecret(key),
          kind: 'invitation',
          entity_id: entity.id,
          email,
          full_name: input.full_name?.trim() || null,
          role: input.role,
          created_by: actor === OPERATOR ? null : actor.user_id,
          created_at,
          expires_at: new Date(created_at.getTime() + INVITATION_MS),
        });
        return { invitation: toRecord(row, entity.slug), link, mailed };
      });
    },

    list: async ({ entity }) => (await listInvitations(db, entity.id)).map((row) => toRecord(row, entity.slug)),

    async remove({ entity }, id) {
      const row = await deleteInvitation(db, entity.id, id);
      if (row === null) throw new StrataError('not_found', `there is no invitation ${id}`);
      return toRecord(row, entity.slug);
    },
  };
}

const toRecord = (row: SignInKeyRow, entity: string): InvitationRecord => ({
  id: row.id,
  entity,
  email: row.email ?? '',
  full_name: row.full_name,
  role: row.role ?? 'member',
  created_at: row.created_at,
  expires_at: row.expires_at,
  accepted_at: row.used_at,
});

/** Without a link the role is given already. */
function invitationMail(recipient: string, entity: string, link: string | null, address: string) {
  return {
    kind: 'invitation',
    recipient,
    subject: `You are invited to ${entity} in Strata`,
    body_text:
      link === null
        ? `Hello,\n\nyou can look at the charts of ${entity} in Strata now. Sign in as usual:\n\n${address}\n`
        : `Hello,\n\nyou are invited to look at the charts of ${entity} in Strata. Open this address within a week; ` +
          `it works once:\n\n${link}\n`,
  };
}
