// How many bytes two versions of a file share at their beginning and at their end. Most changes are small:
// native comparison of whole blocks passes over what is equal far faster than a loop would.

export interface CommonEnds {
  readonly prefix: number;
  /** May overlap the prefix. */
  readonly suffix: number;
}

const BLOCK_BYTES = 1024;

export function findCommonEnds(a: Buffer, b: Buffer): CommonEnds {
  const smaller = Math.min(a.length, b.length);
  return { prefix: commonPrefix(a, b, smaller), suffix: commonSuffix(a, b, smaller) };
}

function commonPrefix(a: Buffer, b: Buffer, smaller: number): number {
  let at = 0;
  while (at + BLOCK_BYTES <= smaller && a.compare(b, at, at + BLOCK_BYTES, at, at + BLOCK_BYTES) === 0)
    at += BLOCK_BYTES;
  while (at < smaller && a[at] === b[at]) at++;
  return at;
}

function commonSuffix(a: Buffer, b: Buffer, smaller: number): number {
  let same = 0;
  let aEnd = a.length;
  let bEnd = b.length;
  while (same + BLOCK_BYTES <= smaller && a.compare(b, bEnd - BLOCK_BYTES, bEnd, aEnd - BLOCK_BYTES, aEnd) === 0) {
    same += BLOCK_BYTES;
    aEnd -= BLOCK_BYTES;
    bEnd -= BLOCK_BYTES;
  }
  while (same < smaller && a[aEnd - 1] === b[bEnd - 1]) {
    same++;
    aEnd--;
    bEnd--;
  }
  return same;
}
