// What unpacks and compares files and trees (kernel/packs in the project's root), and the memory it works in.
import { isFileMarked, MARK_STEMS } from '../categories/generated-mark.ts';
import { startKernel } from '../load-kernel.ts';

interface KernelExports {
  readonly ADDED_FROM: WebAssembly.Global;
  readonly ADDED_TO: WebAssembly.Global;
  readonly CHANGES: WebAssembly.Global;
  readonly EFFORT: WebAssembly.Global;
  readonly FOLLOWED: WebAssembly.Global;
  readonly GIVEN_HUNKS: WebAssembly.Global;
  readonly HUNKS: WebAssembly.Global;
  readonly LISTED: WebAssembly.Global;
  readonly MOST_CHANGES: WebAssembly.Global;
  readonly MOST_FOLLOWED_BYTES: WebAssembly.Global;
  readonly MOST_PATH_BYTES: WebAssembly.Global;
  readonly ORDER: WebAssembly.Global;
  readonly PATH: WebAssembly.Global;
  readonly PATH_BYTES: WebAssembly.Global;
  readonly PATH_ENDS: WebAssembly.Global;
  readonly REMOVED_FROM: WebAssembly.Global;
  readonly REMOVED_TO: WebAssembly.Global;
  readonly RING: WebAssembly.Global;
  readonly SIZES: WebAssembly.Global;
  readonly TREES: WebAssembly.Global;
  readonly UNPACKED: WebAssembly.Global;
  forget(longestLine: number): void;
  openReserve(): void;
  hunkWords(): number;
  removedLines(): number;
  addedLines(): number;
  lineBytes(): number;
  filledShare(): number;
  keepAgain(
    hunkWords: number,
    hunkWordsEnd: number,
    removed: number,
    removedEnd: number,
    added: number,
    addedEnd: number,
    bytes: number,
    bytesEnd: number,
  ): void;
  learnStem(at: number, length: number): void;
  compareChange(number: number, givenWords: number): number;
  compareChanges(from: number, to: number): number;
  placeAtHand(): number;
  gather(first: number, count: number): number;
  compareText(oldAt: number, oldLength: number, newAt: number, newLength: number, isSame: number): number;
  olderStarts(): number;
  listTrees(hasOld: number, hasNew: number, wanted: number, places: number, atMost: number): number;
  clearMarks(): void;
  markGivenPath(length: number): number;
  forgetPaths(): void;
  locate(name: number): number;
  followFile(pathLength: number, most: number): number;
  openStore(at: number, bytes: number): void;
  ringWritten(): number;
  largestHeld(): number;
  addHeld(location: number, length: number): number;
  makeObject(location: number, kind: number): number;
}

/** Where packs lie. */
export interface Packs {
  /** Reads so many bytes from a location on to a place in the kernel's memory; answers how many there were. */
  readPack(location: number, length: number, to: number): number;
  /** The location of the object whose name lies there in the kernel's memory; negative when no pack holds it. */
  locateName(at: number): number;
}

const NO_PACKS: Packs = { readPack: () => 0, locateName: () => -1 };

const PAGE_BYTES = 1 << 16;
export class Kernel {
  readonly calls: KernelExports;
  /** All of its memory. */
  readonly bytes: Buffer;
  readonly words: Int32Array;
  readonly positions: Uint32Array;
  readonly numbers: Float64Array;
  readonly ringAt: number;
  readonly ringBytes: number;
  /** What it reads from: for whoever makes objects with it to set. */
  readonly source: { packs: Packs } = { packs: NO_PACKS };
  /** It has failed: what lies in its memory is not to be relied on, whoever asked for it. */
  isBroken = false;

  constructor(ringBytes: number) {
    // Its first page tells where the ring begins; it never grows, so that views stay valid.
    const ringAt = ringAddress();
    // A page more: the last bytes of a line are read eight at a time.
    const pages = Math.ceil((ringAt + ringBytes) / PAGE_BYTES) + 1;
    const memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
    const { source } = this;
    this.calls = startKernel('packs', memory, {
      readPack: (location, length, to) => source.packs.readPack(location!, length!, to!),
      locateName: (at) => source.packs.locateName(at!),
      isMarked: (at, length) => (isFileMarked(this.bytes.subarray(at!, at! + length!)) ? 1 : 0),
    }) as KernelExports;
    this.bytes = Buffer.from(memory.buffer);
    this.words = new Int32Array(memory.buffer);
    this.positions = new Uint32Array(memory.buffer);
    this.numbers = new Float64Array(memory.buffer);
    this.ringAt = ringAt;
    this.ringBytes = ringBytes;
    for (const stem of MARK_STEMS) this.calls.learnStem(ringAt, this.bytes.write(stem, ringAt));
  }

  /** What `work` makes with it. A failure costs its help from then on, not the analysis. */
  attempt<T>(work: () => T, otherwise: T): T {
    if (this.isBroken) return otherwise;
    try {
      return work();
    } catch (error) {
      if (error instanceof TypeError) throw error;
      this.isBroken = true;
      return otherwise;
    }
  }
}

function ringAddress(): number {
  const { RING } = startKernel('packs', new WebAssembly.Memory({ initial: 1 }), {
    ...NO_PACKS,
    isMarked: () => 0,
  }) as KernelExports;
  return RING.value;
}
