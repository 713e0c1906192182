// How long requests take while nothing else happens and while a large history is imported, by the service as users start
// it: a small history is imported first, so that reports have something to say, then the same calls are made at a steady
// pace before and during the second import. Prints p50, p95, p99 and the longest, and the longest delay of the API's event
// loop. The bar: p99 within three times idle, no delay over 100 ms.
//
//   node --import ./bench/typescript.mjs bench/api/latency.ts SMALL_REPO LARGE_REPO [--seconds 30] [--per-second 9]
// More than nine calls a second meet the limit of a token, and a refused call is no measurement: it ends the run.
import { setTimeout as sleep } from 'node:timers/promises';
import { makeDataFolder, runStrata, startService } from '../../test/service/running-service.ts';

const args = process.argv.slice(2);
const option = (name: string, fallback: number): number => {
  const at = args.indexOf(name);
  return at < 0 ? fallback : Number(args.splice(at, 2)[1]);
};
const seconds = option('--seconds', 30);
const perSecond = option('--per-second', 9);
const [small, large] = args;
if (small === undefined || large === undefined) throw new Error('expected two repositories');

const folder = makeDataFolder();
const service = await startService(folder.path, ['--port', '0', '--import', small]);
const { base_url: address, token, entity } = service.credentials;
const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };

async function importStatuses(): Promise<string[]> {
  const response = await fetch(`${address}/api/v1/imports?resource_path=${entity}`, { headers });
  const { repos = [] } = (await response.json()) as { repos?: { import_status: string }[] };
  return repos.map(({ import_status }) => import_status);
}

async function waitForImports(isEnough: (statuses: readonly string[]) => boolean): Promise<void> {
  while (!isEnough(await importStatuses())) await sleep(500);
}

interface Call {
  readonly name: string;
  send(count: number): Promise<Response>;
}

const CALLS: readonly Call[] = [
  {
    name: 'GET /reports',
    // Each asks for a range of its own, so that no answer is a remembered one.
    send: (count) => {
      const from = new Date(Date.UTC(2012, 0, 1 + (count % 2_000)));
      const to = new Date(from.getTime() + 365 * 86_400_000);
      const query = new URLSearchParams({
        resource_path: entity,
        segment_by: 'line_operation_counts',
        start_date: from.toISOString().slice(0, 10),
        end_date: to.toISOString().slice(0, 10),
      });
      return fetch(`${address}/api/v1/reports?${query}`, { headers });
    },
  },
  {
    name: 'POST /ai_usages',
    send: (count) =>
      fetch(`${address}/api/v1/ai_usages`, {
        method: 'POST',
        headers,
        body: JSON.stringify({
          resource_path: entity,
          date: '2026-01-05',
          llm_model_name: `model-${count % 50}`,
          lines_added: count,
        }),
      }),
  },
];

interface Figures {
  readonly milliseconds: number[];
  failures: number;
}

async function measure(): Promise<{ byCall: Map<string, Figures>; delayMs: number }> {
  const byCall = new Map(CALLS.map(({ name }) => [name, { milliseconds: [], failures: 0 } as Figures]));
  await longestDelay(); // reading it begins it anew
  const pending: Promise<void>[] = [];
  const begin = performance.now();
  for (let count = 0; performance.now() - begin < seconds * 1000; count++) {
    const call = CALLS[count % CALLS.length]!;
    const figures = byCall.get(call.name)!;
    const startedAt = performance.now();
    pending.push(
      call.send(count).then(
        async (response) => {
          await response.arrayBuffer();
          if (response.ok) figures.milliseconds.push(performance.now() - startedAt);
          else figures.failures++;
        },
        () => void figures.failures++,
      ),
    );
    // By the clock, not after the answer: slow answers must not make for fewer calls.
    await sleep(Math.max(0, begin + ((count + 1) * 1000) / perSecond - performance.now()));
  }
  await Promise.all(pending);
  for (const [name, { failures }] of byCall) if (failures > 0) throw new Error(`${failures} calls of ${name} failed`);
  return { byCall, delayMs: await longestDelay() };
}

/** Of the API's event loop since the last time it was read. */
async function longestDelay(): Promise<number> {
  const text = await (await fetch(`${address}/metrics`)).text();
  return 1000 * Number(/^strata_nodejs_eventloop_lag_max_seconds (\S+)/m.exec(text)?.[1]);
}

const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;

function print(situation: string, { byCall, delayMs }: Awaited<ReturnType<typeof measure>>): Map<string, number> {
  const p99s = new Map<string, number>();
  for (const [name, { milliseconds, failures }] of byCall) {
    const sorted = milliseconds.toSorted((a, b) => a - b);
    p99s.set(name, at(sorted, 0.99));
    const shown = [0.5, 0.95, 0.99, 1].map((share) => at(sorted, share).toFixed(1).padStart(8)).join(' |');
    console.log(`| ${situation.padEnd(14)} | ${name.padEnd(16)} |${shown} | ${failures} | ${delayMs.toFixed(0)} |`);
  }
  return p99s;
}

try {
  await waitForImports(
    (statuses) => statuses.length > 0 && statuses.every((status) => status === 'processing_completed'),
  );
  await measure(); // first calls load code and plans
  console.log('| situation | call | p50 ms | p95 ms | p99 ms | longest ms | failed | event loop, longest delay ms |');
  console.log('|---|---|---|---|---|---|---|---|');
  const idle = print('idle', await measure());
  // The command follows its import to the end: the measurement goes on meanwhile.
  const importing = runStrata(['import', large, '--as', 'bench/large', '--since', 'all', '--data', folder.path]);
  const refused = importing.then(({ code, err }) => {
    if (code !== 0) throw new Error(`the import ended with ${code}: ${err}`);
  });
  await Promise.race([
    refused,
    waitForImports((statuses) => statuses.some((status) => status !== 'processing_completed')),
  ]);
  await sleep(3_000);
  const busy = print('during import', await measure());
  if ((await importStatuses()).every((status) => status === 'processing_completed')) {
    throw new Error('the import was over before the measurement: take a larger repository or fewer seconds');
  }
  await refused;
  for (const [name, p99] of busy) console.log(`${name}: p99 is ${(p99 / idle.get(name)!).toFixed(2)} of idle`);
} finally {
  await service.end('SIGTERM');
  folder.remove();
}
