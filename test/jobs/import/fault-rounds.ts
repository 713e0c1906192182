// Kills the worker, the server or the database with -9, or stops the worker by SIGTERM, while imports run, starts what was killed again, and
// compares: every import ends with the digest of an undisturbed one, and no acknowledged write is missing.
// Used by the test and, for longer runs, by bench/import-faults.ts. The seed decides who dies when.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openStore, type Store } from '../../../src/storage/database/handle.ts';
import { startEmbedded } from '../../../src/storage/embedded/start-embedded.ts';
import { digestStoredFacts } from '../../oracles/digest-stored-facts.ts';
import { type RunningService, spawnStrata, startService } from '../../service/running-service.ts';
import { createRandom } from '../../world/random-history.ts';

export const VICTIMS = ['worker', 'server', 'database'] as const;
export type Victim = (typeof VICTIMS)[number];

export interface FaultOptions {
  readonly seed: number;
  readonly rounds: number;
  /** The repository that is imported again and again, under other names. */
  readonly repository: string;
  /** A small one, whose imports are the acknowledged writes. */
  readonly small: string;
  /** What an undisturbed import ends with. */
  readonly digest: string;
  report(line: string): void;
}

export interface FaultResult {
  readonly kills: Record<Victim, number>;
  /** Kills that came while the round's import was running. */
  readonly hits: number;
  readonly acknowledged: number;
}

const LONGEST_DELAY_MS = 1500;
const TIMEOUT_MS = 120_000;

export async function runFaultRounds(options: FaultOptions): Promise<FaultResult> {
  const random = createRandom(options.seed);
  const folder = mkdtempSync(join(tmpdir(), 'strata-faults-'));
  const data = join(folder, 'data');
  const repositories = join(folder, 'repositories');
  mkdirSync(join(repositories, 'big'), { recursive: true });
  mkdirSync(join(repositories, 'small'));
  const config = join(folder, 'config.json');
  const settings = { repositories, worker_silence_seconds: 2, import_batch_kilobytes: 20, shutdown_grace_seconds: 2 };
  writeFileSync(config, JSON.stringify(settings));

  const startServer = () => startService(data, ['--port', '0', '--config', config]);
  const startWorker = () => spawnStrata(['worker', '--data', data, '--config', config]);
  let server: RunningService = await startServer();
  let worker = startWorker();
  const embedded = await startEmbedded({ dataDir: data });
  const store = await openStore({
    databaseUrl: embedded.databaseUrl,
    poolSize: 2,
    connectTimeoutMilliseconds: 60_000,
  });
  const acknowledged: string[] = [];
  const kills: Record<Victim, number> = { worker: 0, server: 0, database: 0 };
  let hits = 0;

  const post = async (repoPath: string): Promise<boolean> => {
    const answer = await fetch(`${server.credentials.base_url}/api/v1/imports`, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.credentials.token}` },
      body: new URLSearchParams({ resource_path: 'local', repo_path: repoPath }),
      signal: AbortSignal.timeout(20_000),
    }).catch(() => null);
    return answer?.status === 200;
  };

  const kill = async (victim: Victim): Promise<void> => {
    kills[victim] += 1;
    if (victim === 'worker') {
      // Stopped in order every other time: its import goes on elsewhere from where it was.
      worker.child.kill(kills.worker % 2 === 0 ? 'SIGTERM' : 'SIGKILL');
      await worker.finished;
      worker = startWorker();
    } else if (victim === 'server') {
      await server.end('SIGKILL');
      server = await startServer();
    } else {
      const pid = Number(readFileSync(join(data, 'postgres', 'cluster', 'postmaster.pid'), 'utf8').split('\n')[0]);
      process.kill(pid, 'SIGKILL');
    }
  };

  try {
    await patiently(() =>
      store.pool.query(
        `insert into entity_settings (entity_id, key, value)
       select id, 'import_window_days', '36500' from entities where slug = 'local'`,
      ),
    );
    for (let round = 1; round <= options.rounds; round += 1) {
      const [big, small] = [`big/r${round}`, `small/r${round}`];
      symlinkSync(options.repository, join(repositories, `${big}.git`));
      symlinkSync(options.small, join(repositories, `${small}.git`));
      for (let tries = 0; !(await post(big)); tries += 1) {
        if (tries > 50)
          throw new Error(`round ${round}: the server does not take the import:\n${server.text.err.slice(-3000)}`);
        await sleep(200);
      }
      acknowledged.push(big);
      const victim = VICTIMS[random(VICTIMS.length)]!;
      const delay = random(LONGEST_DELAY_MS);
      await sleep(delay);
      const writing = post(small);
      await sleep(random(30));
      const before = await patiently(() => statusOf(store, big));
      const isHit = before !== 'processing_completed' && before !== 'pending';
      if (isHit) hits += 1;
      await kill(victim);
      if (await writing) acknowledged.push(small);
      await untilComplete(store, big, () => `${worker.text.err.slice(-2000)}\n${server.text.err.slice(-2000)}`);
      const digest = await patiently(() => digestOf(store, big));
      options.report(
        `round ${round}: killed the ${victim} after ${delay} ms${isHit ? ' in mid-import' : ''} (${before})`,
      );
      if (digest !== options.digest) throw new Error(`round ${round}, seed ${options.seed}: the digest differs`);
    }
    for (const name of acknowledged) await untilComplete(store, name, () => server.text.err.slice(-2000));
    return { kills, hits, acknowledged: acknowledged.length };
  } finally {
    worker.child.kill('SIGKILL');
    await server.end('SIGTERM');
    await store.close();
    await embedded.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A killed database fails what is under way; asking again is what every client does. */
async function patiently<T>(ask: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await ask();
    } catch (error) {
      if (tries > 100) throw error;
      await sleep(100);
    }
  }
}

async function statusOf(store: Store, repoPath: string): Promise<string | undefined> {
  const [organization, repo] = repoPath.split('/');
  const { rows } = await store.pool.query<{ status: string }>(
    'select status from imports where organization_slug = $1 and repo_slug = $2',
    [organization, repo],
  );
  return rows[0]?.status;
}

async function untilComplete(store: Store, repoPath: string, explain: () => string): Promise<void> {
  const deadline = Date.now() + TIMEOUT_MS;
  for (;;) {
    const status = await patiently(() => statusOf(store, repoPath));
    if (status === undefined) throw new Error(`the acknowledged import of ${repoPath} is missing`);
    if (status === 'processing_completed') return;
    if (Date.now() > deadline) throw new Error(`${repoPath} stays ${status}:\n${explain()}`);
    await sleep(50);
  }
}

async function digestOf(store: Store, repoPath: string): Promise<string> {
  const [organization, repo] = repoPath.split('/');
  const { rows } = await store.pool.query(
    'select entity_id, repo_id from imports where organization_slug = $1 and repo_slug = $2',
    [organization, repo],
  );
  return digestStoredFacts(store.db, { entityId: rows[0].entity_id, repoId: rows[0].repo_id });
}
