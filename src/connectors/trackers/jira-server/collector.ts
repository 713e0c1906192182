// Everything that is collected from Jira Data Center: the histories come with the search.
import type { Collected } from '../../../domain/collect/collected.ts';
import { needTime } from '../../../domain/collect/read-time.ts';
import type { ItemFetcher, PageRequest, Stream } from '../../../domain/collect/stream.ts';
import { HostError } from '../../../domain/repos/code-host.ts';
import { createCollector } from '../../collect/collector.ts';
import { readAnswer } from '../../http/read-answer.ts';
import { type JiraIssue, searchPage } from '../jira/answers.ts';
import { changedIssues, type JiraClient } from '../jira/client.ts';
import { connectJira } from '../jira/collector.ts';
import { sprints, statuses } from '../jira/common-streams.ts';
import type { JiraFields } from '../jira/fields.ts';
import { issueStream, jqlOfIssue, searchedFields } from '../jira/issue-streams.ts';
import { normaliseIssue, readStatus } from '../jira/normalise-issue.ts';
import { firstOf, isNextTo, nextPlace, type Place, readPlace, stepBack, upTo } from './places.ts';

const issues: Stream<JiraClient> = {
  ...issueStream,
  order: 'newest_first',
  async page({ client, cursor, since, pageSize, signal }) {
    const fields = await client.fields(signal);
    let place = readPlace(cursor);
    let answer = await searchAt(client, place, { since, pageSize, fields, signal });
    while (!isNextTo(place, answer.list)) {
      place = stepBack(place, pageSize);
      answer = await searchAt(client, place, { since, pageSize, fields, signal });
    }
    const { found, list, total } = answer;
    return {
      collected: collectIssues(client, found, fields),
      next: nextPlace(place, { list, total, now: client.hostNow() }),
      itemCount: found.length,
      oldest: timeOf(list.at(-1)),
      newest: timeOf(list[0]),
      ...(cursor === null ? { expected: total } : {}),
    };
  },
};

interface SearchOptions extends Pick<PageRequest<JiraClient>, 'since' | 'pageSize' | 'signal'> {
  readonly fields: JiraFields;
}

async function searchAt(client: JiraClient, place: Place, { since, pageSize, fields, signal }: SearchOptions) {
  const startAt = firstOf(place);
  const search = {
    jql: `${changedIssues(client, since).jql}${upTo(place)} ORDER BY updated DESC, key DESC`,
    startAt,
    maxResults: place.start - startAt + pageSize,
    fields: searchedFields(fields),
    expand: ['changelog'],
  };
  const { body } = await client.post(`${client.api}/search`, search, signal);
  const { issues: found, total } = readAnswer('jira_server', searchPage, body);
  const list = found.map(({ id, fields: { updated } }) => ({ id, updated: needTime(updated, 'an issue') }));
  return { found, list, total: total ?? 0 };
}

const timeOf = (issue: { readonly updated: string } | undefined): Date | null =>
  issue === undefined ? null : new Date(issue.updated);

function collectIssues(client: JiraClient, found: readonly JiraIssue[], fields: JiraFields): Collected {
  for (const { key, changelog } of found) {
    if ((changelog?.total ?? 0) > (changelog?.histories.length ?? 0)) {
      throw new HostError('unexpected_answer', `Jira Data Center leaves out part of the history of ${key}`);
    }
  }
  return {
    issues: found.map((issue) =>
      normaliseIssue(issue, issue.changelog?.histories ?? [], { site: client.site, fields }),
    ),
    statuses: found.map(({ fields: { status } }) => readStatus(status)),
  };
}

const oneIssue: ItemFetcher<JiraClient> = {
  kind: 'issue',
  scope: 'tracker',
  resource: 'core',
  async fetch({ client, key, signal }) {
    const fields = await client.fields(signal);
    const search = {
      jql: jqlOfIssue(key),
      startAt: 0,
      maxResults: 1,
      fields: searchedFields(fields),
      expand: ['changelog'],
    };
    const { body } = await client.post(`${client.api}/search`, search, signal);
    const { issues: found } = readAnswer('jira_server', searchPage, body);
    return found.length === 0 ? null : collectIssues(client, found, fields);
  },
};

export const jiraServerCollector = createCollector({
  streams: [statuses, issues, sprints],
  items: [oneIssue],
  resourceOf: () => 'core',
  connect: connectJira('jira_server'),
});
