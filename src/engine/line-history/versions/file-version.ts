// One version of a file that a line is followed through.
import type { Commit } from '../../objects/commit-object.ts';

export interface FileVersion {
  readonly commit: Commit;
  /** Bytes as latin1 text. */
  readonly path: string;
  readonly blob: string;
}
