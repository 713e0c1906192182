// Section 9 of the specification: list developers, set whether they are processed, record time off.

import { z } from 'zod';
import { IDENTITY_EVIDENCE } from '../../domain/people/identity-evidence.ts';
import { PROCESSING_STATUSES } from '../../domain/people/processing-status.ts';
import { counted } from '../../kit/text/counted.ts';
import { endpoint } from '../endpoint.ts';
import { p } from '../params/index.ts';
import { r } from '../returns.ts';

const developerTeam = z.object({
  role_em: z.enum(['committer_role', 'manager_role']),
  team_id: z.int(),
  team_name: z.string(),
  team_slug: z.string(),
});

export const developer = z
  .object({
    id: z.int(),
    committer_user_name: z.string(),
    full_name: z.string(),
    git_provider_id: z.string().nullable().describe('Identity at the code host; null where none is known.'),
    is_ai_agent: z
      .boolean()
      .describe('An AI agent with an account of its own: its commits count, and it is never counted among people.'),
    last_commit_authored_at: z.string().nullable(),
    last_commit_committed_at: z.string().nullable(),
    processing_status_em: z.enum(PROCESSING_STATUSES),
    provider_email: z.string().nullable().describe('As the code host knows it; else as commits have it.'),
    teams: z.array(developerTeam).describe('Teams the developer is in today, without all-contributors.'),
    user_id: z.int().nullable(),
  })
  .meta({ id: 'Developer' });

const userNames = () => p.strings().optional().alias('committer_user_names', 'contributor_user_names');
const identifiers = () =>
  p.strings().optional().alias('committer').ourName().describe('User names, code-host ids or e-mail addresses.');

export const listDevelopers = endpoint({
  route: 'GET /developers',
  action: 'action_developer_list',
  group: 'Developers',
  summary: 'List developers',
  description:
    'The identities of one person are one developer. Under an organization or repo only people with a commit there ' +
    'are listed. Pages have 50 records.',
  access: { resource: 'member' },
  params: {
    resource_path: p.resourcePaths().optional().describe('The token’s entity when it is left out.'),
    committer_user_name: userNames(),
    committer_identifier: identifiers(),
    git_provider_ids: p.strings().optional().alias('git_provider_id').ourName().describe('Ids at the code host.'),
    processing_status: p.oneOf(PROCESSING_STATUSES).optional().ourName(),
    start_date: p.dateTime().optional().describe('Only developers who authored a commit since then.'),
    page: p.page(),
    sort_by: p
      .oneOf(['id', 'last_authored_at', 'processing_status'])
      .default('id')
      .describe('`last_authored_at` has the latest first.'),
  },
  returns: r.envelope({
    committers: z.array(developer),
    page: z.int().min(1),
    total_pages: z.int().min(0),
    total_count: z.int().min(0),
    seats: z
      .object({ used: z.int().min(0), limit: z.int().nullable(), expires_on: z.string().nullable() })
      .describe('Seats of the whole entity; a null limit is none.'),
  }),
  async run({ params: { resource_path: _, ...input }, grant, ops, warn }) {
    const { unknown, ...found } = await ops.developers.list(grant, input);
    for (const name of unknown.slice(0, 20)) warn(`no committer is known as "${name.slice(0, 100)}"`);
    return { response_detail: `${counted(found.total_count, 'developer')}.`, ...found };
  },
});

export const setProcessing = endpoint({
  route: 'POST /developers/set_processing',
  action: 'action_developer_set_processing',
  group: 'Developers',
  summary: 'Set whether developers are processed',
  description:
    '`processing_stats` generates statistics, `limited_processing` does not but uses a seat as well, `not_processing` ' +
    'uses none. A detected AI agent or bot uses no seat until its status is set here. Reports change at once. Several names are set together or not at all.',
  access: { resource: 'admin' },
  params: {
    resource_path: p.resourcePath('entity').optional().ourName().describe('The token’s entity when it is left out.'),
    committer_user_name: userNames(),
    committer_identifier: identifiers(),
    processing_status: p.oneOf(PROCESSING_STATUSES),
  },
  returns: r.envelope({
    committers: z.array(z.object({ committer_user_name: z.string(), processing_status: z.enum(PROCESSING_STATUSES) })),
  }),
  fails: ['conflict', 'unprocessable', 'missing_conditional_parameter'],
  async run({ params: { resource_path: _, processing_status, ...names }, grant, ops }) {
    const committers = await ops.developers.setProcessing(grant, names, processing_status);
    const who = committers.length === 1 ? committers[0]!.committer_user_name : `${committers.length} developers`;
    return { response_detail: `The processing status of ${who} is ${processing_status}.`, committers };
  },
});

const timeOffParams = {
  resource_path: p.resourcePath(),
  start_date: p.date().describe('First day, in the entity’s calendar.'),
  end_date: p.date().optional().describe('Last day; one day when it is left out.'),
  committer_user_name: userNames(),
  committer_identifier: identifiers(),
};

const timeOffReturns = (count: string) =>
  r.envelope({
    days_off_in_range_count: z.int().min(0).describe(`${count} Of several developers, all together.`),
    full_success: z.boolean().describe('Whether every business day of the range was changed by this call.'),
    start_date: z.string(),
    end_date: z.string(),
    user_name: z.string().describe('User names, separated by commas when there are several.'),
    committers: z
      .array(z.object({ user_name: z.string(), days_off_in_range_count: z.int(), full_success: z.boolean() }))
      .describe('The same for each developer.'),
  });

interface TimeOff {
  readonly start_date: string;
  readonly end_date: string;
  readonly people: readonly { user_name: string; days_off_in_range_count: number; full_success: boolean }[];
}

function timeOffAnswer({ start_date, end_date, people }: TimeOff, describe: (days: number, names: string) => string) {
  const days = people.reduce((sum, person) => sum + person.days_off_in_range_count, 0);
  const names = people.map(({ user_name }) => user_name).join(',');
  return {
    response_detail: describe(days, names),
    days_off_in_range_count: days,
    full_success: people.every(({ full_success }) => full_success),
    start_date,
    end_date,
    user_name: names,
    committers: [...people],
  };
}

export const recordTimeOff = endpoint({
  route: 'POST /developers/record_time_off',
  action: 'action_record_time_off',
  group: 'Developers',
  summary: 'Record time off',
  description:
    'Business days of the range become days off; weekends and holidays of the entity’s calendar are free anyway and do ' +
    'not count. Recording a day twice changes nothing.',
  access: { resource: 'manager' },
  params: timeOffParams,
  returns: timeOffReturns('Days off that the range has now.'),
  fails: ['unprocessable', 'missing_conditional_parameter'],
  run: async ({ params: { resource_path: _, ...input }, grant, ops }) =>
    timeOffAnswer(await ops.timeOff.record(grant, input), (days, names) =>
      days === 0 ? 'The range has no business day.' : `The range has ${counted(days, 'day')} off of ${names}.`,
    ),
});

export const removeTimeOff = endpoint({
  route: 'POST /developers/remove_time_off',
  action: 'action_remove_time_off',
  group: 'Developers',
  summary: 'Remove time off',
  access: { resource: 'manager' },
  params: timeOffParams,
  returns: timeOffReturns('Days off that were removed.'),
  fails: ['unprocessable', 'missing_conditional_parameter'],
  run: async ({ params: { resource_path: _, ...input }, grant, ops }) =>
    timeOffAnswer(
      await ops.timeOff.remove(grant, input),
      (days, names) => `Removed ${counted(days, 'day')} off of ${names}.`,
    ),
});

export const listTimeOff = endpoint({
  route: 'GET /developers/time_off',
  action: 'action_time_off_list',
  group: 'Developers',
  summary: 'List time off',
  description: 'Days off of the developers named, or of all; from today on for a year unless a range is given.',
  access: { resource: 'manager' },
  params: {
    resource_path: p.resourcePath(),
    start_date: p.date().optional(),
    end_date: p.date().optional().describe('Last day; a year after the first when it is left out.'),
    committer_user_name: userNames(),
    committer_identifier: identifiers(),
    page: p.integer({ min: 1, max: 1_000_000 }).default(1),
  },
  returns: r.page('days_off', z.object({ user_name: z.string(), full_name: z.string(), date: z.string() })),
  fails: ['unprocessable'],
  async run({ params: { resource_path: _, ...input }, grant, ops }) {
    const { start_date, end_date, ...found } = await ops.timeOff.list(grant, input);
    return {
      response_detail: `${counted(found.total_count, 'day')} off from ${start_date} to ${end_date}.`,
      ...found,
      days_off: [...found.days_off],
    };
  },
});

const suggestion = z
  .object({
    committer_user_name: z.string().describe('Would become an identity of the other.'),
    into_user_name: z.string().describe('The one with more commits.'),
    full_name: z.string().describe('The name that both sign with.'),
    evidence: z
      .array(
        z.object({
          evidence_em: z.enum(IDENTITY_EVIDENCE),
          detail: z.string().describe('What was found, as a sentence.'),
        }),
      )
      .describe('The strongest first.'),
  })
  .meta({ id: 'IdentitySuggestion' });

const entityOnly = () =>
  p.resourcePath('entity').optional().ourName().describe('The token’s entity when it is left out.');

export const suggestMerges = endpoint({
  route: 'GET /developers/suggestions',
  action: 'action_identity_suggestions',
  group: 'Developers',
  summary: 'Suggest who may be one person',
  description:
    'Developers that sign with the same full name, one of them from a private address of a code host, or in the same repos. ' +
    'What is certain (a `.mailmap`, one account of a host) is joined by imports and not suggested.',
  access: { resource: 'admin' },
  params: { resource_path: entityOnly(), page: p.integer({ min: 1, max: 1_000_000 }).default(1) },
  returns: r.page('suggestions', suggestion),
  async run({ params: { page }, grant, ops }) {
    const found = await ops.committers.suggest(grant, page);
    const suggestions = found.suggestions.map((each) => ({ ...each, evidence: [...each.evidence] }));
    const what = counted(found.total_count, 'suggestion', 'suggestions');
    return { response_detail: `${what}; POST /developers/merge makes two developers one.`, ...found, suggestions };
  },
});

export const mergeDevelopers = endpoint({
  route: 'POST /developers/merge',
  action: 'action_developer_merged',
  group: 'Developers',
  summary: 'Make two developers one',
  description: 'The first becomes an identity of the second, whose user name and status stay. Reports change at once.',
  access: { resource: 'admin' },
  params: {
    resource_path: entityOnly(),
    committer_identifier: p
      .string()
      .alias('committer')
      .ourName()
      .describe('User name, code-host id or e-mail address.'),
    into_identifier: p.string().ourName().describe('The developer that remains.'),
  },
  returns: r.envelope({ committer_user_name: z.string(), into_user_name: z.string() }),
  fails: ['unprocessable'],
  async run({ params: { committer_identifier, into_identifier }, grant, ops }) {
    const { merged, into } = await ops.committers.mergePeople(grant, committer_identifier, into_identifier);
    const response_detail = `${merged} is now an identity of ${into}; POST /developers/split takes it back.`;
    return { response_detail, committer_user_name: merged, into_user_name: into };
  },
});

export const splitDeveloper = endpoint({
  route: 'POST /developers/split',
  action: 'action_developer_split',
  group: 'Developers',
  summary: 'Make an identity a developer of its own',
  description:
    'With whatever had been merged into it before. An identity that a `.mailmap` gives to somebody joins them again with ' +
    'the next import.',
  access: { resource: 'admin' },
  params: {
    resource_path: entityOnly(),
    committer_identifier: p.string().alias('committer').ourName().describe('User name or address of the identity.'),
  },
  returns: r.envelope({ committer_user_name: z.string(), from_user_name: z.string(), identity_count: z.int().min(1) }),
  fails: ['not_found', 'conflict', 'unprocessable'],
  async run({ params: { committer_identifier }, grant, ops }) {
    const { split, from, identity_count } = await ops.committers.splitPerson(grant, committer_identifier);
    const response_detail = `${split} is no longer an identity of ${from}.`;
    return { response_detail, committer_user_name: split, from_user_name: from, identity_count };
  },
});
