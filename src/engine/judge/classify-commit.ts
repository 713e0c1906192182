// Gives each changed line of a commit its operation, its kind and its score before age. What files are is judged here,
// by their paths; what lines are, in the kernel, to which all of the commit is handed at once.

import { type CustomPathRule, createFileJudge, type FileJudgement } from '../categories/judge-file.ts';
import { languageType } from '../categories/languages.ts';
import { hashText, MIN_HASH_SIZE, type MinHash } from '../copies/min-hash.ts';
import * as contract from '../kernel-contract.ts';
import { type ClassifiedCommit, type Classifier, classifiedBytes, classifiedView } from '../model/classified.ts';
import type { CommitDiff, FileDiff, GatheredLines, LineBlock } from '../model/diff.ts';
import { type ClassifyKernel, classifyKernel, dropClassifyKernel } from './classify-kernel.ts';
import { commentStyleNumber } from './comment-styles.ts';

export interface ClassifierOptions {
  /** A customer's own rules about paths, tried before all others. */
  readonly pathRules?: readonly CustomPathRule[];
}

export function createClassifier(options: ClassifierOptions = {}): Classifier {
  const judge = createFileJudge(options.pathRules);
  let last: ClassifyKernel | null = null;
  return {
    classify(commit, context) {
      const judgements = commit.files.map((file) => {
        const isGone = file.newPath === null;
        const startsAtTop = file.hunks.length > 0 && file.hunks[isGone ? 0 : 2] === 0;
        const path = file.newPath ?? file.oldPath ?? '';
        const opening = !startsAtTop ? null : isGone ? file.removed : file.added;
        return judge.judge(path, context.attributes, { opening, isMarked: file.isMarkedGenerated });
      });
      try {
        // What is still referred to is not given back.
        last = null;
        last = classifyKernel();
        return classifyIn(last, commit, judgements, context.standing ?? contract.PLAIN_COMMIT);
      } catch (error) {
        // There is no second way to classify: at least the message names the commit.
        dropClassifyKernel();
        throw new Error(`commit ${commit.sha}: its lines could not be classified`, { cause: error });
      }
    },
    minHash: () => minHashIn(last!),
  };
}

function classifyIn(
  kernel: ClassifyKernel,
  commit: CommitDiff,
  judgements: readonly FileJudgement[],
  standing: number,
): ClassifiedCommit {
  const { files } = commit;
  const sizes = commit.gathered ?? sizesOf(files);
  const linesAt = kernel.given + files.length * contract.GIVEN_WORDS * 4;
  const end = linesAt + bytesOf(sizes);
  kernel.calls.reach(end);
  if (commit.gathered) kernel.bytes.set(commit.gathered.bytes, linesAt);
  const shifts = commit.gathered ? null : writeLines(kernel, files, linesAt >> 2, sizes);
  writeRows(kernel, files, judgements, shifts ?? end - sizes.textBytes);
  const { hunkWords, removed, added, textBytes } = sizes;
  const at = kernel.calls.classify(files.length, hunkWords, removed, added, textBytes, standing);
  const size = { files: files.length, added, removed };
  const answer = classifiedView(commit.sha, size, kernel.buffer.slice(at, at + classifiedBytes(size)), 0);
  if (removed + added > 0) answer.patchId = identityIn(kernel);
  return answer;
}

type Sizes = Omit<GatheredLines, 'bytes'>;

function sizesOf(files: readonly FileDiff[]): Sizes {
  const sizes = { hunkWords: 0, removed: 0, added: 0, textBytes: 0 };
  for (const { hunks, removed, added } of files) {
    sizes.hunkWords += hunks.length;
    sizes.removed += removed.count;
    sizes.added += added.count;
    sizes.textBytes += textLength(removed) + textLength(added);
  }
  return sizes;
}

/** Of the bytes from a side's first line to its last; other lines may lie between. 0 when they were dropped. */
function textLength({ count, starts, ends, hasText }: LineBlock): number {
  return count === 0 || !hasText ? 0 : ends[count - 1]! - starts[0]!;
}

/** Behind the hunks, so many words for each removed and each added line. */
function placesAfter(from: number, { removed, added }: Sizes, perRemoved: number, perAdded: number): number {
  return from + removed * perRemoved + added * perAdded;
}

/** What hunks, places of lines and text take. */
function bytesOf(sizes: Sizes): number {
  const words = placesAfter(sizes.hunkWords, sizes, contract.TEXT_AFTER_REMOVED, contract.TEXT_AFTER_ADDED);
  return words * 4 + sizes.textBytes;
}

/**
 * Hunks, places of lines and text, from a word on, where the contract says. Answers for each file what is to be added to the
 * places of its removed and of its added lines.
 */
function writeLines(kernel: ClassifyKernel, files: readonly FileDiff[], from: number, sizes: Sizes): Int32Array {
  const { words, bytes } = kernel;
  let hunksAt = from;
  const at = (perRemoved: number, perAdded: number): number =>
    placesAfter(from + sizes.hunkWords, sizes, perRemoved, perAdded);
  let removedStartsAt = at(contract.REMOVED_STARTS_AFTER_REMOVED, contract.REMOVED_STARTS_AFTER_ADDED);
  let removedEndsAt = at(contract.REMOVED_ENDS_AFTER_REMOVED, contract.REMOVED_ENDS_AFTER_ADDED);
  let addedStartsAt = at(contract.ADDED_STARTS_AFTER_REMOVED, contract.ADDED_STARTS_AFTER_ADDED);
  let addedEndsAt = at(contract.ADDED_ENDS_AFTER_REMOVED, contract.ADDED_ENDS_AFTER_ADDED);
  let textAt = at(contract.TEXT_AFTER_REMOVED, contract.TEXT_AFTER_ADDED) << 2;
  const writeSide = (block: LineBlock, startsAt: number, endsAt: number): number => {
    const { starts, ends, count } = block;
    if (!block.hasText) return contract.NO_TEXT;
    if (count === 0) return 0;
    words.set(starts, startsAt);
    words.set(ends, endsAt);
    const [first, last] = [starts[0]!, ends[count - 1]!];
    bytes.set(block.bytes.subarray(first, last), textAt);
    textAt += last - first;
    return textAt - last;
  };
  const shifts = new Int32Array(2 * files.length);
  for (const [i, { hunks, removed, added }] of files.entries()) {
    shifts[2 * i] = writeSide(removed, removedStartsAt, removedEndsAt);
    shifts[2 * i + 1] = writeSide(added, addedStartsAt, addedEndsAt);
    words.set(hunks, hunksAt);
    hunksAt += hunks.length;
    removedStartsAt += removed.count;
    removedEndsAt += removed.count;
    addedStartsAt += added.count;
    addedEndsAt += added.count;
  }
  return shifts;
}

/** `shifts` as `writeLines` answers them, or one for all. */
function writeRows(
  kernel: ClassifyKernel,
  files: readonly FileDiff[],
  judgements: readonly FileJudgement[],
  shifts: Int32Array | number,
): void {
  const { words, doubles } = kernel;
  let row = kernel.given >> 2;
  for (let i = 0; i < files.length; i++, row += contract.GIVEN_WORDS) {
    const { hunks, removed, added, status, newPath, oldPath } = files[i]!;
    const { categoryId, language, multiplier } = judgements[i]!;
    words[row + contract.GIVEN_STATUS] =
      status === 'added' ? contract.WHOLE_ADDED : status === 'deleted' ? contract.WHOLE_DELETED : 0;
    words[row + contract.GIVEN_STYLE] = styleOf(language);
    words[row + contract.GIVEN_CATEGORY] = categoryId;
    words[row + contract.GIVEN_LANGUAGE] = language;
    words[row + contract.GIVEN_REMOVED] = removed.count;
    words[row + contract.GIVEN_ADDED] = added.count;
    words[row + contract.GIVEN_HUNK_WORDS] = hunks.length;
    words[row + contract.GIVEN_REMOVED_SHIFT] = typeof shifts === 'number' ? shifts : shifts[2 * i]!;
    words[row + contract.GIVEN_ADDED_SHIFT] = typeof shifts === 'number' ? shifts : shifts[2 * i + 1]!;
    words[row + contract.GIVEN_PATH_HASH] = hashOfPath(newPath ?? oldPath ?? '');
    words[row + contract.GIVEN_IS_DATA] = languageType(language) === 'data' ? 1 : 0;
    doubles[(row + contract.GIVEN_MULTIPLIER) >> 1] = multiplier;
  }
}

const MOST_PATHS = 100_000;
const pathHashes = new Map<string, number>();

function hashOfPath(path: string): number {
  let hash = pathHashes.get(path);
  if (hash === undefined) {
    if (pathHashes.size >= MOST_PATHS) pathHashes.clear();
    hash = hashText(path);
    pathHashes.set(path, hash);
  }
  return hash;
}

/** By language plus one: −1 stands for no language. */
const styles: (number | undefined)[] = [];

function styleOf(language: number): number {
  styles[language + 1] ??= commentStyleNumber(language);
  return styles[language + 1]!;
}

const digits = Buffer.alloc(contract.IDENTITY_WORDS * 4);

function identityIn({ calls, words }: ClassifyKernel): string {
  for (let lane = 0; lane < contract.IDENTITY_WORDS; lane++)
    digits.writeInt32BE(words[(calls.IDENTITY.value >> 2) + lane]!, lane * 4);
  return digits.toString('hex');
}

function minHashIn(kernel: ClassifyKernel): MinHash {
  const lineCount = kernel.calls.minHashCommit();
  const at = kernel.calls.minHashAt();
  const to = at + Math.min(lineCount, MIN_HASH_SIZE) * 4;
  return { hashes: new Uint32Array(kernel.buffer.slice(at, to)), lineCount };
}
