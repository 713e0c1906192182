// Telemetry of 1,000 developers beside API reads: 17 metric and 200 log requests a second against a running service.
// STRATA and INGEST name the service and an ingest token, TOKEN an API token for the reads; SECONDS how long (300).
// Prints requests, losses, percentiles and the memory of the process named by PID.
import { readFileSync } from 'node:fs';

const { STRATA = 'http://127.0.0.1:7080', INGEST = '', TOKEN = '', SECONDS = '300', PID = '' } = process.env;
if (INGEST === '' || TOKEN === '') {
  console.error('INGEST and TOKEN must name an ingest token and an API token of the service at STRATA');
  process.exit(2);
}
const METRIC_REQUESTS_PER_SECOND = 17;
const LOG_REQUESTS_PER_SECOND = 200;
const READS_PER_SECOND = 5;
const DEVELOPERS = 1000;

const text = (key: string, value: string) => ({ key, value: { stringValue: value } });
const resource = { attributes: [text('service.name', 'claude-code')] };
let serial = 0;

function metrics(developer: number): object {
  const at = Date.now();
  const who = [text('user.email', `dev${developer}@example.com`), text('session.id', `s${developer}`)];
  const point = (value: number, ...more: object[]) => ({
    attributes: [...who, ...more],
    startTimeUnixNano: `${at - 60_000}000000`,
    timeUnixNano: `${at}${String(serial++ % 1_000_000).padStart(6, '0')}`,
    asDouble: value,
  });
  const sum = (name: string, ...dataPoints: object[]) => ({ name, sum: { aggregationTemporality: 1, dataPoints } });
  const list = [
    sum('claude_code.lines_of_code.count', point(12, text('type', 'added')), point(3, text('type', 'removed'))),
    sum('claude_code.active_time.total', point(40, text('type', 'user'))),
    sum('claude_code.code_edit_tool.decision', point(2, text('decision', 'accept'))),
  ];
  return { resourceMetrics: [{ resource, scopeMetrics: [{ metrics: list }] }] };
}

function logs(developer: number): object {
  const record = (name: string, ...more: object[]) => ({
    timeUnixNano: `${Date.now()}000000`,
    attributes: [
      text('event.name', name),
      text('user.email', `dev${developer}@example.com`),
      text('session.id', `s${developer}`),
      { key: 'event.sequence', value: { intValue: String(serial++) } },
      ...more,
    ],
  });
  const cost = { key: 'cost_usd', value: { doubleValue: 0.01 } };
  const records = [
    record('user_prompt', text('prompt', 'x'.repeat(500))),
    record('api_request', text('model', 'claude-opus-4-5'), text('request_id', `r${serial++}`), cost),
    record('tool_result', text('tool_input', 'y'.repeat(500))),
  ];
  return { resourceLogs: [{ resource, scopeLogs: [{ logRecords: records }] }] };
}

const taken: Record<string, number[]> = { metrics: [], logs: [], reads: [] };
const lost: Record<string, number> = {};

async function send(kind: string, request: () => Promise<Response>): Promise<void> {
  const startedAt = performance.now();
  try {
    const answer = await request();
    await answer.arrayBuffer();
    if (answer.status === 200) taken[kind]!.push(performance.now() - startedAt);
    else lost[`${kind} ${answer.status}`] = (lost[`${kind} ${answer.status}`] ?? 0) + 1;
  } catch (error) {
    const name = `${kind} ${error instanceof Error ? error.message : String(error)}`;
    lost[name] = (lost[name] ?? 0) + 1;
  }
}

const post = (signal: string, body: object) =>
  fetch(`${STRATA}/api/v1/otlp/v1/${signal}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${INGEST}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

/** So many a second, evenly; a slow answer holds nothing back. */
async function every(perSecond: number, seconds: number, start: () => Promise<void>): Promise<void> {
  const beganAt = performance.now();
  const running = new Set<Promise<void>>();
  for (let count = 0; count < perSecond * seconds; count++) {
    const wait = beganAt + (count * 1000) / perSecond - performance.now();
    if (wait > 0) await new Promise((done) => setTimeout(done, wait));
    const one: Promise<void> = start().finally(() => running.delete(one));
    running.add(one);
  }
  await Promise.all(running);
}

const percentile = (values: readonly number[], share: number): string =>
  values.length === 0
    ? '-'
    : values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))]!.toFixed(1);
const someone = (): number => Math.floor(Math.random() * DEVELOPERS);
const seconds = Number(SECONDS);

await Promise.all([
  every(METRIC_REQUESTS_PER_SECOND, seconds, () => send('metrics', () => post('metrics', metrics(someone())))),
  every(LOG_REQUESTS_PER_SECOND, seconds, () => send('logs', () => post('logs', logs(someone())))),
  every(TOKEN === '' ? 0 : READS_PER_SECOND, seconds, () =>
    send('reads', () => fetch(`${STRATA}/api/v1/ai_sources`, { headers: { authorization: `Bearer ${TOKEN}` } })),
  ),
]);
for (const [kind, times] of Object.entries(taken)) {
  console.log(`${kind}: ${times.length} answered, p50 ${percentile(times, 0.5)} ms, p99 ${percentile(times, 0.99)} ms`);
}
console.log(`lost: ${JSON.stringify(lost)}`);
if (PID !== '') console.log(/VmHWM.*|VmRSS.*/g.exec(readFileSync(`/proc/${PID}/status`, 'utf8'))?.[0]);
