// One page of the keys of audited records, and how many there are.
import type { AuditType } from '../../domain/audit-types.ts';
import type { Database } from '../database/handle.ts';
import { type AuditFilter, conditionOf } from './audit-filters.ts';
import { AUDIT_SOURCES } from './audit-sources.ts';
import { type NamedValues, namedSql } from './named-sql.ts';

export type AuditKey = number | string;

export interface AuditQuery {
  readonly type: AuditType;
  /** Each must be one that the type has. */
  readonly filters: readonly AuditFilter[];
  /** Parameters of the filters, with entity, zone and stale_before. */
  readonly values: NamedValues;
  /** Only these; null for all. */
  readonly keys: readonly AuditKey[] | null;
}

export function fromClause({ type, filters, keys }: AuditQuery): string {
  const source = AUDIT_SOURCES[type];
  const conditions = ['x.entity_id = :entity::bigint', ...(source.where === undefined ? [] : [source.where])];
  for (const filter of filters) {
    const condition = conditionOf(filter, type);
    if (condition === undefined) throw new Error(`${type} have no filter ${filter}`);
    conditions.push(condition);
  }
  if (keys !== null) conditions.push(`${source.key} = any(:keys)`);
  return `from ${source.from} where ${conditions.join(' and ')}`;
}

export async function listAuditKeys(
  db: Database,
  query: AuditQuery,
  page: { readonly limit: number; readonly offset: number },
): Promise<AuditKey[]> {
  const { key, order } = AUDIT_SOURCES[query.type];
  const text = `select ${key} as key ${fromClause(query)} order by ${order} limit :limit offset :offset`;
  const values = { ...query.values, keys: query.keys, ...page };
  const { rows } = await namedSql<{ key: AuditKey }>(text, values).execute(db);
  return rows.map((row) => row.key);
}

export async function countAudits(db: Database, query: AuditQuery): Promise<number> {
  const text = `select count(*) as total ${fromClause(query)}`;
  const { rows } = await namedSql<{ total: number }>(text, { ...query.values, keys: query.keys }).execute(db);
  return rows[0]?.total ?? 0;
}
