// What the operator looks at: mail that waits, jobs, and who works on them.
import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { p } from '../params/index.ts';
import { r } from '../returns.ts';
import { entity, GROUP } from './entity-param.ts';

const mail = z.object({
  id: z.int(),
  kind: z.string(),
  recipient: z.string(),
  subject: z.string(),
  state: z.enum(['waiting', 'sent', 'failed']),
  created_at: z.string(),
  sent_at: z.string().nullable(),
  last_error: z.string().nullable(),
});

export const listMail = endpoint({
  route: 'GET /mail',
  action: 'action_get_resource',
  group: GROUP,
  summary: 'List the mail of an entity that waits, and what was sent',
  description: 'Without its text, which may hold personal links.',
  access: { resource: 'admin' },
  params: { resource_path: entity(), sent: p.boolean().default(false).describe('Also what was sent.').ourName() },
  returns: r.envelope({ mail: z.array(mail), can_send: z.boolean().describe('Whether a mail server is set up.') }),
  async run({ params, grant, ops }) {
    const found = await ops.mail.list(grant.actor, { entity: grant.entity.slug, isSentToo: params.sent });
    const records = found.map(({ id, kind, recipient, subject, state, created_at, sent_at, last_error }) => ({
      id,
      kind,
      recipient,
      subject,
      state,
      created_at,
      sent_at,
      last_error,
    }));
    return { response_detail: `${records.length} mails`, mail: records, can_send: ops.server.hasMail };
  },
});

export const listJobs = endpoint({
  route: 'GET /jobs',
  action: 'action_get_resource',
  group: GROUP,
  summary: 'What the workers do, what waits for them, and what failed',
  access: 'super_admin',
  params: {},
  returns: r.envelope({
    tasks: z.array(
      z.object({
        task: z.string(),
        waiting: z.int(),
        running: z.int(),
        failed: z.int().describe('Out of attempts; they stay until somebody looks.'),
        oldest_waiting_minutes: z.int(),
      }),
    ),
    failures: z.array(
      z.object({ id: z.int(), task: z.string(), attempts: z.int(), last_error: z.string(), updated_at: z.string() }),
    ),
    workers: z.array(
      z.object({
        id: z.string(),
        host: z.string(),
        pid: z.int(),
        concurrency: z.int(),
        started_at: z.string(),
        beat_at: z.string().describe('Its last sign of life.'),
      }),
    ),
  }),
  async run({ caller, ops }) {
    const found = await ops.jobs.read(caller);
    const tasks = found.tasks.map(({ oldest_waiting_seconds, ...task }) => ({
      ...task,
      oldest_waiting_minutes: Math.floor(oldest_waiting_seconds / 60),
    }));
    return { response_detail: `${found.workers.length} workers`, ...found, tasks };
  },
});
