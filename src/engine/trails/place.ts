// Where walks keep what later ones can use: a folder in the mirror. It is a memory, not a record: whatever is missing there
// is asked of git.
import { join } from 'node:path';

/** Of a mirror. */
export const trailsFolder = (gitDir: string): string => join(gitDir, 'strata-trails');

/** How the names of files of trails end. */
export const TRAILS_ENDING = '.trails';
export const LISTING_NAME = 'commits.listing';

/** A full disk, or a folder that may not be written, costs the memory and nothing else. */
export function unlessRefused<T>(attempt: () => T, instead: T): T {
  try {
    return attempt();
  } catch (error) {
    if (typeof (error as NodeJS.ErrnoException).syscall !== 'string') throw error;
    return instead;
  }
}
