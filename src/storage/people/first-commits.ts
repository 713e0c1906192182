// When the people of an entity wrote their first commits, whatever was imported of them.
import { sql } from 'kysely';
import { storableSeconds } from '../../domain/calendar/storable-seconds.ts';
import type { FactTarget } from '../commits/load-batch.ts';
import type { Database } from '../database/handle.ts';

/** Whether one of these commits is by somebody of whom it is not known yet. */
export async function lacksFirstCommits(
  db: Database,
  { entityId, repoId }: Pick<FactTarget, 'entityId' | 'repoId'>,
  shas: Iterable<string>,
): Promise<boolean> {
  const { rows } = await sql<{ lacks: boolean }>`
    select exists (
      select 1 from unnest(${[...shas]}::text[]) as t(sha)
      join commits c on c.entity_id = ${entityId} and c.repo_id = ${repoId} and c.sha = decode(t.sha, 'hex')
      join committer_identities i on i.entity_id = c.entity_id and i.committer_id = c.author_id
      where i.first_authored_at is null) as lacks`.execute(db);
  return rows[0]!.lacks;
}

/** By address key, in seconds since 1970. Whoever is not known is left out. Rows are locked in order: imports run side by side. */
export async function storeFirstCommits(
  db: Database,
  entityId: number,
  firsts: ReadonlyMap<string, number>,
): Promise<void> {
  await sql`
    with due as materialized (
      select i.address_key, f.at
      from (
        select t.address_key, to_timestamp(t.seconds) as at
        from unnest(${[...firsts.keys()]}::text[], ${[...firsts.values()].map(storableSeconds)}::float8[]) as t(address_key, seconds)) f
      join committer_identities i on i.entity_id = ${entityId} and i.address_key = f.address_key
        and (i.first_authored_at is null or i.first_authored_at > f.at)
      order by i.address_key
      for update of i)
    update committer_identities i set first_authored_at = due.at
    from due where i.entity_id = ${entityId} and i.address_key = due.address_key`.execute(db);
}
