// The estimated minutes of coding of all commits of an entity, by their ids.
import { sql } from 'kysely';
import type { EntitySettings } from '../../domain/access/entity-settings.ts';
import { entityCalendar } from '../../domain/calendar/entity-calendar.ts';
import { readMany } from '../../storage/database/binary-rows.ts';
import type { Store } from '../../storage/database/handle.ts';
import { estimateMinutes, type TimedCommit } from './estimate-minutes.ts';

const MINUTES_A_DAY = 1440;

/** With the minute since 1970 by the clocks of the entity's zone. */
const authoredCommits = (entityId: number, timeZone: string) => sql`
  select c.id, p.root_committer_id, extract(epoch from c.authored_at)::bigint,
    floor(extract(epoch from c.authored_at at time zone ${sql.lit(timeZone)}) / 60)::bigint
  from committers p
  join commits c on c.entity_id = p.entity_id and c.author_id = p.id and c.rolled_up and c.agent_id is null
    and c.counted_in is null
  where p.entity_id = ${sql.lit(entityId)}`;

interface AuthoredCommit extends TimedCommit {
  readonly at: number;
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
  store: Store,
  entityId: number,
  settings: EntitySettings,
): Promise<ReadonlyMap<number, number>> {
  const minutes = new Map<number, number>();
  const { opensAtMinute } = entityCalendar(settings);
  for (const own of await readByPerson(store, entityId, settings.time_zone)) {
    own.sort((a, b) => a.at - b.at || a.id - b.id);
    const estimates = estimateMinutes(own, opensAtMinute);
    for (const [place, { id }] of own.entries()) minutes.set(id, estimates[place]!);
  }
  const { rows: shared } = await store.pool.query<SharedRow>(SHARED_COMMITS, [entityId]);
  for (const { id, counted_id } of shared) {
    const taken = minutes.get(counted_id);
    if (taken !== undefined) minutes.set(id, taken);
  }
  return minutes;
}

async function readByPerson(store: Store, entityId: number, timeZone: string): Promise<Iterable<AuthoredCommit[]>> {
  const byPerson = new Map<number, AuthoredCommit[]>();
  await readMany(store, authoredCommits(entityId, timeZone), (row) => {
    const id = row.number();
    const person = row.number();
    const at = row.number();
    const localMinute = row.number();
    const day = Math.floor(localMinute / MINUTES_A_DAY);
    const commit = { id, at, day, minute: localMinute - day * MINUTES_A_DAY };
    const own = byPerson.get(person);
    if (own === undefined) byPerson.set(person, [commit]);
    else own.push(commit);
  });
  return byPerson.values();
}
