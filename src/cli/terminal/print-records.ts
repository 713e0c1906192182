// A list of records as JSON when asked for, as an aligned table otherwise.
import { textTable } from '../../kit/text/text-table.ts';
import type { VerbCall } from '../verb.ts';

/** One column: its heading and the text of a record in it. */
export type Columns<T> = Readonly<Record<string, (record: T) => string | null>>;

export function printRecords<T>(call: VerbCall, records: readonly T[], columns: Columns<T>): void {
  if (call.options.json) {
    call.out(JSON.stringify(records, null, 2));
    return;
  }
  const rows = records.map((record) => Object.values(columns).map((text) => text(record) ?? '-'));
  call.out(textTable(Object.keys(columns), rows));
}
