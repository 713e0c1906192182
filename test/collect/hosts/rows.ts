// What was stored, in the words that tests of all hosts compare.
import type { CompanyKit } from '../company-kit.ts';

/** As the API writes times. */
export const seconds = (time: string | null): string | null =>
  time === null ? null : new Date(time).toISOString().replace(/\.\d+Z$/, 'Z');

export const sortRows = <T extends object>(rows: readonly T[]): T[] =>
  [...rows].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

const LOGIN = (column: string) =>
  `(select max(a.login) from host_accounts a where a.entity_id = p.entity_id and a.committer_id = ${column})`;

export const pullRows = (kit: CompanyKit) =>
  kit.query(
    `select p.number, p.title, p.is_draft, p.opened_at, p.closed_at, p.merged_at, encode(p.head_sha, 'hex') as head_sha,
       encode(p.merge_sha, 'hex') as merge_sha, encode(p.squash_sha, 'hex') as squash_sha, p.merge_method, p.labels,
       p.closes_keys, ${LOGIN('p.author_id')} as author, ${LOGIN('p.merged_by_id')} as merger,
       cardinality(p.assignee_ids) as assignees,
       (select json_agg(encode(c.sha, 'hex') order by c.ordinal) from pull_request_commits c
        where c.pull_request_id = p.id and c.removed_at is null) as commits, p.incomplete_detail
     from pull_requests p order by p.number`,
  );

export const reviewRows = async (kit: CompanyKit) =>
  sortRows(
    await kit.query(
      `select p.number, v.state_em as state, v.submitted_at as at, ${LOGIN('v.reviewer_id')} as by
       from pull_request_reviews v join pull_requests p on p.id = v.pull_request_id where v.deleted_at is null`,
    ),
  );

export const commentRows = async (kit: CompanyKit) =>
  sortRows(
    await kit.query(
      `select p.number, c.external_id as id, ${LOGIN('c.author_id')} as by, c.commented_at as at, c.body, c.path, c.line,
         c.side, encode(c.commit_sha, 'hex') as commit_sha,
         (select count(*)::int from pull_request_comments o
          where o.pull_request_id = c.pull_request_id and o.thread_id = c.thread_id) as thread_size,
         c.resolved_at is not null as is_resolved, c.is_review_comment
       from pull_request_comments c join pull_requests p on p.id = c.pull_request_id where c.deleted_at is null`,
    ),
  );

export async function deliveryRows(kit: CompanyKit) {
  return {
    deployments: await kit.query(
      `select encode(sha, 'hex') as sha, environment, state, finished_at from host_deployments order by created_at`,
    ),
    runs: await kit.query(
      `select encode(sha, 'hex') as sha, name, branch, finished_at from workflow_runs order by created_at`,
    ),
    teams: await kit.query(
      `select t.slug, (select count(*)::int from host_team_members m where m.team_id = t.id) as members
       from host_teams t where t.deleted_at is null order by t.slug`,
    ),
  };
}

/** An hour passes, something changes, and the fresh walks are made. Returns the paths that were requested. */
export async function changesSince(kit: CompanyKit, change: () => void): Promise<string[]> {
  kit.clock = new Date(kit.clock.getTime() + 3_600_000);
  change();
  const before = kit.double.exchanges.length;
  await kit.collectAll();
  await kit.collect();
  return kit.double.exchanges.slice(before).map(({ request }) => request.path);
}
