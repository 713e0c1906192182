// A commit between the moment it is reached and the moment its last removed line has an origin: what is
// kept of it, and how its facts are made. Origins are stored by position in the walk.
import { lineMeasure } from '../../../domain/commits/file-measures.ts';
import { AGE_BUCKETS, CATEGORIES, categoryOfId, FLOW_OPERATIONS } from '../../../domain/commits/line-model.ts';
import { LANGUAGE_NAMES } from '../../categories/languages.ts';
import {
  type AiShares,
  ageAnswer,
  finishFile,
  type OpenFile,
  OWN_RECENT,
  openFile,
  type RemovedLines,
  YOUNGEST,
} from '../../judge/finish-file.ts';
import {
  type ClassifiedCommit,
  columnIndex,
  FILE_COLUMN_COUNT,
  LINE_OP,
  LINE_OP_MASK,
} from '../../model/classified.ts';
import type { CommitRecord, FileRecord } from '../../model/commit-record.ts';
import { FILE_STATUSES, type LimitReason } from '../../model/diff.ts';
import type { FileFact, FileMeasure, FileMeasures, LineFlow } from '../../model/facts.ts';
import { LINE_BYTES, OpenLines, type OpenRows, UNANSWERED } from './open-lines.ts';

/** An origin that was never found: older than the walk looked. */
export const NO_ORIGIN = -1;
const DAY_SECONDS = 86_400;
const OLDEST = AGE_BUCKETS.length - 1;
/** Two years, the limit of the oldest age but one. */
export const HOPELESS_SECONDS = AGE_BUCKETS[OLDEST - 1]!.belowDays * DAY_SECONDS;

export interface Origin {
  readonly sha: string;
  readonly authoredAt: number;
  readonly authorEmail: string;
}

/** What is kept of a file's AI lines, in a commit that has any. */
type AiPart = Pick<OpenFile, 'aiLinesAdded' | 'aiLinesDeleted' | 'aiLinesChanged' | 'addedAiScore' | 'shares'>;
const NO_AI: AiPart = { aiLinesAdded: 0, aiLinesDeleted: 0, aiLinesChanged: 0, addedAiScore: 0, shares: 0 };

/** Ids of categories are below it. */
const CATEGORY_LIMIT = 1 + Math.max(...CATEGORIES.map(({ id }) => id));
/** By operation code: the flow's count of it. */
const FLOW_COUNT = Array.from({ length: LINE_OP_MASK + 1 }, (_, code) => {
  const operation = FLOW_OPERATIONS.find((name) => LINE_OP[name] === code);
  return operation === undefined ? null : lineMeasure(operation);
});

/** Scores of its added lines, with the part of doc comments. */
const SCORES = 2;
/** Behind the file's columns: status (with UNREAD), doc lines, duplicate lines, lines copied. */
const OWN_COLUMNS = 4;
const FILE_BYTES = SCORES * 8 + (FILE_COLUMN_COUNT + OWN_COLUMNS) * 4;
const UNREAD = 8;
const [ADDED, REMOVED] = [columnIndex('added'), columnIndex('removed')];
const [NOOP_ADDED, NOOP_REMOVED] = [columnIndex('noop_added'), columnIndex('noop_removed')];
const [REMOVED_START, CATEGORY, LANGUAGE] = [
  columnIndex('removedStart'),
  columnIndex('category'),
  columnIndex('language'),
];

/**
 * Half of all commits may be open at one time, each with many files and lines: all its numbers stand in one
 * buffer, and no object is kept per file.
 */
export class OpenCommit {
  readonly index: number;
  /** Of each removed line among others, who wrote its text: found through moves and new indentation. */
  readonly #lines: OpenLines;
  /** The origins that blame names, when they are wanted. */
  readonly #plainOrigins: Int32Array | null;
  readonly #fileCount: number;
  /** The new path, or the old one of a deleted file. */
  readonly #paths: readonly string[];
  readonly #oldPaths: ReadonlyMap<number, string> | null;
  readonly #limits: ReadonlyMap<number, LimitReason> | null;
  readonly #ai: readonly AiPart[] | null;
  /** Not when each line is of interest by itself. */
  readonly #mayFold: boolean;
  /** In turn: SCORES a file, FILE_COLUMN_COUNT and OWN_COLUMNS a file; then the lines, until they are folded. */
  #buffer: ArrayBuffer;
  readonly #churnDays: number;

  constructor(
    record: CommitRecord,
    shares: (file: FileRecord, index: number) => AiShares,
    options: { readonly churnDays: number; readonly withOrigins: boolean },
  ) {
    this.#churnDays = options.churnDays;
    this.index = record.index;
    const { classified } = record;
    const files = classified === null ? [] : record.files;
    const questions = classified === null ? 0 : classified.removedOps.length;
    const fileCount = files.length;
    this.#fileCount = fileCount;
    this.#buffer = new ArrayBuffer(fileCount * FILE_BYTES + questions * LINE_BYTES);
    this.#lines = new OpenLines(this.#buffer, fileCount * FILE_BYTES, questions);
    this.#plainOrigins = options.withOrigins ? new Int32Array(questions).fill(UNANSWERED) : null;
    this.#paths = files.map(({ newPath, oldPath }) => newPath ?? oldPath ?? '');
    let oldPaths: Map<number, string> | null = null;
    let limits: Map<number, LimitReason> | null = null;
    for (let i = 0; i < fileCount; i++) {
      const { status, oldPath, limited } = files[i]!;
      if (status === 'renamed') {
        oldPaths ??= new Map();
        oldPaths.set(i, oldPath!);
      }
      if (limited !== null) {
        limits ??= new Map();
        limits.set(i, limited);
      }
    }
    this.#oldPaths = oldPaths;
    this.#limits = limits;
    this.#ai = classified === null ? null : this.#keep(classified, files, shares);
    this.#mayFold = !options.withOrigins && this.#ai?.some(({ shares }) => typeof shares !== 'number') !== true;
  }

  #keep(
    classified: ClassifiedCommit,
    files: readonly FileRecord[],
    shares: (file: FileRecord, index: number) => AiShares,
  ): AiPart[] | null {
    this.#lines.set(classified);
    const { columns, scores, own } = this.#fileNumbers();
    columns.set(classified.files);
    let ai: AiPart[] | null = null;
    for (let i = 0; i < files.length; i++) {
      const file = files[i]!;
      const share = shares(file, i);
      const open = openFile(classified, i, share);
      scores[i * SCORES] = open.addedScore;
      scores[i * SCORES + 1] = open.addedDocScore;
      own[i * OWN_COLUMNS] = FILE_STATUSES.indexOf(file.status) | (file.isUnread ? UNREAD : 0);
      own[i * OWN_COLUMNS + 1] = open.docLines;
      if (file.isUnread) {
        // Nothing is known of these lines but how many they are.
        const row = columns.subarray(i * FILE_COLUMN_COUNT);
        row[ADDED] = row[NOOP_ADDED] = file.added;
        row[REMOVED] = row[NOOP_REMOVED] = file.removed;
      }
      if (share.commitShare === 0 && share.addedShares === null) continue;
      ai ??= files.map(() => NO_AI);
      const { aiLinesAdded, aiLinesDeleted, aiLinesChanged, addedAiScore } = open;
      ai[i] = { aiLinesAdded, aiLinesDeleted, aiLinesChanged, addedAiScore, shares: open.shares };
    }
    return ai;
  }

  /** Two numbers a file; they are known later than the rest, but before its facts are made. */
  setDuplicates(counts: Uint32Array): void {
    const { own } = this.#fileNumbers();
    for (let i = 0; i < this.#fileCount; i++) {
      own[i * OWN_COLUMNS + 2] = counts[i * 2]!;
      own[i * OWN_COLUMNS + 3] = counts[i * 2 + 1]!;
    }
  }

  #fileNumbers(): FileNumbers {
    const count = this.#fileCount;
    const columnsAt = count * SCORES * 8;
    return {
      scores: new Float64Array(this.#buffer, 0, count * SCORES),
      columns: new Int32Array(this.#buffer, columnsAt, count * FILE_COLUMN_COUNT),
      own: new Int32Array(this.#buffer, columnsAt + count * FILE_COLUMN_COUNT * 4, count * OWN_COLUMNS),
    };
  }

  get questions(): number {
    return this.#lines.count;
  }

  get isFinal(): boolean {
    return this.#lines.left === 0;
  }

  /** The lines are new in the commit `origin`; the first such commit is the one that blame names. */
  meet(offset: number, count: number, origin: number): void {
    const plain = this.#plainOrigins;
    if (plain === null) return;
    for (let line = offset; line < offset + count; line++) if (plain[line] === UNANSWERED) plain[line] = origin;
  }

  answer(offset: number, count: number, origin: number, share: number): void {
    const lines = this.#lines;
    lines.answer(offset, count, origin, share);
    if (origin === NO_ORIGIN) this.meet(offset, count, NO_ORIGIN);
    if (this.#mayFold && lines.isWorthFolding) this.#fold();
  }

  #fold(): void {
    const numbers = this.#fileNumbers();
    const ends = this.#paths.map((_, i) => removedRange(numbers, i).to);
    if (this.#lines.fold(ends)) this.#buffer = this.#buffer.slice(0, this.#fileCount * FILE_BYTES);
  }

  /** The commit's files and flows as far as origins are known. `at` gives what is known of a position. */
  facts(own: Origin, at: (index: number) => Origin): { readonly files: FileFact[]; readonly flows: LineFlow[] } {
    const rows = this.#lines.rows();
    const answers = this.#answers(rows, own, at);
    const numbers = this.#fileNumbers();
    const { removedOps, removedScores, removedAsNew, counts } = rows;
    const lines = { files: numbers.columns, removedOps, removedScores, removedAsNew, counts };
    const files = this.#paths.map((_, i) => this.#fact(i, lines, numbers, answers));
    return { files, flows: this.#lines.left === this.questions ? [] : this.#flows(rows, numbers, answers, at) };
  }

  #fact(i: number, lines: RemovedLines, numbers: FileNumbers, answers: Uint8Array): FileFact {
    const { scores, columns, own } = numbers;
    const status = own[i * OWN_COLUMNS]!;
    const row = i * FILE_COLUMN_COUNT;
    const { from, to } = removedRange(numbers, i);
    const removedFrom = this.#lines.rowOf(from);
    const removedTo = this.#lines.rowOf(to);
    const { aiLinesAdded, aiLinesDeleted, aiLinesChanged, addedAiScore, shares } = this.#ai?.[i] ?? NO_AI;
    const open: OpenFile = {
      category: categoryOfId(columns[row + CATEGORY]!),
      commit: lines,
      fileIndex: i,
      removedFrom,
      removedTo,
      isDeleted: FILE_STATUSES[status & ~UNREAD] === 'deleted',
      aiLinesAdded,
      aiLinesDeleted,
      aiLinesChanged,
      docLines: own[i * OWN_COLUMNS + 1]!,
      addedScore: scores[i * SCORES]!,
      addedDocScore: scores[i * SCORES + 1]!,
      addedAiScore,
      shares,
    };
    const fact = emptyFact({
      path: this.#paths[i]!,
      old_path: this.#oldPaths?.get(i) ?? null,
      status: FILE_STATUSES[status & ~UNREAD]!,
      category: open.category,
      language: LANGUAGE_NAMES[columns[row + LANGUAGE]!] ?? null,
      limited: this.#limits?.get(i) ?? null,
      duplicate_lines: own[i * OWN_COLUMNS + 2]!,
      lines_copied: own[i * OWN_COLUMNS + 3]!,
    });
    return finishFile(open, answers.subarray(removedFrom, removedTo), fact);
  }

  #answers({ origins }: OpenRows, own: Origin, at: (index: number) => Origin): Uint8Array {
    const answers = new Uint8Array(origins.length);
    let last = UNANSWERED;
    let answer = 0;
    for (let line = 0; line < origins.length; line++) {
      const origin = origins[line]!;
      if (origin !== last) {
        last = origin;
        answer =
          origin === UNANSWERED ? 0 : origin === NO_ORIGIN ? OLDEST : answerFor(own, at(origin), this.#churnDays);
      }
      answers[line] = answer;
    }
    return answers;
  }

  #flows(lines: OpenRows, numbers: FileNumbers, answers: Uint8Array, at: (index: number) => Origin): LineFlow[] {
    type Row = { -readonly [K in keyof LineFlow]: LineFlow[K] };
    const rows = new Map<number, Row>();
    const { origins, removedOps, counts } = lines;
    const { originShares } = this.#lines;
    for (let i = 0; i < this.#fileCount; i++) {
      let last = UNANSWERED;
      let row: Row | null = null;
      const categoryId = numbers.columns[i * FILE_COLUMN_COUNT + CATEGORY]!;
      const { from, to } = removedRange(numbers, i);
      const end = this.#lines.rowOf(to);
      for (let line = this.#lines.rowOf(from); line < end; line++) {
        const op = removedOps[line]! & LINE_OP_MASK;
        const origin = origins[line]!;
        if (op === LINE_OP.noop || origin === UNANSWERED) continue;
        if (origin !== last || row === null) {
          last = origin;
          const key = (origin - NO_ORIGIN) * CATEGORY_LIMIT + categoryId;
          row = rows.get(key) ?? null;
          if (row === null) {
            row = {
              origin: origin === NO_ORIGIN ? null : at(origin).sha,
              category: categoryOfId(categoryId),
              age: AGE_BUCKETS[answers[line]! & 7]!.key,
              lines_deleted: 0,
              lines_updated: 0,
              lines_moved: 0,
              lines_find_replaced: 0,
              ai_lines: 0,
            };
            rows.set(key, row);
          }
        }
        const count = FLOW_COUNT[op]!;
        if (count !== null) row[count] += counts?.[line] ?? 1;
        row.ai_lines += originShares?.[line] ?? 0;
      }
    }
    return [...rows.values()].sort(compareFlows);
  }

  /** Runs of removed lines with one origin, file by file; the plain ones are known only if they were wanted. */
  *originRuns(
    hunksOf: readonly Int32Array[],
    which: 'plain' | 'followed',
  ): Generator<{
    readonly path: string;
    readonly lineIndex: number;
    readonly count: number;
    readonly origin: number;
  }> {
    const origins = which === 'plain' ? this.#plainOrigins! : this.#lines.rows().origins;
    const numbers = this.#fileNumbers();
    for (let i = 0; i < this.#fileCount; i++) {
      const { from, to } = removedRange(numbers, i);
      if (from === to) continue;
      const path = this.#oldPaths?.get(i) ?? this.#paths[i]!;
      const hunks = hunksOf[i]!;
      let offset = from;
      for (let at = 0; at < hunks.length; at += 4) {
        const end = offset + hunks[at + 1]!;
        let lineIndex = hunks[at]!;
        while (offset < end) {
          const origin = origins[offset]!;
          let stop = offset + 1;
          while (stop < end && origins[stop] === origin) stop++;
          yield { path, lineIndex, count: stop - offset, origin };
          lineIndex += stop - offset;
          offset = stop;
        }
      }
    }
  }
}

interface FileNumbers {
  readonly scores: Float64Array;
  readonly columns: Int32Array;
  readonly own: Int32Array;
}

/** A file's removed lines; none of one that was not read. */
function removedRange({ columns, own }: FileNumbers, i: number): { readonly from: number; readonly to: number } {
  const from = columns[i * FILE_COLUMN_COUNT + REMOVED_START]!;
  const isUnread = (own[i * OWN_COLUMNS]! & UNREAD) !== 0;
  return { from, to: isUnread ? from : from + columns[i * FILE_COLUMN_COUNT + REMOVED]! };
}

function answerFor(own: Origin, origin: Origin, churnDays: number): number {
  const ageDays = (own.authoredAt - origin.authoredAt) / DAY_SECONDS;
  const age = ageAnswer(ageDays, churnDays);
  return age === YOUNGEST && own.authorEmail.toLowerCase() === origin.authorEmail.toLowerCase()
    ? age | OWN_RECENT
    : age;
}

/** What is known of a file from the start. */
type KnownOfFile = Omit<FileFact, Exclude<FileMeasure, 'duplicate_lines' | 'lines_copied'>>;

// Written out: spreading so many properties into a new object is some hundred times slower.
function emptyFact(known: KnownOfFile): KnownOfFile & FileMeasures {
  return {
    path: known.path,
    old_path: known.old_path,
    status: known.status,
    category: known.category,
    language: known.language,
    limited: known.limited,
    added: 0,
    removed: 0,
    lines_added: 0,
    lines_deleted: 0,
    lines_moved: 0,
    lines_updated: 0,
    lines_find_replaced: 0,
    lines_copy_pasted: 0,
    noop_added: 0,
    noop_removed: 0,
    age_lt_2w: 0,
    age_lt_1m: 0,
    age_lt_1y: 0,
    age_lt_2y: 0,
    age_gte_2y: 0,
    lines_churned: 0,
    delta_added: 0,
    delta_updated: 0,
    delta_deleted: 0,
    delta_find_replaced: 0,
    delta_new: 0,
    delta_lt_2w: 0,
    delta_lt_1m: 0,
    delta_lt_1y: 0,
    delta_lt_2y: 0,
    delta_gte_2y: 0,
    doc_lines: 0,
    doc_delta: 0,
    ai_lines_added: 0,
    ai_lines_deleted: 0,
    ai_lines_changed: 0,
    ai_delta: 0,
    lines_copied: known.lines_copied,
    calls: 0,
    error_masks: 0,
    duplicate_lines: known.duplicate_lines,
  };
}

/** By origin, the unknown one first, then by category. */
function compareFlows(a: LineFlow, b: LineFlow): number {
  if (a.origin !== b.origin) return (a.origin ?? '') < (b.origin ?? '') ? -1 : 1;
  return a.category < b.category ? -1 : a.category > b.category ? 1 : 0;
}
