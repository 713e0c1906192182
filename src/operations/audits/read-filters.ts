// From what a caller asks for to the filters of the query and their values.
import { DateTime } from 'luxon';
import { AUDIT_TYPES, type AuditType } from '../../domain/audit-types.ts';
import { readDateRange } from '../../domain/calendar/date-range.ts';
import { StrataError } from '../../domain/errors.ts';
import { AUDIT_FILTERS, type AuditFilter, conditionOf } from '../../storage/audits/audit-filters.ts';
import type { NamedValues } from '../../storage/audits/named-sql.ts';
import { listIdentityIds, listTeamRepoIdsByName } from '../../storage/audits/people-and-teams.ts';
import type { Database } from '../../storage/database/handle.ts';
import { listRepoIds } from '../../storage/repos/resources.ts';
import { findTeamBySlug } from '../../storage/teams/teams.ts';
import type { Grant } from '../access/grant.ts';
import { findNamedPeople } from '../people/named-people.ts';
import { findResources } from '../repos/find-resources.ts';

export interface AuditInput {
  readonly resource_type: AuditType;
  readonly team_slug?: string | undefined;
  readonly committer_identifier?: string | undefined;
  readonly committer_user_name?: readonly string[] | undefined;
  /** YYYY-MM-DD, as are all dates. */
  readonly start_date?: string | undefined;
  readonly end_date?: string | undefined;
  readonly days_ago?: number | undefined;
  readonly resolved_start_date?: string | undefined;
  readonly resolved_end_date?: string | undefined;
  readonly critical_defects_only?: boolean | undefined;
  readonly issue_key?: string | undefined;
  readonly issue_provider_em?: string | undefined;
  readonly issue_status?: string | undefined;
  readonly tag_name_contains?: string | undefined;
  readonly pull_request_number?: number | undefined;
  readonly sha?: string | undefined;
  readonly phase_em?: string | undefined;
}

export interface ReadFilters {
  readonly filters: readonly AuditFilter[];
  readonly values: NamedValues;
  readonly warnings: readonly string[];
}

interface FilterContext {
  readonly db: Database;
  readonly grant: Grant<'member'>;
  readonly now: Date;
}

export async function readFilters(context: FilterContext, input: AuditInput): Promise<ReadFilters> {
  const { db, grant, now } = context;
  const entityId = grant.entity.id;
  const zone = grant.settings.time_zone;
  const type = input.resource_type;
  const filters = new Set<AuditFilter>();
  const values: Record<string, unknown> = {};
  const warnings: string[] = [];
  /** `name` is the parameter that was given, where it is not the filter's own name. */
  const use = (filter: AuditFilter, given: Record<string, unknown>, name: string = filter): void => {
    if (conditionOf(filter, type) === undefined) throw notOfType(filter, name, type);
    filters.add(filter);
    Object.assign(values, given);
  };

  const resources = await findResources(db, entityId, grant.paths);
  const repos = await listRepoIds(db, entityId, resources);
  if (repos !== null && conditionOf('resource_path', type) === undefined) {
    warnings.push(`resource_path: ${type} belong to no repo, so those of the whole entity are listed`);
  } else if (repos !== null) {
    use('resource_path', {
      repos,
      organizations: resources.flatMap((r) => (r.repo_id === null ? (r.organization_id ?? []) : [])),
    });
  }

  if (input.team_slug !== undefined) await useTeam(context, input.team_slug, use);
  const people = await findNamedPeople(db, entityId, input);
  if (people !== null) {
    const name = input.committer_identifier === undefined ? 'committer_user_name' : 'committer_identifier';
    use('committer_identifier', { people: await listIdentityIds(db, entityId, people) }, name);
  }

  const range = readDateRange(input, zone, now, null);
  if (range !== null) {
    const name = input.start_date !== undefined ? 'start_date' : input.end_date !== undefined ? 'end_date' : 'days_ago';
    use('start_date', { start_at: range.startsAt, start_date: range.start_date }, name);
    use('end_date', { end_at: range.endsBefore, end_date: range.end_date }, name);
  }
  const startOf = (date: string, daysLater: number): Date =>
    DateTime.fromISO(date, { zone }).plus({ days: daysLater }).toJSDate();
  const { resolved_start_date: first, resolved_end_date: last } = input;
  if (first !== undefined && last !== undefined && first > last) {
    throw refused('resolved_start_date', `${first} is after resolved_end_date ${last}`);
  }
  if (first !== undefined) use('resolved_start_date', { resolved_start_at: startOf(first, 0) });
  if (last !== undefined) use('resolved_end_date', { resolved_end_at: startOf(last, 1) });

  if (input.critical_defects_only) use('critical_defects_only', {});
  if (input.issue_key !== undefined) {
    const number = /^\d+$/.test(input.issue_key) ? input.issue_key : null;
    use('issue_key', { issue_key: input.issue_key, issue_number: number });
  }
  if (input.issue_provider_em !== undefined) use('issue_provider_em', { issue_provider: input.issue_provider_em });
  if (input.issue_status !== undefined) use('issue_status', { issue_status: input.issue_status });
  if (input.tag_name_contains !== undefined) use('tag_name_contains', { tag_text: input.tag_name_contains });
  if (input.pull_request_number !== undefined) {
    use('pull_request_number', { pull_request_number: input.pull_request_number });
  }
  if (input.sha !== undefined) {
    const fill = (digit: string): Buffer => Buffer.from(input.sha!.padEnd(40, digit), 'hex');
    use('sha', { sha_first: fill('0'), sha_last: fill('f') });
  }
  if (input.phase_em !== undefined) use('phase_em', { phase: input.phase_em });
  return { filters: [...filters], values, warnings };
}

const refused = (field: string, message: string): StrataError =>
  new StrataError('invalid_parameter', `${field}: ${message}`, { errors: { [field]: [message] } });

function notOfType(filter: AuditFilter, name: string, type: AuditType): StrataError {
  const having = AUDIT_TYPES.filter((other) => Object.hasOwn(AUDIT_FILTERS[filter], other));
  const message = `${type} cannot be filtered by it; resource types that can are ${having.join(', ')}`;
  return new StrataError('unprocessable', `${name}: ${message}`, { errors: { [name]: [message] } });
}

async function useTeam(
  { db, grant: { entity } }: FilterContext,
  slug: string,
  use: (filter: AuditFilter, given: Record<string, unknown>) => void,
): Promise<void> {
  const team = await findTeamBySlug(db, entity.id, slug);
  if (team === undefined) {
    const message = `there is no team "${slug.slice(0, 100)}" in ${entity.slug}`;
    throw new StrataError('not_found', message, { errors: { team_slug: [message] } });
  }
  // The team of everybody narrows nothing but the list of teams.
  const isNarrowing = !team.is_default;
  const repos = await listTeamRepoIdsByName(db, entity.id, team.id);
  if (isNarrowing) use('team_slug', { team: team.id, team_repos: repos });
}
