// The commits of the last walk in its order, for the walk that continues it: of a large history git takes longer to list
// them than all else that an import of some new commits takes. New ones are put in front; the rest is copied as it is.
import { createHash } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { ListedCommit } from '../git/list-commits.ts';
import { ByteReader, ByteWriter } from './byte-writer.ts';
import { LISTING_NAME, unlessRefused } from './place.ts';

/** Another layout, or another order. */
const VERSION = 1;
/** Version, sum of all behind it, sha256 of the heads. */
const HEAD_BYTES = 4 + 4 + 32;

/** Where a listing begins and ends. */
export interface ListingRange {
  /** All that the commits are reached from: full shas. */
  readonly heads: readonly string[];
  /** What git keeps of a history that was cut off, which may reach further another day; null when it is whole. */
  readonly shallow: Buffer | null;
}

/** Which commits, and whose names. */
export interface ListingOf extends ListingRange {
  /** The blob of the mailmap that holds; null when there is none. */
  readonly mailmap: string | null;
}

export interface KeptListing {
  readonly mailmap: string | null;
  /** The blocks of commits, as they are in the file. */
  readonly blocks: Buffer;
}

/** What was listed in just this range; null when that is not known. */
export function openListing(folder: string, range: ListingRange): KeptListing | null {
  const bytes = unlessRefused(() => readFileSync(join(folder, LISTING_NAME)), null);
  if (bytes === null || bytes.length < HEAD_BYTES || bytes.readUInt32LE(0) !== VERSION) return null;
  if (!bytes.subarray(8, HEAD_BYTES).equals(digestOf(range))) return null;
  if (crc32(bytes.subarray(8)) !== bytes.readUInt32LE(4)) return null;
  const end = bytes.indexOf(0, HEAD_BYTES);
  return { mailmap: bytes.toString('latin1', HEAD_BYTES, end) || null, blocks: bytes.subarray(end + 1) };
}

export function readListing({ blocks }: KeptListing): ListedCommit[] {
  const bytes = new ByteReader(blocks);
  const places: Block[] = [];
  const shas: string[] = [];
  while (bytes.at < blocks.length) {
    const count = bytes.number();
    const shaBytes = bytes.number();
    const length = bytes.number();
    const end = bytes.at + length;
    for (let i = 0; i < count; i++) {
      const at = bytes.skip(shaBytes);
      shas.push(blocks.toString('hex', at, at + shaBytes));
    }
    places.push({ count, shaBytes, at: bytes.at });
    bytes.at = end;
  }
  const commits: ListedCommit[] = [];
  for (const block of places) readBlock(blocks, block, shas, commits);
  return commits;
}

interface Block {
  readonly count: number;
  readonly shaBytes: number;
  /** Where what follows the shas begins. */
  readonly at: number;
}

function readBlock(blocks: Buffer, { count, shaBytes, at }: Block, shas: string[], commits: ListedCommit[]): void {
  const bytes = new ByteReader(blocks, at);
  const texts: string[] = [];
  for (let left = bytes.number(); left > 0; left--) {
    const length = bytes.number();
    const from = bytes.skip(length);
    texts.push(blocks.toString('utf8', from, from + length));
  }
  for (let i = 0; i < count; i++) {
    const index = commits.length;
    const parents: string[] = [];
    for (let left = bytes.number(); left > 0; left--) {
      const distance = bytes.number();
      const from = distance === 0 ? bytes.skip(shaBytes) : 0;
      parents.push(distance === 0 ? blocks.toString('hex', from, from + shaBytes) : shas[index + distance]!);
    }
    commits.push({
      sha: shas[index]!,
      parents,
      authorName: texts[bytes.number()]!,
      authorEmail: texts[bytes.number()]!,
      committerName: texts[bytes.number()]!,
      committerEmail: texts[bytes.number()]!,
      authoredAt: bytes.large(),
      committedAt: bytes.large(),
    });
  }
}

export interface ListedWalk {
  /** Children before parents. */
  readonly commits: readonly ListedCommit[];
  readonly positions: ReadonlyMap<string, number>;
  /** How many of them the walk has not continued from. */
  readonly fresh: number;
  /** What it has continued, which holds all the others. */
  readonly before: KeptListing | null;
  readonly beforeHeads: readonly string[];
}

/** For a walk that ended well. */
export function keepListing(folder: string, of: ListingOf, walk: ListedWalk): void {
  const { heads, mailmap } = of;
  const { before, fresh } = walk;
  const isContinued = before !== null && leadsToAll(walk, heads);
  const block = isContinued ? writeBlock(walk, fresh) : writeWhole(walk, heads);
  const rest = [digestOf(of), Buffer.from(`${mailmap ?? ''}\0`, 'latin1'), block];
  const body = Buffer.concat(isContinued ? [...rest, before.blocks] : rest);
  const head = Buffer.alloc(8);
  head.writeUInt32LE(VERSION, 0);
  head.writeUInt32LE(crc32(body), 4);
  const path = join(folder, LISTING_NAME);
  const draft = `${path}.new`;
  const isKept = unlessRefused(() => {
    writeFileSync(draft, Buffer.concat([head, body]));
    renameSync(draft, path);
    return true;
  }, false);
  if (!isKept) unlessRefused(() => rmSync(draft, { force: true }), undefined);
}

/** Whether nothing of what the walk continued is out of reach by now: a branch may have been deleted. */
function leadsToAll({ commits, fresh, beforeHeads }: ListedWalk, heads: readonly string[]): boolean {
  const reached = new Set(heads);
  for (let i = 0; i < fresh; i++)
    if (reached.has(commits[i]!.sha)) for (const parent of commits[i]!.parents) reached.add(parent);
  return beforeHeads.every((sha) => reached.has(sha)) && commits.slice(0, fresh).every(({ sha }) => reached.has(sha));
}

function writeWhole({ commits }: ListedWalk, heads: readonly string[]): Buffer {
  const reached = new Set(heads);
  const listed = commits.filter(({ sha, parents }) => {
    if (!reached.has(sha)) return false;
    for (const parent of parents) reached.add(parent);
    return true;
  });
  return writeBlock({ commits: listed, positions: new Map(listed.map(({ sha }, i) => [sha, i])) }, listed.length);
}

/** The first so many. */
function writeBlock({ commits, positions }: Pick<ListedWalk, 'commits' | 'positions'>, count: number): Buffer {
  if (count === 0) return Buffer.alloc(0);
  const texts = new Map<string, number>();
  const numberOf = (text: string): number => {
    let number = texts.get(text);
    if (number === undefined) {
      number = texts.size;
      texts.set(text, number);
    }
    return number;
  };
  const rows = new ByteWriter();
  for (let i = 0; i < count; i++) {
    const commit = commits[i]!;
    rows.number(commit.parents.length);
    for (const parent of commit.parents) {
      const position = positions.get(parent) ?? i;
      rows.number(position - i);
      if (position === i) rows.append(Buffer.from(parent, 'hex'));
    }
    for (const text of [commit.authorName, commit.authorEmail, commit.committerName, commit.committerEmail])
      rows.number(numberOf(text));
    rows.large(commit.authoredAt);
    rows.large(commit.committedAt);
  }
  const people = new ByteWriter();
  people.number(texts.size);
  for (const text of texts.keys()) {
    const bytes = Buffer.from(text, 'utf8');
    people.number(bytes.length);
    people.append(bytes);
  }
  const shaBytes = commits[0]!.sha.length / 2;
  const out = new ByteWriter();
  out.number(count);
  out.number(shaBytes);
  const length = count * shaBytes + people.length + rows.length;
  out.number(length);
  for (let i = 0; i < count; i++) out.append(Buffer.from(commits[i]!.sha, 'hex'));
  out.append(people.view());
  out.append(rows.view());
  return out.view();
}

function digestOf({ heads, shallow }: ListingRange): Buffer {
  const hash = createHash('sha256').update([...new Set(heads)].sort().join('\n'));
  if (shallow !== null) hash.update('\n\n').update(shallow);
  return hash.digest();
}

/** Of a repository. */
export const readShallow = (gitDir: string): Buffer | null =>
  unlessRefused(() => readFileSync(join(gitDir, 'shallow')), null);
