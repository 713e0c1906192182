// Which path a file had in a parent, by the rule of `git blame`: each new path by itself among all paths that the parent
// has and the commit lacks. (A list of a whole commit's renames gives each old path to one new path only.) Git measures
// which files are similar and chooses: it compares a tree of all deleted files with a tree of the one new file, and one
// process answers all such questions.

import type { BlobComparer } from '../diff/blob-comparer.ts';
import { DiffTreeProcess, END_MARK } from '../diff/diff-tree-process.ts';
import { plainName } from '../diff/printed-file.ts';
import { RAW_CHANGES_FLAGS, type RawChange, readRawChanges } from '../diff/raw-changes.ts';
import { type GitRepository, RENAME_LIMIT } from '../git/run-git.ts';
import { hasBlob, isRegular } from '../objects/object-kinds.ts';
import { ScratchTrees } from '../objects/scratch-trees.ts';

export type ChangeList = ReadonlyMap<string, RawChange>;

/** A file of the parent. */
export interface FormerFile {
  readonly path: string;
  readonly blob: string;
}

/** `paths` are files that a commit has and its parent lacks, `changes` what differs between both. */
export interface RenameQuestion {
  readonly changes: ChangeList;
  readonly paths: readonly string[];
}

type LackedFiles = Pick<BlobComparer, 'isOfPartialClone' | 'isAway'>;

export interface RenameFinder {
  /** What the commit changes against the parent, or against nothing; no renames. */
  changes(commit: string, parent: string | null): Promise<ChangeList>;
  /**
   * As in RenameQuestion. Paths without a former path are not in the answer, which is null where a partial clone lacks a file
   * among which git would look.
   */
  find(changes: ChangeList, paths: readonly string[]): Promise<Map<string, FormerFile> | null>;
  /** The same for many commits, in their order: git goes through all while the caller does something else. */
  findAll(questions: readonly RenameQuestion[]): Promise<(Map<string, FormerFile> | null)[]>;
  close(): Promise<void>;
}

const FLAGS = ['diff-tree', '--stdin', '-r', '--raw', '--no-abbrev', '-M', `-l${RENAME_LIMIT}`, '--diff-filter=R'];

/**
 * Git looks into every deleted file for every new one. Paths beyond so many pairs in a commit are not looked up: seconds
 * of work for a commit that moves everything and renames it, too.
 */
const MOST_PAIRS = 250_000;

/** Of a single deleted file with the name of the new one git takes no other, if it is at least so similar. */
const NAMESAKE_PERCENT = 75;

export const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** Whether git, which found this rename among a whole commit's, would find it for the new path alone. */
export function isSureRename(from: string, to: string, similarity: number, namesakes: number): boolean {
  return similarity > NAMESAKE_PERCENT && similarity < 100 && namesakes === 1 && baseName(from) === baseName(to);
}

/** `blobs` knows which files a partial clone lacks, at which git would end. */
export function createRenameFinder(repository: GitRepository, blobs: LackedFiles | null): RenameFinder {
  const lists = new DiffTreeProcess(repository, RAW_CHANGES_FLAGS);
  const trees = new ScratchTrees(repository);
  let git: DiffTreeProcess | null = null;

  /** What git is asked: the pairs of trees, by new path. */
  const askFor = (changes: ChangeList, deleted: ChangeList, paths: readonly string[]): Map<string, string> => {
    const pairs = new Map<string, string>();
    if (paths.length === 0) return pairs;
    const before = trees.add(
      [...deleted].map(([path, { oldMode, oldBlob }]) => ({ path, mode: oldMode, blob: oldBlob })),
    );
    // Of its path only the name counts: a short way to it makes few trees.
    const folder = unusedFolder(deleted);
    for (const path of paths) {
      const { newMode, newBlob } = changes.get(path)!;
      const after = trees.add([{ path: `${folder}/${baseName(path)}`, mode: newMode, blob: newBlob }]);
      pairs.set(path, `${before} ${after}`);
    }
    return pairs;
  };

  /** Former paths by pair of trees. */
  const choose = async (pairs: readonly string[]): Promise<Map<string, string>> => {
    if (pairs.length === 0) return new Map();
    trees.flush();
    git ??= new DiffTreeProcess(trees.repository, FLAGS);
    const parts: Buffer[] = [];
    await git.request(pairs, (chunk) => {
      parts.push(chunk);
      return endsWithMark(parts);
    });
    return parseSources(Buffer.concat(parts));
  };

  const plan = ({ changes, paths }: RenameQuestion) => {
    const deleted = new Map([...changes].filter(([, { status }]) => status === 'D'));
    const found = new Map<string, string>();
    const open: string[] = [];
    for (const path of deleted.size === 0 ? [] : paths) {
      const target = changes.get(path);
      if (target?.status !== 'A') continue;
      const equal = [...deleted].filter(([, source]) => isEqual(source, target));
      if (equal.length === 1) found.set(path, equal[0]![0]);
      else open.push(path);
    }
    if (open.length > 0 && !hasFiles(blobs, deleted, open, changes)) return null;
    const asked = askFor(changes, deleted, open.slice(0, Math.ceil(MOST_PAIRS / deleted.size)));
    return { deleted, found, asked };
  };

  const findAll: RenameFinder['findAll'] = async (questions) => {
    const plans = questions.map(plan);
    const sources = await choose(plans.flatMap((each) => [...(each?.asked.values() ?? [])]));
    return plans.map((each) => {
      if (each === null) return null;
      const { deleted, found, asked } = each;
      for (const [path, pair] of asked) if (sources.has(pair)) found.set(path, sources.get(pair)!);
      return new Map([...found].map(([path, from]) => [path, { path: from, blob: deleted.get(from)!.oldBlob }]));
    });
  };

  return {
    async changes(commit, parent) {
      const read = await readRawChanges(lists, [{ sha: commit, parents: parent === null ? [] : [parent] }]);
      return read.get(commit)?.[0] ?? new Map();
    },
    find: async (changes, paths) => (await findAll([{ changes, paths }]))[0]!,
    findAll,
    async close() {
      await Promise.all([lists.close(), git?.close()]);
      trees.close();
    },
  };
}

/** Whether all files are here that git would look into for the former names of new `paths`. */
function hasFiles(
  blobs: LackedFiles | null,
  deleted: ChangeList,
  paths: readonly string[],
  changes: ChangeList,
): boolean {
  if (blobs?.isOfPartialClone !== true) return true;
  const isHere = (mode: string, blob: string) => !hasBlob(Number.parseInt(mode, 8)) || !blobs.isAway(blob);
  for (const { oldMode, oldBlob } of deleted.values()) if (!isHere(oldMode, oldBlob)) return false;
  return paths.every((path) => {
    const { newMode, newBlob } = changes.get(path)!;
    return isHere(newMode, newBlob);
  });
}

function isEqual({ oldBlob, oldMode }: RawChange, { newBlob, newMode }: RawChange): boolean {
  if (oldBlob !== newBlob) return false;
  return oldMode === newMode || (isRegular(Number.parseInt(oldMode, 8)) && isRegular(Number.parseInt(newMode, 8)));
}

/** Git prints the mark at the beginning of a line, as the last one. */
function endsWithMark(parts: Buffer[]): boolean {
  const wanted = `${END_MARK}\n`;
  if (parts.at(-1)!.length < wanted.length) parts.splice(0, parts.length, Buffer.concat(parts));
  return parts.at(-1)!.toString('latin1').endsWith(wanted);
}

/** A folder that holds none of the files. */
function unusedFolder(files: ChangeList): string {
  let folder = 'new';
  while ([...files.keys()].some((path) => path.startsWith(folder))) folder += '_';
  return folder;
}

/**
 * By pair of trees, the first path of `:100644 100644 <blob> <blob> R096<tab>former path<tab>path`. Git quotes names that
 * hold a tab or a line feed.
 */
function parseSources(printed: Buffer): Map<string, string> {
  const sources = new Map<string, string>();
  let pair = '';
  for (let at = 0, end = printed.indexOf('\n'); end >= 0; at = end + 1, end = printed.indexOf('\n', at)) {
    if (printed[at] !== COLON) {
      pair = printed.toString('latin1', at, end);
      continue;
    }
    const first = printed.indexOf('\t', at);
    sources.set(pair, plainName(printed, first + 1, printed.indexOf('\t', first + 1)));
  }
  return sources;
}

const COLON = 0x3a;
