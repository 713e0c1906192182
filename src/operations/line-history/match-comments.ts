// Which review comments belong to which version of a line. A comment names a commit, a file and a line; the
// version it is about is the last change of that line at that commit, which the line's history tells.
import type { LineHistoryEntry } from '../../engine/line-history/index.ts';
import { type LineComment, readLineComments } from '../../storage/commits/line-history.ts';
import type { Database } from '../../storage/database/handle.ts';

export interface CommentRecord {
  /** User name. */
  readonly author: string | null;
  readonly markdown_comment_body: string;
  readonly posted_at: string;
}

export interface EntryComments {
  /** The last comment on this version of the line. */
  readonly received_code_comment: CommentRecord | null;
  /** The last comment on the version before, made before this change replaced it. */
  readonly resolved_code_comment: CommentRecord | null;
}

/** The last change of a line at a commit; null when the copy of the repo does not have it. */
export type TraceVersion = (
  sha: string,
  path: string,
  line: number,
) => Promise<Pick<LineHistoryEntry, 'commit_sha' | 'code_file_path_after' | 'line_number_after'> | null>;

/** A file can collect thousands; the newest are enough for one line. */
const MOST_COMMENTS = 50;

const versionKey = (sha: string, path: string | null, line: number | null): string => JSON.stringify([sha, path, line]);

export type CommentedVersions = ReadonlyMap<string, readonly LineComment[]>;

/** Comments by the version of a line that they are about, oldest first. */
export async function readCommentedVersions(
  repo: { readonly db: Database; readonly entityId: number; readonly repoId: number },
  entries: readonly LineHistoryEntry[],
  trace: TraceVersion,
): Promise<CommentedVersions> {
  const shas = [...new Set(entries.map((entry) => entry.commit_sha))];
  const paths = [...new Set(entries.flatMap((entry) => entry.code_file_path_after ?? []))];
  const comments = await readLineComments(repo.db, repo.entityId, repo.repoId, shas, paths, MOST_COMMENTS);
  const byVersion = new Map<string, LineComment[]>();
  for (const comment of comments) {
    for (const key of await versionsOf(comment, trace)) byVersion.set(key, [...(byVersion.get(key) ?? []), comment]);
  }
  return byVersion;
}

/** One per entry, in their order. `changedAtMs` is when the change was committed. */
export function matchComments(
  entries: readonly LineHistoryEntry[],
  versions: CommentedVersions,
  changedAtMs: (entry: LineHistoryEntry) => number,
): EntryComments[] {
  const received = entries.map(
    (entry) => versions.get(versionKey(entry.commit_sha, entry.code_file_path_after, entry.line_number_after)) ?? [],
  );
  return entries.map((entry, index) => ({
    received_code_comment: commentToRecord(received[index]!.at(-1)),
    resolved_code_comment: commentToRecord(
      received[index + 1]?.findLast((comment) => Date.parse(comment.commented_at) <= changedAtMs(entry)),
    ),
  }));
}

async function versionsOf(comment: LineComment, trace: TraceVersion): Promise<string[]> {
  const traced = await trace(comment.sha, comment.path, comment.line);
  const keys = [
    traced === null
      ? versionKey(comment.sha, comment.path, comment.line)
      : versionKey(traced.commit_sha, traced.code_file_path_after, traced.line_number_after),
  ];
  // The squash commit holds the files of the branch's last commit, so its lines have the same numbers.
  if (comment.squash_sha !== null) keys.push(versionKey(comment.squash_sha, comment.path, comment.line));
  return keys;
}

const commentToRecord = (comment: LineComment | undefined): CommentRecord | null =>
  comment === undefined
    ? null
    : { author: comment.author, markdown_comment_body: comment.body, posted_at: comment.commented_at };
