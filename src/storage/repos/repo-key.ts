// `repoNameKey` as SQL: what is compared where a repo or an organization is looked up by its name.
import { type RawBuilder, sql } from 'kysely';

const keyOf = (text: RawBuilder<unknown>): RawBuilder<string> =>
  sql<string>`regexp_replace(lower(${text}), '\\.git$', '')`;

/** Whether a column holds the name, written in any way. */
export const isRepoName = (column: string, name: string): RawBuilder<boolean> =>
  sql<boolean>`${keyOf(sql.ref(column))} = ${keyOf(sql`${name}::text`)}`;

/** The same for two texts of a statement. */
export const isSameRepoName = (a: string, b: string): RawBuilder<boolean> =>
  sql<boolean>`${keyOf(sql.raw(a))} = ${keyOf(sql.raw(b))}`;
