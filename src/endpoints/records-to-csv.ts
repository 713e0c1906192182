// Records → CSV as spreadsheets read it. The columns come from the records' schema, so that an empty page
// still has them: an object inside a record becomes one column per field, a list becomes JSON.
import { z } from 'zod';
import { csvCell } from '../kit/text/text-table.ts';

interface Column {
  readonly title: string;
  readonly path: readonly string[];
}

const bare = (schema: unknown): unknown =>
  schema instanceof z.ZodNullable || schema instanceof z.ZodOptional ? bare(schema.unwrap()) : schema;

function columnsOf(schema: z.ZodObject, path: readonly string[] = []): Column[] {
  return Object.entries(schema.shape).flatMap(([name, field]): Column[] => {
    const inner = bare(field);
    const here = [...path, name];
    return inner instanceof z.ZodObject ? columnsOf(inner, here) : [{ title: here.join('.'), path: here }];
  });
}

function valueAt(record: unknown, path: readonly string[]): unknown {
  let value = record;
  for (const name of path) {
    if (typeof value !== 'object' || value === null) return null;
    value = Object.getOwnPropertyDescriptor(value, name)?.value;
  }
  return value;
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return csvCell(typeof value === 'string' ? value : JSON.stringify(value));
}

export function recordsToCsv(schema: z.ZodObject, records: readonly object[]): string {
  const columns = columnsOf(schema);
  const rows = records.map((record) => columns.map(({ path }) => cell(valueAt(record, path))));
  return [columns.map(({ title }) => title), ...rows].map((row) => `${row.join(',')}\r\n`).join('');
}
