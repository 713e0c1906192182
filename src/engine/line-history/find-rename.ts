// Which file of the parent a new file was renamed from, by git's measure: at least half of the bytes of
// the larger file are in lines that both share. Only one destination is of interest, as in `git blame`.

import type { LineTable } from '../compare/line-table.ts';
import { isBlob } from '../objects/tree-object.ts';
import { baseName } from '../trace/renames.ts';
import type { FileChange } from './compare-trees.ts';
import type { ObjectStore } from './object-store.ts';

export interface RenameSource {
  readonly path: string;
  readonly blob: string;
  /** 0–100. */
  readonly similarity: number;
}

const MIN_SIMILARITY = 0.5;
/** A removed file with the same name needs less looking around: this much is enough. */
const SAME_NAME_SIMILARITY = 0.75;
const MAX_CANDIDATES = 1000;
const MAX_BYTES_READ = 64 * 1024 * 1024;
/** Longer lines are compared in pieces of this size. */
const PIECE_BYTES = 64;

/** `changes` are the commit's against the parent; `path` is new in it with the content `blob`. */
export async function findRename(
  store: ObjectStore,
  changes: readonly FileChange[],
  path: string,
  blob: string,
): Promise<RenameSource | null> {
  const removed = changes.flatMap(({ path, before, after }) =>
    after === null && before !== null && isBlob(before.mode) ? [{ path, blob: before.sha }] : [],
  );
  const name = baseName(path);
  const identical = removed.filter((each) => each.blob === blob);
  const exact = identical.find((each) => baseName(each.path) === name) ?? identical[0];
  if (exact) return { ...exact, similarity: 100 };
  if (removed.length === 0) return null;

  const target = await store.lines(blob);
  if (target.bytes.length === 0) return null;
  const targetPieces = countPieces(target);
  let bytesRead = 0;
  const rate = async (candidate: { path: string; blob: string }): Promise<number> => {
    if (bytesRead > MAX_BYTES_READ) return 0;
    const source = await store.lines(candidate.blob).catch(() => null);
    if (source === null) return 0;
    bytesRead += source.bytes.length;
    return similarity(source, target, targetPieces);
  };

  const sameName = removed.filter((each) => baseName(each.path) === name);
  if (sameName.length === 1) {
    const score = await rate(sameName[0]!);
    if (score >= SAME_NAME_SIMILARITY) return { ...sameName[0]!, similarity: Math.floor(score * 100) };
  }
  let best: RenameSource | null = null;
  let bestScore = MIN_SIMILARITY;
  // Likely sources first, so that the limits cut off the unlikely ones.
  const ordered = [...removed].sort((a, b) => closeness(b.path, path) - closeness(a.path, path));
  for (const candidate of ordered.slice(0, MAX_CANDIDATES)) {
    const score = await rate(candidate);
    const isBetter = score > bestScore || (score === bestScore && best === null);
    if (!isBetter) continue;
    bestScore = score;
    best = { ...candidate, similarity: Math.floor(score * 100) };
  }
  return best;
}

function closeness(source: string, target: string): number {
  const sameName = baseName(source) === baseName(target) ? 4 : 0;
  const sameEnding = /\.[^./]*$/.exec(source)?.[0] === /\.[^./]*$/.exec(target)?.[0] ? 2 : 0;
  const sameFolder = source.slice(0, source.lastIndexOf('/') + 1) === target.slice(0, target.lastIndexOf('/') + 1);
  return sameName + sameEnding + (sameFolder ? 1 : 0);
}

/** Hash of a piece → bytes in such pieces. A carriage return before a line feed does not count. */
function countPieces(table: LineTable): Map<number, number> {
  const { bytes } = table;
  const pieces = new Map<number, number>();
  let hash = 0;
  let length = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte === 13 && !table.isBinary && bytes[at + 1] === 10) continue;
    hash = (Math.imul(hash, 31) + byte + 1) | 0;
    length++;
    if (length < PIECE_BYTES && byte !== 10) continue;
    pieces.set(hash, (pieces.get(hash) ?? 0) + length);
    hash = 0;
    length = 0;
  }
  if (length > 0) pieces.set(hash, (pieces.get(hash) ?? 0) + length);
  return pieces;
}

function similarity(source: LineTable, target: LineTable, targetPieces: ReadonlyMap<number, number>): number {
  const larger = Math.max(source.bytes.length, target.bytes.length);
  const smaller = Math.min(source.bytes.length, target.bytes.length);
  if (smaller < larger * MIN_SIMILARITY) return 0;
  let shared = 0;
  for (const [hash, bytes] of countPieces(source)) shared += Math.min(bytes, targetPieces.get(hash) ?? 0);
  return shared / larger;
}
