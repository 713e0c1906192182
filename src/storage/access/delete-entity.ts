// Removes all rows of an entity, a few thousand per transaction, children before parents: nobody else
// waits, and a deletion that was cut off goes on where it stopped.
import { sql } from 'kysely';
import type { Database } from '../database/handle.ts';
import { QUEUE_SCHEMA } from '../queue/schema.ts';
import { announceRevocation } from './revocations.ts';

const ROWS_PER_STEP = 5000;

interface TenantTable {
  readonly name: string;
  readonly key: readonly string[];
}

/** Tenant tables, those that others refer to after the ones that refer to them. */
async function listTenantTables(db: Database): Promise<TenantTable[]> {
  const tables = await sql<{ name: string; key: string[] }>`
    select t.table_name as name, array(
      select a.attname::text from unnest(i.indkey) with ordinality k(attnum, position)
      join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum order by k.position) as key
    from table_kinds t
    join pg_class c on c.relname = t.table_name and c.relnamespace = 'public'::regnamespace
    join pg_index i on i.indrelid = c.oid and i.indisprimary
    where t.kind = 'tenant' order by t.table_name`.execute(db);
  const references = await sql<{ child: string; parent: string }>`
    select c.relname::text as child, p.relname::text as parent
    from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_class p on p.oid = k.confrelid
    where k.contype = 'f' and c.oid <> p.oid`.execute(db);
  const left = new Map(tables.rows.map((table) => [table.name, table]));
  const ordered: TenantTable[] = [];
  while (left.size > 0) {
    const free = [...left.values()].filter(
      ({ name }) => !references.rows.some(({ child, parent }) => parent === name && left.has(child)),
    );
    if (free.length === 0) throw new Error(`the tables ${[...left.keys()].join(', ')} refer to each other in a circle`);
    for (const table of free) {
      ordered.push(table);
      left.delete(table.name);
    }
  }
  return ordered;
}

/** Calls `afterStep` with the number of rows removed after each transaction. */
export async function deleteEntityRows(
  db: Database,
  entityId: number,
  afterStep: (rows: number) => void,
): Promise<void> {
  for (const { name, key } of await listTenantTables(db)) {
    const columns = sql.join(key.map((column) => sql.id(column)));
    for (;;) {
      const { numAffectedRows = 0n } = await sql`
        delete from ${sql.id(name)} where entity_id = ${entityId} and (${columns}) in (
          select ${columns} from ${sql.id(name)} where entity_id = ${entityId} limit ${ROWS_PER_STEP})`.execute(db);
      if (numAffectedRows > 0n) afterStep(Number(numAffectedRows));
      if (numAffectedRows < BigInt(ROWS_PER_STEP)) break;
    }
  }
}

/** Waiting jobs about the entity; a running one sees that the entity is gone. */
export async function deleteEntityJobs(db: Database, entityId: number, exceptJobId: string): Promise<void> {
  await sql`
    delete from ${sql.id(QUEUE_SCHEMA)}._private_jobs
    where payload ->> 'entity_id' = ${String(entityId)} and locked_at is null and id <> ${exceptJobId}::bigint`.execute(
    db,
  );
}

/** Nobody's token or membership leads to it any more, and who was in no other one is gone; the slug stays taken. */
export async function closeEntity(db: Database, entityId: number): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const left = await trx
      .selectFrom('memberships')
      .select('user_id')
      .where('entity_id', '=', entityId)
      .union(trx.selectFrom('api_tokens').select('user_id').where('entity_id', '=', entityId))
      .execute();
    await trx.deleteFrom('api_tokens').where('entity_id', '=', entityId).execute();
    await trx.deleteFrom('memberships').where('entity_id', '=', entityId).execute();
    await deleteLonelyUsers(
      trx,
      left.map(({ user_id }) => user_id),
    );
    await trx
      .updateTable('entities')
      .set({ state: 'deleted', state_changed_at: new Date() })
      .where('id', '=', entityId)
      .execute();
  });
}

/** Those of the users who have a role in no other entity, with what is kept of them apart from entities. */
async function deleteLonelyUsers(trx: Database, userIds: readonly number[]): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select u.id from users u
    where u.id = any(${userIds}::bigint[]) and not u.is_super_admin
      and not exists (select from memberships m where m.user_id = u.id)
      and not exists (select from api_tokens t where t.user_id = u.id)
      and not exists (select from provider_connections c where c.user_id = u.id)`.execute(trx);
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return;
  // What they made for others stays, without their name.
  await trx.updateTable('api_tokens').set({ created_by: null }).where('created_by', 'in', ids).execute();
  // Tables that stay on the coordinator refer to nothing, so that nothing removes their rows by itself.
  const local = await sql<{ name: string }>`
    select t.table_name as name from table_kinds t
    join pg_attribute a on a.attrelid = to_regclass(t.table_name) and a.attname = 'user_id' and not a.attisdropped
    where t.kind = 'local'`.execute(trx);
  for (const { name } of local.rows) {
    await sql`delete from ${sql.id(name)} where user_id = any(${ids}::bigint[])`.execute(trx);
  }
  await trx.deleteFrom('users').where('id', 'in', ids).execute();
}

/** From now on the entity is not found; its jobs do nothing. */
export async function startOffboarding(db: Database, entityId: number): Promise<void> {
  await db
    .updateTable('entities')
    .set({ state: 'offboarding', state_changed_at: new Date() })
    .where('id', '=', entityId)
    .where('state', '=', 'active')
    .execute();
  await announceRevocation(db);
}
