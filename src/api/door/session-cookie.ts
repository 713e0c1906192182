// The cookie that holds a session's secret. Over https its name keeps other hosts and plain http from setting it; on a
// loopback address the port is part of the name, because browsers keep one jar for all ports of a host.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { HttpSettings } from '../http-settings.ts';
import { readCookie } from './cookies.ts';

const SECURE_NAME = '__Host-strata';
const plainName = (request: FastifyRequest): string => `strata_${request.socket.localPort ?? 0}`;

/** The secret as the client sent it. */
export const readSessionCookie = (request: FastifyRequest): string | null => {
  const { cookie } = request.headers;
  return readCookie(cookie, SECURE_NAME) ?? readCookie(cookie, plainName(request)) ?? null;
};

/** Whether the browser came over https, to this process or to a proxy in front of it. */
function isSecure(request: FastifyRequest, { public_url }: Pick<HttpSettings, 'public_url'>): boolean {
  if (request.protocol === 'https') return true;
  return public_url?.startsWith('https:') === true && new URL(public_url).host === request.headers.host;
}

export function writeSessionCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  settings: Pick<HttpSettings, 'public_url'>,
  session: { readonly secret: string; readonly expires_at: string } | null,
): void {
  const secure = isSecure(request, settings);
  const name = secure ? SECURE_NAME : plainName(request);
  const seconds = session === null ? 0 : Math.max(0, Math.floor((Date.parse(session.expires_at) - Date.now()) / 1000));
  const attributes = ['Path=/', 'HttpOnly', 'SameSite=Lax', `Max-Age=${seconds}`, ...(secure ? ['Secure'] : [])];
  reply.header('set-cookie', [`${name}=${session?.secret ?? ''}`, ...attributes].join('; '));
  // What the page kept belongs to whoever signed in.
  if (session === null) reply.header('clear-site-data', '"cache"');
}
