// The path that a file had in a parent, found as `git blame` finds it: each path by itself among all paths
// the parent has and the commit lacks. (A whole commit's rename detection uses each old path only once.)
import { baseName } from '../compare/rename-candidates.ts';
import { DiffStreamParser } from '../diff/diff-stream.ts';
import { DIFF_STREAM_FLAGS } from '../diff/streamed-commit.ts';
import { runInShell } from '../git/git-shell.ts';
import { pathBytes } from '../git/quoted-path.ts';
import { type GitRepository, spawnGit } from '../git/run-git.ts';
import type { FileDiff } from '../model/diff.ts';

export interface FollowedPath {
  /** The path in the parent. */
  readonly path: string;
  /** Its blob; empty when it is the same as the commit's. */
  readonly blob: string;
  readonly hunks: Int32Array;
}

export interface ChangedPath {
  readonly newPath: string;
  readonly oldPath: string;
}

/** Beyond this many bytes of path arguments the whole trees are compared instead. */
const ARGUMENT_BYTES = 100_000;

/** `paths` are files of `commit` that `parent` lacks; `sources` those of `parent` that `commit` lacks. */
export async function followPaths(
  repository: GitRepository,
  commit: string,
  parent: string,
  paths: readonly string[],
  sources: readonly string[],
): Promise<Map<string, FollowedPath>> {
  const found = new Map<string, FollowedPath>();
  if (paths.length === 0 || sources.length === 0) return found;
  const look = async (wanted: readonly string[], detection: '-M' | '-C') => {
    const args = [...FOLLOW_FLAGS, detection, ...pathArguments([...wanted, ...sources])];
    for (const file of await readFiles(repository, args, commit, parent))
      if (file.status === 'renamed' && wanted.includes(file.newPath!) && sources.includes(file.oldPath!))
        found.set(file.newPath!, { path: file.oldPath!, blob: file.oldBlob, hunks: file.hunks });
  };
  if (paths.length === 1) {
    await look(paths, '-M');
    return found;
  }
  // Copies may share a source, so that one process answers for all paths. The one difference: a lone source
  // of the same name wins over a more similar one, which copy detection does not know.
  await look(paths, '-C');
  const names = new Set(sources.map(baseName));
  for (const [path, followed] of found) {
    if (baseName(followed.path) === baseName(path) || !names.has(baseName(path))) continue;
    await look([path], '-M');
  }
  return found;
}

/** The hunks of files that git takes for binary, compared as text: blame knows no binary files. */
export async function readTextHunks(
  repository: GitRepository,
  commit: string,
  parent: string,
  files: readonly ChangedPath[],
): Promise<Map<string, FollowedPath>> {
  const found = new Map<string, FollowedPath>();
  if (files.length === 0) return found;
  const wanted = new Map(files.map(({ newPath, oldPath }) => [newPath, oldPath]));
  const args = [...FOLLOW_FLAGS, '-M', ...pathArguments([...wanted.keys(), ...wanted.values()])];
  for (const file of await readFiles(repository, args, commit, parent)) {
    if (file.newPath === null || file.oldPath === null || wanted.get(file.newPath) !== file.oldPath) continue;
    found.set(file.newPath, { path: file.oldPath, blob: file.oldBlob, hunks: file.hunks });
  }
  return found;
}

const FOLLOW_FLAGS = [...DIFF_STREAM_FLAGS, '--stdin', '--text'];

async function readFiles(
  repository: GitRepository,
  args: readonly string[],
  commit: string,
  parent: string,
): Promise<FileDiff[]> {
  const result: FileDiff[] = [];
  const parser = new DiffStreamParser(({ files }) => {
    for (const file of files) result.push({ ...file, hunks: file.hunks.slice() });
  });
  await pumpDiff(repository, args, `${commit} ${parent}\n`, parser);
  return result;
}

/** Nothing when they are too many for a command line: then all paths are compared and ours picked out. */
export function pathArguments(paths: readonly string[], mostBytes = ARGUMENT_BYTES): string[] {
  const isText = paths.every((path) => pathBytes(path).toString('utf8') === path);
  const length = paths.reduce((sum, path) => sum + path.length + 1, 0);
  return isText && length <= mostBytes ? ['--', ...paths] : [];
}

export async function pumpDiff(
  repository: GitRepository,
  args: readonly string[],
  input: string,
  parser: DiffStreamParser,
): Promise<void> {
  const push = (chunk: Buffer) => void parser.push(chunk);
  if (await runInShell({ repository, args, input, push })) {
    parser.end();
    return;
  }
  const git = spawnGit(repository, args);
  git.stdin.end(input);
  for await (const chunk of git.stdout as AsyncIterable<Buffer>) parser.push(chunk);
  await git.done;
  parser.end();
}
