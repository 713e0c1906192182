// Whether a page of this server made the request. A cookie goes along with whatever a browser sends here, so a request that
// changes something must come from our own page.
import type { FastifyRequest } from 'fastify';
import { StrataError } from '../../domain/errors.ts';

const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS'];

/** Undefined where the browser says nothing about it, as programs do. */
function isOwnPage({ headers }: FastifyRequest): boolean | undefined {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const { origin, host } = headers;
  if (origin === undefined) return undefined;
  return URL.canParse(origin) && host !== undefined && new URL(origin).host === new URL(`http://${host}`).host;
}

const refused = (): StrataError =>
  new StrataError('forbidden', 'a page of another site made this request; only pages of this server may');

/** For callers with a session: only our own page may change something, and only with JSON, which no form can send. */
export function requireOwnPage(request: FastifyRequest): void {
  if (SAFE_METHODS.includes(request.method)) return;
  if (isOwnPage(request) !== true) throw refused();
  const { headers } = request;
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  if (hasBody && !/^application\/json\s*(?:;|$)/i.test(headers['content-type'] ?? '')) {
    throw new StrataError('unsupported_media_type', 'with a session a body must be application/json');
  }
}

/** For callers without any credential: programs may, pages of other sites may not. */
export function refuseOtherPages(request: FastifyRequest, allowedOrigins: readonly string[]): void {
  if (SAFE_METHODS.includes(request.method) || isOwnPage(request) !== false) return;
  if (!allowedOrigins.includes(request.headers.origin ?? '')) throw refused();
}
