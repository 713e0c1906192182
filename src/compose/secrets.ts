// The key that seals secrets, from the configuration or from a file beside the data.
import { join } from 'node:path';
import type { Config } from '../config/load-config.ts';
import { createLazySecretBox, parseSecretKey, readOrMakeKeyFile, type SecretBox } from '../kit/sealed-secret.ts';

/** The secret of the service; keys for other purposes are derived from it. */
export function readSecretKey(config: Pick<Config, 'secret_key' | 'data'>): Buffer {
  const given = config.secret_key === null ? null : parseSecretKey(config.secret_key);
  return given ?? readOrMakeKeyFile(join(config.data, 'secret.key'));
}

export const createSecrets = (config: Pick<Config, 'secret_key' | 'data'>): SecretBox =>
  createLazySecretBox(() => readSecretKey(config));
