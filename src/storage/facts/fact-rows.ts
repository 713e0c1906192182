// Facts as COPY rows. The shapes are the engine's own, described here by what storage needs of them.
import { FILE_MEASURES, type FileMeasure } from '../../domain/file-measures.ts';
import { CATEGORIES, type CategoryKey } from '../../domain/line-model.ts';
import { copyHex, copyMeasure, copyString, copyStringOrNull, NULL } from './copy-rows.ts';

const CATEGORY_IDS = Object.fromEntries(CATEGORIES.map(({ key, id }) => [key, id])) as Record<CategoryKey, number>;

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

export function fileRow(entityId: number, commitId: number, index: number, file: FileRow): string {
  let row = `${entityId}\t${commitId}\t${index}`;
  for (const measure of FILE_MEASURES) {
    const value = file[measure];
    row += value === 0 ? '\t\\N' : `\t${value}`;
  }
  return `${row}\t${file.status}\t${CATEGORY_IDS[file.category]}\t${copyString(file.path)}\t${copyStringOrNull(
    file.old_path,
  )}\t${copyStringOrNull(file.language)}\t${copyStringOrNull(file.limited)}`;
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

export const flowRow = (
  entityId: number,
  commitId: number,
  index: number,
  originCommitId: number | null,
  flow: FlowRow,
): string =>
  `${entityId}\t${commitId}\t${index}\t${originCommitId ?? NULL}\t${CATEGORY_IDS[flow.category]}\t${flow.age}\t${copyMeasure(
    flow.lines_deleted,
  )}\t${copyMeasure(flow.lines_updated)}\t${copyMeasure(flow.lines_moved)}\t${copyMeasure(
    flow.lines_find_replaced,
  )}\t${copyMeasure(flow.ai_lines)}`;

export interface CreditRow {
  readonly model: string;
  readonly provider: string;
  readonly source: string;
  readonly share: number;
}

export const CREDIT_COLUMNS = ['entity_id', 'commit_id', 'position', 'source', 'share', 'model', 'provider'];

export const creditRow = (entityId: number, commitId: number, position: number, credit: CreditRow): string =>
  `${entityId}\t${commitId}\t${position}\t${credit.source}\t${credit.share}\t${copyString(credit.model)}\t${copyString(
    credit.provider,
  )}`;

export interface CommitRow {
  readonly id: number;
  readonly sha: string;
  readonly parents: readonly string[];
  readonly children: readonly string[];
  readonly author_id: number;
  readonly author_signature_id: number;
  readonly raw_author_signature_id: number | null;
  readonly committer_signature_id: number | null;
  readonly raw_committer_signature_id: number | null;
  readonly co_author_signature_ids: readonly number[];
  readonly authored: { readonly at: number; readonly zone: number };
  readonly committed: { readonly at: number; readonly zone: number };
  readonly state: 'analysis_in_progress' | 'analysis_complete' | 'analysis_failed';
  readonly contributor_kind: string;
  readonly not_counted: string | null;
  readonly is_merge: boolean;
  readonly on_default_branch: boolean;
  readonly patch_id: string | null;
  readonly derived_from: string | null;
  /** Hexadecimal, see the engine's line sketch. */
  readonly sketch: string | null;
  readonly reverts: string | null;
  readonly message: string;
  readonly limits: readonly object[];
  readonly files: readonly FileRow[];
  /** Instead of the files, for a commit that is reached and not complete. */
  readonly totals: ({ readonly file_count: number } & Readonly<Partial<Record<FileMeasure, number>>>) | null;
}

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
const DELTA_PARTS = ['delta_added', 'delta_updated', 'delta_deleted', 'delta_find_replaced'] as const;

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

// PostgreSQL's timestamps end in the year 294276; a git date need not.
const EARLIEST = Date.UTC(1, 0, 1) / 1000 - 1900 * 31_557_600;
const LATEST = 253_402_300_799;
const timestamp = (seconds: number): string => {
  const clamped = Math.min(Math.max(seconds, EARLIEST), LATEST);
  return new Date(clamped * 1000).toISOString();
};
const zone = (minutes: number): number => Math.min(Math.max(minutes, -32_768), 32_767);
const MESSAGE_LIMIT = 65_536;

function totalsOf(files: readonly FileRow[]): string {
  const totals = TOTALS.map(() => 0);
  let delta = 0;
  for (const file of files) {
    for (let index = 0; index < TOTALS.length; index += 1) totals[index]! += file[TOTALS[index]!];
    for (const part of DELTA_PARTS) delta += file[part];
  }
  return [files.length, ...totals.map(copyMeasure), copyMeasure(delta)].join('\t');
}

const givenTotals = (totals: NonNullable<CommitRow['totals']>): string =>
  [totals.file_count, ...TOTALS.map((name) => copyMeasure(totals[name] ?? 0)), NULL].join('\t');

export const completionRow = (commitId: number, files: readonly FileRow[]): string => `${commitId}\t${totalsOf(files)}`;

export function commitRow(commit: CommitRow): string {
  const hexOrNull = (hex: string | null) => (hex === null ? NULL : copyHex(hex));
  return [
    commit.id,
    copyHex(commit.sha),
    copyHex(commit.parents.join('')),
    copyHex(commit.children.join('')),
    commit.author_id,
    commit.author_signature_id,
    commit.raw_author_signature_id ?? NULL,
    commit.committer_signature_id ?? NULL,
    commit.raw_committer_signature_id ?? NULL,
    commit.co_author_signature_ids.length === 0 ? NULL : `{${commit.co_author_signature_ids.join(',')}}`,
    timestamp(commit.authored.at),
    zone(commit.authored.zone),
    timestamp(commit.committed.at),
    zone(commit.committed.zone),
    commit.state,
    commit.contributor_kind,
    commit.not_counted ?? NULL,
    commit.is_merge,
    commit.on_default_branch,
    hexOrNull(commit.patch_id),
    hexOrNull(commit.derived_from),
    hexOrNull(commit.sketch),
    copyStringOrNull(commit.reverts),
    copyString(commit.message.slice(0, MESSAGE_LIMIT)),
    commit.limits.length === 0 ? NULL : copyString(JSON.stringify(commit.limits)),
    commit.totals === null ? totalsOf(commit.files) : givenTotals(commit.totals),
  ].join('\t');
}
