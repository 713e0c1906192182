// Whether a token reads a Jira site: which product answers, whose token it is, and which projects it sees.
import { HostError } from '../../../domain/repos/code-host.ts';
import type { TrackerAccount, VerifiedTracker } from '../../../domain/work/tracker-site.ts';
import type { CollectorParts } from '../../collect/collector.ts';
import { readAnswer } from '../../http/read-answer.ts';
import { projectList, projectPage, serverInfo, user } from './answers.ts';
import { createJiraClient, type JiraClient, type JiraKind } from './client.ts';

export async function verifyJira(
  account: TrackerAccount,
  parts: CollectorParts,
  signal: AbortSignal,
): Promise<VerifiedTracker> {
  const kind: JiraKind = account.kind === 'jira' ? 'jira' : 'jira_server';
  const client = createJiraClient(kind, account, parts);
  const info = await client.get(`${client.api}/serverInfo`, signal);
  const { deploymentType, serverTitle } = readAnswer(kind, serverInfo, info.body);
  if (deploymentType != null && (deploymentType === 'Cloud') !== (kind === 'jira')) {
    throw new HostError(
      'unexpected_answer',
      `Jira ${deploymentType === 'Cloud' ? 'Cloud' : 'Data Center'} answers there; connect it as ${kind === 'jira' ? 'jira_server' : 'jira'}`,
    );
  }
  const me = await client.get(`${client.api}/myself`, signal);
  const { displayName, emailAddress, name } = readAnswer(kind, user, me.body);
  const project_count = await countProjects(client, signal);
  return {
    name: serverTitle ? `${serverTitle} (${new URL(client.site).host})` : new URL(client.site).host,
    account_name: displayName ?? emailAddress ?? name ?? '',
    project_count,
  };
}

/** Projects that were named must be seen; without names at least one. */
async function countProjects(client: JiraClient, signal: AbortSignal): Promise<number> {
  const named = client.settings.projects;
  let count: number;
  let seen: string[];
  if (client.kind === 'jira') {
    const keys = named.map((key) => `&keys=${encodeURIComponent(key)}`).join('');
    const { body } = await client.get(`${client.api}/project/search?maxResults=50${keys}`, signal);
    const { values, total } = readAnswer(client.kind, projectPage, body);
    count = total ?? values.length;
    seen = values.map(({ key }) => key);
  } else {
    const { body } = await client.get(`${client.api}/project`, signal);
    seen = readAnswer(client.kind, projectList, body).map(({ key }) => key);
    count = seen.length;
  }
  const missing = named.filter((key) => !seen.includes(key));
  if (missing.length > 0) {
    throw new HostError('insufficient_scope', `the token's account does not see the projects ${missing.join(', ')}`);
  }
  if (seen.length === 0) {
    throw new HostError('insufficient_scope', "the token's account sees no project; give it the right to browse one");
  }
  return named.length > 0 ? named.length : count;
}
