// Section 15 of the specification: teams, and the two calls around them that it leaves open.

import { z } from 'zod';
import { counted } from '../../kit/text/counted.ts';
import type { ChangedTeam } from '../../operations/index.ts';
import { endpoint } from '../endpoint.ts';
import { p } from '../params/index.ts';
import { r } from '../returns.ts';

const teamMember = z.object({
  committer_user_name: z.string().nullable().describe('Null while only an address is known.'),
  full_name: z.string().nullable(),
  email: z.string().nullable(),
  role_em: z.enum(['committer_role', 'manager_role']),
  from_on: z.string().nullable().describe('First day in the team; null since always.'),
  end_date: z.string().nullable().describe('Last day in the team; null without an end.'),
  is_known: z.boolean().describe('False while no commit of theirs was imported.'),
});

export const team = z
  .object({
    id: z.int(),
    name: z.string(),
    slug: z.string(),
    external_source_em: z.enum(['source_hostC', 'source_tracker_a', 'source_api_instantiated']).nullable(),
    project_board_id: z.string().nullable(),
    committers_total_count: z.int().min(0).describe('Developers with all their identities, active or not.'),
    committers_active_count: z
      .int()
      .min(0)
      .describe('Those that are processed; further identities count while the seat of their person is paid.'),
    committers_seated: z.array(z.string()).describe('User names with a paid seat.'),
    developer_members: z.array(teamMember),
    manager_members: z.array(teamMember),
    repo_paths: z.array(z.string()).describe('Repos the team was given; with none it works wherever its members do.'),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: 'Team' });

const path = () => p.resourcePath().optional().ourName().describe('The token’s entity when it is left out.');
const people = () => p.strings().default([]);
const paths = () => p.repoPaths().default([]);

const teamParams = {
  resource_path: path(),
  name: p.string().describe('Name or slug of the team.'),
  developer_members: people().describe('User names or e-mail addresses, also of people without a commit yet.'),
  invite_developers: p.boolean().default(false).describe('Write to the developers named who have not joined.'),
  manager_members: people().describe('User names or e-mail addresses.'),
  invite_managers: p.boolean().default(false).ourName().describe('Write to the managers named who have not joined.'),
  project_board_id: p.string().optional().describe('Board of the issue tracker by which sprints are planned.'),
  repo_paths: paths(),
  start_date: p
    .date()
    .optional()
    .ourName()
    .describe('First day in the team of those named; since always when it is left out. Corrects that of members.'),
  end_date: p
    .date()
    .optional()
    .ourName()
    .describe('Last day in the team of those named; none when it is left out. Corrects that of members.'),
};

function describeTeam({ team, invitations, canSendMail, strangers }: ChangedTeam): string {
  const sentences = [
    `The team "${team.name}" (${team.slug}) has ${counted(team.developer_members.length, 'developer')}, ` +
      `${counted(team.manager_members.length, 'manager')} and ${counted(team.repo_paths.length, 'repo')} of its own.`,
  ];
  const unknown = [...team.developer_members, ...team.manager_members].filter(({ is_known }) => !is_known);
  if (unknown.length > 0) {
    sentences.push(`${unknown.length} of them count from their first imported commit on.`);
  }
  if (invitations.invited.length > 0) {
    const what = counted(invitations.invited.length, 'invitation');
    sentences.push(
      canSendMail
        ? `Queued ${what}.`
        : `No mail server is configured, so ${what} went to the outbox (strata mail list shows it).`,
    );
  }
  if (invitations.unreachable.length > 0) {
    sentences.push(
      `Not invited, because no e-mail address is known: ${invitations.unreachable.join(', ').slice(0, 500)}.`,
    );
  }
  if (strangers.length > 0) sentences.push(`Not in the team: ${strangers.join(', ').slice(0, 500)}.`);
  return sentences.join(' ');
}

/** A team that was given repos works in these only, so a wrong path empties its charts. */
function warningsOf({ unknownRepos, unseen }: ChangedTeam): string[] {
  const hidden =
    unseen.length === 0
      ? []
      : [
          `${unseen.join(', ').slice(0, 500)}: the team does not see their statistics, nor they the team's, until an admin ` +
            'makes the same call, because stats_access is not open',
        ];
  if (unknownRepos.length === 0) return hidden;
  const names = unknownRepos.map((name) => `"${name}"`).join(', ');
  return [
    ...hidden,
    `repo_paths: ${names.slice(0, 500)} not imported yet; expected <organization>/<repo>, without the entity`,
  ];
}

export const createTeam = endpoint({
  route: 'POST /teams',
  action: 'action_team_created',
  group: 'Teams',
  summary: 'Create a team',
  description:
    'The same call again changes nothing. A call that asks of an existing team what it does not have answers 409; ' +
    'teams are changed with PUT.',
  access: { resource: 'manager' },
  params: teamParams,
  returns: r.envelope(),
  fails: ['conflict', 'unprocessable'],
  async run({ params: { resource_path: _, ...input }, grant, ops, warn }) {
    const created = await ops.teams.create(grant, input);
    for (const warning of warningsOf(created)) warn(warning);
    return { response_detail: describeTeam(created) };
  },
});

export const showTeam = endpoint({
  route: 'GET /teams',
  action: 'action_get_resource',
  group: 'Teams',
  summary: 'Show a team, or list all',
  description: 'With `name` the answer has `team`; without it `teams`, the default team all-contributors first.',
  access: { resource: 'member' },
  params: {
    resource_path: path(),
    name: p.string().optional().describe('Name or slug; all teams are listed when it is left out.'),
  },
  returns: r.envelope({ team: team.optional(), teams: z.array(team).optional() }),
  async run({ params: { name }, grant, ops }) {
    if (name === undefined) {
      const teams = await ops.teams.list(grant);
      return { response_detail: `${counted(teams.length, 'team')}.`, teams: teams.map(copyOf) };
    }
    const shown = await ops.teams.show(grant, name);
    return { response_detail: `The team "${shown.name}".`, team: copyOf(shown) };
  },
});

type TeamBody = z.input<typeof team>;
const copyOf = (record: ChangedTeam['team']): TeamBody => ({
  ...record,
  committers_seated: [...record.committers_seated],
  developer_members: [...record.developer_members],
  manager_members: [...record.manager_members],
  repo_paths: [...record.repo_paths],
});

export const updateTeam = endpoint({
  route: 'PUT /teams',
  action: 'action_team_updated',
  group: 'Teams',
  summary: 'Change a team',
  description:
    'Members and repos are added to those there are. Removing a member ends the membership today or after `end_date`, so ' +
    'that charts of the time before keep it; somebody who was added today leaves no trace. Somebody who comes back is a ' +
    'member from that day on, or from `start_date`.',
  access: { resource: 'manager' },
  params: {
    ...teamParams,
    remove_members: people()
      .alias('members_to_remove')
      .ourName()
      .describe('Developers and managers who leave today, or after `end_date`.'),
    remove_repo_paths: paths().ourName(),
  },
  returns: r.envelope(),
  fails: ['unprocessable'],
  async run({ params: { resource_path: _, ...input }, grant, ops, warn }) {
    const changed = await ops.teams.update(grant, input);
    for (const warning of warningsOf(changed)) warn(warning);
    return { response_detail: describeTeam(changed) };
  },
});

export const deleteTeam = endpoint({
  route: 'DELETE /teams',
  action: 'action_team_deleted',
  group: 'Teams',
  summary: 'Delete a team',
  description: 'The people and their work stay; charts by team lose this team, also for the past.',
  access: { resource: 'manager' },
  params: { resource_path: path(), name: p.string().describe('Name or slug.') },
  returns: r.envelope(),
  fails: ['unprocessable'],
  async run({ params: { name }, grant, ops }) {
    const removed = await ops.teams.remove(grant, name);
    return { response_detail: `Deleted the team "${removed.name}".` };
  },
});

export const listTeamRepos = endpoint({
  route: 'GET /teams/associated_repos',
  action: 'action_get_resource',
  group: 'Teams',
  summary: 'List the repos of a team',
  description: 'The repos it was given; when it was given none, those that its developers have commits in.',
  access: { resource: 'member' },
  params: { resource_path: path(), name: p.string().describe('Name or slug.'), page: p.page() },
  returns: r.page(
    'repos',
    z.object({
      id: z.int().nullable().describe('Null while the repo is not imported.'),
      repo_path: z.string(),
      name: z.string(),
      is_explicit: z.boolean(),
    }),
  ),
  async run({ params: { name, page }, grant, ops }) {
    const found = await ops.teams.associatedRepos(grant, name, page);
    return { response_detail: `${counted(found.total_count, 'repo')}.`, ...found };
  },
});
