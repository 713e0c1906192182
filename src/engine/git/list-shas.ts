// Shas and parents of `heads --not notHeads`, newest first, without anything else about the commits.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { GitError, type GitRepository, readGit, spawnGit } from './run-git.ts';

export interface ShaList {
  readonly shas: string[];
  /** Children by parent, among the listed commits; parents may lie outside. */
  readonly children: Map<string, string[]>;
}

export async function listShas(
  repository: GitRepository,
  heads: Iterable<string>,
  notHeads: Iterable<string> = [],
): Promise<ShaList> {
  const shas: string[] = [];
  const children = new Map<string, string[]>();
  const input = [...heads, ...[...notHeads].map((sha) => `^${sha}`)];
  if (input.length === 0) return { shas, children };
  const git = spawnGit(repository, ['rev-list', '--parents', '--ignore-missing', '--stdin']);
  git.stdin.end(`${input.join('\n')}\n`);
  let rest = '';
  git.stdout.setEncoding('latin1');
  for await (const chunk of git.stdout) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const [sha = '', ...parents] = line.split(' ');
      shas.push(sha);
      for (const parent of parents) {
        const known = children.get(parent);
        if (known === undefined) children.set(parent, [sha]);
        else if (!known.includes(sha)) known.push(sha);
      }
    }
  }
  await git.done;
  return { shas, children };
}

/**
 * Where a shallow history is cut off: full shas, in order; none when it is whole. Only ends that the heads lead to: in a
 * folder others come and go with whatever somebody fetches there.
 */
export async function listShallowEnds(repository: GitRepository, heads: Iterable<string>): Promise<string[]> {
  const ends = new Set(readEnds(repository).split('\n'));
  ends.delete('');
  if (ends.size === 0) return [];
  const { shas } = await listShas(repository, new Set(heads));
  return shas.filter((sha) => ends.has(sha)).sort();
}

/** What cannot be read now is no history without ends. */
function readEnds({ gitDir }: GitRepository): string {
  try {
    return readFileSync(join(gitDir, 'shallow'), 'latin1');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

/** Those of the commits that have parents here: none has, where a shallow history ends. */
export async function listWithParents(repository: GitRepository, shas: readonly string[]): Promise<string[]> {
  if (shas.length === 0) return [];
  const flags = ['--no-walk=unsorted', '--parents', '--ignore-missing', '--stdin'];
  const listed = await readGit(repository, ['rev-list', ...flags], `${shas.join('\n')}\n`);
  const lines = listed.toString('latin1').split('\n');
  return lines.filter((line) => line.includes(' ')).map((line) => line.slice(0, line.indexOf(' ')));
}

/** Git takes a smaller number of seconds (before March 1973) for something else than a time. */
const EARLIEST_NAMED = 100_000_000;

/** How many commits `heads --not notHeads` are, of those committed since then. */
export async function countCommits(
  repository: GitRepository,
  heads: readonly string[],
  notHeads: readonly string[],
  sinceSeconds: number | null,
): Promise<number> {
  if (heads.length === 0) return 0;
  const since = sinceSeconds === null || sinceSeconds < EARLIEST_NAMED ? [] : [`--since=@${sinceSeconds}`];
  const git = spawnGit(repository, ['rev-list', '--count', '--ignore-missing', ...since, '--stdin']);
  git.stdin.end(`${[...heads, ...notHeads.map((sha) => `^${sha}`)].join('\n')}\n`);
  let answer = '';
  for await (const chunk of git.stdout) answer += chunk;
  await git.done;
  return Number(answer.trim()) || 0;
}

export interface ListedTag {
  readonly name: string;
  /** The commit it leads to. */
  readonly sha: string;
  /** Seconds since 1970: when it was made, or its commit was. */
  readonly taggedAt: number;
}

const TAG_FORMAT = [
  '%(refname)',
  '%(objecttype)',
  '%(objectname)',
  '%(*objecttype)',
  '%(*objectname)',
  '%(creatordate:unix)',
].join('%00');
/** As many names as any command line takes. */
const NAMED_AT_ONCE = 200;

/** Tags that lead to a commit. */
export async function listTags(repository: GitRepository): Promise<ListedTag[]> {
  try {
    return await readTags(repository, ['refs/tags/']);
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    // Git lists none when what one of them leads to is gone: the others are listed without it.
    const named = await readGit(repository, ['for-each-ref', '--format=%(refname)', 'refs/tags/']);
    const refs = named.toString('utf8').split('\n').filter(Boolean);
    const tags: ListedTag[] = [];
    for (let from = 0; from < refs.length; from += NAMED_AT_ONCE)
      tags.push(...(await readGoodTags(repository, refs.slice(from, from + NAMED_AT_ONCE))));
    return tags;
  }
}

async function readGoodTags(repository: GitRepository, refs: readonly string[]): Promise<ListedTag[]> {
  try {
    return await readTags(repository, refs);
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    if (refs.length <= 1) return [];
    const half = refs.length >> 1;
    const first = await readGoodTags(repository, refs.slice(0, half));
    return [...first, ...(await readGoodTags(repository, refs.slice(half)))];
  }
}

async function readTags(repository: GitRepository, patterns: readonly string[]): Promise<ListedTag[]> {
  const listed = await readGit(repository, ['for-each-ref', `--format=${TAG_FORMAT}`, ...patterns]);
  return listed
    .toString('utf8')
    .split('\n')
    .flatMap((line): ListedTag[] => {
      const [ref = '', type, object = '', peeledType, peeled = '', at = '0'] = line.split('\0');
      const sha = type === 'commit' ? object : peeledType === 'commit' ? peeled : null;
      return sha === null ? [] : [{ name: ref.slice('refs/tags/'.length), sha, taggedAt: Number(at) || 0 }];
    });
}
