// The database's tables as Kysely row types, and the words its columns hold.
import type { Insertable, Selectable, Updateable } from 'kysely';
import type { Tables } from './schema-tables.ts';

export type { GeneratedJson, GeneratedTimestamp, JsonColumn, JsonValue, Timestamp } from './column-values.ts';

export type Schema = Tables;
export type TableName = keyof Schema;
/** A row as it is read, as it may be inserted, and as it may be updated. */
export type Row<T extends TableName> = Selectable<Schema[T]>;
export type NewRow<T extends TableName> = Insertable<Schema[T]>;
export type RowChange<T extends TableName> = Updateable<Schema[T]>;
