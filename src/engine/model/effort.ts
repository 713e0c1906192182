// What the reading of a history took, counted by each thread for itself and added up at the end: for those who look for
// where the time goes.

export interface Effort {
  gitProcesses: number;
  /** Merges looked at, and those with files that differ from every parent's: only these are compared. */
  merges: number;
  mergesCompared: number;
  /** Files in which a merge differs from its first parent: those that its commits lead back to, and those read whole. */
  treeFilesReached: number;
  treeFilesRead: number;
  /** Versions of files requested of packs, those of them that were still held, and the entries unpacked for the others. */
  versions: number;
  versionsHeld: number;
  entriesUnpacked: number;
  /** Calls of the system that read from packs. */
  packReads: number;
  /** Commits of earlier walks that questions about lines reached: those that were read, and those whose trail was known. */
  olderRead: number;
  olderFollowed: number;
}

const nothing = (): Effort => ({
  gitProcesses: 0,
  merges: 0,
  mergesCompared: 0,
  treeFilesReached: 0,
  treeFilesRead: 0,
  versions: 0,
  versionsHeld: 0,
  entriesUnpacked: 0,
  packReads: 0,
  olderRead: 0,
  olderFollowed: 0,
});

/** Of this thread. */
export const effort: Effort = nothing();

/** What was counted since the last call. */
export function takeEffort(): Effort {
  const taken = { ...effort };
  Object.assign(effort, nothing());
  return taken;
}

export function addEffort(to: Effort, more: Effort): void {
  for (const key of Object.keys(more) as (keyof Effort)[]) to[key] += more[key];
}
