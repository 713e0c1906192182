// Azure DevOps Server, formerly Team Foundation Server: the collection takes the place of the organization.

import type { JsonClient } from '../../http/json-client.ts';
import { createAzureClient } from '../azure-devops/client.ts';
import type { ConnectorParts } from '../connector.ts';

export const createAzureServerClient = (parts: ConnectorParts): JsonClient => createAzureClient(parts);
