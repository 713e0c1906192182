// Which addresses an operator may register to clone from.
import { StrataError } from '../errors.ts';
import type { CloneCredentials } from './source.ts';

const SCHEMES = ['https:', 'http:', 'ssh:', 'git:'];

export interface ParsedCloneAddress {
  readonly url: URL;
  readonly credentials: CloneCredentials | null;
}

/** Accepts URLs and git's `user@host:path`. Credentials are taken out of the address. */
export function parseCloneAddress(text: string): ParsedCloneAddress {
  const short = /^(?<user>[\w.-]+)@(?<host>[\w.-]+):(?<path>[^/].*)$/.exec(text)?.groups;
  const full = short ? `ssh://${short.user}@${short.host}/${short.path}` : text;
  const url = URL.canParse(full) ? new URL(full) : null;
  if (url === null || !SCHEMES.includes(url.protocol) || url.hostname === '' || url.pathname.length < 2) {
    throw new StrataError(
      'invalid_parameter',
      `"${withoutPassword(text)}" is not an address to clone from; accepted are https://, ssh:// and git:// addresses and user@host:path`,
    );
  }
  if (url.hostname.startsWith('-') || url.username.startsWith('-') || url.pathname.startsWith('/-')) {
    throw new StrataError('invalid_parameter', `"${withoutPassword(text)}" has a part that begins with a hyphen`);
  }
  url.hash = '';
  if (url.protocol === 'ssh:' || url.protocol === 'git:') {
    url.password = '';
    return { url, credentials: null };
  }
  const credentials =
    url.username === '' && url.password === ''
      ? null
      : { username: decodeURIComponent(url.username), password: decodeURIComponent(url.password) };
  url.username = '';
  url.password = '';
  return { url, credentials };
}

/** Under which credentials are kept that an admin of an entity gave for an address: they are for that entity alone. */
export const ownedAddress = (entityId: number, address: string): string => `entity ${entityId} ${address}`;

const withoutPassword = (text: string): string => text.replace(/\/\/[^/@]*@/, '//***@');
