// Who joins and leaves a team. A membership has days, so that history is charted with the team of its time:
// leaving ends it today, and somebody who comes back starts anew.
import { StrataError } from '../../domain/errors.ts';
import type { Database } from '../../storage/database/handle.ts';
import {
  changeMember,
  deleteMember,
  insertMember,
  type NewMember,
  type RoleEm,
  readMemberships,
} from '../../storage/teams/members.ts';
import type { TeamRow } from '../../storage/teams/teams.ts';
import { findCommitters } from '../people/resolve-committer.ts';

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** Members as they were named, with the committer behind each where one is known. */
export async function readMembers(
  db: Database,
  entityId: number,
  identifiers: readonly string[],
  parameter: string,
): Promise<NewMember[]> {
  const odd = identifiers.find((identifier) => /[\s,]/.test(identifier));
  if (odd !== undefined) {
    const message = `"${odd.slice(0, 100)}" is not accepted; expected user names or e-mail addresses`;
    throw new StrataError('invalid_parameter', `${parameter}: ${message}`, { errors: { [parameter]: [message] } });
  }
  const found = await findCommitters(db, entityId, identifiers);
  return identifiers.map((identifier) => ({
    committer_id: found.get(identifier)?.id ?? null,
    identifier: identifier.toLowerCase(),
    email: EMAIL.test(identifier) ? identifier.toLowerCase() : null,
  }));
}

type Membership = Awaited<ReturnType<typeof readMemberships>>[number];

const isSame = (row: Membership, member: NewMember): boolean =>
  member.committer_id !== null && row.root_id !== null
    ? row.root_id === member.committer_id
    : row.identifier === member.identifier;

const isOpen = (row: Membership, today: string): boolean => row.until_on === null || row.until_on > today;

/** Which of the members are not in the team in this role. */
export function findAbsent(
  rows: readonly Membership[],
  members: readonly NewMember[],
  role: RoleEm,
  today: string,
): NewMember[] {
  return members.filter(
    (member) => !rows.some((row) => row.role_em === role && isOpen(row, today) && isSame(row, member)),
  );
}

/** Call it with the teams locked. `from` is the first day; without one, since always, or since today for a return. */
export async function joinTeam(
  db: Database,
  team: Pick<TeamRow, 'entity_id' | 'id'>,
  members: readonly NewMember[],
  role_em: RoleEm,
  { from, today }: { from: string | null; today: string },
): Promise<void> {
  const rows = await readMemberships(db, team.entity_id, team.id);
  for (const member of members) {
    const own = rows.filter((row) => row.role_em === role_em && isSame(row, member));
    const open = own.find((row) => isOpen(row, today));
    const leftToday = own.find((row) => row.until_on === today);
    if (open !== undefined) {
      if (from !== null && from !== open.from_on) await changeMember(db, open, { from_on: from });
    } else if (leftToday !== undefined) {
      await changeMember(db, leftToday, { until_on: null, ...(from === null ? {} : { from_on: from }) });
    } else {
      const from_on = from ?? (own.length > 0 ? today : null);
      await insertMember(db, { ...member, entity_id: team.entity_id, team_id: team.id, role_em, from_on });
    }
  }
}

/** In either role. Returns those who were not in the team. */
export async function leaveTeam(
  db: Database,
  team: Pick<TeamRow, 'entity_id' | 'id'>,
  members: readonly NewMember[],
  today: string,
): Promise<NewMember[]> {
  const rows = (await readMemberships(db, team.entity_id, team.id)).filter((row) => isOpen(row, today));
  const strangers: NewMember[] = [];
  for (const member of members) {
    const own = rows.filter((row) => isSame(row, member));
    if (own.length === 0) strangers.push(member);
    for (const row of own) {
      // Nothing was ever charted for somebody unknown, or before a first day that has not come.
      const hasHistory = row.root_id !== null && (row.from_on === null || row.from_on < today);
      if (hasHistory) await changeMember(db, row, { until_on: today });
      else await deleteMember(db, row);
    }
  }
  return strangers;
}
