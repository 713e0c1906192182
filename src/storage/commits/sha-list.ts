// Lists of shas as one value: commits.parents and commits.children keep 20 bytes for each.

const SHA_BYTES = 20;

/** Shas as they are kept in commits.parents and commits.children. */
export function splitShas(bytes: Buffer): string[] {
  const shas: string[] = [];
  for (let at = 0; at + SHA_BYTES <= bytes.length; at += SHA_BYTES) {
    shas.push(bytes.subarray(at, at + SHA_BYTES).toString('hex'));
  }
  return shas;
}
