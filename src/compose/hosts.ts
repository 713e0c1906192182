// Code hosts and the key that seals their tokens, from the configuration.

import type { Config } from '../config/load-config.ts';
import { createCodeHosts } from '../connectors/hosts/code-hosts.ts';
import type { CodeHosts } from '../domain/repos/code-host.ts';
import type { SecretBox } from '../kit/sealed-secret.ts';
import { createSecrets } from './secrets.ts';

export interface HostParts {
  readonly codeHosts: CodeHosts;
  readonly secrets: SecretBox;
}

export const createHostParts = (config: Config, now: () => Date): HostParts => ({
  codeHosts: createCodeHosts({ allowPrivate: config.allow_private_addresses, now }),
  secrets: createSecrets(config),
});
