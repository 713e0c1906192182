// How alike two files of packs are, as git measures it to tell a rename. The kernel counts the spans of a file right
// after it was read, because the next files may push its bytes out; the counts stay until they are forgotten.
import { EQUAL_SCORE } from '../compare/span-counts.ts';
import type { BlobStore } from '../objects/blob-store.ts';
import type { Kernel } from './kernel.ts';

interface CountedFile {
  readonly size: number;
  /** Where the kernel keeps its spans. */
  readonly from: number;
  readonly to: number;
}

export class LikenessMeter {
  readonly #kernel: Kernel;
  readonly #store: BlobStore;
  readonly #withLastSpan: boolean;
  readonly #files = new Map<string, CountedFile>();
  #end = 0;

  /** `withLastSpan`: whether bytes behind the last line feed count, which depends on the version of git. */
  constructor(kernel: Kernel, store: BlobStore, withLastSpan: boolean) {
    this.#kernel = kernel;
    this.#store = store;
    this.#withLastSpan = withLastSpan;
  }

  forget(): void {
    this.#kernel.calls.forgetSpans();
    this.#files.clear();
    this.#end = 0;
  }

  /**
   * From 0 to EQUAL_SCORE; 0 as well when the sizes alone tell that `least` cannot be reached. Null when a file cannot
   * be read here, or when there is no room for what is counted.
   */
  rate(source: string, target: string, least: number): number | null {
    const before = this.#count(source);
    const after = before === null ? null : this.#count(target);
    if (before === null || after === null) return null;
    const larger = Math.max(before.size, after.size);
    const difference = larger - Math.min(before.size, after.size);
    if (after.size === 0 || larger * (EQUAL_SCORE - least) < difference * EQUAL_SCORE) return 0;
    const shared = this.#kernel.calls.sharedBytes(before.from, before.to, after.from, after.to);
    return Math.floor((shared * EQUAL_SCORE) / larger);
  }

  #count(blob: string): CountedFile | null {
    const known = this.#files.get(blob);
    if (known !== undefined) return known;
    const held = this.#store.read(blob);
    if (held === null) return null;
    const from = this.#end;
    const to = this.#kernel.calls.countSpans(held.at, held.length, this.#withLastSpan ? 1 : 0);
    if (to < 0) return null;
    this.#end = to;
    const counted = { size: held.length, from, to };
    this.#files.set(blob, counted);
    return counted;
  }
}
