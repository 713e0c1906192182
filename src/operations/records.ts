// What operations answer with, in wire spelling. Times are ISO 8601 in UTC.
import type { Role } from '../domain/access/caller.ts';
import type { EntitySettingKey, Rebuild } from '../domain/access/entity-settings.ts';
import type { LeftOutReason } from '../domain/repos/branch-patterns.ts';
import type { ImportPhase } from '../domain/repos/import-progress.ts';
import type { ImportStatus } from '../domain/repos/import-status.ts';
import type { ImportWait } from '../domain/repos/import-wait.ts';

export interface EntityRecord {
  readonly id: number;
  readonly slug: string;
  readonly name: string;
  /** `offboarding` while its data are being removed. */
  readonly state: 'active' | 'offboarding' | 'deleted';
  readonly created_at: string;
}

export interface MembershipRecord {
  readonly entity: string;
  readonly role: Role;
}

export interface UserRecord {
  readonly id: number;
  readonly email: string;
  readonly full_name: string | null;
  readonly is_super_admin: boolean;
  readonly memberships: readonly MembershipRecord[];
  readonly has_password: boolean;
  readonly created_at: string;
}

export interface TokenRecord {
  readonly id: number;
  readonly entity: string;
  readonly user_email: string;
  readonly name: string | null;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly last_used_at: string | null;
  readonly revoked_at: string | null;
}

/** The only answer that ever holds the secret. */
export interface CreatedToken extends TokenRecord {
  readonly token: string;
}

export interface SettingRecord {
  readonly key: EntitySettingKey;
  readonly value: unknown;
  readonly is_default: boolean;
  /** What a change of this setting makes wrong. */
  readonly rebuild: Rebuild;
}

export interface LeftOutBranchRecord {
  readonly name: string;
  readonly reason: LeftOutReason;
  readonly commit_count: number;
}

export interface ImportRecord {
  readonly id: number;
  /** `<organization>/<repo>`. */
  readonly repo_path: string;
  readonly import_status: ImportStatus;
  readonly created_at: string;
  readonly updated_at: string;
  readonly error_em: string | null;
  readonly error_detail: string;
  readonly phase_em: ImportPhase;
  readonly expected_commit_count: number;
  readonly commits_per_second: number | null;
  readonly seconds_left: number | null;
  readonly started_at: string | null;
  readonly finished_at: string | null;
  /** When new commits are looked for. */
  readonly next_look_at: string | null;
  readonly waits_for_em: ImportWait['waits_for_em'];
  readonly waits_until: string | null;
  readonly available_provider_connection_count: number;
  readonly commits_complete_count: number;
  readonly commit_processed_count: number;
  readonly skipped_commit_count: number;
  /** Some of them, those found last first. */
  readonly skipped_commits: readonly { readonly sha: string; readonly reason: string; readonly path: string }[];
  /** Branches whose commits do not count, by name. */
  readonly left_out_branches: readonly LeftOutBranchRecord[];
  /** Where the history of a shallow source ends; 0 when it is whole. */
  readonly cut_off_commit_count: number;
  readonly default_branch_processed_back_through: string | null;
  readonly last_deployed_at: string | null;
  readonly last_pr_discovery_at: string | null;
  readonly last_processed_at: string | null;
  readonly last_provider_quota_exceeded_at: string | null;
  readonly last_year_days_with_commit_processed_count: number;
  readonly percent_complete: number;
  readonly provider_past_year_commit_count: number | null;
  readonly pull_request_discovered_count: number;
  readonly pull_request_processed_count: number;
  readonly stats_calculated_at: string | null;
  readonly subscription_earliest_processing_at: string | null;
}
