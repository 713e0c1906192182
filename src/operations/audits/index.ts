// The records behind reports, as they are stored: listed by kind, filtered, and page by page.
import { createBusinessClock } from '../../domain/business-time.ts';
import { entityCalendar } from '../../domain/entity-calendar.ts';
import type { ResourcePath } from '../../domain/resource-path.ts';
import { type AuditQuery, countAudits, listAuditKeys } from '../../storage/audits/list-audit-keys.ts';
import type { Actor } from '../actor.ts';
import { resolveScope } from '../authorise.ts';
import { type Paging, PER_PAGE, pagingOf } from '../list-scope.ts';
import type { OperationParts } from '../operation-parts.ts';
import type { SettingOperations } from '../settings.ts';
import { type AuditInput, readFilters } from './read-filters.ts';
import { type AuditRecord, readRecords } from './read-records.ts';
import { staleBefore } from './stale-before.ts';

export type { AuditInput } from './read-filters.ts';
export type { AuditRecord } from './read-records.ts';

export interface AuditPage extends Paging {
  readonly records: readonly AuditRecord[];
  readonly warnings: readonly string[];
}

export interface AuditOperations {
  /** Only for admins of the audited resource. */
  list(actor: Actor, paths: readonly ResourcePath[], input: AuditInput, page: number): Promise<AuditPage>;
}

export function createAuditOperations(
  { store: { db }, now }: OperationParts,
  settings: Pick<SettingOperations, 'effective'>,
): AuditOperations {
  return {
    async list(actor, paths, input, page) {
      const scope = await resolveScope(db, actor, paths, 'admin');
      const entityId = scope.entity_id;
      const rules = await settings.effective(entityId);
      const moment = now();
      const { filters, values, warnings } = await readFilters({ db, scope, zone: rules.time_zone, now: moment }, input);
      const stale = staleBefore(createBusinessClock(entityCalendar(rules)), moment);
      const query: AuditQuery = {
        type: input.resource_type,
        filters,
        values: { ...values, entity: entityId, zone: rules.time_zone, now: moment, stale_before: stale },
        keys: null,
      };
      const [keys, total] = await Promise.all([
        listAuditKeys(db, query, { limit: PER_PAGE, offset: (page - 1) * PER_PAGE }),
        countAudits(db, query),
      ]);
      const records = await readRecords(
        { db, entityId, rules, now: moment, staleBefore: stale },
        input.resource_type,
        keys,
      );
      return { records, warnings, ...pagingOf(page, total) };
    },
  };
}
