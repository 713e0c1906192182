// The role that the service's own queries run as. It owns the service's database and nothing else: unlike the superuser that
// made the cluster it can neither read files of the machine nor start programs, whatever a query says.
import { createHmac } from 'node:crypto';
import type pg from 'pg';
import { SUPERUSER } from './initialise-cluster.ts';

export const SERVICE_ROLE = 'strata_service';
export const DATABASE = 'strata';

/** Follows from the superuser's, which it does not give away. */
export const servicePassword = (password: string): string =>
  createHmac('sha256', password).update('service role').digest('base64url');

async function asSuperuser(
  { port, password, database }: { port: number; password: string; database: string },
  run: (client: pg.Client) => Promise<void>,
): Promise<void> {
  // It loads while a server starts.
  const { default: driver } = await import('pg');
  const client = new driver.Client({
    host: '127.0.0.1',
    port,
    user: SUPERUSER,
    password,
    database,
    connectionTimeoutMillis: 30_000,
  });
  try {
    await client.connect();
    await run(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Raised when `ensureDatabase` does more, so that servers that run are prepared again. */
const PREPARATION = 1;

/** Which server `ensureDatabase` has prepared, as its folder says it. */
export const preparationOf = ({ pid, startedAt }: { readonly pid: number; readonly startedAt: number }): string =>
  `${PREPARATION} ${pid} ${startedAt}`;

/** Makes role and database where they are missing, and hands over what an earlier version left to the superuser. */
export async function ensureDatabase({ port }: { readonly port: number }, password: string): Promise<void> {
  const prepare = (): Promise<void> =>
    asSuperuser({ port, password, database: DATABASE }, async (client) => {
      await ensureRole(client, password);
      await handOverDatabase(client);
      await handOverObjects(client);
    });
  try {
    // It is there at all starts but the first, and a connection takes as long as all that is looked at over it.
    await prepare().catch(async (error: unknown) => {
      if ((error as { code?: unknown }).code !== NO_SUCH_DATABASE) throw error;
      await asSuperuser({ port, password, database: 'postgres' }, async (client) => {
        // It has one that cannot be opened: PostgreSQL has said why.
        const { rowCount } = await client.query('select from pg_database where datname = $1', [DATABASE]);
        if (rowCount !== 0) throw error;
        await ensureRole(client, password);
        await client.query(`create database ${DATABASE} owner ${SERVICE_ROLE}`);
      });
      await prepare();
    });
  } catch (cause) {
    throw new Error(`The embedded database runs on port ${port}, but refuses the connection: ${String(cause)}`, {
      cause,
    });
  }
}

const NO_SUCH_DATABASE = '3D000';

async function ensureRole(client: pg.Client, password: string): Promise<void> {
  const role = await client.query('select from pg_roles where rolname = $1', [SERVICE_ROLE]);
  if (role.rowCount !== 0) return;
  const secret = client.escapeLiteral(servicePassword(password));
  await client.query(`create role ${SERVICE_ROLE} login password ${secret}`);
}

async function handOverDatabase(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query(
    'select from pg_database where datname = $1 and pg_get_userbyid(datdba) <> $2',
    [DATABASE, SERVICE_ROLE],
  );
  if (rowCount !== 0) await client.query(`alter database ${DATABASE} owner to ${SERVICE_ROLE}`);
}

/** What belongs to others than the system, by kind: indexes and sequences of columns follow their tables. */
const OBJECTS = `
  select format('alter schema %I owner to ${SERVICE_ROLE}', nspname) as statement, 0 as step
  from pg_namespace n
  where pg_get_userbyid(nspowner) <> '${SERVICE_ROLE}' and nspname !~ '^pg_' and nspname <> 'information_schema'
  union all
  select format('alter %s %s owner to ${SERVICE_ROLE}',
    case relkind when 'S' then 'sequence' when 'v' then 'view' when 'm' then 'materialized view' else 'table' end,
    c.oid::regclass), 1
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where pg_get_userbyid(relowner) <> '${SERVICE_ROLE}' and relkind in ('r', 'p', 'S', 'v', 'm') and relpersistence <> 't'
    and nspname !~ '^pg_' and nspname <> 'information_schema'
    and not exists (select from pg_depend d where d.objid = c.oid and d.deptype in ('a', 'i') and relkind = 'S')
  union all
  select format('alter %s %s owner to ${SERVICE_ROLE}', case prokind when 'p' then 'procedure' else 'function' end,
    p.oid::regprocedure), 2
  from pg_proc p join pg_namespace n on n.oid = p.pronamespace
  where pg_get_userbyid(proowner) <> '${SERVICE_ROLE}' and nspname !~ '^pg_' and nspname <> 'information_schema'
  union all
  select format('alter %s %s owner to ${SERVICE_ROLE}', case typtype when 'd' then 'domain' else 'type' end,
    t.oid::regtype), 3
  from pg_type t join pg_namespace n on n.oid = t.typnamespace left join pg_class c on c.oid = t.typrelid
  where pg_get_userbyid(typowner) <> '${SERVICE_ROLE}' and nspname !~ '^pg_' and nspname <> 'information_schema'
    and (typtype in ('e', 'd', 'r') or (typtype = 'c' and c.relkind = 'c'))
  order by 2, 1`;

async function handOverObjects(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ statement: string }>(OBJECTS);
  if (rows.length === 0) return;
  await client.query('begin');
  for (const { statement } of rows) await client.query(statement);
  await client.query('commit');
}
