// Webhooks of every host and tracker: proof, id, and what they hint at, each with bodies as the host documents them.
import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { type Delivery, NO_HINT } from '../../src/ingest/webhooks/webhook.ts';
import { WEBHOOK_KINDS } from '../../src/ingest/webhooks/webhook-kinds.ts';

const NOW = new Date('2026-11-10T10:00:00Z');
const SECRET = 'a secret of ours';
const KEY = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;

const hexOf = (body: string, secret = SECRET) => createHmac('sha256', secret).update(body).digest('hex');
const basic = (secret: string) => ({ authorization: `Basic ${Buffer.from(`strata:${secret}`).toString('base64')}` });
const stamped = (body: string, id: string, time: number) => ({
  'webhook-id': id,
  'webhook-timestamp': String(time),
  'webhook-signature': `v1,${createHmac('sha256', Buffer.alloc(32, 5)).update(`${id}.${time}.${body}`).digest('base64')}`,
});
const SECONDS = NOW.getTime() / 1000;

type Headers = Readonly<Record<string, string>>;
interface Row {
  readonly kind: keyof typeof WEBHOOK_KINDS;
  readonly what: string;
  readonly secret?: string;
  readonly body: object;
  prove(body: string): Headers;
  /** The same without a good proof. */
  forge(body: string): Headers;
  readonly headers?: Headers;
  readonly id: string | null;
  readonly hint: object | null;
}

const pull = (number: number) => ({ items: [{ kind: 'pull_request', key: String(number) }] });
const REPO = '{6f4ce0a3-1d8e-4b7c-9d9f-1f6b6f4ce0a3}';
const GUID = '278d5cd2-584d-4b63-824a-2ba458937249';
const signed = (body: string) => ({ 'x-hub-signature': `sha256=${hexOf(body)}` });
const unsigned = (body: string) => ({ 'x-hub-signature': `sha256=${hexOf(body, 'another')}` });

const ROWS: readonly Row[] = [
  {
    kind: 'hostD',
    what: 'a merge request, with the secret alone',
    secret: KEY,
    body: { object_kind: 'merge_request', project: { id: 15 }, object_attributes: { iid: 7 } },
    prove: () => ({ 'x-gitlab-token': KEY }),
    forge: () => ({ 'x-gitlab-token': `${KEY}x` }),
    headers: { 'idempotency-key': 'f5e5f430' },
    id: 'f5e5f430',
    hint: { repo_external_id: '15', ...pull(7) },
  },
  {
    kind: 'hostD',
    what: 'a comment on a merge request, signed',
    secret: KEY,
    body: { object_kind: 'note', project_id: 15, merge_request: { iid: 9 }, object_attributes: { note: 'x' } },
    prove: (body) => stamped(body, 'msg-1', SECONDS - 200),
    forge: (body) => stamped(`${body} `, 'msg-1', SECONDS - 200),
    id: 'msg-1',
    hint: { repo_external_id: '15', ...pull(9) },
  },
  {
    kind: 'hostD',
    what: 'a signature of yesterday is not taken',
    secret: KEY,
    body: { object_kind: 'issue', project: { id: 15 }, object_attributes: { iid: 3 } },
    prove: (body) => stamped(body, 'msg-2', SECONDS),
    forge: (body) => stamped(body, 'msg-2', SECONDS - 301),
    id: 'msg-2',
    hint: { repo_external_id: '15', streams: ['issues'] },
  },
  {
    kind: 'hostD',
    what: 'a good secret does not make up for a bad signature',
    secret: KEY,
    body: { object_kind: 'push', project_id: 15 },
    prove: (body) => ({ ...stamped(body, 'msg-3', SECONDS), 'x-gitlab-token': KEY }),
    forge: (body) => ({ ...stamped(`${body}!`, 'msg-3', SECONDS), 'x-gitlab-token': KEY }),
    id: 'msg-3',
    hint: { repo_external_id: '15', isPush: true },
  },
  {
    kind: 'hostB',
    what: 'an approval',
    body: { repository: { uuid: REPO }, pullrequest: { id: 4 }, approval: {} },
    prove: signed,
    forge: unsigned,
    headers: { 'x-event-key': 'pullrequest:approved', 'x-request-uuid': 'u-1', 'x-attempt-number': '2' },
    id: 'u-1',
    hint: { repo_external_id: REPO, ...pull(4) },
  },
  {
    kind: 'hostB',
    what: 'a push',
    body: { repository: { uuid: REPO }, push: { changes: [] } },
    prove: signed,
    forge: () => ({}),
    headers: { 'x-event-key': 'repo:push', 'x-request-uuid': 'u-2' },
    id: 'u-2',
    hint: { repo_external_id: REPO, isPush: true },
  },
  {
    kind: 'hostB_server',
    what: 'a comment on a pull request',
    body: { eventKey: 'pr:comment:added', pullRequest: { id: 11, toRef: { repository: { id: 84 } } } },
    prove: signed,
    forge: unsigned,
    headers: { 'x-event-key': 'pr:comment:added', 'x-request-id': 'r-1' },
    id: 'r-1',
    hint: { repo_external_id: '84', ...pull(11) },
  },
  {
    kind: 'hostB_server',
    what: 'a test of the connection',
    body: { test: true },
    prove: signed,
    forge: unsigned,
    headers: { 'x-event-key': 'diagnostics:ping', 'x-request-id': 'r-2' },
    id: 'r-2',
    hint: null,
  },
  {
    kind: 'devops_suite',
    what: 'a changed pull request, with a password',
    body: { id: 'e-1', eventType: 'git.pullrequest.updated', resource: { pullRequestId: 5, repository: { id: GUID } } },
    prove: () => basic(SECRET),
    forge: () => basic('another'),
    id: 'e-1',
    hint: { repo_external_id: GUID, ...pull(5) },
  },
  {
    kind: 'devops_suite_on_prem',
    what: 'a comment on a pull request, with a header',
    body: {
      id: 'e-2',
      eventType: 'ms.vss-code.git-pullrequest-comment-event',
      resource: { comment: {}, pullRequest: { pullRequestId: 6, repository: { id: GUID } } },
    },
    prove: () => ({ 'x-strata-secret': SECRET }),
    forge: () => ({}),
    id: 'e-2',
    hint: { repo_external_id: GUID, ...pull(6) },
  },
  {
    kind: 'azure_boards',
    what: 'a work item',
    body: { id: 'e-3', eventType: 'workitem.updated', resource: { workItemId: 12 } },
    prove: () => basic(SECRET),
    forge: () => basic(''),
    id: 'e-3',
    hint: { streams: ['issues'] },
  },
  {
    kind: 'jira',
    what: 'an issue',
    body: { webhookEvent: 'jira:issue_updated', issue: { id: '10001' } },
    prove: signed,
    forge: unsigned,
    headers: { 'x-atlassian-webhook-identifier': 'j-1' },
    id: 'j-1',
    hint: { streams: ['issues'] },
  },
  {
    kind: 'jira_server',
    what: 'a sprint, with a password',
    body: { webhookEvent: 'sprint_closed', sprint: { id: 3 } },
    prove: () => basic(SECRET),
    forge: (body) => ({ ...basic(SECRET), ...unsigned(body) }),
    id: null,
    hint: { streams: ['sprints', 'issues'] },
  },
  {
    kind: 'linear',
    what: 'an issue',
    body: { type: 'Issue', action: 'update', webhookTimestamp: NOW.getTime() - 30_000 },
    prove: (body) => ({ 'linear-signature': hexOf(body) }),
    forge: (body) => ({ 'linear-signature': hexOf(body, 'another') }),
    headers: { 'linear-delivery': 'l-1', 'linear-event': 'Issue' },
    id: 'l-1',
    hint: { streams: ['issues'] },
  },
];

test('every host and tracker that is collected from has a row', () => {
  const covered = new Set<string>([...ROWS.map(({ kind }) => kind), 'hostC']);
  expect([...covered].sort()).toEqual(Object.keys(WEBHOOK_KINDS).sort());
});

describe.each(ROWS)('$kind: $what', ({ kind, secret = SECRET, body, prove, forge, headers, id, hint }) => {
  const webhook = WEBHOOK_KINDS[kind]!;
  const text = JSON.stringify(body);
  const deliver = (proof: Headers): Delivery => ({ headers: { ...headers, ...proof }, body: Buffer.from(text) });

  test('is genuine with its proof, and not with another', () => {
    expect(webhook.isGenuine(deliver(prove(text)), secret, NOW)).toBe(true);
    expect(webhook.isGenuine(deliver(forge(text)), secret, NOW)).toBe(false);
    expect(webhook.isGenuine(deliver({}), secret, NOW)).toBe(false);
  });

  test('has its id, and says what to look at again', () => {
    const delivery = deliver(prove(text));
    expect(webhook.deliveryId(delivery)).toBe(id);
    expect(webhook.readHint(delivery)).toEqual(hint === null ? null : { ...NO_HINT, ...hint });
  });
});

test('a body that is not JSON is unreadable, not an error of the check', () => {
  for (const kind of Object.values(WEBHOOK_KINDS)) {
    const delivery = { headers: { 'x-github-event': 'issues', 'x-event-key': 'pr:opened' }, body: Buffer.from('no') };
    expect(kind.isGenuine(delivery, SECRET, NOW)).toBe(false);
    expect(() => kind.readHint(delivery)).toThrow();
    expect(typeof kind.eventName(delivery)).toBe('string');
  }
});
