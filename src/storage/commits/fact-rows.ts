// Facts as COPY rows. The shapes are the engine's own, described here by what storage needs of them.

import { storableSeconds } from '../../domain/calendar/storable-seconds.ts';
import { DELTA_PARTS, FILE_MEASURES, type FileMeasure } from '../../domain/commits/file-measures.ts';
import { CATEGORIES, type CategoryKey } from '../../domain/commits/line-model.ts';
import type { CopyBuffer } from './copy-buffer.ts';
import { sumAt } from './fact-sums.ts';

export const CATEGORY_IDS = Object.fromEntries(CATEGORIES.map(({ key, id }) => [key, id])) as Record<
  CategoryKey,
  number
>;

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
];

/** `measures` are those of the file, in the order of FILE_MEASURES. */
export function writeFile(
  out: CopyBuffer,
  entityId: number,
  commitId: number,
  index: number,
  file: FileRow,
  measures: Float64Array,
): void {
  out.integer(entityId);
  out.integer(commitId);
  out.integer(index);
  for (let i = 0; i < FILE_MEASURES.length; i += 1) out.measure(measures[i]!);
  out.text(file.status);
  out.integer(CATEGORY_IDS[file.category]);
  out.text(file.path);
  out.textOrNull(file.old_path);
  out.textOrNull(file.language);
  out.textOrNull(file.limited);
  out.endRow();
}

export interface FlowRow {
  readonly category: CategoryKey;
  readonly age: string;
  readonly lines_deleted: number;
  readonly lines_updated: number;
  readonly lines_moved: number;
  readonly lines_find_replaced: number;
  readonly ai_lines: number;
}

export const FLOW_COLUMNS = [
  'entity_id',
  'commit_id',
  'flow_index',
  'origin_commit_id',
  'category',
  'age',
  'lines_deleted',
  'lines_updated',
  'lines_moved',
  'lines_find_replaced',
  'ai_lines',
];

export function writeFlow(
  out: CopyBuffer,
  entityId: number,
  commitId: number,
  index: number,
  originCommitId: number | null,
  flow: FlowRow,
): void {
  out.integer(entityId);
  out.integer(commitId);
  out.integer(index);
  out.integerOrNull(originCommitId);
  out.integer(CATEGORY_IDS[flow.category]);
  out.text(flow.age);
  out.measure(flow.lines_deleted);
  out.measure(flow.lines_updated);
  out.measure(flow.lines_moved);
  out.measure(flow.lines_find_replaced);
  out.measure(flow.ai_lines);
  out.endRow();
}

export interface CreditRow {
  readonly model: string;
  readonly provider: string;
  readonly source: string;
  readonly share: number;
}

export const CREDIT_COLUMNS = ['entity_id', 'commit_id', 'position', 'source', 'share', 'model', 'provider'];

export function writeCredit(
  out: CopyBuffer,
  entityId: number,
  commitId: number,
  position: number,
  credit: CreditRow,
): void {
  out.integer(entityId);
  out.integer(commitId);
  out.integer(position);
  out.text(credit.source);
  out.integer(credit.share);
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
  readonly author_id: number;
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
  /** See the engine's line sketch. */
  readonly sketch: Uint8Array | null;
}

/** Of a commit that is reached and not complete. */
export type GivenTotals = { readonly file_count: number } & Readonly<Partial<Record<FileMeasure, number>>>;

/** Sums over the commit's files, kept on the commit itself. */
const TOTALS = [
  'added',
  'removed',
  'lines_added',
  'lines_deleted',
  'lines_moved',
  'lines_updated',
  'lines_find_replaced',
  'lines_copy_pasted',
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
  'sketch',
  'reverts',
  'message',
  'limits',
  'file_count',
  ...TOTALS,
  'delta',
] as const;

/** What completing a stored commit changes on it. */
export const COMPLETION_COLUMNS = ['id', 'file_count', ...TOTALS, 'delta'] as const;

const zone = (minutes: number): number => Math.min(Math.max(minutes, -32_768), 32_767);
const MESSAGE_LIMIT = 65_536;

const TOTALS_AT = TOTALS.map(sumAt);
const DELTA_AT = DELTA_PARTS.map(sumAt);
const FILE_COUNT_AT = sumAt('file_count');

/** The score of the commit whose row of sums starts at `at`. */
export const deltaOf = (cells: Float64Array, at: number): number => {
  let delta = 0;
  for (const part of DELTA_AT) delta += cells[at + part]!;
  return delta;
};

/** From the row of the commit's sums that starts at `at`. */
export function writeTotals(out: CopyBuffer, cells: Float64Array, at: number): void {
  out.integer(cells[at + FILE_COUNT_AT]!);
  for (let i = 0; i < TOTALS_AT.length; i += 1) out.measure(cells[at + TOTALS_AT[i]!]!);
  out.measure(deltaOf(cells, at));
  out.endRow();
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
  if (place.sketch === null) out.null();
  else out.bytea(place.sketch);
  out.textOrNull(commit.reverts);
  out.text(commit.message.length > MESSAGE_LIMIT ? commit.message.slice(0, MESSAGE_LIMIT) : commit.message);
  out.textOrNull(commit.limits.length === 0 ? null : JSON.stringify(commit.limits));
}
