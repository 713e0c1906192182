// The least that a report must read: the stored rows of its range, summed by week and by the series that the
// table itself has, one plain statement for each table. No people, teams, cohorts or access, nothing named,
// rounded or written as JSON. What the database must work out beyond that is the report's own cost.
import type { SegmentId } from '../../src/domain/segments.ts';
import { FACTS, type FactName } from '../../src/metrics/catalogue/facts.ts';
import { type AnyMeasure, MEASURES } from '../../src/metrics/catalogue/measures.ts';
import { SEGMENTS } from '../../src/metrics/catalogue/segments/index.ts';
import { planSegment } from '../../src/metrics/compile/plan-segment.ts';

interface BareTable {
  readonly from: string;
  /** Date or moment that decides the week; the measure's own moment where absent. */
  readonly day?: string;
  readonly person?: string;
  /** What is summed, where the measure's columns are not the table's. */
  readonly value?: string;
  readonly series?: Readonly<Record<string, string>>;
  /** Moments of the relation that the table calls otherwise. */
  readonly moments?: Readonly<Record<string, string>>;
}

const COMMITS = 'commits f';
const work: BareTable = { from: 'daily_commits f', day: 'authored_on', person: 'committer_id' };
const usages: BareTable = {
  from: 'ai_usages f',
  day: 'used_on',
  person: 'committer_id',
  series: { model: 'llm_model_name', provider: 'ai_provider_em' },
};
const ofCommits = { day: 'authored_at', person: 'author_id', value: 'sum(f.delta)' } as const;
const shipped: BareTable = { from: 'release_authors f', day: 'released_at' };
const causes: BareTable = {
  from: 'critical_defects f join defect_origins n on n.entity_id = f.entity_id and n.defect_id = f.id',
  day: 'detected_at',
  value: 'sum(n.lines)',
};

const TABLES: Readonly<Record<FactName, readonly BareTable[]>> = {
  work: [work],
  attendance: [{ ...work, from: 'daily_people f' }],
  categories: [{ ...work, from: 'daily_facts f', series: { category: 'category' } }],
  credits: [{ ...work, from: 'daily_ai f', series: { model: 'model', provider: 'provider', source: 'source' } }],
  usage_credits: [{ ...usages, value: 'sum(f.credited_lines_changed)' }],
  recent_usage_credits: [{ ...usages, value: 'sum(f.credited_lines_changed)' }],
  traced: [
    {
      ...ofCommits,
      from: `${COMMITS} join commit_traits t on t.entity_id = f.entity_id and t.commit_id = f.id`,
      series: { pull_request_phase: 'pull_request_phase' },
    },
  ],
  commit_issues: [
    { ...ofCommits, from: `${COMMITS} left join issue_commits n on n.entity_id = f.entity_id and n.commit_id = f.id` },
  ],
  commit_sprints: [{ ...ofCommits, from: COMMITS }],
  copies: [{ ...ofCommits, from: COMMITS, value: 'count(*)' }],
  unread: [{ ...ofCommits, from: COMMITS, value: 'count(*)' }],
  churned: [
    {
      ...ofCommits,
      from: `${COMMITS} join line_flows n on n.entity_id = f.entity_id and n.commit_id = f.id`,
      value: 'sum(n.lines_updated)',
    },
  ],
  ai_churned: [
    {
      ...ofCommits,
      from: `${COMMITS} join line_flows n on n.entity_id = f.entity_id and n.commit_id = f.id`,
      value: 'sum(n.ai_lines)',
    },
  ],
  lives: [
    {
      ...ofCommits,
      from: `${COMMITS} join commit_files n on n.entity_id = f.entity_id and n.commit_id = f.id`,
      value: 'sum(n.lines_added)',
    },
    {
      ...ofCommits,
      from: `${COMMITS} join line_flows n on n.entity_id = f.entity_id and n.commit_id = f.id`,
      value: 'sum(n.lines_updated)',
    },
  ],
  seat_days: [usages],
  usages: [usages],
  idle_days: [usages],
  engaged_usages: [usages],
  pulls: [{ from: 'pull_requests f', moments: { wait_ended_at: 'opened_at', waits_until: 'opened_at' } }],
  reviews: [{ from: 'pull_request_reviews f' }],
  reviewed_commits: [
    {
      from: `pull_request_reviews f join pull_request_commits n
        on n.entity_id = f.entity_id and n.pull_request_id = f.pull_request_id`,
    },
  ],
  comments: [{ from: 'pull_request_comments f' }],
  received_comments: [{ from: 'pull_request_comments f' }],
  first_pulls: [{ from: 'pull_requests f', person: 'author_id' }],
  first_deploys: [shipped],
  releases: [{ from: 'releases f' }],
  release_people: [shipped],
  changes: [{ from: 'released_changes f' }],
  defects: [{ from: 'critical_defects f' }],
  defect_lines: [causes],
  fixed_lines: [causes],
  issues: [{ from: 'issues f', person: 'assignee_id', moments: { ended_at: 'resolved_at' } }],
  epic_shares: [{ from: 'issues f' }],
  bugs: [{ from: 'issues f', day: 'opened_at' }],
  sprint_parts: [{ from: 'sprint_parts f' }],
};

/** By arithmetic for dates, which is the cheapest; moments are taken in UTC. */
const weekOf = (day: string): string =>
  day.endsWith('_on')
    ? `f.${day} - (f.${day} - '0001-01-01'::date) % 7`
    : `date_trunc('week', f.${day} at time zone 'UTC')`;

/** Parameters: entity, first day, last day. */
export function bareQueries(segment: SegmentId): string[] {
  const row = SEGMENTS[segment];
  const texts = planSegment(row, 'none', 'weekly').questions.flatMap(({ question }) => {
    const measure: AnyMeasure = MEASURES[question.measure];
    return TABLES[measure.fact].map((table) => {
      const moment = measure.at ?? measure.during?.[0] ?? measure.between?.[1] ?? '';
      const day = table.day ?? table.moments?.[moment] ?? moment;
      const series = question.split === null ? undefined : table.series?.[question.split];
      const keys = [`${weekOf(day)}`, ...(series === undefined ? [] : [series])];
      const places = keys.map((_, index) => index + 1).join(', ');
      return {
        start: `select ${keys.join(', ')}`,
        value: quantityOf(measure, table),
        end: `from ${table.from} where f.entity_id = $1 and f.${day} >= $2::date and f.${day} < $3::date + 1 group by ${places}`,
      };
    });
  });
  // The same rows with another column summed are read once.
  const merged = new Map<string, { start: string; values: Set<string>; end: string }>();
  for (const { start, value, end } of texts) {
    const known = merged.get(start + end) ?? { start, values: new Set<string>(), end };
    known.values.add(value);
    merged.set(start + end, known);
  }
  return [...merged.values()].map(({ start, values, end }) => `${start}, ${[...values].join(', ')} ${end}`);
}

function quantityOf(measure: AnyMeasure, table: BareTable): string {
  if (measure.distinct?.includes('person') && table.person !== undefined) return `count(distinct f.${table.person})`;
  if (table.value !== undefined) return table.value;
  if (measure.between !== undefined && measure.clipped !== true && !table.from.includes(' join ')) {
    const [begin, end] = measure.between.map((name) => table.moments?.[name] ?? name);
    if (begin !== 'joined_at') return `avg(f.${end} - f.${begin})`;
  }
  const columns = Object.keys(measure.sum ?? {}).map((name) => `f.${name}`);
  const isTable = table.from.startsWith(`${FACTS[measure.fact].source} `);
  return columns.length > 0 && isTable ? `sum(${columns.join(' + ')})` : 'count(*)';
}
