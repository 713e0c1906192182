// Critical defects that no call records: bugs of a high priority, issues with a chosen value, and terms in the titles of
// issues and pull requests or in names of branches. What a rule no longer finds is removed; what a call said stays.
import { type RawBuilder, sql } from 'kysely';
import type { EntitySettings } from '../../domain/access/entity-settings.ts';
import type { Database } from '../../storage/database/handle.ts';

type Rules = Pick<
  EntitySettings,
  'bug_issue_types' | 'critical_defect_priorities' | 'critical_defect_fields' | 'critical_defect_terms'
>;

const lower = (list: readonly string[]): string[] => list.map((text) => text.toLowerCase());

/** Types that the entity counts as bugs, whenever they were set. */
export async function markBugs(db: Database, entityId: number, { bug_issue_types }: Rules): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    update issues set is_bug = not is_bug
    where entity_id = ${entityId} and tracker_id is not null
      and is_bug <> (lower(type) = any(${lower(bug_issue_types)}::text[]))`.execute(db);
  return Number(numAffectedRows);
}

const FIELDS = {
  type: sql`lower(i.type) = f.value`,
  status: sql`lower(i.status) = f.value`,
  priority: sql`lower(i.priority) = f.value`,
  project: sql`lower(i.project_name) = f.value`,
  label: sql`exists (select from unnest(i.labels) as l(name) where lower(l.name) = f.value)`,
} as const satisfies Record<Rules['critical_defect_fields'][number]['field'], RawBuilder<unknown>>;

const hasTerm = (terms: readonly string[], ...texts: readonly RawBuilder<unknown>[]): RawBuilder<unknown> =>
  sql`exists (select from unnest(${lower(terms)}::text[]) as t(term)
    where ${sql.join(
      texts.map((text) => sql`strpos(lower(${text}), t.term) > 0`),
      sql` or `,
    )})`;

/** One row per key. Of an issue and a pull request that names it, the issue stands for both. */
const found = (entityId: number, rules: Rules): RawBuilder<unknown> => {
  const isField = Object.entries(FIELDS).map(([field, test]) => {
    const values = rules.critical_defect_fields.filter((rule) => rule.field === field).map(({ value }) => value);
    return sql`exists (select from unnest(${lower(values)}::text[]) as f(value) where ${test})`;
  });
  return sql`
    with urgent as (
      select p.* from pull_requests p
      where p.entity_id = ${entityId} and ${hasTerm(rules.critical_defect_terms, sql`p.title`, sql`p.branch_name`)}),
    named as (
      select distinct k.issue_id, p.id as pull_request_id
      from urgent p
      join pull_request_commits n on n.entity_id = p.entity_id and n.pull_request_id = p.id and n.removed_at is null
      join commits c on c.entity_id = n.entity_id and c.repo_id = n.repo_id and c.sha = n.sha
      join issue_commits k on k.entity_id = c.entity_id and k.commit_id = c.id),
    all_found as (
      select i.id as issue_id, null::bigint as pull_request_id, i.key, i.title, i.opened_at as detected_at,
        case when i.is_bug and lower(i.priority) = any(${lower(rules.critical_defect_priorities)}::text[])
          or ${sql.join(isField, sql` or `)} then 'issue' else 'term' end as source
      from issues i
      where i.entity_id = ${entityId} and i.tracker_id is not null and not i.is_epic and i.deleted_at is null
        and (i.is_bug and lower(i.priority) = any(${lower(rules.critical_defect_priorities)}::text[])
          or ${sql.join(isField, sql` or `)}
          or ${hasTerm(rules.critical_defect_terms, sql`i.title`)}
          or i.id in (select n.issue_id from named n))
      union all
      select null, u.id, o.slug || '/' || r.slug || '#' || u.number, u.title, u.created_at, 'term'
      from urgent u
      join repos r on r.entity_id = u.entity_id and r.id = u.repo_id
      join organizations o on o.entity_id = r.entity_id and o.id = r.organization_id
      where u.id not in (select n.pull_request_id from named n))
    select distinct on (lower(a.key)) a.* from all_found a
    where not exists (
      select from dismissed_defects x where x.entity_id = ${entityId} and x.defect_key = lower(a.key))
    order by lower(a.key), a.issue_id nulls last, a.pull_request_id`;
};

/** Returns how many rows changed. Call it after `linkIssues` and before commits are linked to defects. */
export async function recordDefectsByRules(db: Database, entityId: number, rules: Rules): Promise<number> {
  const rows = found(entityId, rules);
  const removed = await sql`
    delete from critical_defects d where d.entity_id = ${entityId} and d.source_em in ('issue', 'term')
      and lower(d.defect_key) not in (select lower(f.key) from (${rows}) f)`.execute(db);
  const added = await sql`
    insert into critical_defects (entity_id, defect_key, description, source_em, issue_id, pull_request_id, detected_at)
    select ${entityId}::bigint, f.key, f.title, f.source, f.issue_id, f.pull_request_id, f.detected_at
    from (${rows}) f
    where not exists (select from critical_defects d
      where d.entity_id = ${entityId} and lower(d.defect_key) = lower(f.key))
    on conflict (entity_id, defect_key) do nothing`.execute(db);
  // The issue of a defect that a call recorded, and what has changed about those that a rule found.
  const updated = await sql`
    update critical_defects d set issue_id = coalesce(f.issue_id, d.issue_id), pull_request_id = f.pull_request_id,
      description = case when d.source_em in ('issue', 'term') then f.title else d.description end,
      detected_at = case when d.source_em in ('issue', 'term') then f.detected_at else d.detected_at end,
      source_em = case when d.source_em in ('issue', 'term') then f.source else d.source_em end
    from (${rows}) f
    where d.entity_id = ${entityId} and lower(d.defect_key) = lower(f.key)
      and (d.issue_id is distinct from coalesce(f.issue_id, d.issue_id)
        or d.pull_request_id is distinct from f.pull_request_id
        or d.source_em in ('issue', 'term') and (d.description, d.detected_at, d.source_em)
          is distinct from (f.title, f.detected_at, f.source))`.execute(db);
  const scoped = await sql`
    insert into defect_scopes (entity_id, defect_id, organization_id, repo_id)
    select distinct ${entityId}::bigint, d.id, r.organization_id, r.id
    from critical_defects d
    join lateral (
      select c.repo_id from issue_commits k
      join commits c on c.entity_id = k.entity_id and c.id = k.commit_id
      where k.entity_id = d.entity_id and k.issue_id = d.issue_id
      union
      select t.repo_id from issues i join trackers t on t.entity_id = i.entity_id and t.id = i.tracker_id
      where i.entity_id = d.entity_id and i.id = d.issue_id and t.repo_id is not null
      union
      select p.repo_id from pull_requests p where p.entity_id = d.entity_id and p.id = d.pull_request_id) x on true
    join repos r on r.entity_id = d.entity_id and r.id = x.repo_id
    where d.entity_id = ${entityId} and d.source_em in ('issue', 'term')
    on conflict do nothing`.execute(db);
  const marked = await sql`
    update issues i set is_critical_defect = not i.is_critical_defect
    where i.entity_id = ${entityId} and i.tracker_id is not null and i.is_critical_defect <> exists (
      select from critical_defects d where d.entity_id = i.entity_id and d.issue_id = i.id)`.execute(db);
  return [removed, added, updated, scoped, marked].reduce(
    (sum, { numAffectedRows = 0n }) => sum + Number(numAffectedRows),
    0,
  );
}
