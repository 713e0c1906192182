// Facts as COPY rows. The shapes are the engine's own, described here by what storage needs of them.

import { storableSeconds } from '../../domain/calendar/storable-seconds.ts';
import {
  FILE_MEASURES,
  type FileMeasure,
  LINE_MEASURES,
  lineMeasure,
  OPERATION_DELTAS,
} from '../../domain/commits/file-measures.ts';
import {
  CATEGORY_IDS,
  type CategoryKey,
  FLOW_OPERATIONS,
  type FlowOperation,
} from '../../domain/commits/line-model.ts';
import type { Row, TableName } from '../database/schema.ts';
import type { CopyBuffer } from './copy-buffer.ts';

/** Columns that the migrations have made: a row of the line model without its column does not compile. */
type ColumnsOf<T extends TableName> = readonly (keyof Row<T>)[];

/** Whose row it is. */
export interface RowKey {
  readonly entityId: number;
  readonly commitId: number;
  /** Its place among the rows of the commit. */
  readonly index: number;
}

export interface FileRow extends Readonly<Record<FileMeasure, number>> {
  readonly path: string;
  readonly old_path: string | null;
  readonly status: string;
  readonly category: CategoryKey;
  readonly language: string | null;
  readonly limited: string | null;
}

export const FILE_COLUMNS = [
  'entity_id',
  'commit_id',
  'file_index',
  ...FILE_MEASURES,
  'status',
  'category',
  'path',
  'old_path',
  'language',
  'limited',
] as const satisfies ColumnsOf<'commit_files'>;

/** A file's measures in the order of FILE_MEASURES. */
export function readMeasures(file: Readonly<Record<FileMeasure, number>>, into: Float64Array): void {
  for (let i = 0; i < FILE_MEASURES.length; i += 1) into[i] = file[FILE_MEASURES[i]!];
}

/** `measures` are those of the file, as `readMeasures` gives them. */
export function writeFile(out: CopyBuffer, key: RowKey, file: FileRow, measures: Float64Array): void {
  writeKey(out, key);
  for (let i = 0; i < FILE_MEASURES.length; i += 1) out.measure(measures[i]!);
  out.text(file.status);
  out.integer(CATEGORY_IDS[file.category]);
  out.text(file.path);
  out.textOrNull(file.old_path);
  out.textOrNull(file.language);
  out.textOrNull(file.limited);
  out.endRow();
}

function writeKey(out: CopyBuffer, { entityId, commitId, index }: RowKey): void {
  out.integer(entityId);
  out.integer(commitId);
  out.integer(index);
}

export interface FlowRow extends Readonly<Record<`lines_${FlowOperation}`, number>> {
  readonly category: CategoryKey;
  readonly age: Row<'line_flows'>['age'];
  readonly ai_lines: number;
}
const FLOW_LINES = FLOW_OPERATIONS.map(lineMeasure);

export const FLOW_COLUMNS = [
  'entity_id',
  'commit_id',
  'flow_index',
  'origin_commit_id',
  'category',
  'age',
  ...FLOW_LINES,
  'ai_lines',
] as const satisfies ColumnsOf<'line_flows'>;

export function writeFlow(out: CopyBuffer, key: RowKey, originCommitId: number | null, flow: FlowRow): void {
  writeKey(out, key);
  out.integerOrNull(originCommitId);
  out.integer(CATEGORY_IDS[flow.category]);
  out.text(flow.age);
  for (const name of FLOW_LINES) out.measure(flow[name]);
  out.measure(flow.ai_lines);
  out.endRow();
}

export interface CreditRow {
  readonly model: string;
  readonly provider: string;
  readonly source: string;
}

export const CREDIT_COLUMNS = [
  'entity_id',
  'commit_id',
  'position',
  'source',
  'model',
  'provider',
] as const satisfies ColumnsOf<'commit_ai'>;

export function writeCredit(out: CopyBuffer, key: RowKey, credit: CreditRow): void {
  writeKey(out, key);
  out.text(credit.source);
  out.text(credit.model);
  out.text(credit.provider);
  out.endRow();
}

/** What a commit says of itself. */
export interface CommitRow {
  readonly sha: string;
  readonly parents: readonly string[];
  readonly authored: { readonly at: number; readonly zone: number };
  readonly committed: { readonly at: number; readonly zone: number };
  readonly contributor_kind: string;
  readonly not_counted: string | null;
  readonly is_merge: boolean;
  readonly on_default_branch: boolean;
  readonly patch_id: string | null;
  readonly derived_from: string | null;
  readonly reverts: string | null;
  readonly message: string;
  readonly limits: readonly object[];
}

export interface CommitPeopleRow {
  /** The author of record. */
  readonly author_id: number;
  /** The AI agent that authored it, else null. */
  readonly agent_id: number | null;
  readonly author_signature_id: number;
  readonly raw_author_signature_id: number | null;
  readonly committer_signature_id: number | null;
  readonly raw_committer_signature_id: number | null;
  readonly co_author_signature_ids: readonly number[];
}

/** What is known only while importing. */
export interface CommitPlace {
  readonly id: number;
  readonly children: readonly string[];
  readonly state: 'analysis_in_progress' | 'analysis_complete';
  /** See the engine's min-hash. */
  readonly minHash: Uint8Array | null;
}

/** Of a commit that is reached and not complete. */
export type GivenTotals = { readonly file_count: number } & Readonly<Partial<Record<FileMeasure, number>>>;

/** Sums over the commit's files, kept on the commit itself together with their number and the score. */
const TOTALS = [
  'added',
  'removed',
  ...LINE_MEASURES,
  'lines_churned',
  'ai_lines_changed',
  'ai_delta',
] as const satisfies readonly FileMeasure[];

export const STAGED_COLUMNS = [
  'id',
  'sha',
  'parents',
  'children',
  'author_id',
  'agent_id',
  'author_signature_id',
  'raw_author_signature_id',
  'committer_signature_id',
  'raw_committer_signature_id',
  'co_author_signature_ids',
  'authored_at',
  'authored_zone',
  'committed_at',
  'committed_zone',
  'state',
  'contributor_kind',
  'not_counted',
  'is_merge',
  'on_default_branch',
  'patch_id',
  'derived_from',
  'min_hash',
  'reverts',
  'message',
  'limits',
  'file_count',
  ...TOTALS,
  'delta',
] as const satisfies ColumnsOf<'commits'>;

/** What completing a stored commit changes on it; whose it is only where its facts are derived anew. */
export const COMPLETION_COLUMNS = [
  'id',
  'author_id',
  'agent_id',
  'contributor_kind',
  'file_count',
  ...TOTALS,
  'delta',
] as const satisfies ColumnsOf<'commits'>;

const zone = (minutes: number): number => Math.min(Math.max(minutes, -32_768), 32_767);
const MESSAGE_LIMIT = 65_536;

const TOTALS_AT = TOTALS.map((name) => FILE_MEASURES.indexOf(name));
const DELTA_AT = OPERATION_DELTAS.map((name) => FILE_MEASURES.indexOf(name));

/** The totals of a commit, summed up while its files are written. */
export class FileTotals {
  readonly sums = new Float64Array(TOTALS.length);
  fileCount = 0;
  delta = 0;

  /** In the order of FILE_MEASURES. */
  add(measures: Float64Array): void {
    for (let i = 0; i < TOTALS_AT.length; i += 1) this.sums[i]! += measures[TOTALS_AT[i]!]!;
    for (const at of DELTA_AT) this.delta += measures[at]!;
    this.fileCount += 1;
  }
}

export function writeTotals(out: CopyBuffer, { sums, fileCount, delta }: FileTotals): void {
  out.integer(fileCount);
  for (let i = 0; i < sums.length; i += 1) out.measure(sums[i]!);
  out.measure(delta);
  out.endRow();
}

/** A commit of an earlier batch, or of an earlier walk, that is complete now. */
export function writeCompletion(
  out: CopyBuffer,
  id: number,
  { authorId, agentId, kind }: { readonly authorId: number; readonly agentId: number | null; readonly kind: string },
  totals: FileTotals,
): void {
  out.integer(id);
  out.integer(authorId);
  out.integerOrNull(agentId);
  out.text(kind);
  writeTotals(out, totals);
}

export function writeGivenTotals(out: CopyBuffer, totals: GivenTotals): void {
  out.integer(totals.file_count);
  for (const name of TOTALS) out.measure(totals[name] ?? 0);
  out.null();
  out.endRow();
}

/** All but the totals, which are the end of the row. */
export function beginCommit(out: CopyBuffer, commit: CommitRow, people: CommitPeopleRow, place: CommitPlace): void {
  out.integer(place.id);
  out.hex(commit.sha);
  out.hex(...commit.parents);
  out.hex(...place.children);
  out.integer(people.author_id);
  out.integerOrNull(people.agent_id);
  out.integer(people.author_signature_id);
  out.integerOrNull(people.raw_author_signature_id);
  out.integerOrNull(people.committer_signature_id);
  out.integerOrNull(people.raw_committer_signature_id);
  const coAuthors = people.co_author_signature_ids;
  out.textOrNull(coAuthors.length === 0 ? null : `{${coAuthors.join(',')}}`);
  // The staging table keeps times as numbers, which are read faster than dates.
  out.integer(storableSeconds(commit.authored.at));
  out.integer(zone(commit.authored.zone));
  out.integer(storableSeconds(commit.committed.at));
  out.integer(zone(commit.committed.zone));
  out.text(place.state);
  out.text(commit.contributor_kind);
  out.textOrNull(commit.not_counted);
  out.boolean(commit.is_merge);
  out.boolean(commit.on_default_branch);
  out.hexOrNull(commit.patch_id);
  out.hexOrNull(commit.derived_from);
  if (place.minHash === null) out.null();
  else out.bytea(place.minHash);
  out.textOrNull(commit.reverts);
  out.text(commit.message.length > MESSAGE_LIMIT ? commit.message.slice(0, MESSAGE_LIMIT) : commit.message);
  out.textOrNull(commit.limits.length === 0 ? null : JSON.stringify(commit.limits));
}
