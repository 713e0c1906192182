// Bitbucket Data Center, by its HTTP access tokens.

import { createJsonClient, type JsonClient } from '../../http/json-client.ts';
import type { ConnectorParts } from '../connector.ts';

export const createBitbucketServerClient = (parts: ConnectorParts): JsonClient =>
  createJsonClient(parts, {
    base: `${parts.address}/rest/api/1.0`,
    headers: { authorization: `Bearer ${parts.account.token}` },
  });
