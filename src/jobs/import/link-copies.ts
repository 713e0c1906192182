// Finds which commits of a repo repeat others, whenever they were imported, by what is stored of them: an import that was
// cut off and went on then decides by the same evidence as one that was not.
import { directAgents } from '../../derive/reviews/direct-agents.ts';
import { type CopyLinker, createCopyLinker } from '../../engine/copies/copy-linker.ts';
import type { CopyCandidate, CopyVerdict } from '../../engine/copies/linked-commit.ts';
import { COPY_WORDS } from '../../engine/copies/message-links.ts';
import { MinHashes } from '../../engine/copies/min-hash.ts';
import type { PossibleSquashes } from '../../engine/copies/possible-squashes.ts';
import { type RepoKey, storeCopyLinks } from '../../storage/commits/commit-changes.ts';
import {
  type CandidateScope,
  listNamingCommits,
  readCopyCandidates,
  readDefaultBranch,
  readLinesOfDefaultBranch,
  type StoredCandidate,
} from '../../storage/commits/copy-candidates.ts';
import type { ReadingSession, Session } from '../../storage/database/session.ts';
import { type LandedCommit, landCommits } from '../../storage/reviews/landed-commits.ts';
import { deriveEvidence } from '../ai/derive-evidence.ts';

/** `released`: full shas that releases lead to. */
export async function linkCopies(session: Session, target: RepoKey, released: readonly string[]): Promise<void> {
  const { db } = session;
  const landed = await landCommits(db, target);
  await storeCopyLinks(db, target, await findCopies(session, target, { landed, released }));
  // New facts name an agent as the author where a pull request says who directed it.
  await directAgents(db, target);
  await deriveEvidence(db, target.entityId, { repoId: target.repoId }, new Date());
}

interface LinkInput {
  readonly landed: readonly LandedCommit[];
  readonly released: readonly string[];
}

/** What changes of the stored verdicts. Most commits of the default branch are looked at only (default-branch.ts). */
export async function findCopies(
  session: ReadingSession,
  target: RepoKey,
  input: LinkInput,
): Promise<readonly CopyVerdict[]> {
  const { linker, toCandidate } = createLinker(input);
  let hasOthers = false;
  const add = (candidate: CopyCandidate): void => {
    if (!candidate.isOnDefaultBranch) hasOthers = true;
    linker.add(candidate);
  };
  const read = (scope: CandidateScope, message: 'whole' | 'subject', add: (candidate: CopyCandidate) => void) =>
    readCopyCandidates(session, target, { ...scope, message }, (commit) => add(toCandidate(commit)));
  const naming = await listNamingCommits(session.db, target, COPY_WORDS);
  await read({ ids: naming }, 'whole', add);
  await read({ offDefaultBranchBut: naming }, 'subject', add);
  const onDefault = await readDefaultBranch(session, target, { hasOthers });
  if (onDefault !== null) {
    const known = new Set(naming);
    const tied = linker.lookAtDefaultBranch(onDefault).filter((id) => !known.has(id));
    await read({ ids: tied }, 'subject', add);
  }
  const squashes = linker.settleAllButSquashes();
  if (squashes !== null)
    await read({ ids: await listPossible(session, target, squashes) }, 'subject', linker.addPossibleSquash);
  return linker.resolve();
}

/** Commits of the default branch that may be squashes. */
async function listPossible(
  session: ReadingSession,
  target: RepoKey,
  squashes: PossibleSquashes,
): Promise<readonly number[]> {
  await readLinesOfDefaultBranch(session, target, (ids, minHashes, ends) => {
    for (let i = 0; i < ids.length; i++) squashes.note(ids[i]!, minHashes, i === 0 ? 0 : ends[i - 1]!, ends[i]!);
  });
  return squashes.list();
}

interface StoredLinker {
  readonly linker: CopyLinker;
  toCandidate(commit: StoredCandidate): CopyCandidate;
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
  const toCandidate = (commit: StoredCandidate): CopyCandidate => ({
    sha: commit.sha,
    parents: commit.parents,
    isOnDefaultBranch: commit.on_default_branch,
    author: commit.author_key,
    coAuthors: commit.co_author_keys,
    authoredAt: commit.authored_at,
    committedAt: commit.committed_at,
    message: commit.message,
    isRevert: commit.is_revert,
    patchId: commit.patch_id,
    minHash: commit.min_hash === null ? NO_LINES : minHashes.add(commit.min_hash),
    known: { sha: commit.sha, not_counted: copyReason(commit.not_counted), derived_from: commit.derived_from },
  });
  return { linker, toCandidate };
}

const NO_LINES = { hashes: new Uint32Array(0), lineCount: 0 };

const COPY_REASONS = ['merge', 'rebase_copy', 'cherry_pick_copy', 'squash_source'] as const;
const copyReason = (reason: string | null): CopyVerdict['not_counted'] =>
  COPY_REASONS.find((copy) => copy === reason) ?? null;
