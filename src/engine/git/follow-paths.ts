// The path that a file had in a parent, found as `git blame` finds it: each path by itself among all paths
// the parent has and the commit lacks. (A whole commit's rename detection uses each old path only once.)
import { DIFF_STREAM_FLAGS, DiffStreamParser, type StreamedCommit } from './diff-stream.ts';
import { pathBytes } from './quoted-path.ts';
import { type GitRepository, spawnGit } from './run-git.ts';

export interface FollowedPath {
  /** The path in the parent. */
  readonly path: string;
  /** Its blob; empty when it is the same as the commit's. */
  readonly blob: string;
  readonly hunks: Int32Array;
}

/** Beyond this many bytes of path arguments the whole trees are compared instead. */
const ARGUMENT_BYTES = 100_000;
/** Up to this many are looked up as blame does; more in one go, by copy detection, to start fewer processes. */
const SINGLE_LOOKUPS = 1;

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
  const isSingle = paths.length <= SINGLE_LOOKUPS;
  const allowed = new Set(sources);
  for (const lookup of isSingle ? paths.map((path) => [path]) : [paths]) {
    const wanted = new Set(lookup);
    const limiting = pathArguments([...lookup, ...sources]);
    const args = [...DIFF_STREAM_FLAGS, '--stdin', isSingle ? '-M' : '-C', ...limiting];
    const parser = new DiffStreamParser(({ files }) => {
      for (const file of files) {
        if (file.status !== 'renamed' || !wanted.has(file.newPath!) || !allowed.has(file.oldPath!)) continue;
        found.set(file.newPath!, { path: file.oldPath!, blob: file.oldBlob, hunks: hunksOf(file) });
      }
    });
    await pumpDiff(repository, args, `${commit} ${parent}\n`, parser);
  }
  return found;
}

const WHOLE_FILE = 0x7fffffff;

/** A binary file has no hunks to follow: its lines count as all new. */
export function hunksOf(file: StreamedCommit['files'][number]): Int32Array {
  if (file.isBinary) return new Int32Array([0, WHOLE_FILE, 0, WHOLE_FILE]);
  return file.hunks.slice();
}

/** Nothing when they are too many for a command line: then all paths are compared and ours picked out. */
export function pathArguments(paths: readonly string[]): string[] {
  const isText = paths.every((path) => pathBytes(path).toString('utf8') === path);
  const length = paths.reduce((sum, path) => sum + path.length + 1, 0);
  return isText && length <= ARGUMENT_BYTES ? ['--', ...paths] : [];
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
