// Statistics of releases, critical defects, issues and sprints, by hand.
import { checkExamples, type Example, FEB } from './examples.ts';

const SQUASHED = Buffer.alloc(20, 4);
const releases = [
  { id: 1, released_at: '2026-02-02T12:00:00Z', is_baseline: true },
  { id: 2, released_at: '2026-02-10T17:00:00Z' },
  { id: 3, released_at: '2026-02-17T17:00:00Z' },
  { id: 4, released_at: '2026-02-18T17:00:00Z', repo_id: 2 },
];
const commits = [
  { id: 1, author_id: 1, authored_at: '2026-01-05T12:00:00Z', authored_on: '2026-01-05' },
  { id: 2, author_id: 1, authored_at: '2026-02-09T09:00:00Z', authored_on: '2026-02-09' },
  { id: 3, author_id: 2, authored_at: '2026-02-10T09:00:00Z', authored_on: '2026-02-10' },
  { id: 4, author_id: 1, authored_at: '2026-02-13T09:00:00Z', authored_on: '2026-02-13', sha: SQUASHED },
];
const release_commits = [
  { commit_id: 1, release_id: 1 },
  { commit_id: 2, release_id: 2 },
  { commit_id: 3, release_id: 2 },
  { commit_id: 4, release_id: 3 },
];
const released = { releases, commits, release_commits };
/** Monday 9:00 → first commit Monday 11:00 → merged Monday 17:00 → released Tuesday 13:00 → for good Wednesday 9:00. */
const critical_defects = [
  {
    id: 1,
    detected_at: '2026-02-09T09:00:00Z',
    first_activity_at: '2026-02-09T11:00:00Z',
    first_fix_merged_at: '2026-02-09T17:00:00Z',
    first_fix_released_at: '2026-02-10T13:00:00Z',
    final_fix_released_at: '2026-02-11T09:00:00Z',
    origin_release_id: 1,
  },
  { id: 2, detected_at: '2026-02-20T09:00:00Z', origin_release_id: 1 },
];
const facts = { critical_defects };
/** The first was told of the one repo and fixed in the other too, the second is in the other, the third in neither. */
const inTwoRepos = {
  critical_defects: [
    { id: 1, repo_id: null, organization_id: 1, detected_at: '2026-02-03T00:00:00Z' },
    { id: 2, repo_id: 2, organization_id: 1, detected_at: '2026-02-04T00:00:00Z' },
    { id: 3, repo_id: null, detected_at: '2026-01-04T00:00:00Z' },
  ],
  defect_scopes: [{ defect_id: 1, organization_id: 1, repo_id: 1 }],
  defect_fixes: [{ defect_id: 1, repo_id: 2, released_at: '2026-02-05T00:00:00Z' }],
  teams: [{ id: 7, slug: 'red', name: 'Red' }],
  team_members: [{ team_id: 7, committer_id: 3 }],
  team_repos: [{ team_id: 7, organization_slug: 'org', repo_slug: 'one' }],
};

/** One bug in each of two repos, of one team, and one of nobody. */
const bugsOfTwo = {
  teams: [{ id: 1, slug: 'red', name: 'Red' }],
  team_members: [
    { team_id: 1, committer_id: 1 },
    { team_id: 1, committer_id: 2 },
  ],
  commits: [
    { id: 1, author_id: 1, authored_on: '2026-02-03', repo_id: 1 },
    { id: 2, author_id: 1, authored_on: '2026-02-03', repo_id: 2 },
  ],
  issues: [
    { id: 1, key: 'A-1', is_bug: true, opened_at: '2026-02-03T00:00:00Z', assignee_id: 1, is_escaped: false },
    { id: 2, key: 'A-2', is_bug: true, opened_at: '2026-02-03T00:00:00Z', assignee_id: 2, is_escaped: true },
    { id: 3, key: 'A-3', is_bug: true, opened_at: '2026-02-03T00:00:00Z', is_escaped: true },
  ],
  issue_commits: [
    { commit_id: 1, issue_id: 1, issue_count: 1 },
    { commit_id: 2, issue_id: 2, issue_count: 1 },
  ],
};

const delivery: Example[] = [
  { segment: 'release_count', facts: released, gives: { Releases: { [FEB]: 4 } } },
  {
    segment: 'release_count',
    when: 'by repo',
    facts: released,
    by: 'repo',
    gives: { one: { [FEB]: 3 }, two: { [FEB]: 1 } },
  },
  {
    segment: 'release_count',
    when: 'by team is by whose commits it held, or by the repos given',
    facts: {
      ...released,
      teams: [
        { id: 1, slug: 'a', name: 'A' },
        { id: 2, slug: 'b', name: 'B' },
      ],
      team_members: [
        { team_id: 1, committer_id: 1 },
        { team_id: 2, committer_id: 2 },
      ],
      team_repos: [{ team_id: 2, organization_slug: 'org', repo_slug: 'two' }],
    },
    by: 'team',
    gives: { A: { [FEB]: 2 }, B: { [FEB]: 1 } },
  },
  {
    segment: 'release_resolves_defect_count',
    facts: { releases, ...facts, defect_fixes: [{ defect_id: 1, release_id: 2 }] },
    gives: { 'Repairing releases': { [FEB]: 1 } },
  },
  {
    segment: 'release_defect_percent',
    facts: { releases, ...facts, defect_fixes: [{ defect_id: 1, release_id: 2 }] },
    gives: { 'Repairing share of releases': { [FEB]: 25 } },
  },
  {
    segment: 'release_defect_percent',
    when: 'is 0 where no release repaired anything',
    facts: { releases },
    gives: { 'Repairing share of releases': { [FEB]: 0 } },
  },
  { segment: 'change_failure_rate', facts: { releases, ...facts }, gives: { 'Change failure rate': { [FEB]: 25 } } },
  { segment: 'committer_deploy_count', facts: released, gives: { 'User 1': { [FEB]: 2 }, 'User 2': { [FEB]: 1 } } },
  {
    segment: 'dora_change_lead_time',
    when: 'of commits without issue or pull request',
    facts: released,
    // 2 days, 1 day, and Friday and Tuesday, with a holiday on Monday
    gives: { 'Lead time for changes': { [FEB]: 1.6667 } },
  },
  {
    segment: 'dora_change_lead_time',
    when: 'of an issue is one change, whatever the number of its commits',
    facts: {
      ...released,
      issues: [
        {
          id: 1,
          key: 'A-1',
          assignee_id: 1,
          first_commit_authored_at: '2026-02-09T09:00:00Z',
          released_at: '2026-02-10T17:00:00Z',
        },
      ],
      issue_commits: [
        { commit_id: 2, issue_id: 1, issue_count: 1 },
        { commit_id: 3, issue_id: 1, issue_count: 1 },
        { commit_id: 4, issue_id: 1, issue_count: 1 },
      ],
    },
    gives: { 'Lead time for changes': { [FEB]: 2 } },
  },
  {
    segment: 'dora_change_lead_time',
    when: 'of an issue that nobody is assigned to counts while no person is asked for',
    facts: {
      ...released,
      issues: [{ id: 1, key: 'A-1', released_at: '2026-02-17T17:00:00Z' }],
      issue_commits: [
        { commit_id: 3, issue_id: 1, issue_count: 1 },
        { commit_id: 4, issue_id: 1, issue_count: 1 },
      ],
    },
    // 2 days of the other commit; from Tuesday to Tuesday, with a holiday on Monday, of the issue
    gives: { 'Lead time for changes': { [FEB]: 3.5 } },
  },
  {
    segment: 'dora_change_lead_time',
    when: 'of a commit that names an epic is its own',
    facts: {
      ...released,
      issues: [{ id: 1, key: 'A-1', is_epic: true, type: 'Epic', released_at: '2026-02-17T17:00:00Z' }],
      issue_commits: [{ commit_id: 4, issue_id: 1, issue_count: 1 }],
    },
    gives: { 'Lead time for changes': { [FEB]: 1.6667 } },
  },
  {
    segment: 'dora_change_lead_time',
    when: 'counts a squashed pull request and the issue that its commit names once',
    facts: {
      ...released,
      issues: [{ id: 1, key: 'A-1', assignee_id: 1, released_at: '2026-02-17T17:00:00Z' }],
      issue_commits: [{ commit_id: 4, issue_id: 1, issue_count: 1 }],
      pull_requests: [
        {
          id: 1,
          author_id: 1,
          opened_at: '2026-02-12T09:00:00Z',
          merged_at: '2026-02-13T09:00:00Z',
          closed_at: '2026-02-13T09:00:00Z',
          first_commit_authored_at: '2026-02-03T09:00:00Z',
          released_at: '2026-02-17T17:00:00Z',
          squash_sha: SQUASHED,
        },
      ],
    },
    gives: { 'Lead time for changes': { [FEB]: 1.6667 } },
  },
  {
    segment: 'days_to_first_deploy',
    facts: released,
    // of developer 2 alone: developer 1 was in production with the baseline, whenever that was
    gives: { 'Days to first deploy': { [FEB]: 0 } },
  },
  {
    segment: 'days_to_first_deploy',
    when: 'is not known of somebody with commits before those that are imported',
    facts: {
      releases: [{ id: 2, released_at: '2026-02-10T17:00:00Z' }],
      commits: commits.slice(1, 3),
      release_commits: release_commits.slice(1, 3),
      committer_identities: [
        { committer_id: 1, address_key: 'one@example.com', first_authored_at: '2019-05-01T00:00:00Z' },
        { committer_id: 2, address_key: 'two@example.com', first_authored_at: '2026-02-10T09:00:00Z' },
      ],
    },
    gives: { 'Days to first deploy': { [FEB]: 0 } },
  },
  {
    segment: 'days_to_first_deploy',
    when: 'is not undone by a later baseline of another repo',
    facts: {
      releases: [
        { id: 1, released_at: '2026-02-02T12:00:00Z', is_baseline: true },
        { id: 2, released_at: '2026-02-10T17:00:00Z' },
        { id: 3, released_at: '2026-02-20T17:00:00Z', repo_id: 2, is_baseline: true },
      ],
      commits: [
        { id: 1, author_id: 1, authored_at: '2026-02-03T12:00:00Z', authored_on: '2026-02-03' },
        { id: 2, author_id: 1, authored_at: '2026-02-12T12:00:00Z', authored_on: '2026-02-12', repo_id: 2 },
      ],
      release_commits: [
        { commit_id: 1, release_id: 2 },
        { commit_id: 2, release_id: 3 },
      ],
    },
    gives: { 'Days to first deploy': { [FEB]: 7 } },
  },
  { segment: 'defect_detected_count', facts, gives: { 'Critical defects': { [FEB]: 2 } } },
  ...[
    { when: 'in two repos counts in each', by: 'repo' as const, gives: { one: { [FEB]: 1 }, two: { [FEB]: 2 } } },
    {
      when: 'in two repos counts once where both are asked for',
      scope: { repoIds: [1, 2] },
      gives: { 'Critical defects': { [FEB]: 2 } },
    },
    {
      when: 'in two repos counts where one is asked for',
      scope: { repoIds: [1] },
      gives: { 'Critical defects': { [FEB]: 1 } },
    },
    {
      when: 'in two repos counts for the team that was given one',
      by: 'team' as const,
      gives: { Red: { [FEB]: 1 } },
    },
  ].map((example): Example => ({ segment: 'defect_detected_count', facts: inTwoRepos, ...example })),
  { segment: 'detected_defect_fix_merged_count', facts, gives: { 'Defect fixes merged': { [FEB]: 1 } } },
  { segment: 'hours_to_fix_activity', facts, gives: { 'Hours to first fix commit': { [FEB]: 2 } } },
  { segment: 'hours_to_fix_merged', facts, gives: { 'Hours to merged fix': { [FEB]: 8 } } },
  { segment: 'mean_hours_to_first_repair', facts, gives: { 'Hours to first repair': { [FEB]: 12 } } },
  { segment: 'mean_hours_to_resolved', facts, gives: { 'Hours to resolution': { [FEB]: 16 } } },
  { segment: 'absolute_hours_to_first_repair', facts, gives: { 'Absolute hours to first repair': { [FEB]: 28 } } },
  { segment: 'absolute_hours_to_resolved', facts, gives: { 'Absolute hours to resolution': { [FEB]: 48 } } },
  {
    segment: 'bug_escape_rate',
    when: 'counts a defect and its issue once',
    facts: {
      issues: [
        { id: 1, key: 'A-1', is_bug: true, opened_at: '2026-02-03T00:00:00Z', is_escaped: false },
        { id: 2, key: 'A-2', is_bug: true, opened_at: '2026-02-03T00:00:00Z', is_escaped: true },
        { id: 3, key: 'A-3', is_bug: true, opened_at: '2026-02-03T00:00:00Z' },
        { id: 4, key: 'A-4', opened_at: '2026-02-03T00:00:00Z' },
      ],
      critical_defects: [
        { id: 1, issue_id: 3, detected_at: '2026-02-03T00:00:00Z' },
        { id: 2, detected_at: '2026-02-05T00:00:00Z' },
      ],
    },
    gives: { 'Bug escape rate': { [FEB]: 75 } },
  },
  {
    segment: 'bug_escape_rate',
    when: 'of a repo is about the bugs and defects of that repo',
    facts: {
      commits: [
        { id: 1, author_id: 1, authored_on: '2026-02-03', repo_id: 1 },
        { id: 2, author_id: 1, authored_on: '2026-02-03', repo_id: 2 },
      ],
      issues: [
        { id: 1, key: 'A-1', is_bug: true, opened_at: '2026-02-03T00:00:00Z', is_escaped: false },
        { id: 2, key: 'A-2', is_bug: true, opened_at: '2026-02-03T00:00:00Z', is_escaped: true },
        { id: 3, key: 'A-3', is_bug: true, opened_at: '2026-02-03T00:00:00Z', is_escaped: true },
      ],
      issue_commits: [
        { commit_id: 1, issue_id: 1, issue_count: 1 },
        { commit_id: 2, issue_id: 2, issue_count: 1 },
      ],
      // its id is that of an issue of the other repo
      critical_defects: [{ id: 2, detected_at: '2026-02-05T00:00:00Z' }],
    },
    scope: { repoIds: [1] },
    gives: { 'Bug escape rate': { [FEB]: 50 } },
  },
  {
    segment: 'bug_escape_rate',
    when: 'by repo is of the repos of their commits',
    facts: bugsOfTwo,
    by: 'repo',
    gives: { one: { [FEB]: 0 }, two: { [FEB]: 100 } },
  },
  {
    segment: 'bug_escape_rate',
    when: 'by team is of those who work on them',
    facts: bugsOfTwo,
    by: 'team',
    gives: { Red: { [FEB]: 50 } },
  },
];

const resolved = '2026-02-10T17:00:00Z';
const issues = [
  {
    id: 1,
    key: 'A-1',
    type: 'Story',
    assignee_id: 1,
    story_points: 300,
    opened_at: '2026-02-02T09:00:00Z',
    started_at: '2026-02-09T09:00:00Z',
    resolved_at: resolved,
    released_at: '2026-02-11T17:00:00Z',
  },
  {
    id: 2,
    key: 'A-2',
    type: 'Bug',
    is_bug: true,
    assignee_id: 2,
    story_points: 150,
    opened_at: '2026-02-10T09:00:00Z',
    started_at: '2026-02-10T13:00:00Z',
    resolved_at: resolved,
  },
  { id: 3, key: 'A-3', type: 'Story', assignee_id: 2, story_points_estimated: 200, resolved_at: resolved },
  { id: 4, key: 'A-4', type: 'Epic', is_epic: true, story_points: 900, resolved_at: resolved },
  { id: 5, key: 'A-5', type: 'Sub-task', is_subtask: true, resolved_at: resolved },
  { id: 6, key: 'A-6', type: 'Story', story_points: 500 },
];
const daily_commits = [
  { committer_id: 1, authored_on: '2026-02-03' },
  { committer_id: 3, authored_on: '2026-02-03' },
];

const tracked: Example[] = [
  { segment: 'epics_resolved_count', facts: { issues }, gives: { 'Epics finished': { [FEB]: 1 } } },
  { segment: 'issue_business_days_to_fix', facts: { issues }, gives: { 'Days to fix a bug': { [FEB]: 1 } } },
  // Monday to Wednesday, and half a Tuesday
  { segment: 'issue_days_lead_time', facts: { issues }, gives: { 'Issue lead time': { [FEB]: 1.75 } } },
  {
    segment: 'issues_resolved_per_active_developer',
    facts: { issues, daily_commits },
    gives: { 'Issues resolved per developer': { [FEB]: 1.5 } },
  },
  { segment: 'story_points_resolved', facts: { issues }, gives: { 'Story points resolved': { [FEB]: 4.5 } } },
  {
    segment: 'story_points_resolved_estimated',
    facts: { issues },
    gives: { 'Story points resolved, estimated': { [FEB]: 6.5 } },
  },
  {
    segment: 'story_points_per_active_developer',
    facts: { issues, daily_commits },
    gives: { 'Story points per developer': { [FEB]: 2.25 } },
  },
  { segment: 'story_points_per_assignee', facts: { issues }, gives: { 'Story points per assignee': { [FEB]: 2.25 } } },
  {
    segment: 'team_story_points_complete',
    facts: {
      issues,
      teams: [{ id: 1, slug: 'a', name: 'A' }],
      team_members: [{ team_id: 1, committer_id: 2 }],
    },
    gives: { A: { [FEB]: 1.5 } },
  },
  {
    segment: 'ticket_type_story_points',
    facts: { issues },
    gives: { Story: { [FEB]: 3 }, Bug: { [FEB]: 1.5 }, 'Sub-task': { [FEB]: 0 } },
  },
];

/** Planned: A-1 (3, done) and A-6 (5, not done). Added later: A-2 (1.5, done). Taken out before it began: A-3. */
const sprint = {
  issues,
  teams: [{ id: 1, slug: 'a', name: 'A' }],
  sprints: [{ id: 1, team_id: 1, name: 'S', starts_at: '2026-02-02T09:00:00Z', ends_at: '2026-02-13T17:00:00Z' }],
  sprint_issues: [
    { sprint_id: 1, issue_id: 1, added_at: '2026-02-01T00:00:00Z', story_points_at_start: 200 },
    { sprint_id: 1, issue_id: 6, added_at: '2026-02-01T00:00:00Z' },
    { sprint_id: 1, issue_id: 2, added_at: '2026-02-04T00:00:00Z' },
    { sprint_id: 1, issue_id: 3, added_at: '2026-01-30T00:00:00Z', removed_at: '2026-02-01T00:00:00Z' },
  ],
};
const sprints: Example[] = [
  { segment: 'sprint_start_story_points_committed', facts: sprint, gives: { 'Story points committed': { [FEB]: 7 } } },
  { segment: 'sprint_end_story_points_completed', facts: sprint, gives: { 'Story points completed': { [FEB]: 4.5 } } },
  {
    segment: 'sprint_end_story_points_completed',
    when: 'by team',
    facts: sprint,
    by: 'team',
    gives: { A: { [FEB]: 4.5 } },
  },
  { segment: 'story_points_velocity', facts: sprint, gives: { 'Planning accuracy': { [FEB]: 28.5714 } } },
  { segment: 'unplanned_work_story_points_percent', facts: sprint, gives: { 'Unplanned work': { [FEB]: 33.3333 } } },
];

checkExamples([...delivery, ...tracked, ...sprints]);
