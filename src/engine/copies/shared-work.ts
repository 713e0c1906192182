// Commits that are one piece of work by what they share: the patch, or author and time, or the title, and most of their lines.
import type { BranchGraph } from './branch-graph.ts';
import { COPY_RULES, type Linked, link } from './linked-commit.ts';
import { readTitle } from './message-links.ts';
import { overlap } from './min-hash.ts';

/** `work` is in order of precedence, so the first commit of a kind is the one that counts. */
export function linkEqualPatches(work: readonly Linked[], graph: BranchGraph): void {
  const bySignature = new Map<string, Linked>();
  const meet = (signature: string, commit: Linked, mayBothBeOnDefault: boolean): boolean => {
    const first = bySignature.get(signature);
    if (first === undefined) {
      bySignature.set(signature, commit);
      return false;
    }
    if (!mayBothBeOnDefault && first.isOnDefaultBranch && commit.isOnDefaultBranch) return false;
    // Done again on top of the first: something undid it in between.
    if (!mayBothBeOnDefault && (graph.contains(commit, first) || graph.contains(first, commit))) return false;
    if (commit.of === null) link(first, commit, 'equal_patch', mayBothBeOnDefault);
    return true;
  };
  const isRepeated = findRepeated(work, (commit) => commit.patchId);
  for (const commit of work) {
    const { patchId } = commit;
    if (patchId === null || !isRepeated.has(patchId)) continue;
    const lines = commit.minHash.lineCount;
    if (meet(`when ${patchId} ${commit.authoredAt} ${commit.author}`, commit, true)) continue;
    // Undoing an undoing brings the first patch back: new work, not a copy of it.
    const patch = commit.isRevert ? `${patchId} undone` : patchId;
    const subjectKey = `what ${patch} ${commit.author} ${commit.subject}`;
    if (lines >= COPY_RULES.equalPatchSameSubjectLines && meet(subjectKey, commit, false)) continue;
    if (lines >= COPY_RULES.equalPatchLines) meet(`patch ${patch}`, commit, false);
  }
}

/** What several commits share: that is little, and only those commits need a closer look. */
function findRepeated<T>(work: readonly Linked[], read: (commit: Linked) => T | null): ReadonlySet<T> {
  const seen = new Set<T>();
  const repeated = new Set<T>();
  for (const commit of work) {
    const value = read(commit);
    if (value === null) continue;
    if (seen.has(value)) repeated.add(value);
    else seen.add(value);
  }
  return repeated;
}

/** Author, second and subject agree but the patch does not: the conflict was resolved on the way. */
export function linkRebases(work: readonly Linked[]): void {
  const first = new Map<string, Linked>();
  const isShared = findRepeated(work, ({ authoredAt }) => authoredAt);
  for (const commit of work) {
    if (commit.subject === '' || !isShared.has(commit.authoredAt)) continue;
    const key = `${commit.authoredAt} ${commit.author} ${commit.subject}`;
    const original = first.get(key);
    if (original === undefined) {
      first.set(key, commit);
      continue;
    }
    if (commit.of !== null || (original.isOnDefaultBranch && commit.isOnDefaultBranch)) continue;
    const [small, large] =
      commit.minHash.lineCount <= original.minHash.lineCount ? [commit, original] : [original, commit];
    const { compared, found } = overlap(small.minHash, large.minHash);
    if (compared > 0 && found / compared >= COPY_RULES.rebaseOverlap) link(original, commit, 'rebase_copy');
  }
}

/** The title agrees but for a branch tag and the number of the second pull request: "[4.x] Fix it (#1) (#2)". */
export function linkBackports(work: readonly Linked[]): void {
  const open = new Map<Linked, string>();
  for (const commit of work) {
    if (commit.isOnDefaultBranch || commit.of !== null) continue;
    const title = readTitle(commit.subject);
    if (title.length >= COPY_RULES.backportTitleLength) open.set(commit, title);
  }
  const originals = new Map<string, Linked[]>(Array.from(open.values(), (title) => [title, []]));
  for (const commit of work) {
    if (!commit.isOnDefaultBranch) continue;
    const same = originals.get(readTitle(commit.subject));
    // A title that is used over and over tells nothing.
    if (same !== undefined && same.length < COPY_RULES.commonLineCommits) same.push(commit);
  }
  for (const [commit, title] of open) {
    for (const original of originals.get(title)!) {
      const [small, large] =
        commit.minHash.lineCount <= original.minHash.lineCount ? [commit, original] : [original, commit];
      const { compared, found } = overlap(small.minHash, large.minHash);
      if (compared < COPY_RULES.backportLines || found / compared < COPY_RULES.backportOverlap) continue;
      link(original, commit, 'cherry_pick_copy');
      break;
    }
  }
}
