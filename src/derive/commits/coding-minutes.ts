// The estimated minutes of coding of all commits of an entity, by their ids.
import type { EntitySettings } from '../../domain/access/entity-settings.ts';
import { entityCalendar } from '../../domain/calendar/entity-calendar.ts';
import type { Store } from '../../storage/database/handle.ts';
import { estimateMinutes } from './estimate-minutes.ts';

const PEOPLE_PER_PAGE = 1000;
const MINUTES_A_DAY = 1440;

/** Of one person after the other, in order of time. */
const COMMITS_OF_PEOPLE = `
  select c.id, p.root_committer_id as root_id,
    floor(date_part('epoch', c.authored_at at time zone $3) / 60) as local_minute
  from committers p
  join commits c on c.entity_id = p.entity_id and c.author_id = p.id and c.rolled_up and c.agent_id is null
    and c.counted_in is null
  where p.entity_id = $1 and p.root_committer_id = any($2::bigint[])
  order by p.root_committer_id, c.authored_at, c.id`;

interface AuthoredRow {
  readonly id: number;
  readonly root_id: number;
  /** Since 1970, by the clocks of the entity's zone. */
  readonly local_minute: number;
}

/** Work that several repos hold took its time once; each of them shows it. */
const SHARED_COMMITS = `
  select c.id, o.id as counted_id from commits c
  join commits o on o.entity_id = c.entity_id and o.sha = c.sha and o.counted_in is null and o.rolled_up
  where c.entity_id = $1 and c.counted_in is not null and c.rolled_up`;

interface SharedRow {
  readonly id: number;
  /** The same commit in the repo where it counts. */
  readonly counted_id: number;
}

export async function readCodingMinutes(
  { pool }: Store,
  entityId: number,
  settings: EntitySettings,
): Promise<ReadonlyMap<number, number>> {
  const { rows: people } = await pool.query<{ id: number }>(
    'select id from committers where entity_id = $1 and root_committer_id = id order by id',
    [entityId],
  );
  const minutes = new Map<number, number>();
  const { opensAtMinute } = entityCalendar(settings);
  for (let index = 0; index < people.length; index += PEOPLE_PER_PAGE) {
    const page = people.slice(index, index + PEOPLE_PER_PAGE).map(({ id }) => id);
    const { rows } = await pool.query<AuthoredRow>(COMMITS_OF_PEOPLE, [entityId, page, settings.time_zone]);
    for (let from = 0; from < rows.length; ) {
      let to = from;
      while (to < rows.length && rows[to]!.root_id === rows[from]!.root_id) to += 1;
      const own = rows.slice(from, to).map(({ id, local_minute }) => {
        const day = Math.floor(local_minute / MINUTES_A_DAY);
        return { id, day, minute: local_minute - day * MINUTES_A_DAY };
      });
      const estimates = estimateMinutes(own, opensAtMinute);
      for (const [place, { id }] of own.entries()) minutes.set(id, estimates[place]!);
      from = to;
    }
  }
  const { rows: shared } = await pool.query<SharedRow>(SHARED_COMMITS, [entityId]);
  for (const { id, counted_id } of shared) {
    const taken = minutes.get(counted_id);
    if (taken !== undefined) minutes.set(id, taken);
  }
  return minutes;
}
