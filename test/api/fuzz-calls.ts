// Calls for the fuzz of the API, drawn from the endpoint table: every parameter of every endpoint gets right values,
// wrong ones, and extremes of dates, numbers, strings, lists and nesting. The seed decides all of them.
import type { Endpoint } from '../../src/endpoints/endpoint.ts';
import type { Param } from '../../src/endpoints/params/param.ts';

export type Draw = (below: number) => number;

/** Whole numbers below a bound, as a seed decides. */
export function drawsOf(seed: number): Draw {
  let state = (seed >>> 0) + 0x9e3779b9;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

export const pick = <T>(draw: Draw, values: readonly T[]): T => values[draw(values.length)]!;

/** Values by which a call gets past the door: they name what there is. */
const KNOWN: Readonly<Record<string, readonly unknown[]>> = {
  resource_path: ['acme', 'acme', 'acme/o', 'acme/o/r', 'other', 'acme,acme/o'],
  committer_user_name: ['ada', 'bo', 'ada,bo', ['ada', 'nobody']],
  committer_identifier: ['ada@example.com', 'bo', 'nobody'],
  developer_members: ['ada', ['bo', 'new@example.com'], 'nobody'],
  manager_members: ['ada', 'boss@example.com'],
  remove_members: ['ada', 'nobody'],
  name: ['Core', 'core', 'Ops', 'all-contributors'],
  team_slug: ['core', 'all-contributors', 'ops'],
  repo_path: ['o/r'],
  repo_paths: ['o/r', ['o/r', 'x/y']],
  defect_key: ['BUG-1', 'bug-1', 'INC-2'],
  start_date: ['1970-01-01', '2026-10-01'],
  end_date: ['2026-10-31', '2036-01-01'],
};

const DATES = [
  '9999-12-31',
  '0001-01-01T00:00:00+14:00',
  '9999-12-31T23:59:59-12:00',
  '1970-01-01',
  '1970-01-01T00:00:00Z',
  '1969-12-31T23:59:59Z',
  '2036-01-01',
  '2026-02-30',
  '2024-02-29T23:59:60Z',
  '+275760-09-13T00:00:00.000Z',
  '-000001-01-01T00:00:00Z',
  '0000-00-00',
  '2026-10-05T09:00:00+23:59',
  '2026-10-05 09:00 Europe/Berlin',
  '2026-03-29 02:30 Europe/Berlin',
  '2026-10-05T09:00:00.123456789123Z',
  'yesterday at noon',
  '5 million years ago',
  'next friday in 9999',
  253_402_300_799,
  -1,
  8.64e15,
];

const NUMBERS = [
  ...[0, -0, -1, 1, 1.5, 1e-7, 5e-324, 1e308, -1e308, 1e21, 9e9],
  ...[2_147_483_647, 2_147_483_648, -2_147_483_648, -2_147_483_649, 4_294_967_296],
  ...[9_007_199_254_740_991, 9_007_199_254_740_992, -9_007_199_254_740_992],
  ...[
    '1e999',
    '-1e999',
    'NaN',
    'Infinity',
    '0x10',
    '１２',
    '1_000',
    '1,5',
    '00',
    '9'.repeat(400),
    '0.'.padEnd(400, '3'),
  ],
];

export const STRINGS = [
  ...['', ' ', '\t\n', '\u0000', 'a\u0000b', '\ud800', '\udc00x', '\ufeff', '\u202eabc', 'e\u0301'.repeat(300)],
  ...['x'.repeat(255), 'x'.repeat(256), 'x'.repeat(10_000), 'x'.repeat(200_000), '😀'.repeat(5_000), 'ß'.repeat(300)],
  ...['../../etc/passwd', '..%2f..%2f', '%', '%00', '%zz', '\\', "'; drop table commits; --", '$1', '{{x}}'],
  ...['<script>alert(1)</script>', '__proto__', 'constructor', 'toString', 'hasOwnProperty', 'null', 'undefined'],
  ...['true', 'false', '[]', '{}', '[1,2', '(a+)+$', `${'a'.repeat(5_000)}!`, '*'.repeat(1_000), '^'.repeat(99), '/'],
  ...['acme/', '/acme', 'acme//r', 'acme/../other', 'a/b/c/d/e/f', ','.repeat(5_000), 'acme,'.repeat(500), 'ACME/O/R'],
  ...['a@b', `${'a'.repeat(300)}@example.com`, 'a@[::1]', 'http://[', 'https://x:y@127.0.0.1/', 'file:///etc/passwd'],
  ...['İ'.repeat(300), 'ǅ', '\u{10ffff}', 'ﬃ', 'Ⅷ', '-'.repeat(50), 'deadbeef', 'g'.repeat(40), '0'.repeat(40)],
];

/** Deeper than a recursive reader gets, and still a small body. */
function nested(depth: number, kind: 'list' | 'object'): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level++) value = kind === 'list' ? [value] : { a: value };
  return value;
}

const manyKeys = (count: number): Record<string, number> =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, n]));

const LISTS: readonly unknown[] = [
  ...[[], [null], [[]], [{}], [''], ['a', 1, true, null, {}], [undefined]],
  Array(1_000).fill('x'),
  Array(1_001).fill('x'),
  Array.from({ length: 1_000 }, (_, n) => `acme/r${n}`),
  Array(20_000).fill(1),
  Array(1_000).fill({}),
  { 0: 'a', 1: 'b' },
  { 0: 'a', 999999999: 'b' },
  { length: 1e9 },
  manyKeys(3_000),
];

const NESTED: readonly unknown[] = [
  nested(50, 'list'),
  nested(50, 'object'),
  nested(3_000, 'list'),
  nested(3_000, 'object'),
];

const EXTREMES = [DATES, NUMBERS, STRINGS, LISTS, NESTED] as const;

export const extreme = (draw: Draw): unknown => pick<unknown>(draw, pick<readonly unknown[]>(draw, EXTREMES));

/** An object of a list, with one of its fields changed. */
function changedItem(draw: Draw, { type }: Param<unknown>): unknown {
  const [first] = type.examples.right;
  const items: unknown = type.schema.items;
  const properties =
    typeof items === 'object' && items !== null && 'properties' in items ? Object.keys(Object(items.properties)) : [];
  if (!Array.isArray(first) || properties.length === 0) return first;
  const item = { ...Object(first[0]), [pick(draw, properties)]: extreme(draw) };
  return draw(4) === 0 ? Array(1 + draw(300)).fill(item) : [item];
}

function valueFor(draw: Draw, name: string, param: Param<unknown>, wildness: number): unknown {
  const right = KNOWN[name] ?? param.type.examples.right;
  if (draw(100) >= wildness) return pick(draw, right);
  const kind = draw(8);
  if (kind === 0) return pick(draw, param.type.examples.wrong);
  if (kind === 1) return changedItem(draw, param);
  return extreme(draw);
}

export interface FuzzCall {
  readonly endpoint: Endpoint;
  readonly params: Readonly<Record<string, unknown>>;
  readonly encoding: 'json' | 'form' | 'query';
  readonly role: 'member' | 'manager' | 'admin' | 'superAdmin' | 'foreignAdmin' | 'none';
}

const ROLES = ['admin', 'admin', 'admin', 'superAdmin', 'manager', 'member', 'foreignAdmin', 'none'] as const;
/** Share of wild values: calls with few of them get far, calls with many try the door. */
const WILDNESS = [0, 15, 15, 40, 90] as const;

export function drawCall(draw: Draw, endpoints: readonly Endpoint[]): FuzzCall {
  const endpoint = pick(draw, endpoints);
  const wildness = pick(draw, WILDNESS);
  const params: Record<string, unknown> = {};
  for (const [name, param] of Object.entries(endpoint.params)) {
    const isGiven = param.traits.isRequired ? draw(20) > 0 || wildness === 0 : draw(3) === 0;
    if (!isGiven) continue;
    const spelling = wildness > 40 ? pick(draw, [name, ...param.traits.aliases]) : name;
    params[spelling] = valueFor(draw, name, param, wildness);
  }
  if (draw(12) === 0) params[String(pick(draw, STRINGS)).slice(0, 200)] = extreme(draw);
  return {
    endpoint,
    params,
    encoding: pick(draw, ['json', 'json', 'form', 'query'] as const),
    role: pick(draw, ROLES),
  };
}

export const asText = (value: unknown): string => {
  if (typeof value === 'string') return value.replace(/\p{Surrogate}/gu, '?');
  return JSON.stringify(value) ?? '';
};

/** The call as a request of the test app. */
export function requestOf({ endpoint, params, encoding }: Pick<FuzzCall, 'endpoint' | 'params' | 'encoding'>) {
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(asText(params[name] ?? 1).slice(0, 90)),
  );
  const route = `${endpoint.method} ${path}`;
  if (encoding === 'json') {
    return { route, payload: JSON.stringify(params), headers: { 'content-type': 'application/json' } };
  }
  const fields = Object.entries(params).map(([name, value]): [string, string] => [asText(name), asText(value)]);
  const encoded = new URLSearchParams(fields).toString();
  return encoding === 'form' ? { route, form: encoded } : { route, query: encoded.slice(0, 16_000) };
}
