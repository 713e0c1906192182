// Bitbucket Data Center, by its HTTP access tokens.
import type { ConnectorParts } from '../hosts/connector.ts';
import { createJsonClient, type JsonClient } from '../hosts/json-client.ts';

export const createBitbucketServerClient = (parts: ConnectorParts): JsonClient =>
  createJsonClient(parts, {
    base: `${parts.address}/rest/api/1.0`,
    headers: { authorization: `Bearer ${parts.account.token}` },
  });
