// Bodies and queries that are not UTF-8: refused, and the parameter is named, because bytes that do not fit would all become
// the same sign, and two teams one.
import { beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../support/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});

const JSON_TYPE = 'application/json';
const FORM = 'application/x-www-form-urlencoded';
const latin = (text: string): Buffer => Buffer.from(text, 'latin1');
const part = (name: string, value: string, file = ''): string =>
  `--xyz\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${value}\r\n`;
const MULTIPART = 'multipart/form-data; boundary=xyz';

const send = (payload: Buffer | string, contentType: string, route = 'POST /teams') =>
  app.request({ route, payload, headers: { 'content-type': contentType } });
const teamNames = async (): Promise<string[]> => {
  const { rows } = await app.store.pool.query('select name from teams where not is_default order by name');
  return rows.map(({ name }) => name);
};

const NAMED = { name: [expect.stringContaining('is not UTF-8')] };
const TEAM = '{"resource_path":"acme","name":"\u00e9quipe"}';

test.each([
  ['JSON', latin(TEAM), JSON_TYPE, NAMED],
  [
    'JSON, inside a list',
    latin('{"name":"a","repo_paths":["x","\u00e9"]}'),
    JSON_TYPE,
    { 'repo_paths[1]': expect.anything() },
  ],
  [
    'JSON beside the sign for what cannot be read',
    Buffer.concat([Buffer.from('{"slug":"\uFFFD",'), latin('"name":"\u00e9"}')]),
    JSON_TYPE,
    NAMED,
  ],
  ['a form', latin('resource_path=acme&name=\u00e9quipe'), FORM, NAMED],
  ['an encoded form', 'resource_path=acme&name=%E9quipe', FORM, NAMED],
  ['an encoded form with a lone %', 'resource_path=acme&name=%E9%', FORM, NAMED],
  [
    'a form in parts',
    latin(`${part('resource_path', 'acme')}${part('name', '\u00e9quipe')}--xyz--\r\n`),
    MULTIPART,
    NAMED,
  ],
])('%s with bytes of Latin-1 is refused by the parameter', async (_, payload, type, errors) => {
  const answer = await send(payload, type);
  expect([answer.status, answer.body.response_em]).toEqual([400, 'response_invalid_parameter']);
  expect(answer.body.errors).toEqual(errors);
  expect(await teamNames()).toEqual([]);
});

test.each([
  ['UTF-16', Buffer.from(`\uFEFF${TEAM}`, 'utf16le'), JSON_TYPE, 'the body is UTF-16, not UTF-8'],
  ['UTF-16 without a mark', Buffer.from(TEAM, 'utf16le'), JSON_TYPE, 'the body is UTF-16, not UTF-8'],
  [
    'a name in JSON',
    latin('{"resource_path":"acme",\n"n\u00e4me":"a"}'),
    JSON_TYPE,
    'the body is not UTF-8 (line 2 has the byte 0xE4)',
  ],
  ['a name in a form', 'n%E4me=a', FORM, 'the form body has a name that is not UTF-8'],
  [
    'a file in parts',
    latin(`${part('name', '\u0089PNG', '; filename="a.png"')}--xyz--\r\n`),
    MULTIPART,
    'a file is not accepted',
  ],
  [
    'JSON that nests deeply',
    latin(`{"page":${'['.repeat(50_000)}"\u00e9"${']'.repeat(50_000)}}`),
    JSON_TYPE,
    'the body is not UTF-8',
  ],
])('%s is refused with what is wrong', async (_, payload, type, message) => {
  const answer = await send(payload, type);
  expect([answer.status, answer.body.response_detail]).toEqual([400, expect.stringContaining(message)]);
});

test('a query that is not UTF-8 is refused by the parameter', async () => {
  const answer = await app.request({ route: 'GET /teams', query: 'resource_path=%E9quipe' });
  expect([answer.status, answer.body.errors]).toEqual([400, { resource_path: NAMED.name }]);
});

test.each([
  ['application/json; charset=iso-8859-1', 'iso-8859-1'],
  ['application/json;charset="windows-1252"', 'windows-1252'],
  [`${FORM}; Charset=UTF-16`, 'UTF-16'],
  [`${MULTIPART}; charset=latin1`, 'latin1'],
])('%s is refused as a kind of body', async (type, charset) => {
  const answer = await send('{}', type);
  expect([answer.status, answer.body.response_detail]).toEqual([
    415,
    `the charset ${charset} is not accepted; expected utf-8, or none`,
  ]);
});

describe('UTF-8 is taken', () => {
  test.each([
    ['with its charset', Buffer.from(TEAM), 'application/json; charset=UTF-8', '\u00e9quipe'],
    [
      'with a byte-order mark',
      Buffer.from(`\uFEFF${TEAM.replace('\u00e9', '\u00fc')}`),
      'application/json; charset="utf8"',
      '\u00fcquipe',
    ],
    ['in a form', 'resource_path=acme&name=%C3%B6quipe', `${FORM}; charset=utf-8`, '\u00f6quipe'],
    ['in a form, with a lone %', 'resource_path=acme&name=100%', FORM, '100%'],
    [
      'in parts',
      Buffer.from(`${part('resource_path', 'acme')}${part('name', '\u00e4quipe')}--xyz--\r\n`),
      MULTIPART,
      '\u00e4quipe',
    ],
  ])('%s', async (_, payload, type, name) => {
    expect((await send(payload, type)).status).toBe(200);
    expect(await teamNames()).toContain(name);
  });
});
