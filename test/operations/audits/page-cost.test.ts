// A late page costs about as much as the first: both count all records, and neither sorts them.
import { expect, test } from 'vitest';
import { createTestApp } from '../../support/app.ts';
import { seedCommitter, seedEntityId, seedRepo } from '../seed-records.ts';

const ROUNDS = 7;

test('page 200 of 15,000 commits costs at most twice page 1', { timeout: 120_000 }, async () => {
  const app = await createTestApp({ logLevel: 'silent' });
  const entityId = await seedEntityId(app.store, 'acme');
  const repoId = await seedRepo(app.store, entityId, 'shop/web');
  const authorId = await seedCommitter(app.store, entityId, { userName: 'ada', email: 'ada@example.com' });
  await app.store.pool.query(
    `insert into commits (entity_id, repo_id, author_id, author_signature_id, authored_at, committed_at, entered_at,
       authored_on, state, presence, contributor_kind, file_count, authored_zone, committed_zone, is_merge,
       on_default_branch, sha, parents, children, message)
     select $1, $2, $3, 0, t, t, t, t::date, 'analysis_complete', 'existent', 'unknown', 1, 0, 0, false, true,
       decode(lpad(to_hex(n), 40, '0'), 'hex'), '', '', 'a message of usual length ' || n
     from generate_series(1, 15000) n, lateral (select timestamptz '2026-01-01Z' + n * interval '10 minutes' as t) w`,
    [entityId, repoId, authorId],
  );
  await app.store.pool.query('analyze commits');
  const time = async (page: number): Promise<number> => {
    const startedAt = performance.now();
    const { body } = await app.request({
      route: 'GET /audits',
      query: `resource_path=acme&resource_type=commits&page=${page}`,
    });
    expect(body.commits).toHaveLength(50);
    return performance.now() - startedAt;
  };
  const times: Record<number, number[]> = { 1: [], 200: [] };
  for (let round = 0; round < ROUNDS; round++) for (const page of [1, 200]) times[page]!.push(await time(page));
  // The fastest of each: what else the machine does can only make a page slower.
  const [first, late] = [Math.min(...times[1]!), Math.min(...times[200]!)];
  console.log(`page 1: ${first.toFixed(1)} ms, page 200: ${late.toFixed(1)} ms`);
  expect(late).toBeLessThan(2 * first);
});
