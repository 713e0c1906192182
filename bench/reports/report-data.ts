// Makes an entity inside the database for the bench of reports: people, repos, teams, commits with their
// fine facts, daily sums, AI usage, pull requests, issues, sprints, releases and defects. Rows lie in the
// tables as imports leave them: repo after repo, each in order of time.

import { summarizeShipped } from '../../src/derive/delivery/releases-shipped.ts';
import { deriveSprintParts } from '../../src/derive/work/derive-sprint-parts.ts';
import { FILE_MEASURES } from '../../src/domain/commits/file-measures.ts';
import { creditUsages } from '../../src/storage/ai/usage-credits.ts';
import type { Store } from '../../src/storage/database/handle.ts';
import { sumAllUsageWeeks } from '../../test/world/sum-usage-weeks.ts';

export interface Size {
  readonly people: number;
  readonly repos: number;
  readonly days: number;
  /** Rows of commit_files. */
  readonly facts: number;
  /** Last day. */
  readonly end: string;
}

const FILES_PER_COMMIT = 10;
const REPOS_PER_PERSON = 3;
const names = FILE_MEASURES.join(', ');
const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

export async function generateEntity(store: Store, slug: string, size: Size): Promise<number> {
  const { rows } = await store.pool.query(`insert into entities (slug, name) values ($1, $1) returning id`, [slug]);
  const entity: number = rows[0].id;
  const { people, repos, end } = size;
  const weekdays = Math.floor((size.days * 5) / 7);
  const perRepo = Math.max(1, Math.round(size.facts / FILES_PER_COMMIT / repos));
  const commits = perRepo * repos;
  const pool = Math.max(1, Math.ceil((people * REPOS_PER_PERSON) / repos));
  const pulls = Math.ceil(commits / 5);
  const issues = Math.ceil(commits / 10);
  const sprints = Math.ceil(size.days / 14);
  const releasesPerRepo = Math.ceil(size.days / 7);
  const defects = Math.ceil((repos * releasesPerRepo) / 25);
  // The n-th weekday of the span; the last one is the Friday before the end's week.
  const dateOf = (n: string): string =>
    `(date_trunc('week', '${end}'::timestamp)::date - 3 - (((${weekdays} - 1 - ${n}) / 5) * 7 + (${weekdays} - 1 - ${n}) % 5)::int)`;
  const hash = (n: string): string => `abs(hashint4((${n})::int)::bigint)`;
  const shaOf = (n: string): string => `decode(lpad(to_hex(${n}), 40, '0'), 'hex')`;

  const values = FILE_MEASURES.map((name) =>
    name.startsWith('delta') ? '1200' : name.startsWith('ai_') ? '300' : '6',
  ).join(', ');
  const statements: readonly string[] = [
    `insert into organizations (entity_id, id, slug, name) values (${entity}, 1, 'org', 'org')`,
    `insert into repos (entity_id, id, organization_id, slug, name, source_kind)
     select ${entity}, i, 1, 'r' || i, 'r' || i, 'path' from generate_series(1, ${repos}) i`,
    `insert into committers (entity_id, id, root_committer_id, processing_status, committer_user_name, full_name, email)
     select ${entity}, i, i, 'processing_stats', 'u' || i, 'User ' || i, i || '@example.com' from generate_series(1, ${people}) i`,
    `insert into teams (entity_id, id, slug, name) select ${entity}, 100 + i, 't' || i, 'Team ' || i from generate_series(1, 10) i`,
    `insert into team_members (entity_id, team_id, committer_id, identifier, role_em)
     select ${entity}, 101 + i % 10, i, 'u' || i, 'committer_role' from generate_series(1, ${people}) i`,
    // A repo has a few people, a person a few repos; every fourth commit has evidence of AI.
    `insert into commits (entity_id, id, repo_id, author_id, author_signature_id, authored_at, committed_at, entered_at,
       delta, lines_added, ai_lines_changed, authored_on, state, presence, contributor_kind, file_count, authored_zone,
       committed_zone, is_merge, on_default_branch, rolled_up, sha, parents, children, message)
     select ${entity}, i, 1 + i / ${perRepo}, 1 + (i / ${perRepo} * ${pool + 1} + ${hash('i')} % ${pool}) % ${people}, 1, p.at, p.at,
       p.at, ${FILES_PER_COMMIT * 4 * 1200}, ${FILES_PER_COMMIT * 6}, case when i % 4 = 0 then ${FILES_PER_COMMIT * 300} end,
       p.at::date, 'analysis_complete', 'existent', case when i % 4 = 0 then 'mixed' else 'unknown' end::contributor_kind,
       ${FILES_PER_COMMIT}, 0, 0, false, true, true, ${shaOf('i')}, '', '', 'feat: x'
     from generate_series(0, ${commits} - 1) i
     cross join lateral (select ${dateOf(`(i % ${perRepo})::bigint * ${weekdays} / ${perRepo}`)}::timestamp at time zone 'UTC'
       + (8 * 3600 + ${hash('i')} % 36000) * interval '1 second' as at) p`,
    `insert into commit_files (entity_id, commit_id, file_index, category, path, status, ${names})
     select ${entity}, i / ${FILES_PER_COMMIT}, i % ${FILES_PER_COMMIT}, 1 + ${hash('i')} % 17, 'src/part/file.ts', 'modified', ${values}
     from generate_series(0, ${commits * FILES_PER_COMMIT} - 1) i`,
    `insert into line_flows (entity_id, commit_id, flow_index, origin_commit_id, age, category, lines_updated, lines_deleted)
     select ${entity}, i, 0, greatest(0, i - 3), 'lt_2w', 10, 3, 2 from generate_series(0, ${commits} - 1) i`,
    `insert into commit_ai (entity_id, commit_id, position, source, model, provider)
     select ${entity}, i, 0, 'co_author', 'claude', 'vendorC_platform' from generate_series(0, ${commits} - 1, 4) i`,
    'analyze commits, commit_files',
    `insert into daily_facts (entity_id, repo_id, committer_id, authored_on, utc_on, category, file_count, ${names},
       known_lines_changed, unknown_lines_added, unknown_lines_deleted, unknown_delta)
     select ${entity}, c.repo_id, c.author_id, c.authored_on, c.authored_on, f.category, count(*), ${FILE_MEASURES.map((name) => `sum(f.${name})`).join(', ')},
       36 * count(*) filter (where c.contributor_kind = 'mixed'), 12 * count(*) filter (where c.contributor_kind = 'unknown'),
       6 * count(*) filter (where c.contributor_kind = 'unknown'), 4800 * count(*) filter (where c.contributor_kind = 'unknown')
     from commits c join commit_files f on f.entity_id = c.entity_id and f.commit_id = c.id where c.entity_id = ${entity}
     group by 2, 3, 4, 5, 6 order by 2, 4, 3, 6`,
    `insert into daily_commits (entity_id, repo_id, committer_id, authored_on, file_count, ${names}, commit_count,
       ai_commit_count, ai_line_commit_count, known_commit_count)
     select ${entity}, d.repo_id, d.committer_id, d.authored_on, d.file_count, ${FILE_MEASURES.map((name) => `d.${name}`).join(', ')},
       c.commit_count, c.known, c.known, c.known
     from (select repo_id, committer_id, authored_on, sum(file_count) as file_count,
         ${FILE_MEASURES.map((name) => `sum(${name}) as ${name}`).join(', ')}
       from daily_facts where entity_id = ${entity} group by 1, 2, 3) d
     join (select repo_id, author_id, authored_on, count(*) as commit_count,
         count(*) filter (where contributor_kind = 'mixed') as known
       from commits where entity_id = ${entity} group by 1, 2, 3) c
       on c.repo_id = d.repo_id and c.author_id = d.committer_id and c.authored_on = d.authored_on
     order by 2, 4, 3`,
    `insert into daily_people (entity_id, committer_id, authored_on, commit_count)
     select ${entity}, committer_id, authored_on, sum(commit_count)
     from daily_commits where entity_id = ${entity} group by 2, 3 order by 3, 2`,
    `insert into weekly_people (entity_id, committer_id, week, ${WEEKDAYS.map((day) => `commits_${day}`).join(', ')})
     select ${entity}, committer_id, authored_on - (authored_on - '0001-01-01'::date) % 7,
       ${WEEKDAYS.map((_, place) => `coalesce(sum(commit_count) filter (where extract(isodow from authored_on) = ${place + 1}), 0)`).join(', ')}
     from daily_people where entity_id = ${entity} group by 2, 3 order by 3, 2`,
    `insert into daily_ai (entity_id, repo_id, committer_id, authored_on, provider, model, source, category,
       commit_count, line_commit_count, file_count, ai_lines_added, ai_lines_deleted, ai_lines_changed, ai_delta)
     select ${entity}, repo_id, committer_id, authored_on, 'vendorC_platform', 'claude', 'co_author', 0,
       known_commit_count, known_commit_count, 0, 0, 0, 0, 0
     from daily_commits where entity_id = ${entity} and known_commit_count > 0
     union all
     select ${entity}, repo_id, committer_id, authored_on, 'vendorC_platform', 'claude', 'co_author', category,
       0, 0, file_count, 500, 100, 600, 900
     from daily_facts where entity_id = ${entity} and known_lines_changed > 0 order by 2, 4, 3`,
    'analyze',
    // Two of three people use a tool every other day, some of them two.
    `insert into ai_usages (entity_id, used_on, committer_id, llm_model_name, ai_provider_em, lines_added, lines_deleted,
       prompted_suggest_count, prompted_accept_count, tab_suggest_count, tab_accept_count, cost_microcents)
     select ${entity}, d.day, p, m.model, m.provider, 40, 5, 9, 4, 60, 20, 9000000
     from generate_series(0, ${weekdays} - 1) n
     cross join lateral (select ${dateOf('n')} as day) d
     cross join generate_series(1, ${people}) p
     join (values ('claude', 'vendorC_platform', 1), ('copilot', 'vendorA_assistant', 4)) m (model, provider, every)
       on p % m.every = 0
     where p % 3 > 0 and n % 2 = p % 2`,
    `insert into commit_traits (entity_id, commit_id, minutes_used, bug_share, opex_share, pull_request_id, pull_request_phase)
     select ${entity}, i, 30, case when i % 5 = 0 then 1000 else 0 end, 500, case when i % 5 < 3 then 1 + i / 5 end,
       case when i % 5 < 3 then 'Under review' else 'No pull request' end
     from generate_series(0, ${commits} - 1) i`,
    `insert into pull_requests (entity_id, id, repo_id, number, title, branch_name, base_branch, author_id, created_at,
       opened_at, closed_at, merged_at, first_commit_authored_at, first_human_review_at, first_review_at, released_at,
       last_activity_at)
     select ${entity}, i, c.repo_id, i, '', 'b', 'main', c.author_id, c.authored_at, c.authored_at,
       c.authored_at + interval '2 days', case when i % 8 > 0 then c.authored_at + interval '2 days' end,
       c.authored_at - interval '1 day', case when i % 6 > 0 then c.authored_at + interval '5 hours' end,
       case when i % 6 > 0 then c.authored_at + interval '5 hours' end,
       case when i % 8 > 0 then c.authored_at + interval '5 days' end, c.authored_at
     from generate_series(1, ${pulls}) i
     join commits c on c.entity_id = ${entity} and c.id = (i - 1) * 5`,
    `insert into pull_request_commits (entity_id, pull_request_id, ordinal, repo_id, sha)
     select ${entity}, 1 + id / 5, id % 5, repo_id, sha from commits where entity_id = ${entity} and id % 5 < 3`,
    `insert into pull_request_reviews (entity_id, id, pull_request_id, external_id, reviewer_id, is_bot, is_by_author, state_em, submitted_at)
     select ${entity}, id, id, 'e', 1 + (author_id + 7) % ${people}, false, false, 'approved', first_human_review_at
     from pull_requests where entity_id = ${entity} and first_human_review_at is not null`,
    `insert into pull_request_comments (entity_id, id, pull_request_id, external_id, author_id, is_bot, is_by_author,
       is_review_comment, body, commented_at)
     select ${entity}, id * 2 + n, id, 'e' || n, 1 + (author_id + n) % ${people}, false, false, true, 'why?', opened_at + n * interval '1 hour'
     from pull_requests, generate_series(0, 1) n where entity_id = ${entity}`,
    `insert into issues (entity_id, id, provider_em, key, title, type, is_epic, is_bug, status, assignee_id, epic_key, story_points,
       opened_at, started_at, resolved_at, first_commit_authored_at, last_commit_authored_at, released_at, is_escaped)
     select ${entity}, i, 'generic', 'K-' || i, '', case when i % 50 = 0 then 'Epic' when i % 4 = 0 then 'Bug' else 'Story' end,
       i % 50 = 0, i % 50 > 0 and i % 4 = 0, 'done', c.author_id, 'K-' || (i / 50 * 50), 300, c.authored_at - interval '9 days',
       c.authored_at, c.authored_at + interval '4 days', c.authored_at, c.authored_at, c.authored_at + interval '8 days', i % 9 = 0
     from generate_series(1, ${issues}) i
     join commits c on c.entity_id = ${entity} and c.id = (i - 1) * 10`,
    `insert into issue_commits (entity_id, commit_id, issue_id, issue_count)
     select ${entity}, i, 1 + i / 10, 1 from generate_series(0, ${commits} - 1) i where i % 10 < 6`,
    `insert into sprints (entity_id, id, board_id, team_id, name, starts_at, ends_at)
     select ${entity}, s * 10 + t, 'b' || t, 101 + t, 'Sprint ' || t || '.' || s, '${end}'::timestamptz - (s + 1) * interval '14 days',
       '${end}'::timestamptz - s * interval '14 days'
     from generate_series(0, ${sprints} - 1) s, generate_series(0, 9) t`,
    'analyze issues, sprints, releases',
    `insert into sprint_issues (entity_id, sprint_id, issue_id, added_at, story_points_at_start)
     select ${entity}, s.id, i.id, s.starts_at - interval '1 day', 300
     from issues i join sprints s on s.entity_id = i.entity_id and s.team_id = 101 + i.assignee_id % 10
       and i.resolved_at >= s.starts_at and i.resolved_at < s.ends_at
     where i.entity_id = ${entity} and not i.is_epic`,
    `insert into releases (entity_id, id, repo_id, released_at, triggered_by, is_baseline)
     select ${entity}, r * ${releasesPerRepo} + n, r + 1, '${end}'::timestamptz - (${releasesPerRepo} - 1 - n) * interval '7 days', 'api', n = 0
     from generate_series(0, ${repos} - 1) r, generate_series(0, ${releasesPerRepo} - 1) n`,
    `insert into release_commits (entity_id, commit_id, release_id)
     select ${entity}, c.id, (c.repo_id - 1) * ${releasesPerRepo} + least(${releasesPerRepo} - 1, greatest(0,
       ${releasesPerRepo} - 1 - floor(extract(epoch from '${end}'::timestamptz - c.authored_at) / 604800)::int))
     from commits c where c.entity_id = ${entity} and c.authored_at < '${end}'::timestamptz - interval '4 days'`,
    `insert into critical_defects (entity_id, id, defect_key, source_em, organization_id, repo_id, detected_at, first_activity_at,
       first_fix_merged_at, first_fix_released_at, final_fix_released_at, origin_release_id)
     select ${entity}, i, 'D-' || i, 'api', 1, s.repo_id, s.released_at, s.released_at + interval '3 hours',
       s.released_at + interval '9 hours', s.released_at + interval '1 day', s.released_at + interval '2 days', s.id
     from generate_series(1, ${defects}) i
     join releases s on s.entity_id = ${entity} and s.id = (i - 1) * 25`,
    `insert into defect_fixes (entity_id, id, defect_id, repo_id, release_id)
     select ${entity}, id, id, repo_id, origin_release_id from critical_defects where entity_id = ${entity}`,
    `insert into defect_commits (entity_id, defect_id, commit_id, link_em)
     select ${entity}, d.id, c.id, 'sha' from critical_defects d
     cross join lateral (select c.id from commits c where c.entity_id = d.entity_id and c.repo_id = d.repo_id
       and c.authored_at <= d.detected_at order by c.authored_at desc limit 1) c where d.entity_id = ${entity}`,
    `insert into defect_origins (entity_id, defect_id, fix_commit_id, origin_commit_id, lines, ai_lines, fixed_at)
     select ${entity}, n.defect_id, n.commit_id, greatest(0, n.commit_id - 4), 5, 1000, c.authored_at
     from defect_commits n join commits c on c.entity_id = n.entity_id and c.id = n.commit_id
     where n.entity_id = ${entity}`,
  ];
  for (const statement of statements) {
    await store.pool.query(statement).catch((cause: unknown) => {
      throw new Error(`${String(cause)} in ${statement.slice(0, 200)}`, { cause });
    });
  }
  await summarizeShipped(store.db, entity, null);
  await deriveSprintParts(store, entity);
  await creditUsages(store.db, entity, 'entity');
  await sumAllUsageWeeks(store, entity);
  return entity;
}
