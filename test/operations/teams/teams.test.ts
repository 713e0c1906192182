import { beforeEach, describe, expect, test } from 'vitest';
import { MAIL_LIMITS } from '../../../src/domain/mail/mail-limits.ts';
import { OPERATOR } from '../../../src/operations/index.ts';
import { resolveSignatures, type SignatureSeed } from '../../../src/storage/people/commit-people.ts';
import { createTestApp, type TestApp } from '../../support/app.ts';
import { addCommit, addPerson, dataVersion, entityIdOf } from '../people/people-kit.ts';

let app: TestApp;
let entityId: number;
let today: string;
const ids: Record<string, number> = {};

beforeEach(async () => {
  today = '2026-11-16';
  app = await createTestApp({ now: () => new Date(`${today}T12:00:00Z`) });
  entityId = await entityIdOf(app.store, 'acme');
  ids.ada = await addPerson(app.store, entityId, { name: 'ada' });
  ids.bo = await addPerson(app.store, entityId, { name: 'bo', status: 'not_processing' });
  ids.cy = await addPerson(app.store, entityId, { name: 'cy', status: 'limited_processing' });
  ids.adaHome = await addPerson(app.store, entityId, { name: 'ada-home' });
  await app.store.pool.query('update committers set root_committer_id = $1 where id = $2', [ids.ada, ids.adaHome]);
});

const post = (json: object) => app.request({ route: 'POST /teams', json });
const put = (json: object) => app.request({ route: 'PUT /teams', json });
const show = async (name: string) => {
  const answer = await app.request({ route: 'GET /teams', query: `name=${encodeURIComponent(name)}` });
  expect(answer.status, answer.text).toBe(200);
  return answer.body.team as Record<string, never> & { developer_members: Record<string, unknown>[] };
};
const memberNames = async (name: string) =>
  (await show(name)).developer_members.map((member) => member.committer_user_name ?? member.email);
const memberships = async () =>
  (
    await app.store.pool.query(
      `select identifier, role_em, from_on, until_on, committer_id is not null as is_known from team_members order by id`,
    )
  ).rows;

describe('a team', () => {
  test('is created with members, managers, repos and board, and shown in full', async () => {
    const created = await post({
      name: 'Core Crew',
      developer_members: ['ada', 'bo@example.com', 'newcomer'],
      manager_members: 'cy',
      project_board_id: 17,
      repo_paths: 'core/site,core/api',
    });
    expect(created.body).toEqual({
      action_em: 'action_team_created',
      response_em: 'response_success',
      response_detail:
        'The team "Core Crew" (core-crew) has 3 developers, 1 manager and 2 repos of its own. ' +
        '1 of them count from their first imported commit on.',
      warnings: [
        'repo_paths: "core/site", "core/api" not imported yet; expected <organization>/<repo>, without the entity',
      ],
    });
    expect(await show('core crew')).toEqual({
      id: expect.any(Number),
      name: 'Core Crew',
      slug: 'core-crew',
      external_source_em: 'source_api_instantiated',
      project_board_id: '17',
      committers_total_count: 3, // ada, ada-home, bo
      committers_active_count: 2, // bo is not processed
      committers_seated: ['ada'],
      developer_members: [
        {
          committer_user_name: 'ada',
          full_name: 'Ada',
          email: 'ada@example.com',
          role_em: 'committer_role',
          from_on: null,
          end_date: null,
          is_known: true,
        },
        {
          committer_user_name: 'bo',
          full_name: 'Bo',
          email: 'bo@example.com',
          role_em: 'committer_role',
          from_on: null,
          end_date: null,
          is_known: true,
        },
        {
          committer_user_name: 'newcomer',
          full_name: null,
          email: null,
          role_em: 'committer_role',
          from_on: null,
          end_date: null,
          is_known: false,
        },
      ],
      manager_members: [expect.objectContaining({ committer_user_name: 'cy', role_em: 'manager_role' })],
      repo_paths: ['core/api', 'core/site'],
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    const developers = await app.request({ route: 'GET /developers', query: 'committer_user_name=ada' });
    expect((developers.body.committers as { teams: unknown }[])[0]?.teams).toEqual([
      { role_em: 'committer_role', team_id: expect.any(Number), team_name: 'Core Crew', team_slug: 'core-crew' },
    ]);
  });

  test('is found by name in any case and by slug, and unknown ones are 404', async () => {
    await post({ name: 'Größe & Co' });
    expect((await show('größe & CO')).slug).toBe('große-co');
    expect((await show('große-co')).name).toBe('Größe & Co');
    expect((await app.request({ route: 'GET /teams', query: 'name=nobody' })).status).toBe(404);
  });

  test('created again is the same team; asking more of it is a conflict', async () => {
    const wish = { name: 'Core', developer_members: ['ada', 'later@example.com'], repo_paths: ['a/b'] };
    const answers = await Promise.all([post(wish), post(wish), post({ ...wish, name: 'CORE' })]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect((await app.store.pool.query(`select from teams where lower(name) = 'core'`)).rowCount).toBe(1);
    expect(await memberships()).toHaveLength(2);
    for (const more of [
      { developer_members: 'cy' },
      { repo_paths: 'x/y' },
      { project_board_id: 1 },
      { manager_members: 'ada' },
    ]) {
      const answer = await post({ name: 'core', ...more });
      expect([answer.status, answer.body.response_em]).toEqual([409, 'response_conflict']);
    }
    expect((await post({ name: 'core!' })).status).toBe(200);
    expect((await show('core!')).slug).toBe('core-2');
  });

  test('is deleted with its memberships, and a second call says that it is gone', async () => {
    await post({ name: 'Core', developer_members: 'ada' });
    const before = await dataVersion(app.store, entityId);
    const answer = await app.request({ route: 'DELETE /teams', query: 'name=core' });
    expect(answer.body).toMatchObject({
      action_em: 'action_team_deleted',
      response_detail: 'Deleted the team "Core".',
    });
    expect(await dataVersion(app.store, entityId)).toBeGreaterThan(before);
    expect(await memberships()).toEqual([]);
    expect((await app.request({ route: 'DELETE /teams', query: 'name=core' })).status).toBe(404);
  });

  test.each([
    [{ developer_members: ['ada lovelace'] }, 'developer_members'],
    [{ repo_paths: ['just-a-repo'] }, 'repo_paths'],
    [{ repo_paths: ['a/..'] }, 'repo_paths'],
  ])('refuses %j', async (wrong, parameter) => {
    const answer = await post({ name: 'Core', ...wrong });
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toEqual({ [parameter]: [expect.stringContaining('expected')] });
  });
});

describe('the default team', () => {
  test('has everybody, is first in the list, and can be neither staffed nor deleted', async () => {
    await post({ name: 'Alpha' });
    const list = await app.request({ route: 'GET /teams', query: 'resource_path=acme' });
    const teams = list.body.teams as Record<string, unknown>[];
    expect(teams.map(({ slug }) => slug)).toEqual(['all-contributors', 'alpha']);
    expect(teams[0]).toMatchObject({
      external_source_em: null,
      committers_total_count: 4,
      committers_active_count: 3,
      committers_seated: ['ada', 'cy'],
    });
    expect((await put({ name: 'all-contributors', developer_members: 'ada' })).status).toBe(422);
    expect((await app.request({ route: 'DELETE /teams', query: 'name=all-contributors' })).status).toBe(422);
  });

  test('comes back for an entity that lacks it', async () => {
    await app.store.pool.query('delete from teams');
    expect((await show('All contributors')).slug).toBe('all-contributors');
  });

  test('has no paid seats after their last day', async () => {
    await app.operations.settings.set(OPERATOR, 'acme', 'seat_expires_on', '2026-11-16');
    expect((await show('all-contributors')).committers_seated).toEqual(['ada', 'cy']);
    await app.operations.settings.set(OPERATOR, 'acme', 'seat_expires_on', '2026-11-15');
    expect(await show('all-contributors')).toMatchObject({ committers_seated: [], committers_active_count: 2 });
  });
});

describe('membership', () => {
  test('ends on the day of removal and starts anew on return, so that history keeps its team', async () => {
    await post({ name: 'Core', developer_members: 'ada,cy' });
    today = '2026-11-20';
    const removed = await put({ name: 'Core', remove_members: 'ADA@example.com,ghost' });
    expect(removed.body.action_em).toBe('action_team_updated');
    expect(removed.body.response_detail).toContain('Not in the team: ghost.');
    expect(await memberNames('core')).toEqual(['cy']);
    expect((await show('core')).committers_total_count).toBe(1);
    today = '2026-12-01';
    await put({ name: 'Core', developer_members: 'ada' });
    expect(await memberships()).toEqual([
      { identifier: 'ada', role_em: 'committer_role', from_on: null, until_on: '2026-11-20', is_known: true },
      { identifier: 'cy', role_em: 'committer_role', from_on: null, until_on: null, is_known: true },
      { identifier: 'ada', role_em: 'committer_role', from_on: '2026-12-01', until_on: null, is_known: true },
    ]);
  });

  test('removed and given back on one day is unchanged; one that never began leaves no trace', async () => {
    await post({ name: 'Core', developer_members: 'ada' });
    await put({ name: 'Core', members_to_remove: 'ada' });
    await put({ name: 'Core', developer_members: 'ada' });
    expect(await memberships()).toMatchObject([{ from_on: null, until_on: null }]);
    await put({ name: 'Core', developer_members: 'cy,ghost', start_date: '2026-12-01' });
    expect((await show('core')).committers_total_count).toBe(2);
    await put({ name: 'Core', remove_members: 'cy,ghost' });
    expect(await memberships()).toHaveLength(1);
  });

  test('that began and ended on one day leaves no past', async () => {
    await post({ name: 'Core', developer_members: 'cy' });
    await put({ name: 'Core', developer_members: 'ada' });
    await put({ name: 'Core', remove_members: 'ADA' });
    expect(await memberships()).toMatchObject([{ identifier: 'cy', until_on: null }]);
  });

  test('has a last day, and both days can be corrected', async () => {
    await post({ name: 'Core', developer_members: 'ada', start_date: '2026-01-01', end_date: '2026-12-31' });
    await put({ name: 'Core', developer_members: 'ada', start_date: '2026-02-01' });
    expect(await memberships()).toMatchObject([{ from_on: '2026-02-01', until_on: '2027-01-01' }]);
    expect((await show('core')).developer_members).toMatchObject([{ from_on: '2026-02-01', end_date: '2026-12-31' }]);
    await put({ name: 'Core', remove_members: 'ada', end_date: '2026-06-30' });
    expect(await memberships()).toMatchObject([{ from_on: '2026-02-01', until_on: '2026-07-01' }]);
    await put({ name: 'Core', remove_members: 'ada', end_date: '2026-05-31' });
    expect(await memberships()).toMatchObject([{ from_on: '2026-02-01', until_on: '2026-06-01' }]);
    await put({ name: 'Core', remove_members: 'ada', end_date: '2026-01-15' });
    expect(await memberships()).toEqual([]);
    const odd = await put({ name: 'Core', developer_members: 'ada', start_date: '2026-02-02', end_date: '2026-02-01' });
    expect([odd.status, Object.keys(odd.body.errors as object)]).toEqual([422, ['end_date']]);
  });

  test('of somebody unknown begins to count when a commit of theirs is imported', async () => {
    await post({ name: 'Core', developer_members: ['dot@work.org', 'eve', 'Frey'] });
    expect((await show('core')).committers_total_count).toBe(0);
    const seed = (name: string, email: string, user_name: string): SignatureSeed => ({
      name,
      email,
      user_name,
      address_key: email.toLowerCase(),
      kind: 'person',
      git_provider_id: null,
      belongs_to: null,
    });
    await resolveSignatures(
      app.store.db,
      entityId,
      [seed('Dot', 'Dot@work.org', 'dot'), seed('Eve', 'e@x.org', 'eve'), seed('Frey', 'f@x.org', 'frey')],
      'processing_stats',
    );
    expect(await memberNames('core')).toEqual(['dot', 'eve', 'frey']);
    expect(await show('core')).toMatchObject({ committers_total_count: 3, committers_seated: ['dot', 'eve', 'frey'] });
  });
});

describe('repos of a team', () => {
  const repos = async (name: string) =>
    (await app.request({ route: 'GET /teams/associated_repos', query: `name=${name}&resource_path=acme` })).body;

  test('are those its developers work in, by any identity, until it is given some', async () => {
    await addCommit(app.store, entityId, ids.ada!, 'core/site', '2026-10-05T10:00:00Z');
    await addCommit(app.store, entityId, ids.adaHome!, 'core/api', '2026-10-05T10:00:00Z');
    await addCommit(app.store, entityId, ids.cy!, 'labs/toy', '2026-10-05T10:00:00Z');
    await post({ name: 'Core', developer_members: 'ada' });
    expect(await repos('core')).toMatchObject({
      action_em: 'action_get_resource',
      page: 1,
      page_count: 1,
      per_page: 50,
      total_count: 2,
      repos: [
        { id: expect.any(Number), repo_path: 'core/api', name: 'api', is_explicit: false },
        { repo_path: 'core/site', is_explicit: false },
      ],
    });
    expect((await repos('all-contributors')).total_count).toBe(3);
    await put({ name: 'Core', repo_paths: 'labs/toy,not/yet' });
    expect((await repos('core')).repos).toEqual([
      { id: expect.any(Number), repo_path: 'labs/toy', name: 'toy', is_explicit: true },
      { id: null, repo_path: 'not/yet', name: 'yet', is_explicit: true },
    ]);
    await put({ name: 'Core', remove_repo_paths: 'labs/toy,not/yet' });
    expect((await repos('core')).total_count).toBe(2);
  });
});

describe('invitations', () => {
  const outbox = () => app.operations.mail.list(OPERATOR, { isSentToo: true });

  test('wait in the outbox without a mail server, and the answer says so', async () => {
    const answer = await post({
      name: 'Core',
      developer_members: ['ada', 'new@example.com', 'nameless', 'member@example.com'],
      manager_members: 'boss@example.com',
      invite_developers: 'true',
      invite_managers: true,
    });
    expect(answer.body.response_detail).toContain('No mail server is configured, so 3 invitations went to the outbox');
    expect(answer.body.response_detail).toContain('Not invited, because no e-mail address is known: nameless.');
    expect((await outbox()).map(({ recipient, state, kind }) => [recipient, state, kind]).sort()).toEqual([
      ['ada@example.com', 'waiting', 'team_invitation'],
      ['boss@example.com', 'waiting', 'team_invitation'],
      ['new@example.com', 'waiting', 'team_invitation'],
    ]); // member@example.com has joined already
  });

  test('are written once, only when asked for, and not at all when the call fails', async () => {
    await post({ name: 'Core', developer_members: 'new@example.com' });
    expect(await outbox()).toEqual([]);
    await put({ name: 'Core', developer_members: 'new@example.com', invite_developers: true });
    const again = await put({ name: 'Core', developer_members: 'new@example.com', invite_developers: true });
    expect(again.body.response_detail).not.toContain('invitation');
    expect(await outbox()).toHaveLength(1);
    await post({ name: 'Core', developer_members: 'other@example.com', invite_developers: true });
    expect(await outbox()).toHaveLength(1);
  });

  test('flood nobody: so many a day to one address, and so many from one entity', async () => {
    const invite = (name: string, members: readonly string[], token?: string) =>
      app.request({
        route: 'POST /teams',
        json: { name, developer_members: members, invite_developers: true },
        ...(token === undefined ? {} : { token }),
      });
    const { perRecipient, perEntity } = MAIL_LIMITS.team_invitation;
    for (let n = 0; n < perRecipient; n++) expect((await invite(`Team ${n}`, ['victim@example.com'])).status).toBe(200);
    const refused = await invite('One more', ['victim@example.com']);
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '3600']);
    expect(String(refused.body.response_detail)).toContain('victim@example.com has got 3 mails');
    expect(await outbox()).toHaveLength(perRecipient);
    const names = (await app.request({ route: 'GET /teams' })).text;
    expect(names).not.toContain('One more');
    const many = Array.from({ length: perEntity - perRecipient }, (_, n) => `p${n}@example.com`);
    expect((await invite('Many', many)).status).toBe(200);
    expect((await invite('Another', ['last@example.com'])).status).toBe(429);
    // Another entity has a limit of its own.
    expect((await invite('Elsewhere', ['last@example.com'], app.tokens.foreignAdmin)).status).toBe(200);
    // And so has another day.
    await app.store.pool.query(`update outgoing_mail set created_at = created_at - interval '25 hours'`);
    expect((await invite('Another', ['last@example.com'])).status).toBe(200);
  });
});

test('a team of another entity is unknown', async () => {
  await app.request({ route: 'POST /teams', json: { name: 'Secret' }, token: app.tokens.foreignAdmin });
  for (const route of ['GET /teams', 'PUT /teams', 'DELETE /teams', 'GET /teams/associated_repos']) {
    expect((await app.request({ route, json: { name: 'Secret' } })).status, route).toBe(404);
  }
  expect((await app.request({ route: 'GET /teams', query: 'resource_path=acme' })).text).not.toContain('Secret');
});
