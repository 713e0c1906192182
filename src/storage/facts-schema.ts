// Row types of the tables that imports fill: sources, people, facts and the daily tables.
import type { ColumnType, Generated } from 'kysely';
import type { FileMeasure } from '../domain/file-measures.ts';
import type { ImportStatus } from '../domain/import-status.ts';
import type { AgeBucket, ContributorKind, EvidenceSource } from '../domain/line-model.ts';
import type { ProcessingStatus } from '../domain/processing-status.ts';
import type { GeneratedJson, GeneratedTimestamp, JsonValue, Timestamp } from './row-types.ts';

export type CommitState =
  | 'queued'
  | 'analysis_in_progress'
  | 'analysis_complete'
  | 'analysis_skipped'
  | 'analysis_failed';
export type CommitPresence = 'existent' | 'rewritten' | 'removed';

/** In commit_files null stands for 0. */
type FileMeasureColumns = { [M in FileMeasure]: number | null };
type SummedMeasureColumns = { [M in FileMeasure]: number };

interface DailyKey {
  entity_id: number;
  repo_id: number;
  committer_id: number;
  authored_on: string;
}

export interface FactsSchema {
  organizations: {
    entity_id: number;
    id: Generated<number>;
    created_at: GeneratedTimestamp;
    slug: string;
    name: string;
  };
  repos: {
    entity_id: number;
    id: Generated<number>;
    organization_id: number;
    created_at: GeneratedTimestamp;
    processed_from: Timestamp | null;
    last_fetched_at: Timestamp | null;
    next_refresh_at: Timestamp | null;
    slug: string;
    name: string;
    default_branch: string | null;
    source_kind: string;
    settings: GeneratedJson;
  };
  repo_sources: {
    entity_id: number;
    created_at: GeneratedTimestamp;
    organization_slug: string;
    repo_slug: string;
    kind: 'path' | 'address';
    address: string;
  };
  branches: {
    entity_id: number;
    repo_id: number;
    updated_at: Timestamp;
    deleted_at: Timestamp | null;
    name: string;
    head_sha: Buffer;
  };
  tags: {
    entity_id: number;
    repo_id: number;
    tagged_at: Timestamp;
    deleted_at: Timestamp | null;
    name: string;
    sha: Buffer;
  };
  imports: {
    entity_id: number;
    id: Generated<number>;
    repo_id: number | null;
    created_at: GeneratedTimestamp;
    updated_at: GeneratedTimestamp;
    started_at: Timestamp | null;
    finished_at: Timestamp | null;
    last_processed_at: Timestamp | null;
    last_pr_discovery_at: Timestamp | null;
    last_provider_quota_exceeded_at: Timestamp | null;
    stats_calculated_at: Timestamp | null;
    wanted_from: Timestamp | null;
    default_branch_processed_back_through: string | null;
    subscription_earliest_processing_at: string | null;
    wants_all: Generated<boolean>;
    is_walk_open: Generated<boolean>;
    status: ColumnType<ImportStatus, ImportStatus | undefined, ImportStatus>;
    attempt_count: Generated<number>;
    available_provider_connection_count: Generated<number>;
    commits_complete_count: Generated<number>;
    commit_processed_count: Generated<number>;
    expected_commit_count: Generated<number>;
    skipped_commit_count: Generated<number>;
    last_year_days_with_commit_processed_count: Generated<number>;
    percent_complete: Generated<number>;
    provider_past_year_commit_count: number | null;
    pull_request_discovered_count: Generated<number>;
    pull_request_processed_count: Generated<number>;
    run_token: string | null;
    organization_slug: string;
    repo_slug: string;
    error_em: string | null;
    error_detail: Generated<string>;
  };
  committers: {
    entity_id: number;
    id: Generated<number>;
    /** Itself for a root. */
    root_committer_id: number;
    user_id: number | null;
    created_at: GeneratedTimestamp;
    processing_status: ProcessingStatus;
    is_bot: Generated<boolean>;
    is_status_chosen: Generated<boolean>;
    committer_user_name: string;
    full_name: string;
    email: string;
    git_provider_id: string | null;
    provider_email: string | null;
  };
  committer_identities: { entity_id: number; committer_id: number; address_key: string };
  signatures: { entity_id: number; id: Generated<number>; address_key: string; name: string; email: string };
  commits: {
    entity_id: number;
    id: Generated<number>;
    repo_id: number;
    author_id: number;
    author_signature_id: number;
    raw_author_signature_id: number | null;
    committer_signature_id: number | null;
    raw_committer_signature_id: number | null;
    authored_at: Timestamp;
    committed_at: Timestamp;
    entered_at: Timestamp;
    delta: number | null;
    ai_delta: number | null;
    ai_lines_changed: number | null;
    authored_on: string;
    state: CommitState;
    presence: CommitPresence;
    contributor_kind: ContributorKind;
    not_counted: string | null;
    file_count: number;
    added: number | null;
    removed: number | null;
    lines_added: number | null;
    lines_deleted: number | null;
    lines_moved: number | null;
    lines_updated: number | null;
    lines_find_replaced: number | null;
    lines_copy_pasted: number | null;
    lines_churned: number | null;
    authored_zone: number;
    committed_zone: number;
    is_merge: boolean;
    on_default_branch: boolean;
    rolled_up: Generated<boolean>;
    sha: Buffer;
    parents: Buffer;
    children: Buffer;
    patch_id: Buffer | null;
    derived_from: Buffer | null;
    reverts: string | null;
    message: string;
    co_author_signature_ids: number[] | null;
    limits: JsonValue;
  };
  commit_files: FileMeasureColumns & {
    entity_id: number;
    commit_id: number;
    status: string;
    file_index: number;
    category: number;
    path: string;
    old_path: string | null;
    language: string | null;
    limited: string | null;
  };
  line_flows: {
    entity_id: number;
    commit_id: number;
    origin_commit_id: number | null;
    lines_deleted: number | null;
    lines_updated: number | null;
    lines_moved: number | null;
    lines_find_replaced: number | null;
    ai_lines: number | null;
    age: AgeBucket;
    flow_index: number;
    category: number;
  };
  commit_ai: {
    entity_id: number;
    commit_id: number;
    source: EvidenceSource;
    share: number;
    position: number;
    model: string;
    provider: string;
  };
  skipped_commits: {
    entity_id: number;
    repo_id: number;
    seen_at: Timestamp;
    sha: Buffer;
    reason: string;
    path: Generated<string>;
  };
  daily_commits: DailyKey &
    SummedMeasureColumns & {
      commit_count: number;
      ai_commit_count: number;
      ai_line_commit_count: number;
      known_commit_count: number;
      known_lines_changed: number;
    };
  daily_facts: DailyKey & SummedMeasureColumns & { category: number };
  daily_ai: DailyKey & {
    ai_lines_added: number;
    ai_lines_deleted: number;
    ai_lines_changed: number;
    ai_delta: number;
    commit_count: number;
    line_commit_count: number;
    source: EvidenceSource;
    model: string;
    provider: string;
  };
  data_versions: { entity_id: number; version: number };
}
