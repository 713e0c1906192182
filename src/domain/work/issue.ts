// Issues, their history and sprints, as every tracker's normaliser returns them, code hosts with issues included.
import type { Account } from '../people/account.ts';

/** Kinds of trackers; one that belongs to a repo's host is served by the host's connections. */
export const TRACKER_KINDS = {
  jira: {
    product: 'Jira Cloud',
    provider_em: 'tracker_a',
    token_rights: 'an API token of an account that may browse the projects, with its e-mail address',
  },
  jira_server: {
    product: 'Jira Data Center',
    provider_em: 'tracker_a',
    token_rights: 'a personal access token of an account that may browse the projects',
  },
  azure_boards: {
    product: 'Azure Boards',
    provider_em: 'generic',
    token_rights: 'a personal access token with Work Items (read) and Project and Team (read)',
  },
  gitlab: { product: 'GitLab', provider_em: 'generic', token_rights: 'the scope read_api' },
  github: {
    product: 'GitHub',
    provider_em: 'hostC',
    token_rights: 'the scopes repo and read:project',
    has_board_points: true,
  },
  linear: { product: 'Linear', provider_em: 'generic', token_rights: 'a personal API key with read access' },
} as const satisfies Record<
  string,
  {
    readonly product: string;
    readonly provider_em: string;
    /** Completes "make a token with …". */
    readonly token_rights: string;
    /** Its issues have no points of their own, but on boards across repos. */
    readonly has_board_points?: true;
  }
>;
export type TrackerKind = keyof typeof TRACKER_KINDS;
export const KINDS_WITH_BOARD_POINTS = (Object.keys(TRACKER_KINDS) as TrackerKind[]).filter(
  (kind) => 'has_board_points' in TRACKER_KINDS[kind],
);

export const STATUS_CATEGORIES = ['new', 'in_progress', 'done'] as const;
export type StatusCategory = (typeof STATUS_CATEGORIES)[number];

export interface CollectedIssue {
  /** Unique at the tracker, and stable when the issue is moved. */
  readonly external_id: string;
  /** As people write it: `KEY-1`, `owner/repo#6`, `AB#7`. */
  readonly key: string;
  readonly title: string;
  /** In the tracker's words, untranslated where it has such. A label bug makes `Bug` where there are no types. */
  readonly type: string;
  readonly is_epic: boolean;
  readonly is_subtask: boolean;
  readonly status: string;
  readonly status_category: StatusCategory;
  readonly priority: string | null;
  readonly url: string | null;
  readonly project_name: string | null;
  readonly board_id: string | null;
  readonly labels: readonly string[];
  readonly assignee: Account | null;
  readonly created_by: Account | null;
  /** Key of the epic it belongs to. */
  readonly epic_key: string | null;
  readonly parent_external_id: string | null;
  /** Finite and not negative, else null. */
  readonly story_points: number | null;
  readonly opened_at: string;
  readonly updated_at: string;
  /** Where the tracker says so itself; else what follows from the changes. */
  readonly started_at: string | null;
  readonly resolved_at: string | null;
  readonly deleted_at: string | null;
  /**
   * The complete history, oldest first; null where it comes by a stream of its own or has not changed. Where there is
   * one, it begins with the values at creation (`firstValues`).
   */
  readonly changes: readonly IssueChange[] | null;
}

export const ISSUE_FIELDS = ['status', 'assignee', 'sprint', 'points', 'type', 'epic', 'priority', 'key'] as const;

export interface IssueChange {
  /** Unique within the issue, with the field where one change has several. */
  readonly external_id: string;
  readonly field: (typeof ISSUE_FIELDS)[number];
  readonly changed_at: string;
  readonly author: Account | null;
  /** Ids where the tracker has ids (of statuses, sprints, accounts); ids of several sprints are joined by commas. */
  readonly before: string | null;
  readonly after: string | null;
}

/** Changes that come apart from their issue. */
export interface ChangesOfIssue {
  readonly issue_external_id: string;
  readonly changes: readonly IssueChange[];
}

export interface CollectedStatus {
  readonly external_id: string;
  readonly name: string;
  readonly category: StatusCategory;
}

export interface CollectedSprint {
  readonly external_id: string;
  /** The board that it was made on. */
  readonly board_id: string;
  readonly name: string;
  readonly state: 'future' | 'active' | 'closed';
  /** A sprint without both dates is not stored yet. */
  readonly starts_at: string | null;
  /** The planned end. */
  readonly ends_at: string | null;
  /** When it was closed, which is its end from then on. */
  readonly completed_at: string | null;
  /** Its tracker knows days only: all times are written as those of UTC, and are meant in the zone of the entity. */
  readonly isInDays?: boolean;
}
