// The trail of a commit: what a question about a line needs to know to pass it. Where the lines of its files stood in its
// parent, which of them it moved, and whether an AI tool took part. Some dozen bytes stand for what otherwise takes reading
// both versions of every file.
import { evidenceShare } from '../evidence/read-commit-evidence.ts';
import { type CommitRecord, EMPTY_RECORD, type FileRecord, type RouteRecord } from '../model/commit-record.ts';
import { FILE_STATUSES, LIMIT_REASONS, type LimitReason } from '../model/diff.ts';
import { KeptSources } from '../trace/kept-sources.ts';
import { type CarriedRuns, LineSources } from '../trace/line-sources.ts';
import type { ByteReader, ByteWriter } from './byte-writer.ts';

/**
 * Another layout, another way to compare files, to tell what moved or to read the evidence of messages: trails of other
 * versions are not read.
 */
export const TRAIL_VERSION = 2;

export interface PathNumbering {
  numberOf(path: string): number;
}

const COMMIT_BITS = { share: 1, routes: 2, carried: 4, ignored: 8 } as const;
const FILE_BITS = { old: 8, new: 16, followed: 32, limited: 64, uneven: 128 } as const;
const STATUS_MASK = 7;
const NOTHING_CARRIED: CommitTrail['carried'] = new Map();
/** What may be otherwise another day: the objects have come, or the memory suffices. */
const PASSING: ReadonlySet<LimitReason | null> = new Set(['object_missing', 'unreadable']);

/** Whether what was read of a commit is what anybody would read of it. */
export const isLasting = ({ unread, files }: CommitRecord): boolean =>
  unread === null && files.every(({ limited }) => !PASSING.has(limited));

export interface CommitTrail {
  readonly files: readonly FileRecord[];
  readonly routes: readonly RouteRecord[];
  /** Of all files and routes, which say which are theirs. */
  readonly hunks: Int32Array;
  /** By file, where its added lines stood before, as far as they stood anywhere. */
  readonly carried: ReadonlyMap<number, CarriedRuns>;
  /** Thousandths of its lines that its evidence speaks of. */
  readonly share: number;
  /** Whether it was a revision to ignore: then the lines that it replaced are carried too. */
  readonly isIgnored: boolean;
  /** How many parents it had: none, where a shallow history ended. */
  readonly parents: number;
}

/** Of a commit that was read in full. */
export function trailOf(
  record: CommitRecord,
  hunks: Int32Array,
  { isIgnored, parents }: Pick<CommitTrail, 'isIgnored' | 'parents'>,
): CommitTrail {
  const { files, routes, evidence } = record;
  const share = evidence === null ? 0 : evidenceShare(evidence);
  return { files, routes, hunks, carried: findCarried(record, hunks, isIgnored), share, isIgnored, parents };
}

/** As the walk takes it. */
export function recordOf({ files, routes, hunks, carried, share }: CommitTrail, index: number): CommitRecord {
  const hunksOf = (file: number) => hunks.subarray(files[file]!.hunkStart, files[file]!.hunkEnd);
  const sources = carried.size === 0 ? null : new KeptSources(carried, hunksOf);
  return { ...EMPTY_RECORD, index, files, routes, kept: { share, sources } };
}

export function writeTrail(out: ByteWriter, trail: CommitTrail, paths: PathNumbering): void {
  const { files, routes, hunks, carried, share } = trail;
  out.number(
    (trail.isIgnored ? COMMIT_BITS.ignored : 0) |
      (share > 0 ? COMMIT_BITS.share : 0) |
      (routes.length > 0 ? COMMIT_BITS.routes : 0) |
      (carried.size > 0 ? COMMIT_BITS.carried : 0),
  );
  out.number(trail.parents);
  out.number(files.length);
  for (const file of files) writeFile(out, file, hunks, paths);
  if (routes.length > 0) {
    out.number(routes.length);
    for (const route of routes) writeRoute(out, route, hunks, paths);
  }
  for (const { hunkStart, hunkEnd } of files) writeHunks(out, hunks, hunkStart, hunkEnd);
  for (const { parts } of routes)
    for (const { hunkStart, hunkEnd } of parts) if (hunkStart >= 0) writeHunks(out, hunks, hunkStart, hunkEnd);
  if (carried.size > 0) writeCarried(out, carried, paths);
  if (share > 0) out.number(share);
}

function writeFile(out: ByteWriter, file: FileRecord, hunks: Int32Array, paths: PathNumbering): void {
  const { status, oldPath, newPath, limited, hunkStart, hunkEnd } = file;
  out.number(
    FILE_STATUSES.indexOf(status) |
      (oldPath === null ? 0 : FILE_BITS.old) |
      (newPath === null ? 0 : FILE_BITS.new) |
      (file.isFollowed ? FILE_BITS.followed : 0) |
      (limited === null ? 0 : FILE_BITS.limited) |
      (isUneven(hunks, hunkStart, hunkEnd) ? FILE_BITS.uneven : 0),
  );
  if (newPath !== null) out.number(paths.numberOf(newPath));
  if (oldPath !== null && oldPath !== newPath) out.number(paths.numberOf(oldPath) + 1);
  else if (oldPath !== null) out.number(0);
  if (status === 'renamed') out.number(file.similarity);
  if (limited !== null) out.number(LIMIT_REASONS.indexOf(limited));
  out.number((hunkEnd - hunkStart) >> 2);
}

function writeRoute(out: ByteWriter, route: RouteRecord, hunks: Int32Array, paths: PathNumbering): void {
  out.number(paths.numberOf(route.path));
  out.number(route.parts.length);
  for (const { parent, path, hunkStart, hunkEnd } of route.parts) {
    out.number(parent);
    out.number(paths.numberOf(path));
    // Without hunks the parent has the very same file.
    const uneven = hunkStart >= 0 && isUneven(hunks, hunkStart, hunkEnd) ? 1 : 0;
    out.number(hunkStart < 0 ? 0 : 1 + (((hunkEnd - hunkStart) >> 2) << 1) + uneven);
  }
}

/** Between hunks both versions have the same lines, so one distance is enough; true where that is not so. */
function isUneven(hunks: Int32Array, from: number, to: number): boolean {
  let shift = 0;
  for (let at = from; at < to; at += 4) {
    if (hunks[at]! + shift !== hunks[at + 2]!) return true;
    shift += hunks[at + 3]! - hunks[at + 1]!;
  }
  return false;
}

function writeHunks(out: ByteWriter, hunks: Int32Array, from: number, to: number): void {
  const uneven = isUneven(hunks, from, to);
  let oldEnd = 0;
  for (let at = from; at < to; at += 4) {
    out.signed(hunks[at]! - oldEnd);
    out.number(hunks[at + 1]!);
    out.number(hunks[at + 3]!);
    if (uneven) out.number(hunks[at + 2]!);
    oldEnd = hunks[at]! + hunks[at + 1]!;
  }
}

function readHunks(bytes: ByteReader, into: Int32Array, from: number, count: number, uneven: boolean): void {
  let oldEnd = 0;
  let shift = 0;
  for (let at = from; at < from + 4 * count; at += 4) {
    const oldIndex = oldEnd + bytes.signed();
    const oldCount = bytes.number();
    const newCount = bytes.number();
    into[at] = oldIndex;
    into[at + 1] = oldCount;
    into[at + 2] = uneven ? bytes.number() : oldIndex + shift;
    into[at + 3] = newCount;
    oldEnd = oldIndex + oldCount;
    shift += newCount - oldCount;
  }
}

function findCarried(
  { classified, files }: CommitRecord,
  hunks: Int32Array,
  isIgnored: boolean,
): ReadonlyMap<number, CarriedRuns> {
  if (classified === null) return NOTHING_CARRIED;
  let found: Map<number, CarriedRuns> | null = null;
  let sources: LineSources | null = null;
  for (let file = 0; file < files.length; file++) {
    if (!isIgnored && !LineSources.mayMove(classified, file)) continue;
    sources ??= new LineSources(classified, files, hunks, isIgnored);
    const runs = sources.listCarried(file);
    if (runs === null) continue;
    found ??= new Map();
    found.set(file, runs);
  }
  return found ?? NOTHING_CARRIED;
}

function writeCarried(out: ByteWriter, carried: CommitTrail['carried'], paths: PathNumbering): void {
  out.number(carried.size);
  for (const [file, runs] of carried) {
    out.number(file);
    out.number(runs.paths.length);
    let end = 0;
    for (let i = 0; i < runs.paths.length; i++) {
      const lineIndex = runs.places[3 * i]!;
      out.number(lineIndex - end);
      out.number(runs.places[3 * i + 1]!);
      out.signed(runs.places[3 * i + 2]! - lineIndex);
      out.number(paths.numberOf(runs.paths[i]!));
      end = lineIndex + runs.places[3 * i + 1]!;
    }
  }
}

/** Of the files that have a place. */
function readCarried(
  bytes: ByteReader,
  pathAt: (number: number) => string,
  placeOf: (file: number) => number,
): Map<number, CarriedRuns> {
  const carried = new Map<number, CarriedRuns>();
  for (let left = bytes.number(); left > 0 && !bytes.isPast; left--) {
    const place = placeOf(bytes.number());
    const count = bytes.number();
    if (place < 0) {
      bytes.skipNumbers(4 * count);
      continue;
    }
    const runs: CarriedRuns = { places: [], paths: [] };
    let end = 0;
    for (let more = count; more > 0 && !bytes.isPast; more--) {
      const lineIndex = end + bytes.number();
      const length = bytes.number();
      runs.places.push(lineIndex, length, lineIndex + bytes.signed());
      runs.paths.push(pathAt(bytes.number()));
      end = lineIndex + length;
    }
    carried.set(place, runs);
  }
  return carried;
}

/** By their numbers. */
export type KnownPaths = readonly string[];

/** A set of paths, or what is known by them. */
export type Paths = Pick<ReadonlySet<string>, 'has'>;

export interface TrailQuery {
  /** How many parents the commit has; a trail of one with others is none of it. */
  readonly parents: number;
  /** Where questions wait. */
  readonly paths: Paths;
  /** Whether all files are of use where one of them is. */
  readonly ofAllFiles: boolean;
}

/** What stands of a file before the hunks: bits, numbers of both paths, similarity, reason of a limit, hunks. */
const FILE_NUMBERS = 6;
let fileNumbers = new Int32Array(64 * FILE_NUMBERS);
const ABSENT = -1;
const SAME_FILE = { hunkStart: -1, hunkEnd: -1 };

/**
 * What the commit says of the paths; null when the bytes are none of a trail. Of the other files nothing is read, unless
 * one has another name or could not be compared: then what became of all of them tells where a file stood before.
 */
export function readTrail(
  bytes: ByteReader,
  known: KnownPaths,
  { parents, paths, ofAllFiles }: TrailQuery,
): CommitTrail | 'untouched' | null {
  const pathAt = (number: number): string => known[number] ?? '';
  const has = bytes.number();
  if (bytes.number() !== parents) return null;
  const fileCount = bytes.number();
  const needsAll = readFileNumbers(bytes, fileCount) || ofAllFiles;
  if (bytes.isPast) return null;
  const hasRoutes = (has & COMMIT_BITS.routes) !== 0;
  const routesAt = bytes.at;
  // That is so of nearly all commits.
  if (!isFileAsked(fileCount, known, paths) && !(hasRoutes && isRouteAsked(bytes, known, paths)))
    return bytes.isPast ? null : 'untouched';
  bytes.at = routesAt;
  const files: FileRecord[] = [];
  /** Of each file, and of each part of a route that has hunks: where its hunks go, how many, whether uneven. */
  const pieces: number[] = [];
  const places: number[] = [];
  let hunkEnd = 0;
  let keptPieces = 0;
  const place = (count: number, uneven: number) => {
    const hunkStart = hunkEnd;
    hunkEnd += 4 * count;
    keptPieces = pieces.push(hunkStart, count, uneven);
    return { hunkStart, hunkEnd };
  };
  for (let i = 0; i < fileCount; i++) {
    const at = i * FILE_NUMBERS;
    const bits = fileNumbers[at]!;
    const newPath = fileNumbers[at + 1] === ABSENT ? null : pathAt(fileNumbers[at + 1]!);
    const isKept = needsAll || (newPath !== null && paths.has(newPath));
    const uneven = (bits & FILE_BITS.uneven) === 0 ? 0 : 1;
    places.push(isKept ? files.length : ABSENT);
    if (!isKept) {
      pieces.push(ABSENT, fileNumbers[at + 5]!, uneven);
      continue;
    }
    const hunks = place(fileNumbers[at + 5]!, uneven);
    const status = FILE_STATUSES[bits & STATUS_MASK];
    if (status === undefined) return null;
    const old = fileNumbers[at + 2]!;
    const limited = fileNumbers[at + 4] === ABSENT ? null : (LIMIT_REASONS[fileNumbers[at + 4]!] ?? null);
    files.push({
      status,
      oldPath: old === ABSENT ? null : old === 0 ? newPath : pathAt(old - 1),
      newPath,
      similarity: fileNumbers[at + 3]!,
      limited,
      isFollowed: (bits & FILE_BITS.followed) !== 0,
      added: 0,
      removed: 0,
      isUnread: false,
      hunkStart: hunks.hunkStart,
      hunkEnd: hunks.hunkEnd,
    });
  }
  const routes: RouteRecord[] = [];
  if (hasRoutes)
    for (let left = bytes.number(); left > 0 && !bytes.isPast; left--) {
      const path = pathAt(bytes.number());
      const isKept = paths.has(path);
      const parts: RouteRecord['parts'][number][] = [];
      for (let more = bytes.number(); more > 0 && !bytes.isPast; more--) {
        const parent = bytes.number();
        const from = bytes.number();
        const hunks = bytes.number() - 1;
        if (!isKept) {
          if (hunks >= 0) pieces.push(ABSENT, hunks >> 1, hunks & 1);
          continue;
        }
        const { hunkStart, hunkEnd } = hunks < 0 ? SAME_FILE : place(hunks >> 1, hunks & 1);
        parts.push({ parent, path: pathAt(from), hunkStart, hunkEnd });
      }
      if (isKept) routes.push({ path, parts });
    }
  if (bytes.isPast) return null;
  const hunks = new Int32Array(hunkEnd);
  // Behind the last hunks that are kept there is nothing to read, unless more follows than hunks.
  const pieceEnd = (has & (COMMIT_BITS.carried | COMMIT_BITS.share)) === 0 ? keptPieces : pieces.length;
  for (let i = 0; i < pieceEnd; i += 3) {
    const [start, count, uneven] = [pieces[i]!, pieces[i + 1]!, pieces[i + 2]!];
    if (start === ABSENT) bytes.skipNumbers((3 + uneven) * count);
    else readHunks(bytes, hunks, start, count, uneven === 1);
  }
  const carried =
    (has & COMMIT_BITS.carried) === 0 ? NOTHING_CARRIED : readCarried(bytes, pathAt, (file) => places[file] ?? ABSENT);
  const share = (has & COMMIT_BITS.share) === 0 ? 0 : bytes.number();
  const isIgnored = (has & COMMIT_BITS.ignored) !== 0;
  return bytes.isPast ? null : { files, routes, hunks, carried, share, isIgnored, parents };
}

function isFileAsked(count: number, known: KnownPaths, paths: Paths): boolean {
  for (let i = 0; i < count; i++) {
    const number = fileNumbers[i * FILE_NUMBERS + 1]!;
    if (number !== ABSENT && paths.has(known[number] ?? '')) return true;
  }
  return false;
}

const PART_NUMBERS = 3;

/** Reads on until one is found, or past all of them. */
function isRouteAsked(bytes: ByteReader, known: KnownPaths, paths: Paths): boolean {
  for (let left = bytes.number(); left > 0 && !bytes.isPast; left--) {
    if (paths.has(known[bytes.number()] ?? '')) return true;
    bytes.skipNumbers(PART_NUMBERS * bytes.number());
  }
  return false;
}

/** Answers whether one of the files has another name or a limit. */
function readFileNumbers(bytes: ByteReader, count: number): boolean {
  let needsAll = false;
  for (let i = 0; i < count && !bytes.isPast; i++) {
    const at = i * FILE_NUMBERS;
    if (at + FILE_NUMBERS > fileNumbers.length) {
      const larger = new Int32Array(2 * fileNumbers.length);
      larger.set(fileNumbers);
      fileNumbers = larger;
    }
    const bits = bytes.number();
    const isRenamed = FILE_STATUSES[bits & STATUS_MASK] === 'renamed';
    const isLimited = (bits & FILE_BITS.limited) !== 0;
    needsAll ||= isRenamed || isLimited;
    fileNumbers[at] = bits;
    fileNumbers[at + 1] = (bits & FILE_BITS.new) === 0 ? ABSENT : bytes.number();
    fileNumbers[at + 2] = (bits & FILE_BITS.old) === 0 ? ABSENT : bytes.number();
    fileNumbers[at + 3] = isRenamed ? bytes.number() : 100;
    fileNumbers[at + 4] = isLimited ? bytes.number() : ABSENT;
    fileNumbers[at + 5] = bytes.number();
  }
  return needsAll;
}
