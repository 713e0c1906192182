// Companies of one seed at every host, each with a tracker; and how the statistics that are read from the service are held
// against those that are computed from the company's own records. Shared by the test and the bench at full size.
import { deriveTraits } from '../../src/jobs/derive-traits.ts';
import { SEGMENTS } from '../../src/metrics/catalogue/segments/index.ts';
import { jobContext } from '../jobs/import/import-kit.ts';
import { companyStatistics, monthly, type Told } from '../oracles/company-statistics.ts';
import { generateWorks, type Works, type WorksSize } from '../world/company/generate-works.ts';
import type { CompanyDouble } from '../world/company-hosts/company-host.ts';
import { EPICS, epicTimes } from '../world/company-hosts/gitlab-company.ts';
import {
  AZURE_DEVOPS,
  AZURE_DEVOPS_SERVER,
  BITBUCKET,
  BITBUCKET_SERVER,
  type CompanyHost,
  GITHUB,
  GITLAB,
} from '../world/company-hosts/hosts.ts';
import { AZURE_BOARDS, type CompanyTracker, JIRA, JIRA_SERVER, LINEAR } from '../world/tracker-doubles/trackers.ts';
import { type CompanyKit, createCompanyKit } from './company-kit.ts';

export interface CompanyRow {
  readonly host: CompanyHost;
  readonly tracker: CompanyTracker;
  /** Whether the host's own issues are part of it. */
  readonly hasHostIssues: boolean;
  readonly hostSprints: Told['hostSprints'];
  readonly hostEpics: Told['hostEpics'];
}

const none = { hasHostIssues: false, hostSprints: [], hostEpics: [] } as const;
/** Every host and every tracker occurs. */
export const COMPANIES: readonly CompanyRow[] = [
  { ...none, host: GITHUB as CompanyHost, tracker: JIRA, hasHostIssues: true },
  { ...none, host: GITLAB, tracker: LINEAR, hostEpics: EPICS.flatMap((iid) => epicTimes(iid).closedAt ?? []) },
  { ...none, host: AZURE_DEVOPS, tracker: AZURE_BOARDS },
  { ...none, host: AZURE_DEVOPS_SERVER, tracker: AZURE_BOARDS },
  { ...none, host: BITBUCKET, tracker: JIRA },
  { ...none, host: BITBUCKET_SERVER, tracker: JIRA_SERVER },
];

/** Statistics that are empty without a code host or a tracker. */
export const HOST_STATISTICS = (Object.keys(SEGMENTS) as (keyof typeof SEGMENTS)[]).filter((name) => {
  const needs: readonly string[] = SEGMENTS[name].needs;
  return ['pull_requests', 'issues', 'sprints'].some((kind) => needs.includes(kind));
});

const OTHER = 'Other';

export const FIRST_DAY = '2023-10-01';
export const LAST_DAY = '2026-11-09';
const END = '2026-11-10';
const START = new Date('2026-11-10T10:00:00Z');
/** Each Wednesday of a year. */
const USAGE = {
  login: 'linus',
  days: Array.from({ length: 52 }, (_, week) => new Date(Date.UTC(2025, 0, 8 + 7 * week)).toISOString().slice(0, 10)),
} as const;
const TEAM = { name: 'Core', logins: ['ada', 'grace'] } as const;

export interface CollectedCompany {
  readonly kit: CompanyKit<CompanyDouble>;
  readonly works: Works;
  readonly told: Told;
  readonly calls: number;
}

export async function collectCompany(row: CompanyRow, seed: number, size: WorksSize): Promise<CollectedCompany> {
  const { host, tracker } = row;
  const works = generateWorks(seed, row.hasHostIssues ? size : { ...size, hostIssues: 0 }, tracker);
  const double = await tracker.start(works.tracker);
  const kit = await createCompanyKit(works.company, host, {
    clock: START,
    folder: works.folder,
    tracker: { double, connection: tracker.connection(double) },
  });
  await kit.query(
    `insert into entity_settings (entity_id, key, value)
     values ($1, 'holiday_calendar', '"none"')`,
    [kit.entityId],
  );
  // Settings are remembered for a few seconds.
  kit.clock = new Date(kit.clock.getTime() + 60_000);
  const calls = await kit.collectAll();
  await addTeam(kit, works);
  await addUsage(kit);
  await kit.derive();
  await leaveOneTeam(kit);
  const facts = await kit.query<{ sha: string; counts: boolean; delta: number }>(
    `select encode(sha, 'hex') as sha, rolled_up as counts, coalesce(delta, 0) as delta from commits`,
  );
  const told: Told = {
    works,
    host: host.tells,
    tracker,
    git: new Map(facts.map((fact) => [fact.sha, fact])),
    hasHostIssues: row.hasHostIssues,
    hostSprints: row.hostSprints,
    hostEpics: row.hostEpics,
    team: TEAM,
    usage: USAGE,
    // The reports end before the clock.
    now: `${END}T00:00:00.000Z`,
  };
  return { kit, works, told, calls };
}

async function addUsage(kit: CompanyKit<CompanyDouble>): Promise<void> {
  const usages = USAGE.days.map((date) => ({
    llm_model_name: 'gpt-5',
    date,
    committer_identifier: `${USAGE.login}@example.com`,
    prompted_suggest_count: 100,
    prompted_accept_count: 50,
  }));
  const answer = await kit.app.request({ route: 'POST /ai_usages/bulk', json: { resource_path: 'acme', usages } });
  if (answer.status !== 200) throw new Error(answer.text);
}

async function addTeam(kit: CompanyKit<CompanyDouble>, works: Works): Promise<void> {
  const [team] = await kit.query<{ id: number }>(
    `insert into teams (entity_id, name, slug) values ($1, $2, 'core') returning id`,
    [kit.entityId, TEAM.name],
  );
  const emails = works.company.people.filter(({ login }) => (TEAM.logins as readonly string[]).includes(login));
  await kit.query(
    `insert into team_members (entity_id, team_id, committer_id, identifier, role_em)
     select distinct $1::bigint, $2::bigint, c.root_committer_id, c.root_committer_id::text, 'committer_role'
     from committers c where c.entity_id = $1 and c.full_name = any($3)`,
    [kit.entityId, team!.id, emails.map(({ name }) => name)],
  );
}

/** Teams that follow hosts and boards have tests of their own; here it is one, whose members are known. */
async function leaveOneTeam(kit: CompanyKit<CompanyDouble>): Promise<void> {
  await kit.query('update sprints set team_id = null');
  await kit.query('delete from team_members where team_id in (select id from teams where source_key is not null)');
  await kit.query('delete from teams where source_key is not null');
  await deriveTraits.run({ entity_id: kit.entityId }, jobContext(), kit.parts);
}

interface Point {
  readonly start_date: string;
  readonly y: number | null;
}

/** What the service says that differs from the company's own records; empty where nothing does. */
export async function findDifferences({ kit, told }: CollectedCompany): Promise<Record<string, string[]>> {
  const expected = companyStatistics(told);
  const differences: Record<string, string[]> = {};
  for (const name of HOST_STATISTICS) {
    const query = `resource_path=acme&segment_by=${name}&start_date=${FIRST_DAY}&end_date=${LAST_DAY}&interval=month`;
    const { body, status, text } = await kit.app.request({ route: 'GET /reports', query });
    if (status !== 200) throw new Error(`${name}: ${text}`);
    const row = SEGMENTS[name];
    const series = body.series_segments as Record<string, readonly Point[]>;
    const wanted = monthly(expected[name]!);
    const found: string[] = [];
    const expectedSeries = gather(wanted, Object.keys(series), row.title);
    for (const shown of new Set([...Object.keys(series), ...expectedSeries.keys()])) {
      const months = expectedSeries.get(shown) ?? new Map<string, number>();
      const points = new Map((series[shown] ?? []).map(({ start_date, y }) => [start_date, y]));
      for (const month of new Set([...months.keys(), ...points.keys()])) {
        const [got, want] = [points.get(month) ?? 0, months.get(month) ?? 0];
        if (Math.abs(got - want) > 0.5 * 10 ** -row.precision + 1e-6)
          found.push(`${shown} ${month}: ${got}, not ${want}`);
      }
    }
    if (found.length > 0) differences[name] = [`${found.length} points`, ...found.slice(0, 4)];
  }
  return differences;
}

type Months = Map<string, number>;

/** A statistic of one series is shown under its title; of many, the smaller ones are shown together. */
function gather(wanted: ReadonlyMap<string, Months>, shown: readonly string[], title: string): Map<string, Months> {
  const gathered = new Map<string, Months>();
  for (const [name, months] of wanted) {
    const place = name === '' ? title : shown.includes(name) || !shown.includes(OTHER) ? name : OTHER;
    const sum = gathered.get(place) ?? new Map<string, number>();
    for (const [month, value] of months) sum.set(month, (sum.get(month) ?? 0) + value);
    gathered.set(place, sum);
  }
  return gathered;
}

/** How many points a statistic has that are not zero: one that shows nothing would prove nothing. */
export function countPoints(told: Told): Record<string, number> {
  const expected = companyStatistics(told);
  return Object.fromEntries(
    HOST_STATISTICS.map((name) => [
      name,
      [...monthly(expected[name]!).values()].flatMap((months) => [...months.values()]).filter((value) => value !== 0)
        .length,
    ]),
  );
}
