// Where the lines of a merge came from, by the rule of `git blame`: a file equal to some parent's belongs
// to the first such parent; otherwise each line goes to the first parent that has it, the path being
// followed through a rename where a parent lacks it; the rest was written by the merge itself.
// Only files that differ from the first parent are routed: all others belong to it by default.
import { DIFF_STREAM_FLAGS, DiffStreamParser } from './diff-stream.ts';
import { type DiffTreeProcess, END_MARK } from './diff-tree-process.ts';
import { type FollowedPath, followPaths, pathArguments, pumpDiff } from './follow-paths.ts';
import { pathText } from './quoted-path.ts';
import type { GitRepository } from './run-git.ts';

export interface RoutePart {
  /** Position in the merge's list of parents. */
  readonly parent: number;
  /** The path in that parent. */
  readonly path: string;
  /** From the parent's file to the merge's, as in FileDiff; null when both are the same. */
  readonly hunks: Int32Array | null;
}

export interface MergeRoute {
  readonly path: string;
  /** Tried in order; what none takes was written by the merge. */
  readonly parts: readonly RoutePart[];
}

export interface MergeCommit {
  readonly sha: string;
  readonly parents: readonly string[];
}

export interface RawChange {
  readonly status: string;
  /** As git prints them: 100644, 120000, … */
  readonly oldMode: string;
  readonly newMode: string;
  readonly oldBlob: string;
  readonly newBlob: string;
}

export interface ReadMerge {
  /** Only of files that differ from the first parent's. */
  readonly routes: MergeRoute[];
  /** From the first parent to the merge, by path. */
  readonly changes: ReadonlyMap<string, RawChange>;
}

/** By sha; merges of which nothing could be read are missing. */
export async function readMergeRoutes(
  repository: GitRepository,
  trees: DiffTreeProcess,
  merges: readonly MergeCommit[],
): Promise<Map<string, ReadMerge>> {
  const routes = new Map<string, ReadMerge>();
  if (merges.length === 0) return routes;
  const changes = await readRawChanges(trees, merges);
  const contested: Contested[] = [];
  for (const merge of merges) {
    const lists = changes.get(merge.sha);
    if (lists === undefined) continue;
    const found: MergeRoute[] = [];
    const paths: string[] = [];
    for (const [path, change] of lists[0]!) {
      if (change.status === 'D') continue;
      const same = lists.findIndex((list) => isSameBlob(list.get(path)));
      if (same > 0) found.push({ path, parts: [{ parent: same, path, hunks: null }] });
      else if (same < 0) paths.push(path);
    }
    routes.set(merge.sha, { routes: found, changes: lists[0]! });
    if (paths.length > 0) contested.push({ merge, lists, paths });
  }
  const hunks = await readContestedHunks(repository, contested);
  for (const each of contested) {
    const renames = await followRenames(repository, each);
    for (const path of each.paths)
      routes.get(each.merge.sha)!.routes.push({ path, parts: partsOf(each.merge, each.lists, path, hunks, renames) });
  }
  return routes;
}

/** Absent from the list of differences, or there for its mode only. */
export function isSameBlob(change: RawChange | undefined): boolean {
  return change === undefined || (change.status === 'M' && change.oldBlob === change.newBlob);
}

const keyOf = (sha: string, parent: number, path: string) => `${sha} ${parent} ${path}`;

/** Blame's two passes over the parents: the same path in each, then a renamed one where it is missing. */
function partsOf(
  merge: MergeCommit,
  lists: readonly Map<string, RawChange>[],
  path: string,
  hunks: ReadonlyMap<string, Int32Array>,
  renames: ReadonlyMap<string, FollowedPath>,
): RoutePart[] {
  const blobs: (string | null)[] = merge.parents.map(() => null);
  const parts: (RoutePart | null)[] = merge.parents.map(() => null);
  const isNew = (parent: number, blob: string) => !blobs.slice(0, parent).includes(blob);
  for (let parent = 0; parent < lists.length; parent++) {
    const change = lists[parent]!.get(path);
    if (change === undefined || change.status !== 'M' || !isNew(parent, change.oldBlob)) continue;
    blobs[parent] = change.oldBlob;
    parts[parent] = { parent, path, hunks: hunks.get(keyOf(merge.sha, parent, path)) ?? new Int32Array(0) };
  }
  const blob = lists[0]!.get(path)!.newBlob;
  for (let parent = 0; parent < lists.length; parent++) {
    const rename = renames.get(keyOf(merge.sha, parent, path));
    if (parts[parent] !== null || rename === undefined) continue;
    // An exact rename has no line that names the blobs.
    const oldBlob = rename.blob || blob;
    if (oldBlob === blob) return [{ parent, path: rename.path, hunks: null }];
    if (!isNew(parent, oldBlob)) continue;
    blobs[parent] = oldBlob;
    parts[parent] = { parent, path: rename.path, hunks: rename.hunks };
  }
  return parts.filter((part) => part !== null);
}

/** `commit parent` on a line compares with just that parent; --always answers every line. */
export const RAW_CHANGES_FLAGS: readonly string[] = [
  'diff-tree',
  '--stdin',
  '--always',
  '-r',
  '--raw',
  '--no-renames',
  '--no-abbrev',
  '-z',
];

/** For each merge, per parent, the paths that differ: one cheap reading of trees, no contents. */
export async function readRawChanges(
  trees: DiffTreeProcess,
  merges: readonly MergeCommit[],
): Promise<Map<string, Map<string, RawChange>[]>> {
  const result = new Map<string, Map<string, RawChange>[]>();
  let list: Map<string, RawChange> | null = null;
  let pending: RawChange | null = null;
  let rest: Buffer = Buffer.alloc(0);
  const lines = merges.flatMap(({ sha, parents }) => parents.map((parent) => `${sha} ${parent}`));
  // Git echoes an empty line like the mark, which would then not be known for it.
  if (lines.length === 0) return result;
  await trees.request(lines, (chunk) => {
    const bytes: Buffer = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let at = 0;
    for (let stop = bytes.indexOf(0, at); stop >= 0; stop = bytes.indexOf(0, at)) {
      const token = bytes.subarray(at, stop);
      at = stop + 1;
      if (pending !== null) {
        list?.set(pathText(Buffer.from(token)), pending);
        pending = null;
      } else if (token[0] === 0x3a) {
        const [, newMode = '', oldBlob = '', newBlob = '', status = ''] = token.toString('latin1').split(' ');
        pending = { status: status[0] ?? '', oldMode: token.toString('latin1', 1, 7), newMode, oldBlob, newBlob };
      } else {
        const sha = token.toString('latin1').trim();
        list = new Map();
        const lists = result.get(sha);
        if (lists === undefined) result.set(sha, [list]);
        else lists.push(list);
      }
    }
    rest = bytes.subarray(at);
    // No record is complete without a NUL: what is left at the end can only be the mark.
    return pending === null && rest.toString('latin1') === `${END_MARK}\n`;
  });
  return result;
}

interface Contested {
  readonly merge: MergeCommit;
  readonly lists: readonly Map<string, RawChange>[];
  readonly paths: readonly string[];
}

/** Hunks from each parent's version of the contested paths, where the path is the same. */
async function readContestedHunks(
  repository: GitRepository,
  contested: readonly Contested[],
): Promise<Map<string, Int32Array>> {
  const hunks = new Map<string, Int32Array>();
  const wanted: { sha: string; parent: number; line: string }[] = [];
  const paths = new Set<string>();
  for (const { merge, lists, paths: own } of contested) {
    for (const [parent, list] of lists.entries()) {
      if (!own.some((path) => list.get(path)?.status === 'M')) continue;
      wanted.push({ sha: merge.sha, parent, line: `${merge.sha} ${merge.parents[parent]}\n` });
    }
    for (const path of own) paths.add(path);
  }
  if (wanted.length === 0) return hunks;
  let section = 0;
  const parser = new DiffStreamParser((commit) => {
    const { sha, parent } = wanted[section++]!;
    for (const file of commit.files)
      if (file.newPath !== null && paths.has(file.newPath))
        hunks.set(keyOf(sha, parent, file.newPath), file.hunks.slice());
  });
  const args = [...DIFF_STREAM_FLAGS, '--stdin', '--text', '--no-renames', ...pathArguments([...paths])];
  await pumpDiff(repository, args, wanted.map(({ line }) => line).join(''), parser);
  return hunks;
}

/** For contested paths that a parent lacks: the path it has them under, by rename detection. */
async function followRenames(
  repository: GitRepository,
  { merge, lists, paths }: Contested,
): Promise<Map<string, FollowedPath>> {
  const found = new Map<string, FollowedPath>();
  for (const [parent, list] of lists.entries()) {
    const lacking = paths.filter((path) => list.get(path)?.status === 'A');
    const sources = [...list].filter(([, change]) => change.status === 'D').map(([path]) => path);
    const followed = await followPaths(repository, merge.sha, merge.parents[parent]!, lacking, sources);
    for (const [path, rename] of followed) found.set(keyOf(merge.sha, parent, path), rename);
  }
  return found;
}
