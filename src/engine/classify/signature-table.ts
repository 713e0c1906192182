// A multimap from 32-bit signatures to file ids, in typed arrays: chains of entries under hashed slots,
// with a free list. Two signatures are one when their 32 bits agree.

export interface SignatureTable {
  add(signature: number, fileId: number): void;
  /** Takes out one entry; nothing happens when there is none. */
  remove(signature: number, fileId: number): void;
  /** How many entries the signature has, counted no further than `limit`. */
  count(signature: number, limit: number): number;
  /** Each file that has the signature, once. */
  forEachFile(signature: number, visit: (fileId: number) => void): void;
  readonly bytesUsed: number;
  readonly bytesPerEntry: number;
}

const FIRST_SIZE = 1 << 12;
/** Files looked at for one signature: beyond, the rest are all the same boilerplate. */
const MAX_FILES = 64;

export function createSignatureTable(): SignatureTable {
  let heads = new Int32Array(FIRST_SIZE).fill(-1);
  let signatures = new Int32Array(FIRST_SIZE);
  let ids = new Int32Array(FIRST_SIZE);
  let nexts = new Int32Array(FIRST_SIZE);
  let used = 0;
  let free = -1;
  const slotOf = (signature: number) => (signature ^ (signature >>> 16)) & (heads.length - 1);

  function grow(): void {
    const size = signatures.length * 2;
    const resize = (from: Int32Array) => {
      const larger = new Int32Array(size);
      larger.set(from);
      return larger;
    };
    signatures = resize(signatures);
    ids = resize(ids);
    nexts = resize(nexts);
    // Entries in the free list have id 0 and keep their links; all others are chained anew.
    heads = new Int32Array(size).fill(-1);
    for (let entry = 0; entry < used; entry++) {
      if (ids[entry] === 0) continue;
      const slot = slotOf(signatures[entry]!);
      nexts[entry] = heads[slot]!;
      heads[slot] = entry;
    }
  }

  return {
    bytesPerEntry: 16,
    get bytesUsed() {
      return signatures.length * 16;
    },
    add(signature, fileId) {
      let entry = free;
      if (entry >= 0) free = nexts[entry]!;
      else {
        if (used === signatures.length) grow();
        entry = used++;
      }
      signatures[entry] = signature;
      ids[entry] = fileId;
      const slot = slotOf(signature);
      nexts[entry] = heads[slot]!;
      heads[slot] = entry;
    },
    remove(signature, fileId) {
      const slot = slotOf(signature);
      let previous = -1;
      for (let entry = heads[slot]!; entry >= 0; entry = nexts[entry]!) {
        if (signatures[entry] === signature && ids[entry] === fileId) {
          if (previous < 0) heads[slot] = nexts[entry]!;
          else nexts[previous] = nexts[entry]!;
          ids[entry] = 0;
          nexts[entry] = free;
          free = entry;
          return;
        }
        previous = entry;
      }
    },
    count(signature, limit) {
      let found = 0;
      for (let entry = heads[slotOf(signature)]!; entry >= 0 && found < limit; entry = nexts[entry]!)
        if (signatures[entry] === signature) found++;
      return found;
    },
    forEachFile(signature, visit) {
      const seen: number[] = [];
      for (let entry = heads[slotOf(signature)]!; entry >= 0 && seen.length < MAX_FILES; entry = nexts[entry]!) {
        if (signatures[entry] !== signature || seen.includes(ids[entry]!)) continue;
        seen.push(ids[entry]!);
        visit(ids[entry]!);
      }
    },
  };
}
