// A multimap from 32-bit signatures to file ids, in typed arrays: chains of entries under hashed slots,
// with a free list. Two signatures are one when their 32 bits agree.

export interface SignatureTable {
  add(signature: number, fileId: number): void;
  /** Takes out one entry; nothing happens when there is none. */
  remove(signature: number, fileId: number): void;
  /** How many entries the signature has, counted no further than `limit`. */
  count(signature: number, limit: number): number;
  /** Each file that has the signature, once. */
  readFiles(signature: number, found: FoundFiles): void;
  readonly bytesUsed: number;
  readonly bytesPerEntry: number;
}

/** Where `readFiles` writes; to be reused. */
export interface FoundFiles {
  count: number;
  readonly ids: Int32Array;
  /** 1 where the file has the signature more than once, or may have: not all entries were looked at. */
  readonly isRepeated: Uint8Array;
}

const FIRST_SIZE = 1 << 12;
/** Files looked at for one signature: beyond, the rest are all the same boilerplate. */
const MAX_FILES = 64;
/** An entry is a signature, a file id (0 in the free list) and the next entry's position, together in memory. */
const ENTRY_INTS = 3;

export function createFoundFiles(): FoundFiles {
  return { count: 0, ids: new Int32Array(MAX_FILES), isRepeated: new Uint8Array(MAX_FILES) };
}

export function createSignatureTable(): SignatureTable {
  let heads = new Int32Array(FIRST_SIZE).fill(-1);
  let entries = new Int32Array(FIRST_SIZE * ENTRY_INTS);
  /** Integers in use. */
  let used = 0;
  let free = -1;
  const slotOf = (signature: number) => (signature ^ (signature >>> 16)) & (heads.length - 1);

  function grow(): void {
    const larger = new Int32Array(entries.length * 2);
    larger.set(entries);
    entries = larger;
    // Entries in the free list keep their links; all others are chained anew.
    heads = new Int32Array(heads.length * 2).fill(-1);
    for (let entry = 0; entry < used; entry += ENTRY_INTS) {
      if (entries[entry + 1] === 0) continue;
      const slot = slotOf(entries[entry]!);
      entries[entry + 2] = heads[slot]!;
      heads[slot] = entry;
    }
  }

  return {
    bytesPerEntry: 16,
    get bytesUsed() {
      return heads.length * 16;
    },
    add(signature, fileId) {
      let entry = free;
      if (entry >= 0) free = entries[entry + 2]!;
      else {
        if (used === entries.length) grow();
        entry = used;
        used += ENTRY_INTS;
      }
      const slot = slotOf(signature);
      entries[entry] = signature;
      entries[entry + 1] = fileId;
      entries[entry + 2] = heads[slot]!;
      heads[slot] = entry;
    },
    remove(signature, fileId) {
      const slot = slotOf(signature);
      let previous = -1;
      for (let entry = heads[slot]!; entry >= 0; entry = entries[entry + 2]!) {
        if (entries[entry] === signature && entries[entry + 1] === fileId) {
          if (previous < 0) heads[slot] = entries[entry + 2]!;
          else entries[previous + 2] = entries[entry + 2]!;
          entries[entry + 1] = 0;
          entries[entry + 2] = free;
          free = entry;
          return;
        }
        previous = entry;
      }
    },
    count(signature, limit) {
      let found = 0;
      for (let entry = heads[slotOf(signature)]!; entry >= 0 && found < limit; entry = entries[entry + 2]!)
        if (entries[entry] === signature) found++;
      return found;
    },
    readFiles(signature, found) {
      const { ids, isRepeated } = found;
      let count = 0;
      for (let entry = heads[slotOf(signature)]!; entry >= 0; entry = entries[entry + 2]!) {
        if (entries[entry] !== signature) continue;
        const id = entries[entry + 1]!;
        let at = 0;
        while (at < count && ids[at] !== id) at++;
        if (at < count) isRepeated[at] = 1;
        else if (count === MAX_FILES) {
          isRepeated.fill(1);
          break;
        } else {
          ids[count] = id;
          isRepeated[count++] = 0;
        }
      }
      found.count = count;
    },
  };
}
