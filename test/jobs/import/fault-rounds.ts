// Faults of all kinds while imports run and calls write; what was killed is started again, and then everything is
// compared: each import ends with the digest and the daily sums of an undisturbed one, and no acknowledged write is
// missing. Used by the test and, for longer runs, by bench/resilience/faults.ts. The seed decides what happens when.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { openStore, type Store } from '../../../src/storage/database/handle.ts';
import { startEmbedded } from '../../../src/storage/embedded/start-embedded.ts';
import { digestStoredFacts } from '../../oracles/digest-stored-facts.ts';
import { type RunningService, spawnStrata, startService } from '../../service/running-service.ts';
import { createRandom } from '../../world/random-history.ts';
import { FAULT_NAMES, FAULTS, type FaultName, type FaultWorld, mountMirrors, unmountMirrors } from './faults.ts';

export interface History {
  readonly path: string;
  /** What an analysis of it prints. */
  readonly digest: string;
}

export interface FaultOptions {
  readonly seed: number;
  readonly rounds: number;
  /** Repositories that are imported again and again, under other names. */
  readonly histories: readonly History[];
  /** A small one, whose imports are acknowledged writes. */
  readonly small: string;
  report(line: string): void;
}

export interface FaultResult {
  /** By kind: how often it came, and how often while the round's import was running. */
  readonly faults: Readonly<Partial<Record<FaultName, { readonly rounds: number; readonly hits: number }>>>;
  readonly acknowledged: number;
  /** What was not as it should be; an empty list is the point of all this. */
  readonly problems: readonly string[];
}

const LONGEST_DELAY_MS = 1500;
const TIMEOUT_MS = 240_000;

export async function runFaultRounds(options: FaultOptions): Promise<FaultResult> {
  const random = createRandom(options.seed);
  const folder = mkdtempSync(join(tmpdir(), 'strata-faults-'));
  const data = join(folder, 'data');
  const repositories = join(folder, 'repositories');
  for (const name of ['first', 'big', 'small']) mkdirSync(join(repositories, name), { recursive: true });
  const config = join(folder, 'config.json');
  const settings = { repositories, worker_silence_seconds: 2, import_batch_kilobytes: 20, shutdown_grace_seconds: 2 };
  writeFileSync(config, JSON.stringify(settings));
  mkdirSync(data, { mode: 0o711 });
  const isMounted = mountMirrors(data);
  const clockFile = join(folder, 'clock');
  const environment = {
    CLOCK_FILE: clockFile,
    NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, 'shifted-clock.mjs')).href}`,
  };

  // A busy machine may take longer than a start gets.
  const startServer = () => retrying(() => startService(data, ['--port', '0', '--config', config], environment), 3);
  const startWorker = () => spawnStrata(['worker', '--data', data, '--config', config], environment);
  let server: RunningService = await startServer();
  let worker = startWorker();
  const embedded = await startEmbedded({ dataDir: data });
  const store = await openStore({ databaseUrl: embedded.databaseUrl, poolSize: 2, connectTimeoutMilliseconds: 60_000 });
  const imports: string[] = [];
  const defects: string[] = [];
  const problems: string[] = [];

  const world: FaultWorld = {
    data,
    clockFile,
    random,
    async killWorker(signal) {
      worker.child.kill(signal);
      await worker.finished;
      worker = startWorker();
    },
    async killServer() {
      await server.end('SIGKILL');
      server = await startServer();
    },
  };
  const possible = FAULT_NAMES.filter((name) => FAULTS[name].isPossible(world));
  const faults: Partial<Record<FaultName, { rounds: number; hits: number }>> = Object.fromEntries(
    possible.map((name) => [name, { rounds: 0, hits: 0 }]),
  );
  const dealFault = createDeal(random, possible);
  const dealHistory = createDeal(random, [...options.histories.keys()]);

  const post = async (path: string, body: Readonly<Record<string, string>>): Promise<boolean> => {
    const answer = await fetch(`${server.credentials.base_url}/api/v1${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.credentials.token}` },
      body: new URLSearchParams({ resource_path: 'local', ...body }),
      signal: AbortSignal.timeout(20_000),
    }).catch(() => null);
    return answer?.status === 200;
  };
  const explain = (): string => `${worker.text.err.slice(-2000)}\n${server.text.err.slice(-2000)}`;
  const begin = async (name: string, repository: string): Promise<void> => {
    symlinkSync(repository, join(repositories, `${name}.git`));
    for (let tries = 0; !(await post('/imports', { repo_path: name })); tries += 1) {
      if (tries > 50) throw new Error(`the server does not take the import of ${name}:\n${explain()}`);
      await sleep(200);
    }
    imports.push(name);
  };

  try {
    await retrying(() =>
      store.pool.query(
        `insert into entity_settings (entity_id, key, value)
       select id, 'import_window_days', '36500' from entities where slug = 'local'`,
      ),
    );
    const expected: Content[] = [];
    for (const [index, { path, digest }] of options.histories.entries()) {
      await begin(`first/r${index}`, path);
      await untilComplete(store, `first/r${index}`, explain);
      const content = await contentOf(store, `first/r${index}`);
      if (content.digest !== digest) throw new Error(`undisturbed, history ${index} is stored otherwise than analyzed`);
      expected.push(content);
    }
    for (let round = 1; round <= options.rounds; round += 1) {
      const [big, small] = [`big/r${round}`, `small/r${round}`];
      const history = dealHistory();
      await begin(big, options.histories[history]!.path);
      symlinkSync(options.small, join(repositories, `${small}.git`));
      const fault = dealFault();
      const delay = random(LONGEST_DELAY_MS);
      await sleep(delay);
      const key = `ROUND-${round}`;
      const writing = [
        post('/imports', { repo_path: small }),
        post('/critical_defects', { defect_key: key, detected_at: '2026-10-05T09:00:00Z' }),
      ];
      await sleep(random(30));
      const before = await retrying(() => statusOf(store, big));
      const isHit = before !== 'processing_completed' && before !== 'pending';
      faults[fault]!.rounds += 1;
      if (isHit) faults[fault]!.hits += 1;
      await FAULTS[fault].happen(world);
      const [isImported, isDefect] = await Promise.all(writing);
      if (isImported) imports.push(small);
      if (isDefect) defects.push(key);
      await untilComplete(store, big, explain);
      rmSync(clockFile, { force: true });
      options.report(
        `round ${round}: history ${history}, ${FAULTS[fault].words} after ${delay} ms${isHit ? ' in mid-import' : ''} (${before})`,
      );
      const content = await retrying(() => contentOf(store, big));
      const different = (Object.keys(content) as (keyof Content)[]).filter(
        (part) => content[part] !== expected[history]![part],
      );
      if (different.length > 0) {
        const problem = `round ${round}, seed ${options.seed}: after it ${FAULTS[fault].words}, ${different.join(', ')} differ`;
        problems.push(problem);
        options.report(problem);
      }
    }
    for (const name of imports) await untilComplete(store, name, explain);
    const { rows } = await retrying(() =>
      store.pool.query<{ defect_key: string }>('select defect_key from critical_defects'),
    );
    const stored = new Set(rows.map(({ defect_key }) => defect_key));
    const missing = defects.filter((key) => !stored.has(key));
    if (missing.length > 0) problems.push(`acknowledged defects are missing: ${missing.join(', ')}`);
    return { faults, acknowledged: imports.length + defects.length, problems };
  } finally {
    worker.child.kill('SIGKILL');
    await server.end('SIGTERM');
    await store.close();
    await embedded.stop();
    if (isMounted) unmountMirrors(data);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Cards of a shuffled deck, and of another when it is used up: each comes as often as the others, but for one. */
function createDeal<T>(random: (below: number) => number, cards: readonly T[]): () => T {
  let deck: T[] = [];
  return () => {
    if (deck.length === 0) deck = [...cards];
    return deck.splice(random(deck.length), 1)[0]!;
  };
}

/** A killed database fails what is under way; asking again is what every client does. */
async function retrying<T>(ask: () => Promise<T>, most = 100): Promise<T> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await ask();
    } catch (error) {
      if (tries > most) throw error;
      await sleep(100);
    }
  }
}

async function statusOf(store: Store, repoPath: string): Promise<string | undefined> {
  const { rows } = await store.pool.query<{ status: string }>(
    'select status from imports where organization_slug = $1 and repo_slug = $2',
    repoPath.split('/'),
  );
  return rows[0]?.status;
}

async function untilComplete(store: Store, repoPath: string, explain: () => string): Promise<void> {
  const deadline = performance.now() + TIMEOUT_MS;
  for (;;) {
    const status = await retrying(() => statusOf(store, repoPath));
    if (status === undefined) throw new Error(`the acknowledged import of ${repoPath} is missing`);
    if (status === 'processing_completed') return;
    if (performance.now() > deadline) throw new Error(`${repoPath} stays ${status}:\n${explain()}`);
    await sleep(50);
  }
}

interface Content {
  readonly digest: string;
  readonly commitsByDay: string;
  readonly linesByDay: string;
}

/** Facts and daily sums of a repo. Those of commits that other repos hold too are in the sums, marked as theirs. */
async function contentOf(store: Store, repoPath: string): Promise<Content> {
  const { rows } = await store.pool.query<{ entity_id: number; repo_id: number }>(
    'select entity_id, repo_id from imports where organization_slug = $1 and repo_slug = $2',
    repoPath.split('/'),
  );
  const { entity_id, repo_id } = rows[0]!;
  const daily = async (table: string, sums: string): Promise<string> => {
    const found = await store.pool.query(
      `select authored_on, committer_id, ${sums} from ${table}
       where entity_id = $1 and repo_id = $2 group by 1, 2 order by 1, 2`,
      [entity_id, repo_id],
    );
    return JSON.stringify(found.rows);
  };
  return {
    digest: await digestStoredFacts(store.db, { entityId: entity_id, repoId: repo_id }),
    commitsByDay: await daily('daily_commits', 'sum(commit_count) as commits'),
    linesByDay: await daily('daily_facts', 'sum(lines_added) as added, sum(lines_deleted) as deleted'),
  };
}
