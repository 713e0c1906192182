// How columns that are not plain values look in Kysely's row types.
import type { ColumnType } from 'kysely';

export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };
/** Read as a value, written as text from JSON.stringify: the driver would send an array as a PostgreSQL array. */
export type JsonColumn = ColumnType<JsonValue, string, string>;
export type GeneratedJson = ColumnType<JsonValue, string | undefined, string>;
export type Timestamp = ColumnType<string, string | Date, string | Date>;
export type GeneratedTimestamp = ColumnType<string, string | Date | undefined, string | Date>;
