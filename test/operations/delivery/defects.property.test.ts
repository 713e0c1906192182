// Whatever the order of calls, the record of a defect ends the same, and no span is ever negative.
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { deriveDefectTimes } from '../../../src/domain/delivery/defect-times.ts';
import { createTestApp, type TestApp } from '../../support/app.ts';
import { seedCommits, seedCommitter, seedEntityId, seedRepo, shaOf } from '../seed-records.ts';

const time = fc.integer({ min: 0, max: 100 });
const maybe = fc.option(time);

test('times are in order, never before detection, and do not depend on the order of what happened', () => {
  fc.assert(
    fc.property(
      time,
      fc.array(fc.record({ pushedAt: maybe, releasedAt: maybe })),
      fc.array(fc.record({ authoredAt: time, mergedAt: maybe })),
      (detectedAt, fixes, commits) => {
        const times = deriveDefectTimes({ detectedAt, fixes, commits });
        const order = [
          times.firstActivityAt,
          times.firstFixMergedAt,
          times.firstFixReleasedAt,
          times.finalFixReleasedAt,
        ];
        const reached = [detectedAt, ...order.filter((at) => at !== null)];
        expect(reached).toEqual(reached.toSorted((a, b) => a - b));
        const released = fixes.flatMap(({ releasedAt }) => releasedAt ?? []);
        expect(times.finalFixReleasedAt).toBe(released.length === 0 ? null : Math.max(detectedAt, ...released));
        if (times.lastActivityAt !== null) {
          expect(times.lastActivityAt).toBeGreaterThanOrEqual(times.firstActivityAt!);
          expect(times.lastActivityAt).toBeLessThanOrEqual(times.firstFixReleasedAt ?? Number.POSITIVE_INFINITY);
        }
        const turned = { detectedAt, fixes: fixes.toReversed(), commits: commits.toReversed() };
        expect(deriveDefectTimes(turned)).toEqual(times);
      },
    ),
    { numRuns: 2000 },
  );
});

let app: TestApp;
let now = new Date('2026-10-20T12:00:00Z');
beforeAll(async () => {
  app = await createTestApp({ now: () => now });
  const entityId = await seedEntityId(app.store, 'acme');
  const ada = await seedCommitter(app.store, entityId, { userName: 'ada', email: 'ada@example.com' });
  for (const path of ['shop/website', 'shop/api', 'tools/cli']) {
    const repo = await seedRepo(app.store, entityId, path);
    await seedCommits(app.store, entityId, repo, ada, [
      { name: `${path}-1`, at: '2026-10-03T10:00:00Z' },
      { name: `${path}-2`, at: '2026-10-07T10:00:00Z' },
    ]);
  }
});

const day = fc.integer({ min: 1, max: 19 }).map((date) => `2026-10-${String(date).padStart(2, '0')}T08:00:00Z`);
const call = fc.record(
  {
    repo: fc.constantFrom('shop/website', 'shop/api', 'tools/cli'),
    fix_released_at: day,
    fix_pushed_at: day,
    fix_released_now: fc.boolean(),
    sha: fc.constantFrom(1, 2),
    fromAbove: fc.boolean(),
    hour: fc.integer({ min: 0, max: 23 }),
  },
  { requiredKeys: ['repo', 'hour'] },
);
type Call = (typeof call extends fc.Arbitrary<infer T> ? T : never) & { readonly index?: number };

async function send(key: string, calls: readonly Call[]): Promise<unknown> {
  for (const { repo, sha, fromAbove, hour, ...fix } of calls) {
    now = new Date(Date.UTC(2026, 9, 20, hour));
    const answer = await app.request({
      route: 'POST /critical_defects',
      json: {
        ...fix,
        defect_key: key,
        detected_at: '2026-10-05T09:00:00Z',
        resource_path: fromAbove ? 'acme' : `acme/${repo}`,
        ...(fromAbove ? { fix_repo_path: `acme/${repo}` } : {}),
        ...(sha === undefined ? {} : { fix_released_sha: shaOf(`${repo}-${sha}`) }),
      },
    });
    expect(answer.status, answer.text).toBe(200);
  }
  now = new Date('2026-11-01T00:00:00Z');
  const { rows } = await app.store.pool.query('select * from critical_defects where defect_key = $1', [key]);
  const { id: _id, defect_key: _key, created_at: _created, updated_at: _updated, ...record } = rows[0];
  return record;
}

let count = 0;
test('calls in any order, and repeated, leave the same record', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(call, { minLength: 1, maxLength: 4 }).chain((calls) =>
        fc.record({
          calls: fc.constant(calls),
          shuffled: fc.shuffledSubarray(calls, { minLength: calls.length, maxLength: calls.length }),
        }),
      ),
      async ({ calls, shuffled }) => {
        const number = ++count;
        const inOrder = await send(`ORDER-${number}-a`, calls);
        const otherwise = await send(`ORDER-${number}-b`, [...shuffled, ...calls]);
        expect(otherwise).toEqual(inOrder);
      },
    ),
    { numRuns: 25 },
  );
}, 180_000);
