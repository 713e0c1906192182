// What unpacks and compares files (kernel/packs in the project's root), and the memory it works in.
import { startKernel } from '../load-kernel.ts';

interface KernelExports {
  readonly ADDED_FROM: WebAssembly.Global;
  readonly ADDED_TO: WebAssembly.Global;
  readonly GIVEN_HUNKS: WebAssembly.Global;
  readonly HUNKS: WebAssembly.Global;
  readonly PACKED: WebAssembly.Global;
  readonly PACKED_BYTES: WebAssembly.Global;
  readonly REMOVED_FROM: WebAssembly.Global;
  readonly REMOVED_TO: WebAssembly.Global;
  readonly RING: WebAssembly.Global;
  readonly TREE_ROWS: WebAssembly.Global;
  readonly UNPACKED: WebAssembly.Global;
  readonly UNPACKED_BYTES: WebAssembly.Global;
  forget(longestLine: number): void;
  openReserve(): void;
  hunkWords(): number;
  removedLines(): number;
  addedLines(): number;
  lineBytes(): number;
  emitWhole(at: number, length: number, isAdded: number): number;
  compareFiles(oldAt: number, oldLength: number, newAt: number, newLength: number, isSuccessor: number): number;
  emitGiven(oldAt: number, oldLength: number, newAt: number, newLength: number, words: number): number;
  compareText(oldAt: number, oldLength: number, newAt: number, newLength: number, isSame: number): number;
  inflate(from: number, length: number, to: number, size: number): number;
  compareTrees(oldAt: number, oldLength: number, newAt: number, newLength: number, from: number): number;
  deltaResult(delta: number, baseLength: number): number;
  applyDelta(delta: number, deltaLength: number, base: number, baseLength: number, to: number, size: number): number;
}

const PAGE_BYTES = 1 << 16;
export class Kernel {
  readonly calls: KernelExports;
  /** All of its memory. */
  readonly bytes: Buffer;
  readonly words: Int32Array;
  readonly positions: Uint32Array;
  readonly ringAt: number;
  readonly ringBytes: number;
  /** Rooms for what is read of a pack, and for what it unpacks to. */
  readonly packedAt: number;
  readonly packedBytes: number;
  readonly unpackedAt: number;
  readonly unpackedBytes: number;
  /** It has failed: what lies in its memory is not to be relied on, whoever asked for it. */
  isBroken = false;

  constructor(ringBytes: number) {
    // Its first page tells where the ring begins; it never grows, so that views stay valid.
    const ringAt = ringAddress();
    // A page more: the last bytes of a line are read eight at a time.
    const pages = Math.ceil((ringAt + ringBytes) / PAGE_BYTES) + 1;
    const memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
    this.calls = startKernel('packs', memory) as KernelExports;
    this.bytes = Buffer.from(memory.buffer);
    this.words = new Int32Array(memory.buffer);
    this.positions = new Uint32Array(memory.buffer);
    this.ringAt = ringAt;
    this.ringBytes = ringBytes;
    this.packedAt = this.calls.PACKED.value;
    this.packedBytes = this.calls.PACKED_BYTES.value;
    this.unpackedAt = this.calls.UNPACKED.value;
    this.unpackedBytes = this.calls.UNPACKED_BYTES.value;
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
  const { RING } = startKernel('packs', new WebAssembly.Memory({ initial: 1 })) as KernelExports;
  return RING.value;
}
