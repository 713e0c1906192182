// A company of numbers, made from a seed: every table that statistics read, with facts that fit together as an
// import would have left them. The daily tables are filled by the code that fills them in the service.

import { summarizeShipped } from '../../src/derive/delivery/releases-shipped.ts';
import { deriveSprintParts } from '../../src/derive/work/derive-sprint-parts.ts';
import { FILE_MEASURES } from '../../src/domain/commits/file-measures.ts';
import { creditUsages } from '../../src/storage/ai/usage-credits.ts';
import { reconcileRollups } from '../../src/storage/commits/rollups.ts';
import type { Store } from '../../src/storage/database/handle.ts';
import { insertRows } from './facts-kit.ts';
import { sumAllUsageWeeks } from './sum-usage-weeks.ts';

const DAY_MS = 86_400_000;
export const FIRST_DAY = '2026-01-05';
const DAYS = 80;

function createRandom(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const MEASURED = [
  'lines_added',
  'lines_deleted',
  'lines_updated',
  'lines_moved',
  'lines_copy_pasted',
  'lines_find_replaced',
];

export async function seedExplainedCompany(store: Store, entityId: number, seed: number): Promise<void> {
  const random = createRandom(seed);
  const pick = <T>(items: readonly T[]): T => items[random(items.length)]!;
  const insert = (table: string, rows: readonly Record<string, unknown>[]) =>
    insertRows(
      store,
      table,
      rows.map((row) => ({ entity_id: entityId, ...row })),
    );
  const at = (day: number, minute = random(1440)): string =>
    new Date(Date.parse(`${FIRST_DAY}T00:00:00Z`) + day * DAY_MS + minute * 60_000).toISOString();
  const dateOf = (time: string): string => time.slice(0, 10);
  const ids = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

  await insert('organizations', [{ id: 1, slug: 'org', name: 'Org' }]);
  await insert(
    'repos',
    ids(3).map((id) => ({
      id,
      organization_id: 1,
      slug: `repo${id}`,
      name: `repo${id}`,
      source_kind: 'path',
      default_branch: 'main',
    })),
  );
  await insert(
    'committers',
    ids(6).map((id) => ({
      id,
      // The fifth is another identity of the first; the sixth has no statistics.
      root_committer_id: id === 5 ? 1 : id,
      processing_status: id === 6 ? 'limited_processing' : 'processing_stats',
      committer_user_name: `user${id}`,
      full_name: `User ${id}`,
      email: `user${id}@example.com`,
      created_at: at(0, 0),
    })),
  );
  await insert(
    'teams',
    [1, 2].map((id) => ({ id: 100 + id, slug: `team${id}`, name: `Team ${id}` })),
  );
  await insert(
    'team_members',
    [1, 2, 3, 4].map((id) => ({
      team_id: 101 + (id % 2),
      committer_id: id,
      identifier: `user${id}`,
      role_em: 'committer_role',
    })),
  );

  const commits: { id: number; repo: number; author: number; at: string; sha: Buffer }[] = [];
  const files: Record<string, unknown>[] = [];
  const credits: Record<string, unknown>[] = [];
  const flows: Record<string, unknown>[] = [];
  const rows = ids(160).map((id) => {
    const time = at(Math.floor(((id - 1) * DAYS) / 160));
    const sha = Buffer.from(id.toString(16).padStart(40, '0'), 'hex');
    const author = 1 + random(6);
    const repo = 1 + random(3);
    const isAi = random(3) === 0;
    const isCounted = random(10) > 0;
    commits.push({ id, repo, author, at: time, sha });
    let delta = 0;
    let changed = 0;
    let aiLines = 0;
    for (let file = 0; file < 1 + random(2); file++) {
      const measures: Record<string, number> = Object.fromEntries(FILE_MEASURES.map((name) => [name, 0]));
      for (const name of MEASURED) measures[name] = random(20);
      measures.lines_churned = random(5);
      measures.duplicate_lines = random(5);
      measures.calls = random(30);
      measures.delta_added = random(40_000);
      measures.delta_updated = random(20_000);
      measures.delta_new = measures.delta_added;
      measures.delta_lt_1m = measures.delta_updated;
      measures.doc_delta = random(1000);
      if (isAi) {
        measures.ai_lines_added = measures.lines_added! * 500;
        measures.ai_lines_deleted = measures.lines_deleted! * 500;
        measures.ai_lines_changed = MEASURED.reduce((sum, name) => sum + measures[name]! * 500, 0);
        measures.ai_delta = measures.delta_added / 2;
      }
      delta += measures.delta_added + measures.delta_updated;
      changed += MEASURED.reduce((sum, name) => sum + measures[name]!, 0);
      aiLines += measures.ai_lines_changed ?? 0;
      files.push({
        commit_id: id,
        ...measures,
        ai_delta: Math.floor(measures.ai_delta ?? 0),
        status: 'modified',
        file_index: file,
        category: 1 + random(12),
        path: `f${file}`,
      });
    }
    if (isAi) {
      credits.push({
        commit_id: id,
        source: 'co_author',
        position: 0,
        model: pick(['m1', 'm2']),
        provider: pick(['vendorA_assistant', 'other']),
      });
    }
    if (id > 20) {
      flows.push({
        commit_id: id,
        origin_commit_id: id - 1 - random(20),
        lines_deleted: random(4),
        lines_updated: random(4),
        lines_moved: 0,
        lines_find_replaced: 0,
        age: pick(['lt_2w', 'lt_1m']),
        flow_index: 0,
        category: 10,
      });
    }
    return {
      id,
      repo_id: repo,
      author_id: author,
      author_signature_id: 1,
      authored_at: time,
      committed_at: time,
      entered_at: time,
      authored_on: dateOf(time),
      delta,
      ai_lines_changed: aiLines === 0 ? null : aiLines,
      state: 'analysis_complete',
      presence: 'existent',
      contributor_kind: isAi ? 'mixed' : 'unknown',
      not_counted: isCounted ? null : 'squash_source',
      file_count: 1,
      lines_added: changed,
      authored_zone: 0,
      committed_zone: 0,
      is_merge: false,
      on_default_branch: true,
      sha,
      parents: Buffer.alloc(0),
      children: Buffer.alloc(0),
      message: `c${id}`,
    };
  });
  await insert('commits', rows);
  await insert('commit_files', files);
  await insert('commit_ai', credits);
  await insert('line_flows', flows);
  await reconcileRollups(store.db, entityId, 'entity');
  await insert(
    'commit_traits',
    commits.map(({ id }) => ({
      commit_id: id,
      minutes_used: random(120),
      bug_share: random(1000),
      opex_share: random(1000),
      pull_request_phase: pick(['Preparing', 'Under review', 'After merge', 'No pull request']),
    })),
  );

  const usages = new Map<string, Record<string, unknown>>();
  for (let n = 0; n < 120; n++) {
    const row = {
      used_on: dateOf(at(random(DAYS))),
      committer_id: pick([1, 2, 3, 4, 5, null]),
      llm_model_name: pick(['m1', 'm2', 'm3']),
    };
    usages.set(JSON.stringify(row), {
      ...row,
      ai_provider_em: pick(['vendorA_assistant', 'vendorB_editor']),
      lines_added: random(100),
      lines_deleted: random(50),
      prompted_suggest_count: 10 + random(10),
      prompted_accept_count: random(10),
      tab_suggest_count: 10 + random(10),
      tab_accept_count: random(10),
      cost_microcents: random(50_000) * 10_000,
    });
  }
  await insert('ai_usages', [...usages.values()]);

  await insert(
    'releases',
    ids(12).map((id) => ({
      id,
      repo_id: 1 + (id % 3),
      name: `r${id}`,
      released_at: at(id * 6),
      triggered_by: 'api',
      is_baseline: id <= 3,
      deployed_by_committer_id: 1 + random(4),
    })),
  );
  await insert(
    'release_commits',
    commits.flatMap(({ id, repo }) => {
      const release = ids(12).find(
        (each) => 1 + (each % 3) === repo && each * 6 >= Math.floor(((id - 1) * DAYS) / 160),
      );
      return release === undefined ? [] : [{ commit_id: id, release_id: release }];
    }),
  );

  await insert(
    'pull_requests',
    ids(40).map((id) => {
      const day = random(DAYS - 10);
      const ending = random(3);
      const closed = at(day + 2 + random(6));
      return {
        id,
        repo_id: 1 + random(3),
        number: id,
        title: 't',
        branch_name: 'b',
        base_branch: 'main',
        author_id: 1 + random(6),
        is_author_bot: random(8) === 0,
        created_at: at(day, 0),
        opened_at: at(day, 10),
        closed_at: ending === 0 ? null : closed,
        merged_at: ending === 1 ? closed : null,
        last_activity_at: closed,
        first_commit_authored_at: at(day - 2),
        first_human_review_at: random(3) === 0 ? null : at(day + 1),
        first_review_at: at(day + 1),
        released_at: ending === 1 ? at(day + 9) : null,
      };
    }),
  );
  await insert(
    'pull_request_commits',
    ids(40).flatMap((id) =>
      commits
        .filter((commit) => commit.id % 40 === id % 40)
        .slice(0, 2)
        .map((commit, ordinal) => ({ pull_request_id: id, ordinal, repo_id: commit.repo, sha: commit.sha })),
    ),
  );
  await insert(
    'pull_request_reviews',
    ids(60).map((id) => ({
      id,
      pull_request_id: 1 + random(40),
      external_id: `r${id}`,
      reviewer_id: 1 + random(6),
      is_bot: random(6) === 0,
      is_by_author: random(6) === 0,
      state_em: 'approved',
      submitted_at: at(random(DAYS)),
    })),
  );
  await insert(
    'pull_request_comments',
    ids(60).map((id) => ({
      id,
      pull_request_id: 1 + random(40),
      external_id: `c${id}`,
      author_id: 1 + random(6),
      is_bot: random(6) === 0,
      is_by_author: random(6) === 0,
      is_review_comment: random(2) === 0,
      body: 'b',
      commented_at: at(random(DAYS)),
    })),
  );

  await insert(
    'issues',
    ids(40).map((id) => {
      const day = random(DAYS - 20);
      return {
        id,
        provider_em: 'tracker_a',
        key: `P-${id}`,
        title: 't',
        type: pick(['Story', 'Bug', 'Task']),
        is_epic: id <= 4,
        is_bug: id % 3 === 0,
        is_escaped: id % 6 === 0,
        status: 'Done',
        assignee_id: pick([1, 2, 3, 4, 5, null]),
        epic_key: id > 4 ? `P-${1 + (id % 4)}` : null,
        story_points: random(5) * 100,
        story_points_estimated: 200,
        opened_at: at(day),
        started_at: at(day + 2),
        resolved_at: random(4) === 0 ? null : at(day + 5 + random(15)),
        first_commit_authored_at: at(day + 2),
        released_at: random(2) === 0 ? null : at(day + 20),
      };
    }),
  );
  await insert(
    'issue_commits',
    commits
      .filter(({ id }) => id % 2 === 0)
      .map(({ id }) => ({ commit_id: id, issue_id: 1 + random(40), issue_count: 1 })),
  );
  await insert(
    'sprints',
    ids(5).map((id) => ({
      id,
      board_id: 'B',
      team_id: 101 + (id % 2),
      name: `S${id}`,
      starts_at: at((id - 1) * 14, 0),
      ends_at: at(id * 14, 0),
    })),
  );
  await insert(
    'sprint_issues',
    ids(40).map((id) => ({
      sprint_id: 1 + (id % 5),
      issue_id: id,
      added_at: at((id % 5) * 14 - (id % 2)),
      story_points_at_start: 300,
    })),
  );

  await insert(
    'critical_defects',
    ids(14).map((id) => {
      const day = random(DAYS - 30);
      return {
        id,
        defect_key: `D-${id}`,
        source_em: 'api',
        repo_id: 1 + random(3),
        detected_at: at(day),
        first_activity_at: at(day + 1),
        first_fix_merged_at: at(day + 2),
        first_fix_released_at: at(day + 3),
        final_fix_released_at: random(3) === 0 ? null : at(day + 5 + random(10)),
        origin_release_id: 4 + random(9),
      };
    }),
  );
  await insert(
    'defect_fixes',
    ids(14).map((id) => ({
      defect_id: id,
      repo_id: 1 + random(3),
      release_id: 4 + random(9),
      released_at: at(random(DAYS)),
    })),
  );
  await insert(
    'defect_commits',
    ids(14).map((id) => ({ defect_id: id, commit_id: 20 + id * 9, link_em: 'sha' })),
  );
  await insert(
    'defect_origins',
    ids(14).flatMap((id) =>
      [1, 2].map((n) => ({
        defect_id: id,
        fix_commit_id: 20 + id * 9,
        origin_commit_id: id * 9 + n,
        lines: 1 + random(9),
        ai_lines: random(3000),
      })),
    ),
  );
  await summarizeShipped(store.db, entityId, null);
  await deriveSprintParts(store, entityId);
  await creditUsages(store.db, entityId, 'entity');
  await sumAllUsageWeeks(store, entityId);
}
