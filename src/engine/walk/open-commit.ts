// A commit between the moment it is reached and the moment its last removed line has an origin: what is
// kept of it, and how its facts are made. Origins are stored by position in the walk.
import { lineMeasure } from '../../domain/commits/file-measures.ts';
import { AGE_BUCKETS, CATEGORIES, categoryOfId, FLOW_OPERATIONS } from '../../domain/commits/line-model.ts';
import { LANGUAGE_NAMES } from '../categories/languages.ts';
import {
  type AiShares,
  ageAnswer,
  finishFile,
  type OpenFile,
  OWN_RECENT,
  openFile,
  type RemovedLines,
  YOUNGEST,
} from '../judge/finish-file.ts';
import {
  type ClassifiedCommit,
  columnIndex,
  FILE_COLUMN_COUNT,
  fileColumn,
  LINE_OP,
  LINE_OP_MASK,
} from '../model/classified.ts';
import type { CommitRecord, FileRecord } from '../model/commit-record.ts';
import { FILE_STATUSES, type LimitReason } from '../model/diff.ts';
import type { FileFact, FileMeasure, FileMeasures, LineFlow } from '../model/facts.ts';

/** An origin that was never found: older than the walk looked. */
export const NO_ORIGIN = -1;
const UNANSWERED = -2;
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
  /** Of each removed line, who wrote its text: found through moves and new indentation. */
  readonly origins: Int32Array;
  /** The origins that blame names, when they are wanted. */
  readonly #plainOrigins: Int32Array | null;
  readonly #fileCount: number;
  /** The new path, or the old one of a deleted file. */
  readonly #paths: readonly string[];
  readonly #oldPaths: ReadonlyMap<number, string> | null;
  readonly #limits: ReadonlyMap<number, LimitReason> | null;
  readonly #ai: readonly AiPart[] | null;
  /** In turn: SCORES a file, `origins`, FILE_COLUMN_COUNT and OWN_COLUMNS a file, and of removed lines scores, scores as new, operations. */
  readonly #buffer: ArrayBuffer;
  #left: number;
  readonly #churnDays: number;
  /** Thousandths per removed line that AI wrote; made when the first such line is met. */
  #originShares: Uint16Array | null = null;

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
    this.#buffer = new ArrayBuffer(fileCount * (SCORES * 8 + (FILE_COLUMN_COUNT + OWN_COLUMNS) * 4) + questions * 13);
    this.origins = new Int32Array(this.#buffer, fileCount * SCORES * 8, questions).fill(UNANSWERED);
    this.#plainOrigins = options.withOrigins ? new Int32Array(questions).fill(UNANSWERED) : null;
    this.#left = questions;
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
  }

  #keep(
    classified: ClassifiedCommit,
    files: readonly FileRecord[],
    shares: (file: FileRecord, index: number) => AiShares,
  ): AiPart[] | null {
    const kept = this.#lines();
    kept.files.set(classified.files);
    kept.removedOps.set(classified.removedOps);
    kept.removedScores.set(classified.removedScores);
    kept.removedAsNew.set(classified.removedAsNew);
    const { scores, own } = this.#fileNumbers();
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
        const row = kept.files.subarray(i * FILE_COLUMN_COUNT);
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

  #fileNumbers(): { readonly scores: Float64Array; readonly own: Int32Array } {
    const count = this.#fileCount;
    const ownAt = count * (SCORES * 8 + FILE_COLUMN_COUNT * 4) + this.questions * 4;
    return {
      scores: new Float64Array(this.#buffer, 0, count * SCORES),
      own: new Int32Array(this.#buffer, ownAt, count * OWN_COLUMNS),
    };
  }

  #lines(): RemovedLines {
    const { questions } = this;
    const filesAt = this.#fileCount * SCORES * 8 + questions * 4;
    const scoresAt = filesAt + this.#fileCount * (FILE_COLUMN_COUNT + OWN_COLUMNS) * 4;
    return {
      files: new Int32Array(this.#buffer, filesAt, this.#fileCount * FILE_COLUMN_COUNT),
      removedScores: new Uint32Array(this.#buffer, scoresAt, questions),
      removedAsNew: new Uint32Array(this.#buffer, scoresAt + questions * 4, questions),
      removedOps: new Uint8Array(this.#buffer, scoresAt + questions * 8, questions),
    };
  }

  get questions(): number {
    return this.origins.length;
  }

  get isFinal(): boolean {
    return this.#left === 0;
  }

  /** The lines are new in the commit `origin`; the first such commit is the one that blame names. */
  meet(offset: number, count: number, origin: number): void {
    const plain = this.#plainOrigins;
    if (plain === null) return;
    for (let line = offset; line < offset + count; line++) if (plain[line] === UNANSWERED) plain[line] = origin;
  }

  answer(offset: number, count: number, origin: number, share: number): void {
    const { origins } = this;
    // Mostly a line or two, for which a call of fill() costs more.
    for (let line = offset; line < offset + count; line++) origins[line] = origin;
    if (share > 0) {
      this.#originShares ??= new Uint16Array(origins.length);
      this.#originShares.fill(share, offset, offset + count);
    }
    this.#left -= count;
    if (origin === NO_ORIGIN) this.meet(offset, count, NO_ORIGIN);
  }

  /** The commit's files and flows as far as origins are known. `at` gives what is known of a position. */
  facts(own: Origin, at: (index: number) => Origin): { readonly files: FileFact[]; readonly flows: LineFlow[] } {
    const lines = this.#lines();
    const answers = this.#answers(own, at);
    const numbers = this.#fileNumbers();
    const files = this.#paths.map((_, i) => this.#fact(i, lines, numbers, answers));
    return { files, flows: this.#left === this.questions ? [] : this.#flows(lines, numbers.own, answers, at) };
  }

  #fact(
    i: number,
    lines: RemovedLines,
    { scores, own }: { readonly scores: Float64Array; readonly own: Int32Array },
    answers: Uint8Array,
  ): FileFact {
    const status = own[i * OWN_COLUMNS]!;
    const isUnread = (status & UNREAD) !== 0;
    const columns = lines.files;
    const row = i * FILE_COLUMN_COUNT;
    const removedFrom = columns[row + REMOVED_START]!;
    const removedTo = isUnread ? removedFrom : removedFrom + columns[row + REMOVED]!;
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

  #answers(own: Origin, at: (index: number) => Origin): Uint8Array {
    const { origins } = this;
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

  #flows(lines: RemovedLines, own: Int32Array, answers: Uint8Array, at: (index: number) => Origin): LineFlow[] {
    type Row = { -readonly [K in keyof LineFlow]: LineFlow[K] };
    const rows = new Map<number, Row>();
    const { origins } = this;
    const { removedOps, files: columns } = lines;
    for (let i = 0; i < this.#fileCount; i++) {
      let last = UNANSWERED;
      let row: Row | null = null;
      const fileRow = i * FILE_COLUMN_COUNT;
      const categoryId = columns[fileRow + CATEGORY]!;
      const from = columns[fileRow + REMOVED_START]!;
      const to = (own[i * OWN_COLUMNS]! & UNREAD) !== 0 ? from : from + columns[fileRow + REMOVED]!;
      for (let line = from; line < to; line++) {
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
        if (count !== null) row[count]++;
        row.ai_lines += this.#originShares?.[line] ?? 0;
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
    const lines = this.#lines();
    const origins = which === 'plain' ? this.#plainOrigins! : this.origins;
    const { own } = this.#fileNumbers();
    for (let i = 0; i < this.#fileCount; i++) {
      const status = own[i * OWN_COLUMNS]!;
      if ((status & UNREAD) !== 0 || fileColumn(lines, i, 'removed') === 0) continue;
      const path = this.#oldPaths?.get(i) ?? this.#paths[i]!;
      const hunks = hunksOf[i]!;
      let offset = fileColumn(lines, i, 'removedStart');
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
