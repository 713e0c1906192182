// Calls that take lists are set-based: they send as many statements for sixty items as for two.
import { beforeAll, expect, test } from 'vitest';
import { recordStatements, type StatementRecorder } from '../../../bench/api/statement-recorder.ts';
import { ENDPOINTS } from '../../../src/endpoints/index.ts';
import { createTestApp, type TestApp } from '../../support/app.ts';
import { addCommit, addPerson, entityIdOf } from '../people/people-kit.ts';

const PEOPLE = 240;
let app: TestApp;
let recorder: StatementRecorder;
beforeAll(async () => {
  app = await createTestApp();
  recorder = recordStatements(app.store);
  const entityId = await entityIdOf(app.store, 'acme');
  for (let n = 0; n < PEOPLE; n++) {
    const id = await addPerson(app.store, entityId, { name: `p${n}` });
    if (n === 0) await addCommit(app.store, entityId, id, 'o/r', '2026-10-05T10:00:00Z');
  }
  await app.store.pool.query(
    `insert into critical_defects (entity_id, defect_key, detected_at, source_em)
     select $1, 'INC-' || n, '2023-01-01T00:00:00Z', 'api' from generate_series(0, ${PEOPLE}) n`,
    [entityId],
  );
});

/** Fresh ones for each call. */
let next = 0;
/** Not the one who has a commit: statistics of that one are derived anew, which takes statements of its own. */
const names = (count: number): string[] => Array.from({ length: count }, () => `p${1 + (next++ % (PEOPLE - 1))}`);
const keys = (count: number, prefix: string): string[] =>
  Array.from({ length: count }, () => `${prefix}-${next++ % PEOPLE}`);
let calls = 0;

type Body = Readonly<Record<string, unknown>>;
/** Route and list → a call with so many items. Some need another call first. */
const CASES: Readonly<Record<string, { body: (count: number) => Body; before?: (body: Body) => [string, Body] }>> = {
  'POST /ai_usages/bulk usages': {
    body: (count) => ({
      resource_path: 'acme',
      usages: names(count).map((name) => ({
        llm_model_name: 'gpt-5',
        date: '2026-10-05',
        committer_user_name: name,
        lines_added: 3,
      })),
    }),
  },
  'POST /developers/record_time_off committer_user_name': {
    body: (count) => ({ resource_path: 'acme', start_date: '2026-10-05', committer_user_name: names(count) }),
  },
  'POST /developers/remove_time_off committer_user_name': {
    body: (count) => ({ resource_path: 'acme', start_date: '2026-10-06', committer_user_name: names(count) }),
    before: (body) => ['POST /developers/record_time_off', body],
  },
  'POST /developers/set_processing committer_user_name': {
    body: (count) => ({ committer_user_name: names(count), processing_status: 'limited_processing' }),
  },
  'POST /releases defect_keys_resolved': {
    body: (count) => ({
      resource_path: 'acme/o/r',
      released_at: new Date(Date.UTC(2026, 9, 5, 9, calls)).toISOString(),
      defect_keys_resolved: keys(count, 'INC'),
    }),
  },
  'POST /releases issue_keys_resolved': {
    body: (count) => ({
      resource_path: 'acme/o/r',
      released_at: new Date(Date.UTC(2026, 9, 6, 9, calls)).toISOString(),
      issue_keys_resolved: keys(count, 'ABC'),
    }),
  },
  'POST /surveys recipients': {
    body: (count) => ({
      resource_path: 'acme',
      name: `Survey ${calls}`,
      questions: [{ text: 'How are the tools?' }],
      recipients: names(count).map((name) => `${name}@example.org`),
    }),
  },
  'POST /teams developer_members': {
    body: (count) => ({ name: `Team ${calls}`, developer_members: names(count), invite_developers: true }),
  },
  'POST /teams repo_paths': { body: (count) => ({ name: `Group ${calls}`, repo_paths: keys(count, 'o/r') }) },
  'PUT /teams developer_members': {
    body: (count) => ({ name: 'Later', developer_members: names(count) }),
    before: () => ['POST /teams', { name: 'Later' }],
  },
  'PUT /teams remove_members': {
    body: (count) => ({ name: `Left ${calls}`, remove_members: names(count) }),
    before: ({ name, remove_members }) => ['POST /teams', { name, developer_members: remove_members }],
  },
  'PUT /teams remove_repo_paths': {
    body: (count) => ({ name: `Gone ${calls}`, remove_repo_paths: keys(count, 'o/q') }),
    before: ({ name, remove_repo_paths }) => ['POST /teams', { name, repo_paths: remove_repo_paths }],
  },
};
/** Lists that hold a few items at most, or are read as one value. */
const SHORT = [
  'questions',
  'team_slugs',
  'answers',
  'projects',
  'points_fields',
  'value',
  'committer_identifier',
  'manager_members',
];

async function send(route: string, json: Body): Promise<void> {
  const { status, text } = await app.request({ route, json });
  if (status !== 200) throw new Error(`${route}: ${text}`);
}

async function countStatements(name: string, count: number): Promise<number> {
  const { body: bodyOf, before } = CASES[name]!;
  const [method, path] = name.split(' ') as [string, string];
  calls += 1;
  const body = bodyOf(count);
  if (before !== undefined) await send(...before(body));
  // Statements that others send for all at once, such as the activity trail, come sooner or later.
  const statements = await recorder.record(() => send(`${method} ${path}`, body));
  return statements.filter(({ text }) => !/activities|last_used_at|pg_notify/.test(text)).length;
}

test.each(Object.keys(CASES))('%s', async (name) => {
  await countStatements(name, 2);
  const few = await countStatements(name, 2);
  expect(few).toBeGreaterThan(2);
  expect(await countStatements(name, 60)).toBeLessThanOrEqual(few + 2);
});

test('no call that takes a long list is left out', () => {
  const lists = ENDPOINTS.filter(({ method }) => method !== 'GET').flatMap(({ method, path, params }) =>
    Object.entries(params)
      .filter(([name, { type }]) => type.isList && name !== 'resource_path' && !SHORT.includes(name))
      .map(([name]) => `${method} ${path} ${name}`),
  );
  expect(lists.filter((name) => CASES[name] === undefined && !name.startsWith('PUT /teams repo_paths'))).toEqual([]);
});
