// Tools report by days of UTC. Which lines are credited to a report, and how much somebody used tools on a day of work, is
// the same in whatever zone the entity counts its days.
import { expect, test } from 'vitest';
import { storeSetting } from '../../src/storage/access/entity-settings.ts';
import { creditUsages } from '../../src/storage/ai/usage-credits.ts';
import { noteUsageWeeks, sumDueWeeks } from '../../src/storage/ai/usage-weeks.ts';
import { beginDerivation } from '../../src/storage/commits/derive-anew.ts';
import { rebuildRollups } from '../../src/storage/commits/rollups.ts';
import { readMigrations } from '../../src/storage/database/migrate.ts';
import { listReposWithStaleSums } from '../../src/storage/repos/repos.ts';
import { createImportKit, type ImportKit } from '../jobs/import/import-kit.ts';
import { createFactsKit } from '../world/facts-kit.ts';
import { type GoldenRepo, goldenRepo } from '../world/golden-repo.ts';

const ZONE = 'America/Los_Angeles';
/** Monday to Friday at 18:00 in Los Angeles, which is 02:00 of the next day in UTC. */
const EVENINGS = ['2026-11-02', '2026-11-03', '2026-11-04', '2026-11-05', '2026-11-06'];
const at = (moment: string): number => Date.parse(moment) / 1000;

function eveningWork(): GoldenRepo {
  const builder = goldenRepo();
  EVENINGS.forEach((day, n) => {
    const lines = Array.from({ length: 50 }, (_, line) => `const value${n}_${line} = compute(${line}, ${n});\n`);
    builder.commit(`c${n}`, {
      author: 'Lou <lou@example.com>',
      at: at(`${day}T18:00:00-08:00`),
      files: { [`src/f${n}.ts`]: lines.join('') },
    });
  });
  return builder.build();
}

/** 40 lines and five prompts on each of the days of UTC on which something was committed. */
async function reportUse(kit: ImportKit): Promise<void> {
  const [lou] = await kit.query<{ id: number }>('select id from committers where entity_id = $1', [kit.entityId]);
  const used = EVENINGS.map((day) => {
    const used_on = new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
    return { committer_id: lou!.id, used_on };
  });
  for (const { committer_id, used_on } of used) {
    await kit.query(
      `insert into ai_usages (entity_id, used_on, committer_id, llm_model_name, ai_provider_em, prompted_suggest_count, lines_added)
       values ($1, $2, $3, 'gpt-5', 'openai', 5, 40)`,
      [kit.entityId, used_on, committer_id],
    );
  }
  await creditUsages(kit.store.db, kit.entityId, { usedBy: used });
  await noteUsageWeeks(kit.store.db, kit.entityId, used);
  await sumDueWeeks(kit.store.db, kit.entityId);
}

async function readStatistics(kit: ImportKit, zone: string) {
  const { report } = await createFactsKit(kit.store);
  const ask = (segment: Parameters<typeof report>[0], interval: 'daily' | 'monthly', by: 'none' | 'repo' = 'none') =>
    report(segment, {
      range: { from: '2026-11-01', to: '2026-11-30' },
      interval,
      by,
      scope: { entityId: kit.entityId, zone },
    });
  return {
    share: await ask('ai_code_line_percent', 'monthly'),
    byDay: await ask('commit_ai_lines_added_count', 'daily'),
    ofRepo: await ask('commit_ai_lines_added_count', 'monthly', 'repo'),
    cohorts: await ask('commit_count_cohorts_per_committer', 'monthly'),
    without: await ask('ai_inactive_committer_count', 'daily'),
  };
}

async function importEvenings(zone: string): Promise<{ kit: ImportKit; repoId: number }> {
  const kit = await createImportKit();
  if (zone !== 'UTC')
    await storeSetting(kit.store.db, { entity_id: kit.entityId, key: 'time_zone', value: zone }, new Date());
  const { repo_id } = await kit.importFolder('evenings', eveningWork().path);
  await reportUse(kit);
  return { kit, repoId: repo_id! };
}

async function expectStatistics(kit: ImportKit, zone: string, days: readonly string[]): Promise<void> {
  const { share, byDay, ofRepo, cohorts, without } = await readStatistics(kit, zone);
  expect(Object.values(share)).toEqual([{ '2026-11-01': 80 }]);
  expect(Object.values(byDay)).toEqual([Object.fromEntries(days.map((day) => [day, 40]))]);
  expect(Object.values(ofRepo)).toEqual([{ '2026-11-01': 200 }]);
  // 25 prompts on five days of work.
  expect(Object.keys(cohorts)).toEqual(['Regular']);
  expect(without).toEqual({});
}

const rebuild = (kit: ImportKit, repoId: number, zone: string): Promise<void> =>
  kit.store.db.transaction().execute((trx) => rebuildRollups(trx, kit.entityId, repoId, zone));

test.each([
  { zone: 'UTC', days: ['2026-11-03', '2026-11-04', '2026-11-05', '2026-11-06', '2026-11-07'] },
  { zone: ZONE, days: EVENINGS },
])('evening work counts alike with days of $zone', async ({ zone, days }) => {
  const { kit, repoId } = await importEvenings(zone);
  await expectStatistics(kit, zone, days);
  await rebuild(kit, repoId, zone);
  await expectStatistics(kit, zone, days);
});

test.each([
  { zone: 'UTC', days: ['2026-11-04', '2026-11-05', '2026-11-06', '2026-11-07'] },
  { zone: ZONE, days: ['2026-11-04', '2026-11-05', '2026-11-06'] },
  { zone: 'Asia/Tokyo', days: ['2026-11-05', '2026-11-06', '2026-11-07'] },
])('who used nothing on a day of $zone is told by the reports that may be of it', async ({ zone, days }) => {
  const { kit } = await importEvenings(zone);
  await kit.query(`delete from ai_usages where used_on <> '2026-11-03'`);
  const { without } = await readStatistics(kit, zone);
  expect(Object.values(without)).toEqual([Object.fromEntries(days.map((day) => [day, 1]))]);
});

test.each([
  'update repos set derived_under = null', // an import that the upgrade has cut off has sums too
  'delete from entity_settings', // another zone has been chosen, and the sums have not followed yet
])('an upgrade works out anew what was held against days of the zone: %s', async (state) => {
  const { kit, repoId } = await importEvenings(ZONE);
  const weeks = () => kit.query('select * from weekly_people order by committer_id, week');
  const expected = await weeks();
  await kit.query(state);
  await kit.query(`
    alter table daily_facts drop constraint daily_facts_pkey;
    alter table daily_facts drop column utc_on;
    alter table repos drop column has_stale_sums;
    alter table daily_facts add constraint daily_facts_pkey
      primary key (entity_id, authored_on, repo_id, committer_id, category, counted_in);
    update weekly_people set commits_mon = commits_tue, commits_tue = commits_wed, commits_wed = commits_thu,
      commits_thu = commits_fri, commits_fri = commits_sat, commits_sat = 0;
    update ai_usages set credited_share = 0.5, credited_lines_changed = 1`);
  expect(await weeks()).not.toEqual(expected);
  await kit.query(readMigrations().find(({ name }) => name === '0303_lines_by_the_days_of_tools')!.sql);
  expect(await weeks()).toEqual(expected);
  expect(await listReposWithStaleSums(kit.store.db)).toMatchObject([{ entity_id: kit.entityId }]);
  await rebuild(kit, repoId, ZONE);
  expect(await weeks()).toEqual(expected);
  await expectStatistics(kit, ZONE, EVENINGS);
});

test('sums that are built anew keep the commits which are being derived anew', async () => {
  const { kit, repoId } = await importEvenings(ZONE);
  const target = { entityId: kit.entityId, repoId };
  await beginDerivation(kit.store.db, target, kit.parts.imports.derivation);
  await rebuild(kit, repoId, ZONE);
  await expectStatistics(kit, ZONE, EVENINGS);
});
