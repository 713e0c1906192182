// A traced change → the entry of the wire: snake_case, ISO times, 1-based line numbers. What only the
// service knows is null here and filled in there.
import { evidenceClassOf } from '../../domain/ai/evidence.ts';
import { isoTime } from '../../domain/calendar/iso-time.ts';
import { type AgedOperation, CHURN_DAYS } from '../../domain/commits/line-model.ts';
import { exactRecords, lineShare, recordsToEvidence } from '../evidence/line-evidence.ts';
import { evidenceShare, readCommitEvidence } from '../evidence/read-commit-evidence.ts';
import type { Mailmap } from '../identity/mailmap.ts';
import type { AiCredit } from '../model/facts.ts';
import { findScope } from '../scopes/find-scope.ts';
import type { LineHistoryOperation } from './judge-line.ts';
import type { LineRecordReader } from './line-record-reader.ts';
import type { LineChange } from './trace-line.ts';
import type { ObjectStore } from './versions/object-store.ts';
import { bytesToPath } from './versions/path-bytes.ts';

export interface LineHistoryEntry {
  readonly commit_sha: string;
  readonly authored_at: string;
  readonly author: {
    readonly avatar_url: null;
    readonly commits_in_repo: null;
    readonly email: string;
    readonly full_name: string;
    readonly user_name: null;
  };
  readonly authored_by_llm: boolean;
  readonly churn: 'churn_new' | null;
  readonly code_file_path_after: string | null;
  readonly code_file_path_before: string | null;
  readonly commit_message: string;
  readonly containing_class_or_module: string | null;
  readonly deployed_at: null;
  readonly documentation_for_function_if_available: string | null;
  readonly file_category_label: string;
  readonly line_explanation: string;
  readonly line_number_after: number | null;
  readonly line_number_before: number | null;
  readonly line_value: number;
  readonly operation_em: LineHistoryOperation;
  readonly received_code_comment: null;
  readonly resolved_code_comment: null;
  readonly scoped_function_name: string | null;
  /** Whole seconds; null when the line was made from nothing. */
  readonly time_since_previous_change: number | null;
}

/** What stands behind `authored_by_llm`, for a caller that shows it; not part of the entry. */
export interface EntryEvidence {
  /** Thousandths, before the weight of the evidence's class. */
  readonly share: number;
  readonly credits: readonly AiCredit[];
}

/** From this share on, in thousandths, the line counts as a model's. */
const LLM_AUTHOR_SHARE = 500;
/** A longer line is cut here; its history is complete all the same. */
const MAX_LINE_BYTES = 10_000;
/** No scope is sought in more than this. */
const MAX_SCOPE_BYTES = 4 * 1024 * 1024;
const DAY_SECONDS = 86_400;
/** What replaces or removes a version: find/replace too, though sums of churned lines leave it out. */
const AGED_NAMES: Record<AgedOperation, LineHistoryOperation> = {
  updated: 'operation_chg',
  deleted: 'operation_del',
  find_replaced: 'operation_find_replace',
};
const CHURNING: ReadonlySet<LineHistoryOperation> = new Set(Object.values(AGED_NAMES));

/** By what authors are named and models credited. */
export interface Attribution {
  readonly mailmap: Mailmap;
  readonly records: LineRecordReader;
}

/** A change with those that date what it replaced; null when it replaced nothing. */
export interface DatedChange {
  readonly change: LineChange;
  /** Made the version that was replaced. */
  readonly previous: LineChange | null;
  /** Wrote the text of that version, which may have been moved or indented since. */
  readonly writer: LineChange | null;
  /** By `.git-blame-ignore-revs`: the commit does not count. */
  readonly isIgnored: boolean;
}

export async function describeChange(
  store: ObjectStore,
  { mailmap, records }: Attribution,
  { change, previous, writer, isIgnored }: DatedChange,
): Promise<{ entry: LineHistoryEntry; evidence: EntryEvidence }> {
  const { commit, before, after, operation } = change;
  const shown = (after ?? before)!;
  const table = await store.lines(shown.version.blob);
  const path = bytesToPath(shown.version.path);
  const source = { count: table.count, head: (count: number) => table.head(count, MAX_SCOPE_BYTES) };
  const scope = findScope(path, source, shown.lineIndex);
  const person = mailmap.apply({ name: commit.author.name, email: commit.author.email });
  const age = previous === null ? null : Math.max(0, commit.author.at - previous.commit.author.at);
  const textAge = writer === null ? null : Math.max(0, commit.author.at - writer.commit.author.at);
  const isYoung = textAge !== null && textAge < CHURN_DAYS * DAY_SECONDS;
  const evidence = await readEvidence(records, change);
  const entry: LineHistoryEntry = {
    commit_sha: commit.sha,
    authored_at: isoTime(commit.author.at),
    author: {
      avatar_url: null,
      commits_in_repo: null,
      email: person.email,
      full_name: person.name,
      user_name: null,
    },
    authored_by_llm: isByModel(evidence),
    churn: isYoung && !isIgnored && CHURNING.has(operation) ? 'churn_new' : null,
    code_file_path_after: after && bytesToPath(after.version.path),
    code_file_path_before: before && bytesToPath(before.version.path),
    commit_message: commit.message,
    containing_class_or_module: scope.container,
    deployed_at: null,
    documentation_for_function_if_available: scope.documentation,
    file_category_label: change.judgement.categoryLabel,
    line_explanation: table.text(shown.lineIndex, MAX_LINE_BYTES),
    line_number_after: after && after.lineIndex + 1,
    line_number_before: before && before.lineIndex + 1,
    line_value: isIgnored ? 0 : change.judgement.score(textAge === null ? null : textAge / DAY_SECONDS),
    operation_em: operation,
    received_code_comment: null,
    resolved_code_comment: null,
    scoped_function_name: scope.functionName,
    time_since_previous_change: age,
  };
  return { entry, evidence };
}

/** A record about this very line, where there is one, and what the commit says of itself. */
async function readEvidence(reader: LineRecordReader, { commit, after }: LineChange): Promise<EntryEvidence> {
  const said = readCommitEvidence({
    raw_author: { name: commit.author.name, email: commit.author.email },
    message: commit.message,
  });
  const path = after === null ? null : bytesToPath(after.version.path);
  const records = exactRecords(await reader.read(commit, path));
  if (records === null) return { share: evidenceShare(said), credits: said.ai };
  const runs = path === null ? undefined : records.get(path);
  return { share: lineShare(runs, after?.lineIndex ?? 0), credits: recordsToEvidence(records).ai };
}

/** Written together with a model yes, with a model that merely assisted no. */
function isByModel({ share, credits: [first] }: EntryEvidence): boolean {
  return share >= LLM_AUTHOR_SHARE && first !== undefined && evidenceClassOf(first.source) !== 'assisted';
}
