// From a classified file and the ages of what it removed to the file's measures. `openFile` folds in
// all that does not depend on ages and keeps a few bytes per removed line; `finishFile` may be called
// at any time, and again when more answers are in.
import { AGE_DELTAS, AGE_MEASURES, deltaMeasure, LINE_MEASURES } from '../../domain/commits/file-measures.ts';
import {
  AGED_OPERATIONS,
  type CategoryKey,
  CHURN_DAYS,
  categoryOfId,
  OPERATION_ROWS,
  OPERATIONS,
  REPLACED_AGES,
} from '../../domain/commits/line-model.ts';
import {
  type ClassifiedCommit,
  columnIndex,
  DOC_COMMENT_BIT,
  FILE_COLUMN_COUNT,
  LINE_OP,
  LINE_OP_MASK,
  UNSCORED_BIT,
} from '../model/classified.ts';
import { type MeasureRow, PLACES } from '../model/facts.ts';
import { SCORE } from './score-table.ts';

/**
 * The answer for one removed line: from 1 on the index of its age in AGE_BUCKETS; OWN_RECENT is added when
 * the same author wrote the line within the churn window before. 0: the line is still open and counts in no age and no score.
 */
export const OWN_RECENT = 8;
const AGE_MASK = 7;
const AGES = REPLACED_AGES.length;
/** The answer of churn. */
export const YOUNGEST = 1;
if (AGES > AGE_MASK) throw new Error(`${AGES} ages do not fit the answers of removed lines`);

export interface AiShares {
  /** Thousandths, for every line without an exact record. */
  readonly commitShare: number;
  /** Thousandths per added line of the file, where exact records exist; the larger of the two counts. */
  readonly addedShares: Uint16Array | null;
}

/** What is kept of a file until the last of its removed lines has an answer. */
export interface OpenFile {
  readonly category: CategoryKey;
  /** Shared by all files of the commit; the file's numbers are row `fileIndex`. */
  readonly commit: RemovedLines;
  readonly fileIndex: number;
  /** Rows of its removed lines. */
  readonly removedFrom: number;
  readonly removedTo: number;
  /** The commit deletes the file as a whole. */
  readonly isDeleted: boolean;
  /** Measures that no answer can change and that the commit does not hold. */
  readonly aiLinesAdded: number;
  readonly aiLinesDeleted: number;
  readonly aiLinesChanged: number;
  readonly docLines: number;
  /** delta_added before the churn subtraction, and its doc and AI parts (AI: thousandths of thousandths). */
  readonly addedScore: number;
  readonly addedDocScore: number;
  readonly addedAiScore: number;
  /** Thousandths per removed line, or one share for all. */
  readonly shares: Uint16Array | number;
}

/** By operation code: whether it is counted at added lines that replace none. */
const IS_NEW_LINE = Array.from({ length: LINE_OP_MASK + 1 }, (_, code) =>
  OPERATIONS.some((operation) => LINE_OP[operation] === code && OPERATION_ROWS[operation].counted === 'added'),
);

/** Removed lines of a commit, in rows of one line or of several whose scores are added up. */
export interface RemovedRows {
  readonly removedOps: Uint8Array;
  readonly removedScores: Uint32Array;
  readonly removedAsNew: Uint32Array;
  /** How many lines each row stands for; without it each for one. */
  readonly counts?: Uint32Array | undefined;
}

/** All that is needed of a commit while its files are open. */
export interface RemovedLines extends RemovedRows {
  readonly files: Int32Array;
}

// Columns by their place: these loops run for every file of a history.
const CATEGORY = columnIndex('category');
const [ADDED_START, ADDED] = [columnIndex('addedStart'), columnIndex('added')];
const [REMOVED_START, REMOVED] = [columnIndex('removedStart'), columnIndex('removed')];
const [NOOP_ADDED, LINES_DELETED] = [columnIndex('noop_added'), columnIndex('lines_deleted')];

/** Everything else of the commit is read now. */
export function openFile(commit: ClassifiedCommit, fileIndex: number, ai: AiShares, isDeleted = false): OpenFile {
  const { files, addedOps, addedScores, removedOps } = commit;
  const row = fileIndex * FILE_COLUMN_COUNT;
  let aiLinesAdded = 0;
  let aiLinesChanged = 0;
  let docLines = 0;
  const category = categoryOfId(files[row + CATEGORY]!);
  const docApplies = category !== 'documentation';

  const { commitShare, addedShares } = ai;
  let addedScore = 0;
  let addedDocScore = 0;
  let addedAiScore = 0;
  const addedStart = files[row + ADDED_START]!;
  const added = files[row + ADDED]!;
  const addedEnd = files[row + NOOP_ADDED] === added ? addedStart : addedStart + added;
  for (let line = addedStart; line < addedEnd; line++) {
    const bits = addedOps[line]!;
    const op = bits & LINE_OP_MASK;
    if (op === LINE_OP.noop) continue;
    const share = addedShares === null ? commitShare : Math.max(commitShare, addedShares[line - addedStart] ?? 0);
    const isDoc = docApplies && (bits & DOC_COMMENT_BIT) !== 0;
    aiLinesChanged += share;
    if (IS_NEW_LINE[op]) aiLinesAdded += share;
    if (isDoc) docLines++;
    if (op === LINE_OP.added) {
      const score = addedScores[line]!;
      addedScore += score;
      addedAiScore += score * share;
      if (isDoc) addedDocScore += score;
    }
  }
  const removedFrom = files[row + REMOVED_START]!;
  const removedTo = removedFrom + files[row + REMOVED]!;
  const deleted = files[row + LINES_DELETED]!;
  const aiLinesDeleted = deleted * commitShare;
  aiLinesChanged += aiLinesDeleted;
  if (docApplies && deleted > 0)
    for (let line = removedFrom; line < removedTo; line++) {
      const bits = removedOps[line]!;
      if ((bits & LINE_OP_MASK) === LINE_OP.deleted && (bits & DOC_COMMENT_BIT) !== 0) docLines++;
    }
  return {
    category,
    commit,
    fileIndex,
    removedFrom,
    removedTo,
    isDeleted,
    aiLinesAdded,
    aiLinesDeleted,
    aiLinesChanged,
    docLines,
    addedScore,
    addedDocScore,
    addedAiScore,
    shares:
      addedShares === null ? commitShare : removedShares(commit, removedFrom, removedTo, { commitShare, addedShares }),
  };
}

/** Thousandths per removed line: those of the line that took its place. */
function removedShares(
  { removedPartners }: ClassifiedCommit,
  from: number,
  to: number,
  { commitShare, addedShares }: AiShares,
): Uint16Array {
  const shares = new Uint16Array(to - from);
  for (let line = from; line < to; line++) {
    const partner = removedPartners[line]!;
    shares[line - from] = partner < 0 ? commitShare : Math.max(commitShare, addedShares?.[partner] ?? 0);
  }
  return shares;
}

/** Measures that are columns of the file. */
const COLUMN_MEASURES = [
  'added',
  'removed',
  ...LINE_MEASURES,
  'noop_added',
  'noop_removed',
  'calls',
  'error_masks',
] as const;
const [COLUMNS, COLUMN_PLACES] = [COLUMN_MEASURES.map(columnIndex), COLUMN_MEASURES.map((name) => PLACES[name])];

/** What was known from the start. */
function setInitial(measures: MeasureRow, file: OpenFile): void {
  const { files } = file.commit;
  const row = file.fileIndex * FILE_COLUMN_COUNT;
  for (let i = 0; i < COLUMNS.length; i++) measures[COLUMN_PLACES[i]!] = files[row + COLUMNS[i]!]!;
  measures[PLACES.ai_lines_added] = file.aiLinesAdded;
  measures[PLACES.ai_lines_deleted] = file.aiLinesDeleted;
  measures[PLACES.ai_lines_changed] = file.aiLinesChanged;
  measures[PLACES.doc_lines] = file.docLines;
}

// The score is kept in cells: cell 0 is new code, then each age for each of the aged operations.
const AGED_PERCENT = AGED_OPERATIONS.map((operation) =>
  REPLACED_AGES.map(({ key }) => SCORE.agePercent[operation][key]),
);
/** The same where a file goes as a whole: taking much away at once is little work, however old it is. */
const AGED_PERCENT_OF_DELETED = AGED_PERCENT.map((row) =>
  row.map((percent) => Math.min(percent, SCORE.deletedFileAgePercent)),
);
const CELLS = 1 + AGED_OPERATIONS.length * AGES;
/** By operation code: the position in AGED_OPERATIONS, or −1. */
const AGED_POSITION = Array.from({ length: LINE_OP_MASK + 1 }, (_, code) =>
  AGED_OPERATIONS.findIndex((operation) => LINE_OP[operation] === code),
);
/** What of each cell: the places of the measures that it adds to, and hundredths of it that count, in a deleted file and in others. */
const DELTA_OF_OPERATION = AGED_OPERATIONS.map((operation) => PLACES[deltaMeasure(operation)]);
const AGE_PLACES = AGE_MEASURES.map((name) => PLACES[name]);
const CELL_ROWS = Array.from({ length: CELLS }, (_, cell) => {
  const [position, age] = [Math.floor((cell - 1) / AGES), (cell - 1) % AGES];
  return cell === 0
    ? { operation: PLACES.delta_added, age: PLACES.delta_new, percent: 100, percentOfDeleted: 100 }
    : {
        operation: DELTA_OF_OPERATION[position]!,
        age: PLACES[AGE_DELTAS[1 + age]!],
        percent: AGED_PERCENT[position]![age]!,
        percentOfDeleted: AGED_PERCENT_OF_DELETED[position]![age]!,
      };
});
const IS_CHURN = AGED_OPERATIONS.map((operation) => OPERATION_ROWS[operation].is_churn);

/** Hundredths that a line of the operation code scores at the age of `answer`; null when no age changes its score. */
export function agePercent(op: number, answer: number, isDeletedFile: boolean): number | null {
  const position = AGED_POSITION[op]!;
  const percents = isDeletedFile ? AGED_PERCENT_OF_DELETED : AGED_PERCENT;
  return position < 0 ? null : percents[position]![(answer & AGE_MASK) - 1]!;
}

/** Reused: making four arrays costs more than filling them. */
const SCRATCH = {
  score: new Float64Array(CELLS),
  doc: new Float64Array(CELLS),
  credited: new Float64Array(CELLS),
  lines: new Uint32Array(AGES),
};

/** Sets the measures that the file's lines decide, and the others to zero. `answers` are those of all the commit's rows. */
export function finishFile(file: OpenFile, answers: Uint8Array, measures: MeasureRow): void {
  const { removedFrom, removedTo, commit } = file;
  const { removedOps, removedAsNew, removedScores, counts } = commit;
  if (answers.length !== removedOps.length)
    throw new RangeError(`answers has ${answers.length} entries, the commit has ${removedOps.length} removed lines`);
  measures.fill(0);
  setInitial(measures, file);
  if (removedFrom === removedTo) {
    // All that it scores is new code.
    measures[PLACES.delta_added] = measures[PLACES.delta_new] = file.addedScore;
    measures[PLACES.doc_delta] = Math.min(file.addedScore, file.addedDocScore);
    measures[PLACES.ai_delta] = Math.min(file.addedScore, Math.round(file.addedAiScore / 1000));
    return;
  }
  const { score, doc, credited, lines } = SCRATCH;
  score.fill(0);
  doc.fill(0);
  credited.fill(0);
  lines.fill(0);
  let ownRecentAsNew = 0;
  score[0] = file.addedScore;
  doc[0] = file.addedDocScore;
  credited[0] = file.addedAiScore;
  const docApplies = file.category !== 'documentation';
  const { shares } = file;
  let churned = 0;
  for (let line = removedFrom; line < removedTo; line++) {
    const bits = removedOps[line]!;
    const position = AGED_POSITION[bits & LINE_OP_MASK]!;
    const answer = answers[line]!;
    const age = (answer & AGE_MASK) - 1;
    if (position < 0 || age < 0) continue;
    const count = counts === undefined ? 1 : counts[line]!;
    lines[age]! += count;
    if (age === 0 && IS_CHURN[position]) churned += count;
    if ((answer & OWN_RECENT) !== 0) ownRecentAsNew += removedAsNew[line]!;
    if ((bits & UNSCORED_BIT) !== 0) continue;
    const cell = 1 + position * AGES + age;
    const value = removedScores[line]!;
    score[cell]! += value;
    credited[cell]! += value * (typeof shares === 'number' ? shares : shares[line - removedFrom]!);
    if (docApplies && (bits & DOC_COMMENT_BIT) !== 0) doc[cell]! += value;
  }
  let total = 0;
  let docTotal = 0;
  let creditedTotal = 0;
  for (let cell = 0; cell < CELLS; cell++) {
    if (score[cell] === 0) continue;
    const percent = file.isDeleted ? CELL_ROWS[cell]!.percentOfDeleted : CELL_ROWS[cell]!.percent;
    score[cell] = Math.round((score[cell]! * percent) / 100);
    total += score[cell]!;
    docTotal += (doc[cell]! * percent) / 100;
    creditedTotal += (credited[cell]! * percent) / 100;
  }
  const kept = Math.max(0, total - Math.round((ownRecentAsNew * SCORE.churnPercent) / 100));
  const final = spread(score, total, kept);
  const shrink = total === 0 ? 0 : kept / total;
  measures[PLACES.lines_churned] = churned;
  measures[PLACES.doc_delta] = Math.min(kept, Math.round(docTotal * shrink));
  measures[PLACES.ai_delta] = Math.min(kept, Math.round((creditedTotal * shrink) / 1000));
  for (let cell = 0; cell < CELLS; cell++) {
    const delta = final[cell]!;
    if (delta === 0) continue;
    const { operation, age } = CELL_ROWS[cell]!;
    measures[operation]! += delta;
    measures[age]! += delta;
  }
  for (let age = 0; age < AGES; age++) measures[AGE_PLACES[age]!] = lines[age]!;
}

/** Parts that add up to `whole`, scaled to add up to `kept` exactly: largest remainders get the odd units. */
export function spread(parts: Float64Array, whole: number, kept: number): Float64Array {
  if (kept === whole) return parts;
  const result = new Float64Array(parts.length);
  if (kept <= 0 || whole <= 0) return result;
  // Products stay exact: beyond 2^53 in BigInt.
  const isSmall = whole < 90_000_000;
  const rests = new Float64Array(parts.length);
  let left = kept;
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index]!;
    if (part === 0) continue;
    const quotient = isSmall
      ? Math.floor((part * kept) / whole)
      : Number((BigInt(part) * BigInt(kept)) / BigInt(whole));
    rests[index] = isSmall ? part * kept - quotient * whole : Number((BigInt(part) * BigInt(kept)) % BigInt(whole));
    result[index] = quotient;
    left -= quotient;
  }
  // Fewer units are left than parts have a remainder; of equal remainders the first comes first.
  for (; left > 0; left--) {
    let largest = 0;
    for (let index = 1; index < rests.length; index++) if (rests[index]! > rests[largest]!) largest = index;
    result[largest]!++;
    rests[largest] = 0;
  }
  return result;
}

/**
 * The index in AGE_BUCKETS for an age in days; a negative age (clocks run wrong) counts as 0. The youngest age ends
 * with the churn window.
 */
export function ageAnswer(ageDays: number, churnDays: number = CHURN_DAYS): number {
  if (ageDays < churnDays) return YOUNGEST;
  let index = 1;
  while (index < AGES - 1 && ageDays >= REPLACED_AGES[index]!.belowDays) index++;
  return 1 + index;
}
