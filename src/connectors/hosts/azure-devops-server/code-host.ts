// Projects and repos of Azure DevOps Server.
import { azureCloneCredentials } from '../azure-devops/client.ts';
import { connectAzure } from '../azure-devops/code-host.ts';
import type { Connector } from '../connector.ts';
import { createAzureServerClient } from './client.ts';

/** Azure DevOps Server 2019 and all after it have this version. */
const OLDEST_VERSION = '5.0';

export const azureDevopsServer: Connector = {
  defaultAddress: null,
  cloneCredentials: azureCloneCredentials,
  connect: (parts) => connectAzure(parts, createAzureServerClient(parts), OLDEST_VERSION),
};
