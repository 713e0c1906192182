// Azure DevOps Server, formerly Team Foundation Server: the collection takes the place of the organization.
import { createAzureClient } from '../azure-devops/client.ts';
import type { ConnectorParts } from '../hosts/connector.ts';
import type { JsonClient } from '../hosts/json-client.ts';

export const createAzureServerClient = (parts: ConnectorParts): JsonClient => createAzureClient(parts);
