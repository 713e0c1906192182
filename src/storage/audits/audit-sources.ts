// Where each kind of audited record is read from, under the name x, and in which order it is listed. The
// order ends with a key, so that a page never shows a record that another page shows too.
import type { AuditType } from '../../domain/audit-types.ts';

export interface AuditSource {
  readonly from: string;
  /** Of every listed record. */
  readonly where?: string;
  /** What readers of records ask by: the id, or a JSON text where there is none. */
  readonly key: string;
  readonly order: string;
}

const newestFirst = (column: string): string => `${column} desc, x.id desc`;
const OF_PULL_REQUEST = 'join pull_requests p on p.entity_id = x.entity_id and p.id = x.pull_request_id';

export const AUDIT_SOURCES: Readonly<Record<AuditType, AuditSource>> = {
  commits: { from: 'commits x', key: 'x.id', order: newestFirst('x.authored_at') },
  committers: { from: 'committers x', where: 'x.id = x.root_committer_id', key: 'x.id', order: 'x.id' },
  issues: { from: 'issues x', where: 'x.deleted_at is null', key: 'x.id', order: newestFirst('x.opened_at') },
  pull_requests: { from: 'pull_requests x', key: 'x.id', order: newestFirst('x.opened_at') },
  teams: { from: 'teams x', key: 'x.id', order: 'x.id' },
  tags: {
    from: 'tags x',
    where: 'x.deleted_at is null',
    key: 'json_build_array(x.repo_id, x.name)::text',
    order: 'x.tagged_at desc, x.repo_id, x.name',
  },
  releases: { from: 'releases x', key: 'x.id', order: newestFirst('x.released_at') },
  critical_defects: { from: 'critical_defects x', key: 'x.id', order: newestFirst('x.detected_at') },
  ai_usages: { from: 'ai_usages x', key: 'x.id', order: newestFirst('x.used_on') },
  reviews: {
    from: `pull_request_reviews x ${OF_PULL_REQUEST}`,
    where: 'x.deleted_at is null',
    key: 'x.id',
    order: newestFirst('x.submitted_at'),
  },
  comments: {
    from: `pull_request_comments x ${OF_PULL_REQUEST}`,
    where: 'x.deleted_at is null',
    key: 'x.id',
    order: newestFirst('x.commented_at'),
  },
  sprints: { from: 'sprints x', key: 'x.id', order: newestFirst('x.starts_at') },
};

/** The phase of the pull request x. Needs :stale_before. */
export const PHASE_OF_PULL_REQUEST = `case
  when x.merged_at is not null then 'phase_merged'
  when x.closed_at is not null then 'phase_closed'
  when x.last_activity_at <= :stale_before::timestamptz then 'phase_stale_open'
  else 'phase_open' end`;
