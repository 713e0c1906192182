// How a column's value reads and what may be written to it, where the two differ.
import type { ColumnType } from 'kysely';

export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };
/** Read as a value, written as text from JSON.stringify: the driver would send an array as a PostgreSQL array. */
export type JsonColumn = ColumnType<JsonValue, string, string>;
export type GeneratedJson = ColumnType<JsonValue, string | undefined, string>;
/** Read as ISO 8601 in UTC. */
export type Timestamp = ColumnType<string, string | Date, string | Date>;
export type GeneratedTimestamp = ColumnType<string, string | Date | undefined, string | Date>;
