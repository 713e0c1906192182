// What was collected, by the hosts' own keys: two ways of collecting the same must give the same. Our ids, and times at
// which we noticed something, are left out.
import type { Store } from '../../src/storage/database/handle.ts';

const PERSON = (column: string) =>
  `(select coalesce(min(a.login), 'nobody') from host_accounts a
    join committers c on c.entity_id = a.entity_id and c.id = a.committer_id
    where ${column} = a.committer_id) as ${column.split('.')[1]}`;

const TABLES: Readonly<Record<string, string>> = {
  pull_requests: `select x.external_id, x.number, x.title, x.branch_name, x.base_branch, x.labels, x.is_draft, x.created_at,
      x.opened_at, x.closed_at, x.merged_at, encode(x.merge_sha, 'hex') as merge_sha, encode(x.squash_sha, 'hex') as squash_sha,
      x.merge_method, x.host_updated_at, encode(x.head_sha, 'hex') as head_sha, x.closes_keys, x.incomplete_detail,
      x.children_at is not null as has_children, ${PERSON('x.author_id')}, ${PERSON('x.merged_by_id')},
      x.first_commit_authored_at, x.first_human_review_at, x.first_review_at
    from pull_requests x`,
  pull_request_commits: `select p.number, x.ordinal, encode(x.sha, 'hex') as sha, x.authored_at
    from pull_request_commits x join pull_requests p on p.id = x.pull_request_id where x.removed_at is null`,
  pull_request_reviews: `select p.number, x.external_id, x.state_em, x.submitted_at, x.is_bot, x.is_by_author,
      ${PERSON('x.reviewer_id')}
    from pull_request_reviews x join pull_requests p on p.id = x.pull_request_id where x.deleted_at is null`,
  pull_request_comments: `select p.number, x.external_id, x.body, x.path, x.line, x.thread_id, x.review_external_id,
      x.commented_at, x.updated_at, x.is_review_comment, x.is_bot, x.is_by_author, x.resolved_at is not null as is_resolved,
      ${PERSON('x.author_id')}
    from pull_request_comments x join pull_requests p on p.id = x.pull_request_id`,
  pull_request_events: `select p.number, x.external_id, x.kind, x.occurred_at, ${PERSON('x.actor_id')}
    from pull_request_events x join pull_requests p on p.id = x.pull_request_id`,
  early_comments: 'select x.pull_request_number, x.external_id from early_comments x',
  issues: `select x.external_id, x.key, x.title, x.type, x.status, x.labels, x.opened_at, x.resolved_at, x.host_updated_at,
      x.is_bug, ${PERSON('x.assignee_id')}
    from issues x`,
  issue_changes: `select i.key, x.external_id, x.field, x.changed_at, x.before, x.after
    from issue_changes x join issues i on i.id = x.issue_id`,
  host_deployments: `select x.external_id, x.environment, x.state, x.created_at, x.finished_at, encode(x.sha, 'hex') as sha
    from host_deployments x`,
  workflow_runs: `select x.external_id, x.name, x.state, x.attempt, x.finished_at, encode(x.sha, 'hex') as sha
    from workflow_runs x`,
  host_team_members: `select t.slug, a.login, x.role from host_team_members x
    join host_teams t on t.id = x.team_id join host_accounts a on a.id = x.account_id`,
  accounts: `select x.external_id, x.login, x.kind, c.is_bot from host_accounts x
    left join committers c on c.entity_id = x.entity_id and c.id = x.committer_id`,
};

/** Table → rows as text, in order. */
export async function readCollected({ pool }: Pick<Store, 'pool'>): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const [name, query] of Object.entries(TABLES)) {
    const { rows } = await pool.query<{ line: string }>(
      `select to_jsonb(q)::text as line from (${query}) q order by 1`,
    );
    found[name] = rows.map(({ line }) => line);
  }
  return found;
}
