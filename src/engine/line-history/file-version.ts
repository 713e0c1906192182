// A file as one commit has it.
import type { Commit } from '../objects/commit-object.ts';

export interface FileVersion {
  readonly commit: Commit;
  /** Bytes as latin1 text. */
  readonly path: string;
  readonly blob: string;
}
