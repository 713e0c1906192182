// The rules that let the same schema run on one server and on a Citus cluster, checked against the
// database's catalogue and the text of the migrations. Each violation is one sentence.
import type pg from 'pg';

interface Rule {
  what: string;
  /** Returns a row per violation, with its `subject`. */
  sql: string;
}

const TABLES = `
  tables as (
    select c.oid, c.relname as name, k.kind
      from pg_class c left join table_kinds k on k.table_name = c.relname
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')),
  foreign_keys as (
    select f.conname as name, f.confdeltype as on_delete, f.confupdtype as on_update,
           t.name as from_table, t.kind as from_kind, r.name as to_table, r.kind as to_kind,
           array(select a.attname::text from unnest(f.conkey) with ordinality u(n, i)
                   join pg_attribute a on a.attrelid = f.conrelid and a.attnum = u.n order by u.i) as from_columns,
           array(select a.attname::text from unnest(f.confkey) with ordinality u(n, i)
                   join pg_attribute a on a.attrelid = f.confrelid and a.attnum = u.n order by u.i) as to_columns
      from pg_constraint f join tables t on t.oid = f.conrelid join tables r on r.oid = f.confrelid
     where f.contype = 'f')`;

const RULES: Rule[] = [
  {
    what: 'has no kind in table_kinds',
    sql: 'select name as subject from tables where kind is null',
  },
  {
    what: 'is in table_kinds, but does not exist',
    sql: 'select table_name as subject from table_kinds where table_name not in (select name from tables)',
  },
  {
    what: 'has no primary key',
    sql: `select name as subject from tables where not exists (
            select from pg_constraint where conrelid = tables.oid and contype = 'p')`,
  },
  {
    what: 'is a tenant table without entity_id bigint not null',
    sql: `select name as subject from tables where kind = 'tenant' and not exists (
            select from pg_attribute where attrelid = tables.oid and attname = 'entity_id'
               and atttypid = 'bigint'::regtype and attnotnull)`,
  },
  {
    what: 'is the primary key of a tenant table and does not begin with entity_id',
    sql: `select p.conname as subject from tables join pg_constraint p on p.conrelid = tables.oid and p.contype = 'p'
            join pg_attribute a on a.attrelid = tables.oid and a.attnum = p.conkey[1]
           where kind = 'tenant' and a.attname <> 'entity_id'`,
  },
  {
    what: 'is a unique index of a tenant table without entity_id',
    sql: `select i.indexrelid::regclass::text as subject from tables join pg_index i on i.indrelid = tables.oid
           where kind = 'tenant' and i.indisunique and not exists (
            select from pg_attribute a where a.attrelid = tables.oid and a.attname = 'entity_id'
               and a.attnum = any (i.indkey))`,
  },
  {
    what: 'is an identity column',
    sql: `select name || '.' || attname as subject from tables join pg_attribute on attrelid = tables.oid
           where attidentity <> ''`,
  },
  {
    what: 'is numbered by a sequence, but not a bigint',
    sql: `select name || '.' || attname as subject from tables join pg_attribute on attrelid = tables.oid
            join pg_attrdef d on d.adrelid = tables.oid and d.adnum = attnum
           where pg_get_expr(d.adbin, d.adrelid) like 'nextval(%' and atttypid <> 'bigint'::regtype`,
  },
  {
    what: 'is a trigger on a table that is not local',
    sql: `select tgname as subject from tables join pg_trigger on tgrelid = tables.oid
           where kind is distinct from 'local' and not tgisinternal`,
  },
  {
    what: 'is not named <table>_…_pkey, _key, _fkey, _check or _excl',
    sql: `select conname as subject from tables join pg_constraint on conrelid = tables.oid
           where contype in ('p', 'u', 'f', 'c', 'x')
             and conname !~ ('^' || name || '_([a-z0-9_]+_)?' || case contype when 'p' then 'pkey' when 'u' then 'key'
                             when 'f' then 'fkey' when 'c' then 'check' else 'excl' end || '$')`,
  },
  {
    what: 'is a foreign key from a tenant table to a local one',
    sql: `select name as subject from foreign_keys where from_kind = 'tenant' and to_kind = 'local'`,
  },
  {
    what: 'is a foreign key between tenant tables that does not pair entity_id with entity_id',
    sql: `select name as subject from foreign_keys where from_kind = 'tenant' and to_kind = 'tenant'
             and coalesce(array_position(from_columns, 'entity_id'), 0)
                 is distinct from coalesce(array_position(to_columns, 'entity_id'), -1)`,
  },
  {
    what: 'is a foreign key of a reference table to a table that is not one',
    sql: `select name as subject from foreign_keys where from_kind = 'reference' and to_kind <> 'reference'`,
  },
  {
    what: 'is a foreign key of a local table to a table that is not one',
    sql: `select name as subject from foreign_keys where from_kind = 'local' and to_kind <> 'local'`,
  },
  {
    what: 'is a foreign key with set null, set default or on update',
    sql: `select name as subject from foreign_keys where on_delete in ('n', 'd') or on_update not in ('a', 'r')`,
  },
];

export async function findSchemaViolations(database: pg.Pool | pg.PoolClient): Promise<string[]> {
  const violations: string[] = [];
  for (const { what, sql } of RULES) {
    const { rows } = await database.query<{ subject: string }>(`with ${TABLES} ${sql} order by 1`);
    violations.push(...rows.map(({ subject }) => `${subject} ${what}`));
  }
  return violations;
}

function withoutCommentsAndTexts(sql: string): string {
  return sql
    .replace(/\$(\w*)\$[\s\S]*?\$\1\$/g, "''")
    .replace(/'(?:[^']|'')*'/g, "''")
    .replace(/--[^\n]*/g, '')
    .replace(/\/\*[\s\S]*?\*\//g, '');
}

const CONSTRAINT_WORD = /\b(primary\s+key|foreign\s+key|unique|check|exclude|references)\b/gi;

/** What the catalogue cannot tell: whether names were given or made up, and what one ALTER changes. */
export function findMigrationViolations(sql: string): string[] {
  const text = withoutCommentsAndTexts(sql);
  const violations: string[] = [];
  for (const match of text.matchAll(CONSTRAINT_WORD)) {
    const before = text.slice(0, match.index);
    const named = /\bconstraint\s+\w+\s+$/i.test(before);
    const isIndex = /\bcreate\s+$/i.test(before);
    const isTarget = /\bforeign\s+key\s*\([^)]*\)\s*$/i.test(before);
    if (named || isIndex || isTarget) continue;
    violations.push(`line ${before.split('\n').length}: ${match[0].toLowerCase()} without "constraint <name>"`);
  }
  for (const statement of text.split(';')) {
    if (!/^\s*alter\s+table\b/i.test(statement)) continue;
    let depth = 0;
    for (const character of statement) {
      if (character === '(') depth++;
      else if (character === ')') depth--;
      else if (character === ',' && depth === 0) {
        violations.push(`more than one change in: ${statement.trim().split('\n')[0]}`);
        break;
      }
    }
  }
  return violations;
}
