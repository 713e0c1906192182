// The activity trail of an entity.
import { z } from 'zod';
import { CREDENTIAL_KINDS, OUTCOMES } from '../../domain/activity/activity.ts';
import { formatResourcePath } from '../../domain/resource-path.ts';
import { endpoint } from '../endpoint.ts';
import { p } from '../params/index.ts';
import { r } from '../returns.ts';

const activityRecord = z
  .object({
    id: z.int(),
    occurred_at: z.string(),
    entity: z.string().nullable().describe('Where it happened.'),
    credential_kind: z.enum(CREDENTIAL_KINDS).describe('`operator` is a command on the machine of the service.'),
    credential_id: z.string().nullable().describe('Id of the token or session; the user of the machine for a command.'),
    user_id: z.int().nullable(),
    user_email: z.string().nullable().describe('Null for commands. It stays when the user is removed.'),
    caller_entity: z.string().nullable().describe('Of the token or session; another one where a super admin acted.'),
    address: z.string().nullable().describe('Of the client; see the setting trust_proxy.'),
    operation: z.string().describe('Such as `POST /releases` or `strata token revoke`.'),
    resource: z.string().nullable().describe('Resource path, where the call named one.'),
    parameters: z.record(z.string(), z.string()).describe('What was sent: in short, without secrets.'),
    outcome_em: z.enum(OUTCOMES).describe('`success`, or the name of the error.'),
    trace: z.string().nullable().describe('Finds the call in the log.'),
  })
  .meta({ id: 'Activity' });

export const listActivity = endpoint({
  route: 'GET /activity',
  action: 'action_activity_list',
  group: 'Administration',
  summary: 'List who did what',
  description:
    'Every call that may change something, and every command of the operator about the entity, newest first. They are ' +
    'kept for as long as the setting activity_retention_days of the service says. A page holds 50; the next one is asked ' +
    'for with `before_id`.',
  access: { resource: 'admin' },
  params: {
    resource_path: p
      .resourcePath()
      .optional()
      .describe('Only what was done there or below; the whole entity if left out.'),
    start_date: p.date().optional(),
    end_date: p.date().optional(),
    days_ago: p.integer({ min: 1, max: 36_500 }).optional(),
    user_email: p.string().optional().describe('Only what this user did.'),
    credential_kind: p.oneOf(CREDENTIAL_KINDS).optional(),
    credential_id: p.string().optional().describe('Id of a token or session.'),
    operation: p.string().optional().describe('Such as `POST /releases`.'),
    outcome_em: p.oneOf(OUTCOMES).optional(),
    before_id: p
      .integer({ min: 1, max: Number.MAX_SAFE_INTEGER })
      .optional()
      .describe('next_before_id of the page before.'),
  },
  returns: r.envelope({
    activities: z.array(activityRecord),
    per_page: z.int(),
    next_before_id: z.int().nullable().describe('For before_id of the next page; null on the last one.'),
  }),
  async run({ params: { resource_path, ...filter }, grant, ops }) {
    const isNarrowed = resource_path !== undefined && resource_path.organization !== null;
    const list = await ops.activity.list(grant, {
      ...filter,
      ...(isNarrowed ? { resource: formatResourcePath(resource_path) } : {}),
    });
    const count = list.activities.length;
    return { response_detail: `Found ${count}${list.next_before_id === null ? '' : ' and more'}.`, ...list };
  },
});
