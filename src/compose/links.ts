// Links that the service puts into mail and records: the address it is reached at, and the key that
// signs them.
import { hkdfSync } from 'node:crypto';
import type { Config } from '../config/load-config.ts';
import type { LinkParts } from '../domain/surveys/link.ts';
import { readSecretKey } from './secrets.ts';

/** `listening` is the address of this process's own server, once it has one. */
export function createLinkParts(config: Config, listening: () => string | null = () => null): LinkParts {
  let key: Buffer | undefined;
  return {
    // Read when a link is first made: a command that makes none needs no secret.
    get key() {
      // Derived, so that a signing key that leaks opens nothing that was sealed.
      key ??= Buffer.from(hkdfSync('sha256', readSecretKey(config), 'strata', 'survey links', 32));
      return key;
    },
    baseUrl: () => (config.public_url ?? listening() ?? `http://${config.host}:${config.port}`).replace(/\/+$/, ''),
  };
}
