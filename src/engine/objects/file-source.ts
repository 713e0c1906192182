// Whole files of a size that people write, from packs where they are and from git where not.
import { setImmediate } from 'node:timers/promises';
import type { BlobComparer } from '../diff/blob-comparer.ts';
import type { GitRepository } from '../git/run-git.ts';
import { MOST_FILE_BYTES } from '../kernel-contract.ts';
import { stopIfEnding } from '../thread-end.ts';
import { createObjectReader, type ObjectReader, ObjectUnreadable } from './object-reader.ts';

const READ_AT_ONCE = 128;

export interface FileSource {
  /** Packs; null without any. */
  readonly blobs: BlobComparer | null;
  /** What is not in a pack. */
  readonly objects: ObjectReader;
}

/** Git reads by one process. Its `objects` are to be closed. */
export function createFileSource(repository: GitRepository, blobs: BlobComparer | null): FileSource {
  return { blobs, objects: createObjectReader(repository, { maxObjectBytes: MOST_FILE_BYTES }) };
}

/**
 * What `look` makes of each file, in the order requested; null for one that is too large or cannot be read. The bytes are
 * the file's only while it looks.
 */
export async function lookIntoFiles<T>(
  source: FileSource,
  blobs: readonly string[],
  look: (bytes: Buffer) => T,
): Promise<(T | null)[]> {
  const found: (T | null)[] = [];
  for (let from = 0; from < blobs.length; from += READ_AT_ONCE) {
    stopIfEnding();
    const group = blobs.slice(from, from + READ_AT_ONCE);
    found.push(...(await Promise.all(group.map((blob) => lookIntoFile(source, blob, look)))));
    // Files of packs are read without waiting for anything: others have their turn here.
    await setImmediate();
  }
  return found;
}

async function lookIntoFile<T>(
  { blobs, objects }: FileSource,
  blob: string,
  look: (bytes: Buffer) => T,
): Promise<T | null> {
  const made = (bytes: Buffer) => ({ made: bytes.length > MOST_FILE_BYTES ? null : look(bytes) });
  const packed = blobs?.look(blob, made) ?? null;
  if (packed !== null) return packed.made;
  if (blobs?.isAway(blob)) return null;
  try {
    const { type, bytes } = await objects.read(blob);
    return type === 'blob' ? look(bytes) : null;
  } catch (error) {
    if (error instanceof ObjectUnreadable) return null;
    throw error;
  }
}
