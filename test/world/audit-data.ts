// A small company by hand, for audits: every record as a plain object, and the rows that it becomes. The
// objects are what filters are checked against, so nothing here asks the database what it holds.
import type { Store } from '../../src/storage/database/handle.ts';
import { seedCommitter, seedRepo, shaOf } from '../operations/seed-records.ts';

export const NOW = new Date('2026-06-30T12:00:00Z');

export type Who = 'ada' | 'bob' | 'cyd';
/** Ada also commits as ada-laptop. */
export type Identity = Who | 'ada-laptop';
export const rootOf = (identity: Identity): Who => (identity === 'ada-laptop' ? 'ada' : identity);

export interface Membership {
  readonly team: 'alpha' | 'beta';
  readonly who: Who;
  readonly from: string | null;
  readonly until: string | null;
}
export const MEMBERSHIPS: readonly Membership[] = [
  { team: 'alpha', who: 'ada', from: null, until: null },
  { team: 'alpha', who: 'bob', from: null, until: '2026-03-01' },
  { team: 'beta', who: 'cyd', from: '2026-02-01', until: null },
];
/** Beta works in one repo only. */
export const TEAM_REPOS: Readonly<Record<string, readonly string[] | null>> = { alpha: null, beta: ['shop/api'] };

export const REPOS = ['shop/web', 'shop/api', 'lab/tool'] as const;
export type Repo = (typeof REPOS)[number];

export interface Commit {
  readonly name: string;
  readonly repo: Repo;
  readonly author: Identity;
  readonly at: string;
  readonly presence?: 'rewritten' | 'removed';
  readonly offDefault?: boolean;
  readonly parents?: readonly string[];
  readonly derivedFrom?: string;
  readonly delta?: number;
}
export const COMMITS: readonly Commit[] = [
  { name: 'w1', repo: 'shop/web', author: 'ada', at: '2026-01-05T10:00:00Z', delta: 1500 },
  { name: 'w2', repo: 'shop/web', author: 'ada-laptop', at: '2026-02-10T10:00:00Z', parents: ['w1'] },
  { name: 'w3', repo: 'shop/web', author: 'bob', at: '2026-02-27T10:00:00Z', parents: ['w2'] },
  { name: 'w4', repo: 'shop/web', author: 'bob', at: '2026-03-01T10:00:00Z', parents: ['w3'] },
  { name: 'w5', repo: 'shop/web', author: 'cyd', at: '2026-03-02T23:30:00Z', parents: ['w4'] },
  { name: 'topic1', repo: 'shop/web', author: 'ada', at: '2026-03-03T10:00:00Z', offDefault: true, parents: ['w4'] },
  {
    name: 'topic2',
    repo: 'shop/web',
    author: 'ada',
    at: '2026-03-04T10:00:00Z',
    offDefault: true,
    parents: ['topic1'],
    derivedFrom: 'w5',
  },
  { name: 'gone', repo: 'shop/web', author: 'bob', at: '2026-03-05T10:00:00Z', offDefault: true, presence: 'removed' },
  { name: 'a1', repo: 'shop/api', author: 'cyd', at: '2026-01-20T10:00:00Z' },
  { name: 'a2', repo: 'shop/api', author: 'cyd', at: '2026-02-20T10:00:00Z', parents: ['a1'] },
  { name: 'a3', repo: 'shop/api', author: 'ada', at: '2026-04-20T10:00:00Z', parents: ['a2'] },
  { name: 't1', repo: 'lab/tool', author: 'bob', at: '2026-04-21T10:00:00Z' },
];

export interface PullRequest {
  readonly number: number;
  readonly repo: Repo;
  readonly author: Identity | null;
  readonly opened: string;
  readonly closed?: string;
  readonly merged?: boolean;
  readonly lastActivity: string;
  readonly commits?: readonly string[];
  readonly squash?: string;
}
export const PULL_REQUESTS: readonly PullRequest[] = [
  {
    number: 1,
    repo: 'shop/web',
    author: 'ada',
    opened: '2026-01-06T10:00:00Z',
    closed: '2026-01-09T10:00:00Z',
    merged: true,
    lastActivity: '2026-01-09T10:00:00Z',
    commits: ['w1', 'w2'],
  },
  {
    number: 2,
    repo: 'shop/web',
    author: 'bob',
    opened: '2026-02-28T10:00:00Z',
    closed: '2026-03-20T10:00:00Z',
    lastActivity: '2026-03-20T10:00:00Z',
    commits: ['w3'],
  },
  {
    number: 3,
    repo: 'shop/web',
    author: 'ada-laptop',
    opened: '2026-03-03T12:00:00Z',
    lastActivity: '2026-06-29T10:00:00Z',
    commits: ['topic1', 'topic2'],
  },
  { number: 4, repo: 'shop/web', author: null, opened: '2026-05-01T10:00:00Z', lastActivity: '2026-05-02T10:00:00Z' },
  {
    number: 1,
    repo: 'shop/api',
    author: 'cyd',
    opened: '2026-02-20T12:00:00Z',
    closed: '2026-02-25T10:00:00Z',
    merged: true,
    lastActivity: '2026-02-25T10:00:00Z',
    commits: ['a2'],
    squash: 'a3',
  },
  // Ten business days before the 30th of June, with Juneteenth between: the 15th.
  { number: 2, repo: 'shop/api', author: 'cyd', opened: '2026-06-01T10:00:00Z', lastActivity: '2026-06-15T11:59:00Z' },
  { number: 3, repo: 'shop/api', author: 'bob', opened: '2026-06-01T11:00:00Z', lastActivity: '2026-06-15T12:01:00Z' },
];

export interface Issue {
  readonly key: string;
  readonly provider: 'tracker_a' | 'hostC' | 'generic';
  readonly status: string;
  readonly assignee: Identity | null;
  readonly opened: string;
  readonly resolved?: string;
  readonly isCritical?: boolean;
  readonly commits?: readonly string[];
}
export const ISSUES: readonly Issue[] = [
  {
    key: 'WEB-12',
    provider: 'tracker_a',
    status: 'Done',
    assignee: 'ada',
    opened: '2026-01-02T10:00:00Z',
    resolved: '2026-01-10T10:00:00Z',
    commits: ['w1', 'w2'],
  },
  {
    key: 'API-12',
    provider: 'tracker_a',
    status: 'In Progress',
    assignee: 'cyd',
    opened: '2026-02-15T10:00:00Z',
    commits: ['a2'],
  },
  {
    key: 'WEB-112',
    provider: 'tracker_a',
    status: 'done',
    assignee: 'bob',
    opened: '2026-02-20T10:00:00Z',
    resolved: '2026-03-20T10:00:00Z',
    isCritical: true,
  },
  {
    key: '12',
    provider: 'hostC',
    status: 'open',
    assignee: null,
    opened: '2026-03-02T10:00:00Z',
    commits: ['w5', 'a3'],
  },
  {
    key: 'tool#7',
    provider: 'generic',
    status: 'Done',
    assignee: 'ada-laptop',
    opened: '2026-04-01T10:00:00Z',
    resolved: '2026-04-22T10:00:00Z',
    isCritical: true,
    commits: ['t1'],
  },
];

export interface Tag {
  readonly repo: Repo;
  readonly name: string;
  readonly commit: string;
  readonly at: string;
}
export const TAGS: readonly Tag[] = [
  { repo: 'shop/web', name: 'v1.0', commit: 'w2', at: '2026-02-11T10:00:00Z' },
  { repo: 'shop/web', name: 'v1.1-RC', commit: 'w4', at: '2026-03-02T10:00:00Z' },
  { repo: 'shop/api', name: 'v1.0', commit: 'a2', at: '2026-02-21T10:00:00Z' },
  { repo: 'lab/tool', name: 'nightly', commit: 't1', at: '2026-04-22T10:00:00Z' },
];

export interface Release {
  readonly name: string;
  readonly repo: Repo;
  readonly at: string;
  readonly deployer: Who | null;
  readonly sha: string;
  readonly commits: readonly string[];
}
export const RELEASES: readonly Release[] = [
  { name: 'one', repo: 'shop/web', at: '2026-02-11T10:00:00Z', deployer: 'bob', sha: 'w2', commits: ['w1', 'w2'] },
  { name: 'two', repo: 'shop/web', at: '2026-03-10T10:00:00Z', deployer: null, sha: 'w5', commits: ['w3', 'w4', 'w5'] },
  { name: 'api', repo: 'shop/api', at: '2026-02-22T10:00:00Z', deployer: 'cyd', sha: 'a2', commits: ['a1', 'a2'] },
];

export interface Defect {
  readonly key: string;
  readonly repo: Repo | null;
  readonly organization: 'shop' | 'lab' | null;
  readonly fixedIn?: Repo;
  readonly at: string;
  readonly resolved?: string;
  readonly issue?: string;
  readonly commits: readonly string[];
}
export const DEFECTS: readonly Defect[] = [
  {
    key: 'd1',
    repo: 'shop/web',
    organization: 'shop',
    at: '2026-02-26T10:00:00Z',
    resolved: '2026-03-10T10:00:00Z',
    commits: ['w3'],
  },
  { key: 'd2', repo: null, organization: 'shop', at: '2026-03-15T10:00:00Z', commits: [] },
  {
    key: 'd3',
    repo: null,
    organization: null,
    fixedIn: 'lab/tool',
    at: '2026-04-01T10:00:00Z',
    resolved: '2026-04-22T10:00:00Z',
    issue: 'tool#7',
    commits: ['t1'],
  },
];

export interface Usage {
  readonly model: string;
  readonly who: Identity | null;
  readonly team: 'alpha' | 'beta' | null;
  readonly on: string;
}
export const USAGES: readonly Usage[] = [
  { model: 'm1', who: 'ada', team: null, on: '2026-01-05' },
  { model: 'm2', who: 'ada-laptop', team: null, on: '2026-03-02' },
  { model: 'm3', who: 'bob', team: null, on: '2026-03-01' },
  { model: 'm4', who: null, team: 'beta', on: '2026-02-10' },
  { model: 'm5', who: null, team: null, on: '2026-02-10' },
  { model: 'm6', who: 'cyd', team: null, on: '2026-01-31' },
];

export interface Remark {
  readonly id: string;
  readonly pull: PullRequest;
  readonly who: Identity | null;
  readonly at: string;
  readonly commit?: string;
}
const [PULL_1, PULL_2, , , API_1] = PULL_REQUESTS as readonly [
  PullRequest,
  PullRequest,
  PullRequest,
  PullRequest,
  PullRequest,
];
export const REVIEWS: readonly Remark[] = [
  { id: 'r1', pull: PULL_1, who: 'bob', at: '2026-01-07T10:00:00Z' },
  { id: 'r2', pull: PULL_2, who: 'ada-laptop', at: '2026-03-02T10:00:00Z' },
  { id: 'r3', pull: API_1, who: 'bob', at: '2026-03-02T10:00:00Z' },
  { id: 'r4', pull: API_1, who: null, at: '2026-02-22T10:00:00Z' },
];
export const COMMENTS: readonly Remark[] = [
  { id: 'c1', pull: PULL_1, who: 'cyd', at: '2026-01-07T10:00:00Z', commit: 'w1' },
  { id: 'c2', pull: API_1, who: 'cyd', at: '2026-02-21T10:00:00Z', commit: 'a2' },
  { id: 'c3', pull: PULL_2, who: 'ada', at: '2026-03-02T10:00:00Z' },
];

export interface Sprint {
  readonly name: string;
  readonly team: 'alpha' | 'beta' | null;
  readonly starts: string;
}
export const SPRINTS: readonly Sprint[] = [
  { name: 's1', team: 'alpha', starts: '2026-01-05T00:00:00Z' },
  { name: 's2', team: null, starts: '2026-03-02T00:00:00Z' },
];

const bytes = (name: string): Buffer => Buffer.from(shaOf(name), 'hex');

/** Puts all of it into the entity. */
export async function seedAuditData(store: Store, entityId: number): Promise<void> {
  const query = async (text: string, values: readonly unknown[]): Promise<number> =>
    (await store.pool.query<{ id: number }>(text, [entityId, ...values])).rows[0]?.id ?? 0;
  const people = new Map<string, number>();
  for (const [userName, providerId] of [
    ['ada', '4711'],
    ['bob', '4712'],
    ['cyd', '4713'],
  ] as const) {
    people.set(
      userName,
      await seedCommitter(store, entityId, { userName, email: `${userName}@example.com`, providerId }),
    );
  }
  people.set(
    'ada-laptop',
    await seedCommitter(store, entityId, { userName: 'ada-laptop', email: 'ada@laptop.local', childOf: 'ada' }),
  );
  const idOf = (who: string | null): number | null => (who === null ? null : people.get(who)!);
  const repos = new Map<string, number>();
  for (const path of REPOS) repos.set(path, await seedRepo(store, entityId, path));

  const teams = new Map<string, number>();
  for (const slug of ['alpha', 'beta']) {
    teams.set(
      slug,
      await query('insert into teams (entity_id, slug, name) values ($1, $2, initcap($2)) returning id', [slug]),
    );
  }
  await query(
    `insert into teams (entity_id, slug, name, is_default) values ($1, 'all-contributors', 'All Contributors', true)
     on conflict do nothing`,
    [],
  );
  for (const { team, who, from, until } of MEMBERSHIPS) {
    await query(
      `insert into team_members (entity_id, team_id, committer_id, identifier, role_em, from_on, until_on)
       values ($1, $2, $3, $4, 'committer_role', $5, $6)`,
      [teams.get(team), idOf(who), who, from, until],
    );
  }
  await query(`insert into team_repos values ($1, $2, 'shop', 'api')`, [teams.get('beta')]);

  const commits = new Map<string, number>();
  for (const commit of COMMITS) {
    const children = COMMITS.filter((other) => other.parents?.includes(commit.name)).map((other) => shaOf(other.name));
    const id = await query(
      `insert into commits (entity_id, repo_id, author_id, author_signature_id, authored_at, committed_at, entered_at,
         authored_on, state, presence, contributor_kind, file_count, authored_zone, committed_zone, is_merge,
         on_default_branch, sha, parents, children, message, delta, derived_from)
       values ($1, $2, $3, 0, $4, $4, $4, ($4::timestamptz at time zone 'UTC')::date, 'analysis_complete', $5, 'unknown',
         1, 0, 0, false, $6, $7, $8, $9, $10, $11, $12) returning id`,
      [
        repos.get(commit.repo),
        idOf(commit.author),
        commit.at,
        commit.presence ?? 'existent',
        !(commit.offDefault ?? false),
        bytes(commit.name),
        Buffer.concat((commit.parents ?? []).map(bytes)),
        Buffer.from(children.toSorted().join(''), 'hex'),
        commit.name,
        commit.delta ?? null,
        commit.derivedFrom === undefined ? null : bytes(commit.derivedFrom),
      ],
    );
    commits.set(commit.name, id);
  }
  for (const [repo, name, head] of [
    ['shop/web', 'main', 'w5'],
    ['shop/web', 'topic', 'topic2'],
    ['shop/api', 'main', 'a3'],
  ] as const) {
    await query(
      'insert into branches (entity_id, repo_id, updated_at, name, head_sha) values ($1, $2, now(), $3, $4)',
      [repos.get(repo), name, bytes(head)],
    );
  }

  const pulls = new Map<PullRequest, number>();
  for (const pull of PULL_REQUESTS) {
    const id = await query(
      `insert into pull_requests (entity_id, repo_id, number, title, branch_name, base_branch, author_id, created_at,
         opened_at, closed_at, merged_at, last_activity_at, squash_sha, business_minutes_cycle_time)
       values ($1, $2, $3, 'Title', 'topic', 'main', $4, $5, $5, $6, $7, $8, $9, 90) returning id`,
      [
        repos.get(pull.repo),
        pull.number,
        idOf(pull.author),
        pull.opened,
        pull.closed ?? null,
        pull.merged ? pull.closed : null,
        pull.lastActivity,
        pull.squash === undefined ? null : bytes(pull.squash),
      ],
    );
    pulls.set(pull, id);
    for (const [ordinal, name] of (pull.commits ?? []).entries()) {
      await query('insert into pull_request_commits values ($1, $2, $3, $4, $5)', [
        id,
        ordinal,
        repos.get(pull.repo),
        bytes(name),
      ]);
    }
  }

  const issues = new Map<string, number>();
  for (const issue of ISSUES) {
    const id = await query(
      `insert into issues (entity_id, provider_em, key, title, type, status, is_critical_defect, assignee_id, opened_at,
         resolved_at, story_points) values ($1, $2, $3, 'Title', 'Bug', $4, $5, $6, $7, $8, 250) returning id`,
      [
        issue.provider,
        issue.key,
        issue.status,
        issue.isCritical ?? false,
        idOf(issue.assignee),
        issue.opened,
        issue.resolved ?? null,
      ],
    );
    issues.set(issue.key, id);
    for (const name of issue.commits ?? [])
      await query('insert into issue_commits values ($1, $2, $3, 1)', [commits.get(name), id]);
  }
  for (const tag of TAGS) {
    await query('insert into tags (entity_id, repo_id, tagged_at, name, sha) values ($1, $2, $3, $4, $5)', [
      repos.get(tag.repo),
      tag.at,
      tag.name,
      bytes(tag.commit),
    ]);
  }
  await query(`insert into tags values ($1, $2, now(), now(), 'v0-gone', '\\x00')`, [repos.get('shop/web')]);
  for (const release of RELEASES) {
    const id = await query(
      `insert into releases (entity_id, repo_id, name, release_sha, released_at, triggered_by, deployed_by_committer_id)
       values ($1, $2, $3, $4, $5, 'api', $6) returning id`,
      [repos.get(release.repo), release.name, bytes(release.sha), release.at, idOf(release.deployer)],
    );
    for (const name of release.commits)
      await query('insert into release_commits values ($1, $2, $3)', [commits.get(name), id]);
  }
  for (const defect of DEFECTS) {
    const id = await query(
      `insert into critical_defects (entity_id, defect_key, source_em, organization_id, repo_id, issue_id, detected_at,
         final_fix_released_at)
       values ($1, $2, 'api', (select id from organizations where entity_id = $1 and slug = $3), $4, $5, $6, $7) returning id`,
      [
        defect.key,
        defect.organization,
        defect.repo === null ? null : repos.get(defect.repo),
        defect.issue === undefined ? null : issues.get(defect.issue),
        defect.at,
        defect.resolved ?? null,
      ],
    );
    if (defect.fixedIn !== undefined) {
      await query('insert into defect_fixes (entity_id, defect_id, repo_id) values ($1, $2, $3)', [
        id,
        repos.get(defect.fixedIn),
      ]);
    }
    for (const name of defect.commits)
      await query(`insert into defect_commits values ($1, $2, $3, 'sha')`, [id, commits.get(name)]);
  }
  for (const usage of USAGES) {
    await query(
      `insert into ai_usages (entity_id, used_on, committer_id, team_id, llm_model_name, ai_provider_em, cost_microcents)
       values ($1, $2, $3, $4, $5, 'custom', 1500000)`,
      [usage.on, idOf(usage.who), usage.team === null ? null : teams.get(usage.team), usage.model],
    );
  }
  for (const review of REVIEWS) {
    await query(
      `insert into pull_request_reviews (entity_id, pull_request_id, external_id, reviewer_id, is_bot, is_by_author, state_em,
         submitted_at) values ($1, $2, $3, $4, false, false, 'approved', $5)`,
      [pulls.get(review.pull), review.id, idOf(review.who), review.at],
    );
  }
  for (const comment of COMMENTS) {
    await query(
      `insert into pull_request_comments (entity_id, pull_request_id, external_id, author_id, is_bot, is_by_author,
         is_review_comment, body, commit_sha, commented_at) values ($1, $2, $3, $4, false, false, false, $3, $5, $6)`,
      [
        pulls.get(comment.pull),
        comment.id,
        idOf(comment.who),
        comment.commit === undefined ? null : bytes(comment.commit),
        comment.at,
      ],
    );
  }
  for (const sprint of SPRINTS) {
    await query(
      `insert into sprints (entity_id, board_id, team_id, name, starts_at, ends_at)
       values ($1, 'b', $2, $3, $4, $4::timestamptz + interval '14 days')`,
      [sprint.team === null ? null : teams.get(sprint.team), sprint.name, sprint.starts],
    );
  }
}
