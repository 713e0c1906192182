// SQL text with named parameters (`:name`, never after another colon) → a query.
import { type RawBuilder, sql } from 'kysely';

export type NamedValues = Readonly<Record<string, unknown>>;

export function namedSql<T>(text: string, values: NamedValues): RawBuilder<T> {
  const parts = text.split(/(?<!:):([a-z_]+)/);
  const fragments = parts.map((part, index) => {
    if (index % 2 === 0) return sql.raw(part);
    if (!Object.hasOwn(values, part)) throw new Error(`the query needs :${part}, which was not given`);
    return sql`${values[part]}`;
  });
  return sql<T>`${sql.join(fragments, sql``)}`;
}
