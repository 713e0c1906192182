// Rows by COPY against the same rows by a query.
import { expect, onTestFinished, test } from 'vitest';
import { readBinaryRows } from '../../../src/storage/database/binary-rows.ts';
import { createTestDatabase } from '../../support/database.ts';

async function connect() {
  const { store } = await createTestDatabase();
  const client = await store.pool.connect();
  onTestFinished(() => client.release());
  return client;
}

// Rows of some bytes, of some kilobytes, and every 97th of more than comes at once.
const QUERY = `
  select n * 3000000000 - 7500000000000 as number, n % 3 = 0 as boolean,
         case when n % 5 > 0 then repeat('zeile ü 漢 ', case when n % 97 = 0 then 40000 else n % 300 end) end as text,
         case when n % 7 > 0 then decode(md5(n::text), 'hex') end as bytes,
         case n % 4 when 0 then null when 1 then '{}'::text[] when 2 then array['a', '', 'ü'] else array[n::text] end as texts,
         case when n % 2 = 0 then decode(md5((n * 7)::text), 'hex') end as hex
  from generate_series(1, 5000) n`;

test('every value is what a query says it is', async () => {
  const client = await connect();
  const { rows: expected } = await client.query(QUERY);
  const rows: unknown[] = [];
  await readBinaryRows(client, QUERY, (row) => {
    const [number, boolean, text] = [row.number(), row.boolean(), row.text()];
    const bytes = row.bytes();
    rows.push({ number, boolean, text, bytes: bytes && Buffer.from(bytes), texts: row.texts(), hex: row.text('hex') });
  });
  expect(rows).toEqual(expected.map((row) => ({ ...row, hex: row.hex?.toString('hex') ?? null })));
  const nothing = await readBinaryRows(client, `${QUERY} where n < 0`, () => expect.unreachable());
  expect(nothing).toBeUndefined();
});

test('what fails over a row, or in the database, leaves the connection as it was', async () => {
  const client = await connect();
  let seen = 0;
  const read = readBinaryRows(client, QUERY, () => {
    seen += 1;
    if (seen === 3) throw new Error('no such row');
  });
  await expect(read).rejects.toThrow('no such row');
  expect(seen).toBe(3);
  await expect(readBinaryRows(client, 'select 1 / (3 - n) from generate_series(1, 9) n', () => {})).rejects.toThrow(
    'division by zero',
  );
  expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
});
