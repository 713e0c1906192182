// Finds which commits of a repo repeat others, whenever they were imported, by what is stored of them: an import that was
// cut off and went on then decides by the same evidence as one that was not.
import { directAgents } from '../../derive/reviews/direct-agents.ts';
import { type CopyLinker, createCopyLinker } from '../../engine/copies/copy-linker.ts';
import type { CopyVerdict } from '../../engine/copies/linked-commit.ts';
import { COPY_WORDS, readCopySources } from '../../engine/copies/message-links.ts';
import { MinHashes } from '../../engine/copies/min-hash.ts';
import { type RepoKey, storeCopyLinks } from '../../storage/commits/commit-changes.ts';
import {
  hasOneBranch,
  readCopyCandidates,
  readNamedCandidates,
  readOneBranchCandidates,
  type StoredCandidate,
} from '../../storage/commits/copy-candidates.ts';
import type { ReadingSession, Session } from '../../storage/database/session.ts';
import { type LandedCommit, landCommits } from '../../storage/reviews/landed-commits.ts';
import { deriveEvidence } from '../ai/derive-evidence.ts';

/** `released`: full shas that releases lead to. */
export async function linkCopies(session: Session, target: RepoKey, released: readonly string[]): Promise<void> {
  const { db } = session;
  const landed = await landCommits(db, target);
  const input = { landed, released };
  const isOneBranch = await hasOneBranch(db, target);
  await storeCopyLinks(db, target, await (isOneBranch ? linkOneBranch : linkBranches)(session, target, input));
  // New facts name an agent as the author where a pull request says who directed it.
  await directAgents(db, target);
  await deriveEvidence(db, target.entityId, { repoId: target.repoId }, new Date());
}

interface LinkInput {
  readonly landed: readonly LandedCommit[];
  readonly released: readonly string[];
}

/** What changes of the stored verdicts, among all commits. */
export async function linkBranches(
  session: ReadingSession,
  target: RepoKey,
  input: LinkInput,
): Promise<readonly CopyVerdict[]> {
  const { add, linker } = createLinker(input);
  await readCopyCandidates(session, target, add);
  return linker.resolve();
}

/**
 * The same for a repo all of whose commits are on the default branch. Two such commits are one piece of work only if a
 * host or a message says so, or if patch, author and time agree: the lines of the other commits are not looked at.
 */
export async function linkOneBranch(
  session: ReadingSession,
  target: RepoKey,
  input: LinkInput,
): Promise<readonly CopyVerdict[]> {
  const { add, linker } = createLinker(input);
  const shas = input.landed.flatMap(({ sha, derived_from }) => [sha, derived_from]);
  const candidates = await readOneBranchCandidates(session, target, { words: COPY_WORDS, shas });
  const names = new Set(candidates.flatMap(({ message }) => readCopySources(message)));
  candidates.forEach(add);
  (await readNamedCandidates(session.db, target, [...names])).forEach(add);
  return linker.resolve();
}

interface StoredLinker {
  readonly linker: CopyLinker;
  add(commit: StoredCandidate): void;
}

function createLinker({ landed, released }: LinkInput): StoredLinker {
  const minHashes = new MinHashes();
  const linker = createCopyLinker({
    released,
    landed: landed.map(({ sha, derived_from, not_counted }) => ({
      source: sha,
      landing: derived_from,
      why: not_counted,
    })),
  });
  const add = (commit: StoredCandidate): void => {
    linker.add({
      sha: commit.sha,
      parents: commit.parents,
      isOnDefaultBranch: commit.on_default_branch,
      author: commit.author_key,
      coAuthors: commit.co_author_keys,
      authoredAt: commit.authored_at,
      committedAt: commit.committed_at,
      message: commit.message,
      patchId: commit.patch_id,
      minHash: commit.min_hash === null ? NO_LINES : minHashes.add(commit.min_hash),
      known: { sha: commit.sha, not_counted: copyReason(commit.not_counted), derived_from: commit.derived_from },
    });
  };
  return { linker, add };
}

const NO_LINES = { hashes: new Uint32Array(0), lineCount: 0 };

const COPY_REASONS = ['merge', 'rebase_copy', 'cherry_pick_copy', 'squash_source'] as const;
const copyReason = (reason: string | null): CopyVerdict['not_counted'] =>
  COPY_REASONS.find((copy) => copy === reason) ?? null;
