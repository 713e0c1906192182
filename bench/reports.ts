// How fast reports are: generates people, repos, days and fine facts inside the database, sums the daily
// tables, and compares the endpoint's operation with the bare query on the daily table; then the same 90
// days with a tenth of the history.
//   node --import ./bench/typescript.mjs bench/reports.ts [PEOPLE REPOS DAYS FACTS]
// The full size is 500 200 1095 10000000.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { FILE_MEASURES } from '../src/domain/file-measures.ts';
import { SEGMENT_IDS, type SegmentId } from '../src/domain/segments.ts';
import { silentLog } from '../src/kit/log.ts';
import { SUBJECTS, type Subject, subjectOf } from '../src/metrics/segments/index.ts';
import { createOperations, OPERATOR } from '../src/operations/index.ts';
import { startEmbedded } from '../src/storage/embedded/start-embedded.ts';
import { openStore, type Store } from '../src/storage/handle.ts';
import { migrate } from '../src/storage/migrate.ts';

const [people = 50, repos = 20, days = 365, facts = 100_000] = process.argv.slice(2).map(Number);
const folder = mkdtempSync(join(tmpdir(), 'strata-bench-'));
const END = '2026-06-30';
const ROUNDS = 3;

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
const p95 = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * 0.95))] ?? Number.NaN;

/** `share` of the history, the newest part, in an entity of its own. */
async function generate(store: Store, slug: string, share: number): Promise<number> {
  const { rows } = await store.pool.query(`insert into entities (slug, name) values ($1, $1) returning id`, [slug]);
  const id: number = rows[0].id;
  const run = (text: string, ...values: unknown[]) => store.pool.query(text, [id, ...values]);
  const span = Math.round(days * share);
  const count = Math.round(facts * share);
  await run(`insert into organizations (entity_id, id, slug, name) values ($1, 1, 'org', 'org')`);
  await run(
    `insert into repos (entity_id, id, organization_id, slug, name, source_kind)
     select $1, i, 1, 'r' || i, 'r' || i, 'path' from generate_series(1, $2::int) i`,
    repos,
  );
  await run(
    `insert into committers (entity_id, id, root_committer_id, processing_status, committer_user_name, full_name, email)
     select $1, i, i, 'processing_stats', 'u' || i, 'User ' || i, i || '@example.com' from generate_series(1, $2::int) i`,
    people,
  );
  await run(
    `insert into teams (entity_id, id, slug, name) select $1, 100 + i, 't' || i, 'Team ' || i from generate_series(1, 10) i`,
  );
  await run(
    `insert into team_members (entity_id, team_id, committer_id, identifier, role_em)
     select $1, 101 + i % 10, i, 'u' || i, 'committer_role' from generate_series(1, $2::int) i`,
    people,
  );
  // Ten files to a commit; a person works in few repos, on weekdays.
  await run(
    `insert into commits (entity_id, id, repo_id, author_id, author_signature_id, authored_at, committed_at, entered_at,
       delta, authored_on, state, presence, contributor_kind, file_count, authored_zone, committed_zone, is_merge,
       on_default_branch, rolled_up, sha, parents, children, message)
     select $1, i, 1 + (p.author * 7 + i % 3) % $3::int, p.author, 1, p.at, p.at, p.at, 12000, p.at::date,
       'analysis_complete', 'existent', case when i % 4 = 0 then 'mixed' else 'unknown' end::contributor_kind, 10, 0, 0,
       false, true, true, decode(lpad(to_hex(i), 40, '0'), 'hex'), '', '', 'feat: x'
     from generate_series(1, $2::int / 10) i
     cross join lateral (select 1 + abs(hashint4(i)::bigint) % $4::int as author,
       ('${END}'::date - (i % $5::int))::timestamp at time zone 'UTC' + (i % 86400) * interval '1 second' as at) p`,
    count,
    repos,
    people,
    span,
  );
  const values = FILE_MEASURES.map((name) =>
    name.startsWith('delta') ? '1200' : name.startsWith('ai_') ? '300' : '6',
  ).join(', ');
  await run(
    `insert into commit_files (entity_id, commit_id, file_index, category, path, status, ${FILE_MEASURES.join(', ')})
     select $1, 1 + i / 10, i % 10, 1 + i % 15, 'f', 'modified', ${values} from generate_series(0, $2::int - 1) i`,
    count,
  );
  const sums = FILE_MEASURES.map((name) => `sum(f.${name})`).join(', ');
  const names = FILE_MEASURES.join(', ');
  await run(
    `insert into daily_facts (entity_id, repo_id, committer_id, authored_on, category, file_count, ${names})
     select $1, c.repo_id, c.author_id, c.authored_on, f.category, count(*), ${sums}
     from commits c join commit_files f on f.entity_id = c.entity_id and f.commit_id = c.id where c.entity_id = $1
     group by 2, 3, 4, 5`,
  );
  await run(
    `insert into daily_commits (entity_id, repo_id, committer_id, authored_on, file_count, ${names}, commit_count,
       ai_commit_count, ai_line_commit_count, known_commit_count, known_lines_changed)
     select $1, repo_id, committer_id, authored_on, sum(file_count), ${FILE_MEASURES.map((name) => `sum(${name})`).join(', ')},
       1, 0, 0, 0, 5 from daily_facts where entity_id = $1 group by 2, 3, 4`,
  );
  await run(
    `insert into daily_ai (entity_id, repo_id, committer_id, authored_on, provider, model, source, commit_count,
       line_commit_count, ai_lines_added, ai_lines_deleted, ai_lines_changed, ai_delta)
     select $1, repo_id, committer_id, authored_on, 'vendorC_platform', 'claude', 'note', 1, 1, 500, 100, 600, 900
     from daily_commits where entity_id = $1 and committer_id % 2 = 0`,
  );
  await run(
    `insert into ai_usages (entity_id, used_on, committer_id, llm_model_name, ai_provider_em, lines_added, lines_deleted,
       prompted_suggest_count, prompted_accept_count, tab_suggest_count, tab_accept_count, cost_centicents)
     select $1, '${END}'::date - d, p, 'claude', 'vendorC_platform', 40, 5, 9, 4, 60, 20, 900
     from generate_series(0, $2::int - 1) d, generate_series(1, $3::int) p where p % 3 > 0 and d % 2 = p % 2`,
    span,
    people,
  );
  await run(
    `insert into commit_traits (entity_id, commit_id, minutes_used, bug_share, opex_share, pull_request_phase)
     select $1, id, 30, 0, 500, 'Under review' from commits where entity_id = $1`,
  );
  await run(
    `insert into pull_requests (entity_id, id, repo_id, number, title, branch_name, base_branch, author_id, created_at,
       opened_at, closed_at, merged_at, first_commit_authored_at, first_human_review_at, first_review_at, last_activity_at)
     select $1, i, 1 + i % $3::int, i, '', 'b', 'main', 1 + i % $4::int, t.at, t.at, t.at + interval '2 days',
       t.at + interval '2 days', t.at - interval '1 day', t.at + interval '5 hours', t.at + interval '5 hours', t.at
     from generate_series(1, $2::int / 50) i
     cross join lateral (select ('${END}'::date - (i % $5::int))::timestamp at time zone 'UTC' as at) t`,
    count,
    repos,
    people,
    span,
  );
  return id;
}

async function main(): Promise<void> {
  const embedded = await startEmbedded({ dataDir: folder, log: silentLog });
  const store = await openStore({ databaseUrl: embedded.databaseUrl, statementTimeoutMilliseconds: 0 });
  try {
    await migrate(store, { log: silentLog });
    const started = performance.now();
    const large = await generate(store, 'large', 1);
    // at least the days that are asked for
    const small = await generate(store, 'small', Math.max(0.1, 100 / days));
    await store.pool.query('vacuum analyze');
    const sizes = await store.pool.query(
      `select (select count(*) from commit_files where entity_id = $1) as files,
         (select count(*) from daily_commits where entity_id = $1) as days`,
      [large],
    );
    console.log(
      `${people} people, ${repos} repos, ${days} days, ${sizes.rows[0].files} fine facts, ${sizes.rows[0].days} daily rows, made in ${((performance.now() - started) / 1000).toFixed(0)} s`,
    );
    const operations = createOperations({ store, log: silentLog, now: () => new Date(`${END}T18:00:00Z`) });
    let round = 0;
    /** Each call has another range of nearly the same length, so that nothing is remembered. */
    const time = async (entity: string, segment_by: SegmentId): Promise<number> => {
      round += 1;
      const end = new Date(Date.parse(`${END}T00:00:00Z`) - (round % 5) * 86_400_000).toISOString().slice(0, 10);
      const begin = performance.now();
      await operations.reports.run(OPERATOR, {
        resource_path: [{ entity, organization: null, repo: null }],
        segment_by,
        end_date: end,
        aggregate_by: 'none',
        committer_user_name: undefined,
      });
      return performance.now() - begin;
    };
    const bare: number[] = [];
    for (let index = 0; index < 10; index += 1) {
      const begin = performance.now();
      await store.pool.query(
        `select date_trunc('week', authored_on::timestamp)::date, sum(delta_added + delta_updated + delta_deleted + delta_find_replaced)
         from daily_commits where entity_id = $1 and authored_on > '${END}'::date - ${90 + index} group by 1`,
        [large],
      );
      bare.push(performance.now() - begin);
    }
    console.log(`bare query on daily_commits: median ${median(bare).toFixed(1)} ms, p95 ${p95(bare).toFixed(1)} ms`);
    const medians = new Map<SegmentId, number>();
    for (const segment of SEGMENT_IDS) {
      const times: number[] = [];
      for (let index = 0; index < ROUNDS; index += 1) times.push(await time('large', segment));
      medians.set(segment, median(times));
      await sleep(0);
    }
    for (const subject of Object.keys(SUBJECTS) as Subject[]) {
      const times = [...medians].filter(([segment]) => subjectOf(segment) === subject).map(([, value]) => value);
      console.log(
        `${subject.padEnd(14)} median ${median(times).toFixed(1)} ms (${(median(times) / median(bare)).toFixed(1)} × bare), p95 ${p95(times).toFixed(1)} ms`,
      );
    }
    const slowest = [...medians].toSorted(([, a], [, b]) => b - a).slice(0, 10);
    console.log(`slowest: ${slowest.map(([segment, value]) => `${segment} ${value.toFixed(0)} ms`).join(', ')}`);
    const flat: number[] = [];
    const flatSmall: number[] = [];
    for (let index = 0; index < 15; index += 1) {
      flat.push(await time('large', 'none'));
      flatSmall.push(await time('small', 'none'));
    }
    console.log(
      `90 days with all the history ${median(flat).toFixed(1)} ms, with a tenth ${median(flatSmall).toFixed(1)} ms: ratio ${(median(flat) / median(flatSmall)).toFixed(2)} (entities ${large}, ${small})`,
    );
    await operations.close();
  } finally {
    await store.close();
    await embedded.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

await main();
