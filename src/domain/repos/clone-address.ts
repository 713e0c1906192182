// Which addresses an operator may register to clone from.
import { StrataError } from '../errors.ts';
import type { CloneCredentials } from './source.ts';

/** What whoever names an address may name, and how that is said. */
const ACCEPTED = {
  operator: {
    schemes: ['https:', 'http:', 'ssh:', 'git:'],
    words: 'https://, ssh:// and git:// addresses and user@host:path',
  },
  // git would use the operator's own keys for ssh.
  admin: {
    schemes: ['https:', 'http:'],
    words: 'https:// and http:// addresses; strata import also takes ssh:// and git:// addresses and user@host:path',
  },
} as const;

export interface ParsedCloneAddress {
  readonly url: URL;
  readonly credentials: CloneCredentials | null;
}

/** Accepts URLs and git's `user@host:path`. Credentials are taken out of the address. */
export function parseCloneAddress(text: string, by: keyof typeof ACCEPTED = 'operator'): ParsedCloneAddress {
  const { schemes, words } = ACCEPTED[by];
  const short = /^(?<user>[\w.-]+)@(?<host>[\w.-]+):(?<path>[^/].*)$/.exec(text)?.groups;
  const full = short ? `ssh://${short.user}@${short.host}/${short.path}` : text;
  const url = URL.canParse(full) ? new URL(full) : null;
  if (
    url === null ||
    !schemes.some((scheme) => scheme === url.protocol) ||
    url.hostname === '' ||
    url.pathname.length < 2
  ) {
    throw refuse(`"${withoutPassword(text)}" is not accepted as an address to clone from; accepted are ${words}`);
  }
  if (url.hostname.startsWith('-') || url.username.startsWith('-') || url.pathname.startsWith('/-')) {
    throw refuse(`"${withoutPassword(text)}" has a part that begins with a hyphen`);
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

const refuse = (message: string): StrataError =>
  new StrataError('invalid_parameter', message, { errors: { address: [message] } });

/** Under which credentials are kept that an admin of an entity gave for an address: they are for that entity alone. */
export const ownedAddress = (entityId: number, address: string): string => `entity ${entityId} ${address}`;

const withoutPassword = (text: string): string => text.replace(/\/\/[^/@]*@/, '//***@');
