// Issues of Jira Cloud: a search by tokens, and the changelogs of each page's issues in bulk.

import type { Collected } from '../../../domain/collect/collected.ts';
import type { Cursor, ItemFetcher, Stream } from '../../../domain/collect/stream.ts';
import { HostError } from '../../../domain/repos/code-host.ts';
import { readAnswer } from '../../http/read-answer.ts';
import { changelogPage, type JiraHistory, type JiraIssue, searchPage } from './answers.ts';
import { changedIssues, type JiraClient } from './client.ts';
import { common } from './common-streams.ts';
import type { JiraFields } from './fields.ts';
import { normaliseIssue, readStatus } from './normalise-issue.ts';

const FIELDS = [
  'summary',
  'issuetype',
  'status',
  'priority',
  'labels',
  'assignee',
  'creator',
  'reporter',
  'parent',
  'created',
  'updated',
  'resolutiondate',
  'project',
];
const TRACED = ['status', 'assignee', 'issuetype', 'priority', 'parent', 'Key'];
const CHANGES_AT_ONCE = 10_000;

const ownFields = ({ sprint, epicLink, points }: JiraFields): string[] =>
  [sprint, epicLink, ...points].flatMap((field) => (field === null ? [] : [field.id]));

export const searchedFields = (fields: JiraFields): string[] => [...FIELDS, ...ownFields(fields)];

export const issueStream = {
  ...common,
  name: 'issues',
  order: 'oldest_first',
  priority: 2,
  everyMinutes: 10,
  pageSize: { first: 100, most: 100 },
  right: { needs: 'the permission Browse projects', brings: 'issues, their points and their history' },
} as const satisfies Omit<Stream<JiraClient>, 'page'>;

export const issues: Stream<JiraClient> = {
  ...issueStream,
  async page({ client, cursor, since, pageSize, signal }) {
    const fields = await client.fields(signal);
    const {
      jql,
      stale_at,
      token: here,
    } = readCursor(cursor, client.hostNow()) ?? {
      ...changedIssues(client, since),
      token: null,
    };
    const search = {
      jql: `${jql} ORDER BY id ASC`,
      fields: searchedFields(fields),
      maxResults: pageSize,
      ...(here === null ? {} : { nextPageToken: here }),
    };
    const { body } = await client.post(`${client.api}/search/jql`, search, signal);
    const { issues: found, nextPageToken, isLast } = readAnswer('jira', searchPage, body);
    const token = isLast === true || nextPageToken == null ? null : nextPageToken;
    return {
      collected: await collectIssues(client, found, fields, signal),
      next: token === null ? null : { jql, stale_at, token },
      itemCount: found.length,
      oldest: null,
      newest: null,
    };
  },
};

async function collectIssues(
  client: JiraClient,
  found: readonly JiraIssue[],
  fields: JiraFields,
  signal: AbortSignal,
): Promise<Collected> {
  const ids = found.map(({ id }) => id);
  const histories = ids.length === 0 ? new Map() : await readChangelogs(client, ids, fields, signal);
  return {
    issues: found.map((issue) => normaliseIssue(issue, histories.get(issue.id) ?? [], { site: client.site, fields })),
    statuses: found.map(({ fields: { status } }) => readStatus(status)),
  };
}

/** By its id, which stays when an issue moves. */
export const jqlOfIssue = (id: string): string => {
  if (!/^\d+$/.test(id)) throw new Error(`${id} is not the id of an issue`);
  return `id = ${id}`;
};

export const oneIssue: ItemFetcher<JiraClient> = {
  kind: 'issue',
  scope: 'tracker',
  resource: 'core',
  async fetch({ client, key, signal }) {
    const fields = await client.fields(signal);
    const search = { jql: jqlOfIssue(key), fields: searchedFields(fields), maxResults: 1 };
    const { body } = await client.post(`${client.api}/search/jql`, search, signal);
    const { issues: found } = readAnswer('jira', searchPage, body);
    return found.length === 0 ? null : collectIssues(client, found, fields, signal);
  },
};

/** A token belongs to the search that it came from; null where that search begins too late by now. */
function readCursor(cursor: Cursor | null, now: Date): { jql: string; stale_at: string; token: string } | null {
  if (cursor === null) return null;
  const { jql, stale_at, token } = cursor;
  if (typeof jql !== 'string' || typeof stale_at !== 'string' || typeof token !== 'string') return null;
  return Date.parse(stale_at) < now.getTime() ? null : { jql, stale_at, token };
}

async function readChangelogs(
  client: JiraClient,
  ids: readonly string[],
  fields: JiraFields,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, readonly JiraHistory[]>> {
  const found = new Map<string, JiraHistory[]>();
  let token: string | null = null;
  for (;;) {
    const request = {
      issueIdsOrKeys: ids,
      fieldIds: [...TRACED, ...ownFields(fields)],
      maxResults: CHANGES_AT_ONCE,
      ...(token === null ? {} : { nextPageToken: token }),
    };
    const { body } = await client.post(`${client.api}/changelog/bulkfetch`, request, signal);
    const page = readAnswer('jira', changelogPage, body);
    for (const { issueId, changeHistories } of page.issueChangeLogs) {
      found.set(issueId, [...(found.get(issueId) ?? []), ...changeHistories]);
    }
    const next = page.nextPageToken ?? null;
    if (next === null) return found;
    if (next === token) throw new HostError('unexpected_answer', 'Jira Cloud leads to the same changes again');
    token = next;
  }
}
