// What is counted from telemetry and what is not taken, without a database: values that no tool can mean, tokens that
// tools report as part of others, and calls of tools that edit nothing.
import { describe, expect, test } from 'vitest';
import { type CountedTelemetry, countLogs, countMetrics } from '../../../src/ingest/otlp/count-points.ts';
import { decodeJsonLogs, decodeJsonMetrics } from '../../../src/ingest/otlp/decode-json.ts';

const NOW = Date.UTC(2026, 10, 17, 12);
const nanos = (ms: number): string => `${ms}000000`;

type Values = Readonly<Record<string, string | number | object>>;

/** Numbers as the encoding has them; an object stands as it is. */
const attributesOf = (values: Values) =>
  Object.entries(values).map(([key, value]) => ({
    key,
    value:
      typeof value === 'object'
        ? value
        : typeof value === 'string'
          ? { stringValue: value }
          : Number.isInteger(value)
            ? { intValue: String(value) }
            : { doubleValue: value },
  }));

const resource = (service: string) => ({ attributes: attributesOf({ 'service.name': service }) });

function run(counting: Generator<undefined, CountedTelemetry, undefined>): CountedTelemetry {
  for (let step = counting.next(); ; step = counting.next()) if (step.done === true) return step.value;
}

interface Point {
  readonly values?: Values;
  readonly at?: number;
  readonly number: object;
}

function metric(service: string, name: string, points: readonly Point[], temporality = 1): CountedTelemetry {
  const dataPoints = points.map(({ values = {}, at = NOW, number }, index) => ({
    attributes: attributesOf({ 'session.id': `s${index}`, ...values }),
    startTimeUnixNano: nanos(at - 1000),
    timeUnixNano: nanos(at),
    ...number,
  }));
  const metrics = [{ name, sum: { aggregationTemporality: temporality, dataPoints } }];
  const body = { resourceMetrics: [{ resource: resource(service), scopeMetrics: [{ metrics }] }] };
  return run(countMetrics(decodeJsonMetrics(Buffer.from(JSON.stringify(body))), NOW));
}

function logs(service: string, name: string, records: readonly Values[]): CountedTelemetry {
  const logRecords = records.map((values, index) => ({
    timeUnixNano: nanos(NOW),
    attributes: attributesOf({ 'event.name': name, 'session.id': 's', 'event.sequence': index, ...values }),
  }));
  const body = { resourceLogs: [{ resource: resource(service), scopeLogs: [{ logRecords }] }] };
  return run(countLogs(decodeJsonLogs(Buffer.from(JSON.stringify(body))), NOW));
}

/** Sums of each quantity, in whole units. */
function sums({ points, streams }: CountedTelemetry): Record<string, number> {
  const total: Record<string, number> = {};
  for (const { quantity, amount } of [...points.flatMap(({ amounts }) => amounts), ...streams]) {
    total[quantity] = (total[quantity] ?? 0) + amount / 1000;
  }
  return total;
}

const LINES = 'claude_code.lines_of_code.count';
const added = (number: object, more: Partial<Point> = {}): Point => ({ values: { type: 'added' }, number, ...more });

describe('a point with a value that no count can have', () => {
  test.each([
    ['the largest integer', { asInt: '9223372036854775807' }, `${LINES} is 9223372036854776000`],
    ['a million million lines', { asInt: 1e12 }, `${LINES} is 1000000000000`],
    ['a negative one', { asInt: '-5' }, `${LINES} is -5`],
    ['NaN', { asDouble: 'NaN' }, `${LINES} is not a number`],
    ['infinity', { asDouble: 'Infinity' }, `${LINES} is Infinity`],
    ['a word', { asInt: 'abc' }, `${LINES} is not a number`],
    ['an object', { asInt: {} }, `${LINES} is not a number`],
  ])('is rejected with its reason, and the others count: %s', (_, number, reason) => {
    for (const temporality of [1, 2]) {
      const counted = metric('claude-code', LINES, [added({ asInt: '3' }), added(number)], temporality);
      expect(counted).toMatchObject({ received: 2, rejected: 1 });
      expect(counted.reason).toBe(`${reason}; accepted is a number from 0 to 2147483647`);
      expect(sums(counted)).toEqual({ lines_added: 3 });
    }
  });

  test('is none where there is nothing to count', () => {
    const counted = metric('claude-code', LINES, [added({ asInt: 0 }), added({}), { number: { asInt: -1 } }]);
    expect(counted).toMatchObject({ received: 3, rejected: 0, reason: '', points: [] });
  });

  test('is measured by what is counted: tokens may be more than lines, a cost has cents', () => {
    const tokens = metric('claude-code', 'claude_code.token.usage', [
      { values: { type: 'cacheRead' }, number: { asInt: '5000000000' } },
      { values: { type: 'cacheRead' }, number: { asDouble: 1e19 } },
    ]);
    expect(tokens).toMatchObject({ rejected: 1 });
    expect(sums(tokens)).toEqual({ tokens_cache_read: 5e9 });
    const cost = metric('claude-code', 'claude_code.cost.usage', [{ number: { asDouble: 1e12 } }]);
    expect(cost).toMatchObject({
      rejected: 1,
      reason: 'claude_code.cost.usage is 1000000000000; accepted is a number from 0 to 90000000',
    });
  });
});

describe('a log record with a value that no count can have', () => {
  test.each([
    [
      'input_tokens',
      1e19,
      'claude_code.api_request: input_tokens is 10000000000000000000; accepted is a number from 0 to 1000000000000',
    ],
    ['cost_usd', 1e12, 'claude_code.api_request: cost_usd is 1000000000000; accepted is a number from 0 to 90000000'],
    ['cost_usd', -1, 'claude_code.api_request: cost_usd is -1; accepted is a number from 0 to 90000000'],
    ['cost_usd', 'abc', 'claude_code.api_request: cost_usd is not a number; accepted is a number from 0 to 90000000'],
    [
      'cost_usd',
      { doubleValue: 'NaN' },
      'claude_code.api_request: cost_usd is not a number; accepted is a number from 0 to 90000000',
    ],
    [
      'output_tokens',
      { intValue: 'x' },
      'claude_code.api_request: output_tokens is not a number; accepted is a number from 0 to 1000000000000',
    ],
    [
      'cost_usd_micros',
      -7,
      'claude_code.api_request: cost_usd_micros is -7; accepted is a number from 0 to 90000000000000',
    ],
  ])('is rejected as a whole with its reason: %s %s', (name, value, reason) => {
    const good = { model: 'claude-opus-4-5', input_tokens: 10, output_tokens: 2 };
    const counted = logs('claude-code', 'claude_code.api_request', [good, { ...good, [name]: value }]);
    expect(counted).toMatchObject({ received: 2, rejected: 1, reason });
    expect(sums(counted)).toEqual({ tokens_input: 10, tokens_output: 2 });
  });

  test('takes millionths of a dollar before dollars, and nothing for nothing', () => {
    const counted = logs('claude-code', 'claude_code.api_request', [
      { cost_usd_micros: 2_000_000, cost_usd: 1 },
      { cost_usd: 0, input_tokens: '' },
    ]);
    expect(counted.rejected).toBe(0);
    expect(counted.points.flatMap(({ amounts }) => amounts)).toMatchObject([
      { quantity: 'cost_microcents', amount: 200_000_000 },
    ]);
  });
});

test('each reason of several rejections is named, with how many there were', () => {
  const day = 86_400_000;
  const counted = metric('claude-code', LINES, [
    added({ asInt: 1 }, { at: NOW - 8 * day }),
    added({ asInt: 1 }, { at: NOW - 9 * day }),
    added({ asInt: 1 }, { at: NOW + day }),
  ]);
  expect(counted).toMatchObject({
    rejected: 3,
    reason:
      'the time of a point lies more than 7 days back (2 times); the time of a point lies more than an hour ahead (1 time)',
  });
});

test('a reason list stays short', () => {
  const counted = metric(
    'claude-code',
    LINES,
    Array.from({ length: 40 }, (_, n) => added({ asInt: -1 - n })),
  );
  expect(counted.rejected).toBe(40);
  expect(counted.reason).toMatch(/\(1 time\); and 35 more$/);
});

test('texts that the database cannot hold are not read', () => {
  const counted = metric('claude-code', LINES, [added({ asInt: 1 }, { values: { type: 'added', model: 'a\0b' } })]);
  expect(counted.points[0]!.amounts).toMatchObject([{ llm_model_name: 'claude-code' }]);
});

test('what a version before decision 198 stored can be found again', () => {
  const go = added({ asInt: 3 }, { values: { type: 'added', language: 'Go' } });
  expect(metric('claude-code', LINES, [go]).points).toMatchObject([{ former_hash: '6972199574087142467' }]);
  expect(metric('claude-code', LINES, [go], 2).streams).toMatchObject([{ former_hash: '-1219000698075957761' }]);
  const records = [{ 'event.sequence': {}, call_id: 'c' }];
  expect(logs('codex_cli_rs', 'codex.user_prompt', records).points).toMatchObject([
    { former_hash: '7011947189523143399' },
  ]);
});

describe('cached tokens', () => {
  test('of Codex and Gemini are part of the input, and count once', () => {
    const codex = { 'event.kind': 'response.completed', model: 'gpt-5' };
    const counted = logs('codex_cli_rs', 'codex.sse_event', [
      // Codex writes its numbers as texts; reasoning is part of its output
      {
        ...codex,
        input_token_count: '1000',
        cached_token_count: 400,
        output_token_count: '200',
        reasoning_token_count: 90,
      },
      { ...codex, input_token_count: 5, output_token_count: 1 },
    ]);
    expect(sums(counted)).toEqual({ tokens_input: 605, tokens_cache_read: 400, tokens_output: 201 });
    const gemini = logs('gemini-cli', 'gemini_cli.api_response', [
      { input_token_count: 10, cached_content_token_count: 2, output_token_count: 20, thoughts_token_count: 7 },
    ]);
    expect(sums(gemini)).toEqual({ tokens_input: 8, tokens_cache_read: 2, tokens_output: 27 });
  });

  test('of Claude Code are not part of its input', () => {
    const counted = logs('claude-code', 'claude_code.api_request', [{ input_tokens: 10, cache_read_tokens: 50 }]);
    expect(sums(counted)).toEqual({ tokens_input: 10, tokens_cache_read: 50 });
  });

  test('in the metrics of Gemini CLI are within its input, which the general metric repeats', () => {
    const of = (type: string, count: number): Point => ({ values: { type, model: 'm' }, number: { asInt: count } });
    const own = metric('gemini-cli', 'gemini_cli.token.usage', [
      of('input', 10),
      of('cache', 4),
      of('output', 5),
      of('thought', 2),
      of('tool', 3),
    ]);
    expect(own.rejected).toBe(0);
    expect(sums(own)).toEqual({ tokens_input: 10, tokens_output: 7 });
    const general = (service: string) =>
      metric(service, 'gen_ai.client.token.usage', [
        { values: { 'gen_ai.token.type': 'input' }, number: { asInt: 10 } },
      ]);
    expect(sums(general('gemini-cli'))).toEqual({});
    expect(sums(general('copilot-chat'))).toEqual({ tokens_input: 10 });
  });

  test('that are more than the input they are part of leave none of it', () => {
    const counted = logs('gemini-cli', 'gemini_cli.api_response', [
      { input_token_count: 3, cached_content_token_count: 9 },
    ]);
    expect(sums(counted)).toEqual({ tokens_cache_read: 9 });
  });
});

test('calls of Gemini CLI are suggestions where they edit files', () => {
  const call = (function_name: string, decision: string, count: number): Point => ({
    values: { function_name, decision },
    number: { asInt: count },
  });
  const counted = metric('gemini-cli', 'gemini_cli.tool.call.count', [
    call('run_shell_command', 'auto_accept', 40),
    call('read_file', 'auto_accept', 60),
    { values: { decision: 'accept' }, number: { asInt: 8 } },
    call('replace', 'accept', 2),
    call('replace', 'reject', 2),
    call('write_file', 'modify', 1),
  ]);
  expect(counted.rejected).toBe(0);
  expect(sums(counted)).toEqual({ prompted_suggest_count: 5, prompted_accept_count: 3 });
});

test('values within values cost what they take', () => {
  const nested = (text: string) => {
    let value: object = { stringValue: text };
    for (let depth = 0; depth < 8; depth++) value = { kvlistValue: { values: [{ key: 'a', value }] } };
    return { values: { type: 'added', nested: value }, number: { asInt: 1 } };
  };
  const { points } = metric('claude-code', LINES, [nested('"\\'.repeat(5000)), nested('"')]);
  expect(points).toHaveLength(2);
});
