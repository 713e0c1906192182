// Which names this server answers to. A page of another site can make its own name lead to this machine's address and then
// read what it likes; the name in the request is all that shows it. An address is not a name and cannot be made to lie.
import type { FastifyInstance } from 'fastify';
import { StrataError } from '../../domain/errors.ts';
import type { HttpSettings } from '../http-settings.ts';

/** Without port and brackets, in lower case; null where the header holds no host. */
export function hostNameOf(header: string): string | null {
  const match = /^(\[[0-9a-f:.%]+\]|[^:/?#@\s]+)(?::\d{1,5})?$/i.exec(header.trim());
  return match === null
    ? null
    : match[1]!
        .replace(/^\[|\]$/g, '')
        .replace(/\.$/, '')
        .toLowerCase();
}

/** Browsers write an address in one way, and a name has no colon and does not end in a number. */
const isAddress = (host: string): boolean => host.includes(':') || /^\d{1,3}(?:\.\d{1,3}){3}$/.test(host);

export function createHostRule({
  public_url,
  allowed_hosts,
}: Pick<HttpSettings, 'public_url' | 'allowed_hosts'>): (host: string) => boolean {
  const known = new Set(
    [...allowed_hosts, ...(public_url === null ? [] : [new URL(public_url).hostname])].map((name) =>
      name.replace(/^\[|\]$/g, '').toLowerCase(),
    ),
  );
  return (host) => isAddress(host) || host === 'localhost' || host.endsWith('.localhost') || known.has(host);
}

export function addHostCheck(server: FastifyInstance, settings: Pick<HttpSettings, 'public_url' | 'allowed_hosts'>) {
  const isKnown = createHostRule(settings);
  server.addHook('onRequest', (request, _reply, done) => {
    // Browsers always send one; a probe that speaks HTTP/1.0 may not.
    const header = request.headers.host;
    if (header === undefined) return done();
    const host = hostNameOf(header);
    if (host !== null && isKnown(host)) return done();
    done(
      new StrataError(
        'misdirected',
        `${JSON.stringify(header.slice(0, 200))} is not a name of this server; the operator can set public_url, or add it to allowed_hosts`,
      ),
    );
  });
}
