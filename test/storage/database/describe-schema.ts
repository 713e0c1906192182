// Writes the database's tables as Kysely row types. The result is checked in as schema-tables.ts and
// compared by a test, so the types cannot drift from the migrations.
import type { Store } from '../../../src/storage/database/handle.ts';

interface Column {
  table_name: string;
  column_name: string;
  type_name: string;
  nullable: boolean;
  has_default: boolean;
  is_generated: boolean;
  enum_labels: string[] | null;
  comment: string | null;
}

const COLUMNS = `
  select c.relname as table_name, a.attname as column_name,
         coalesce(nullif(e.typname, ''), t.typname) as type_name,
         not a.attnotnull as nullable, a.atthasdef as has_default, a.attgenerated <> '' as is_generated,
         (select array_agg(l.enumlabel::text order by l.enumsortorder)
            from pg_enum l where l.enumtypid = coalesce(e.oid, t.oid)) as enum_labels,
         col_description(c.oid, a.attnum) as comment,
         e.oid is not null as is_array
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    join pg_type t on t.oid = a.atttypid
    left join pg_type e on e.oid = t.typelem and t.typcategory = 'A'
   where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
   order by c.relname, a.attnum`;

/** Checks of the form column in ('a', 'b'), as PostgreSQL prints them back. */
const CHECKS = `
  select c.relname as table_name, a.attname as column_name, pg_get_constraintdef(k.oid) as definition
    from pg_constraint k
    join pg_class c on c.oid = k.conrelid
    join pg_attribute a on a.attrelid = c.oid and a.attnum = k.conkey[1]
   where k.contype = 'c' and cardinality(k.conkey) = 1 and c.relnamespace = 'public'::regnamespace`;

const TYPES: Record<string, string> = {
  bool: 'boolean',
  int2: 'number',
  int4: 'number',
  int8: 'number',
  float4: 'number',
  float8: 'number',
  numeric: 'number',
  text: 'string',
  varchar: 'string',
  bpchar: 'string',
  name: 'string',
  uuid: 'string',
  date: 'string',
  interval: 'string',
  timestamp: 'string',
  bytea: 'Buffer',
  inet: 'string',
};

const union = (values: string[]): string => values.map((value) => `'${value.replaceAll("'", "\\'")}'`).join(' | ');

function readChoices(definition: string): string[] | undefined {
  const list = /^CHECK \(\(\w+ = ANY \(ARRAY\[(.+)\]\)\)\)$/.exec(definition)?.[1];
  if (!list) return undefined;
  const values = [...list.matchAll(/'((?:[^']|'')*)'::text/g)].map((match) => (match[1] ?? '').replaceAll("''", "'"));
  return values.length > 0 ? values : undefined;
}

function columnType(column: Column & { is_array: boolean }, choices: string[] | undefined): string {
  const values = column.enum_labels ?? choices;
  if (column.type_name === 'timestamptz' && !column.is_array) {
    if (column.has_default) return column.nullable ? 'GeneratedTimestamp | null' : 'GeneratedTimestamp';
    return column.nullable ? 'Timestamp | null' : 'Timestamp';
  }
  if (column.type_name === 'jsonb' || column.type_name === 'json') {
    if (column.nullable) return 'JsonColumn | null';
    return column.has_default ? 'GeneratedJson' : 'JsonColumn';
  }
  let type = values ? union(values) : TYPES[column.type_name];
  if (type === undefined) {
    throw new Error(
      `${column.table_name}.${column.column_name} has the type ${column.type_name}, for which describe-schema.ts has no row`,
    );
  }
  if (column.is_array) type = `${values && values.length > 1 ? `(${type})` : type}[]`;
  if (column.nullable) type = `${type} | null`;
  if (column.is_generated) return `GeneratedAlways<${type}>`;
  return column.has_default ? `Generated<${type}>` : type;
}

export async function describeSchema(store: Store): Promise<string> {
  const columns = (await store.pool.query<Column & { is_array: boolean }>(COLUMNS)).rows;
  const checks = (await store.pool.query<{ table_name: string; column_name: string; definition: string }>(CHECKS)).rows;
  const choices = new Map<string, string[]>();
  for (const { table_name, column_name, definition } of checks) {
    const values = readChoices(definition);
    if (values) choices.set(`${table_name}.${column_name}`, values);
  }
  const lines = [
    '// Generated from the migrations: `npx vitest run test/storage/database/schema-tables.test.ts -u` writes it anew.',
    '// biome-ignore-all format: generated',
    '// biome-ignore-all assist/source/organizeImports: generated',
    '',
  ];
  const body: string[] = [];
  let table: string | undefined;
  for (const column of columns) {
    if (column.table_name !== table) {
      if (table !== undefined) body.push('  };');
      body.push(`  ${column.table_name}: {`);
      table = column.table_name;
    }
    if (column.comment) body.push(`    /** ${column.comment.replaceAll('*/', '* /')} */`);
    const type = columnType(column, choices.get(`${column.table_name}.${column.column_name}`));
    body.push(`    ${column.column_name}: ${type};`);
  }
  if (table !== undefined) body.push('  };');
  const text = body.join('\n');
  const used = (names: string[]): string => names.filter((name) => new RegExp(`\\b${name}\\b`).test(text)).join(', ');
  const fromKysely = used(['Generated', 'GeneratedAlways']);
  if (fromKysely) lines.push(`import type { ${fromKysely} } from 'kysely';`);
  const own = used(['GeneratedJson', 'GeneratedTimestamp', 'JsonColumn', 'Timestamp']);
  if (own) lines.push(`import type { ${own} } from './column-values.ts';`);
  return `${lines.join('\n')}\n\nexport interface Tables {\n${text}\n}\n`;
}
