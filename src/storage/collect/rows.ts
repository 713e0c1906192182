// Lists of records as rows of a statement.
import { type RawBuilder, sql } from 'kysely';

/** A derived table: `rowsOf(list, { number: 'int' })` is `json_to_recordset('[…]') as t(number int)`. */
export function rowsOf<T extends Readonly<Record<string, unknown>>>(
  list: readonly T[],
  columns: { readonly [K in keyof T & string]: string },
): RawBuilder<unknown> {
  const typed = Object.entries<string>(columns).map(([name, type]) => sql`${sql.id(name)} ${sql.raw(type)}`);
  return sql`json_to_recordset(${JSON.stringify(list)}::json) as t(${sql.join(typed)})`;
}
