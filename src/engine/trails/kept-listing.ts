// The commits of the last walk in its order, for the walk that continues it: of a large history git takes longer to list
// them than all else that an import of some new commits takes. New ones are put in front; the rest is copied as it is.
import { createHash } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { allOf, type CommitList, listOf } from '../model/commit-list.ts';
import { KeptCommits, writeBlock } from './listing-blocks.ts';
import { LISTING_NAME, unlessRefused } from './place.ts';

/** Another layout, or another order. */
const VERSION = 2;
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

export const readListing = ({ blocks }: KeptListing): KeptCommits => new KeptCommits(blocks);

export interface ListedWalk {
  readonly commits: CommitList;
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
  const block = isContinued ? writeBlock(walk.commits, fresh) : writeWhole(walk, heads);
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
  let isReached = true;
  for (let i = 0; i < fresh && isReached; i++) {
    const { sha, parents } = commits.at(i);
    isReached = reached.has(sha);
    for (const parent of parents) reached.add(parent);
  }
  return isReached && beforeHeads.every((sha) => reached.has(sha));
}

function writeWhole({ commits }: ListedWalk, heads: readonly string[]): Buffer {
  const reached = new Set(heads);
  const listed = allOf(commits).filter(({ sha, parents }) => {
    if (!reached.has(sha)) return false;
    for (const parent of parents) reached.add(parent);
    return true;
  });
  return writeBlock(listOf(listed), listed.length);
}

function digestOf({ heads, shallow }: ListingRange): Buffer {
  const hash = createHash('sha256').update([...new Set(heads)].sort().join('\n'));
  if (shallow !== null) hash.update('\n\n').update(shallow);
  return hash.digest();
}

/** Of a repository. */
export const readShallow = (gitDir: string): Buffer | null =>
  unlessRefused(() => readFileSync(join(gitDir, 'shallow')), null);
