// Server and worker as processes of their own, on the embedded database: imports asked for over HTTP and
// on the command line, from a folder and over git://.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore, type Store } from '../../../src/storage/database/handle.ts';
import { startEmbedded } from '../../../src/storage/embedded/start-embedded.ts';
import { digestStoredFacts } from '../../oracles/digest-stored-facts.ts';
import {
  makeDataFolder,
  type RunningService,
  runStrata,
  spawnStrata,
  startService,
} from '../../service/running-service.ts';
import { goldenRepo } from '../../world/golden-repo.ts';
import { randomHistory } from '../../world/random-history.ts';
import { startGitDaemon } from './git-daemon.ts';
import { branchesAt, type GrowingRepo, growingRepo } from './growing-repo.ts';
import { digestOfRepository, makeFolder } from './import-kit.ts';

const whole = randomHistory(77, { commits: 120, words: 16 });
const total = Object.keys(whole.shas).length;
const data = makeDataFolder();
const repositories = makeFolder();
let source: GrowingRepo;
let service: RunningService;
let worker: ReturnType<typeof spawnStrata>;
let store: Store;
let leave: () => Promise<void>;

beforeAll(async () => {
  source = growingRepo(whole);
  mkdirSync(join(repositories, 'acme'));
  symlinkSync(source.path, join(repositories, 'acme', 'growing.git'));
  const config = join(repositories, 'config.json');
  writeFileSync(config, JSON.stringify({ repositories, allow_private_addresses: true }));
  service = await startService(data.path, ['--port', '0', '--config', config]);
  worker = spawnStrata(['worker', '--data', data.path, '--config', config]);
  const embedded = await startEmbedded({ dataDir: data.path });
  store = await openStore({ databaseUrl: embedded.databaseUrl, poolSize: 2 });
  leave = async () => {
    await store.close();
    await embedded.stop();
  };
}, 120_000);

afterAll(async () => {
  worker?.child.kill('SIGTERM');
  await worker?.finished;
  await leave?.();
  await service?.end('SIGTERM');
  data.remove();
}, 60_000);

interface Import {
  readonly id: number;
  readonly repo_path: string;
  readonly import_status: string;
  readonly percent_complete: number;
  readonly commits_complete_count: number;
  readonly stats_calculated_at: string | null;
}

const listImports = async (): Promise<Import[]> =>
  ((await (await service.get('/api/v1/imports?resource_path=local')).json()) as { repos: Import[] }).repos;

async function post(repoPath: string): Promise<Response> {
  return fetch(`${service.credentials.base_url}/api/v1/imports`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.credentials.token}` },
    body: new URLSearchParams({ resource_path: 'local', repo_path: repoPath }),
  });
}

/** Waits for an end after `since`, and returns the record. */
async function untilDone(repoPath: string, since: string | null): Promise<Import> {
  for (let tries = 0; tries < 600; tries += 1) {
    const found = (await listImports()).find(({ repo_path }) => repo_path === repoPath);
    if (found?.import_status.startsWith('unable') || found?.import_status.startsWith('could')) return found;
    if (found?.import_status === 'processing_completed' && found.stats_calculated_at !== since) return found;
    await sleep(200);
  }
  throw new Error(`${repoPath} does not end:\n${service.text.err}`);
}

async function digestOf(repoPath: string): Promise<string> {
  const [organization, repo] = repoPath.split('/');
  const { rows } = await store.pool.query(
    'select entity_id, repo_id from imports where organization_slug = $1 and repo_slug = $2',
    [organization, repo],
  );
  return digestStoredFacts(store.db, { entityId: rows[0].entity_id, repoId: rows[0].repo_id });
}

describe('imports by real processes', () => {
  it('a repo of the folder is imported, grows, and equals the engine at each step', async () => {
    await runStrata(['settings', 'set', 'import_window_days', '36500', '--entity', 'local', '--data', data.path]);
    let before: string | null = null;
    for (const share of [0.6, 1]) {
      source.setBranches(branchesAt(whole, Math.ceil(total * share)));
      const answer = await post('acme/growing');
      expect(answer.status).toBe(200);
      expect(await answer.json()).toEqual({ imported: true, errors: null });
      const done = await untilDone('acme/growing', before);
      before = done.stats_calculated_at;
      expect(done).toMatchObject({ import_status: 'processing_completed', percent_complete: 100 });
      expect(await digestOf('acme/growing')).toBe(await digestOfRepository(source.path));
    }
  }, 120_000);

  it('a repo that no source has is refused by field, and a path of the server is no name', async () => {
    for (const name of ['acme/nothing', `../..${source.path}`, source.path, 'acme']) {
      const answer = await post(name);
      expect(answer.status).toBe(422);
      const body = (await answer.json()) as { imported: boolean; errors: Record<string, string[]> };
      expect(body.imported).toBe(false);
      expect(Object.keys(body.errors)).toEqual(['repo_path']);
    }
  });

  it('the command line imports from git:// beside the server, and follows it to the end', async () => {
    const daemon = await startGitDaemon(join(whole.path, '..'));
    const args = [
      'import',
      `${daemon.url}/repo.git`,
      '--as',
      'far/away',
      '--since',
      'all',
      '--follow',
      '--data',
      data.path,
    ];
    const result = await runStrata(args);
    expect(result).toMatchObject({ code: 0 });
    expect(result.out).toContain(`far/away is imported: ${total} commits`);
    const { rows } = await store.pool.query(
      `select count(*) from commits c join repos r on r.id = c.repo_id
       where r.slug = 'away' and c.rolled_up and not exists (select from commit_traits t where t.commit_id = c.id)`,
    );
    expect(rows, 'commits whose coding time is not worked out').toEqual([{ count: 0 }]);
    expect(await digestOf('far/away')).toBe(await digestOfRepository(whole.path));
  }, 120_000);

  it('a whole folder is queued at once, and a broken repository in it fails alone', async () => {
    const folder = makeFolder();
    mkdirSync(join(folder, 'tools'));
    const good = goldenRepo()
      .commit('one', { files: { a: 'text\n' } })
      .build();
    symlinkSync(good.path, join(folder, 'tools', 'good.git'));
    symlinkSync(goldenRepo().build().path, join(folder, 'empty.git'));
    const result = await runStrata(['import', folder, '--follow', '--data', data.path, '--since', 'all']);
    expect(result.code).toBe(1);
    expect(result.out).toContain('tools/good is imported: 1 commit.');
    expect(result.err).toContain('imported/empty was not imported (could_not_determine_default_branch)');
    // What is there stays good when it can no longer be brought up to date, but nobody is told that it was.
    good.git('update-ref', '-d', 'refs/heads/main');
    const later = await runStrata(['import', good.path, '--as', 'tools/good', '--follow', '--data', data.path]);
    expect(later.code).toBe(1);
    expect(later.err).toContain('tools/good was not brought up to date (empty_repo)');
    expect((await listImports()).find(({ repo_path }) => repo_path === 'tools/good')).toMatchObject({
      import_status: 'processing_completed',
      percent_complete: 100,
    });
  }, 120_000);

  it('a second repository of the same name is refused, unless it is to take the place of the first', async () => {
    const build = (text: string) =>
      goldenRepo()
        .commit('one', { files: { a: text } })
        .build().path;
    const [first, second] = [build('first\n'), build('second\n')];
    const importIt = (...args: string[]) => runStrata(['import', ...args, '--follow', '--data', data.path]);
    expect(await importIt(first)).toMatchObject({ code: 0 });
    const refused = await importIt(second);
    expect(refused.code).not.toBe(0);
    expect(refused.err).toContain(`imported/repo is ${first} already`);
    expect(refused.err).toContain('--as');
    expect(await importIt(first)).toMatchObject({ code: 0 });
    // Of a folder too, and the others of it come.
    const folder = makeFolder();
    symlinkSync(second, join(folder, 'repo'));
    symlinkSync(build('third\n'), join(folder, 'another'));
    const some = await importIt(folder);
    expect(some.code).toBe(1);
    expect(some.err).toContain(`${join(folder, 'repo')} is not imported: imported/repo is ${first} already`);
    expect(some.out).toContain('imported/another is imported: 1 commit.');
    expect(some.out).not.toContain('imported/repo');
    expect(await importIt(second, '--as', 'imported/repo')).toMatchObject({ code: 0 });
  }, 120_000);
});
