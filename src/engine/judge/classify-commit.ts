// Gives each changed line of a commit its operation, its kind and its score before age. What files are is judged here,
// by their paths; what lines are, in the kernel, to which all of the commit is handed at once.

import { type CustomPathRule, createFileJudge, type FileJudgement } from '../categories/judge-file.ts';
import { languageType } from '../categories/languages.ts';
import { hashText, MIN_HASH_SIZE, type MinHash } from '../copies/min-hash.ts';
import * as contract from '../kernel-contract.ts';
import { type ClassifiedCommit, type Classifier, classifiedBytes, classifiedView } from '../model/classified.ts';
import type { CommitDiff, FileDiff, LineBlock } from '../model/diff.ts';
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
  let hunkWords = 0;
  let removed = 0;
  let added = 0;
  let textBytes = 0;
  for (const file of files) {
    hunkWords += file.hunks.length;
    removed += file.removed.count;
    added += file.added.count;
    textBytes += textLength(file.removed) + textLength(file.added);
  }
  writeGiven(kernel, files, judgements, { hunkWords, removed, added, textBytes });
  const at = kernel.calls.classify(files.length, hunkWords, removed, added, textBytes, standing);
  const size = { files: files.length, added, removed };
  const answer = classifiedView(commit.sha, size, kernel.buffer.slice(at, at + classifiedBytes(size)), 0);
  if (removed + added > 0) answer.patchId = identityIn(kernel);
  return answer;
}

/** Of the bytes from a side's first line to its last; other lines may lie between. 0 when they were dropped. */
function textLength({ count, starts, ends }: LineBlock): number {
  return count === 0 || starts.length < count ? 0 : ends[count - 1]! - starts[0]!;
}

interface Sizes {
  readonly hunkWords: number;
  readonly removed: number;
  readonly added: number;
  readonly textBytes: number;
}

/** Where the contract says: rows of files, hunks, places of lines, their text. */
function writeGiven(
  kernel: ClassifyKernel,
  files: readonly FileDiff[],
  judgements: readonly FileJudgement[],
  sizes: Sizes,
): void {
  const rowsAt = kernel.given >> 2;
  let hunksAt = rowsAt + files.length * contract.GIVEN_WORDS;
  const placesAt = hunksAt + sizes.hunkWords;
  const at = (perRemoved: number, perAdded: number): number =>
    placesAt + sizes.removed * perRemoved + sizes.added * perAdded;
  let removedStartsAt = at(contract.REMOVED_STARTS_AFTER_REMOVED, contract.REMOVED_STARTS_AFTER_ADDED);
  let removedEndsAt = at(contract.REMOVED_ENDS_AFTER_REMOVED, contract.REMOVED_ENDS_AFTER_ADDED);
  let addedStartsAt = at(contract.ADDED_STARTS_AFTER_REMOVED, contract.ADDED_STARTS_AFTER_ADDED);
  let addedEndsAt = at(contract.ADDED_ENDS_AFTER_REMOVED, contract.ADDED_ENDS_AFTER_ADDED);
  let textAt = at(contract.TEXT_AFTER_REMOVED, contract.TEXT_AFTER_ADDED) << 2;
  kernel.calls.reach(textAt + sizes.textBytes);
  const { words, bytes, doubles } = kernel;
  /** Returns what is to be added to the places of its lines. */
  const writeLines = (block: LineBlock, startsAt: number, endsAt: number): number => {
    const { starts, ends, count } = block;
    if (starts.length < count) return contract.NO_TEXT;
    if (count === 0) return 0;
    words.set(starts, startsAt);
    words.set(ends, endsAt);
    const from = starts[0]!;
    const to = ends[count - 1]!;
    bytes.set(block.bytes.subarray(from, to), textAt);
    textAt += to - from;
    return textAt - to;
  };
  for (let i = 0; i < files.length; i++) {
    const { hunks, removed, added, status, newPath, oldPath } = files[i]!;
    const { categoryId, language, multiplier } = judgements[i]!;
    const row = rowsAt + i * contract.GIVEN_WORDS;
    words[row + contract.GIVEN_STATUS] =
      status === 'added' ? contract.WHOLE_ADDED : status === 'deleted' ? contract.WHOLE_DELETED : 0;
    words[row + contract.GIVEN_STYLE] = styleOf(language);
    words[row + contract.GIVEN_CATEGORY] = categoryId;
    words[row + contract.GIVEN_LANGUAGE] = language;
    words[row + contract.GIVEN_REMOVED] = removed.count;
    words[row + contract.GIVEN_ADDED] = added.count;
    words[row + contract.GIVEN_HUNK_WORDS] = hunks.length;
    words[row + contract.GIVEN_REMOVED_SHIFT] = writeLines(removed, removedStartsAt, removedEndsAt);
    words[row + contract.GIVEN_ADDED_SHIFT] = writeLines(added, addedStartsAt, addedEndsAt);
    words[row + contract.GIVEN_PATH_HASH] = hashText(newPath ?? oldPath ?? '');
    words[row + contract.GIVEN_IS_DATA] = languageType(language) === 'data' ? 1 : 0;
    doubles[(row + contract.GIVEN_MULTIPLIER) >> 1] = multiplier;
    words.set(hunks, hunksAt);
    hunksAt += hunks.length;
    removedStartsAt += removed.count;
    removedEndsAt += removed.count;
    addedStartsAt += added.count;
    addedEndsAt += added.count;
  }
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
