// An entity filled by hand: rows go straight into the tables, with what a test does not care about filled
// in, and statistics are read without HTTP.
import { DEFAULT_WEIGHTS } from '../../src/domain/ai/evidence.ts';
import { createBusinessClock } from '../../src/domain/calendar/business-time.ts';
import { FILE_MEASURES } from '../../src/domain/commits/file-measures.ts';
import { CATEGORY_IDS, LINE_STATISTICS_CATEGORIES } from '../../src/domain/commits/line-model.ts';
import type { Aggregation, IntervalName, SegmentId, TimeStatistic } from '../../src/domain/segments.ts';
import { SEGMENTS } from '../../src/metrics/catalogue/segments/index.ts';
import { type DateRange, intervalsOf } from '../../src/metrics/intervals.ts';
import { runReport } from '../../src/metrics/run-report.ts';
import type { Scope } from '../../src/metrics/scope.ts';
import type { Store } from '../../src/storage/database/handle.ts';
import { createTestDatabase } from '../support/database.ts';
import { DEFAULT_BUSINESS_CALENDAR } from '../support/default-business-calendar.ts';

export type Fields = Readonly<Record<string, unknown>>;

export interface FactsKit {
  readonly store: Store;
  readonly entityId: number;
  /** `daily_work` are rows of daily_commits whose work daily_facts has too, as backend code where they name no category. */
  insert(table: string, ...rows: Fields[]): Promise<void>;
  scope(change?: Partial<Scope>): Scope;
  /** Series name → points `start=value`; null where there is no value. */
  report(segment: SegmentId, ask: Ask): Promise<Record<string, Record<string, number | null>>>;
}

export interface Ask {
  readonly range: DateRange;
  readonly interval?: IntervalName;
  readonly by?: Aggregation;
  readonly statistic?: TimeStatistic;
  readonly scope?: Partial<Scope>;
}

const DEFAULT_LINE_CATEGORIES = LINE_STATISTICS_CATEGORIES.map((key) => CATEGORY_IDS[key]);
const ZEROS = Object.fromEntries(FILE_MEASURES.map((name) => [name, 0]));
const at = '2026-01-01T00:00:00Z';

/** What each table needs when a test says nothing. */
const DEFAULTS: Record<string, Fields> = {
  daily_commits: {
    ...ZEROS,
    repo_id: 1,
    file_count: 1,
    commit_count: 1,
    ai_commit_count: 0,
    ai_line_commit_count: 0,
    known_commit_count: 0,
  },
  daily_facts: { ...ZEROS, repo_id: 1, category: CATEGORY_IDS.backend, file_count: 1 },
  daily_ai: {
    repo_id: 1,
    category: CATEGORY_IDS.backend,
    file_count: 1,
    ai_lines_added: 0,
    ai_lines_deleted: 0,
    ai_lines_changed: 0,
    ai_delta: 0,
    commit_count: 1,
    line_commit_count: 1,
    source: 'note',
    model: 'claude',
    provider: 'vendorC_platform',
  },
  commits: {
    repo_id: 1,
    author_signature_id: 1,
    entered_at: at,
    state: 'analysis_complete',
    presence: 'existent',
    contributor_kind: 'unknown',
    file_count: 1,
    authored_zone: 0,
    committed_zone: 0,
    is_merge: false,
    on_default_branch: true,
    rolled_up: true,
    parents: Buffer.alloc(0),
    children: Buffer.alloc(0),
    message: '',
  },
  commit_traits: { bug_share: 0, opex_share: 0, pull_request_phase: 'No pull request' },
  ai_usages: { llm_model_name: 'm', ai_provider_em: 'vendorA_assistant' },
  releases: { repo_id: 1, triggered_by: 'api' },
  critical_defects: { source_em: 'api', repo_id: 1 },
  defect_fixes: { repo_id: 1 },
  defect_commits: { link_em: 'sha' },
  pull_requests: { repo_id: 1, title: '', branch_name: 'b', base_branch: 'main', is_author_bot: false },
  pull_request_reviews: { is_bot: false, is_by_author: false, state_em: 'approved' },
  pull_request_comments: { is_bot: false, is_by_author: false, is_review_comment: false, body: '' },
  issues: { provider_em: 'tracker_a', title: '', type: 'Story', status: 'Done', opened_at: at },
  sprints: { board_id: 'B' },
  teams: {},
  team_members: { role_em: 'committer_role' },
  committers: { processing_status: 'processing_stats' },
};

let serial = 0;
let entities = 0;

function complete(table: string, entityId: number, row: Fields): Fields {
  serial += 1;
  const full: Record<string, unknown> = { entity_id: entityId, ...DEFAULTS[table], ...row };
  if (table === 'daily_facts') full.utc_on ??= full.authored_on;
  if (table === 'commits') {
    full.sha ??= Buffer.from(serial.toString(16).padStart(40, '0'), 'hex');
    full.authored_at ??= `${full.authored_on}T12:00:00Z`;
    full.committed_at ??= full.authored_at;
    full.authored_on ??= String(full.authored_at).slice(0, 10);
  }
  if (table === 'pull_requests') {
    full.number ??= serial;
    full.created_at ??= full.opened_at;
    full.last_activity_at ??= full.opened_at;
  }
  if (table === 'pull_request_reviews' || table === 'pull_request_comments') full.external_id ??= String(serial);
  if (table === 'critical_defects') full.defect_key ??= `D-${serial}`;
  if (table === 'issues') full.key ??= `I-${serial}`;
  if (table === 'team_members') full.identifier ??= `m${serial}`;
  if (table === 'committers') {
    full.root_committer_id ??= full.id;
    full.committer_user_name ??= `user${full.id}`;
    full.full_name ??= `User ${full.id}`;
    full.email ??= `user${full.id}@example.com`;
  }
  return full;
}

export async function insertRows(store: Store, table: string, rows: readonly Fields[]): Promise<void> {
  for (let index = 0; index < rows.length; index += 500) {
    const chunk = rows.slice(index, index + 500);
    const names = [...new Set(chunk.flatMap((row) => Object.keys(row)))];
    const values: unknown[] = [];
    const lines = chunk.map(
      (row) =>
        `(${names
          .map((name) => {
            if (!Object.hasOwn(row, name)) return 'default';
            values.push(row[name]);
            return `$${values.length}`;
          })
          .join(', ')})`,
    );
    await store.pool.query(`insert into ${table} (${names.join(', ')}) values ${lines.join(', ')}`, values);
  }
  if (table === 'defect_origins') await store.pool.query(EMIT_FIXED);
  if (table === 'daily_commits') {
    await store.pool.query(SUM_PEOPLE);
    await store.pool.query(SUM_WEEKS);
  }
}

/** As the job has it that traces fixes. */
const EMIT_FIXED = `
  update defect_origins set fixed_at = c.authored_at from commits c
  where c.entity_id = defect_origins.entity_id and c.id = defect_origins.fix_commit_id`;

/** The table over all repos, as imports would have filled it along with the one by repo. */
const SUM_PEOPLE = `
  insert into daily_people (entity_id, committer_id, authored_on, commit_count)
  select entity_id, committer_id, authored_on, sum(commit_count)
  from daily_commits group by 1, 2, 3
  on conflict (entity_id, authored_on, committer_id) do update set commit_count = excluded.commit_count`;

/** What only the sums by kind of code have. */
const OF_CATEGORIES = [
  'known_lines_changed',
  'unknown_lines_added',
  'unknown_lines_deleted',
  'unknown_delta',
  'category',
];

/** A row of daily_commits, and the same work as backend code, or of the category that it names, in daily_facts. */
export function workRows(rows: readonly Fields[]): { readonly commits: Fields[]; readonly facts: Fields[] } {
  const counts = ['commit_count', 'ai_commit_count', 'ai_line_commit_count', 'known_commit_count'];
  const without = (row: Fields, names: readonly string[]): Fields =>
    Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)));
  return {
    commits: rows.map((row) => without(row, OF_CATEGORIES)),
    facts: rows.map((row) => ({ utc_on: row.authored_on, ...without(row, counts) })),
  };
}

const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map((day) => `commits_${day}`);
const SUM_WEEKS = `
  insert into weekly_people (entity_id, committer_id, week, ${WEEKDAYS.join(', ')})
  select entity_id, committer_id, date_trunc('week', authored_on::timestamp)::date,
    ${WEEKDAYS.map((_, place) => `coalesce(sum(commit_count) filter (where extract(isodow from authored_on) = ${place + 1}), 0)`).join(', ')}
  from daily_people group by 1, 2, 3
  on conflict (entity_id, week, committer_id) do update set
    ${WEEKDAYS.map((name) => `${name} = excluded.${name}`).join(', ')}`;

/** One organization with repos 1 and 2, and the developers 1, 2 and 3. */
export async function createFactsKit(shared?: Store): Promise<FactsKit> {
  entities += 1;
  const store = shared ?? (await createTestDatabase()).store;
  const { rows } = await store.pool.query(`insert into entities (slug, name) values ($1, 'Acme') returning id`, [
    `acme${entities}`,
  ]);
  const entityId: number = rows[0].id;
  const clock = createBusinessClock(DEFAULT_BUSINESS_CALENDAR);
  const kit: FactsKit = {
    store,
    entityId,
    async insert(table, ...list) {
      const insert = (name: string, rows: readonly Fields[]) =>
        insertRows(
          store,
          name,
          rows.map((row) => complete(name, entityId, row)),
        );
      if (table !== 'daily_work') return insert(table, list);
      const { commits, facts } = workRows(list);
      await insert('daily_commits', commits);
      await insert('daily_facts', facts);
    },
    scope: (change = {}) => ({
      entityId,
      zone: 'UTC',
      clock:
        change.zone === undefined ? clock : createBusinessClock({ ...DEFAULT_BUSINESS_CALENDAR, zone: change.zone }),
      weekStartsOnSunday: false,
      repoIds: null,
      organizationIds: [],
      personIds: null,
      weights: DEFAULT_WEIGHTS,
      lineCategories: DEFAULT_LINE_CATEGORIES,
      asksForPeople: (change.personIds ?? null) !== null,
      isAboutPeople: false,
      teamId: null,
      aiProvider: null,
      isDefaultBranchOnly: false,
      daysOff: new Set(),
      now: new Date('2026-12-31T00:00:00Z'),
      ...change,
    }),
    async report(segment, { range, interval = 'monthly', by = 'none', statistic = 'mean', scope = {} }) {
      const full = kit.scope(scope);
      const intervals = intervalsOf(range, interval, full.weekStartsOnSunday);
      const ask = { row: SEGMENTS[segment], aggregation: by, range, bucket: interval, intervals, statistic };
      const series = await runReport(store, ask, full);
      return Object.fromEntries(
        series.map(({ name, values }) => [
          name,
          Object.fromEntries(
            values.flatMap((value, index) =>
              value === undefined ? [] : [[intervals[index]!.start, value === null ? null : round(value)]],
            ),
          ),
        ]),
      );
    },
  };
  await kit.insert('organizations', { id: 1, slug: 'org', name: 'Org' });
  await kit.insert(
    'repos',
    { id: 1, organization_id: 1, slug: 'one', name: 'one', source_kind: 'path' },
    { id: 2, organization_id: 1, slug: 'two', name: 'two', source_kind: 'path' },
  );
  await kit.insert('committers', { id: 1 }, { id: 2 }, { id: 3 });
  return kit;
}

export const round = (value: number): number => Math.round(value * 1e4) / 1e4;
