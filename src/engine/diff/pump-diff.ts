// One git for one question: what it prints goes to a parser, and the paths that it is limited to go to its arguments.
import { pathBytes } from '../git/quoted-path.ts';
import { type GitRepository, spawnGit } from '../git/run-git.ts';
import type { DiffStreamParser } from './diff-stream.ts';

/** Linux takes 2 MB of arguments and environment, of 128 KB each. */
const MOST_PATH_BYTES = 1_500_000;

/** Nothing when they are too many for a command line, or not text: git then looks at all paths. */
export function pathArguments(paths: readonly string[]): string[] {
  const isText = paths.every((path) => pathBytes(path).toString('utf8') === path);
  const length = paths.reduce((sum, path) => sum + path.length + 1, 0);
  return isText && length <= MOST_PATH_BYTES ? ['--', ...paths] : [];
}

export async function pumpDiff(
  repository: GitRepository,
  args: readonly string[],
  input: string,
  parser: DiffStreamParser,
): Promise<void> {
  const git = spawnGit(repository, args);
  git.stdin.end(input);
  for await (const chunk of git.stdout as AsyncIterable<Buffer>) parser.push(chunk);
  await git.done;
  parser.end();
}
