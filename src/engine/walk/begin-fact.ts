// What is known of a commit as soon as it has been read: its facts without files and flows, which questions and the tree
// complete, and what could not be read of it.

import { exactRecords, recordsToEvidence } from '../evidence/line-evidence.ts';
import type { CommitRecords } from '../evidence/line-records.ts';
import type { ListedCommit } from '../git/list-commits.ts';
import type { CommitRecord } from '../model/commit-record.ts';
import type { CommitFact, NotCounted } from '../model/facts.ts';
import type { KnownLimits } from './open-commits/unjudged-commit.ts';

const NO_LIMITS: CommitFact['limits'] = [];
export const NO_FILES: CommitFact['files'] = [];
export const NO_FLOWS: CommitFact['flows'] = [];
const NOTHING_LIMITED: KnownLimits = { ofCommit: NO_LIMITS, ofFiles: NO_LIMITS };

/** What others than the commit itself say of it. */
interface Standing {
  /** By `.git-blame-ignore-revs`. */
  readonly isIgnored: boolean;
  /** No question of it is open. */
  readonly isFinal: boolean;
  readonly onDefaultBranch: boolean;
}

/** Without its limits and files. */
export function beginFact(
  record: CommitRecord,
  records: CommitRecords | null,
  commit: ListedCommit,
  { isIgnored, isFinal, onDefaultBranch }: Standing,
): CommitFact {
  const nobody = { name: commit.authorName, email: commit.authorEmail };
  const { written } = record;
  const exact = exactRecords(records?.lines ?? null);
  const evidence = exact === null ? record.evidence : recordsToEvidence(exact);
  const isMerge = commit.parents.length > 1;
  const ignored: NotCounted | null = isIgnored ? 'ignored_revision' : null;
  return {
    sha: commit.sha,
    parents: commit.parents,
    author: { name: commit.authorName, email: commit.authorEmail },
    committer: { name: commit.committerName, email: commit.committerEmail },
    raw_author: written?.author ?? nobody,
    raw_committer: written?.committer ?? nobody,
    authored: written?.authored ?? { at: commit.authoredAt, zone: 0 },
    committed: written?.committed ?? { at: commit.committedAt, zone: 0 },
    message: written?.message ?? '',
    co_authors: record.coAuthors,
    is_merge: isMerge,
    reverts: record.reverts,
    contributor_kind: evidence?.contributor_kind ?? 'unknown',
    ai: evidence?.ai ?? [],
    patch_id: record.classified?.patchId ?? null,
    not_counted: isMerge ? 'merge' : ignored,
    derived_from: null,
    on_default_branch: onDefaultBranch,
    limits: NO_LIMITS,
    files: NO_FILES,
    flows: NO_FLOWS,
    is_final: isFinal,
  };
}

export function knownLimits(record: CommitRecord, records: CommitRecords | null): KnownLimits {
  if (record.unread === null && records?.isComplete !== false && record.files.every(({ limited }) => limited === null))
    return NOTHING_LIMITED;
  const ofCommit: CommitFact['limits'][number][] = [];
  if (record.unread !== null) ofCommit.push({ reason: record.unread, path: null });
  if (records?.isComplete === false) ofCommit.push({ reason: 'record_unreadable', path: null });
  const ofFiles = record.files.flatMap(({ limited, newPath, oldPath }) =>
    limited === null ? [] : [{ reason: limited, path: newPath ?? oldPath }],
  );
  return { ofCommit, ofFiles };
}
