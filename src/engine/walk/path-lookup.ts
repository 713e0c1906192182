// Which files of a commit have to be looked up in its first parent, beyond what the commit's own diff says.

import type { FileRecord } from '../model/commit-record.ts';
import { baseName, isSureRename } from '../trace/renames.ts';

/** What to look up in a commit's first parent: the former paths of new files, and binary files as text. */
export interface PathLookup {
  readonly paths: readonly string[];
  readonly asText: readonly { readonly newPath: string; readonly oldPath: string }[];
}

const NO_NAMES: ReadonlyMap<string, number> = new Map();
/** Of files renamed without a change: beyond this many in one commit its own rename detection stands. */
const MOST_EQUAL = 16;

/**
 * Blame follows each path by itself, where a commit's rename detection gives an old path to one file only;
 * and it knows no binary files. Both matter only for paths with open questions.
 */
export function lookupFor(files: readonly FileRecord[], hasQuestions: (path: string) => boolean): PathLookup | null {
  let renames = 0;
  let added = 0;
  let hasBinary = false;
  // By number: this is asked of every commit, and an iterator makes an object for each file.
  for (let i = 0; i < files.length; i++) {
    const { status, limited } = files[i]!;
    if (status === 'renamed') renames++;
    if (status === 'added') added++;
    if (limited === 'binary') hasBinary = true;
  }
  if (renames === 0 && !hasBinary) return null;
  // Git chose for one new path among all old ones: that is the question which blame asks.
  const isAlone = renames + added === 1;
  const hasChoice = !isAlone && (renames > 1 || files.some(({ status }) => status === 'deleted'));
  const paths: string[] = [];
  let equal = 0;
  const namesakes = hasChoice ? countFormerNames(files) : NO_NAMES;
  const asText: { newPath: string; oldPath: string }[] = [];
  for (const { status, newPath, oldPath, similarity, limited } of files) {
    if (newPath === null || !hasQuestions(newPath)) continue;
    const isSure =
      status === 'renamed' && isSureRename(oldPath!, newPath, similarity, namesakes.get(baseName(oldPath!)) ?? 0);
    if (renames > 0 && !isSure && (status === 'added' || (status === 'renamed' && similarity < 100 && hasChoice)))
      paths.push(newPath);
    else if (status === 'renamed' && (namesakes.get(baseName(oldPath!)) ?? 0) > 1 && equal < MOST_EQUAL) {
      // Maybe one of several equal files.
      equal++;
      paths.push(newPath);
    } else if (limited === 'binary' && oldPath !== null && status !== 'type_changed') asText.push({ newPath, oldPath });
  }
  return paths.length + asText.length === 0 ? null : { paths, asText };
}

/** How many of the files that have left their place bear a name: equal files mostly share theirs. */
function countFormerNames(files: readonly FileRecord[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { status, oldPath } of files) {
    if (status !== 'renamed' && status !== 'deleted') continue;
    const name = baseName(oldPath!);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}
