// A pack of git's that holds a few trees, with its index: two files, however many trees, where loose objects are a file each.
// Formats: `git help format-pack`. The trees are small and read once, so they are stored without compression.
import { createHash } from 'node:crypto';

const TREE_TYPE = 2;
const PACK_VERSION = 2;
const PACK_HEAD = 12;
/** Blocks of uncompressed data in a zlib stream are at most so long. */
const STORED_MOST = 0xffff;
const FANOUT = 256;

type Algorithm = 'sha1' | 'sha256';

export class TreePack {
  readonly #algorithm: Algorithm;
  readonly #trees: { readonly name: string; readonly offset: number }[] = [];
  readonly #parts: Buffer[] = [Buffer.alloc(PACK_HEAD)];
  #length = PACK_HEAD;

  constructor(algorithm: Algorithm) {
    this.#algorithm = algorithm;
  }

  /** The name of a tree with this content. */
  nameOf(tree: Buffer): string {
    return createHash(this.#algorithm).update(`tree ${tree.length}\0`, 'latin1').update(tree).digest('hex');
  }

  add(name: string, tree: Buffer): void {
    this.#trees.push({ name, offset: this.#length });
    const entry = Buffer.concat([entryHead(tree.length), ...storedStream(tree)]);
    this.#parts.push(entry);
    this.#length += entry.length;
  }

  finish(): { readonly pack: Buffer; readonly index: Buffer } {
    const head = this.#parts[0]!;
    head.write('PACK', 'latin1');
    head.writeUInt32BE(PACK_VERSION, 4);
    head.writeUInt32BE(this.#trees.length, 8);
    const pack = this.#seal(this.#parts);
    return { pack, index: this.#index(pack) };
  }

  /** An index of version 1: how many names begin with each byte or a smaller one, then offsets and names in order. */
  #index(pack: Buffer): Buffer {
    const trees = this.#trees.sort((a, b) => (a.name < b.name ? -1 : 1));
    const checksumBytes = trees[0]!.name.length / 2;
    const rowBytes = 4 + checksumBytes;
    const index = Buffer.alloc(FANOUT * 4 + trees.length * rowBytes);
    let at = FANOUT * 4;
    const counts = new Uint32Array(FANOUT);
    for (const { name, offset } of trees) {
      index.writeUInt32BE(offset, at);
      index.write(name, at + 4, 'hex');
      counts[index[at + 4]!]!++;
      at += rowBytes;
    }
    let count = 0;
    for (let byte = 0; byte < FANOUT; byte++) {
      count += counts[byte]!;
      index.writeUInt32BE(count, byte * 4);
    }
    return this.#seal([index, pack.subarray(pack.length - checksumBytes)]);
  }

  /** With the checksum of all behind it. */
  #seal(parts: readonly Buffer[]): Buffer {
    const hash = createHash(this.#algorithm);
    for (const part of parts) hash.update(part);
    return Buffer.concat([...parts, hash.digest()]);
  }
}

/** Type and length: four bits of the length, then seven in each byte; the highest bit says that more follow. */
function entryHead(length: number): Buffer {
  const bytes = [(TREE_TYPE << 4) | (length & 0xf)];
  for (let rest = length >>> 4; rest > 0; rest >>>= 7) {
    bytes[bytes.length - 1]! |= 0x80;
    bytes.push(rest & 0x7f);
  }
  return Buffer.from(bytes);
}

/** A zlib stream (RFC 1950 and 1951) of blocks that are stored as they are. */
function storedStream(data: Buffer): Buffer[] {
  const parts: Buffer[] = [Buffer.of(0x78, 0x01)];
  let from = 0;
  do {
    const block = data.subarray(from, from + STORED_MOST);
    from += block.length;
    const head = Buffer.allocUnsafe(5);
    head[0] = from === data.length ? 1 : 0;
    head.writeUInt16LE(block.length, 1);
    head.writeUInt16LE(block.length ^ 0xffff, 3);
    parts.push(head, block);
  } while (from < data.length);
  const checksum = Buffer.allocUnsafe(4);
  checksum.writeUInt32BE(adler32(data));
  parts.push(checksum);
  return parts;
}

function adler32(data: Buffer): number {
  const modulus = 65_521;
  let low = 1;
  let high = 0;
  for (let at = 0; at < data.length; at++) {
    low = (low + data[at]!) % modulus;
    high = (high + low) % modulus;
  }
  return ((high << 16) | low) >>> 0;
}
