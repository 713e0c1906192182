// Keeps the trails of commits while they are read.
import type { Batch, ChunkCommit } from '../model/commit-record.ts';
import { isLasting, trailOf, writeTrail } from './commit-trail.ts';
import { pathIn, type TrailPlace, unlessRefused } from './place.ts';
import { SectionWriter } from './trail-section.ts';

/** Writes the trails of what one thread reads. What is written is good, whatever ends the thread. */
export class TrailWriter {
  /** Null once it could not be written. */
  #section: SectionWriter | null;
  readonly #ignoredRevisions: ReadonlySet<string>;

  constructor(place: TrailPlace, thread: number) {
    this.#ignoredRevisions = place.ignoredRevisions;
    this.#section = new SectionWriter(pathIn(place, thread), place.keys);
  }

  /** Commits of which all was read. */
  add({ commits, hunks }: Batch, commitAt: (index: number) => Pick<ChunkCommit, 'sha' | 'parents'>): void {
    this.#attempt((section) => {
      for (const record of commits) {
        if (!isLasting(record)) continue;
        const { sha, parents } = commitAt(record.index);
        const isIgnored = this.#ignoredRevisions.has(sha);
        const trail = trailOf(record, hunks, { isIgnored, parents: parents.length });
        section.add(sha, (out) => writeTrail(out, trail, section));
      }
    });
  }

  flush(): void {
    this.#attempt((section) => section.flush());
  }

  close(): void {
    this.flush();
    this.#section?.close();
    this.#section = null;
  }

  #attempt(write: (section: SectionWriter) => void): void {
    const section = this.#section;
    if (section === null) return;
    const isWritten = unlessRefused(() => {
      write(section);
      return true;
    }, false);
    if (isWritten) return;
    section.close();
    this.#section = null;
  }
}
