// Survival of lines from stored facts: which lines count, when they end, and who may read it.
import { expect, test } from 'vitest';
import { CATEGORY_IDS } from '../../../src/domain/commits/line-model.ts';
import { silentLog } from '../../../src/kit/log.ts';
import { createOperations, OPERATOR } from '../../../src/operations/index.ts';
import { createFactsKit, type FactsKit } from '../../world/facts-kit.ts';

/** What every row needs is zero where a test does not say it. */
async function insertFiles(kit: FactsKit, ...files: { commit_id: number; category: number; lines_added: number }[]) {
  const columns = await kit.store.pool.query(
    `select column_name from information_schema.columns where table_name = 'commit_files' and is_nullable = 'NO' and column_default is null`,
  );
  const zeros = Object.fromEntries(columns.rows.map(({ column_name }) => [column_name, 0]));
  await kit.insert(
    'commit_files',
    ...files.map((row) => ({
      ...zeros,
      ...('file_index' in zeros ? { file_index: row.category } : {}),
      status: 'added',
      ...row,
      entity_id: kit.entityId,
    })),
  );
}

test('lines die when they are deleted or rewritten, not when they are moved, by the evidence of their commit', async () => {
  const kit = await createFactsKit();
  const commit = (id: number, authored_on: string) => ({ id, authored_on, author_id: 1 });
  await kit.insert(
    'commits',
    commit(1, '2026-02-01'),
    commit(2, '2026-02-01'),
    commit(3, '2026-02-04'),
    commit(4, '2026-02-11'),
    { ...commit(5, '2026-02-12'), rolled_up: false },
    commit(6, '2026-03-20'),
    // rebased: it bears a day before that of the lines it ends
    commit(7, '2026-01-25'),
    commit(8, '2025-10-01'),
  );
  const file = (commit_id: number, lines_added: number, category: number = CATEGORY_IDS.backend) => ({
    commit_id,
    category,
    lines_added,
  });
  await insertFiles(kit, file(1, 100), file(1, 900, CATEGORY_IDS.data), file(2, 50));
  await kit.insert('commit_ai', {
    commit_id: 2,
    source: 'note',
    position: 0,
    model: 'claude',
    provider: 'vendorC_platform',
  });
  const flow = (commit_id: number, origin_commit_id: number, flow_index: number, counts: object) => ({
    commit_id,
    origin_commit_id,
    flow_index,
    age: 'lt_2w',
    category: CATEGORY_IDS.backend,
    ...counts,
  });
  await kit.insert('line_flows', flow(3, 1, 0, { lines_deleted: 10, lines_moved: 20 }));
  await kit.insert('line_flows', flow(3, 2, 1, { lines_updated: 5 }), flow(4, 2, 0, { lines_find_replaced: 9 }));
  await kit.insert('line_flows', flow(4, 1, 1, { lines_deleted: 7 }), flow(5, 1, 0, { lines_deleted: 50 }));
  await kit.insert('line_flows', flow(7, 1, 0, { lines_deleted: 3 }), flow(8, 1, 0, { lines_deleted: 30 }));
  const operations = createOperations({
    store: kit.store,
    log: silentLog,
    now: () => new Date('2026-04-01T00:00:00Z'),
  });
  const { rows } = await kit.store.pool.query('select slug from entities where id = $1', [kit.entityId]);
  const grant = await operations.access.enterEntity(OPERATOR, rows[0].slug, 'manager');
  const survival = await operations.lineSurvival.read(grant, { start_date: '2026-02-01', end_date: '2026-02-28' });
  expect(survival.followed_to).toBe('2026-03-20');
  const told = survival.curves.map(({ origin, lines, points }) => [
    origin,
    lines,
    points.map(({ age_days, at_risk, survival_percent }) => [age_days, at_risk, survival_percent]),
  ]);
  expect(told).toEqual([
    [
      'rest',
      100,
      [
        [3, 97, 87],
        [7, 87, 87],
        [14, 80, 80],
        [21, 80, 80],
        [90, 0, null],
      ],
    ],
    [
      'exact',
      50,
      [
        [3, 50, 90],
        [7, 45, 90],
        [14, 36, 72],
        [21, 36, 72],
        [90, 0, null],
      ],
    ],
  ]);
  expect(survival.cohorts).toMatchObject([{ written_in: '2026-02', lines: 150 }]);
  expect(survival.caveats.join()).toContain('not drawn by lot');

  // Somebody who may see neither author of these lines.
  const { rows: users } = await kit.store.pool.query(
    `insert into users (email) values ('user2@example.com') returning id`,
  );
  const hidden = await operations.lineSurvival.read(
    {
      ...grant,
      actor: { user_id: users[0].id, role: 'manager', is_super_admin: false } as never,
      settings: { ...grant.settings, stats_access: 'private' },
    },
    { start_date: '2026-02-01', end_date: '2026-02-28' },
  );
  expect(hidden).toMatchObject({ curves: [], cohorts: [] });
  expect(hidden.caveats.join()).toContain('1 person whom you may see');
  await operations.close();
});

test('a commit of a machine whose clock is ahead lets no line be followed further', async () => {
  const kit = await createFactsKit();
  const commit = (id: number, authored_on: string) => ({ id, authored_on, author_id: 1 });
  await kit.insert('commits', commit(1, '2026-11-01'), commit(2, '2026-11-08'), commit(3, '2026-11-15'));
  const file = (commit_id: number) => ({ commit_id, category: CATEGORY_IDS.backend, lines_added: 100 });
  await insertFiles(kit, file(1), file(3));
  await kit.insert('line_flows', {
    commit_id: 2,
    origin_commit_id: 1,
    flow_index: 0,
    age: 'lt_2w',
    category: CATEGORY_IDS.backend,
    lines_deleted: 60,
  });
  const operations = createOperations({
    store: kit.store,
    log: silentLog,
    now: () => new Date('2026-11-18T12:00:00Z'),
  });
  const { rows } = await kit.store.pool.query('select slug from entities where id = $1', [kit.entityId]);
  const grant = await operations.access.enterEntity(OPERATOR, rows[0].slug, 'manager');
  const range = { start_date: '2026-11-01', end_date: '2026-11-18' };
  const read = () => operations.lineSurvival.read(grant, range);
  const before = await read();
  expect(before.followed_to).toBe('2026-11-15');
  expect(before.curves[0]!.points.map(({ survival_percent }) => survival_percent)).toEqual([100, 40, 40, null, null]);
  await kit.insert('commits', { ...commit(4, '2029-03-01'), committed_at: '2026-11-16T12:00:00Z' });
  expect(await read()).toEqual(before);
  expect((await operations.aiImpact.read(grant, range)).survival).toEqual(before.curves);
  await operations.close();
});
