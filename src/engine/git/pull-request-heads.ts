// Heads of pull requests that no branch leads to any more. Hosts keep a ref for each pull request that ever was; only those that
// are named are fetched, into a place of the mirror that the fetch of branches leaves alone.
import type { CloneAddress } from '../../domain/repos/source.ts';
import { type MirrorOptions, mirrorRepository, openFolder, runRemote } from './mirror.ts';
import { type GitRepository, readGit } from './run-git.ts';

const KEPT = 'refs/strata/pull/';
/** Names on one command line. */
const REFS_AT_ONCE = 200;

/** `refs` are the host's own names by number. What the source does not have is left out. */
export async function fetchPullRequestHeads(
  address: CloneAddress,
  refs: ReadonlyMap<number, string>,
  options: MirrorOptions,
): Promise<void> {
  const all = [...refs];
  for (let from = 0; from < all.length; from += REFS_AT_ONCE) {
    const wanted = new Map(all.slice(from, from + REFS_AT_ONCE).map(([number, ref]) => [ref, `${KEPT}${number}`]));
    await (address.kind === 'folder' ? copyHeads(address, wanted, options) : fetchHeads(address, wanted, options));
  }
}

async function fetchHeads(
  address: CloneAddress & { kind: 'url' },
  wanted: ReadonlyMap<string, string>,
  options: MirrorOptions,
): Promise<void> {
  const listed = await runRemote(address, options, ['ls-remote', '--end-of-options', address.url, ...wanted.keys()]);
  const specs = listed.split('\n').flatMap((line) => {
    const ref = line.slice(line.indexOf('\t') + 1);
    const place = wanted.get(ref);
    return place === undefined ? [] : [`+${ref}:${place}`];
  });
  if (specs.length === 0) return;
  const flags = ['--no-tags', '--no-write-fetch-head', '--no-auto-maintenance', '--force', '--quiet'];
  await runRemote(address, options, ['fetch', ...flags, '--end-of-options', address.url, ...specs]);
}

/** Its objects are borrowed already. */
async function copyHeads(
  address: CloneAddress & { kind: 'folder' },
  wanted: ReadonlyMap<string, string>,
  options: MirrorOptions,
): Promise<void> {
  const format = '--format=%(objecttype) %(objectname) %(refname)';
  const listed = await readGit(await openFolder(address, options), ['for-each-ref', format, ...wanted.keys()]);
  const commands = listed
    .toString('utf8')
    .split('\n')
    .flatMap((line) => {
      const [type, sha, ref = ''] = line.split(' ');
      const place = wanted.get(ref);
      return type !== 'commit' || place === undefined ? [] : [`update ${place}\0${sha}\0\0`];
    });
  if (commands.length > 0) {
    await readGit(mirrorRepository(options), ['update-ref', '--stdin', '-z'], commands.join(''));
  }
}

export interface KeptHead {
  readonly sha: string;
  /** Seconds since 1970. */
  readonly committedAt: number;
}

/** Heads of pull requests that were ever fetched into the mirror. */
export async function listKeptHeads(repository: GitRepository): Promise<KeptHead[]> {
  const format = '--format=%(objecttype) %(objectname) %(committerdate:unix)';
  const listed = await readGit(repository, ['for-each-ref', format, KEPT]);
  return listed
    .toString('utf8')
    .split('\n')
    .flatMap((line): KeptHead[] => {
      const [type, sha = '', at] = line.split(' ');
      return type === 'commit' ? [{ sha, committedAt: Number(at) || 0 }] : [];
    });
}
