// `strata ai import`: a column map, CSV and JSON, rows that make no sense, a dry run, reading again; and usage of somebody
// who is not known, which counts for the entity and moves to the person once matched.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runProgram } from '../../../src/cli/program.ts';
import { loadVerbsFor } from '../../../src/cli/verbs/index.ts';
import { createCliParts } from '../../../src/compose/commands.ts';
import { OPERATOR } from '../../../src/operations/index.ts';
import { createTestApp, type TestApp } from '../../support/app.ts';
import { seedCommitter, seedEntityId } from '../seed-records.ts';

let app: TestApp;
let folder: string;
let entityId: number;

beforeAll(async () => {
  app = await createTestApp();
  entityId = await seedEntityId(app.store, 'acme');
  await seedCommitter(app.store, entityId, { userName: 'ada', email: 'ada@example.com' });
  folder = mkdtempSync(join(tmpdir(), 'strata-ai-import-'));
  writeFileSync(
    join(folder, 'config.json'),
    JSON.stringify({ database_url: app.store.databaseUrl, data: join(folder, 'data') }),
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const strata = (file: string, content: string | Buffer, ...args: string[]) => strataFiles({ [file]: content }, ...args);

async function strataFiles(files: Readonly<Record<string, string | Buffer>>, ...args: string[]) {
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  const paths = Object.keys(files).map((name) => join(folder, name));
  const lines = { out: [] as string[], err: [] as string[] };
  const terminal = {
    out: (line: string) => void lines.out.push(line),
    err: (line: string) => void lines.err.push(line),
  };
  const all = ['ai', 'import', ...paths, '--entity', 'acme', '--config', join(folder, 'config.json'), ...args];
  const code = await runProgram(all, await loadVerbsFor(all), createCliParts(process.cwd(), terminal), terminal);
  return { code, out: lines.out.join('\n'), err: lines.err.join('\n') };
}

const stored = async () => {
  const { rows } = await app.store.pool.query(
    `select u.used_on::text as day, i.value as who, u.committer_id, u.tool_em as tool, u.llm_model_name as model,
       u.prompt_count::int as prompts, u.lines_added::int as lines, u.cost_microcents::float8 / 1000000 as cents
     from ai_usages u left join ai_identities i on i.entity_id = u.entity_id and i.id = u.identity_id
     where u.entity_id = $1 and u.source_em = 'import' order by 1, 2`,
    [entityId],
  );
  return rows;
};

const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

const CSV = [
  'Date,User,Chat_MessagesSent,Lines,Cost',
  '2026-03-02T00:00:00Z,ada@example.com,"1,200",30,12.5',
  '2026-03-02,Stranger@example.com,4,,',
  '2026-03-03,ada@example.com,1,2,3',
].join('\n');
const MAP = 'date=Date,email=User,prompt_count=Chat_MessagesSent,lines_added=Lines,cents_cost=Cost';

describe('a file of usage', () => {
  test('is judged without being stored in a dry run', async () => {
    expect(await strata('usage.csv', CSV, '--tool', 'amazon-q', '--map', MAP, '--dry-run')).toMatchObject({
      code: 0,
      out: 'Would read 3 rows of 2 days and 2 people.',
    });
    expect(await stored()).toEqual([]);
  });

  test('of one row, day and person says so', async () => {
    const content = 'date,email,prompt_count\n2026-03-02,ada@example.com,1';
    expect((await strata('one.csv', content, '--tool', 'q', '--dry-run')).out).toBe(
      'Would read 1 row of 1 day and 1 person.',
    );
    const { err } = await strata('one.csv', content.replace('com,1', 'com,x'), '--tool', 'q', '--dry-run');
    expect(err).toContain('1 of 1 row cannot be read');
  });

  test('is read by the map of its columns, twice as once', async () => {
    for (let time = 0; time < 2; time++) {
      const { code, out } = await strata('usage.csv', CSV, '--tool', 'amazon-q', '--map', MAP, '--format', 'json');
      expect(code).toBe(0);
      expect(JSON.parse(out)).toEqual({
        rows: 3,
        days: 2,
        from: '2026-03-02',
        to: '2026-03-03',
        people: 2,
        unused_columns: [],
        removed_rows: 0,
        removed_people: 0,
        is_dry_run: false,
      });
    }
    expect(await stored()).toEqual([
      {
        day: '2026-03-02',
        who: 'Stranger@example.com',
        committer_id: null,
        tool: 'amazon-q',
        model: 'amazon-q',
        prompts: 4,
        lines: null,
        cents: null,
      },
      {
        day: '2026-03-02',
        who: 'ada@example.com',
        committer_id: expect.any(Number),
        tool: 'amazon-q',
        model: 'amazon-q',
        prompts: 1200,
        lines: 30,
        cents: 12.5,
      },
      {
        day: '2026-03-03',
        who: 'ada@example.com',
        committer_id: expect.any(Number),
        tool: 'amazon-q',
        model: 'amazon-q',
        prompts: 1,
        lines: 2,
        cents: 3,
      },
    ]);
  });

  test('may be JSON, and replaces the days that it names for its tool alone', async () => {
    const json = JSON.stringify([
      { date: '2026-03-02', email: 'ada@example.com', model: 'gpt-5', prompt_count: 7, cents_cost: null },
    ]);
    expect(await strata('usage.json', json, '--tool', 'windsurf')).toMatchObject({ code: 0 });
    expect((await stored()).filter(({ day }) => day === '2026-03-02')).toHaveLength(3);
    expect(await strata('usage.json', json, '--tool', 'amazon-q')).toMatchObject({ code: 0 });
    const rows = (await stored()).filter(({ day }) => day === '2026-03-02');
    expect(rows.map(({ tool, model, prompts }) => [tool, model, prompts]).toSorted()).toEqual([
      ['amazon-q', 'gpt-5', 7],
      ['windsurf', 'gpt-5', 7],
    ]);
    await strata('usage.csv', CSV, '--tool', 'amazon-q', '--map', MAP);
  });

  test('with rows that make no sense is refused whole, and names them', async () => {
    const before = await stored();
    const bad = [
      'date,email,prompt_count',
      'yesterday,a@x,1',
      '2026-03-02,a@x,many',
      '2026-03-02,a@x,-1',
      '2026-03-02,a@x,1',
    ];
    const { code, err } = await strata('bad.csv', bad.join('\n'), '--tool', 'amazon-q');
    expect(code).toBe(2);
    expect(err).toContain('3 of 4 rows cannot be read, so nothing was stored');
    expect(err).toContain('row 1: "yesterday" is no date');
    expect(err).toContain('row 2: prompt_count: "many" is not accepted; expected a number from 0 to 2147483647');
    expect(err).toContain('row 3: prompt_count: "-1" is not accepted; expected a number from 0 to 2147483647');
    expect(await stored()).toEqual(before);
  });

  test('with more accepted than suggested is refused as a submitted report is, by the sums of a day and person', async () => {
    const before = await stored();
    const head = 'date,email,prompted_suggest_count,prompted_accept_count,tab_suggest_count,tab_accept_count';
    const rows = [head, '2026-03-02,ada@example.com,5,10,4,4', '2026-03-03,ada@example.com,5,5,4,40'];
    for (const more of [[], ['--dry-run']]) {
      const { code, err } = await strata('accepted.csv', rows.join('\n'), '--tool', 'amazon-q', ...more);
      expect(code).toBe(2);
      expect(err).toContain('nothing was stored');
      expect(err).toContain(
        'ada@example.com: prompted_accept_count: 10 accepted is more than the 5 suggested (prompted_suggest_count) on 2026-03-02',
      );
      expect(err).toContain(
        'tab_accept_count: 40 accepted is more than the 4 suggested (tab_suggest_count) on 2026-03-03',
      );
    }
    expect(await stored()).toEqual(before);
    // What is accepted in one row may have been suggested in another of the day; where suggestions are not reported nothing is compared.
    const good = [head, '2026-03-02,ada@example.com,5,0,,9', '2026-03-02,ada@example.com,0,5,,'];
    expect((await strata('accepted.csv', good.join('\n'), '--tool', 'amazon-q', '--dry-run')).code).toBe(0);
  });

  test.each([
    ['a renamed count', 'date,email,linesAdded\n2026-03-02,ada@example.com,1', [], 'linesAdded'],
    ['counts that nobody mapped', CSV, ['--map', 'date=Date,email=User'], 'Chat_MessagesSent, Lines, Cost'],
    ['another separator', 'date;email;lines_added\n2026-03-02;ada@example.com;1', [], 'date;email;lines_added'],
    ['no count at all', 'date,email\n2026-03-02,ada@example.com', [], 'none'],
    ['counts that are all empty', 'date,email,lines_added\n2026-03-02,ada@example.com, ', [], 'none'],
  ])('with %s is refused, and does not empty the days that it names', async (_, content, args, unused) => {
    const before = await stored();
    for (const more of [[], ['--dry-run']]) {
      const { code, out, err } = await strata('counts.csv', content, '--tool', 'amazon-q', ...args, ...more);
      expect([code, out]).toEqual([2, '']);
      expect(err).toContain(
        `the file has no count that can be read, so nothing was stored; columns that nothing reads: ${unused};`,
      );
      expect(err).toContain('a count is one of cents_cost, lines_added, lines_deleted, ');
    }
    expect(await stored()).toEqual(before);
  });

  test('names the columns that nothing reads', async () => {
    const content = 'date,email,prompt_count,linesAdded,Team\n2026-03-02,ada@example.com,1,2,x';
    const args = ['--tool', 'amazon-q', '--dry-run'];
    const notice = 'strata: nothing reads these columns of the file: linesAdded, Team';
    expect(await strata('more.csv', content, ...args)).toMatchObject({ code: 0, err: notice });
    const { out, err } = await strata('more.csv', content, ...args, '--json');
    expect(err).toBe(notice);
    expect(JSON.parse(out).unused_columns).toEqual(['linesAdded', 'Team']);
    const json = JSON.stringify([
      { date: '2026-03-02', prompt_count: 1 },
      { date: '2026-03-02', linesAdded: 1 },
    ]);
    expect((await strata('more.json', json, ...args)).err).toBe(
      'strata: nothing reads these columns of the file: linesAdded',
    );
  });

  test('without rows stores nothing, and says so', async () => {
    const before = await stored();
    const args = ['--tool', 'amazon-q'];
    for (const [file, content] of [
      ['rows.csv', 'date,email,prompt_count\n'],
      ['rows.json', '[]'],
    ] as const) {
      expect(await strata(file, content, ...args)).toMatchObject({
        code: 0,
        out: 'The file has no rows; nothing was stored.',
      });
    }
    expect(await strata('empty.csv', '', ...args)).toMatchObject({
      code: 2,
      err: expect.stringContaining('the file is empty; expected a line of column names'),
    });
    expect(await stored()).toEqual(before);
  });

  test.each([
    ['lines_added', '9223372036854775807', 'a number from 0 to 2147483647'],
    ['tokens_input', '1e19', 'a number from 0 to 1000000000000'],
    ['cents_cost', '1e12', 'a number from 0 to 9000000000'],
    ['session_count', 'Infinity', 'a number from 0 to 2147483647'],
  ])('with a value beyond all sense is refused: %s %s', async (column, value, expected) => {
    const before = await stored();
    const content = [`date,email,${column}`, `2026-03-09,ada@example.com,${value}`].join('\n');
    const { code, err } = await strata('huge.csv', content, '--tool', 'amazon-q');
    expect(code).toBe(2);
    expect(err).toContain(`row 1: ${column}: "${value}" is not accepted; expected ${expected}`);
    expect(await stored()).toEqual(before);
  });

  test.each([
    '0,1250',
    '0,125',
    '12,50',
    '1,2345',
    '12,345,67',
    '1234,567',
    '1.234,56',
    ',500',
    '0x10',
    '$2.50',
    '-1,000',
  ])('takes no number whose comma parts no thousands: %s', async (value) => {
    const before = await stored();
    const content = `date,email,Cost\n2026-03-09,ada@example.com,"${value}"`;
    for (const more of [[], ['--dry-run']]) {
      const args = ['--tool', 'amazon-q', '--map', 'cents_cost=Cost', ...more];
      const { code, err } = await strata('comma.csv', content, ...args);
      expect(code).toBe(2);
      expect(err).toContain(`row 1: cents_cost (column Cost): "${value}" is not accepted; expected a number from 0 to`);
    }
    expect(await stored()).toEqual(before);
  });

  test.each([
    ['2026-02-31', '"2026-02-31" is no date from 1970'],
    ['2026-13-02', '"2026-13-02" is no date from 1970'],
    ['0000-01-01', '"0000-01-01" is no date from 1970'],
    ['1969-12-31', '"1969-12-31" is no date from 1970'],
    ['9999-12-31', '"9999-12-31" is no date from 1970'],
    ['2026-03-02 soon', '"2026-03-02 soon" is no date from 1970'],
    ['2026-03-02T25:00:00Z', '"2026-03-02T25:00:00Z" is no date from 1970'],
    [inDays(2), `date: ${inDays(2)}T00:00:00.000Z is in the future`],
  ])('takes no date that a submitted report may not have: %s', async (date, why) => {
    const before = await stored();
    for (const more of [[], ['--dry-run']]) {
      const content = `date,email,prompt_count\n2026-03-02,ada@example.com,1\n${date},ada@example.com,1`;
      const { code, err } = await strata('dates.csv', content, '--tool', 'amazon-q', ...more);
      expect(code).toBe(2);
      expect(err).toContain('1 of 2 rows cannot be read, so nothing was stored');
      expect(err).toContain(`row 2: ${why}`);
    }
    expect(await stored()).toEqual(before);
  });

  test('is put on the UTC day of its times', async () => {
    const dates = ['2026-05-06T23:30:00-05:00', '2026-05-09T01:00:00+05:00', '2026-05-10 10:00:00', '20260511'];
    const rows = ['date,prompt_count', ...dates.map((date) => `${date},1`)];
    expect(await strata('times.csv', rows.join('\n'), '--tool', 'times')).toMatchObject({ code: 0 });
    expect((await stored()).filter(({ tool }) => tool === 'times').map(({ day }) => day)).toEqual([
      '2026-05-07',
      '2026-05-08',
      '2026-05-10',
      '2026-05-11',
    ]);
    await app.store.pool.query(`delete from ai_usages where tool_em = 'times'`);
  });

  test('takes thousands with commas', async () => {
    const costs = ['1,234,567.89', '12,345', '999', '.125', '1e2', '1,000'];
    const rows = costs.map((cost, index) => `2026-04-0${index + 1},"${cost}"`);
    expect(await strata('commas.csv', ['date,cents_cost', ...rows].join('\n'), '--tool', 'commas')).toMatchObject({
      code: 0,
    });
    expect((await stored()).filter(({ tool }) => tool === 'commas').map(({ cents }) => cents)).toEqual([
      1_234_567.89, 12_345, 999, 0.125, 100, 1000,
    ]);
    await app.store.pool.query(`delete from ai_usages where tool_em = 'commas'`);
  });

  test.each([
    ['a column that is not there', CSV, ['--map', 'date=Day'], /the file has no column "Day"; it has Date, User/],
    ['a count that there is not', CSV, ['--map', 'prompts=User'], /"prompts" is no count; accepted are date, model/],
    ['a map without columns', CSV, ['--map', 'date'], /--map: "date" is not <name>=<column>/],
  ])('with %s is refused', async (_, content, args, message) => {
    const { code, err } = await strata('usage.csv', content, '--tool', 'amazon-q', ...args);
    expect([code, err]).toEqual([2, expect.stringMatching(message)]);
  });
});

describe('a day in several files', () => {
  const HEAD = 'date,email,lines_added';
  const part1 = `${HEAD}\n2026-06-02,bo@example.com,100\n2026-06-02,cy@example.com,50\n`;
  const part2 = `${HEAD}\n2026-06-02,di@example.com,7\n2026-06-02,bo@example.com,1\n`;
  const args = ['--tool', 'split'];
  const people = async () =>
    (await stored()).filter(({ tool }) => tool === 'split').map(({ who, lines }) => [who, lines]);
  afterAll(async () => {
    await app.store.pool.query(`delete from ai_usages where tool_em = 'split'`);
    await app.store.pool.query(`delete from ai_identities where value = any($1)`, [
      ['bo@example.com', 'cy@example.com', 'di@example.com'],
    ]);
  });

  test('is read from all of them in one call, and their rows add up', async () => {
    const { code, out } = await strataFiles({ 'part1.csv': part1, 'part2.csv': part2 }, ...args);
    expect([code, out]).toEqual([0, 'Read 4 rows of 1 day and 3 people.']);
    expect(await people()).toEqual([
      ['bo@example.com', 101],
      ['cy@example.com', 50],
      ['di@example.com', 7],
    ]);
  });

  test('is replaced by a call with one of them, which says what it removes', async () => {
    const removes = '2 rows of 2 people that the file does not name.';
    const other = `${HEAD}\n2026-06-02,DI@example.com,9\n`;
    expect((await strata('part2.csv', other, ...args, '--dry-run')).out).toBe(
      `Would read 1 row of 1 day and 1 person. Would remove ${removes}`,
    );
    expect(await people()).toHaveLength(3);
    expect((await strata('part2.csv', other, ...args)).out).toBe(
      `Read 1 row of 1 day and 1 person. Removed ${removes}`,
    );
    expect(await people()).toEqual([['di@example.com', 9]]);
    const { out } = await strataFiles({ 'part1.csv': part1 }, ...args, '--json');
    expect(JSON.parse(out)).toMatchObject({ removed_rows: 1, removed_people: 1 });
  });

  test('names the file of a bad row, and takes no file twice', async () => {
    const before = await people();
    const bad = await strataFiles({ 'part1.csv': part1, 'part2.csv': `${HEAD}\nsoon,di@example.com,7` }, ...args);
    expect([bad.code, bad.err]).toEqual([2, expect.stringContaining('part2.csv: row 1: "soon" is no date')]);
    const twice = await strataFiles({ 'part1.csv': part1, 'copy.csv': part1 }, ...args);
    expect([twice.code, twice.err]).toEqual([2, expect.stringMatching(/copy\.csv holds the same as .*part1\.csv/)]);
    const columns = await strataFiles({ 'part1.csv': part1, 'part2.csv': 'date,lines' }, ...args);
    expect([columns.code, columns.err]).toEqual([2, expect.stringContaining('part2.csv: the file has no count')]);
    expect(await people()).toEqual(before);
  });
});

describe('usage of somebody who is not known', () => {
  const totals = async (query = ''): Promise<number> => {
    const asked = 'resource_path=acme&segment_by=prompt_count&start_date=2026-03-01&end_date=2026-03-31';
    const { body } = await app.request({
      route: 'GET /reports',
      token: app.tokens.admin,
      query: `${asked}&suppress_aggregation=true${query}`,
    });
    return (body.series as { total: number }[]).reduce((sum, { total }) => sum + total, 0);
  };

  test('counts for the entity, is listed with its share, and moves to the person once matched', async () => {
    const grant = await app.operations.access.enterEntity(OPERATOR, 'acme', 'admin');
    const before = await totals();
    const ofAda = await totals('&committer_user_name=ada');
    const { identities, unknown } = await app.operations.aiIdentities.list(grant, {
      status: 'unmatched',
      days: 36_500,
    });
    const stranger = identities.find(({ value }) => value === 'Stranger@example.com')!;
    expect(stranger).toMatchObject({ status_em: 'unmatched', committer_user_name: null, record_count: 1 });
    expect(unknown).toMatchObject({ identity_count: 1, cost_percent: 0 });
    await app.operations.aiIdentities.set(grant, { identity_id: stranger.id, committer_identifier: 'ada' });
    expect(await totals()).toBe(before);
    expect(await totals('&committer_user_name=ada')).toBe(ofAda + 4);
    expect(
      (await app.operations.aiIdentities.list(grant, { status: 'unmatched', days: 36_500 })).unknown.identity_count,
    ).toBe(0);
  });
});

describe('a file that is not UTF-8', () => {
  const text = 'date,email,prompt_count\n2026-11-10,m\u00fcller@example.com,5\n2026-11-10,m\u00f6ller@example.com,7\n';
  const json = '[{"date":"2026-11-10","email":"m\u00fcller@example.com","prompt_count":5}]';
  const MARK = '\uFEFF';
  const read = (name: string, content: Buffer, ...more: string[]) => strata(name, content, '--tool', 'latin', ...more);

  test.each([
    [
      'latin.csv',
      Buffer.from(text, 'latin1'),
      /latin\.csv" is not UTF-8 \(line 2 has the byte 0xFC\); save it as UTF-8/,
    ],
    ['latin.json', Buffer.from(json, 'latin1'), /latin\.json" is not UTF-8 \(line 1 has the byte 0xFC\)/],
    ['wide.csv', Buffer.from(`${MARK}${text}`, 'utf16le'), /wide\.csv" is UTF-16, not UTF-8; save it as UTF-8/],
    ['bare.csv', Buffer.from(text, 'utf16le'), /bare\.csv" is UTF-16, not UTF-8/],
    ['swapped.csv', Buffer.from(`${MARK}${text}`, 'utf16le').swap16(), /swapped\.csv" is UTF-16, not UTF-8/],
  ])('is refused by its name, and nothing of it is stored: %s', async (name, content, message) => {
    const { code, out, err } = await read(name, content);
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(message);
    expect((await stored()).filter(({ tool }) => tool === 'latin')).toEqual([]);
  });

  test.each([
    ['plain.csv', text, 2],
    ['marked.csv', `${MARK}${text}`, 2],
    ['marked.json', `${MARK}${json}`, 1],
    ['replaced.csv', text.replace('\u00fc', '\uFFFD'), 2],
  ])('differs from one that is: %s', async (name, content, people) => {
    const { code, out, err } = await read(name, Buffer.from(content), '--dry-run');
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain(`of 1 day and ${people === 1 ? '1 person' : `${people} people`}`);
  });
});
