// Shas and parents of `heads --not notHeads`, newest first, without anything else about the commits.
import { type GitRepository, spawnGit } from './run-git.ts';

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

/** Tags that lead to a commit. */
export async function listTags(repository: GitRepository): Promise<ListedTag[]> {
  const format = [
    '%(refname)',
    '%(objecttype)',
    '%(objectname)',
    '%(*objecttype)',
    '%(*objectname)',
    '%(creatordate:unix)',
  ];
  const git = spawnGit(repository, ['for-each-ref', `--format=${format.join('%00')}`, 'refs/tags/']);
  git.stdin.end();
  let text = '';
  git.stdout.setEncoding('utf8');
  for await (const chunk of git.stdout) text += chunk;
  await git.done;
  return text.split('\n').flatMap((line): ListedTag[] => {
    const [ref = '', type, object = '', peeledType, peeled = '', at = '0'] = line.split('\0');
    const sha = type === 'commit' ? object : peeledType === 'commit' ? peeled : null;
    return sha === null ? [] : [{ name: ref.slice('refs/tags/'.length), sha, taggedAt: Number(at) || 0 }];
  });
}
