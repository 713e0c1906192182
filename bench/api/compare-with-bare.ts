// How the benchmarks of the HTTP layer measure: Strata's server against a bare one, both in this process and
// on one database, with the load from a second process over loopback. Each round measures both sides one
// after the other and the median of the rounds' ratios counts, so that a busy machine slows both alike.
import { fork } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createLog } from '../../src/kit/create-log.ts';
import { openStore, type Store } from '../../src/storage/database/handle.ts';
import { migrate } from '../../src/storage/database/migrate.ts';
import { startEmbedded } from '../../src/storage/embedded/start-embedded.ts';
import type { LoadOrder, LoadResult } from './http-load.ts';

const BAR = 0.7;
const CONNECTIONS = 16;
const MOST_WARM_UP_SECONDS = 8;

interface ListeningServer {
  readonly server: { address(): string | AddressInfo | null };
  close(): Promise<unknown>;
}

export interface Comparison {
  /** Both listen on loopback. */
  readonly strata: ListeningServer;
  readonly bare: ListeningServer;
  /** Name → whole requests as they go over the wire. */
  readonly cases: readonly (readonly [name: string, requests: readonly string[]])[];
  close(): Promise<void>;
}

interface Measure {
  readonly perSecond: number;
  readonly cpuMicroseconds: number;
}

export const createQuietLog = () => createLog({ level: 'info', format: 'json', destination: { write: () => true } });

const portOf = ({ server }: ListeningServer): number => (server.address() as AddressInfo).port;

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;

/** Prints a line per case, and ends with code 1 when one is below the bar. */
export async function compareWithBare(
  prepare: (store: Store) => Promise<Comparison>,
  defaults: { readonly rounds: number; readonly seconds: number; readonly warmUpRequests: number },
): Promise<void> {
  const { values: flags } = parseArgs({
    options: {
      rounds: { type: 'string', default: String(defaults.rounds) },
      seconds: { type: 'string', default: String(defaults.seconds) },
      // Only cases whose name contains this.
      only: { type: 'string', default: '' },
    },
  });
  const rounds = Number(flags.rounds);
  const milliseconds = Number(flags.seconds) * 1000;
  const dataDir = mkdtempSync(join(tmpdir(), 'strata-bench-'));
  chmodSync(dataDir, 0o711);
  const embedded = await startEmbedded({ dataDir });
  const store = await openStore({ databaseUrl: embedded.databaseUrl });
  const load = fork(join(import.meta.dirname, 'http-load.ts'), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  try {
    await migrate(store);
    const comparison = await prepare(store);
    const ports = { strata: portOf(comparison.strata), bare: portOf(comparison.bare) };

    const measure = async (port: number, requests: readonly string[], ms: number): Promise<Measure> => {
      const cpuBefore = process.cpuUsage();
      const order: LoadOrder = { port, connections: CONNECTIONS, milliseconds: ms, requests };
      const result = await new Promise<LoadResult>((resolve, reject) => {
        load.once('message', (message) => resolve(message as LoadResult));
        load.once('exit', () => reject(new Error('the load generator ended')));
        load.send(order);
      });
      load.removeAllListeners('exit');
      const cpu = process.cpuUsage(cpuBefore);
      if (result.failed > 0) throw new Error(`${result.failed} of ${result.completed} requests failed`);
      return {
        perSecond: result.completed / result.seconds,
        cpuMicroseconds: (cpu.user + cpu.system) / result.completed,
      };
    };

    let isBelowBar = false;
    console.log(`${rounds} rounds of ${milliseconds / 1000} s a side, ${CONNECTIONS} connections; medians\n`);
    console.log('case                                      bare/s  strata/s  ratio   CPU µs bare  strata');
    for (const [name, requests] of comparison.cases.filter(([name]) => name.includes(flags.only))) {
      const found: Record<keyof typeof ports, Measure[]> = { bare: [], strata: [] };
      // Both sides run compiled code before anything counts; a slow machine needs more seconds for that.
      for (const side of ['bare', 'strata'] as const) {
        let warm = 0;
        for (let second = 0; second < MOST_WARM_UP_SECONDS && warm < defaults.warmUpRequests; second++) {
          warm += (await measure(ports[side], requests, 1000)).perSecond;
        }
      }
      for (let round = 0; round < rounds; round++) {
        const order = round % 2 === 0 ? (['bare', 'strata'] as const) : (['strata', 'bare'] as const);
        for (const side of order) {
          found[side].push(await measure(ports[side], requests, milliseconds));
        }
      }
      const rate = (side: keyof typeof ports): number => median(found[side].map(({ perSecond }) => perSecond));
      const cpu = (side: keyof typeof ports): number =>
        median(found[side].map(({ cpuMicroseconds }) => cpuMicroseconds));
      const ratio = median(found.strata.map(({ perSecond }, round) => perSecond / found.bare[round]!.perSecond));
      isBelowBar ||= ratio < BAR;
      const cells = [rate('bare').toFixed(0), rate('strata').toFixed(0), ratio.toFixed(2)];
      console.log(
        `${name.padEnd(40)}${cells.map((cell) => cell.padStart(8)).join('')}${cpu('bare').toFixed(0).padStart(14)}${cpu('strata').toFixed(0).padStart(8)}`,
      );
    }
    console.log(`\nbar ${BAR}: ${isBelowBar ? 'MISSED' : 'met'}`);
    process.exitCode = isBelowBar ? 1 : 0;
    await Promise.all([comparison.strata.close(), comparison.bare.close()]);
    await comparison.close();
  } finally {
    load.disconnect();
    await store.close();
    await embedded.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
