// The records behind reports, as they are stored: listed by kind, filtered, and page by page.
import { createBusinessClock } from '../../domain/calendar/business-time.ts';
import { entityCalendar } from '../../domain/calendar/entity-calendar.ts';
import { type AuditQuery, countAudits, listAuditKeys } from '../../storage/audits/list-audit-keys.ts';
import { type Grant, raiseGrant } from '../access/grant.ts';
import { type Paging, PER_PAGE, pagingOf } from '../delivery/list-scope.ts';
import type { OperationParts } from '../operation-parts.ts';
import type { ReportOperations } from '../reports/reports.ts';
import { addExcluded, explainKeys, type PointExplanation, type PointInput, type RecordExplanation } from './explain.ts';
import { type AuditInput, readFilters } from './read-filters.ts';
import { type AuditRecord, readRecords } from './read-records.ts';
import { staleBefore } from './stale-before.ts';

export type { PointExplanation, PointInput } from './explain.ts';
export type { AuditInput } from './read-filters.ts';
export type { AuditRecord } from './read-records.ts';

export interface AuditPage extends Paging {
  /** With what each contributes, where a point is explained. */
  readonly records: readonly (AuditRecord & Partial<RecordExplanation>)[];
  readonly explanation?: PointExplanation;
  readonly warnings: readonly string[];
}

export interface AuditOperations {
  /**
   * Only for admins of the audited resource. With a point, the records that it is made of: whoever sees the chart may
   * see them, as far as its figures reach.
   */
  list(grant: Grant<'member'>, input: AuditInput, page: number, point?: PointInput): Promise<AuditPage>;
}

export function createAuditOperations(
  { store: { db }, now }: OperationParts,
  reports: Pick<ReportOperations, 'explain'>,
): AuditOperations {
  return {
    async list(grant, input, page, point) {
      if (point === undefined || point.include_excluded) raiseGrant(grant, 'admin');
      const entityId = grant.entity.id;
      const type = input.resource_type;
      const rules = grant.settings;
      const moment = now();
      const stale = staleBefore(createBusinessClock(entityCalendar(rules)), moment);
      const queryFor = async (filtered: AuditInput): Promise<AuditQuery & { warnings: readonly string[] }> => {
        const read = await readFilters({ db, grant, now: moment }, filtered);
        const values = { ...read.values, entity: entityId, zone: rules.time_zone, now: moment, stale_before: stale };
        return { type, filters: read.filters, values, keys: null, warnings: read.warnings };
      };
      let explained = point === undefined ? null : await explainKeys(reports, grant, point, type);
      if (explained !== null && point?.include_excluded) {
        explained = await addExcluded(db, await queryFor(scopeOnly(input)), explained);
      }
      const { warnings, ...query } = await queryFor(explained === null ? input : withoutScope(input));
      const asked: AuditQuery =
        explained === null
          ? query
          : // What belongs to the point is settled; the path must not narrow it once more.
            {
              ...query,
              filters: query.filters.filter((name) => name !== 'resource_path'),
              keys: [...explained.byId.keys()],
            };
      const [keys, total] = await Promise.all([
        listAuditKeys(db, asked, { limit: PER_PAGE, offset: (page - 1) * PER_PAGE }),
        countAudits(db, asked),
      ]);
      const records = await readRecords({ db, entityId, rules, now: moment, staleBefore: stale }, type, keys);
      if (explained === null) return { records, warnings, ...pagingOf(page, total) };
      const { byId, explanation } = explained;
      return {
        records: records.map((record, index) => ({ ...record, ...byId.get(Number(keys[index])) })),
        explanation,
        warnings: explained.warnings,
        ...pagingOf(page, total),
      };
    },
  };
}

/** What a point has in common with a list of records: where, who and when. */
const scopeOnly = ({
  resource_type,
  team_slug,
  committer_identifier,
  committer_user_name,
  start_date,
  end_date,
}: AuditInput): AuditInput => ({
  resource_type,
  team_slug,
  committer_identifier,
  committer_user_name,
  ...(resource_type === 'teams' ? {} : { start_date, end_date }),
});

/** The rest, which narrows the records of a point further. */
const withoutScope = (input: AuditInput): AuditInput => ({
  ...input,
  team_slug: undefined,
  committer_identifier: undefined,
  committer_user_name: undefined,
  start_date: undefined,
  end_date: undefined,
  days_ago: undefined,
});
