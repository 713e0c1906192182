// The branches of a repository that count, and those that are left out with the reason. An orphan shares no commit
// with the default branch: published pages, checkpoints of agents, status boards.
import { existsSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createBranchRule, type LeftOutReason } from '../../domain/repos/branch-patterns.ts';
import type { Branches } from './list-commits.ts';
import { countCommits, listShas } from './list-shas.ts';
import { type GitRepository, orElse, readGit } from './run-git.ts';

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

export type FindOrphans = (
  repository: GitRepository,
  head: string,
  heads: ReadonlySet<string>,
) => Promise<ReadonlySet<string>>;

/** Heads that share no commit with the default branch. In a shallow clone what they share may have been cut off. */
export const findOrphans: FindOrphans = async (repository, head, heads) => {
  const others = [...heads].filter((sha) => sha !== head);
  if (others.length === 0 || isShallow(repository)) return new Set();
  const { shas, children } = await listShas(repository, others, [head]);
  const apart = new Set(shas);
  // What is reached from the commits of the default branch shares them.
  const joined = reachedFrom(
    [...children.keys()].filter((parent) => !apart.has(parent)),
    children,
  );
  return new Set(others.filter((sha) => apart.has(sha) && !joined.has(sha)));
};

/** These commits, and all that build upon them. */
function reachedFrom(shas: Iterable<string>, children: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const reached = new Set(shas);
  for (const sha of reached) for (const child of children.get(sha) ?? []) reached.add(child);
  return reached;
}

/**
 * Those of the heads that build upon a commit that shares some with the default branch, as far as that shows without a walk
 * through what such commits and orphans lead to: they share the same ones.
 */
async function listGrown(
  repository: GitRepository,
  heads: readonly string[],
  { joined, orphans }: { readonly joined: ReadonlySet<string>; readonly orphans: readonly string[] },
): Promise<string[]> {
  if (heads.length === 0) return [];
  const { children } = await listShas(repository, heads, [...joined, ...orphans]);
  const reached = reachedFrom(joined, children);
  return heads.filter((sha) => reached.has(sha));
}

const isShallow = ({ gitDir }: GitRepository): boolean => existsSync(join(gitDir, 'shallow'));

/** In a mirror: what was found last. */
const MEMORY = 'strata-orphans';

interface Remembered {
  /** Of the default branch. */
  readonly head: string;
  /** Heads that share commits with it. */
  readonly joined: readonly string[];
  readonly orphans: readonly string[];
}

/**
 * The same in a mirror, which remembers it. While the default branch only grows, what shared commits with it still does, and
 * so does what builds upon that: git walks the commits of other heads that are new, and of those that shared none.
 */
export const findOrphansOnce: FindOrphans = async (repository, head, heads) => {
  if (heads.size < 2 || isShallow(repository)) return findOrphans(repository, head, heads);
  const file = join(repository.gitDir, MEMORY);
  const before = readRemembered(await readFile(file, 'utf8').catch(() => ''));
  const holds = before !== null && (before.head === head || (await isAncestor(repository, before.head, head)));
  const joined = new Set(holds ? before.joined : []);
  const known = holds && before.head === head ? new Set([...joined, ...before.orphans]) : joined;
  const others = [...heads].filter((sha) => sha !== head);
  const unknown = others.filter((sha) => !known.has(sha));
  if (holds) {
    const remembered = { joined: new Set([...joined, head]), orphans: before.orphans };
    for (const sha of await listGrown(repository, unknown, remembered)) joined.add(sha);
  }
  const asked = new Set(unknown.filter((sha) => !joined.has(sha)));
  const apart = asked.size === 0 ? new Set<string>() : await findOrphans(repository, head, asked);
  const isOrphan = (sha: string) => (asked.has(sha) ? apart.has(sha) : !joined.has(sha));
  const orphans = others.filter(isOrphan);
  if (holds && before.head === head && unknown.length === 0) return new Set(orphans);
  const found: Remembered = { head, joined: others.filter((sha) => !isOrphan(sha)), orphans };
  // Without it the next import walks again.
  await writeFile(`${file}.new`, JSON.stringify(found))
    .then(() => rename(`${file}.new`, file))
    .catch(() => {});
  return new Set(orphans);
};

/** Null for what is none of it, such as what an earlier version kept. */
function readRemembered(text: string): Remembered | null {
  const isShas = (value: unknown): value is string[] =>
    Array.isArray(value) && value.every((sha) => typeof sha === 'string');
  try {
    const { head, joined, orphans } = JSON.parse(text) as Record<string, unknown>;
    return typeof head === 'string' && isShas(joined) && isShas(orphans) ? { head, joined, orphans } : null;
  } catch {
    return null;
  }
}

/** False also where git cannot tell. */
const isAncestor = (repository: GitRepository, older: string, newer: string): Promise<boolean> =>
  readGit(repository, ['merge-base', '--is-ancestor', older, newer]).then(() => true, orElse(false));
