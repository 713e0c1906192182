// What tells two states of an entity's data apart for whoever keeps what was computed from them.
import { sql } from 'kysely';
import type { Derivation } from '../../domain/commits/derivation.ts';
import type { ReleaseTrigger } from '../../domain/delivery/release-triggers.ts';
import type { Database } from '../database/handle.ts';
import { isDerivedOtherwise } from './derived-otherwise.ts';

export interface DataState {
  /** Rises with every change of what reports read, except that a repo is new. */
  readonly version: number;
  readonly repo_count: number;
}

export async function readDataState(db: Database, entityId: number): Promise<DataState> {
  const { rows } = await sql<DataState>`
    select coalesce((select version from data_versions where entity_id = ${entityId}), 0) as version,
      (select count(*) from repos where entity_id = ${entityId}) as repo_count`.execute(db);
  return rows[0]!;
}

/** Another one for another state. */
export const versionOf = ({ version, repo_count }: DataState): string => `${version}.${repo_count}`;

/** Days of the first and the last commit, in the entity's zone; null where there is none. */
export interface DataSpan {
  readonly first_on: string | null;
  readonly last_on: string | null;
}

/** By `authored_at`, in whose order the days are too: that has an index, and the days have none. */
export async function readDataSpan(db: Database, entityId: number): Promise<DataSpan> {
  const { rows } = await sql<DataSpan>`
    select
      (select authored_on from commits where entity_id = ${entityId} order by authored_at limit 1) as first_on,
      (select authored_on from commits where entity_id = ${entityId} order by authored_at desc limit 1) as last_on`.execute(
    db,
  );
  return rows[0]!;
}

/** A repo whose history is not read to its end, as far as was asked for. */
export interface UnfinishedImport {
  readonly repo_path: string;
  readonly percent: number;
}

/** Where data of one kind begins that imports bring. */
export interface Cut {
  /** Of the repos that are not imported from their beginning, from when on the first and the last are; null: all are. */
  readonly first_from: string | null;
  readonly last_from: string | null;
  /** First day of the others, where it is not after that of `first_from`. */
  readonly whole_first_on: string | null;
}

export interface ImportWindow {
  readonly commits: Cut;
  /** Of the repos whose releases come from tags, which are read with their commits. */
  readonly releases: Cut;
  readonly unfinished: readonly UnfinishedImport[];
  /** Paths of the repos whose facts are of another derivation. */
  readonly derived_otherwise: readonly string[];
}

const FROM_TAG: ReleaseTrigger = 'git_tag';

interface WindowScope {
  /** Null: all repos of the entity. */
  readonly repoIds: readonly number[] | null;
  readonly timeZone: string;
  /** That of the program; without one, facts of any serve. */
  readonly derivation: Derivation | undefined;
}

/** From when on the repos are imported, and which are not as they should be. Days are of the entity's zone. */
export async function readImportWindow(
  db: Database,
  entityId: number,
  { repoIds, timeZone, derivation }: WindowScope,
): Promise<ImportWindow> {
  const { rows } = await sql<ImportWindow>`
    with scope as (
      select id, processed_from from repos where entity_id = ${entityId} and default_branch is not null
        and (${repoIds}::bigint[] is null or id = any(${repoIds}::bigint[]))
    ), cut as (select min(processed_from) as first_from, max(processed_from) as last_from from scope
    ), cut_of_releases as (select min(processed_from) as first_from, max(processed_from) as last_from from scope
      where exists (select from releases r
        where r.entity_id = ${entityId} and r.repo_id = scope.id and r.triggered_by = ${FROM_TAG}))
    select
      (select json_build_object('first_from', first_from, 'last_from', last_from, 'whole_first_on',
        (select to_char(min(first.authored_on), 'YYYY-MM-DD') from scope
          cross join lateral (select d.authored_on from daily_commits d
            where d.entity_id = ${entityId} and d.repo_id = scope.id order by d.authored_on limit 1) first
          where cut.first_from is not null and scope.processed_from is null
            and first.authored_on <= (cut.first_from at time zone ${timeZone})::date)) from cut) as commits,
      (select json_build_object('first_from', first_from, 'last_from', last_from, 'whole_first_on',
        (select to_char(min(r.released_at) at time zone ${timeZone}, 'YYYY-MM-DD') from releases r
          where r.entity_id = ${entityId} and r.released_at < first_from
            and r.repo_id = any(array(select id from scope)))) from cut_of_releases) as releases,
      (select coalesce(json_agg(json_build_object(
          'repo_path', i.organization_slug || '/' || i.repo_slug, 'percent', i.percent_complete) order by i.id), '[]')
        from imports i where i.entity_id = ${entityId} and i.repo_id is not null
          and (i.status <> 'processing_completed' or i.finished_at is null)
          and (${repoIds}::bigint[] is null or i.repo_id = any(${repoIds}::bigint[]))) as unfinished,
      (select coalesce(json_agg(o.slug || '/' || r.slug order by r.id), '[]')
        from repos r join organizations o on o.entity_id = r.entity_id and o.id = r.organization_id
        where r.entity_id = ${entityId} and ${derivation === undefined ? sql`false` : isDerivedOtherwise(derivation)}
          and (${repoIds}::bigint[] is null or r.id = any(${repoIds}::bigint[]))) as derived_otherwise`.execute(db);
  return rows[0]!;
}
