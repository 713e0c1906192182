import { expect, it } from 'vitest';
import { importRepo } from '../../../src/jobs/import/repo.ts';
import { CopyBuffer } from '../../../src/storage/commits/copy-buffer.ts';
import { copyRows } from '../../../src/storage/commits/copy-rows.ts';
import { rebuildRollups } from '../../../src/storage/commits/rollups.ts';
import { setProcessingStatuses } from '../../../src/storage/people/developers.ts';
import { goldenRepo } from '../../world/golden-repo.ts';
import { createRandom } from '../../world/random-history.ts';
import { createImportKit, type ImportKit, jobContext } from './import-kit.ts';

const DAILY = {
  daily_commits: 'authored_on, repo_id, committer_id',
  daily_facts: 'authored_on, repo_id, committer_id, category',
  daily_ai: 'authored_on, repo_id, committer_id, provider, model, source, category',
  daily_people: 'authored_on, committer_id',
  weekly_people: 'week, committer_id',
};

const readDaily = async (kit: ImportKit) => {
  const tables: Record<string, object[]> = {};
  for (const [table, order] of Object.entries(DAILY)) {
    tables[table] = await kit.query(`select * from ${table} where entity_id = $1 order by ${order}`, [kit.entityId]);
  }
  return tables;
};

/** Many commits on few days, by people and tools, in several kinds of files; most rewrite what others wrote. */
function busyRepo() {
  const random = createRandom(7);
  const builder = goldenRepo();
  const paths = ['src/a.ts', 'test/a.test.ts', 'docs/a.md', 'package.json', 'build.sh', 'a.csv', 'locale/de.po'];
  const lines = new Map(paths.map((path) => [path, [`start of ${path}`]]));
  const marks = [
    '',
    '',
    '\n\nCo-Authored-By: Claude <noreply@anthropic.com>\n',
    '\n\n🤖 Generated with [Claude Code](https://claude.com/claude-code)\n',
  ];
  for (let number = 0; number < 60; number += 1) {
    const files: Record<string, string> = {};
    for (let times = 1 + random(3); times > 0; times -= 1) {
      const path = paths[random(paths.length)]!;
      const list = lines.get(path)!;
      list.splice(random(list.length + 1), random(3), `line ${number} of ${path}`, `call(${number})`);
      files[path] = `${list.join('\n')}\n`;
    }
    builder.commit(`c${number}`, {
      author: ['Ada <ada@example.com>', 'Bo <bo@example.com>', 'dependabot[bot] <bot@example.com>'][random(3)]!,
      message: `change ${number}${marks[random(marks.length)]}`,
      at: 1_704_100_000 + number * 9000,
      ...(number === 30 ? {} : { files }),
    });
  }
  return builder.build();
}

it.each([1, 4000, 1_000_000])(
  'the daily tables of an import in batches of %d bytes equal rebuilt ones',
  async (size) => {
    const kit = await createImportKit({ settings: { batchBytes: size } });
    const { repo_id } = await kit.importFolder('busy', busyRepo().path);
    const imported = await readDaily(kit);
    for (const rows of Object.values(imported)) expect(rows.length).toBeGreaterThan(0);
    await kit.store.db.transaction().execute((trx) => rebuildRollups(trx, kit.entityId, repo_id!, 'UTC'));
    expect(imported).toEqual(await readDaily(kit));
  },
);

it.each([10, 17, 41])(
  'the daily tables of an import that was cut off after %d batches, with people whose status changed meanwhile, equal rebuilt ones',
  async (batches) => {
    const kit = await createImportKit({ settings: { batchBytes: 1 } });
    const id = await kit.queue('busy', { kind: 'path', address: busyRepo().path });
    const stop = new AbortController();
    let seen = 0;
    const onBatch = () => {
      seen += 1;
      if (seen === batches) stop.abort(new Error('cut off by the test'));
    };
    const context = jobContext(stop.signal, onBatch);
    const cut = importRepo.run({ entity_id: kit.entityId, import_id: id }, context, kit.parts);
    await expect(cut).rejects.toThrow('cut off by the test');
    const setStatus = async (status: 'processing_stats' | 'not_processing') => {
      const [first] = await kit.query<{ id: number }>(
        'select root_committer_id as id from committers where not is_bot order by id limit 1',
      );
      await kit.store.db.transaction().execute((trx) => setProcessingStatuses(trx, kit.entityId, [first!.id], status));
    };
    await setStatus('not_processing');
    const { repo_id } = await kit.run(id);
    const without = await readDaily(kit);
    await kit.store.db.transaction().execute((trx) => rebuildRollups(trx, kit.entityId, repo_id!, 'UTC'));
    expect(without).toEqual(await readDaily(kit));
    await setStatus('processing_stats');
    const whole = await createImportKit();
    await whole.importFolder('busy', busyRepo().path);
    const sizes = (tables: Record<string, object[]>) => Object.values(tables).map((rows) => rows.length);
    expect(sizes(await readDaily(kit))).toEqual(sizes(await readDaily(whole)));
  },
);

it('rows written as bytes are read by PostgreSQL as they were meant', async () => {
  const kit = await createImportKit();
  const texts = ['', 'plain', 'tab\tfeed\nreturn\rback\\slash \\N', 'é – 日本 🤖 \ud800 end', 'a\u0001b', 'nul\0gone'];
  const numbers = [0, 7, 10, 99, 1234567890, 999_999_999, 1_000_000_000, -1, -32_768, 2 ** 53 - 1];
  const rows = new CopyBuffer();
  for (const text of texts) {
    for (const number of numbers) {
      rows.text(text);
      rows.integer(number);
      rows.measure(number);
      rows.hex('00ff', '10');
      rows.bytea(Uint8Array.of(0, 255, 16));
      rows.boolean(number === 7);
      rows.null();
      rows.endRow();
    }
  }
  const client = await kit.store.pool.connect();
  try {
    await client.query(
      'create temp table target (n bigserial, t text, i bigint, m bigint, h bytea, b bytea, f boolean, z text)',
    );
    await copyRows(client, 'target', ['t', 'i', 'm', 'h', 'b', 'f', 'z'], rows);
    const found = await client.query('select t, i, m, h, b, f, z from target order by n');
    const bytes = Buffer.from('00ff10', 'hex');
    const meant = (text: string) => text.replaceAll('\0', '').replaceAll('\ud800', '\ufffd');
    expect(found.rows).toEqual(
      texts.flatMap((t) =>
        numbers.map((i) => ({ t: meant(t), i, m: i === 0 ? null : i, h: bytes, b: bytes, f: i === 7, z: null })),
      ),
    );
  } finally {
    client.release();
  }
});
