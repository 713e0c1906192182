// Invitations to a team: who gets one, and what it says. Written in the transaction that changes the team.
import type { Database } from '../../storage/database/handle.ts';
import { addMail } from '../../storage/mail/outgoing.ts';
import {
  findAddresses,
  findJoined,
  markInvited,
  type NewMember,
  type RoleEm,
  readMemberships,
} from '../../storage/teams/members.ts';
import type { TeamRow } from '../../storage/teams/teams.ts';

export interface InvitationContext {
  readonly team: Pick<TeamRow, 'entity_id' | 'id' | 'name'>;
  readonly entitySlug: string;
  readonly publicUrl: string | null;
  readonly now: Date;
}

export interface InvitationResult {
  readonly invited: readonly string[];
  /** Named without an address, and none is known. */
  readonly unreachable: readonly string[];
}

/** Nobody who has joined the entity, and nobody twice to one team. */
export async function inviteMembers(
  db: Database,
  { team, entitySlug, publicUrl, now }: InvitationContext,
  members: readonly NewMember[],
  role: RoleEm,
): Promise<InvitationResult> {
  const known = members.flatMap(({ committer_id }) => committer_id ?? []);
  const addresses = await findAddresses(db, team.entity_id, known);
  const named = members.map((member) => ({
    ...member,
    address: member.email ?? (member.committer_id === null ? undefined : addresses.get(member.committer_id)),
  }));
  const joined = await findJoined(
    db,
    team.entity_id,
    named.flatMap(({ address }) => address ?? []),
  );
  const rows = await readMemberships(db, team.entity_id, team.id);
  const invited: string[] = [];
  const marked = new Set<(typeof rows)[number]>();
  for (const { address, committer_id, identifier } of named) {
    if (address === undefined || joined.has(address)) continue;
    const own = rows.filter(
      (row) => (committer_id !== null && row.root_id === committer_id) || row.identifier === identifier,
    );
    if (own.some((row) => row.invited_at !== null)) continue;
    for (const row of own) marked.add(row);
    invited.push(address);
  }
  await markInvited(db, [...marked], now);
  const mails = [...new Set(invited)].map((recipient) => ({
    kind: 'team_invitation',
    recipient,
    ...invitationMail(team.name, entitySlug, role, publicUrl),
  }));
  await addMail(db, team.entity_id, mails);
  const unreachable = named.filter(({ address }) => address === undefined).map(({ identifier }) => identifier);
  return { invited: mails.map(({ recipient }) => recipient), unreachable };
}

/** A subject is one header line, whatever a team is called. */
const oneLine = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();

function invitationMail(
  teamName: string,
  entity: string,
  role: RoleEm,
  publicUrl: string | null,
): { subject: string; body_text: string } {
  const name = oneLine(teamName);
  const part = role === 'manager_role' ? 'a manager' : 'a developer';
  const where = publicUrl === null ? '' : `\n\nStrata is at ${publicUrl}.`;
  return {
    subject: `You are in the team ${name}`,
    body_text:
      `Hello,\n\nyou were added to the team "${name}" of ${entity} in Strata, as ${part}. ` +
      'Strata shows how the work of a team on its repositories goes.' +
      `${where}\n\nTo look at the team's charts you need access; ask an administrator of ${entity} for a token.\n`,
  };
}
