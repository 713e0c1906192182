// A world made by a seeded generator: commits, files, flows, usage, pull requests, issues, releases, defects
// and sprints of many people over many days, kept in memory as plain records and loaded into the tables.

import { summarizeShipped } from '../../src/derive/delivery/releases-shipped.ts';
import { deriveSprintParts } from '../../src/derive/work/derive-sprint-parts.ts';
import { FILE_MEASURES } from '../../src/domain/commits/file-measures.ts';
import { CATEGORIES } from '../../src/domain/commits/line-model.ts';
import { addDays, dateOfDay, dayNumber } from '../../src/metrics/intervals.ts';
import { creditUsages } from '../../src/storage/ai/usage-credits.ts';
import type { FactsKit } from './facts-kit.ts';
import { sumAllUsageWeeks } from './sum-usage-weeks.ts';

export interface WorldSize {
  readonly people: number;
  readonly repos: number;
  readonly teams: number;
  readonly days: number;
}

export interface WorldCommit {
  readonly id: number;
  readonly repo: number;
  readonly author: number;
  readonly at: number;
  readonly on: string;
  readonly files: readonly { readonly category: number; readonly measures: Record<string, number> }[];
  readonly credit: { readonly model: string; readonly provider: string } | null;
  readonly counted: boolean;
  readonly onDefault: boolean;
}
export interface World {
  readonly start: string;
  readonly end: string;
  readonly commits: WorldCommit[];
  readonly usages: Record<string, number | string | null>[];
  readonly pulls: Record<string, number | string | boolean | null>[];
  readonly reviews: Record<string, number | string | boolean | null>[];
  readonly issues: Record<string, number | string | boolean | null>[];
  readonly issueCommits: { commit_id: number; issue_id: number; issue_count: number }[];
  readonly releases: { id: number; repo_id: number; released_at: string; is_baseline: boolean }[];
  readonly releaseOf: Map<number, number>;
  readonly defects: Record<string, number | string | null>[];
  /** Team → members with the days on which they are. */
  readonly members: { team: number; person: number; from: string | null; until: string | null }[];
}

/** Small, fast and the same everywhere (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const DAY_MS = 86_400_000;
const iso = (ms: number): string => new Date(ms).toISOString();
/** One of each class of evidence. */
const SOURCES = ['note', 'author', 'co_author', 'assisted_by'];
const MODELS = [
  ['claude', 'vendorC_platform'],
  ['gpt', 'other'],
  ['copilot', 'vendorA_assistant'],
] as const;

export function createWorld(seed: number, size: WorldSize, start: string, dateOf: (ms: number) => string): World {
  const random = createRandom(seed);
  const int = (below: number): number => Math.floor(random() * below);
  const pick = <T>(list: readonly T[]): T => list[int(list.length)]!;
  const startMs = Date.parse(`${start}T00:00:00Z`);
  const moment = (): number => startMs + int(size.days * DAY_MS);
  const world: World = {
    start,
    end: addDays(start, size.days - 1),
    commits: [],
    usages: [],
    pulls: [],
    reviews: [],
    issues: [],
    issueCommits: [],
    releases: [],
    releaseOf: new Map(),
    defects: [],
    members: [],
  };
  for (let person = 1; person <= size.people; person += 1) {
    const first = 1 + int(size.teams);
    world.members.push({ team: first, person, from: null, until: null });
    if (random() < 0.3 && size.teams > 1) {
      const second = (first % size.teams) + 1;
      world.members.push({ team: second, person, from: addDays(start, int(size.days)), until: null });
    }
  }
  const commitCount = Math.round((size.people * size.days) / 12);
  for (let id = 1; id <= commitCount; id += 1) {
    const at = moment();
    const author = 1 + int(size.people);
    const credit = random() < 0.3 ? pick(MODELS) : null;
    const files = Array.from({ length: 1 + int(3) }, () => makeFile(int, credit !== null));
    world.commits.push({
      id,
      repo: 1 + int(size.repos),
      author,
      at,
      on: dateOf(at),
      files,
      credit: credit === null ? null : { model: credit[0], provider: credit[1] },
      counted: random() < 0.9,
      onDefault: random() < 0.8,
    });
  }
  const seen = new Set<string>();
  for (let index = 0; index < size.people * size.days * 0.15; index += 1) {
    const [model, provider] = pick(MODELS);
    const committer_id = 1 + int(Math.ceil(size.people * 0.7));
    const used_on = dateOfDay(dayNumber(start) + int(size.days));
    const key = `${committer_id} ${used_on} ${model}`;
    if (seen.has(key)) continue;
    seen.add(key);
    const suggested = int(40);
    const tabs = int(200);
    const hasCounts = random() < 0.8;
    world.usages.push({
      committer_id,
      used_on,
      llm_model_name: model,
      ai_provider_em: provider,
      lines_added: int(300),
      lines_deleted: int(80),
      prompted_suggest_count: hasCounts ? suggested : null,
      prompted_accept_count: hasCounts ? int(suggested + 1) : null,
      tab_suggest_count: hasCounts ? tabs : null,
      tab_accept_count: hasCounts ? int(tabs + 1) : null,
      cost_microcents: int(50_000) * 10_000,
      // Not drawn, so that what follows is drawn as before.
      prompt_count: suggested % 7,
      active_seconds: hasCounts ? 45 * (tabs % 9) : null,
      tokens_input: 11 * suggested,
      tokens_cache_read: hasCounts ? tabs : null,
    });
  }
  const byTime = world.commits.toSorted((a, b) => a.at - b.at);
  for (let repo = 1; repo <= size.repos; repo += 1) {
    const times = Array.from({ length: 1 + Math.floor(size.days / 20) }, moment).toSorted((a, b) => a - b);
    for (const [index, at] of times.entries()) {
      world.releases.push({
        id: world.releases.length + 1,
        repo_id: repo,
        released_at: iso(at),
        is_baseline: index === 0,
      });
    }
  }
  for (const commit of byTime) {
    const release = world.releases.find(
      ({ repo_id, released_at }) => repo_id === commit.repo && Date.parse(released_at) >= commit.at,
    );
    if (release !== undefined && commit.onDefault) world.releaseOf.set(commit.id, release.id);
  }
  for (let id = 1; id <= size.people * 6; id += 1) {
    const first = moment();
    const opened = first + int(3 * DAY_MS);
    const reviewed = random() < 0.7 ? opened + int(4 * DAY_MS) : null;
    const closed = random() < 0.9 ? Math.max(opened, reviewed ?? 0) + int(6 * DAY_MS) : null;
    const merged = closed !== null && random() < 0.8;
    world.pulls.push({
      id,
      repo_id: 1 + int(size.repos),
      author_id: 1 + int(size.people),
      is_author_bot: false,
      is_draft: random() < 0.1,
      first_commit_authored_at: iso(first),
      opened_at: iso(opened),
      first_review_at: reviewed === null ? null : iso(reviewed),
      first_human_review_at: reviewed === null ? null : iso(reviewed),
      closed_at: closed === null ? null : iso(closed),
      merged_at: merged ? iso(closed) : null,
      released_at: merged && random() < 0.7 ? iso(closed + int(5 * DAY_MS)) : null,
    });
    if (reviewed !== null) {
      world.reviews.push({
        id,
        pull_request_id: id,
        reviewer_id: 1 + int(size.people),
        submitted_at: iso(reviewed),
        is_bot: random() < 0.2,
        is_by_author: random() < 0.1,
      });
    }
  }
  const types = ['Bug', 'Story', 'Chore'] as const;
  for (let id = 1; id <= size.people * 4; id += 1) {
    const opened = moment();
    const type = pick(types);
    const started = opened + int(5 * DAY_MS);
    const resolved = random() < 0.8 ? started + int(10 * DAY_MS) : null;
    world.issues.push({
      id,
      key: `P-${id}`,
      type,
      is_bug: type === 'Bug',
      is_epic: random() < 0.05,
      is_subtask: random() < 0.1,
      assignee_id: random() < 0.9 ? 1 + int(size.people) : null,
      story_points: random() < 0.7 ? 100 * (1 + int(8)) : null,
      opened_at: iso(opened),
      started_at: iso(started),
      resolved_at: resolved === null ? null : iso(resolved),
      released_at: resolved !== null && random() < 0.5 ? iso(resolved + int(3 * DAY_MS)) : null,
    });
  }
  for (const { id } of world.commits) {
    const count = pick([0, 0, 1, 1, 2] as const);
    const chosen = new Set(Array.from({ length: count }, () => 1 + int(world.issues.length)));
    for (const issue_id of chosen) world.issueCommits.push({ commit_id: id, issue_id, issue_count: chosen.size });
  }
  for (let id = 1; id <= Math.max(10, size.days / 4); id += 1) {
    const detected = moment();
    const steps = Array.from({ length: 4 }, () => int(5 * DAY_MS));
    const reached = int(5);
    const time = (step: number): string | null =>
      step > reached ? null : iso(detected + steps.slice(0, step).reduce((sum, each) => sum + each, 0));
    world.defects.push({
      id,
      repo_id: 1 + int(size.repos),
      detected_at: iso(detected),
      first_activity_at: time(1),
      first_fix_merged_at: time(2),
      first_fix_released_at: time(3),
      final_fix_released_at: time(4),
      origin_release_id: random() < 0.7 ? pick(world.releases).id : null,
    });
  }
  return world;
}

function makeFile(int: (below: number) => number, hasAi: boolean): WorldCommit['files'][number] {
  const m: Record<string, number> = Object.fromEntries(FILE_MEASURES.map((name) => [name, 0]));
  for (const name of ['added', 'deleted', 'moved', 'updated', 'find_replaced', 'copy_pasted'])
    m[`lines_${name}`] = int(30);
  m.lines_copied = int(m.lines_added! + 1);
  m.lines_churned = int(m.lines_updated! + m.lines_deleted! + 1);
  m.duplicate_lines = int(m.lines_added! + m.lines_copy_pasted! + 1);
  m.calls = int(90);
  m.error_masks = m.calls % 5;
  const parts = ['added', 'updated', 'deleted', 'find_replaced'].map((name) => {
    m[`delta_${name}`] = int(8000);
    return m[`delta_${name}`]!;
  });
  let left = parts.reduce((sum, part) => sum + part, 0);
  const total = left;
  for (const name of ['lt_2w', 'lt_1m', 'lt_1y', 'lt_2y', 'gte_2y']) {
    m[`delta_${name}`] = int(Math.floor(left / 2) + 1);
    left -= m[`delta_${name}`]!;
  }
  m.delta_new = left;
  const category = 1 + int(CATEGORIES.length);
  m.doc_delta = category === 3 ? 0 : int(Math.floor(total / 5) + 1);
  if (hasAi) {
    m.ai_lines_added = int((m.lines_added! + m.lines_copy_pasted!) * 1000 + 1);
    m.ai_lines_deleted = int(m.lines_deleted! * 1000 + 1);
    m.ai_lines_changed = m.ai_lines_added + m.ai_lines_deleted;
    m.ai_delta = int(total + 1);
  }
  return { category, measures: m };
}

export const changedLines = (m: Record<string, number>): number =>
  m.lines_added! + m.lines_deleted! + m.lines_moved! + m.lines_updated! + m.lines_find_replaced! + m.lines_copy_pasted!;
/** Lines that replace none. */
export const newLines = (m: Record<string, number>): number => m.lines_added! + m.lines_copy_pasted!;
export const deltaOf = (m: Record<string, number>): number =>
  m.delta_added! + m.delta_updated! + m.delta_deleted! + m.delta_find_replaced!;

/** Loads the fine facts, and sums the daily tables with plain loops. */
export async function loadWorld(kit: FactsKit, world: World, size: WorldSize): Promise<void> {
  const range = (from: number, to: number): number[] =>
    Array.from({ length: to - from + 1 }, (_, index) => from + index);
  await kit.insert('committers', ...range(4, size.people).map((id) => ({ id })));
  await kit.insert(
    'repos',
    ...range(3, size.repos).map((id) => ({
      id,
      organization_id: 1,
      slug: `r${id}`,
      name: `r${id}`,
      source_kind: 'path',
    })),
  );
  await kit.insert('teams', ...range(1, size.teams).map((id) => ({ id, slug: `t${id}`, name: `Team ${id}` })));
  await kit.insert(
    'team_members',
    ...world.members.map(({ team, person, from, until }) => ({
      team_id: team,
      committer_id: person,
      from_on: from,
      until_on: until,
    })),
  );
  const daily = new Map<string, Record<string, unknown>>();
  const addTo = (table: string, keys: Record<string, unknown>, values: Record<string, number>): void => {
    const key = JSON.stringify([table, keys]);
    const row = daily.get(key) ?? { table, ...keys };
    for (const [name, value] of Object.entries(values)) row[name] = ((row[name] as number | undefined) ?? 0) + value;
    daily.set(key, row);
  };
  const commits: Record<string, unknown>[] = [];
  const files: Record<string, unknown>[] = [];
  const credits: Record<string, unknown>[] = [];
  for (const commit of world.commits) {
    const sum = (read: (m: Record<string, number>) => number): number =>
      commit.files.reduce((total, file) => total + read(file.measures), 0);
    const aiLines = sum((m) => m.ai_lines_changed!);
    const operations = Object.fromEntries(
      ['added', 'deleted', 'moved', 'updated', 'find_replaced', 'copy_pasted'].map((name) => [
        `lines_${name}`,
        sum((m) => m[`lines_${name}`]!),
      ]),
    );
    commits.push({
      id: commit.id,
      repo_id: commit.repo,
      author_id: commit.author,
      authored_at: iso(commit.at),
      authored_on: commit.on,
      delta: sum(deltaOf),
      ai_lines_changed: aiLines,
      ...operations,
      contributor_kind: commit.credit === null ? 'unknown' : 'mixed',
      on_default_branch: commit.onDefault,
      rolled_up: commit.counted,
      not_counted: commit.counted ? null : 'squash_source',
    });
    for (const [index, { category, measures }] of commit.files.entries()) {
      files.push({
        commit_id: commit.id,
        file_index: index,
        category,
        path: `f${index}`,
        status: 'modified',
        ...measures,
      });
    }
    const source = SOURCES[commit.id % SOURCES.length];
    if (commit.credit !== null) credits.push({ commit_id: commit.id, source, position: 0, ...commit.credit });
    if (!commit.counted) continue;
    const keys = { repo_id: commit.repo, committer_id: commit.author, authored_on: commit.on };
    const isKnown = commit.credit === null ? 0 : 1;
    addTo('daily_commits', keys, {
      commit_count: 1,
      ai_commit_count: isKnown,
      ai_line_commit_count: aiLines > 0 ? 1 : 0,
      known_commit_count: isKnown,
      file_count: commit.files.length,
      ...Object.fromEntries(FILE_MEASURES.map((name) => [name, sum((m) => m[name]!)])),
    });
    for (const { category, measures } of commit.files) {
      addTo(
        'daily_facts',
        { ...keys, category },
        {
          file_count: 1,
          known_lines_changed: isKnown * changedLines(measures),
          unknown_lines_added: (1 - isKnown) * newLines(measures),
          unknown_lines_deleted: (1 - isKnown) * measures.lines_deleted!,
          unknown_delta: (1 - isKnown) * deltaOf(measures),
          ...measures,
        },
      );
    }
    if (commit.credit !== null) {
      const credit = { ...keys, ...commit.credit, source };
      const none = { ai_lines_added: 0, ai_lines_deleted: 0, ai_lines_changed: 0, ai_delta: 0, file_count: 0 };
      addTo(
        'daily_ai',
        { ...credit, category: 0 },
        { commit_count: 1, line_commit_count: aiLines > 0 ? 1 : 0, ...none },
      );
      for (const { category, measures } of commit.files) {
        addTo(
          'daily_ai',
          { ...credit, category },
          {
            commit_count: 0,
            line_commit_count: 0,
            file_count: 1,
            all_lines_added: newLines(measures),
            all_lines_deleted: measures.lines_deleted!,
            all_lines_changed: changedLines(measures),
            all_delta: deltaOf(measures),
            ai_lines_added: measures.ai_lines_added!,
            ai_lines_deleted: measures.ai_lines_deleted!,
            ai_lines_changed: measures.ai_lines_changed!,
            ai_delta: measures.ai_delta!,
          },
        );
      }
    }
  }
  await kit.insert('commits', ...commits);
  await kit.insert('commit_files', ...files);
  await kit.insert('commit_ai', ...credits);
  for (const table of ['daily_commits', 'daily_facts', 'daily_ai']) {
    const rows = [...daily.values()].filter((row) => row.table === table).map(({ table: _, ...row }) => row);
    await kit.insert(table, ...rows);
  }
  await kit.insert('ai_usages', ...world.usages);
  await kit.insert('releases', ...world.releases);
  await kit.insert(
    'release_commits',
    ...[...world.releaseOf].map(([commit_id, release_id]) => ({ commit_id, release_id })),
  );
  await kit.insert('pull_requests', ...world.pulls);
  await kit.insert('pull_request_reviews', ...world.reviews);
  await kit.insert('issues', ...world.issues);
  await kit.insert('issue_commits', ...world.issueCommits);
  await kit.insert('critical_defects', ...world.defects);
  await summarizeShipped(kit.store.db, kit.entityId, null);
  await deriveSprintParts(kit.store, kit.entityId);
  await creditUsages(kit.store.db, kit.entityId, 'entity');
  await sumAllUsageWeeks(kit.store, kit.entityId);
  // As autovacuum would: without knowing how large the tables are, the planner guesses badly.
  await kit.store.pool.query('analyze');
}
