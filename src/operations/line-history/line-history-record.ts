// A line-history entry of the wire: what git says, with what only the service knows filled in.
import { type EvidenceWeights, evidenceClassOf, WHOLE } from '../../domain/ai/evidence.ts';
import type { EntryEvidence, LineHistory, LineHistoryEntry } from '../../engine/line-history/index.ts';
import { type HistoryPerson, readAuthorships, readHistoryPeople } from '../../storage/commits/line-history.ts';
import type { Database } from '../../storage/database/handle.ts';
import { type FoundCommitter, findCommittersByIdentifier } from '../../storage/people/find-committers.ts';
import { type CommentRecord, matchComments, readCommentedVersions, type TraceVersion } from './match-comments.ts';

type Filled = 'author' | 'deployed_at' | 'received_code_comment' | 'resolved_code_comment';

export interface LineHistoryRecord extends Omit<LineHistoryEntry, Filled> {
  readonly author: {
    readonly avatar_url: string | null;
    /** Null when the author is nobody that the entity knows. */
    readonly commits_in_repo: number | null;
    readonly email: string;
    readonly full_name: string;
    readonly user_name: string | null;
  };
  /** Null where nothing says that a model took part. */
  readonly authored_by_llm_evidence: LlmEvidence | null;
  readonly deployed_at: string | null;
  readonly received_code_comment: CommentRecord | null;
  readonly resolved_code_comment: CommentRecord | null;
}

export interface LlmEvidence {
  /** From 0 to 1. */
  readonly share: number;
  readonly credits: readonly {
    readonly model: string;
    readonly provider: string;
    readonly source: string;
    readonly share: number;
  }[];
}

export interface RepoOfHistory {
  readonly db: Database;
  readonly entityId: number;
  readonly repoId: number;
  readonly weights: EvidenceWeights;
  /** Remembered people of this version of the data. */
  readonly people: Map<number, HistoryPerson>;
}

export async function completeHistory(
  repo: RepoOfHistory,
  { line_history: entries, evidence }: LineHistory,
  trace: TraceVersion,
): Promise<LineHistoryRecord[]> {
  const { db, entityId, repoId } = repo;
  const shas = [...new Set(entries.map((entry) => entry.commit_sha))];
  const [authorships, versions] = await Promise.all([
    readAuthorships(db, entityId, repoId, shas),
    readCommentedVersions({ db, entityId, repoId }, entries, trace),
  ]);
  const stored = new Map(authorships.map((row) => [row.sha, row]));
  const byEmail = await findUnstoredAuthors(repo, entries, stored);
  const rootOf = (entry: LineHistoryEntry): number | undefined =>
    stored.get(entry.commit_sha)?.committer_id ?? byEmail.get(entry.author.email)?.id;
  const people = await recallPeople(
    repo,
    entries.flatMap((entry) => rootOf(entry) ?? []),
  );
  const comments = matchComments(entries, versions, (entry) =>
    Date.parse(stored.get(entry.commit_sha)?.committed_at ?? entry.authored_at),
  );
  return entries.map((entry, index) => {
    const person = people.get(rootOf(entry) ?? -1);
    return {
      ...entry,
      author: {
        avatar_url: person?.avatar_url ?? null,
        commits_in_repo: person?.commits_in_repo ?? null,
        email: entry.author.email,
        full_name: person?.full_name ?? entry.author.full_name,
        user_name: person?.committer_user_name ?? null,
      },
      authored_by_llm_evidence: evidenceToRecord(evidence[index], repo.weights),
      deployed_at: stored.get(entry.commit_sha)?.released_at ?? null,
      ...comments[index]!,
    };
  });
}

/** Commits outside the import window are not stored; their authors may be known all the same. */
async function findUnstoredAuthors(
  { db, entityId }: RepoOfHistory,
  entries: readonly LineHistoryEntry[],
  stored: ReadonlyMap<string, unknown>,
): Promise<Map<string, FoundCommitter>> {
  const emails = entries.filter((entry) => !stored.has(entry.commit_sha)).map((entry) => entry.author.email);
  const found = await findCommittersByIdentifier(db, entityId, [...new Set(emails)]);
  return new Map(found.map((committer) => [committer.identifier, committer]));
}

async function recallPeople(repo: RepoOfHistory, rootIds: readonly number[]): Promise<Map<number, HistoryPerson>> {
  const unknown = [...new Set(rootIds)].filter((id) => !repo.people.has(id));
  for (const person of await readHistoryPeople(repo.db, repo.entityId, repo.repoId, unknown)) {
    repo.people.set(person.id, person);
  }
  return repo.people;
}

function evidenceToRecord(evidence: EntryEvidence | undefined, weights: EvidenceWeights): LlmEvidence | null {
  if (evidence === undefined || (evidence.share === 0 && evidence.credits.length === 0)) return null;
  const weightOf = ({ source }: EntryEvidence['credits'][number]): number =>
    weights[evidenceClassOf(source) ?? 'exact'] / WHOLE;
  const [strongest] = evidence.credits;
  return {
    share: (evidence.share / WHOLE) * (strongest === undefined ? 1 : weightOf(strongest)),
    credits: evidence.credits.map((credit) => ({ ...credit, share: weightOf(credit) })),
  };
}
