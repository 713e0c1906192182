// The compiled part of the classification (kernel/classify in the project's root), its tables, and its memory, which
// grows with the largest commit.
import { SCORED_OPERATIONS } from '../../domain/commits/line-model.ts';
import {
  FIRST_SCORE_BASE,
  MOST_STYLES,
  SCORE_BULK_FROM,
  SCORE_COMMIT_BULK_FROM,
  SCORE_DOC_COMMENT,
  SCORE_FULL_LENGTH,
  SCORE_NUMBERS,
  SCORE_POINT,
  SCORE_REFORMATTING,
  SCORE_REPLACED_BULK_FROM,
  SCORE_REVERT,
  SCORE_SHORT_FLOOR,
  SCORE_WHOLE_FILE,
  STYLE_BYTES,
} from '../kernel-contract.ts';
import { releaseKernels, startKernel } from '../load-kernel.ts';
import { LINE_OP } from '../model/classified.ts';
import { COMMENT_STYLES, styleBytes } from './comment-styles.ts';
import { LINE_WORDS } from './line-words.ts';
import { SCALE, SCORE } from './score-table.ts';

interface ClassifyExports {
  readonly GIVEN: WebAssembly.Global;
  readonly IDENTITY: WebAssembly.Global;
  readonly SCORES: WebAssembly.Global;
  readonly STYLES: WebAssembly.Global;
  setUp(): void;
  learnWords(table: number, from: number, to: number): void;
  reach(to: number): void;
  classify(files: number, hunkWords: number, removed: number, added: number, bytes: number, standing: number): number;
  minHashCommit(): number;
  minHashAt(): number;
  hashFile(bytes: number): number;
  fileHashes(): number;
}

const FIRST_PAGES = 64;
/** One that a huge commit has made larger is not kept. */
const KEPT_BYTES = 16 << 20;

let current: ClassifyKernel | null = null;

/** One for all of a thread, to be requested anew for each commit or file. */
export function classifyKernel(): ClassifyKernel {
  if (current !== null && current.size > KEPT_BYTES) {
    current = null;
    releaseKernels();
  }
  current ??= new ClassifyKernel();
  return current;
}

/** For one that has failed: nothing in its memory is to be relied on. */
export function dropClassifyKernel(): void {
  current = null;
}

export class ClassifyKernel {
  readonly calls: ClassifyExports;
  /** Where the caller writes what it gives. */
  readonly given: number;
  readonly #memory: WebAssembly.Memory;
  #bytes = new Uint8Array(0);
  #words = new Int32Array(0);
  #doubles = new Float64Array(0);

  constructor() {
    this.#memory = new WebAssembly.Memory({ initial: FIRST_PAGES });
    this.calls = startKernel('classify', this.#memory) as ClassifyExports;
    this.given = this.calls.GIVEN.value;
    this.#setUp();
  }

  get size(): number {
    return this.#memory.buffer.byteLength;
  }

  // The memory may have grown: then older views see nothing.
  get bytes(): Uint8Array {
    if (this.#bytes.buffer !== this.#memory.buffer) this.#bytes = new Uint8Array(this.#memory.buffer);
    return this.#bytes;
  }

  get words(): Int32Array {
    if (this.#words.buffer !== this.#memory.buffer) this.#words = new Int32Array(this.#memory.buffer);
    return this.#words;
  }

  get doubles(): Float64Array {
    if (this.#doubles.buffer !== this.#memory.buffer) this.#doubles = new Float64Array(this.#memory.buffer);
    return this.#doubles;
  }

  get buffer(): ArrayBuffer {
    return this.#memory.buffer;
  }

  #setUp(): void {
    const { calls, bytes } = this;
    this.doubles.set(scoreNumbers(), calls.SCORES.value >> 3);
    if (COMMENT_STYLES.length > MOST_STYLES) throw new Error(`more than ${MOST_STYLES} comment styles`);
    COMMENT_STYLES.forEach((style, id) => {
      bytes.set(styleBytes(style), calls.STYLES.value + id * STYLE_BYTES);
    });
    calls.setUp();
    for (const { table, words } of LINE_WORDS) {
      const text = Buffer.from(words);
      bytes.set(text, this.given);
      calls.learnWords(table, this.given, this.given + text.length);
    }
  }
}

function scoreNumbers(): Float64Array {
  const numbers = new Float64Array(SCORE_NUMBERS);
  numbers[SCORE_POINT] = SCALE * SCORE.k;
  numbers[SCORE_WHOLE_FILE] = SCORE.wholeFile;
  numbers[SCORE_DOC_COMMENT] = SCORE.docComment;
  numbers[SCORE_BULK_FROM] = SCORE.bulkFrom;
  numbers[SCORE_COMMIT_BULK_FROM] = SCORE.commitBulkFrom;
  numbers[SCORE_REPLACED_BULK_FROM] = SCORE.replacedBulkFrom;
  numbers[SCORE_REFORMATTING] = SCORE.reformatting;
  numbers[SCORE_REVERT] = SCORE.revert;
  numbers[SCORE_FULL_LENGTH] = SCORE.fullLineLength;
  numbers[SCORE_SHORT_FLOOR] = SCORE.shortLineFloor;
  for (const operation of SCORED_OPERATIONS) numbers[FIRST_SCORE_BASE + LINE_OP[operation]] = SCORE.base[operation];
  return numbers;
}
