// What is told of pull requests follows when people turn out to be one, when lists change and when a repo goes.
import { expect, test } from 'vitest';
import { directAgents } from '../../../src/derive/reviews/direct-agents.ts';
import { markReviewers } from '../../../src/derive/reviews/mark-reviewers.ts';
import { deriveReviews } from '../../../src/jobs/collect/derive-reviews.ts';
import { deriveDelivery } from '../../../src/jobs/derive-delivery.ts';
import { findRecordQuery, readAuditRecords } from '../../../src/storage/audits/audit-records.ts';
import { readPullRequests } from '../../../src/storage/audits/pull-request-records.ts';
import { readLineComments } from '../../../src/storage/commits/line-history.ts';
import { findImport } from '../../../src/storage/repos/imports.ts';
import { removeRepo } from '../../../src/storage/repos/remove-repo.ts';
import { createImportKit, jobContext } from '../../jobs/import/import-kit.ts';
import { createFactsKit, type FactsKit } from '../../world/facts-kit.ts';
import { goldenRepo } from '../../world/golden-repo.ts';

const sha = (byte: number): Buffer => Buffer.alloc(20, byte);

test('an import that makes two people one has their reviews looked at anew', async () => {
  const first = goldenRepo()
    .commit('one', { author: 'Di One <di@one.org>', files: { a: 'one\n' } })
    .commit('two', { author: 'Di Two <di@two.org>', files: { b: 'two\n' } })
    .build();
  const second = goldenRepo()
    .commit('map', { author: 'Di One <di@one.org>', files: { '.mailmap': 'Di One <di@one.org> <di@two.org>\n' } })
    .commit('two', { author: 'Di Two <di@two.org>', message: 'mapped\n', files: { c: 'three\n' } })
    .build();
  const kit = await createImportKit();
  const { repo_id } = await kit.importFolder('first', first.path);
  const [author, reviewer] = await kit.query<{ id: number }>('select id from committers order by id');
  const place = { entity_id: kit.entityId, repo_id: repo_id! };
  await kit.query(
    `insert into pull_requests (entity_id, id, repo_id, number, title, branch_name, base_branch, is_author_bot, created_at,
       opened_at, last_activity_at, author_id) values ($1, 1, $2, 1, 't', 'b', 'main', false, now(), now(), now(), $3)`,
    [kit.entityId, repo_id, author!.id],
  );
  await kit.query(
    `insert into pull_request_reviews (entity_id, pull_request_id, external_id, reviewer_id, is_bot, is_by_author, state_em,
       submitted_at) values ($1, 1, '1', $2, false, false, 'approved', now())`,
    [kit.entityId, reviewer!.id],
  );
  await kit.query('delete from strata_queue._private_jobs');
  await kit.importFolder('second', second.path);
  const queued = await kit.query(`select key from strata_queue.jobs where task_identifier = 'derive_reviews'`);
  expect(queued).toEqual([{ key: `reviews:${kit.entityId}:${repo_id}` }]);
  await deriveReviews.run(place, jobContext(), kit.parts);
  expect(await kit.query('select is_by_author from pull_request_reviews')).toEqual([{ is_by_author: true }]);
});

test('nobody receives their own comments on what an agent opened for them', async () => {
  const kit = await createFactsKit();
  await kit.insert('committers', { id: 50, is_ai_agent: true, committer_user_name: 'devin' });
  const opened_at = '2026-02-02T12:00:00Z';
  await kit.insert('pull_requests', { id: 1, number: 7, opened_at, author_id: 50, assignee_ids: [1] });
  const comment = { pull_request_id: 1, commented_at: '2026-02-03T13:00:00Z', body: 'x' };
  await kit.insert('pull_request_comments', { ...comment, author_id: 1 }, { ...comment, author_id: 2 });
  const place = { entityId: kit.entityId, repoId: 1 };
  await directAgents(kit.store.db, place);
  await markReviewers(kit.store.db, place);
  const ask: Parameters<FactsKit['report']>[1] = { range: { from: '2026-02-01', to: '2026-02-28' }, by: 'none' };
  const sum = async (segment: Parameters<FactsKit['report']>[0]) =>
    Object.values(await kit.report(segment, ask))
      .flatMap((points) => Object.values(points))
      .reduce<number>((total, y) => total + (y ?? 0), 0);
  expect([await sum('pr_comments_left'), await sum('pr_comments_received')]).toEqual([2, 1]);
});

test('what a pull request lists no longer is none of its commits', async () => {
  const kit = await createFactsKit();
  const authored = { author_id: 1, authored_at: '2026-02-03T10:00:00Z' };
  await kit.insert('commits', ...[1, 2, 9].map((id) => ({ ...authored, id, sha: sha(id) })));
  const merged = { opened_at: '2026-02-02T12:00:00Z', merged_at: '2026-02-04T12:00:00Z', squash_sha: sha(9) };
  await kit.insert('pull_requests', { id: 1, number: 7, author_id: 1, ...merged });
  const listed = { pull_request_id: 1, repo_id: 1 };
  await kit.insert(
    'pull_request_commits',
    { ...listed, ordinal: 1, sha: sha(1) },
    { ...listed, ordinal: 2, sha: sha(2), removed_at: '2026-02-03T12:00:00Z' },
  );
  const place = { is_review_comment: true, line: 3, path: 'a.js', commit_sha: sha(1) };
  const comment = { pull_request_id: 1, author_id: 2, commented_at: '2026-02-03T13:00:00Z', body: 'x' };
  await kit.insert('pull_request_comments', { ...comment, ...place });
  const { db } = kit.store;
  const [record] = await readPullRequests(db, kit.entityId, [1], new Date());
  expect(record!.commits.map((commit) => commit.sha)).toEqual([sha(1).toString('hex')]);
  const commentsAt = (id: number) => readLineComments(db, kit.entityId, 1, [sha(id).toString('hex')], ['a.js'], 10);
  expect((await commentsAt(9)).map(({ squash_sha }) => squash_sha)).toEqual([sha(9).toString('hex')]);
  expect(await commentsAt(2)).toEqual([]);
});

test('the record of a sprint leaves deleted issues out', async () => {
  const kit = await createFactsKit();
  const [starts_at, ends_at] = ['2026-02-01T00:00:00Z', '2026-02-15T00:00:00Z'];
  await kit.insert('sprints', { id: 1, name: 's', starts_at, ends_at });
  await kit.insert('issues', { id: 1, story_points: 300 }, { id: 2, story_points: 500, deleted_at: starts_at });
  await kit.insert('sprint_issues', ...[1, 2].map((issue_id) => ({ sprint_id: 1, issue_id, added_at: starts_at })));
  const [record] = await readAuditRecords(kit.store.db, kit.entityId, findRecordQuery('sprints')!, [1] as never);
  expect(record).toMatchObject({ issue_count: 1, story_points: 3 });
});

test('derivations of a repo that was removed while they waited come to their end', async () => {
  const kit = await createImportKit();
  const build = (name: string) =>
    goldenRepo('main')
      .commit(name, { files: { 'a.js': `${name}();\n` } })
      .build();
  const one = await kit.importFolder('first', build('a').path);
  await kit.importFolder('second', build('b').path);
  await kit.store.db.transaction().execute(async (trx) => {
    await removeRepo(trx, (await findImport(trx, kit.entityId, one.organization_slug, one.repo_slug))!);
  });
  const payload = { entity_id: kit.entityId, repo_id: one.repo_id! };
  await deriveReviews.run(payload, jobContext(), kit.parts);
  await deriveDelivery.run(payload, jobContext(), kit.parts);
});
