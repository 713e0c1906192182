// What commits change against their parents, path by path: names of blobs, no contents, no renames.

import { pathTextAt } from '../git/quoted-path.ts';
import { GitError } from '../git/run-git.ts';
import { isSameKind } from '../objects/object-kinds.ts';
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

/** A merge on a line is compared with all parents at once: paths in which it differs from each of them. */
export const COMBINED_CHANGES_FLAGS: readonly string[] = [...RAW_CHANGES_FLAGS, '-c'];

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
  const lines = commits.flatMap(({ sha, parents }) =>
    parents.length === 0 ? [sha] : parents.map((parent) => `${sha} ${parent}`),
  );
  await readRecords(trees, lines, {
    begin(sha) {
      list = new Map();
      const lists = result.get(sha);
      if (lists === undefined) result.set(sha, [list]);
      else lists.push(list);
    },
    change: (text, path) => list?.set(path, readChange(text)),
  });
  return result;
}

/** For each merge, by path, what it changes against each parent, where it differs from all of them. */
export async function readCombinedChanges(
  combined: DiffTreeProcess,
  merges: readonly ComparedCommit[],
): Promise<Map<string, Map<string, RawChange[]>>> {
  const result = new Map<string, Map<string, RawChange[]>>();
  let paths: Map<string, RawChange[]> | null = null;
  const lines = merges.map(({ sha }) => sha);
  await readRecords(combined, lines, {
    begin(sha) {
      paths = new Map();
      result.set(sha, paths);
    },
    change: (text, path) => paths?.set(path, readCombined(text)),
  });
  return result;
}

interface RecordHandler {
  begin(sha: string): void;
  change(text: string, path: string): void;
}

async function readRecords(
  git: DiffTreeProcess,
  lines: readonly string[],
  { begin, change }: RecordHandler,
): Promise<void> {
  let pending: string | null = null;
  let rest: Buffer = Buffer.alloc(0);
  let kept = 0;
  // Git echoes an empty line like the mark, which would then not be known for it.
  if (lines.length === 0) return;
  await git.request(lines, (chunk) => {
    const bytes: Buffer = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let at = 0;
    for (let stop = bytes.indexOf(0, at); stop >= 0; stop = bytes.indexOf(0, at)) {
      if (pending !== null) {
        change(pending, pathTextAt(bytes, at, stop));
        pending = null;
        kept += CHANGE_COST + stop - at;
        if (kept > MOST_BYTES) throw new GitError('diff-tree', null, 'the commits change too many files');
      } else if (bytes[at] === COLON) pending = bytes.toString('latin1', at, stop);
      else begin(bytes.toString('latin1', at, stop).trim());
      at = stop + 1;
    }
    rest = bytes.subarray(at);
    // No record is complete without a NUL: what is left at the end can only be the mark.
    return pending === null && rest.toString('latin1') === `${END_MARK}\n`;
  });
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

/** The mode and the id of what is not there. */
export const NOTHING = '000000';
export const NO_BLOB = '0'.repeat(40);

/** `::100644 100644 100644 <blob> <blob> <blob> MM`: modes and names of each parent, then of the merge. */
function readCombined(text: string): RawChange[] {
  const fields = text.split(' ');
  const parents = fields[0]!.lastIndexOf(':') + 1;
  fields[0] = fields[0]!.slice(parents);
  const [newMode, newBlob] = [fields[parents]!, fields[2 * parents + 1]!];
  return Array.from({ length: parents }, (_, parent) => {
    const oldMode = fields[parent]!;
    const status = letterOf(Number.parseInt(oldMode, 8), Number.parseInt(newMode, 8));
    return { status, oldMode, newMode, oldBlob: fields[parents + 1 + parent]!, newBlob };
  });
}

/** Git's letters of a combined list know no change of kind; those of others do. */
export function letterOf(oldMode: number, newMode: number): string {
  if (oldMode === 0) return 'A';
  if (newMode === 0) return 'D';
  return isSameKind(oldMode, newMode) ? 'M' : 'T';
}
