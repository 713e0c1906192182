// Which files a commit has renamed, by the rules of `git diff-tree -M`: equal files first, then files that alone have
// their name on both sides, then whatever is most alike. No file is the source of two.
import {
  baseName,
  compareCandidates,
  IDENTICAL_LOOKED_AT,
  keepIfBetter,
  LEAST_SCORE,
  type RenameCandidate,
  SAME_NAME_SCORE,
} from '../compare/rename-candidates.ts';
import { EQUAL_SCORE } from '../compare/span-counts.ts';
import { RENAME_LIMIT } from '../git/run-git.ts';
import { isRegular } from '../objects/object-kinds.ts';
import type { ListedChange } from './streamed-commit.ts';

/** A change after renames have been looked for. */
export interface PairedChange extends ListedChange {
  /** Of a renamed file (status R): its former path, and how alike the two versions are, in percent. */
  readonly renamed?: { readonly from: string; readonly similarity: number };
}

/** How alike two blobs are: LikenessMeter. */
export interface Likeness {
  rate(source: string, target: string, least: number): number | null;
}

/** With so many sources git's table of them grows as the last one enters, which turns the order of equal files round. */
const TURNED_ROUND = 205;

interface File {
  readonly change: ListedChange;
  /** Of the file that was deleted or added. */
  readonly mode: number;
  readonly name: string;
  partner: File | null;
  score: number;
}

interface Candidate extends RenameCandidate {
  readonly source: File;
  readonly target: File;
}

/** In git's order. Null when git has to say: a file cannot be read here, or there are too many of them. */
export function findRenames(changes: readonly ListedChange[], likeness: Likeness): readonly PairedChange[] | null {
  if (!(hasStatus(changes, 'A') && hasStatus(changes, 'D'))) return changes;
  const sources = filesOf(changes, 'D');
  const targets = filesOf(changes, 'A');
  if (sources.length === TURNED_ROUND || changes.some(({ path }) => path.startsWith('"'))) return null;
  pairIdentical(sources, targets);
  if (!pairSameNames(sources.filter(isFree), targets.filter(isFree), likeness)) return null;
  if (!pairAlike(sources.filter(isFree), targets.filter(isFree), likeness)) return null;
  return tellPairs(changes, [...sources, ...targets]);
}

const hasStatus = (changes: readonly ListedChange[], wanted: string): boolean =>
  changes.some(({ status }) => status === wanted);
const filesOf = (changes: readonly ListedChange[], status: string): File[] =>
  changes.flatMap((change) =>
    change.status === status
      ? [{ change, mode: change.oldMode || change.newMode, name: baseName(change.path), partner: null, score: 0 }]
      : [],
  );
const isFree = ({ partner }: File): boolean => partner === null;
const areFiles = (source: File, target: File): boolean => isRegular(source.mode) && isRegular(target.mode);

function pair(source: File, target: File, score: number): void {
  source.partner = target;
  target.partner = source;
  target.score = score;
}

/** Links and submodules are renamed only when nothing else changes. */
function rate(source: File, target: File, least: number, likeness: Likeness): number | null {
  return areFiles(source, target) ? likeness.rate(source.change.oldBlob, target.change.newBlob, least) : 0;
}

/** Among equal files the first of the same name, else the first. */
function pairIdentical(sources: readonly File[], targets: readonly File[]): void {
  const byBlob = new Map<string, File[]>();
  for (const source of sources) {
    const equal = byBlob.get(source.change.oldBlob);
    if (equal === undefined) byBlob.set(source.change.oldBlob, [source]);
    else equal.push(source);
  }
  for (const target of targets) {
    const equal = (byBlob.get(target.change.newBlob) ?? [])
      .filter((source) => isFree(source) && (areFiles(source, target) || source.mode === target.mode))
      .slice(0, IDENTICAL_LOOKED_AT);
    const source = equal.find(({ name }) => name === target.name) ?? equal[0];
    if (source !== undefined) pair(source, target, EQUAL_SCORE);
  }
}

/** Files whose name no other file of their side has. False when one cannot be read. */
function pairSameNames(sources: readonly File[], targets: readonly File[], likeness: Likeness): boolean {
  const alone = byLoneName(targets);
  for (const [name, source] of byLoneName(sources)) {
    const target = alone.get(name) ?? null;
    if (source === null || target === null) continue;
    const score = rate(source, target, SAME_NAME_SCORE, likeness);
    if (score === null) return false;
    if (score >= SAME_NAME_SCORE) pair(source, target, score);
  }
  return true;
}

/** Null where several files have the name. */
function byLoneName(files: readonly File[]): Map<string, File | null> {
  const found = new Map<string, File | null>();
  for (const file of files) found.set(file.name, found.has(file.name) ? null : file);
  return found;
}

/** All sources with all targets, the most alike first. False when a file cannot be read or there are too many. */
function pairAlike(sources: readonly File[], targets: readonly File[], likeness: Likeness): boolean {
  if (sources.length * targets.length > RENAME_LIMIT * RENAME_LIMIT) return false;
  const candidates: Candidate[] = [];
  for (const target of targets) {
    const best: Candidate[] = [];
    for (const source of sources) {
      const score = rate(source, target, LEAST_SCORE, likeness);
      if (score === null) return false;
      keepIfBetter(best, { source, target, score, isSameName: source.name === target.name });
    }
    candidates.push(...best);
  }
  for (const { source, target, score } of candidates.sort(compareCandidates))
    if (score >= LEAST_SCORE && isFree(source) && isFree(target)) pair(source, target, score);
  return true;
}

/** A renamed file stands where its new path does. */
function tellPairs(changes: readonly ListedChange[], files: readonly File[]): PairedChange[] {
  const byChange = new Map(files.map((file) => [file.change, file]));
  return changes.flatMap((change) => {
    const file = byChange.get(change);
    const source = file?.partner?.change;
    if (file === undefined || source === undefined) return [change];
    if (change.status === 'D') return [];
    const { oldMode, oldBlob, path } = source;
    const similarity = Math.floor((file.score * 100) / EQUAL_SCORE);
    return [{ ...change, status: 'R', oldMode, oldBlob, renamed: { from: path, similarity } }];
  });
}
