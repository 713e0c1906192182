// Bare copies of repos on this machine, for operations that read git objects. compose.ts provides them.
import type { RepoPath } from './source.ts';

export interface MirroredRepo {
  readonly entityId: number;
  readonly importId: number;
  readonly path: RepoPath;
}

export interface RepoMirrors {
  /** What a git that reads a copy needs of the process's environment. */
  readonly environment: Readonly<Record<string, string>>;
  /**
   * The folder of the copy: the one that imports on this machine keep, else one of its own, which is fetched
   * when it is not there yet. Throws a RepoAccessError.
   */
  locate(repo: MirroredRepo): Promise<string>;
  /** Fetches what is new, where no import on this machine does so. False when nothing was done. */
  refresh(repo: MirroredRepo): Promise<boolean>;
}
