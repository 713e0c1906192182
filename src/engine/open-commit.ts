// A commit between the moment it is reached and the moment its last removed line has an origin: what is
// kept of it, and how its facts are made. Origins are stored by position in the walk.
import { AGE_BUCKETS } from '../domain/line-model.ts';
import { fileColumn, LINE_OP, LINE_OP_MASK } from './classified.ts';
import {
  type AiShares,
  ageAnswer,
  finishFile,
  keepRemovedLines,
  type OpenFile,
  OWN_RECENT,
  openFile,
} from './classify/finish-file.ts';

import { LANGUAGE_NAMES } from './classify/languages.ts';
import type { FileFact, LineFlow } from './facts.ts';
import type { CommitPacket, FilePacket } from './packet.ts';

/** An origin that was never found: older than the walk looked. */
export const NO_ORIGIN = -1;
const UNANSWERED = -2;
const DAY_SECONDS = 86_400;
const OLDEST = AGE_BUCKETS.length - 1;
/** Two years, the limit of the oldest age but one. */
export const HOPELESS_SECONDS = AGE_BUCKETS[OLDEST - 1]!.belowDays * DAY_SECONDS;

interface KeptFile {
  readonly packet: FilePacket;
  readonly language: string | null;
  readonly open: OpenFile;
  readonly duplicateLines: number;
  readonly linesCopied: number;
  /** First of its removed lines in `origins`. */
  readonly askFrom: number;
}

export interface Origin {
  readonly sha: string;
  readonly authoredAt: number;
  readonly authorEmail: string;
}

export class OpenCommit {
  readonly index: number;
  readonly origins: Int32Array;
  readonly #files: KeptFile[];
  #left: number;
  /** Thousandths per removed line that AI wrote; made when the first such line is met. */
  #originShares: Uint16Array | null = null;

  constructor(packet: CommitPacket, shares: (file: FilePacket) => AiShares, duplicates: Uint32Array | null) {
    this.index = packet.index;
    const { classified } = packet;
    const removedLines = classified === null ? null : keepRemovedLines(classified);
    let asks = 0;
    this.#files =
      classified === null || removedLines === null
        ? []
        : packet.files.map((file, i) => {
            const kept = {
              packet: file,
              language: LANGUAGE_NAMES[fileColumn(classified, i, 'language')] ?? null,
              open: openFile(classified, i, shares(file), removedLines),
              duplicateLines: duplicates?.[i * 2] ?? 0,
              linesCopied: duplicates?.[i * 2 + 1] ?? 0,
              askFrom: asks,
            };
            asks += file.isUnread ? 0 : file.removed;
            return kept;
          });
    this.origins = new Int32Array(asks).fill(UNANSWERED);
    this.#left = asks;
  }

  get asks(): number {
    return this.origins.length;
  }

  get isFinal(): boolean {
    return this.#left === 0;
  }

  /** Where each file's removed lines begin among those asked about; −1 for a file that asks nothing. */
  askFrom(fileIndex: number): number {
    const file = this.#files[fileIndex];
    return file === undefined || file.packet.isUnread || file.packet.removed === 0 ? -1 : file.askFrom;
  }

  answer(offset: number, count: number, origin: number, share: number): void {
    this.origins.fill(origin, offset, offset + count);
    if (share > 0) {
      this.#originShares ??= new Uint16Array(this.origins.length);
      this.#originShares.fill(share, offset, offset + count);
    }
    this.#left -= count;
  }

  /** The commit's files and flows as far as origins are known. `at` gives what is known of a position. */
  facts(own: Origin, at: (index: number) => Origin): { readonly files: FileFact[]; readonly flows: LineFlow[] } {
    const answers = this.#answers(own, at);
    const files = this.#files.map((file) => fileFact(file, answers.subarray(file.askFrom, endOf(file))));
    return { files, flows: this.#flows(answers, at) };
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
        answer = origin === UNANSWERED ? 0 : origin === NO_ORIGIN ? OLDEST : answerFor(own, at(origin));
      }
      answers[line] = answer;
    }
    return answers;
  }

  #flows(answers: Uint8Array, at: (index: number) => Origin): LineFlow[] {
    type Row = { -readonly [K in keyof LineFlow]: LineFlow[K] };
    const rows = new Map<string, Row>();
    for (const { open, askFrom } of this.#files) {
      let last = UNANSWERED;
      let row: Row | null = null;
      const { removedOps } = open.commit;
      const count = open.removedTo - open.removedFrom;
      for (let line = 0; line < count; line++) {
        const op = removedOps[open.removedFrom + line]! & LINE_OP_MASK;
        const origin = this.origins[askFrom + line]!;
        if (op === LINE_OP.noop || origin === UNANSWERED) continue;
        if (origin !== last || row === null) {
          last = origin;
          const key = `${origin} ${open.category}`;
          row = rows.get(key) ?? null;
          if (row === null) {
            row = {
              origin: origin === NO_ORIGIN ? null : at(origin).sha,
              category: open.category,
              age: AGE_BUCKETS[answers[askFrom + line]! & 7]!.key,
              lines_deleted: 0,
              lines_updated: 0,
              lines_moved: 0,
              lines_find_replaced: 0,
              ai_lines: 0,
            };
            rows.set(key, row);
          }
        }
        if (op === LINE_OP.deleted) row.lines_deleted++;
        else if (op === LINE_OP.updated) row.lines_updated++;
        else if (op === LINE_OP.moved) row.lines_moved++;
        else if (op === LINE_OP.find_replaced) row.lines_find_replaced++;
        row.ai_lines += this.#originShares?.[askFrom + line] ?? 0;
      }
    }
    return [...rows.values()].sort(compareFlows);
  }

  /** Runs of removed lines with one origin, file by file, for `--origins`. */
  *originRuns(hunksOf: (file: FilePacket) => Int32Array): Generator<{
    readonly path: string;
    readonly lineIndex: number;
    readonly count: number;
    readonly origin: number;
  }> {
    for (const { packet, askFrom } of this.#files) {
      if (packet.oldPath === null || packet.isUnread || packet.removed === 0) continue;
      const hunks = hunksOf(packet);
      let offset = askFrom;
      for (let at = 0; at < hunks.length; at += 4) {
        const end = offset + hunks[at + 1]!;
        let lineIndex = hunks[at]!;
        while (offset < end) {
          const origin = this.origins[offset]!;
          let stop = offset + 1;
          while (stop < end && this.origins[stop] === origin) stop++;
          yield { path: packet.oldPath, lineIndex, count: stop - offset, origin };
          lineIndex += stop - offset;
          offset = stop;
        }
      }
    }
  }
}

const endOf = ({ askFrom, open }: KeptFile) => askFrom + open.removedTo - open.removedFrom;

function answerFor(own: Origin, origin: Origin): number {
  const ageDays = (own.authoredAt - origin.authoredAt) / DAY_SECONDS;
  const age = ageAnswer(ageDays);
  return age === 1 && own.authorEmail.toLowerCase() === origin.authorEmail.toLowerCase() ? age | OWN_RECENT : age;
}

function fileFact(file: KeptFile, answers: Uint8Array): FileFact {
  const { packet, open } = file;
  const m = finishFile(open, answers);
  if (packet.isUnread) {
    // Nothing is known of these lines but how many they are.
    m.added = m.noop_added = packet.added;
    m.removed = m.noop_removed = packet.removed;
  }
  // Written out: spreading so many properties into a new object is some hundred times slower.
  return {
    path: packet.newPath ?? packet.oldPath ?? '',
    old_path: packet.status === 'renamed' ? packet.oldPath : null,
    status: packet.status,
    category: open.category,
    language: file.language,
    limited: packet.limited,
    added: m.added,
    removed: m.removed,
    lines_added: m.lines_added,
    lines_deleted: m.lines_deleted,
    lines_moved: m.lines_moved,
    lines_updated: m.lines_updated,
    lines_find_replaced: m.lines_find_replaced,
    lines_copy_pasted: m.lines_copy_pasted,
    noop_added: m.noop_added,
    noop_removed: m.noop_removed,
    age_lt_2w: m.age_lt_2w,
    age_lt_1m: m.age_lt_1m,
    age_lt_1y: m.age_lt_1y,
    age_lt_2y: m.age_lt_2y,
    age_gte_2y: m.age_gte_2y,
    lines_churned: m.lines_churned,
    delta_added: m.delta_added,
    delta_updated: m.delta_updated,
    delta_deleted: m.delta_deleted,
    delta_find_replaced: m.delta_find_replaced,
    delta_new: m.delta_new,
    delta_lt_2w: m.delta_lt_2w,
    delta_lt_1m: m.delta_lt_1m,
    delta_lt_1y: m.delta_lt_1y,
    delta_lt_2y: m.delta_lt_2y,
    delta_gte_2y: m.delta_gte_2y,
    doc_lines: m.doc_lines,
    doc_delta: m.doc_delta,
    ai_lines_added: m.ai_lines_added,
    ai_lines_deleted: m.ai_lines_deleted,
    ai_lines_changed: m.ai_lines_changed,
    ai_delta: m.ai_delta,
    lines_copied: file.linesCopied,
    calls: m.calls,
    duplicate_lines: file.duplicateLines,
  };
}

function compareFlows(a: LineFlow, b: LineFlow): number {
  const [left, right] = [`${a.origin ?? ''} ${a.category}`, `${b.origin ?? ''} ${b.category}`];
  return left < right ? -1 : left > right ? 1 : 0;
}
