// The trails of a repository's commits: a folder of files, one for each thread that has read some. They are a memory, not a
// record: a commit without a trail is read from git.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { AttributesFile } from '../categories/git-attributes.ts';
import type { CustomPathRule } from '../categories/judge-file.ts';
import type { DiffLimits } from '../diff/streamed-commit.ts';
import { FORMULA_VERSION } from '../judge/score-table.ts';
import type { Batch } from '../model/commit-record.ts';
import { type CommitTrail, isLasting, type Paths, readTrail, touches, trailOf, writeTrail } from './commit-trail.ts';
import { LISTING_NAME, TRAILS_ENDING, unlessRefused } from './place.ts';
import { TrailFile, TrailFileWriter, type TrailKeys } from './trail-file.ts';

const DIGITS = 8;
/** More files are joined to one: each takes a look, and most hold the commits of a day. */
const MOST_FILES = 16;

/** Where the trails of a walk go. Passed to its threads. */
export interface TrailPlace {
  readonly folder: string;
  /** Later walks have larger ones. */
  readonly number: number;
  readonly keys: TrailKeys;
  /** Full shas of the revisions to ignore. */
  readonly ignoredRevisions: ReadonlySet<string>;
}

export interface TrailRules {
  readonly ignoredRevisions: ReadonlySet<string>;
  readonly limits: DiffLimits;
  readonly pathRules: readonly CustomPathRule[];
  readonly attributes: readonly AttributesFile[];
}

/** The place for the trails of a walk, of which there is one at a time; null where none can be kept. */
export function prepareTrails(folder: string, rules: TrailRules): TrailPlace | null {
  return unlessRefused(() => prepare(folder, rules), null);
}

function prepare(folder: string, { limits, pathRules, attributes, ignoredRevisions }: TrailRules): TrailPlace {
  mkdirSync(folder, { recursive: true });
  let number = 0;
  for (const name of readdirSync(folder)) {
    // Of a walk that was cut off.
    if (!name.endsWith(TRAILS_ENDING) && name !== LISTING_NAME)
      rmSync(join(folder, name), { recursive: true, force: true });
    number = Math.max(number, Number.parseInt(name, 10) || 0);
  }
  const judged = [JSON.stringify([FORMULA_VERSION, pathRules])];
  const files = attributes.flatMap(({ path, content }) => [`\0${path}\0${content.length}\0`, content]);
  const keys = { compared: digest([JSON.stringify(limits)]), judged: digest([...judged, ...files]) };
  return { folder, number: number + 1, keys, ignoredRevisions };
}

function digest(parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
}

/** `part` tells the files of one walk from one another. */
const pathIn = ({ folder, number }: TrailPlace, part: number): string =>
  join(folder, `${String(number).padStart(DIGITS, '0')}-${part}${TRAILS_ENDING}`);

/** Writes the trails of what one thread reads. */
export class TrailWriter {
  /** Null once it could not be written. */
  #file: TrailFileWriter | null;
  readonly #ignoredRevisions: ReadonlySet<string>;

  constructor(place: TrailPlace, thread: number) {
    this.#ignoredRevisions = place.ignoredRevisions;
    this.#file = new TrailFileWriter(pathIn(place, thread), place.keys);
  }

  add({ commits, hunks }: Batch, shaOf: (index: number) => string): void {
    this.#attempt((file) => {
      for (const record of commits) {
        if (!isLasting(record)) continue;
        const sha = shaOf(record.index);
        const trail = trailOf(record, hunks, this.#ignoredRevisions.has(sha));
        file.add(sha, (out) => writeTrail(out, trail, file));
      }
    });
  }

  finish(): void {
    this.#attempt((file) => file.finish());
  }

  #attempt(write: (file: TrailFileWriter) => void): void {
    const file = this.#file;
    if (file === null) return;
    const isWritten = unlessRefused(() => {
      write(file);
      return true;
    }, false);
    if (isWritten) return;
    this.#file = null;
    unlessRefused(() => file.drop(), undefined);
  }
}

/** What is known of a commit: nothing, that it touches none of the paths, or its trail. */
export type Looked = FoundTrail | 'untouched' | null;

interface FoundTrail {
  readonly trail: CommitTrail;
  /** Whether lines were judged then as they are now. */
  readonly tellsWhatMoved: boolean;
}

export class Trails {
  readonly #place: TrailPlace;
  /** The newest first. */
  readonly #files: readonly TrailFile[];

  constructor(place: TrailPlace) {
    this.#place = place;
    this.#files = unlessRefused(() => openAll(place), []);
  }

  look(sha: string, paths: Paths): Looked {
    const id = Buffer.from(sha, 'hex');
    for (const file of this.#files) {
      const bytes = file.find(id);
      if (bytes === null) continue;
      const { at } = bytes;
      if (!touches(bytes, file.pathAt, paths)) return bytes.isPast ? null : 'untouched';
      bytes.at = at;
      const trail = readTrail(bytes, file.pathAt);
      if (trail === null) return null;
      const { keys, ignoredRevisions } = this.#place;
      const tellsWhatMoved = file.keys.judged === keys.judged && trail.isIgnored === ignoredRevisions.has(sha);
      return { trail, tellsWhatMoved };
    }
    return null;
  }

  close(): void {
    for (const file of this.#files) file.close();
  }
}

function openAll({ folder, keys }: TrailPlace): TrailFile[] {
  const files: TrailFile[] = [];
  for (const name of readdirSync(folder).sort().reverse()) {
    if (!name.endsWith(TRAILS_ENDING)) continue;
    const path = join(folder, name);
    const file = TrailFile.open(path);
    if (file?.keys.compared === keys.compared) files.push(file);
    else {
      file?.close();
      rmSync(path, { force: true });
    }
  }
  return files;
}

/** Joins files once there are many; to be called when none is being written. */
export function joinTrails(place: TrailPlace): void {
  unlessRefused(() => joinFiles(place), undefined);
}

function joinFiles(place: TrailPlace): void {
  if (readdirSync(place.folder).length <= MOST_FILES) return;
  const files = openAll(place);
  const joined = { ...place, number: place.number + 1 };
  const written = new Set<string>();
  // What moved is known again as soon as lines are judged as they were.
  const keys = [...new Set(files.map(({ keys: { judged } }) => judged))];
  const writers = new Map(
    keys.map((judged, part) => [judged, new TrailFileWriter(pathIn(joined, part), { ...place.keys, judged })]),
  );
  try {
    for (const file of files) {
      const writer = writers.get(file.keys.judged)!;
      for (const { sha, bytes } of file.all()) {
        const trail = written.has(sha) ? null : readTrail(bytes, file.pathAt);
        if (trail === null) continue;
        written.add(sha);
        writer.add(sha, (out) => writeTrail(out, trail, writer));
      }
    }
    for (const writer of writers.values()) writer.finish();
    for (const { path } of files) rmSync(path, { force: true });
  } finally {
    for (const writer of writers.values()) writer.drop();
    for (const file of files) file.close();
  }
}
