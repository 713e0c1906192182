// Who joins and leaves a team. A membership has days, so that history is charted with the team of its time:
// leaving ends it today, and somebody who comes back starts anew.
import { todayIn } from '../../domain/calendar/date-range.ts';
import { StrataError } from '../../domain/errors.ts';
import { groupBy } from '../../kit/group-by.ts';
import type { Database } from '../../storage/database/handle.ts';
import {
  changeMembers,
  deleteMembers,
  insertMembers,
  type MembershipState,
  type NewMember,
  type NewMembership,
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

/** Finds the rows of a member: by the person where both are known, else by what they were called. */
function indexMemberships<R extends Pick<Membership, 'root_id' | 'identifier'>>(
  rows: readonly R[],
): (member: NewMember) => readonly R[] {
  const byRoot = groupBy(rows, ({ root_id }) => root_id);
  const byIdentifier = groupBy(rows, ({ identifier }) => identifier);
  return ({ committer_id, identifier }) => {
    const named = byIdentifier.get(identifier) ?? [];
    if (committer_id === null) return named;
    const unknown = named.filter(({ root_id }) => root_id === null);
    const own = byRoot.get(committer_id) ?? [];
    return unknown.length === 0 ? own : rows.filter((row) => own.includes(row) || unknown.includes(row));
  };
}

const isOpen = (row: Membership, today: string): boolean => row.until_on === null || row.until_on > today;

/** Which of the members are not in the team in this role. */
export function findAbsent(
  rows: readonly Membership[],
  members: readonly NewMember[],
  role: RoleEm,
  today: string,
): NewMember[] {
  const rowsOf = indexMemberships(rows);
  return members.filter((member) => !rowsOf(member).some((row) => row.role_em === role && isOpen(row, today)));
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
  const rowsOf = indexMemberships(await readMemberships(db, team.entity_id, team.id));
  const joining: NewMembership[] = [];
  const changed = new Map<number, MembershipState>();
  for (const member of members) {
    const own = rowsOf(member).filter((row) => row.role_em === role_em);
    const open = own.find((row) => isOpen(row, today));
    const leftToday = own.find((row) => row.until_on === today);
    if (open !== undefined) {
      // Longer than was agreed to.
      const isLonger = until !== null && open.until_on !== null && until > open.until_on;
      const gives_sight = givesSight || (open.gives_sight && !isLonger);
      const after = { ...open, from_on: from ?? open.from_on, until_on: until ?? open.until_on, gives_sight };
      const isOther = CHANGEABLE.some((name) => after[name] !== open[name]);
      if (isOther) changed.set(open.id, after);
    } else if (leftToday !== undefined && until === null) {
      changed.set(leftToday.id, { ...leftToday, until_on: null, from_on: from ?? leftToday.from_on });
    } else {
      joining.push({ ...member, from_on: from ?? (own.length > 0 && until === null ? today : null), until_on: until });
    }
  }
  await changeMembers(db, [...changed.values()]);
  const place = { entity_id: team.entity_id, team_id: team.id, role_em, gives_sight: givesSight, created_at: now };
  await insertMembers(db, place, joining);
}

const CHANGEABLE = ['from_on', 'until_on', 'gives_sight'] as const;

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
  const rowsOf = indexMemberships(await readMemberships(db, team.entity_id, team.id));
  const strangers: NewMember[] = [];
  const ended = new Map<number, MembershipState>();
  const deleted = new Map<number, Membership>();
  for (const member of members) {
    const known = rowsOf(member);
    const open = known.filter((row) => isOpen(row, today));
    const own = open.length > 0 || until === null ? open : lastOfEachRole(known);
    if (own.length === 0) strangers.push(member);
    for (const row of own) {
      const end = until ?? today;
      const isOfToday = until === null && todayIn(timeZone, new Date(row.created_at)) === today;
      // Nothing was ever charted for somebody unknown, or before a first day that has not come.
      const hasHistory = row.root_id !== null && !isOfToday && (row.from_on === null || row.from_on < end);
      if (hasHistory) ended.set(row.id, { ...row, until_on: end });
      else deleted.set(row.id, row);
    }
  }
  await changeMembers(db, [...ended.values()]);
  await deleteMembers(db, [...deleted.values()]);
  return strangers;
}

const lastOfEachRole = (rows: readonly Membership[]): Membership[] => [
  ...new Map(rows.toSorted((a, b) => a.id - b.id).map((row) => [row.role_em, row])).values(),
];
