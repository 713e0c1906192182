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
import { todayOf } from '../today.ts';

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

export interface MembershipDays {
  /** The first day; without one, since always, or since today for a return. */
  readonly from: string | null;
  /** The first day that is no longer in it; null without an end. */
  readonly until: string | null;
  readonly today: string;
  readonly now: Date;
  readonly timeZone: string;
  /** Whether memberships that are made now let people see each other's statistics where these are not open. */
  readonly givesSight: boolean;
}

/** Call it with the teams locked. Days that are given correct those of a membership that there is. */
export async function joinTeam(
  db: Database,
  team: Pick<TeamRow, 'entity_id' | 'id'>,
  members: readonly NewMember[],
  role_em: RoleEm,
  { from, until, today, now, givesSight }: MembershipDays,
): Promise<void> {
  const rows = await readMemberships(db, team.entity_id, team.id);
  for (const member of members) {
    const own = rows.filter((row) => row.role_em === role_em && isSame(row, member));
    const open = own.find((row) => isOpen(row, today));
    const leftToday = own.find((row) => row.until_on === today);
    if (open !== undefined) {
      const change = {
        ...(from === null || from === open.from_on ? {} : { from_on: from }),
        ...(until === null || until === open.until_on ? {} : { until_on: until }),
        ...(givesSight && !open.gives_sight ? { gives_sight: true } : {}),
        // Longer than was agreed to.
        ...(!givesSight && until !== null && open.until_on !== null && until > open.until_on
          ? { gives_sight: false }
          : {}),
      };
      if (Object.keys(change).length > 0) await changeMember(db, open, change);
    } else if (leftToday !== undefined && until === null) {
      await changeMember(db, leftToday, { until_on: null, ...(from === null ? {} : { from_on: from }) });
    } else {
      const days = { from_on: from ?? (own.length > 0 && until === null ? today : null), until_on: until };
      await insertMember(db, {
        ...member,
        ...days,
        entity_id: team.entity_id,
        team_id: team.id,
        role_em,
        gives_sight: givesSight,
        created_at: now,
      });
    }
  }
}

/**
 * In either role. Without a day it ends today; somebody who joined today then was never in it. Returns those who were not
 * in the team. A day that is given also corrects a membership that has ended.
 */
export async function leaveTeam(
  db: Database,
  team: Pick<TeamRow, 'entity_id' | 'id'>,
  members: readonly NewMember[],
  { until, today, timeZone }: MembershipDays,
): Promise<NewMember[]> {
  const all = await readMemberships(db, team.entity_id, team.id);
  const strangers: NewMember[] = [];
  for (const member of members) {
    const known = all.filter((row) => isSame(row, member));
    const open = known.filter((row) => isOpen(row, today));
    const own = open.length > 0 || until === null ? open : lastOfEachRole(known);
    if (own.length === 0) strangers.push(member);
    for (const row of own) {
      const end = until ?? today;
      const isOfToday = until === null && todayOf(new Date(row.created_at), timeZone) === today;
      // Nothing was ever charted for somebody unknown, or before a first day that has not come.
      const hasHistory = row.root_id !== null && !isOfToday && (row.from_on === null || row.from_on < end);
      if (hasHistory) await changeMember(db, row, { until_on: end });
      else await deleteMember(db, row);
    }
  }
  return strangers;
}

const lastOfEachRole = (rows: readonly Membership[]): Membership[] => [
  ...new Map(rows.toSorted((a, b) => a.id - b.id).map((row) => [row.role_em, row])).values(),
];
