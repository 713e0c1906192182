// Azure DevOps Services, by personal access tokens. Plain requests: Microsoft's client brings its own
// transport, which cannot be held to a checked address.
import { type HostAccount, HostError } from '../../../domain/repos/code-host.ts';
import type { CloneCredentials } from '../../../domain/repos/source.ts';
import { createJsonClient, type JsonClient } from '../../http/json-client.ts';
import { pathPart } from '../../http/read-answer.ts';
import type { ConnectorParts } from '../connector.ts';

/** A token that is not accepted leads to the sign-in page: by a redirect, or as HTML with status 203. */
export const SIGN_IN_STATUSES = [203, 302];

export const createAzureClient = (parts: ConnectorParts): JsonClient =>
  createJsonClient(parts, {
    base: `${parts.address}/${pathPart(organizationOf(parts))}`,
    headers: { authorization: `Basic ${Buffer.from(`:${parts.account.token}`).toString('base64')}` },
    rejectedStatuses: SIGN_IN_STATUSES,
  });

/** Any user name will do. */
export const azureCloneCredentials = ({ token }: HostAccount): CloneCredentials => ({
  username: 'strata',
  password: token,
});

/** The organization; on a server of one's own, the collection. */
export function organizationOf({ account }: ConnectorParts): string {
  if (account.organization_name !== null) return account.organization_name;
  throw new HostError('unexpected_answer', 'Azure DevOps cannot be asked without the name of the organization');
}
