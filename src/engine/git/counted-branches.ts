// The branches of a repository that count, and those that are left out with the reason.
import { createBranchRule, type LeftOutReason } from '../../domain/repos/branch-patterns.ts';
import type { Branches } from './list-commits.ts';
import { countCommits } from './list-shas.ts';
import { type FindOrphans, findOrphans } from './orphans.ts';
import type { GitRepository } from './run-git.ts';

export interface LeftOutBranch {
  readonly name: string;
  readonly reason: LeftOutReason;
  /** Commits that no counted branch leads to. */
  readonly commit_count: number;
}

export interface CountedBranches {
  /** Of the branches that count. */
  readonly tips: ReadonlyMap<string, string>;
  /** By name. */
  readonly leftOut: readonly LeftOutBranch[];
}

/** Of more branches than this the commits are not counted one by one. */
const MOST_COUNTED = 100;

export async function chooseBranches(
  repository: GitRepository,
  { defaultBranch, head, tips }: Branches,
  patterns: readonly string[] = [],
  find: FindOrphans = findOrphans,
): Promise<CountedBranches> {
  const orphans = head === null ? new Set<string>() : await find(repository, head, new Set(tips.values()));
  const rule = createBranchRule(patterns);
  const counted = new Map<string, string>();
  const leftOut: { name: string; sha: string; reason: LeftOutReason }[] = [];
  for (const [name, sha] of tips) {
    const reason = rule.judge({ name, isDefault: name === defaultBranch, isOrphan: orphans.has(sha) });
    if (reason === null) counted.set(name, sha);
    else leftOut.push({ name, sha, reason });
  }
  leftOut.sort((a, b) => (a.name < b.name ? -1 : 1));
  const known = [...new Set(head === null ? counted.values() : [head, ...counted.values()])];
  const named: LeftOutBranch[] = [];
  for (const [index, { name, sha, reason }] of leftOut.entries()) {
    const commit_count = index < MOST_COUNTED ? await countCommits(repository, [sha], known, null) : 0;
    named.push({ name, reason, commit_count });
  }
  return { tips: counted, leftOut: named };
}
