// What commits change against their parents, path by path: names of blobs, no contents, no renames.

import { pathTextAt } from '../git/quoted-path.ts';
import { GitError } from '../git/run-git.ts';
import { type DiffTreeProcess, END_MARK } from './diff-tree-process.ts';

export interface RawChange {
  /** Git's letter. */
  readonly status: string;
  /** As git prints them: 100644, 120000, … */
  readonly oldMode: string;
  readonly newMode: string;
  readonly oldBlob: string;
  readonly newBlob: string;
}

/** A commit and the parents that it is compared with. */
export interface ComparedCommit {
  readonly sha: string;
  readonly parents: readonly string[];
}

/** Absent from the list of differences, or there for its mode only. */
export function isSameBlob(change: RawChange | undefined): boolean {
  return change === undefined || (change.status === 'M' && change.oldBlob === change.newBlob);
}

/** `commit parent` on a line compares with just that parent, a root alone with nothing; --always answers every line. */
export const RAW_CHANGES_FLAGS: readonly string[] = [
  'diff-tree',
  '--stdin',
  '--always',
  '--root',
  '-r',
  '--raw',
  '--no-renames',
  '--no-abbrev',
  '-z',
];

/** What one answer may take: a few trees that hold each other many times over stand for any number of files. */
const MOST_BYTES = 512 << 20;
const CHANGE_COST = 400;

/** For each commit, per parent, the paths that differ: one cheap reading of trees, no contents. */
export async function readRawChanges(
  trees: DiffTreeProcess,
  commits: readonly ComparedCommit[],
): Promise<Map<string, Map<string, RawChange>[]>> {
  const result = new Map<string, Map<string, RawChange>[]>();
  let list: Map<string, RawChange> | null = null;
  let pending: RawChange | null = null;
  let rest: Buffer = Buffer.alloc(0);
  let kept = 0;
  const lines = commits.flatMap(({ sha, parents }) =>
    parents.length === 0 ? [sha] : parents.map((parent) => `${sha} ${parent}`),
  );
  // Git echoes an empty line like the mark, which would then not be known for it.
  if (lines.length === 0) return result;
  await trees.request(lines, (chunk) => {
    const bytes: Buffer = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let at = 0;
    for (let stop = bytes.indexOf(0, at); stop >= 0; stop = bytes.indexOf(0, at)) {
      if (pending !== null) {
        list?.set(pathTextAt(bytes, at, stop), pending);
        pending = null;
        kept += CHANGE_COST + stop - at;
        if (kept > MOST_BYTES) throw new GitError('diff-tree', null, 'the commits change too many files');
      } else if (bytes[at] === COLON) pending = readChange(bytes.toString('latin1', at, stop));
      else {
        const sha = bytes.toString('latin1', at, stop).trim();
        list = new Map();
        const lists = result.get(sha);
        if (lists === undefined) result.set(sha, [list]);
        else lists.push(list);
      }
      at = stop + 1;
    }
    rest = bytes.subarray(at);
    // No record is complete without a NUL: what is left at the end can only be the mark.
    return pending === null && rest.toString('latin1') === `${END_MARK}\n`;
  });
  return result;
}

const COLON = 0x3a;
/** `:100644 100644 ` and, behind both names, a blank and the letter. */
const MODES_LENGTH = 15;
const LETTER_LENGTH = 2;

function readChange(text: string): RawChange {
  const nameLength = (text.length - MODES_LENGTH - LETTER_LENGTH - 1) >> 1;
  const newAt = MODES_LENGTH + nameLength + 1;
  return {
    status: text[text.length - 1]!,
    oldMode: text.slice(1, 7),
    newMode: text.slice(8, 14),
    oldBlob: text.slice(MODES_LENGTH, newAt - 1),
    newBlob: text.slice(newAt, newAt + nameLength),
  };
}
