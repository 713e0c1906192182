// The commits to walk, newest first and children before parents, with their mailmapped people and times.
import { findMissing } from '../objects/find-missing.ts';
import { GitError, type GitRepository, orElse, readGit, spawnGit } from './run-git.ts';

export interface ListedCommit {
  readonly sha: string;
  readonly parents: readonly string[];
  readonly authorName: string;
  readonly authorEmail: string;
  readonly committerName: string;
  readonly committerEmail: string;
  readonly authoredAt: number;
  readonly committedAt: number;
}

const FORMAT = ['%H', '%P', '%aN', '%aE', '%cN', '%cE', '%at', '%ct'].join('%x00');
const PLACEHOLDER = /^%[ac][NE]$/;

/** Of somebody who is not written down as git expects it, git prints the placeholder as it stands. */
export const readPersonField = (text: string): string => (PLACEHOLDER.test(text) ? '' : text);

/** One that is larger is there too. */
const MAILMAP_BYTES = 32 << 20;

export interface CommitRange {
  /** Full shas. */
  readonly heads: readonly string[];
  readonly notHeads?: readonly string[];
  /** Where `.mailmap` is read from; a full sha. */
  readonly mailmapAt?: string | null;
}

/** Lists `heads --not notHeads`. Where a partial clone lacks the mailmap, people are named as the commits name them. */
export async function listCommits(repository: GitRepository, range: CommitRange): Promise<ListedCommit[]> {
  try {
    return await listMapped(repository, range);
  } catch (error) {
    if (!(error instanceof GitError) || !range.mailmapAt) throw error;
    if ((await readFileAt(repository, range.mailmapAt, '.mailmap', MAILMAP_BYTES)) !== null) throw error;
    return listMapped(repository, { ...range, mailmapAt: null });
  }
}

/** Names cannot hold NUL or a line feed, so a line is a record. */
async function listMapped(repository: GitRepository, range: CommitRange): Promise<ListedCommit[]> {
  if (range.heads.length === 0) return [];
  const mailmap = range.mailmapAt ? `${range.mailmapAt}:.mailmap` : '';
  const git = spawnGit(repository, [
    '-c',
    `mailmap.blob=${mailmap}`,
    'log',
    // Before --stdin, or it holds only for what comes behind.
    '--ignore-missing',
    '--stdin',
    // Commits that a merge brought in follow it at once, before those of its first parent: their tree is near.
    '--topo-order',
    '--no-patch',
    `--format=tformat:${FORMAT}`,
  ]);
  git.stdin.end(`${[...range.heads, ...(range.notHeads ?? []).map((sha) => `^${sha}`)].join('\n')}\n`);
  const commits: ListedCommit[] = [];
  // Texts are read from the bytes one by one: a part of a larger text would keep all of it in memory. Each sha
  // is met as a parent before it is met as a commit.
  const shas = new Map<string, string>();
  const names = new Map<string, string>();
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of git.stdout as AsyncIterable<Buffer>) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let at = 0;
    const take = (encoding: 'latin1' | 'utf8', end: number): string => {
      const text = bytes.toString(encoding, at, end);
      at = end + 1;
      return text;
    };
    const field = (): string => intern(names, readPersonField(take('utf8', bytes.indexOf(0, at))));
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, at)) {
      const sha = take('latin1', bytes.indexOf(0, at));
      const parents: string[] = [];
      const parentsEnd = bytes.indexOf(0, at);
      while (at < parentsEnd) {
        const space = bytes.indexOf(32, at);
        parents.push(intern(shas, take('latin1', space < 0 || space > parentsEnd ? parentsEnd : space)));
      }
      at = parentsEnd + 1;
      commits.push({
        sha: intern(shas, sha),
        // Copied: an array that was pushed to keeps room for many more, and there is one a commit.
        parents: parents.slice(),
        authorName: field(),
        authorEmail: field(),
        committerName: field(),
        committerEmail: field(),
        authoredAt: Number(take('latin1', bytes.indexOf(0, at))) || 0,
        committedAt: Number(take('latin1', end)) || 0,
      });
    }
    rest = bytes.subarray(at);
  }
  await git.done;
  return commits;
}

function intern(known: Map<string, string>, text: string): string {
  const same = known.get(text);
  if (same !== undefined) return same;
  known.set(text, text);
  return text;
}

export interface Branches {
  /** Short name, or null when HEAD names no branch that exists and none could be guessed. */
  readonly defaultBranch: string | null;
  /** Short branch name → full sha of its tip. Includes remote-tracking branches of a checkout's origin. */
  readonly tips: ReadonlyMap<string, string>;
  /** Full sha of the default branch, or of a detached HEAD. Null in an empty repository. */
  readonly head: string | null;
}

const BRANCHES = ['refs/heads/', 'refs/remotes/'];

/** Lines of `mark sha type ref`. */
async function listBranches(repository: GitRepository): Promise<string[]> {
  try {
    const format = '--format=%(HEAD) %(objectname) %(objecttype) %(refname)';
    return (await readGit(repository, ['for-each-ref', format, ...BRANCHES])).toString('utf8').split('\n');
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    // Git lists nothing with its type when the object of one is gone: the others are still worth reading.
    const listed = await readGit(repository, [
      'for-each-ref',
      '--format=%(HEAD) %(objectname) %(refname)',
      ...BRANCHES,
    ]);
    const lines = listed
      .toString('utf8')
      .split('\n')
      .filter((line) => line !== '');
    const missing = await findMissing(
      repository,
      'commit',
      lines.map((line) => line.slice(2).split(' ', 1)[0]!),
    );
    return lines.flatMap((line) => {
      const [sha = '', ...ref] = line.slice(2).split(' ');
      if (!missing.has(sha)) return [`${line[0]} ${sha} commit ${ref.join(' ')}`];
      // Without the branch that it is about, the repository is no other one, but a broken one.
      if (line.startsWith('*')) throw error;
      return [];
    });
  }
}

export async function readBranches(repository: GitRepository): Promise<Branches> {
  const refs = await listBranches(repository);
  const tips = new Map<string, string>();
  let checkedOut: string | null = null;
  for (const line of refs) {
    const match = /^([* ]) ([0-9a-f]+) commit refs\/(heads|remotes)\/(.+)$/.exec(line);
    if (!match) continue;
    const [, mark, sha = '', kind, rest = ''] = match;
    const name = kind === 'heads' ? rest : rest.replace(/^[^/]+\//, '');
    if (name !== 'HEAD' && (kind === 'heads' || !tips.has(name))) tips.set(name, sha);
    if (mark === '*' && kind === 'heads' && name !== 'HEAD') checkedOut = name;
  }
  if (checkedOut !== null) return { defaultBranch: checkedOut, tips, head: tips.get(checkedOut) ?? null };
  const [named, head] = await Promise.all([
    answerOrNull(repository, ['symbolic-ref', '--quiet', '--short', 'HEAD']),
    resolveCommit(repository, 'HEAD'),
  ]);
  let defaultBranch = named !== null && tips.has(named) ? named : null;
  if (head === null || (defaultBranch === null && named !== null)) {
    // HEAD names a branch that does not exist: take the usual names, else the only branch there is.
    const usual = ['main', 'master', 'trunk', 'develop'].find((name) => tips.has(name));
    defaultBranch = usual ?? (tips.size > 0 ? [...tips.keys()].sort()[0]! : null);
    return { defaultBranch, tips, head: defaultBranch === null ? null : tips.get(defaultBranch)! };
  }
  return { defaultBranch, tips, head };
}

/** The full sha of something a user named, or null when it names no commit. */
export async function resolveCommit(repository: GitRepository, name: string): Promise<string | null> {
  return answerOrNull(repository, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`]);
}

async function answerOrNull(repository: GitRepository, args: readonly string[]): Promise<string | null> {
  const answer = await readGit(repository, args).catch(orElse(null));
  const text = answer?.toString('utf8').trim() ?? '';
  return text === '' ? null : text;
}

/** A file's content at a commit, or null when it is not there or too large. */
export async function readFileAt(
  repository: GitRepository,
  sha: string,
  path: string,
  mostBytes: number,
): Promise<Buffer | null> {
  return readGit(repository, ['cat-file', 'blob', `${sha}:${path}`], '', mostBytes).catch(orElse(null));
}
