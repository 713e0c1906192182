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
import {
  createMeasureRow,
  type FileFact,
  type FileMeasure,
  type FileRows,
  type FileVisitor,
  type LineFlow,
  type MeasureRow,
  PLACES,
} from '../../model/facts.ts';
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

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** Of the file at hand: whoever visits files takes what it needs at once. */
const MEASURES = createMeasureRow();
const NO_ANSWERS = new Uint8Array(0);

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
const [DOC_LINES, DUPLICATES, COPIED] = [1, 2, 3];
const FILE_BYTES = SCORES * 8 + (FILE_COLUMN_COUNT + OWN_COLUMNS) * 4;
const UNREAD = 8;
const [ADDED, REMOVED] = [columnIndex('added'), columnIndex('removed')];
const [NOOP_ADDED, NOOP_REMOVED] = [columnIndex('noop_added'), columnIndex('noop_removed')];
const [REMOVED_START, CATEGORY, LANGUAGE] = [
  columnIndex('removedStart'),
  columnIndex('category'),
  columnIndex('language'),
];

export interface OpenOptions {
  readonly churnDays: number;
  readonly withOrigins: boolean;
  /** What is known of a position. */
  at(index: number): Origin;
}

/**
 * Half of all commits may be open at one time, each with many files and lines: all its numbers stand in one
 * buffer, and no object is kept per file.
 */
export class OpenCommit implements FileRows {
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
  readonly #at: OpenOptions['at'];

  constructor(record: CommitRecord, shares: (file: FileRecord) => AiShares, options: OpenOptions) {
    this.#churnDays = options.churnDays;
    this.#at = options.at;
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
    shares: (file: FileRecord) => AiShares,
  ): AiPart[] | null {
    this.#lines.set(classified);
    const scores = this.#scores();
    const numbers = this.#numbers();
    numbers.set(classified.files);
    let ai: AiPart[] | null = null;
    for (let i = 0; i < files.length; i++) {
      const file = files[i]!;
      const share = shares(file);
      const open = openFile(classified, i, share);
      scores[i * SCORES] = open.addedScore;
      scores[i * SCORES + 1] = open.addedDocScore;
      const own = this.#ownAt(i);
      numbers[own] = FILE_STATUSES.indexOf(file.status) | (file.isUnread ? UNREAD : 0);
      numbers[own + DOC_LINES] = open.docLines;
      if (file.isUnread) {
        // Nothing is known of these lines but how many they are.
        const row = i * FILE_COLUMN_COUNT;
        numbers[row + ADDED] = numbers[row + NOOP_ADDED] = file.added;
        numbers[row + REMOVED] = numbers[row + NOOP_REMOVED] = file.removed;
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
    const numbers = this.#numbers();
    for (let i = 0; i < this.#fileCount; i++) {
      const own = this.#ownAt(i);
      numbers[own + DUPLICATES] = counts[i * 2]!;
      numbers[own + COPIED] = counts[i * 2 + 1]!;
    }
  }

  /** In turn the scores of each file. */
  #scores(): Float64Array {
    return new Float64Array(this.#buffer, 0, this.#fileCount * SCORES);
  }

  /** Of each file its columns; from `#ownAt` on, OWN_COLUMNS of each. */
  #numbers(): Int32Array {
    const count = this.#fileCount;
    return new Int32Array(this.#buffer, count * SCORES * 8, count * (FILE_COLUMN_COUNT + OWN_COLUMNS));
  }

  #ownAt(i: number): number {
    return this.#fileCount * FILE_COLUMN_COUNT + i * OWN_COLUMNS;
  }

  get fileCount(): number {
    return this.#fileCount;
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
    const numbers = this.#numbers();
    const ends = this.#paths.map((_, i) => this.#removedEnd(numbers, i));
    if (this.#lines.fold(ends)) this.#buffer = this.#buffer.slice(0, this.#fileCount * FILE_BYTES);
  }

  visitFiles(visit: FileVisitor): void {
    const rows = this.#lines.rows();
    const answers = this.#answers(rows);
    const scores = this.#scores();
    const numbers = this.#numbers();
    const { removedOps, removedScores, removedAsNew, counts } = rows;
    const file = firstFile({ files: numbers, removedOps, removedScores, removedAsNew, counts });
    for (let i = 0; i < this.#fileCount; i++) {
      const own = this.#ownAt(i);
      const status = FILE_STATUSES[numbers[own]! & ~UNREAD]!;
      file.isDeleted = status === 'deleted';
      file.docLines = numbers[own + DOC_LINES]!;
      file.addedScore = scores[i * SCORES]!;
      file.addedDocScore = scores[i * SCORES + 1]!;
      this.#enter(i, file, numbers);
      finishFile(file, answers, MEASURES);
      MEASURES[PLACES.duplicate_lines] = numbers[own + DUPLICATES]!;
      MEASURES[PLACES.lines_copied] = numbers[own + COPIED]!;
      visit(this.#paths[i]!, status, file.category, MEASURES);
    }
  }

  /** Its files as far as origins are known. */
  get files(): FileFact[] {
    const numbers = this.#numbers();
    const files: FileFact[] = [];
    this.visitFiles((path, status, category, measures) => {
      const i = files.length;
      const known = {
        path,
        old_path: this.#oldPaths?.get(i) ?? null,
        status,
        category,
        language: LANGUAGE_NAMES[numbers[i * FILE_COLUMN_COUNT + LANGUAGE]!] ?? null,
        limited: this.#limits?.get(i) ?? null,
      };
      files.push(fileFact(known, measures));
    });
    return files;
  }

  /** Takes over the file's columns and AI lines. */
  #enter(i: number, file: Writable<OpenFile>, numbers: Int32Array): void {
    const row = i * FILE_COLUMN_COUNT;
    const ai = this.#ai?.[i] ?? NO_AI;
    file.category = categoryOfId(numbers[row + CATEGORY]!);
    file.fileIndex = i;
    file.removedFrom = this.#lines.rowOf(numbers[row + REMOVED_START]!);
    file.removedTo = this.#lines.rowOf(this.#removedEnd(numbers, i));
    file.aiLinesAdded = ai.aiLinesAdded;
    file.aiLinesDeleted = ai.aiLinesDeleted;
    file.aiLinesChanged = ai.aiLinesChanged;
    file.addedAiScore = ai.addedAiScore;
    file.shares = ai.shares;
  }

  /** Behind a file's removed lines; one that was not read has none. */
  #removedEnd(numbers: Int32Array, i: number): number {
    const row = i * FILE_COLUMN_COUNT;
    const isUnread = (numbers[this.#ownAt(i)]! & UNREAD) !== 0;
    return numbers[row + REMOVED_START]! + (isUnread ? 0 : numbers[row + REMOVED]!);
  }

  #answers({ origins }: OpenRows): Uint8Array {
    if (origins.length === 0) return NO_ANSWERS;
    const at = this.#at;
    const own = at(this.index);
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

  /** Its flows as far as origins are known. */
  get flows(): LineFlow[] {
    if (this.#lines.left === this.questions) return [];
    type Row = { -readonly [K in keyof LineFlow]: LineFlow[K] };
    const rows = new Map<number, Row>();
    const lines = this.#lines.rows();
    const answers = this.#answers(lines);
    const numbers = this.#numbers();
    const at = this.#at;
    const { origins, removedOps, counts } = lines;
    const { originShares } = this.#lines;
    for (let i = 0; i < this.#fileCount; i++) {
      let last = UNANSWERED;
      let row: Row | null = null;
      const categoryId = numbers[i * FILE_COLUMN_COUNT + CATEGORY]!;
      const end = this.#lines.rowOf(this.#removedEnd(numbers, i));
      for (let line = this.#lines.rowOf(numbers[i * FILE_COLUMN_COUNT + REMOVED_START]!); line < end; line++) {
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
    const numbers = this.#numbers();
    for (let i = 0; i < this.#fileCount; i++) {
      const from = numbers[i * FILE_COLUMN_COUNT + REMOVED_START]!;
      if (from === this.#removedEnd(numbers, i)) continue;
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

function answerFor(own: Origin, origin: Origin, churnDays: number): number {
  const ageDays = (own.authoredAt - origin.authoredAt) / DAY_SECONDS;
  const age = ageAnswer(ageDays, churnDays);
  return age === YOUNGEST && own.authorEmail.toLowerCase() === origin.authorEmail.toLowerCase()
    ? age | OWN_RECENT
    : age;
}

type KnownOfFile = Omit<FileFact, FileMeasure>;

// Written out: spreading so many properties into a new object is some hundred times slower.
function fileFact(known: KnownOfFile, row: MeasureRow): FileFact {
  return {
    path: known.path,
    old_path: known.old_path,
    status: known.status,
    category: known.category,
    language: known.language,
    limited: known.limited,
    added: row[PLACES.added]!,
    removed: row[PLACES.removed]!,
    lines_added: row[PLACES.lines_added]!,
    lines_deleted: row[PLACES.lines_deleted]!,
    lines_moved: row[PLACES.lines_moved]!,
    lines_updated: row[PLACES.lines_updated]!,
    lines_find_replaced: row[PLACES.lines_find_replaced]!,
    lines_copy_pasted: row[PLACES.lines_copy_pasted]!,
    noop_added: row[PLACES.noop_added]!,
    noop_removed: row[PLACES.noop_removed]!,
    age_lt_2w: row[PLACES.age_lt_2w]!,
    age_lt_1m: row[PLACES.age_lt_1m]!,
    age_lt_1y: row[PLACES.age_lt_1y]!,
    age_lt_2y: row[PLACES.age_lt_2y]!,
    age_gte_2y: row[PLACES.age_gte_2y]!,
    lines_churned: row[PLACES.lines_churned]!,
    delta_added: row[PLACES.delta_added]!,
    delta_updated: row[PLACES.delta_updated]!,
    delta_deleted: row[PLACES.delta_deleted]!,
    delta_find_replaced: row[PLACES.delta_find_replaced]!,
    delta_new: row[PLACES.delta_new]!,
    delta_lt_2w: row[PLACES.delta_lt_2w]!,
    delta_lt_1m: row[PLACES.delta_lt_1m]!,
    delta_lt_1y: row[PLACES.delta_lt_1y]!,
    delta_lt_2y: row[PLACES.delta_lt_2y]!,
    delta_gte_2y: row[PLACES.delta_gte_2y]!,
    doc_lines: row[PLACES.doc_lines]!,
    doc_delta: row[PLACES.doc_delta]!,
    ai_lines_added: row[PLACES.ai_lines_added]!,
    ai_lines_deleted: row[PLACES.ai_lines_deleted]!,
    ai_lines_changed: row[PLACES.ai_lines_changed]!,
    ai_delta: row[PLACES.ai_delta]!,
    lines_copied: row[PLACES.lines_copied]!,
    calls: row[PLACES.calls]!,
    error_masks: row[PLACES.error_masks]!,
    duplicate_lines: row[PLACES.duplicate_lines]!,
  };
}

/** A file to be filled in. */
const firstFile = (commit: RemovedLines): Writable<OpenFile> => ({
  category: 'other',
  commit,
  fileIndex: 0,
  removedFrom: 0,
  removedTo: 0,
  isDeleted: false,
  docLines: 0,
  addedScore: 0,
  addedDocScore: 0,
  ...NO_AI,
});

/** By origin, the unknown one first, then by category. */
function compareFlows(a: LineFlow, b: LineFlow): number {
  if (a.origin !== b.origin) return (a.origin ?? '') < (b.origin ?? '') ? -1 : 1;
  return a.category < b.category ? -1 : a.category > b.category ? 1 : 0;
}
