import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runProgram } from '../../src/cli/program.ts';
import { loadAllVerbs, loadVerbsFor } from '../../src/cli/verbs/index.ts';
import { createCliParts } from '../../src/compose/commands.ts';
import { openStore } from '../../src/storage/database/handle.ts';
import { addMail } from '../../src/storage/mail/outgoing.ts';
import { queueImport } from '../../src/storage/repos/imports.ts';
import { ensureRepo } from '../../src/storage/repos/repos.ts';
import { addPerson, entityIdOf } from '../operations/people/people-kit.ts';
import { createTestDatabase } from '../support/database.ts';

const VERBS = await loadAllVerbs();

let folder: string;
let databaseUrl: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'strata-cli-'));
  databaseUrl = (await createTestDatabase()).databaseUrl;
  // Commands read the address of the test database from a file, as an operator could.
  writeFileSync(join(folder, 'config.json'), JSON.stringify({ database_url: databaseUrl }));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function strata(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const lines = { out: [] as string[], err: [] as string[] };
  const terminal = {
    out: (line: string) => void lines.out.push(line),
    err: (line: string) => void lines.err.push(line),
  };
  const code = await runProgram(args, await loadVerbsFor(args), createCliParts(process.cwd(), terminal), terminal);
  return { code, out: lines.out.join('\n'), err: lines.err.join('\n') };
}

const onDatabase = (...args: string[]) => strata(...args, '--config', join(folder, 'config.json'));

describe('the command line', () => {
  it('lists every command in its help', async () => {
    const { code, out } = await strata('--help');
    expect(code).toBe(0);
    for (const { name } of VERBS) expect(out).toContain(name.split(' ')[0]);
  });

  it('describes every command and group of commands in its help', async () => {
    const { out } = await strata('--help');
    for (const word of new Set(VERBS.map(({ name }) => name.split(' ')[0]!))) {
      expect(out, word).toMatch(new RegExp(`^  ${word}(?: \\S+)* {2,}\\S`, 'm'));
    }
  });

  it.each(VERBS.map(({ name }) => name))('%s is found under its first word', async (name) => {
    expect((await loadVerbsFor([name.split(' ')[0]!])).map((verb) => verb.name)).toContain(name);
  });

  it.each(VERBS.map(({ name }) => name))('%s has a help page with its options', async (name) => {
    const { code, out } = await strata(...name.split(' '), '--help');
    const verb = VERBS.find((candidate) => candidate.name === name)!;
    expect(code).toBe(0);
    for (const { flags } of verb.options ?? []) expect(out).toContain(flags.split(' ')[0]);
    expect(out.includes('--data <value>')).toBe(verb.configuration !== 'none');
    expect(out.includes('--port <value>')).toBe(verb.configuration === 'service');
  });

  it.each(VERBS.filter(({ options }) => options?.some(({ flags }) => flags === '--json')).map(({ name }) => name))(
    '%s takes --format json where it takes --json',
    async (name) => {
      const { out } = await strata(...name.split(' '), '--help');
      expect(out).toContain('--format <format>');
      const wrong = await strata(...name.split(' '), '--format', 'xml');
      expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('xml')]);
    },
  );

  it.each([
    [['servee'], /Did you mean serve\?/],
    [['token', 'crate'], /Did you mean create\?/],
    [['serve', '--prot', '1'], /Did you mean --port\?/],
    [['token', 'create', '--entity', 'x'], /--user is required/],
    [['entity', 'create'], /missing required argument 'slug'/],
    [['entity', 'create', 'a', 'b'], /too many arguments/],
    [['config', '--port', 'http'], /--port is "http"; accepted is a whole number/],
    [['settings', 'set', 'time_zon', 'UTC', '--entity', 'x'], /did you mean time_zone/],
    [['settings', 'set', 'time_zone', 'Mars', '--entity', 'x'], /time_zone cannot be "Mars"; accepted is/],
    [['settings', 'set', 'time_zone', '--entity', 'x'], /either a value for time_zone or --default/],
  ])('%j is a wrong call, answered with a hint and exit code 2', async (args, hint) => {
    const { code, out, err } = await strata(...args);
    expect(err).toMatch(hint);
    expect(code).toBe(2);
    expect(out).toBe('');
  });

  it('prints the effective configuration with its sources and without secrets', async () => {
    const { code, out } = await onDatabase('config', '--json', '--port', '8080');
    const settings = JSON.parse(out);
    expect(code).toBe(0);
    expect(settings.port).toEqual({ value: 8080, source: 'flag --port' });
    expect(settings.database_url.source).toBe(`file ${join(folder, 'config.json')}`);
    expect(out).not.toContain(new URL(databaseUrl).password);
    expect((await onDatabase('config')).out).toMatch(/database_url +postgresql:\/\/\S+:\*\*\*@/);
  });

  it('manages entities, users, tokens and settings', async () => {
    expect(await onDatabase('entity', 'create', 'acme', '--name', 'Acme')).toMatchObject({ code: 0, err: '' });
    const twice = await onDatabase('entity', 'create', 'acme');
    expect(twice).toMatchObject({ code: 1, err: 'strata: the slug "acme" is taken' });
    expect((await onDatabase('entity', 'list')).out).toMatch(/^SLUG +NAME +STATE +CREATED\n.*\nacme +Acme +active +20/);

    const user = await onDatabase('user', 'create', 'jo@acme.test', '--entity', 'acme', '--role', 'manager');
    expect(user.out).toBe('User jo@acme.test: manager of acme.');
    expect(JSON.parse((await onDatabase('user', 'list', '--entity', 'acme', '--json')).out)).toMatchObject([
      { email: 'jo@acme.test', memberships: [{ entity: 'acme', role: 'manager' }] },
    ]);

    const token = await onDatabase('token', 'create', '--entity', 'acme', '--user', 'jo@acme.test', '--name', 'ci');
    expect(token.out).toMatch(/^strata_[A-Za-z0-9_-]{43}$/);
    const [listed] = JSON.parse((await onDatabase('token', 'list', '--json')).out);
    expect(listed).toMatchObject({ entity: 'acme', user_email: 'jo@acme.test', name: 'ci', revoked_at: null });
    expect((await onDatabase('token', 'list')).out).not.toContain(token.out);
    expect((await onDatabase('token', 'revoke', token.out)).out).toBe(`Revoked token ${listed.id} of jo@acme.test.`);
    expect(await onDatabase('token', 'revoke', '999999')).toMatchObject({
      code: 1,
      err: 'strata: there is no such token',
    });

    const create = ['token', 'create', '--entity', 'acme'] as const;
    const api = JSON.parse((await onDatabase(...create, '--user', 'jo@acme.test', '--json')).out);
    let ingest = { id: '', token: '' };
    // Until it has the number of the API token: the two are told apart by the letter alone.
    for (let made = 0; made < api.id; made++) {
      ingest = JSON.parse((await onDatabase(...create, '--ingest', '--json')).out);
    }
    expect(ingest.id).toBe(`i${api.id}`);
    const listBoth = async (): Promise<{ id: string | number; revoked_at: string | null }[]> =>
      JSON.parse((await onDatabase('token', 'list', '--json')).out).filter(
        ({ id }: { id: string | number }) => id === ingest.id || id === api.id,
      );
    expect(await listBoth()).toMatchObject([
      { id: api.id, revoked_at: null },
      { id: ingest.id, revoked_at: null },
    ]);
    expect((await onDatabase('token', 'revoke', ingest.id)).out).toBe(`Revoked token ${ingest.id} of acme.`);
    expect(await listBoth()).toMatchObject([
      { id: api.id, revoked_at: null },
      { id: ingest.id, revoked_at: expect.any(String) },
    ]);
    expect(JSON.parse((await onDatabase('token', 'revoke', ingest.token, '--json')).out)).toMatchObject({
      id: ingest.id,
    });

    const set = await onDatabase('settings', 'set', 'bug_issue_types', 'Bug, Incident', '--entity', 'acme');
    expect(set).toMatchObject({ code: 0, err: '' });
    expect(set.out.split('\n')[0]).toBe(
      'bug_issue_types is now ["Bug","Incident"]. Releases, defects and links are worked out anew.',
    );
    expect((await onDatabase('settings', 'get', 'bug_issue_types', '--entity', 'acme')).out).toBe('["Bug","Incident"]');
    expect((await onDatabase('settings', 'get', '--entity', 'acme')).out).toMatch(/bug_issue_types +\S+ +yes/);
    await onDatabase('settings', 'set', 'bug_issue_types', '--default', '--entity', 'acme');
    expect((await onDatabase('settings', 'get', '--entity', 'acme')).out).toMatch(/bug_issue_types +\S+ +default/);
    const window = await onDatabase('settings', 'set', 'import_window_days', '90', '--entity', 'acme');
    expect(window.out).toMatch(/^import_window_days is now 90\. It holds for repos imported from now on; /);
    expect(await onDatabase('settings', 'get', '--entity', 'nobody')).toMatchObject({ code: 1 });
  });

  it('a report names all the paths that were asked for', async () => {
    await onDatabase('entity', 'create', 'scoped');
    const store = await openStore({ databaseUrl });
    const entityId = await entityIdOf(store, 'scoped');
    for (const repo of ['one', 'two', 'three'])
      await ensureRepo(store.db, entityId, { organization: 'org', repo }, 'path');
    await store.close();
    const heading = async (path: string) =>
      (await onDatabase('report', 'commit_count', '--end', '2026-02-18', '--resource-path', path)).out.split('\n')[1];
    expect(await heading('scoped/org/one,scoped/org/two')).toMatch(/^scoped\/org\/one, scoped\/org\/two, 20/);
    expect(await heading('scoped/org/one')).toMatch(/^scoped\/org\/one, 20/);
    expect(await heading('scoped')).toMatch(/^scoped, 20/);
  });

  it('removes the copy of a repo with it, beside a service that works', async () => {
    await onDatabase('entity', 'create', 'copied');
    const store = await openStore({ databaseUrl });
    const entity_id = await entityIdOf(store, 'copied');
    const asked = { entity_id, organization_slug: 'acme', repo_slug: 'web', wanted_from: null, wants_all: false };
    const { id } = await queueImport(store.db, asked);
    // Alone, the command would start a worker, which removes what belongs to nobody.
    await store.pool.query(`insert into workers (id, host, pid, concurrency) values ('w', $1, $2, 1)`, [
      hostname(),
      process.pid,
    ]);
    const data = join(folder, 'copies');
    const copy = join(data, 'mirrors', String(entity_id), `${id}.git`);
    mkdirSync(copy, { recursive: true });
    const removed = await onDatabase('repo', 'remove', 'acme/web', '--entity', 'copied', '--data', data);
    await store.pool.query('delete from workers');
    await store.close();
    expect(removed).toMatchObject({ code: 0, err: '' });
    expect(existsSync(copy)).toBe(false);
  });

  it.each([true, false])('a report has the colours of the terminal: %s', async (hasColors) => {
    await onDatabase('entity', 'create', 'painted');
    const { isTTY, hasColors: own } = process.stdout;
    Object.assign(process.stdout, { isTTY: true, hasColors: () => hasColors });
    const { code, out } = await onDatabase('report', 'commit_count', '--resource-path', 'painted');
    Object.assign(process.stdout, { isTTY, hasColors: own });
    expect([code, out.includes('\u001b')]).toEqual([0, hasColors]);
  });

  it('gives a repo a pattern of its own, and says which settings a repo may have', async () => {
    await onDatabase('entity', 'create', 'patterned');
    const store = await openStore({ databaseUrl });
    const repoPath = { organization: 'acme', repo: 'website' };
    await ensureRepo(store.db, await entityIdOf(store, 'patterned'), repoPath, 'path');
    await store.close();
    const settings = (verb: string, ...args: string[]) =>
      onDatabase('settings', verb, ...args, '--entity', 'patterned', '--repo', 'acme/website');
    const set = await settings('set', 'release_tag_pattern', '^web-');
    expect(set).toMatchObject({ code: 0, err: '' });
    expect(set.out.split('\n')[0]).toBe(
      'release_tag_pattern is now "^web-" in acme/website. What depends on it is worked out anew.',
    );
    expect((await settings('get', 'release_tag_pattern')).out).toBe('"^web-"');
    const ofEntity = await onDatabase('settings', 'get', 'release_tag_pattern', '--entity', 'patterned');
    expect(ofEntity.out).toMatch(/^"\^/);
    await settings('set', 'release_tag_pattern', '--default');
    expect((await settings('get', 'release_tag_pattern')).out).toBe(ofEntity.out);
    expect((await settings('set', 'time_zone', 'UTC')).err).toMatch(
      /accepted for a repo are [a-z_, ]*release_tag_pattern/,
    );
    expect(await settings('get')).toMatchObject({ code: 2 });
  });

  it('works out what follows from a setting without making a data folder', async () => {
    const data = join(folder, 'mistyped');
    const set = await onDatabase('settings', 'set', 'bug_issue_types', 'Bug', '--entity', 'acme', '--data', data);
    expect(set).toMatchObject({ code: 0, err: '' });
    expect(existsSync(data)).toBe(false);
  });

  it('merges and splits people, shows the outbox, and removes an entity', async () => {
    await onDatabase('entity', 'create', 'brief');
    const store = await openStore({ databaseUrl });
    const entityId = await entityIdOf(store, 'brief');
    for (const name of ['ada', 'ada-home']) await addPerson(store, entityId, { name });
    await addMail(store.db, entityId, [{ kind: 'x', recipient: 'a@b.org', subject: 'Hello', body_text: '.' }]);
    await store.close();

    const merged = await onDatabase('committer', 'merge', 'ada-home', 'ada@example.com', '--entity', 'brief');
    expect(merged).toMatchObject({ code: 0, out: expect.stringMatching(/^ada-home is now an identity of ada;/) });
    expect((await onDatabase('committer', 'list', '--entity', 'brief')).out).toMatch(/^ada-home .* ada$/m);
    const split = await onDatabase('committer', 'split', 'ada-home', '--entity', 'brief');
    expect(split.out).toBe('ada-home is no longer an identity of ada.');
    expect(await onDatabase('committer', 'split', 'ada', '--entity', 'brief')).toMatchObject({ code: 1 });

    expect((await onDatabase('mail', 'list', '--entity', 'brief')).out).toMatch(/brief +x +a@b\.org +Hello +waiting/);

    expect(await onDatabase('entity', 'offboard', 'brief')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/--yes/),
    });
    const gone = await onDatabase('entity', 'offboard', 'brief', '--yes');
    expect(gone.out).toBe('The entity brief is queued for deletion.');
    expect((await onDatabase('entity', 'list')).out).toMatch(/brief +brief +offboarding/);
    expect((await onDatabase('entity', 'create', 'brief')).err).toMatch(
      /"brief" is taken by an entity that was removed/,
    );
    expect(await onDatabase('committer', 'list', '--entity', 'brief')).toMatchObject({ code: 1 });
  });

  it('backs up into a file that does not exist yet', async () => {
    const file = join(folder, 'backup.gz');
    expect((await onDatabase('backup', file)).out).toMatch(/^Wrote \d+ rows of \d+ tables/);
    expect(readFileSync(file).length).toBeGreaterThan(100);
    expect(await onDatabase('backup', file)).toMatchObject({ code: 1 });
    expect((await onDatabase('restore', file)).err).toContain('The database is not empty');
  });
});

describe('the activity trail', () => {
  const trail = async (...args: string[]) =>
    JSON.parse((await onDatabase('activity', '--json', ...args)).out) as Record<string, unknown>[];

  it('has the commands that may change something, with those that failed', async () => {
    await onDatabase('entity', 'create', 'trailed');
    await onDatabase('settings', 'set', 'time_zone', 'Asia/Tokyo', '--entity', 'trailed');
    await onDatabase('settings', 'get', '--entity', 'trailed');
    await onDatabase('token', 'revoke', `strata_${'q'.repeat(43)}`);
    const [revoked, set, created] = await trail();
    const operator = { credential_kind: 'operator', credential_id: userInfo().username, address: null };
    expect(revoked).toMatchObject({
      ...operator,
      entity: null,
      operation: 'strata token revoke',
      parameters: { id: 'strata_…' },
      outcome_em: 'not_found',
    });
    expect(set).toMatchObject({
      ...operator,
      entity: 'trailed',
      operation: 'strata settings set',
      resource: 'trailed',
      parameters: { key: 'time_zone', value: 'Asia/Tokyo' },
      outcome_em: 'success',
    });
    expect(created).toMatchObject({ operation: 'strata entity create', parameters: { slug: 'trailed' } });
    expect(await trail('--entity', 'trailed')).toHaveLength(1);
  });

  it('has commands that name no entity in the one that they work on, and no secrets', async () => {
    await onDatabase('entity', 'create', 'local');
    await onDatabase('repo', 'remove', 'org/none');
    const file = join(folder, 'secret');
    writeFileSync(file, 'never to be seen\n');
    const added = await onDatabase('webhook', 'add', 'hostC:github.com', '--secret-file', file);
    expect(added).toMatchObject({ code: 1, err: expect.stringContaining('there is no connection') });
    const [add, remove] = await trail('--entity', 'local');
    expect(add).toMatchObject({ operation: 'strata webhook add', resource: 'local', outcome_em: 'not_found' });
    expect(JSON.stringify(add)).not.toContain('never to be seen');
    expect(remove).toMatchObject({ operation: 'strata repo remove', entity: 'local' });
    const empty = join(folder, 'empty');
    writeFileSync(empty, '\n');
    expect((await onDatabase('webhook', 'add', 'x', '--secret-file', empty)).err).toContain('empty" is empty');
  });

  it('is printed as a table, and refuses what is no date', async () => {
    expect((await onDatabase('activity', '--entity', 'trailed')).out).toMatch(/operator \w+ .*strata settings set/);
    expect(await onDatabase('activity', '--since', '9999-12-31')).toMatchObject({ code: 2 });
    const outcome = await onDatabase('activity', '--outcome', 'nope');
    expect(outcome).toMatchObject({ code: 2, err: expect.stringContaining('expected success, unauthorized') });
  });
});

describe('generated files', () => {
  it('are noticed when they are out of date', async () => {
    const parts = createCliParts(process.cwd(), { out: () => {}, err: () => {} });
    const files = await parts.generatedFiles();
    expect(files.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['contract/openapi.json', 'contract/errors.md', 'docs/settings.md']),
    );
    const lines: string[] = [];
    const terminal = { out: (line: string) => void lines.push(line), err: (line: string) => void lines.push(line) };
    const elsewhere = { ...parts, packageFolder: folder };
    expect(await runProgram(['generate', '--check'], VERBS, elsewhere, terminal)).toBe(1);
    expect(await runProgram(['generate'], VERBS, elsewhere, terminal)).toBe(0);
    expect(await runProgram(['generate', '--check'], VERBS, elsewhere, terminal)).toBe(0);
    writeFileSync(join(folder, 'docs', 'settings.md'), 'changed by hand');
    expect(await runProgram(['generate', '--check'], VERBS, elsewhere, terminal)).toBe(1);
    expect(lines).toContain('strata: docs/settings.md is out of date; run npm run generate');
  });
});
