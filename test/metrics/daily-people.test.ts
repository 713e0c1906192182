// The tables over all repos, by day and by week, say what the one by repo and the commits say, whatever happens to repos,
// people and days.
import { expect, test } from 'vitest';
import { addDays } from '../../src/metrics/intervals.ts';
import { rebuildRollups } from '../../src/storage/commits/rollups.ts';
import { setProcessingStatuses } from '../../src/storage/people/developers.ts';
import { createImportKit, type ImportKit } from '../jobs/import/import-kit.ts';
import { randomHistory } from '../world/random-history.ts';

const SUMS = `
  select committer_id, authored_on::text, sum(commit_count)::int as commit_count
  from daily_commits group by 1, 2 order by 1, 2`;
const PEOPLE = 'select committer_id, authored_on::text, commit_count from daily_people order by 1, 2';

/** Weeks are of days of UTC. */
const COMMITS = `
  select author_id as committer_id, (authored_at at time zone 'UTC')::date::text as utc_on, count(*)::int as commit_count
  from commits where rolled_up and counted_in is null group by 1, 2`;

const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

async function expectSums(kit: ImportKit): Promise<number> {
  const people = await kit.query<{ committer_id: number; authored_on: string; commit_count: number }>(PEOPLE);
  expect(people).toEqual(await kit.query(SUMS));
  const weeks = await kit.query<Record<string, unknown>>('select * from weekly_people');
  const days = weeks.flatMap((row) =>
    WEEKDAYS.flatMap((day, place) => {
      const commit_count = row[`commits_${day}`] as number;
      const authored_on = addDays(row.week as string, place);
      return commit_count === 0 ? [] : [JSON.stringify([row.committer_id, authored_on, commit_count])];
    }),
  );
  const commits = await kit.query<{ committer_id: number; utc_on: string; commit_count: number }>(COMMITS);
  expect(days.toSorted()).toEqual(
    commits
      .map(({ committer_id, utc_on, commit_count }) => JSON.stringify([committer_id, utc_on, commit_count]))
      .toSorted(),
  );
  expect(weeks.every((row) => row.usage_days !== 0 || WEEKDAYS.some((day) => row[`commits_${day}`] !== 0))).toBe(true);
  return people.length;
}

test('it is kept by imports, by changes of whom is counted, and when days are cut anew', async () => {
  const kit = await createImportKit();
  await kit.importFolder('one', randomHistory(5).path);
  await kit.importFolder('two', randomHistory(6).path);
  const days = await expectSums(kit);
  expect(days).toBeGreaterThan(5);

  const [evidence] = await kit.query<{ unknown: number }>(
    `select sum(coalesce(delta, 0)) filter (where contributor_kind = 'unknown' and rolled_up) as unknown from commits`,
  );
  const [stored] = await kit.query<{ unknown: number }>('select sum(unknown_delta) as unknown from daily_facts');
  expect(stored?.unknown).toBe(evidence?.unknown);

  const [someone] = await kit.query<{ committer_id: number }>(
    'select committer_id from daily_people group by 1 order by count(*) desc limit 1',
  );
  const [{ root_id } = { root_id: 0 }] = await kit.query<{ root_id: number }>(
    'select root_committer_id as root_id from committers where id = $1',
    [someone!.committer_id],
  );
  const setStatus = (status: 'not_processing' | 'processing_stats') =>
    kit.store.db.transaction().execute((trx) => setProcessingStatuses(trx, kit.entityId, [root_id], status));
  await setStatus('not_processing');
  expect(await expectSums(kit)).toBeLessThan(days);
  await setStatus('processing_stats');
  expect(await expectSums(kit)).toBe(days);

  const repos = await kit.query<{ id: number }>('select id from repos');
  for (const { id } of repos) {
    await kit.store.db.transaction().execute((trx) => rebuildRollups(trx, kit.entityId, id, 'Pacific/Kiritimati'));
    await expectSums(kit);
  }
});
