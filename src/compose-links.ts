// Links that the service puts into mail and records: the address it is reached at, and the key that
// signs them.
import { hkdfSync } from 'node:crypto';
import { join } from 'node:path';
import type { Config } from './config/load-config.ts';
import type { LinkParts } from './domain/survey-link.ts';
import { readOrMakeKeyFile } from './kit/sealed-secret.ts';

/** `listening` is the address of this process's own server, once it has one. */
export function createLinkParts(config: Config, listening: () => string | null = () => null): LinkParts {
  let key: Buffer | undefined;
  return {
    // Read when a link is first made: a command that makes none needs no secret.
    get key() {
      // Derived, so that a signing key that leaks opens nothing that was sealed.
      const secret = () => readOrMakeKeyFile(join(config.data, 'secret.key'));
      key ??= Buffer.from(hkdfSync('sha256', secret(), 'strata', 'survey links', 32));
      return key;
    },
    baseUrl: () => (config.public_url ?? listening() ?? `http://${config.host}:${config.port}`).replace(/\/+$/, ''),
  };
}
