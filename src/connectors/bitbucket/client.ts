// Bitbucket Cloud. Atlassian's API tokens go with the person's e-mail address, app passwords with a user
// name; access tokens of a workspace, project or repository stand alone.
import type { ConnectorParts } from '../hosts/connector.ts';
import { createJsonClient, type JsonClient } from '../hosts/json-client.ts';

const API_TOKEN = /^ATATT/;
const USER_AND_SECRET = /^[^:\s]+:\S+$/;

export const createBitbucketClient = (parts: ConnectorParts): JsonClient =>
  createJsonClient(parts, { base: parts.address, headers: { authorization: authorization(parts.account) } });

function authorization({ token, email }: ConnectorParts['account']): string {
  const basic = (pair: string): string => `Basic ${Buffer.from(pair).toString('base64')}`;
  if (USER_AND_SECRET.test(token)) return basic(token);
  return API_TOKEN.test(token) ? basic(`${email}:${token}`) : `Bearer ${token}`;
}
