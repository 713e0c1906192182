// kill -9 at random moments of start-up, load and shutdown: the next start always works, and nothing
// that was acknowledged is missing. The seed is printed; STRATA_TEST_SEED repeats a run.
import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { killDatabase, makeDataFolder, processesOn, runStrata, spawnStrata, startService } from './running-service.ts';

const ROUNDS = 20;
const seed = Number(process.env.STRATA_TEST_SEED ?? Date.now() % 1_000_000);

/** Mulberry32. */
function createRandom(state: number): () => number {
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function startWriter(data: string, prefix: string) {
  const child = spawn(process.execPath, ['test/service/write-until-killed.mjs', data, prefix], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let out = '';
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  return {
    child,
    ended,
    /** Slugs whose line has arrived whole. */
    acknowledged: () => out.split('\n').slice(0, -1),
  };
}

const MOMENTS = ['start-up', 'load', 'shutdown', 'load, database too'] as const;

it(`survives kill -9 at ${ROUNDS} random moments`, { timeout: 600_000 }, async () => {
  console.log(`STRATA_TEST_SEED=${seed}`);
  const random = createRandom(seed);
  const folder = makeDataFolder();
  const data = folder.path;
  const acknowledged: string[] = [];
  const rounds: string[] = [];

  for (let round = 0; round < ROUNDS; round++) {
    const moment = MOMENTS[round % MOMENTS.length]!;
    const startedAt = performance.now();
    if (moment === 'start-up') {
      const { child, finished } = spawnStrata(['serve', '--data', data, '--port', '0']);
      await sleep(random() * 2_000);
      child.kill('SIGKILL');
      const { code, err } = await finished;
      expect(code, `round ${round} ended by itself:\n${err}`).toBeNull();
    } else {
      const service = await startService(data);
      expect((await service.get('/api/v1/api_tokens')).status).toBe(200);
      const writer = startWriter(data, `round-${round}`);
      while (writer.acknowledged().length === 0) await sleep(10);
      await sleep(random() * 500);
      if (moment === 'shutdown') {
        service.child.kill('SIGINT');
        await sleep(random() * 150);
      }
      if (moment === 'load, database too') killDatabase(data);
      const ended = service.end('SIGKILL');
      writer.child.kill('SIGKILL');
      await Promise.all([ended, writer.ended]);
      acknowledged.push(...writer.acknowledged());
    }
    rounds.push(`${round} ${moment}: ${Math.round(performance.now() - startedAt)} ms`);
  }

  const service = await startService(data);
  const list = await runStrata(['entity', 'list', '--json', '--data', data]);
  const slugs = new Set(JSON.parse(list.out).map(({ slug }: { slug: string }) => slug));
  console.log(`${rounds.join('\n')}\n${acknowledged.length} acknowledged, ${slugs.size} found`);
  expect(acknowledged.length).toBeGreaterThan(ROUNDS);
  expect(acknowledged.filter((slug) => !slugs.has(slug))).toEqual([]);
  expect((await service.end('SIGINT')).code).toBe(0);
  expect(processesOn(data)).toEqual([]);
  folder.remove();
});
