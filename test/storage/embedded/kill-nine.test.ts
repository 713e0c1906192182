import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { readPostmasterFile } from '../../../src/storage/embedded/postmaster-file.ts';
import { isProcessAlive } from '../../../src/storage/embedded/process-identity.ts';
import { clusterOf, createDataFolder, listen, listTestUsers, spawnEmbedded } from '../../support/embedded.ts';

const ROUNDS = 20;

/** mulberry32: small, and the same on every machine. */
function createRandom(seed: number): () => number {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

type Row = [life: number, writer: number, n: number];
interface Word {
  ready?: { pid: number; origin: string; rows: Row[] };
  wrote?: Row;
  left?: boolean;
  failed?: string;
}

const MOMENTS = ['start-up', 'load', 'shutdown'] as const;
const VICTIMS = ['strata', 'postgres', 'both'] as const;

/** Kills the server that is in the folder now, if there is one. */
function killServer(dataDir: string): void {
  const file = readPostmasterFile(clusterOf(dataDir));
  if (file && isProcessAlive(file.pid)) process.kill(file.pid, 'SIGKILL');
}

test(`after kill -9 at ${ROUNDS} random moments every start works and no acknowledged write is missing`, {
  timeout: 300_000,
}, async () => {
  const seed = Number(process.env.KILL_NINE_SEED ?? Math.floor(Math.random() * 2 ** 31));
  console.log(`kill -9 seed: KILL_NINE_SEED=${seed}`);
  const random = createRandom(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const user = listTestUsers()[0]!;
  const dataDir = createDataFolder(user);
  const acknowledged = new Set<string>();
  const seen: Record<string, number> = {};

  const checkRows = (rows: Row[], round: number): void => {
    const present = new Set(rows.map(String));
    const missing = [...acknowledged].filter((row) => !present.has(row));
    expect(missing, `missing after round ${round}, seed ${seed}`).toEqual([]);
  };

  for (let round = 0; round < ROUNDS; round++) {
    const moment = pick(MOMENTS);
    const victim = pick(VICTIMS);
    // Start-up takes longer the first time, and a kill should hit any part of it.
    const waitMilliseconds = Math.floor(random() * (moment === 'start-up' ? 700 : moment === 'load' ? 500 : 60));
    seen[`${moment}: ${victim}`] = (seen[`${moment}: ${victim}`] ?? 0) + 1;
    const child = spawnEmbedded(dataDir, user, { script: 'kill-nine-child.mjs', args: [String(round)] });
    let isReady = false;
    let isServerShot = false;
    let problem: unknown;
    const heard = (async () => {
      for await (const word of listen(child) as AsyncGenerator<Word>) {
        // A start whose server is shot from under it may fail; the next one must not.
        if (word.failed && !isServerShot) throw new Error(`round ${round}, seed ${seed}: ${word.failed}`);
        if (word.ready) {
          checkRows(word.ready.rows, round);
          isReady = true;
        }
        if (word.wrote) acknowledged.add(String(word.wrote));
      }
    })().catch((error: unknown) => {
      problem = error;
    });
    const untilReady = async (): Promise<void> => {
      while (!isReady && !problem && child.exitCode === null) await sleep(5);
    };
    if (moment !== 'start-up') await untilReady();
    if (moment === 'shutdown') child.kill('SIGTERM');
    await sleep(waitMilliseconds);
    if (victim !== 'strata') {
      isServerShot = true;
      killServer(dataDir);
    }
    if (victim === 'postgres' && moment !== 'start-up') {
      await sleep(100); // its user brings it back, or goes on leaving
    }
    child.kill('SIGKILL');
    await heard;
    if (problem) throw problem;
  }

  const last = spawnEmbedded(dataDir, user, { script: 'kill-nine-child.mjs', args: [String(ROUNDS)] });
  const words = listen(last) as AsyncGenerator<Word>;
  const first = (await words.next()).value as Word;
  expect(first.failed).toBeUndefined();
  checkRows(first.ready!.rows, ROUNDS);
  last.kill('SIGTERM');
  let left = false;
  for await (const word of words) left ||= word.left === true;
  expect(left).toBe(true);
  expect(readPostmasterFile(clusterOf(dataDir))).toBeUndefined();
  console.log(`${acknowledged.size} acknowledged writes, none lost; ${JSON.stringify(seen)}`);
  expect(acknowledged.size).toBeGreaterThan(20);
});
