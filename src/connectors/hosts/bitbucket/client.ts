// Bitbucket Cloud. Atlassian's API tokens go with the person's e-mail address, app passwords with a user
// name; access tokens of a workspace, project or repository stand alone.
import type { HostAccount } from '../../../domain/repos/code-host.ts';
import type { CloneCredentials } from '../../../domain/repos/source.ts';
import { createJsonClient, type JsonClient } from '../../http/json-client.ts';
import type { ConnectorParts } from '../connector.ts';

const API_TOKEN = /^ATATT/;
const USER_AND_SECRET = /^[^:\s]+:\S+$/;

export const createBitbucketClient = (parts: ConnectorParts): JsonClient =>
  createJsonClient(parts, { base: parts.address, headers: { authorization: authorization(parts.account) } });

function authorization({ token, email }: HostAccount): string {
  const basic = (pair: string): string => `Basic ${Buffer.from(pair).toString('base64')}`;
  if (USER_AND_SECRET.test(token)) return basic(token);
  return API_TOKEN.test(token) ? basic(`${email}:${token}`) : `Bearer ${token}`;
}

/** Bitbucket recognises git by user names of its own. */
export function bitbucketCloneCredentials({ token }: HostAccount): CloneCredentials {
  if (USER_AND_SECRET.test(token)) {
    const [username = '', ...secret] = token.split(':');
    return { username, password: secret.join(':') };
  }
  return { username: API_TOKEN.test(token) ? 'x-bitbucket-api-token-auth' : 'x-token-auth', password: token };
}
