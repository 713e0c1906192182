// Which of the given commits change any of the given paths against their first parent. Reads trees only
// along those paths, so it is many times faster than a diff.
import { pathBytes } from './quoted-path.ts';
import { type GitRepository, spawnGit } from './run-git.ts';

/** Beyond this many bytes of path arguments every commit counts as touching. */
const ARGUMENT_BYTES = 100_000;

/** Null when the paths are too many, or not text, to ask for. */
export async function touchedCommits(
  repository: GitRepository,
  commits: readonly { readonly sha: string; readonly parents: readonly string[] }[],
  paths: ReadonlySet<string>,
): Promise<ReadonlySet<string> | null> {
  const list = [...paths];
  const length = list.reduce((sum, path) => sum + path.length + 1, 0);
  if (length > ARGUMENT_BYTES || list.some((path) => pathBytes(path).toString('utf8') !== path)) return null;
  const flags = ['diff-tree', '--stdin', '-r', '--root', '--raw', '--no-renames', '--no-abbrev', '-z'];
  const git = spawnGit(repository, [...flags, '--', ...list]);
  git.stdin.end(
    commits.map(({ sha, parents }) => (parents.length > 1 ? `${sha} ${parents[0]}\n` : `${sha}\n`)).join(''),
  );
  const touched = new Set<string>();
  let rest = '';
  let isPath = false;
  git.stdout.setEncoding('latin1');
  for await (const chunk of git.stdout as AsyncIterable<string>) {
    const tokens = (rest + chunk).split('\0');
    rest = tokens.pop() ?? '';
    for (const token of tokens) {
      if (isPath) isPath = false;
      else if (token.startsWith(':')) isPath = true;
      else touched.add(token.trim());
    }
  }
  await git.done;
  return touched;
}
