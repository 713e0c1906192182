// Commits that no branch leads to: only a tag does, or the head of a pull request. They are imported and do not count, until a
// branch leads to them.
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { GIT_PROVIDERS } from '../../../src/domain/repos/code-host.ts';
import { digestStoredFacts } from '../../oracles/digest-stored-facts.ts';
import { goldenRepo } from '../../world/golden-repo.ts';
import { startGitDaemon } from './git-daemon.ts';
import { createImportKit, digestOfRepository } from './import-kit.ts';

const lines = (word: string, count = 6): string =>
  Array.from({ length: count }, (_, index) => `the ${word} line ${index} is long enough\n`).join('');

/** A tag on a branch that is gone, and pull requests 7 and 8 whose branches are gone; 9 is on a branch. */
function makeRepo(ref = 'refs/pull/N/head') {
  const repo = goldenRepo()
    .commit('base', { files: { 'a.txt': lines('base') } })
    .branch('released')
    .commit('hotfix', { files: { 'a.txt': lines('hotfix') } })
    .switch('main')
    .branch('topic')
    .commit('step one', { files: { 'b.txt': lines('one') } })
    .commit('step two', { files: { 'b.txt': lines('two'), 'a.txt': lines('two') } })
    .switch('main')
    .commit('next', { files: { 'c.txt': lines('next') } })
    .tag('v1', 'base')
    .tag('v1.1', 'hotfix', { message: 'a hotfix' })
    .build();
  repo.git('update-ref', ref.replace('N', '7'), repo.sha('step two'));
  repo.git('update-ref', ref.replace('N', '9'), repo.sha('next'));
  for (const branch of ['released', 'topic']) repo.git('update-ref', '-d', `refs/heads/${branch}`);
  return repo;
}
type Repo = ReturnType<typeof makeRepo>;
type Kit = Awaited<ReturnType<typeof createImportKit>>;

const presences = async (kit: Kit, repo: Repo) =>
  Object.fromEntries(
    (
      await kit.query<{ sha: string; presence: string; rolled_up: boolean }>(
        `select encode(sha, 'hex') as sha, presence, rolled_up from commits where entity_id = $1`,
        [kit.entityId],
      )
    ).map(({ sha, presence, rolled_up }) => [repo.label(sha), rolled_up ? 'counted' : presence]),
  );
const sums = (kit: Kit) =>
  kit.query('select * from daily_facts where entity_id = $1 order by 1, 2, 3, 4, 5, 6', [kit.entityId]);

/** What listing and collecting leave of a host with three pull requests, of which 8 has no ref. */
async function addPullRequests(kit: Kit, repo: Repo, repoId: number, provider: string): Promise<void> {
  const [user] = await kit.query<{ id: number }>(`insert into users (email) values ('o@example.com') returning id`);
  const [connection] = await kit.query<{ id: number }>(
    `insert into provider_connections (entity_id, user_id, git_provider_em, host_key, token_sealed)
     values ($1, $2, $3, 'host', '') returning id`,
    [kit.entityId, user!.id, provider],
  );
  await kit.query(
    `insert into provider_repos (entity_id, connection_id, organization_slug, repo_slug, external_id, clone_url, is_private, first_seen_at, seen_at)
     values ($1, $2, 'acme', 'work', '1', '', true, now(), now())`,
    [kit.entityId, connection!.id],
  );
  for (const [number, sha] of [
    [7, repo.sha('step two')],
    [8, 'f'.repeat(40)],
    [9, repo.sha('next')],
  ] as const) {
    await kit.query(
      `insert into pull_requests (entity_id, repo_id, number, title, branch_name, base_branch, created_at, opened_at, last_activity_at, head_sha)
       values ($1, $2, $3, 'A change', 'topic', 'main', now(), now(), now(), decode($4, 'hex'))`,
      [kit.entityId, repoId, number, sha],
    );
  }
}
const sought = (kit: Kit) =>
  kit.query<{ number: number }>('select number from pull_requests where sought_head is not null order by number');

describe('commits that no branch leads to', () => {
  it('what only a tag leads to is imported and counts nowhere, and the facts of branches are those of an analysis', async () => {
    const repo = makeRepo();
    const kit = await createImportKit();
    const row = await kit.importFolder('work', repo.path);
    expect(await presences(kit, repo)).toEqual({ base: 'counted', next: 'counted', hotfix: 'off_branch' });
    expect(await digestStoredFacts(kit.store.db, { entityId: kit.entityId, repoId: row.repo_id! })).toBe(
      await digestOfRepository(repo.path),
    );
    const [stored] = await kit.query<{ state: string; files: number }>(
      `select state, (select count(*)::int from commit_files f where f.commit_id = c.id) as files from commits c
       where presence = 'off_branch'`,
    );
    expect(stored).toEqual({ state: 'analysis_complete', files: 1 });
    // A second look finds nothing new.
    const before = await kit.query('select id, entered_at from commits order by id');
    await kit.run(row.id);
    expect(await kit.query('select id, entered_at from commits order by id')).toEqual(before);
  });

  it.each(['folder', 'address'] as const)('heads of pull requests come from a %s once they are known', async (kind) => {
    const repo = makeRepo();
    const kit = await createImportKit({ isAllowed: () => true });
    const daemon = kind === 'folder' ? null : await startGitDaemon(join(repo.path, '..'));
    const id = await kit.queue(
      'work',
      daemon === null ? { kind: 'path', address: repo.path } : { kind: 'address', address: `${daemon.url}/repo.git` },
    );
    const { repo_id } = await kit.run(id);
    const counted = await sums(kit);
    await addPullRequests(kit, repo, repo_id!, 'hostC');
    await kit.run(id);
    expect(await presences(kit, repo)).toEqual({
      base: 'counted',
      next: 'counted',
      hotfix: 'off_branch',
      'step one': 'off_branch',
      'step two': 'off_branch',
    });
    expect(await sums(kit)).toEqual(counted);
    // One that the host has no ref of is not looked for again; one that a branch leads to never was.
    expect(await sought(kit)).toEqual([{ number: 7 }, { number: 8 }]);
    // A merge brings them onto a branch: they count from then on.
    repo.git('update-ref', 'refs/heads/topic', repo.sha('step two'));
    await kit.run(id);
    expect(await presences(kit, repo)).toMatchObject({ 'step one': 'counted', 'step two': 'counted' });
    repo.git('update-ref', '-d', 'refs/heads/topic');
    await kit.run(id);
    expect(await presences(kit, repo)).toMatchObject({ 'step one': 'removed', 'step two': 'removed' });
    expect(await sums(kit)).toEqual(counted);
  });

  it('each host has its own names of the refs', async () => {
    const named = Object.entries(GIT_PROVIDERS).flatMap(([provider, row]) =>
      'pull_request_ref' in row ? [[provider, row.pull_request_ref] as const] : [],
    );
    expect(named.map(([provider]) => provider)).toEqual(['hostB_server', 'hostC', 'hostD']);
    for (const [provider, ref] of named) {
      const repo = makeRepo(ref);
      const kit = await createImportKit();
      const { id, repo_id } = await kit.importFolder('work', repo.path);
      await addPullRequests(kit, repo, repo_id!, provider);
      await kit.run(id);
      expect(await presences(kit, repo)).toMatchObject({ 'step two': 'off_branch' });
    }
  });
});
