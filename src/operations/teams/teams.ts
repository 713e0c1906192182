// Teams: made, changed, shown and removed, with their members, repos and invitations.

import { dayAfter } from '../../domain/calendar/calendar-date.ts';
import { todayIn } from '../../domain/calendar/date-range.ts';
import { StrataError } from '../../domain/errors.ts';
import { readRepoName } from '../../domain/repos/repo-name.ts';
import { bumpDataVersion } from '../../storage/commits/rollups.ts';
import type { Database } from '../../storage/database/handle.ts';
import { inTransaction } from '../../storage/database/in-transaction.ts';
import { readMemberships } from '../../storage/teams/members.ts';
import { listUnknownRepos, spellRepos } from '../../storage/teams/repos.ts';
import {
  type AssociatedRepoRow,
  addTeamRepos,
  deleteTeam,
  ensureDefaultTeam,
  findTeam,
  insertTeam,
  listAssociatedRepos,
  listTeamRepos,
  listTeams,
  lockTeams,
  type RepoSlugs,
  removeTeamRepos,
  type TeamRow,
  touchTeam,
} from '../../storage/teams/teams.ts';
import { OPERATOR } from '../access/actor.ts';
import { type Grant, mayAs } from '../access/grant.ts';
import type { OperationParts } from '../operation-parts.ts';
import { type InvitationResult, inviteMembers } from './invitations.ts';
import { findAbsent, joinTeam, leaveTeam, type MembershipDays, readMembers } from './membership.ts';
import { readTeamRecords, type TeamRecord } from './records.ts';

export type { TeamMemberRecord, TeamRecord } from './records.ts';

export interface TeamInput {
  readonly name: string;
  readonly developer_members: readonly string[];
  readonly manager_members: readonly string[];
  readonly invite_developers: boolean;
  readonly invite_managers: boolean;
  readonly project_board_id?: string | undefined;
  /** `<organization>/<repo>`. */
  readonly repo_paths: readonly string[];
  /** First day of the memberships that this call makes or corrects. */
  readonly start_date?: string | undefined;
  /** Last day of the memberships that this call makes, corrects or ends. */
  readonly end_date?: string | undefined;
}

export interface TeamChange extends TeamInput {
  readonly remove_members: readonly string[];
  readonly remove_repo_paths: readonly string[];
}

export interface ChangedTeam {
  readonly team: TeamRecord;
  readonly invitations: InvitationResult;
  readonly canSendMail: boolean;
  /** Asked to be removed, but no members. */
  readonly strangers: readonly string[];
  /** Repos named in the call that are not imported. */
  readonly unknownRepos: readonly string[];
  /** Members that were added, but whose statistics the team does not see until an admin makes the same call. */
  readonly unseen: readonly string[];
}

export interface RepoPage {
  readonly repos: readonly AssociatedRepoRow[];
  readonly page: number;
  readonly page_count: number;
  readonly per_page: number;
  readonly total_count: number;
}

export interface TeamOperations {
  /** A repeated call is harmless; conflict when a team of that name lacks something that is asked for. */
  create(grant: Grant<'manager'>, input: TeamInput): Promise<ChangedTeam>;
  update(grant: Grant<'manager'>, input: TeamChange): Promise<ChangedTeam>;
  show(grant: Grant<'member'>, name: string): Promise<TeamRecord>;
  list(grant: Grant<'member'>): Promise<TeamRecord[]>;
  remove(grant: Grant<'manager'>, name: string): Promise<TeamRow>;
  associatedRepos(grant: Grant<'member'>, name: string, page: number): Promise<RepoPage>;
}

const PAGE_SIZE = 50;

export function createTeamOperations({ store: { db }, mail, now }: OperationParts): TeamOperations {
  const todayFor = ({ settings }: Grant<'member'>): string => todayIn(settings.time_zone, now());

  const recordsOf = (grant: Grant<'member'>, teams: readonly TeamRow[]): Promise<TeamRecord[]> => {
    const { seat_expires_on } = grant.settings;
    const today = todayFor(grant);
    return readTeamRecords(db, grant.entity.id, teams, today, seat_expires_on === null || today <= seat_expires_on);
  };
  const recordOf = async (grant: Grant<'member'>, team: TeamRow): Promise<TeamRecord> =>
    (await recordsOf(grant, [team]))[0]!;

  const changing = async (
    grant: Grant<'manager'>,
    input: TeamInput,
    removeMembers: readonly string[],
    change: (trx: Database, context: ChangeContext) => Promise<{ team: TeamRow; strangers: readonly string[] }>,
  ): Promise<ChangedTeam> => {
    const entityId = grant.entity.id;
    const context: ChangeContext = {
      entityId,
      today: todayFor(grant),
      days: { ...readDays(input, todayFor(grant), now(), grant.settings.time_zone), givesSight: mayGiveSight(grant) },
      developers: await readMembers(db, entityId, input.developer_members, 'developer_members'),
      managers: await readMembers(db, entityId, input.manager_members, 'manager_members'),
      removed: await readMembers(db, entityId, removeMembers, 'remove_members'),
      repos: await spellRepos(db, entityId, input.repo_paths.map(readRepoPath)),
    };
    const { team, strangers, invitations } = await inTransaction(db, async (trx) => {
      await lockTeams(trx, entityId);
      await ensureDefaultTeam(trx, entityId);
      const changed = await change(trx, context);
      const inviting = {
        team: changed.team,
        entitySlug: grant.entity.slug,
        publicUrl: mail?.publicUrl ?? null,
        now: now(),
      };
      const sent = [
        await inviteMembers(trx, inviting, input.invite_developers ? context.developers : [], 'committer_role'),
        await inviteMembers(trx, inviting, input.invite_managers ? context.managers : [], 'manager_role'),
      ];
      await bumpDataVersion(trx, entityId);
      return {
        ...changed,
        invitations: {
          invited: sent.flatMap(({ invited }) => invited),
          unreachable: [...new Set(sent.flatMap(({ unreachable }) => unreachable))],
        },
      };
    });
    return {
      team: await recordOf(grant, team),
      invitations,
      canSendMail: mail?.canSend ?? false,
      strangers,
      unseen: mayGiveSight(grant) ? [] : await listUnseen(db, team, context),
      unknownRepos: await listUnknownRepos(db, entityId, context.repos),
    };
  };

  const fill = async (trx: Database, team: TeamRow, context: ChangeContext): Promise<void> => {
    await joinTeam(trx, team, context.developers, 'committer_role', context.days);
    await joinTeam(trx, team, context.managers, 'manager_role', context.days);
    await addTeamRepos(trx, team, context.repos);
  };

  const requireTeam = async (entityId: number, name: string, reader: Database = db): Promise<TeamRow> => {
    let team = await findTeam(reader, entityId, name);
    if (team === undefined) {
      await ensureDefaultTeam(reader, entityId);
      team = await findTeam(reader, entityId, name);
    }
    if (team === undefined) {
      throw new StrataError('not_found', `there is no team "${name.slice(0, 100)}"; GET /teams lists those there are`);
    }
    return team;
  };

  return {
    create: (grant, input) =>
      changing(grant, input, [], async (trx, context) => {
        const { entityId } = context;
        const existing = await findTeam(trx, entityId, input.name);
        if (existing !== undefined) {
          await requireNothingNew(trx, existing, input, context);
          return { team: existing, strangers: [] };
        }
        const team = await insertTeam(
          trx,
          {
            entity_id: entityId,
            slug: slugOf(input.name),
            name: input.name,
            project_board_id: input.project_board_id ?? null,
          },
          now(),
        );
        await fill(trx, team, context);
        return { team, strangers: [] };
      }),

    update: (grant, input) =>
      changing(grant, input, input.remove_members, async (trx, context) => {
        const found = await requireTeam(context.entityId, input.name, trx);
        const isRestaffed = context.developers.length + context.managers.length + context.removed.length > 0;
        if (found.is_default && (isRestaffed || context.repos.length > 0)) {
          throw new StrataError(
            'unprocessable',
            `everybody is always in ${found.slug}; its members and repos cannot be set`,
          );
        }
        const team = { ...found, project_board_id: input.project_board_id ?? found.project_board_id };
        const strangers = await leaveTeam(trx, team, context.removed, context.days);
        await removeTeamRepos(
          trx,
          team,
          await spellRepos(trx, context.entityId, input.remove_repo_paths.map(readRepoPath)),
        );
        await fill(trx, team, context);
        await touchTeam(trx, team, now());
        return {
          team: { ...team, updated_at: now().toISOString() },
          strangers: strangers.map(({ identifier }) => identifier),
        };
      }),

    async show(grant, name) {
      return recordOf(grant, await requireTeam(grant.entity.id, name));
    },

    async list(grant) {
      await ensureDefaultTeam(db, grant.entity.id);
      return recordsOf(grant, await listTeams(db, grant.entity.id));
    },

    async remove({ entity: { id: entityId } }, name) {
      return inTransaction(db, async (trx) => {
        await lockTeams(trx, entityId);
        const team = await requireTeam(entityId, name, trx);
        if (team.is_default)
          throw new StrataError('unprocessable', `every entity has ${team.slug}; it cannot be deleted`);
        // First, because it lets one call that changes usage of AI at a time pass.
        await bumpDataVersion(trx, entityId);
        await deleteTeam(trx, team);
        return team;
      });
    },

    async associatedRepos(grant, name, page) {
      const team = await requireTeam(grant.entity.id, name);
      const { rows, total } = await listAssociatedRepos(db, team, todayFor(grant), {
        limit: PAGE_SIZE,
        offset: (page - 1) * PAGE_SIZE,
      });
      return { repos: rows, page, page_count: Math.ceil(total / PAGE_SIZE), per_page: PAGE_SIZE, total_count: total };
    },
  };
}

type Members = Awaited<ReturnType<typeof readMembers>>;

interface ChangeContext {
  readonly entityId: number;
  readonly today: string;
  readonly days: MembershipDays;
  readonly developers: Members;
  readonly managers: Members;
  readonly removed: Members;
  readonly repos: readonly RepoSlugs[];
}

/** Otherwise a manager could see everybody by making a team of everybody. */
const mayGiveSight = (grant: Grant<'manager'>): boolean =>
  grant.settings.stats_access === 'open' || grant.actor === OPERATOR || mayAs(grant, 'admin');

async function listUnseen(
  db: Database,
  { id }: TeamRow,
  { entityId, developers, managers }: ChangeContext,
): Promise<string[]> {
  const named = new Set([...developers, ...managers].map(({ identifier }) => identifier));
  const rows = await readMemberships(db, entityId, id);
  return rows.flatMap(({ gives_sight, identifier }) => (gives_sight || !named.has(identifier) ? [] : [identifier]));
}

function readDays(input: TeamInput, today: string, now: Date, timeZone: string): Omit<MembershipDays, 'givesSight'> {
  const { start_date: from = null, end_date: last } = input;
  if (from !== null && last !== undefined && last < from) {
    const message = `"${last}" is before start_date "${from}"; expected the same day or a later one`;
    throw new StrataError('unprocessable', `end_date: ${message}`, { errors: { end_date: [message] } });
  }
  const until = last === undefined ? null : dayAfter(last);
  return { from, until, today, now, timeZone };
}

/** A create that names an existing team must ask for nothing that the team has not. */
async function requireNothingNew(
  db: Database,
  team: TeamRow,
  input: TeamInput,
  { entityId, today, developers, managers, repos }: ChangeContext,
): Promise<void> {
  const rows = await readMemberships(db, entityId, team.id);
  const known = new Set((await listTeamRepos(db, entityId, [team.id])).map(({ repo_path }) => repo_path));
  const isNew =
    (!team.is_default && findAbsent(rows, developers, 'committer_role', today).length > 0) ||
    findAbsent(rows, managers, 'manager_role', today).length > 0 ||
    repos.some(({ organization, repo }) => !known.has(`${organization}/${repo}`)) ||
    (input.project_board_id !== undefined && input.project_board_id !== team.project_board_id);
  if (!isNew) return;
  throw new StrataError(
    'conflict',
    `there is a team "${team.name}" (${team.slug}) already, with other members, repos or board; change it with PUT /teams`,
    { errors: { name: ['is taken'] } },
  );
}

/** In its normal form; what is no name is left to the list of unknown repos. */
function readRepoPath(path: string): RepoSlugs {
  const at = path.lastIndexOf('/');
  return readRepoName(path) ?? { organization: path.slice(0, at), repo: path.slice(at + 1) };
}

const LONGEST_SLUG = 80;

/** Letters without their accents, digits, and dashes between them. */
export const slugOf = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .slice(0, LONGEST_SLUG)
    .replace(/^-+|-+$/g, '') || 'team';
