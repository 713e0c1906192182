// Which paths each commit changed against each of its parents, for many commits at once: one `git log`
// with raw output. Renames are not sought: a renamed path is a removed and an added one.
import { type GitRepository, spawnGit } from './run-git.ts';

export interface PathChange {
  readonly sha: string;
  /** The parent compared with; null for a root commit. */
  readonly parent: string | null;
  readonly paths: readonly string[];
}

export interface ParentList {
  readonly sha: string;
  readonly parents: readonly string[];
}

/** Revisions as git's `--stdin` reads them; only full shas and HEAD, so that none can be an option. */
function revisionInput(heads: readonly string[]): string {
  const bad = heads.find((head) => !/^(?:[0-9a-f]{40}|[0-9a-f]{64}|HEAD)$/.test(head));
  if (bad !== undefined) throw new TypeError(`heads: ${JSON.stringify(bad)} is neither a full sha nor HEAD`);
  return `${heads.join('\n')}\n`;
}

async function* records(
  repository: GitRepository,
  args: readonly string[],
  input: string,
  separator: string,
): AsyncGenerator<string[]> {
  const git = spawnGit(repository, args);
  try {
    git.stdin.end(input);
    git.stdout.setEncoding('utf8');
    let rest = '';
    for await (const chunk of git.stdout) {
      const parts = (rest + chunk).split(separator);
      rest = parts.pop() ?? '';
      yield parts;
    }
    if (rest !== '') yield [rest];
    await git.done;
  } finally {
    git.kill();
  }
}

export async function* readParents(repository: GitRepository, heads: readonly string[]): AsyncGenerator<ParentList> {
  const args = ['rev-list', '--parents', '--ignore-missing', '--stdin'];
  for await (const lines of records(repository, args, revisionInput(heads), '\n')) {
    for (const line of lines) {
      const [sha = '', ...parents] = line.split(' ');
      yield { sha, parents };
    }
  }
}

/** `<sha> <parents…> (from <parent>) subject`, or without the bracket when there is one parent or none. */
const HEADER = /^\n?([0-9a-f]{40}|[0-9a-f]{64})((?: (?:[0-9a-f]{40}|[0-9a-f]{64}))*)(?: \(from ([0-9a-f]+)\))?(?: |$)/;

export async function* readPathChanges(
  repository: GitRepository,
  heads: readonly string[],
): AsyncGenerator<PathChange> {
  const args = ['log', '--stdin', '--pretty=oneline', '--no-abbrev-commit', '--no-decorate', '--parents', '-m'];
  args.push(
    '--root',
    '--raw',
    '-z',
    '--no-renames',
    '--no-abbrev',
    '--ignore-missing',
    '--no-ext-diff',
    '--ignore-submodules=none',
  );
  let sha = '';
  let parent: string | null = null;
  let paths: string[] = [];
  let isPathNext = false;
  for await (const parts of records(repository, args, revisionInput(heads), '\0')) {
    for (const part of parts) {
      if (isPathNext) {
        paths.push(part);
        isPathNext = false;
      } else if (part.startsWith(':')) {
        isPathNext = true;
      } else {
        const header = HEADER.exec(part);
        if (header === null) continue;
        if (paths.length > 0) yield { sha, parent, paths };
        sha = header[1]!;
        parent = header[3] ?? (header[2] ? header[2].slice(1).split(' ')[0]! : null);
        paths = [];
      }
    }
  }
  if (paths.length > 0) yield { sha, parent, paths };
}
