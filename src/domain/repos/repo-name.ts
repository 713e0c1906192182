// The one normal form of a repository's name. People write `acme/widgets`, `Acme/Widgets.git`, `acme/widgets/`, or paste
// the address that they clone from; hosts tell names apart without regard to case.
import type { ImportTarget } from './import-target.ts';
import type { RepoPath } from './source.ts';

const ADDRESS =
  /^(?:[a-z][a-z0-9+.-]*:\/\/(?:[^/@]*@)?(?<host>[^/:]+)(?::\d+)?\/|(?:[\w.-]+@)(?<short>[\w.-]+):(?!\/\/))(?<path>.*)$/i;
const SUFFIX = /\.git$/i;

/** Hosts with nested groups have more than one slash: all but the last part are the organization. Null for no name. */
export function readRepoName(text: string): RepoPath | null {
  const written = text.trim();
  const path = (ADDRESS.exec(written)?.groups?.path ?? written).replace(/[?#].*$/, '');
  const parts = path.replace(/^\/+|\/+$/g, '').split('/');
  const repo = parts.pop()!.replace(SUFFIX, '');
  if (repo === '' || parts.length === 0 || parts.includes('')) return null;
  return { organization: parts.join('/'), repo };
}

/** The host of an address; null for a name, and for a folder of this machine. */
export function hostOf(text: string): string | null {
  const { host, short } = ADDRESS.exec(text.trim())?.groups ?? {};
  return (host ?? short)?.toLowerCase() ?? null;
}

/** Two names are of one repo exactly when their keys are equal. */
export const repoNameKey = (name: string): string => name.toLowerCase().replace(SUFFIX, '');

/**
 * Whether two addresses are of one repository, whichever protocol and user it is read with. Servers have a port for each
 * protocol; two ports of one protocol are two servers. Folders are told apart as they are written.
 */
export function areSameAddress(one: string, other: string): boolean {
  const [a, b] = [readUrl(one), readUrl(other)];
  if (a === null || b === null) return a === b && withoutEnd(one) === withoutEnd(other);
  return placeOf(a) === placeOf(b) && (a.protocol !== b.protocol || portOf(a) === portOf(b));
}

/** Of the protocols whose own port a URL keeps. */
const OWN_PORTS: Readonly<Record<string, string>> = { 'ssh:': '22', 'git:': '9418' };

const portOf = ({ port, protocol }: URL): string => port || (OWN_PORTS[protocol] ?? '');

function readUrl(address: string): URL | null {
  const url = URL.canParse(address) ? new URL(address) : null;
  return url === null || url.hostname === '' ? null : url;
}

const withoutEnd = (path: string): string => path.replace(/\/+$/, '');

const placeOf = ({ hostname, pathname }: URL): string =>
  `${hostname}${withoutEnd(pathname)}`.toLowerCase().replace(SUFFIX, '');

/** Why two repositories of a folder cannot be imported together; null when all have names of their own. */
export function describeClash(targets: readonly ImportTarget[]): string | null {
  const byName = new Map<string, string>();
  for (const { as, address } of targets) {
    const key = repoNameKey(as);
    const other = byName.get(key);
    if (other !== undefined)
      return `${other} and ${address} would both be ${as}; rename one, or import them one by one with --as`;
    byName.set(key, address);
  }
  return null;
}
