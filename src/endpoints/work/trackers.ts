// Trackers: connect, list, disconnect. The specification has no call for them.
import { z } from 'zod';
import { CONNECTED_KINDS } from '../../domain/work/tracker-site.ts';
import { endpoint } from '../endpoint.ts';
import { p } from '../params/index.ts';
import { r } from '../returns.ts';

const tracker = z
  .object({
    id: z.int(),
    tracker_em: z.enum(CONNECTED_KINDS),
    name: z.string(),
    site_url: z.string(),
    email: z.string().nullable(),
    settings: z.object({ projects: z.array(z.string()), points_fields: z.array(z.string()) }),
    token_expires_at: z.string().nullable(),
    verified_at: z.string().nullable(),
    created_at: z.string(),
    created_by: z.string().nullable().describe('E-mail address; null when the operator connected it.'),
    issue_count: z.int(),
    sprint_count: z.int(),
    collected_until: z.string().nullable().describe('Every change of an issue up to then is stored.'),
    is_backfilling: z.boolean().describe('Whether older issues are still being collected.'),
    wait_until: z.string().nullable().describe('Nothing is requested before; the tracker said so.'),
    last_quota_exceeded_at: z.string().nullable(),
    error_em: z.string().nullable(),
    error_detail: z.string().nullable().describe('What went wrong last, in words.'),
  })
  .meta({ id: 'Tracker' });

const resourcePath = p.resourcePath('entity').optional().describe('The token’s entity when it is left out.');

export const addTracker = endpoint({
  route: 'POST /trackers',
  action: 'action_tracker_connected',
  group: 'Trackers',
  summary: 'Connect a tracker',
  description:
    'The tracker is asked who the token belongs to and which projects it sees before anything is stored, for at most 10 ' +
    'seconds. Issues, their history and sprints are then collected in the background. A site that is connected already ' +
    'gets the new token and the new choices.',
  access: { resource: 'admin' },
  params: {
    resource_path: resourcePath,
    tracker_em: p.oneOf(CONNECTED_KINDS).describe('The kind of tracker.'),
    token: p.string({ max: 4000 }).secret().describe('API token, personal access token or API key.'),
    site_url: p
      .url()
      .optional()
      .describe('Address of the site, such as https://acme.atlassian.net or https://dev.azure.com/acme.'),
    email: p.email().optional().describe('Of the token’s account; needed for jira.'),
    projects: p.strings().optional().describe('Keys or names of the projects; all that the token sees when left out.'),
    points_fields: p
      .strings()
      .optional()
      .describe('Ids of the fields that hold story points; the usual ones when left out.'),
    token_expires_at: p.dateTime().optional(),
  },
  returns: r.envelope({ tracker }),
  fails: [
    'missing_conditional_parameter',
    'provider_rejected',
    'provider_scope',
    'provider_unreachable',
    'provider_quota',
    'provider_mismatch',
    'unprocessable',
  ],
  async run({ params: { resource_path: _, ...input }, grant, ops, signal }) {
    const { tracker: added, account_name, project_count } = await ops.trackers.add(grant, input, signal);
    const projects = `${project_count} project${project_count === 1 ? '' : 's'}`;
    return {
      response_detail: `Connected ${added.name} as ${account_name}; ${projects} can be read, and collecting has begun.`,
      tracker: added,
    };
  },
});

export const listTrackers = endpoint({
  route: 'GET /trackers',
  action: 'action_get_resource',
  group: 'Trackers',
  summary: 'List the connected trackers',
  description: 'Without their tokens, which nobody is shown. Trackers that belong to a code host are not among them.',
  access: { resource: 'manager' },
  params: { resource_path: resourcePath },
  returns: r.list(tracker),
  run: ({ grant, ops }) => ops.trackers.list(grant),
});

export const removeTracker = endpoint({
  route: 'DELETE /trackers',
  action: 'action_tracker_disconnected',
  group: 'Trackers',
  summary: 'Disconnect a tracker',
  description: 'Its token is deleted and collecting ends. The issues and sprints that were collected stay.',
  access: { resource: 'admin' },
  params: { resource_path: resourcePath, tracker_id: p.integer({ min: 1 }) },
  returns: r.envelope(),
  fails: ['not_found'],
  async run({ params: { tracker_id }, grant, ops }) {
    await ops.trackers.remove(grant, tracker_id);
    return { response_detail: `Disconnected the tracker ${tracker_id}; what was collected stays.` };
  },
});
