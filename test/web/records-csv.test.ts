// The records of a point as one file, whatever is in their cells and on however many pages they are.
import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { joinCsv, readCells, splitRows } from '../../web/src/api/join-csv.ts';
import { type Progress, readRecordsCsv } from '../../web/src/api/records-csv.ts';

const quote = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
const rowOf = (cells: readonly string[]): string => `${cells.map(quote).join(',')}\r\n`;
const cell = fc.oneof(fc.string(), fc.stringMatching(/^[",\n\r a]{0,6}$/));
const rows = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 6 });

describe('CSV', () => {
  test('is read as it was written, for any cells', () => {
    fc.assert(
      fc.property(rows, (table) => {
        expect(splitRows(table.map(rowOf).join('')).map(readCells)).toEqual(table);
      }),
    );
  });

  test('of several pages has one heading and all rows', () => {
    expect(joinCsv(['a,b\r\n1,2\r\n', 'a,b\r\n"3\n",4\r\n', 'a,b\r\n'])).toBe('a,b\r\n1,2\r\n"3\n",4\r\n');
  });

  test('can be narrowed to rows with something in a column', () => {
    expect(joinCsv(['a,why\r\n1,\r\n2,"merge, old"\r\n', 'a,why\r\n3,\r\n4,merge\r\n'], 'why')).toBe(
      'a,why\r\n2,"merge, old"\r\n4,merge\r\n',
    );
  });
});

describe('all records of a list', () => {
  afterEach(() => void vi.unstubAllGlobals());

  /** Answers as GET /audits does: 50 records a page, the counted first. */
  function serve(counted: number, excluded: number): string[] {
    const asked: string[] = [];
    vi.stubGlobal('fetch', async (address: string) => {
      asked.push(address);
      const query = new URL(address, 'http://x').searchParams;
      const all = [
        ...Array.from({ length: counted }, (_, index) => `c${index},\r\n`),
        ...(query.get('include_excluded') === 'true'
          ? Array.from({ length: excluded }, (_, index) => `x${index},merge\r\n`)
          : []),
      ];
      const page = Number(query.get('page'));
      return new Response(`sha,excluded_because\r\n${all.slice((page - 1) * 50, page * 50).join('')}`, {
        headers: { 'x-page-count': String(Math.ceil(all.length / 50)), 'x-total-count': String(all.length) },
      });
    });
    return asked;
  }
  const read = async (only: 'counted' | 'excluded', onProgress: (progress: Progress) => void = () => undefined) =>
    splitRows(await readRecordsCsv({ query: { segment_by: 'none' }, only }, onProgress, new AbortController().signal));

  test('are those of all its pages', async () => {
    const asked = serve(120, 3);
    const seen: Progress[] = [];
    const lines = await read('counted', (progress) => seen.push(progress));
    expect(lines).toHaveLength(121);
    expect(lines.at(-1)).toBe('c119,\r\n');
    expect(asked.map((address) => new URL(address, 'http://x').searchParams.get('page'))).toEqual(['1', '2', '3']);
    expect(seen.map(({ page }) => page)).toEqual([2, 3]);
  });

  test('of what is not counted are those alone', async () => {
    serve(51, 52);
    const lines = await read('excluded');
    expect(lines).toHaveLength(53);
    expect(lines.slice(1).every((line) => line.startsWith('x'))).toBe(true);
  });

  test('wait when the server asks for it, and stop when the list is another one', async () => {
    serve(60, 0);
    const answer = fetch;
    let refusals = 1;
    vi.stubGlobal('fetch', (address: string) =>
      refusals-- > 0
        ? Promise.resolve(new Response('', { status: 429, headers: { 'retry-after': '0' } }))
        : answer(address),
    );
    expect(await read('counted')).toHaveLength(61);
    serve(61, 0);
    const later = fetch;
    vi.stubGlobal('fetch', (address: string) => (address.includes('page=2') ? later : answer)(address));
    await expect(read('counted')).rejects.toThrow('changed while they were read');
  });
});
