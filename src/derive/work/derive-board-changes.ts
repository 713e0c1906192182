// The history of issues as far as boards across repos tell it: each value that was seen is a change at the time at which it
// was set. An issue may be on several boards: its sprints are those of all of them, its points those of the first field of
// the setting that has a value, the newest where several boards have it.
import { CompiledQuery } from 'kysely';
import type { EntitySettings } from '../../domain/access/entity-settings.ts';
import { KINDS_WITH_BOARD_POINTS } from '../../domain/work/issue.ts';
import type { Database } from '../../storage/database/handle.ts';

const FOUND = `
  with cells as materialized (
    select i.id as issue_id, v.kind, v.value, v.board_id, array_position($2::text[], lower(v.field_name)) as rank, v.changed_at,
      lead(v.changed_at) over (partition by i.id, v.board_id, v.field_name order by v.changed_at) as until
    from board_values v
    join trackers t on t.entity_id = v.entity_id and t.host_key = v.host_key and t.repo_id is not null
    join issues i on i.entity_id = t.entity_id and i.tracker_id = t.id and i.external_id = v.issue_external_id
    where v.entity_id = $1 and (v.kind = 'iteration' or lower(v.field_name) = any($2::text[]))),
  values_then as (
    select m.issue_id, m.kind, m.changed_at,
      case m.kind when 'iteration' then string_agg(c.value, ',' order by c.value)
        else (array_agg(c.value order by c.rank, c.changed_at desc, c.board_id) filter (where c.value is not null))[1]
        end as after
    from (select distinct issue_id, kind, changed_at from cells) m
    left join cells c on c.issue_id = m.issue_id and c.kind = m.kind and c.changed_at <= m.changed_at
      and (c.until is null or c.until > m.changed_at)
    group by m.issue_id, m.kind, m.changed_at),
  found as materialized (
    select issue_id, 'board:' || kind || ':' || extract(epoch from changed_at)::text as external_id, changed_at,
      case kind when 'iteration' then 'sprint' else 'points' end as field, after,
      lag(after) over (partition by issue_id, kind order by changed_at) as before,
      lead(changed_at) over (partition by issue_id, kind order by changed_at) is null as is_last
    from values_then)`;

const REMOVE = `${FOUND}
  delete from issue_changes c
  where c.entity_id = $1 and c.external_id like 'board:%'
    and not exists (select 1 from found f where f.issue_id = c.issue_id and f.external_id = c.external_id)`;

const STORE = `${FOUND}
  insert into issue_changes (entity_id, issue_id, external_id, field, changed_at, before, after)
  select $1, f.issue_id, f.external_id, f.field, f.changed_at, f.before, f.after from found f
  on conflict (entity_id, issue_id, external_id) do update set before = excluded.before, after = excluded.after
  where (issue_changes.before, issue_changes.after) is distinct from (excluded.before, excluded.after)`;

const POINTS = `${FOUND},
  last as (
    select issue_id, least(round(after::numeric * 100), 100000000)::int as points from found
    where field = 'points' and is_last and after ~ '^[0-9]{1,7}([.][0-9]+)?$'),
  known as (
    select i.id, l.points
    from issues i
    join trackers t on t.entity_id = i.entity_id and t.id = i.tracker_id and t.kind = any($3::text[])
    left join last l on l.issue_id = i.id
    where i.entity_id = $1)
  update issues set story_points = k.points from known k
  where issues.entity_id = $1 and issues.id = k.id and issues.story_points is distinct from k.points`;

/** How many rows it has changed. */
export async function deriveBoardChanges(
  db: Database,
  entityId: number,
  { points_field_names }: Pick<EntitySettings, 'points_field_names'>,
): Promise<number> {
  const names = points_field_names.map((name) => name.toLowerCase());
  let changed = 0;
  const steps = [
    { text: REMOVE, values: [entityId, names] },
    { text: STORE, values: [entityId, names] },
    { text: POINTS, values: [entityId, names, KINDS_WITH_BOARD_POINTS] },
  ];
  for (const { text, values } of steps) {
    const { numAffectedRows } = await db.executeQuery(CompiledQuery.raw(text, values));
    changed += Number(numAffectedRows ?? 0n);
  }
  return changed;
}
