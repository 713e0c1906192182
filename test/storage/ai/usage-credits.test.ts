// What reported use of AI tools is credited with is kept with it, whatever happens to repos, people and reports.
import { expect, test } from 'vitest';
import { dayNumber, weekOf } from '../../../src/metrics/intervals.ts';
import { creditUsages } from '../../../src/storage/ai/usage-credits.ts';
import { storeUsages } from '../../../src/storage/ai/usages.ts';
import { setProcessingStatuses } from '../../../src/storage/people/developers.ts';
import { mergeCommitters, splitCommitter } from '../../../src/storage/people/merge-committers.ts';
import { createImportKit, type ImportKit } from '../../jobs/import/import-kit.ts';
import { goldenRepo } from '../../world/golden-repo.ts';

interface Usage {
  readonly id: number;
  readonly committer_id: number;
  readonly used_on: string;
  readonly lines_added: number | null;
  readonly credited_lines_changed: number | null;
  readonly credited_delta: number | null;
}

/** By plain loops over what is reported and what was committed. */
async function expectCredits(kit: ImportKit): Promise<number> {
  const usages = await kit.query<Usage>(
    'select id, committer_id, used_on, lines_added, credited_lines_changed, credited_delta from ai_usages order by id',
  );
  const days = await kit.query<{
    committer_id: number;
    authored_on: string;
    lines_changed: number;
    known_lines_changed: number;
    unknown_delta: number;
  }>('select * from daily_people');
  const people = await kit.query<{ id: number; root_committer_id: number }>(
    'select id, root_committer_id from committers',
  );
  const rootOf = (committer: number) => people.find(({ id }) => id === committer)!.root_committer_id;
  let credited = 0;
  for (const usage of usages) {
    const isSame = (committer: number, day: string) =>
      rootOf(committer) === rootOf(usage.committer_id) && day === usage.used_on;
    const reported = usages.filter((other) => isSame(other.committer_id, other.used_on));
    const work = days.filter((day) => isSame(day.committer_id, day.authored_on) && day.lines_changed > 0);
    const lines = work.reduce((sum, day) => sum + day.lines_changed, 0);
    const total = reported.reduce((sum, { lines_added }) => sum + (lines_added ?? 0), 0);
    const isCredited = (usage.lines_added ?? 0) > 0 && lines > 0;
    const share = isCredited ? usage.lines_added! * Math.min(0.8 / total, 1 / lines) : 0;
    const unknown = work.reduce((sum, day) => sum + day.lines_changed - day.known_lines_changed, 0);
    const delta = work.reduce((sum, day) => sum + day.unknown_delta, 0);
    if (!isCredited) {
      expect(usage).toMatchObject({ credited_lines_changed: null, credited_delta: null });
      continue;
    }
    credited += 1;
    expect(usage.credited_lines_changed).toBeCloseTo(1000 * share * unknown, 6);
    expect(usage.credited_delta).toBeCloseTo(share * delta, 6);
  }
  await expectWeeks(kit, usages);
  return credited;
}

/** Reports here tell of lines only: 20 of them are an interaction. */
async function expectWeeks(kit: ImportKit, usages: readonly Usage[]): Promise<void> {
  const expected = new Map<string, { interactions: number; usage_days: number }>();
  for (const { committer_id, used_on, lines_added } of usages) {
    const key = `${committer_id} ${weekOf(used_on)}`;
    const { interactions, usage_days } = expected.get(key) ?? { interactions: 0, usage_days: 0 };
    const day = dayNumber(used_on) - dayNumber(weekOf(used_on));
    const more = Math.ceil((lines_added ?? 0) / 20);
    expected.set(key, { interactions: interactions + more, usage_days: usage_days | (1 << day) });
  }
  const stored = await kit.query<{ committer_id: number; week: string; interactions: number; usage_days: number }>(
    'select committer_id, week, interactions, usage_days from weekly_people where usage_days <> 0',
  );
  expect(
    new Map(stored.map(({ committer_id, week, ...sums }): [string, object] => [`${committer_id} ${week}`, sums])),
  ).toEqual(expected);
}

const PEOPLE = ['Ann <ann@x.org>', 'Bo <bo@x.org>', 'Cy <cy@x.org>'];

/** A commit of each on some of a week's days; every fourth says that a tool wrote it. */
function history(name: string, skip: number) {
  const repo = goldenRepo();
  for (let index = 0; index < 21; index += 1) {
    if (index % skip === 0) continue;
    const text = Array.from({ length: 4 + index }, (_, line) => `const ${name}${line} = read(${index * line});\n`).join(
      '',
    );
    repo.commit(`c${index}`, {
      author: PEOPLE[index % 3]!,
      at: `2024-03-${String(4 + Math.floor(index / 3)).padStart(2, '0')}T1${index % 3}:00:00+00:00`,
      files: { [`src/${name}${index % 5}.ts`]: text },
      message: index % 4 === 0 ? 'x\n\nCo-authored-by: Claude <noreply@anthropic.com>\n' : 'x\n',
    });
  }
  return repo.build();
}

test('it is kept by reports of use, imports, changes of whom is counted and of who is who', async () => {
  const kit = await createImportKit();
  const { db } = kit.store;
  const repos = [history('one', 5), history('two', 4)] as const;
  await kit.importFolder('one', repos[0].path);
  const days = await kit.query<{ committer_id: number; authored_on: string }>(
    'select committer_id, authored_on from daily_people order by 1, 2',
  );
  const people = [...new Set(days.map(({ committer_id }) => committer_id))];
  expect(people.length).toBeGreaterThan(1);
  const report = (committer_id: number, used_on: string, llm_model_name: string, lines_added: number | null) => ({
    committer_id,
    used_on,
    llm_model_name,
    lines_added,
    team_id: null,
    ai_provider_em: 'vendorC_platform',
    lines_deleted: null,
    prompted_suggest_count: null,
    prompted_accept_count: null,
    tab_suggest_count: null,
    tab_accept_count: null,
    cost_microcents: null,
    adds: false,
  });
  // Everybody on every day with commits of anybody: some worked, others did not.
  const dates = [...new Set(days.map(({ authored_on }) => authored_on))];
  const reports = people.flatMap((person, index) =>
    dates.flatMap((date, place) => [
      report(person, date, 'a', (index + place) % 4 === 0 ? 0 : 3 + place),
      report(person, date, 'b', (index + place) % 3 === 0 ? null : 500),
    ]),
  );
  await db.transaction().execute((trx) => storeUsages(trx, kit.entityId, reports, new Date()));
  const first = await expectCredits(kit);
  expect(first).toBeGreaterThan(3);

  const [one, two] = people as [number, number];
  const changed = dates.map((date) => report(one, date, 'a', 0));
  await db.transaction().execute((trx) => storeUsages(trx, kit.entityId, changed, new Date()));
  expect(await expectCredits(kit)).not.toBe(first);

  await kit.importFolder('two', repos[1].path);
  const all = await expectCredits(kit);

  const roots = await kit.query<{ id: number; root_committer_id: number }>(
    'select id, root_committer_id from committers where id = any($1)',
    [[one, two]],
  );
  const rootOf = (person: number) => roots.find(({ id }) => id === person)!.root_committer_id;
  await db.transaction().execute((trx) => mergeCommitters(trx, kit.entityId, rootOf(two), rootOf(one)));
  expect(await expectCredits(kit)).toBeGreaterThan(all);
  const merged = { id: rootOf(two), root_committer_id: rootOf(one) };
  await db.transaction().execute((trx) => splitCommitter(trx, kit.entityId, merged));
  expect(await expectCredits(kit)).toBe(all);

  const setStatus = (status: 'not_processing' | 'processing_stats') =>
    db.transaction().execute((trx) => setProcessingStatuses(trx, kit.entityId, [rootOf(one)], status));
  await setStatus('not_processing');
  expect(await expectCredits(kit)).toBeLessThan(all);
  await setStatus('processing_stats');
  expect(await expectCredits(kit)).toBe(all);
  expect(await creditUsages(db, kit.entityId, 'entity')).toBe(0);
  for (const repo of repos) repo.cleanup();
});
