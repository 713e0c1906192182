// Where walks keep what later ones can use: a folder in the mirror. It is a memory, not a record: whatever is missing there
// is asked of git.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { FORMULA_VERSION } from '../../domain/commits/current-derivation.ts';
import type { AttributesFile } from '../categories/git-attributes.ts';
import type { CustomPathRule } from '../categories/judge-file.ts';
import type { DiffLimits } from '../diff/streamed-commit.ts';
import type { TrailKeys } from './trail-section.ts';

/** Of a mirror. */
export const trailsFolder = (gitDir: string): string => join(gitDir, 'strata-trails');

/** How the names of files of trails end. */
const TRAILS_ENDING = '.trails';
export const LISTING_NAME = 'commits.listing';
export const LINES_NAME = 'tree.lines';
/** Of which there is one each. */
const SINGLE: ReadonlySet<string> = new Set([LISTING_NAME, LINES_NAME]);

/** A full disk, or a folder that may not be written, costs the memory and nothing else. */
export function unlessRefused<T>(attempt: () => T, instead: T): T {
  try {
    return attempt();
  } catch (error) {
    if (typeof (error as NodeJS.ErrnoException).syscall !== 'string') throw error;
    return instead;
  }
}

const DIGITS = 8;

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
    if (!name.endsWith(TRAILS_ENDING) && !SINGLE.has(name))
      rmSync(join(folder, name), { recursive: true, force: true });
    number = Math.max(number, numberOf(name));
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
export const pathIn = ({ folder, number }: TrailPlace, part: number): string =>
  join(folder, `${String(number).padStart(DIGITS, '0')}-${part}${TRAILS_ENDING}`);

export const numberOf = (name: string): number => Number.parseInt(name, 10) || 0;

export const listFiles = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith(TRAILS_ENDING))
    .sort();
