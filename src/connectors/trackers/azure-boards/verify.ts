// Whether a token reads work items of an organization.
import { HostError } from '../../../domain/repos/code-host.ts';
import type { TrackerAccount, VerifiedTracker } from '../../../domain/work/tracker-site.ts';
import type { CollectorParts } from '../../collect/collector.ts';
import { failureOf } from '../../http/answer-failure.ts';
import { readAnswer } from '../../http/read-answer.ts';
import { connection } from './answers.ts';
import { createAzureBoardsClient, VERSION } from './client.ts';

/** Whom a request without a valid token is taken for. */
const ANONYMOUS = 'aaaaaaaa-aaaa-aaaa-aaaa-aaaaaaaaaaaa';

export async function verifyAzureBoards(
  account: TrackerAccount,
  parts: CollectorParts,
  signal: AbortSignal,
): Promise<VerifiedTracker> {
  const client = createAzureBoardsClient(account, parts);
  const { body, headers } = await client.get(`/_apis/connectionData?${VERSION}-preview.1`, signal);
  const { authenticatedUser: user } = readAnswer('azure_boards', connection, body);
  if (user.id === ANONYMOUS) throw failureOf('azure_boards', { status: 401, headers }, parts.now());
  const projects = await client.projects(signal);
  const [first] = projects;
  if (first === undefined) throw new HostError('insufficient_scope', "the token's account sees no project");
  // A token without Work Items (read) is refused here, and a project that does not exist as well.
  for (const project of client.settings.projects.length > 0 ? projects : [first]) await client.process(project, signal);
  const { host, pathname } = new URL(client.site);
  return {
    name: `${host}${pathname}`.replace(/\/+$/, ''),
    account_name: user.customDisplayName ?? user.providerDisplayName ?? user.id,
    project_count: projects.length,
  };
}
