// PUT /settings: every default can be sent back, and what a setting cannot be is refused instead of turned into a text.
import { beforeAll, expect, test } from 'vitest';
import { ENTITY_SETTING_KEYS, ENTITY_SETTINGS } from '../../../src/domain/access/entity-settings.ts';
import { createTestApp, type TestApp } from '../../support/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});

const put = (key: string, value: unknown) =>
  app.request({ route: `PUT /settings/${key}`, json: { resource_path: 'acme', value } });
const stored = async (key: string): Promise<unknown> => {
  const { rows } = await app.store.pool.query('select value from entity_settings where key = $1', [key]);
  return rows[0]?.value;
};

test.each(ENTITY_SETTING_KEYS)('%s takes its default as it is listed', async (key) => {
  const answer = await put(key, ENTITY_SETTINGS[key].default);
  expect(answer.status, answer.text).toBe(200);
  expect((answer.body.setting as Record<string, unknown>).value).toEqual(ENTITY_SETTINGS[key].default);
});

test('an empty text is a value where the setting takes one, in a form too', async () => {
  await put('release_message_pattern', '^release');
  const form = await app.request({
    route: 'PUT /settings/release_message_pattern',
    form: 'resource_path=acme&value=',
  });
  expect(form.status, form.text).toBe(200);
  expect(await stored('release_message_pattern')).toBe('');
});

test.each([
  ['bug_issue_types', { a: 1 }],
  ['bug_issue_types', [{ x: 2 }]],
  ['bug_issue_types', '{"a":1}'],
  ['bug_issue_types', '[{"x":2}]'],
  ['release_environments', [['prod']]],
  ['release_environments', null],
  ['release_environments', ''],
  ['time_zone', null],
  ['time_zone', ''],
  ['seat_limit', {}],
])('%s refuses %j and says what is accepted', async (key, value) => {
  const before = await stored(key);
  const answer = await put(key, value);
  expect(answer.status, answer.text).toBe(422);
  expect((answer.body.errors as { value: string[] }).value[0]).toMatch(new RegExp(`^${key} cannot be .* accepted is `));
  expect(await stored(key)).toEqual(before);
});

test('a value that is left out or blank is missing', async () => {
  for (const json of [{}, { value: '  ' }]) {
    const answer = await app.request({
      route: 'PUT /settings/seat_limit',
      json: { resource_path: 'acme', ...json },
    });
    expect([answer.status, answer.body.errors]).toEqual([400, { value: [expect.stringContaining('is missing')] }]);
  }
});
