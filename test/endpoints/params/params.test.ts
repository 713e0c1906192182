// The shared input types: what each accepts, how it is read, and that a refusal names the parameter, the
// value and what would be accepted.
import { expect, test } from 'vitest';
import { parseEncoded, parseJson } from '../../../src/api/input/raw-input.ts';
import { p } from '../../../src/endpoints/params/index.ts';
import type { Param } from '../../../src/endpoints/params/param.ts';
import { readValues } from '../../../src/endpoints/params/read-values.ts';

const NOW = new Date('2026-11-15T02:30:00Z');

function read<T>(param: Param<T>, value: unknown, zone = 'UTC') {
  const warnings: string[] = [];
  const { values, errors } = readValues({ it: param }, [['it', value]], {
    zone,
    now: NOW,
    warn: (message) => warnings.push(message),
  });
  return { value: values.it, errors, warnings };
}

const TYPES: Record<string, Param<unknown>> = {
  boolean: p.boolean(),
  date: p.date(),
  dateTime: p.dateTime(),
  dateTimeOrSeconds: p.dateTime({ seconds: true }),
  decimal: p.decimal({ scale: 2, min: 0 }),
  email: p.email(),
  integer: p.integer({ min: 1, max: 100 }),
  json: p.json(),
  manyOf: p.manyOf(['one', 'two', 'three'], { aliases: { uno: 'one' }, maxItems: 2 }),
  objects: p.objects({ text: p.string(), scale: p.integer().optional() }),
  oneOf: p.oneOf(['hostB', 'hostC'], { github: 'hostC' }),
  page: p.integer({ min: 1, max: 1_000_000 }),
  recordId: p.recordId(),
  resourcePath: p.resourcePath('repo'),
  resourcePaths: p.resourcePaths(),
  sha: p.sha(),
  shaPrefix: p.shaPrefix(),
  repoPaths: p.repoPaths(),
  string: p.string({ max: 20 }),
  strings: p.strings(),
  url: p.url(),
  userEmail: p.userEmail(),
};

test('every kind of parameter is in the table of this test', () => {
  const kinds = new Set(Object.keys(TYPES).map((name) => name.replace('OrSeconds', '')));
  expect([...kinds].sort()).toEqual(Object.keys(p).sort());
});

for (const [name, param] of Object.entries(TYPES)) {
  test(`${name} accepts its right examples`, () => {
    for (const value of param.type.examples.right) expect(read(param, value).errors, JSON.stringify(value)).toEqual({});
  });

  test(`${name} refuses its wrong examples and says what is accepted`, () => {
    expect(param.type.examples.wrong.length).toBeGreaterThan(0);
    for (const value of param.type.examples.wrong) {
      const [first] = Object.entries(read(param, value).errors);
      expect(first?.[0], JSON.stringify(value)).toMatch(/^it/);
      expect(first?.[1].join(), JSON.stringify(value)).toMatch(/expected|expects|NUL|must belong/);
    }
  });

  test(`${name} may be blank only when it is not required`, () => {
    for (const blank of [null, undefined, '', '  ']) {
      expect(read(param, blank).errors.it?.[0]).toMatch(/^is missing; expected/);
      expect(read(param.optional(), blank)).toMatchObject({ value: undefined, errors: {} });
    }
  });
}

test.each([
  ['true', true],
  ['FALSE', false],
  [' True ', true],
  [false, false],
])('the boolean %j is read as %j', (given, expected) => {
  expect(read(p.boolean(), given).value).toBe(expected);
});

test.each([
  ['7', 7],
  [' +7 ', 7],
  [-0, 0],
  ['-12', -12],
])('the integer %j is read as %j', (given, expected) => {
  expect(read(p.integer(), given).value).toBe(expected);
});

test.each([
  ['12.50', 12.5],
  ['12.500', 12.5],
  [0.07, 0.07],
  ['-3', -3],
])('the decimal %j is read as %j', (given, expected) => {
  expect(read(p.decimal({ scale: 2 }), given).value).toBe(expected);
});

// Zone of the entity, text, instant it means.
const INSTANTS: [string, string, string][] = [
  ['UTC', '2026-10-05T09:00:00Z', '2026-10-05T09:00:00.000Z'],
  ['UTC', '2026-10-05T09:00:00.123+02:00', '2026-10-05T07:00:00.123Z'],
  ['UTC', '2026-10-05T09:00:00 02:00', '2026-10-05T07:00:00.000Z'],
  ['UTC', '2026-10-05t09:00z', '2026-10-05T09:00:00.000Z'],
  ['UTC', '2026-10-05T09:00:00.9999Z', '2026-10-05T09:00:00.999Z'],
  ['UTC', '2026-10-05T09:00:00,5-02', '2026-10-05T11:00:00.500Z'],
  ['UTC', '1970-01-01', '1970-01-01T00:00:00.000Z'],
  ['UTC', '2036-11-15T23:59:59Z', '2036-11-15T23:59:59.000Z'],
  ['Europe/Berlin', '2026-03-29 02:30', '2026-03-29T01:30:00.000Z'],
  ['UTC', '20261005T090000Z', '2026-10-05T09:00:00.000Z'],
  ['UTC', '20261005', '2026-10-05T00:00:00.000Z'],
  ['Europe/Berlin', '2026-10-05', '2026-10-04T22:00:00.000Z'],
  ['Europe/Berlin', '2026-10-05 09:00', '2026-10-05T07:00:00.000Z'],
  ['Europe/Berlin', '2026-10-05 09:00:00 UTC', '2026-10-05T09:00:00.000Z'],
  ['Europe/Berlin', '2026-10-05 09:00:00 -0500', '2026-10-05T14:00:00.000Z'],
  ['Europe/Berlin', '2026-10-05 09:00 America/New_York', '2026-10-05T13:00:00.000Z'],
  ['Europe/Berlin', 'October 5, 2026 9:00 AM', '2026-10-05T07:00:00.000Z'],
  ['Europe/Berlin', 'October 5, 2026 9:00 AM UTC', '2026-10-05T09:00:00.000Z'],
  ['UTC', 'Mon, 05 Oct 2026 09:00:00 +0200', '2026-10-05T07:00:00.000Z'],
  ['UTC', 'Mon Oct 05 2026 09:00:00 GMT+0200 (CEST)', '2026-10-05T07:00:00.000Z'],
  ['UTC', 'Oct 5 2026 at 9am PST', '2026-10-05T17:00:00.000Z'],
  ['UTC', '5 Oct 2026', '2026-10-05T00:00:00.000Z'],
  ['UTC', '2026/10/05 09:00', '2026-10-05T09:00:00.000Z'],
  ['UTC', '5.10.2026', '2026-10-05T00:00:00.000Z'],
  ['UTC', '25/10/2026', '2026-10-25T00:00:00.000Z'],
  ['Asia/Tokyo', 'yesterday', '2026-11-13T15:00:00.000Z'],
  ['Asia/Tokyo', 'today at 14:00', '2026-11-15T05:00:00.000Z'],
  ['Asia/Tokyo', '3 hours ago', '2026-11-14T23:30:00.000Z'],
  ['Asia/Tokyo', 'now', '2026-11-15T02:30:00.000Z'],
];

test.each(INSTANTS)('in %s the time %j means %s', (zone, text, expected) => {
  const { value, errors } = read(p.dateTime(), text, zone);
  expect(errors).toEqual({});
  expect(value?.toISOString()).toBe(expected);
});

test.each([
  ['1791190800', '2026-10-05T09:00:00.000Z'],
  [1791190800, '2026-10-05T09:00:00.000Z'],
  ['0', '1970-01-01T00:00:00.000Z'],
])('where seconds are allowed, %j means %s', (given, expected) => {
  expect(read(p.dateTime({ seconds: true }), given).value?.toISOString()).toBe(expected);
});

test.each([
  '9am',
  'noon',
  'October 2026',
  '2026-10',
  '2026',
  'T10:00',
  '32 Oct 2026',
  '2026-02-30T10:00:00Z',
  '2026-10-05T24:00:00Z',
  '2026-10-05T10:60:00Z',
  '2026-10-05T10:00:00+25:00',
  '0000-01-01',
  '2026-10-05 or so',
  'October 5 2026 and October 6 2026',
  'Oct 5 - Oct 7 2026',
  '2026-10-05 09:00 Mars/Olympus',
  '1791190800000000',
  'x'.repeat(5000),
])('%s does not name one date, so it is refused', (text) => {
  expect(read(p.dateTime(), text).errors.it?.[0]).toMatch(/is not accepted; expected a date/);
});

test('a date that could be read in two ways is accepted with a warning that says how it was read', () => {
  const { value, warnings } = read(p.dateTime(), '03/04/2026');
  expect(value?.toISOString()).toBe('2026-03-04T00:00:00.000Z');
  expect(warnings).toEqual(['it: "03/04/2026" was read as 2026-03-04T00:00:00.000Z; write YYYY-MM-DD to be sure']);
  expect(read(p.dateTime(), '04/04/2026').warnings).toEqual([]);
});

const ENCODINGS: [string, Record<string, unknown>][] = [
  ['a[]=x&a[]=y', parseEncoded('a[]=x&a[]=y', 'query')],
  ['a[0]=x&a[1]=y', parseEncoded('a[0]=x&a[1]=y', 'query')],
  ['a[1]=y&a[0]=x', parseEncoded('a[1]=y&a[0]=x', 'query')],
  ['a[0]=x&a[7]=y', parseEncoded('a[0]=x&a[7]=y', 'query')],
  ['a=x&a=y', parseEncoded('a=x&a=y', 'query')],
  ['a=x,y', parseEncoded('a=x,y', 'query')],
  ['a=x%2C%20y,,x', parseEncoded('a=x%2C%20y,,x', 'query')],
  ['a%5B%5D=x&a%5B%5D=y', parseEncoded('a%5B%5D=x&a%5B%5D=y', 'form body')],
  ['{"a":["x","y"]}', parseJson('{"a":["x","y"]}')],
  ['{"a":"x, y"}', parseJson('{"a":"x, y"}')],
];

test.each(ENCODINGS)('the list %s is x and y', (_, given) => {
  expect(read(p.strings(), given.a)).toMatchObject({ value: ['x', 'y'], errors: {} });
});

test('a list of a thousand repeated keys arrives whole', () => {
  const text = Array.from({ length: 1000 }, (_, index) => `a=${index}`).join('&');
  expect(read(p.strings(), parseEncoded(text, 'form body').a).value).toHaveLength(1000);
});

test('several resource paths of one entity may be given as comma list or array', () => {
  const expected = [
    { entity: 'e', organization: 'o', repo: null },
    { entity: 'e', organization: 'o', repo: 'r' },
  ];
  expect(read(p.resourcePaths(), 'e/o, e/o/r').value).toEqual(expected);
  expect(read(p.resourcePaths(), ['e/o', 'e/o/r']).value).toEqual(expected);
  expect(read(p.resourcePaths(), 'e/o,f/o').errors.it?.[0]).toMatch(/one entity; "f\/o" is not in "e"/);
});

test('a resource path of the wrong level is refused by what it names', () => {
  expect(read(p.resourcePath('repo'), 'e/o').errors.it?.[0]).toBe(
    '"e/o" names an organization; this action expects <entity>/<organization>/<repo>',
  );
});

test('an alias of a wire value is read as the value', () => {
  const param = p.oneOf(['hostB', 'hostC'], { github: 'hostC' });
  expect(read(param, 'github').value).toBe('hostC');
  expect(read(param, 'GitHub').value).toBe('hostC');
  expect(read(param, 'hostc').errors.it?.[0]).toBe(
    '"hostc" is not accepted; expected one of hostB, hostC (did you mean hostC?)',
  );
});

test('an object in a list is read field by field, and a refusal points to the field', () => {
  const param = p.objects({ text: p.string(), scale: p.integer({ min: 1 }).default(5) });
  expect(read(param, [{ text: 'a' }, { text: 'b', scale: '3' }]).value).toEqual([
    { text: 'a', scale: 5 },
    { text: 'b', scale: 3 },
  ]);
  expect(read(param, parseEncoded('q[0][text]=a&q[1][text]=b', 'form body').q).value).toHaveLength(2);
  expect(read(param, [{ text: 'a' }, { text: 'b', scale: 'x' }]).errors).toHaveProperty(['it[1].scale']);
  expect(read(param, [{ text: 'a', txet: 'b' }]).warnings[0]).toContain('did you mean text?');
});

test('an alias is accepted, and ignored with a warning when the name itself is given too', () => {
  const warnings: string[] = [];
  const params = { start_date: p.date().alias('beginning_date') };
  const context = { zone: 'UTC', now: NOW, warn: (message: string) => warnings.push(message) };
  expect(readValues(params, [['beginning_date', '2026-01-01']], context).values.start_date).toBe('2026-01-01');
  expect(warnings).toEqual([]);
  const both: [string, unknown][] = [
    ['beginning_date', '2026-01-01'],
    ['start_date', '2026-02-02'],
  ];
  expect(readValues(params, both, context).values.start_date).toBe('2026-02-02');
  expect(warnings).toEqual(['"beginning_date" was ignored because start_date was given too']);
});

test('all wrong parameters are reported at once', () => {
  const { errors } = readValues(
    { name: p.string(), page: p.integer({ min: 1 }), since: p.date() },
    [
      ['page', 'x'],
      ['since', '2026-02-31'],
      ['nmae', 'y'],
    ],
    { zone: 'UTC', now: NOW, warn: () => undefined },
  );
  expect(errors).toEqual({
    name: ['is missing; expected text of at most 255 characters (is "nmae" a slip of the fingers?)'],
    page: ['"x" is not accepted; expected a whole number from 1 to 2147483647'],
    since: [
      '"2026-02-31" is not accepted; expected a calendar date from 1970 to 10 years from now as YYYY-MM-DD, such as 2026-10-05',
    ],
  });
});

test('the value of a secret parameter is never repeated', () => {
  const secret = 'hunter2'.repeat(50);
  expect(JSON.stringify(read(p.string({ max: 10 }).secret(), secret).errors)).not.toContain('hunter2');
});

test('names that mean something to JavaScript are ordinary unknown parameters', () => {
  for (const given of [
    parseEncoded('__proto__[x]=1&constructor=2&toString=3', 'query'),
    parseJson('{"__proto__":{"x":1},"constructor":2,"toString":3}'),
  ]) {
    const warnings: string[] = [];
    const context = { zone: 'UTC', now: NOW, warn: (message: string) => warnings.push(message) };
    const { values } = readValues({ page: p.integer().default(1) }, Object.entries(given), context);
    expect(values).toEqual({ page: 1 });
    expect(Object.getPrototypeOf(values)).toBe(Object.prototype);
    expect(warnings.join()).toContain('"constructor"');
  }
});

test.each([
  ['UTC', '9999-12-31'],
  ['UTC', '2036-11-17'],
  ['UTC', '0001-01-01T00:00:00+14:00'],
  ['UTC', '9999-12-31T23:00:00-12:00'],
  ['UTC', '1969-12-31T23:59:59Z'],
  ['UTC', '1970-01-01T00:00:00+14:00'],
  ['Asia/Tokyo', '1970-01-01T00:00:00'],
  ['Pacific/Kiritimati', '0001-01-01'],
  ['Etc/GMT+12', '9999-12-31T23:00'],
  ['UTC', 'January 1, 1901'],
])('in %s, %s lies outside of the dates that are taken', (zone, text) => {
  expect(read(p.dateTime({ seconds: true }), text, zone).errors.it?.[0]).toMatch(/from 1970 to 10 years from now/);
});

test('a bare date is taken from 1970 to ten years from now, whatever the zone', () => {
  for (const zone of ['UTC', 'Pacific/Kiritimati', 'Etc/GMT+12']) {
    for (const right of ['1970-01-01', '2036-11-15']) expect(read(p.date(), right, zone).value).toBe(right);
    for (const wrong of ['1969-12-31', '2036-11-16', '9999-12-31']) {
      expect(read(p.date(), wrong, zone).errors.it?.[0]).toMatch(/from 1970 to 10 years from now/);
    }
  }
});

test.each([
  ['0.1234567', 0.123457],
  [1e-7, 0],
  ['1.5e-3', 0.0015],
  ['.5', 0.5],
  ['12.', 12],
  [0.000001, 0.000001],
])('the decimal %j is kept to six places as %j', (given, expected) => {
  expect(read(p.decimal({ scale: 6, min: 0 }), given).value).toBe(expected);
});

test('a hint knows aliases, and names the parameter that they stand for', () => {
  const params = { start_date: p.date().optional().alias('beginning_date'), page: p.page() };
  const warnings: string[] = [];
  const context = { zone: 'UTC', now: NOW, warn: (message: string) => void warnings.push(message) };
  readValues(params, [['begining_date', '2026-01-01']], context);
  expect(warnings).toEqual([expect.stringContaining('did you mean start_date?')]);
  const refused = read(p.oneOf(['hostB', 'hostC'], { github: 'hostC' }), 'gihtub');
  expect(refused.errors.it?.[0]).toContain('did you mean hostC?');
});

test.each([
  ['12345678901234567891', '12345678901234567892'],
  ['1e400', '-1e400'],
  ['0.12345678901234567', '1e-7'],
  ['1e21', '9007199254740993'],
])('numbers that may not be what was sent are no text: %s and %s', (...sent) => {
  for (const text of sent) {
    const { errors } = read(p.string(), JSON.parse(text));
    expect(errors.it?.join()).toMatch(/may have lost digits: expected text, in quotation marks/);
    expect(read(p.string(), text).value).toBe(text);
  }
});

test.each([
  [17, '17'],
  [-4.25, '-4.25'],
  [9_007_199_254_740_991, '9007199254740991'],
  [0.001234567890123, '0.001234567890123'],
])('the number %s is text', (value, text) => {
  expect(read(p.string(), value).value).toBe(text);
});
