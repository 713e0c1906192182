// Everything that is collected from Jira Data Center: the histories come with the search, whose pages go on after the
// last id, because offsets end at 10,000 on some search back ends.
import type { Collected } from '../../../domain/collect/collected.ts';
import type { ItemFetcher, Stream } from '../../../domain/collect/stream.ts';
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

const issues: Stream<JiraClient> = {
  ...issueStream,
  async page({ client, cursor, since, pageSize, signal }) {
    const fields = await client.fields(signal);
    const { jql } = changedIssues(client, since);
    const after = typeof cursor?.after === 'string' ? ` AND id > ${cursor.after}` : '';
    const search = {
      jql: `${jql}${after} ORDER BY id ASC`,
      startAt: 0,
      maxResults: pageSize,
      fields: searchedFields(fields),
      expand: ['changelog'],
    };
    const { body } = await client.post(`${client.api}/search`, search, signal);
    const { issues: found, total } = readAnswer('jira_server', searchPage, body);
    const last = found.at(-1);
    const isEnd = last === undefined || (total ?? 0) <= found.length;
    return {
      collected: collectIssues(client, found, fields),
      next: isEnd ? null : { after: last.id },
      itemCount: found.length,
      oldest: null,
      newest: null,
      ...(cursor === null && total != null ? { expected: total } : {}),
    };
  },
};

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
