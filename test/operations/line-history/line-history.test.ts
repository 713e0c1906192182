// GET /code_introspections/line_history on a golden repo, imported or not, against what the engine and git say.
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { createCredentialFile } from '../../../src/connectors/sources/credential-file.ts';
import { createRegisteredSource } from '../../../src/connectors/sources/registered.ts';
import { openLineHistory } from '../../../src/engine/line-history/index.ts';
import { importRepo } from '../../../src/jobs/import/repo.ts';
import { createRepoMirrors } from '../../../src/jobs/repo-mirrors.ts';
import type { JobParts } from '../../../src/jobs/task.ts';
import type { Store } from '../../../src/storage/database/handle.ts';
import { queueImport } from '../../../src/storage/repos/imports.ts';
import { findSource, listSources, registerSource } from '../../../src/storage/repos/repos.ts';
import { jobContext, makeFolder } from '../../jobs/import/import-kit.ts';
import { createTestApp, type TestApp } from '../../support/app.ts';
import { importSettings } from '../../support/import-settings.ts';
import { goldenRepo } from '../../world/golden-repo.ts';
import { seedEntityId, seedRepo } from '../seed-records.ts';

const BEFORE = 'class Price {\n  /** Adds tax. */\n  gross(net) {\n    return net * 1.16;\n  }\n}\n';
const AFTER = BEFORE.replace('1.16', '1.19');
const repo = goldenRepo()
  .commit('base', {
    files: { 'src/price.js': BEFORE, 'logo.png': 'PNG\0\0\u0001\n' },
    author: 'Ada <ada@example.com>',
    at: '2025-03-03T10:00:00Z',
  })
  .commit('raise', {
    files: { 'src/price.js': AFTER },
    author: 'Bob <bob@example.com>',
    at: '2025-03-08T10:00:00Z',
    message: 'Raise the tax\n\nCo-authored-by: Claude <noreply@anthropic.com>\n',
  })
  .commit('move', {
    rename: { 'src/price.js': 'src/gross.js' },
    author: 'Ada <ada@example.com>',
    at: '2025-05-01T10:00:00Z',
  })
  .commit('rename-rate', {
    files: { 'src/gross.js': AFTER.replace('net * 1.19', 'net * RATE') },
    author: 'Ada <ada@example.com>',
    at: '2025-06-01T10:00:00Z',
  })
  .build();

const folder = makeFolder();
const settings = importSettings(folder);
let jobParts: JobParts;
let app: TestApp;
let entityId: number;
let repoId: number;

/** Another machine: the same database, an empty data folder. */
const partsIn = (store: Store, data: string): JobParts => ({
  store,
  sources: [
    createRegisteredSource({
      find: (id, path) => findSource(store.db, id, path),
      list: (id) => listSources(store.db, id),
      credentials: createCredentialFile(join(data, 'git-credentials.json')),
      reach: { isAllowed: () => false, authorities: null },
    }),
  ],
  imports: importSettings(data),
  now: () => new Date(),
});

beforeAll(async () => {
  app = await createTestApp({
    parts(store) {
      jobParts = { ...partsIn(store, folder), imports: settings };
      return { mirrors: createRepoMirrors(jobParts) };
    },
  });
  entityId = await seedEntityId(app.store, 'acme');
  const path = { organization: 'shop', repo: 'prices' };
  await registerSource(app.store.db, entityId, path, { kind: 'path', address: repo.path });
  const { id } = await queueImport(app.store.db, {
    entity_id: entityId,
    organization_slug: path.organization,
    repo_slug: path.repo,
    wanted_from: '2025-03-05T00:00:00Z',
    wants_all: false,
  });
  await importRepo.run({ entity_id: entityId, import_id: id }, jobContext(), jobParts);
  const { rows } = await app.store.pool.query('select repo_id, status, error_detail from imports');
  expect(rows).toMatchObject([{ status: 'processing_completed', error_detail: '' }]);
  repoId = rows[0].repo_id;
});

const QUESTION = { resource_path: 'acme/shop/prices', file_path: 'src/gross.js', line_number_after: 4 };
const ask = (question: object, token = app.tokens.member) =>
  app.request({
    route: 'GET /code_introspections/line_history',
    token,
    json: { ...QUESTION, sha: repo.sha('rename-rate'), ...question },
  });
type Entries = Record<string, unknown>[];
const entriesOf = (body: Record<string, unknown>) => body.line_history as Entries;

describe('the history of a line', () => {
  test('has every field, newest first', async () => {
    const { body } = await ask({});
    expect(body).toMatchObject({ action_em: 'action_code_line_history', ended_by: 'origin' });
    expect(entriesOf(body).map((entry) => repo.label(String(entry.commit_sha)))).toEqual([
      'rename-rate',
      'move',
      'raise',
      'base',
    ]);
    expect(entriesOf(body)[2]).toEqual({
      commit_sha: repo.sha('raise'),
      authored_at: '2025-03-08T10:00:00Z',
      author: {
        avatar_url: null,
        commits_in_repo: 1,
        email: 'bob@example.com',
        full_name: 'Bob',
        user_name: 'bob',
      },
      authored_by_llm: true,
      authored_by_llm_evidence: {
        share: 0.7,
        credits: [expect.objectContaining({ source: 'co_author', share: 0.7 })],
      },
      churn: 'churn_new',
      code_file_path_after: 'src/price.js',
      code_file_path_before: 'src/price.js',
      commit_message: expect.stringMatching(/^Raise the tax/),
      containing_class_or_module: 'Price',
      deployed_at: null,
      documentation_for_function_if_available: expect.stringContaining('Adds tax.'),
      file_category_label: expect.any(String),
      line_explanation: '    return net * 1.19;',
      line_number_after: 4,
      line_number_before: 4,
      line_value: expect.any(Number),
      operation_em: 'operation_chg',
      received_code_comment: null,
      resolved_code_comment: null,
      scoped_function_name: 'gross',
      time_since_previous_change: 5 * 86_400,
    });
    expect(entriesOf(body)[1]).toMatchObject({ operation_em: 'operation_move', churn: null });
    expect(entriesOf(body)[3]).toMatchObject({
      operation_em: 'operation_add',
      authored_by_llm: false,
      authored_by_llm_evidence: null,
      code_file_path_before: null,
      line_number_before: null,
      time_since_previous_change: null,
    });
  });

  test('knows the author of a commit before the import window by address, with the commits that are stored', async () => {
    const base = entriesOf((await ask({})).body)[3];
    expect(base).toMatchObject({
      commit_sha: repo.sha('base'),
      author: { user_name: 'ada', commits_in_repo: 2, email: 'ada@example.com' },
    });
  });

  test('is the same as the engine’s, and the same again from memory', async () => {
    const engine = await openLineHistory(repo.path);
    const told = await engine.history({ sha: repo.sha('rename-rate'), path: 'src/gross.js', lineNumber: 4 });
    engine.close();
    for (let time = 0; time < 2; time++) {
      const { body } = await ask({});
      const withoutService = entriesOf(body).map(({ author, authored_by_llm_evidence, ...entry }) => entry);
      expect(withoutService).toEqual(told.line_history.map(({ author, ...entry }) => entry));
    }
  });

  test('accepts the beginning of a sha, and either line number', async () => {
    const whole = (await ask({})).body.line_history;
    expect((await ask({ sha: repo.sha('rename-rate').slice(0, 7).toUpperCase() })).body.line_history).toEqual(whole);
    const before = await ask({
      sha: repo.sha('raise'),
      file_path: 'src/price.js',
      line_number_after: '',
      line_number_before: 4,
    });
    expect(entriesOf(before.body).map((entry) => repo.label(String(entry.commit_sha)))).toEqual(['raise', 'base']);
  });

  test('goes by the number after the commit where both are given, and says so', async () => {
    const both = await ask({ line_number_before: 99 });
    expect(both.body.warnings).toEqual(['line_number_before was ignored because line_number_after was given too']);
    expect(both.body.line_history).toEqual((await ask({})).body.line_history);
  });

  test.each([
    [{ max_hops: 0 }, 1, 'max_hops'],
    [{ max_hops: 1 }, 2, 'max_hops'],
    [{ earliest_authored_at: '2025-05-01' }, 2, 'earliest'],
    [{ start_date: '2025-05-02' }, 1, 'earliest'],
    [{ earliest_authored_at: '2025-03-03' }, 4, 'origin'],
  ])('ends at the limit %j', async (limit, count, end) => {
    const { body } = await ask(limit);
    expect([entriesOf(body).length, body.ended_by]).toEqual([count, end]);
  });

  test('needs no repo in the path where there is only one', async () => {
    expect((await ask({ resource_path: 'acme' })).status).toBe(200);
    expect((await ask({ resource_path: 'acme/shop' })).status).toBe(200);
  });
});

describe('what the service adds', () => {
  test('is the first release of a commit, as soon as it is known', async () => {
    expect(entriesOf((await ask({})).body)[2]).toMatchObject({ deployed_at: null });
    await app.store.pool.query(
      `with l as (insert into releases (entity_id, repo_id, released_at, triggered_by)
         values ($1, $2, '2025-04-01T00:00:00Z', 'api') returning id)
       insert into release_commits (entity_id, commit_id, release_id)
       select $1, c.id, l.id from commits c, l where c.sha = $3`,
      [entityId, repoId, Buffer.from(repo.sha('raise'), 'hex')],
    );
    expect(entriesOf((await ask({})).body)[2]).toMatchObject({ deployed_at: '2025-04-01T00:00:00Z' });
  });

  test('is the picture of a user, and commits that arrive later', async () => {
    await app.store.pool.query(
      `with u as (insert into users (email, avatar_url) values ('b@x.org', 'https://x.org/bob.png') returning id)
       update committers set user_id = u.id from u where committer_user_name = 'bob'`,
    );
    await app.store.pool.query('update data_versions set version = version + 1');
    expect(entriesOf((await ask({})).body)[2]).toMatchObject({ author: { avatar_url: 'https://x.org/bob.png' } });
  });

  test('are review comments on a version and those that a change answered', async () => {
    await seedPullRequest(7, ['raise', 'move', 'rename-rate'], null);
    // Made on a later commit, at which the line still is as `raise` left it.
    await seedComment(7, 'move', 'src/gross.js', 4, 'Why 19?', '2025-05-02T00:00:00Z');
    await seedComment(7, 'move', 'src/gross.js', 3, 'Another line', '2025-05-02T00:00:00Z');
    await seedComment(7, 'rename-rate', 'src/gross.js', 4, 'Better', '2025-06-02T00:00:00Z');
    const [latest, moved, raised] = entriesOf((await ask({})).body);
    const record = (body: string, at: string) => ({ author: 'ada', markdown_comment_body: body, posted_at: at });
    expect(latest).toMatchObject({
      received_code_comment: record('Better', '2025-06-02T00:00:00Z'),
      resolved_code_comment: record('Why 19?', '2025-05-02T00:00:00Z'),
    });
    // Here the rename is the last change that the commented version had.
    expect(moved).toMatchObject({
      received_code_comment: record('Why 19?', '2025-05-02T00:00:00Z'),
      resolved_code_comment: null,
    });
    expect(raised).toMatchObject({ received_code_comment: null, resolved_code_comment: null });
  });
});

async function seedPullRequest(number: number, labels: readonly string[], squash: string | null): Promise<void> {
  await app.store.pool.query(
    `insert into pull_requests (entity_id, repo_id, number, title, branch_name, base_branch, created_at, opened_at,
       last_activity_at, squash_sha) values ($1, $2, $3, 't', 'b', 'main', now(), now(), now(), $4)`,
    [entityId, repoId, number, squash === null ? null : Buffer.from(squash, 'hex')],
  );
  for (const [ordinal, label] of labels.entries()) {
    await app.store.pool.query(
      `insert into pull_request_commits (entity_id, pull_request_id, ordinal, repo_id, sha)
       select $1, id, $3, $2, $4 from pull_requests where number = $5`,
      [entityId, repoId, ordinal, Buffer.from(repo.sha(label), 'hex'), number],
    );
  }
}

const seedComment = (number: number, label: string, path: string, line: number, body: string, at: string) =>
  app.store.pool.query(
    `insert into pull_request_comments (entity_id, pull_request_id, external_id, author_id, is_bot, is_by_author,
       is_review_comment, body, path, line, commit_sha, commented_at)
     select $1, p.id, $4, c.id, false, false, true, $4, $5, $6, $2, $7
     from pull_requests p, committers c where p.number = $3 and c.committer_user_name = 'ada'`,
    [entityId, Buffer.from(repo.sha(label), 'hex'), number, body, path, line, at],
  );

describe('a question that cannot be answered', () => {
  test.each([
    [
      'an unknown sha',
      { sha: 'f'.repeat(40) },
      404,
      'sha',
      /f{40} is no commit of this repository as it was last fetched/,
    ],
    ['an unknown file', { file_path: 'src/nowhere.js' }, 404, 'file_path', /no file "src\/nowhere.js"/],
    ['a file of another time', { file_path: 'src/price.js' }, 404, 'file_path', /no file "src\/price.js"/],
    ['a path out of the repo', { file_path: '../secrets' }, 404, 'file_path', /no file "..\/secrets"/],
    ['a line after the end', { line_number_after: 7 }, 400, 'line_number_after', /7 is not a line .* 6/],
    ['a binary file', { file_path: 'logo.png', line_number_after: 1 }, 422, 'file_path', /binary/],
    [
      'neither line number',
      { line_number_after: null },
      400,
      'line_number_after',
      /one of line_number_after and line_number_before/,
    ],
    ['line 0', { line_number_after: 0 }, 400, 'line_number_after', /from 1 to/],
    ['too short a sha', { sha: 'abc' }, 400, 'sha', /at least its first 7/],
    ['a revision', { sha: 'HEAD' }, 400, 'sha', /40 hexadecimal digits/],
  ])('is refused by name: %s', async (_, question, status, field, words) => {
    const answer = await ask(question);
    expect([answer.status, Object.keys(answer.body.errors as object)]).toEqual([status, [field]]);
    expect(answer.body.response_detail).toMatch(words);
  });

  test('names the repos where the path covers several', async () => {
    await seedRepo(app.store, entityId, 'shop/second');
    for (const resource_path of ['acme', 'acme/shop', 'acme/shop/prices,acme/shop/second']) {
      const answer = await ask({ resource_path });
      expect([answer.status, Object.keys(answer.body.errors as object)]).toEqual([422, ['resource_path']]);
      expect(answer.body.response_detail).toContain('one of acme/shop/prices, acme/shop/second');
    }
    expect((await ask({ resource_path: 'acme/shop/prices,acme/shop/prices' })).status).toBe(200);
    const never = await ask({ resource_path: 'acme/shop/second' });
    expect([never.status, never.body.response_detail]).toEqual([422, expect.stringContaining('was never imported')]);
    expect((await ask({ resource_path: 'acme/shop/nowhere' })).status).toBe(404);
  });

  test('is not even understood by others', async () => {
    expect((await ask({}, app.tokens.foreignAdmin)).status).toBe(404);
  });
});

test('a machine without a mirror fetches its own, and fetches again for a sha that it lacks', async () => {
  const data = makeFolder();
  const parts = partsIn(app.store, data);
  const mirrors = createRepoMirrors(parts);
  const { rows } = await app.store.pool.query('select id from imports');
  const mirrored = { entityId, importId: rows[0].id, path: { organization: 'shop', repo: 'prices' } };
  const [first, second] = await Promise.all([mirrors.locate(mirrored), mirrors.locate(mirrored)]);
  expect(first).toBe(second);
  expect(first).toMatch(/\.reader\.git$/);
  const reader = await openLineHistory(first);
  expect(await reader.identify(repo.sha('base'))).toMatchObject({ sha: repo.sha('base') });
  reader.close();
  // It was fetched a moment ago, so there is nothing to be gained.
  expect(await mirrors.refresh(mirrored)).toBe(false);
  const later = createRepoMirrors(parts);
  expect(await later.refresh(mirrored)).toBe(true);
  rmSync(first, { recursive: true });
  expect(existsSync(await later.locate(mirrored))).toBe(true);
});

test('a push that changes the mailmap or a note changes answers that were remembered', async () => {
  const source = goldenRepo()
    .commit('a', { files: { 'a.txt': 'one line here\n' }, author: 'Al <al@x.org>' })
    .build();
  const history = await openLineHistory(source.path);
  const before = await history.identify(source.sha('a'));
  expect(await history.identify(source.sha('a').slice(0, 8))).toEqual(before);
  source.git('notes', '--ref=ai', 'add', '-m', 'x', source.sha('a'));
  const noted = await history.identify(source.sha('a'));
  expect([noted.sha, noted.basis !== before.basis]).toEqual([before.sha, true]);
  history.close();
  source.cleanup();
});
