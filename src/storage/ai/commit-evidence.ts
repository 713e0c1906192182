// Evidence of AI that is derived: which commits may have some, and writing it with the lines that it speaks of. The caller
// decides what it is (jobs/ai/derive-evidence.ts).
import { type RawBuilder, sql } from 'kysely';
import { CARRIED_SOURCES, DERIVED_SOURCES, SURE_SOURCES, WHOLE } from '../../domain/ai/evidence.ts';
import { OPERATION_DELTAS } from '../../domain/commits/file-measures.ts';
import { FLOW_OPERATIONS, OPERATION_ROWS, OPERATIONS } from '../../domain/commits/line-model.ts';
import { sumLines } from '../commits/line-columns.ts';
import { addToRollups, bumpDataVersion } from '../commits/rollups.ts';
import type { Database } from '../database/handle.ts';
import { lockAuthors } from '../people/lock-authors.ts';

export type EvidenceScope = { readonly repoId: number } | 'claims';

export interface Credit {
  readonly source: string;
  readonly model: string;
  readonly provider: string;
}

export interface Claim extends Credit {
  readonly ai_lines: number | null;
  readonly all_lines: number | null;
}

export interface EvidenceSubject {
  readonly id: number;
  readonly repo_id: number;
  readonly sha: string;
  /** The commit that repeats this one and counts in its place. */
  readonly derived_from: string | null;
  /** It is such a commit itself, or was. */
  readonly is_target: boolean;
  readonly credits: readonly Credit[];
  readonly claims: readonly Claim[];
}

export interface CarriedSubject {
  readonly id: number;
  readonly min_hash: Buffer | null;
  readonly credits: readonly Credit[];
  readonly claims: readonly Claim[];
  readonly sources: readonly {
    readonly min_hash: string | null;
    readonly credits: readonly Credit[];
    /** Thousandths of its lines that its evidence speaks of. */
    readonly share: number;
  }[];
}

const CREDITS = (commit: string): RawBuilder<unknown> => sql`coalesce((
    select json_agg(json_build_object('source', a.source, 'model', a.model, 'provider', a.provider) order by a.position)
    from commit_ai a where a.entity_id = ${sql.ref(`${commit}.entity_id`)} and a.commit_id = ${sql.ref(`${commit}.id`)}), '[]')`;

const CLAIMS = sql`coalesce((
    select json_agg(json_build_object('source', k.source_em, 'model', coalesce(nullif(k.llm_model_name, ''), k.tool_em),
      'provider', k.ai_provider_em, 'ai_lines', k.ai_lines, 'all_lines', k.all_lines) order by k.source_em, k.tool_em)
    from ai_commit_claims k where k.entity_id = c.entity_id and k.sha = encode(c.sha, 'hex')), '[]')`;
const hasSource = (sources: readonly string[]): RawBuilder<unknown> => sql`exists (
    select 1 from commit_ai a where a.entity_id = c.entity_id and a.commit_id = c.id
      and a.source::text = any(${[...sources]}::text[]))`;

/** The same as a set: a repo has many commits, and few of them bear such evidence. */
const commitsWith = (entityId: number, sources: readonly string[]): RawBuilder<unknown> => sql`
    select a.commit_id from commit_ai a where a.entity_id = ${entityId} and a.source::text = any(${[...sources]}::text[])`;

const claimedShas = (entityId: number): RawBuilder<unknown> =>
  sql`select decode(k.sha, 'hex') from ai_commit_claims k where k.entity_id = ${entityId}`;

/** The commits of a repo with these shas. Sets are joined by their ids: of either this or that all commits would be looked at. */
const commitsAt = (entityId: number, repoId: number, shas: RawBuilder<unknown>): RawBuilder<unknown> => sql`
    select i.id from commits i where i.entity_id = ${entityId} and i.repo_id = ${repoId} and i.sha in (${shas})`;

/** Complete commits that somebody claims, or that bear evidence which may be gone. Locked, the oldest first. */
export async function readClaimed(db: Database, entityId: number, scope: EvidenceScope): Promise<EvidenceSubject[]> {
  const claimed = claimedShas(entityId);
  const within =
    scope === 'claims'
      ? sql`c.sha in (${claimed} and k.applied_at is null)`
      : sql`c.repo_id = ${scope.repoId} and c.id in (
          ${commitsAt(entityId, scope.repoId, claimed)} union ${commitsWith(entityId, DERIVED_SOURCES)})`;
  const { rows } = await sql<EvidenceSubject>`
    select c.id, c.repo_id, encode(c.sha, 'hex') as sha, encode(c.derived_from, 'hex') as derived_from,
      ${CREDITS('c')} as credits, ${CLAIMS} as claims,
      (${hasSource(CARRIED_SOURCES)} or exists (
        select 1 from commits s where s.entity_id = c.entity_id and s.repo_id = c.repo_id and s.derived_from = c.sha)) as is_target
    from commits c
    where c.entity_id = ${entityId} and c.state = 'analysis_complete' and ${within}
    order by c.id for update of c`.execute(db);
  return rows;
}

const CHANGED = sumLines('f', OPERATIONS);

function carriedIn(entityId: number, repoId: number): RawBuilder<unknown> {
  const targets = sql`select s.derived_from from commits s
      where s.entity_id = ${entityId} and s.repo_id = ${repoId} and s.derived_from is not null`;
  const ofEvidence = sql`${targets} and s.id in (select a.commit_id from commit_ai a where a.entity_id = ${entityId})`;
  return sql`
    ${commitsWith(entityId, CARRIED_SOURCES)}
    union ${commitsAt(entityId, repoId, ofEvidence)}
    union ${commitsAt(entityId, repoId, targets)} and i.id in (
      ${commitsWith(entityId, DERIVED_SOURCES)} union ${commitsAt(entityId, repoId, claimedShas(entityId))})`;
}

/** Commits that others were made into, with those others, the newest first: of a repo, or these of all. */
export async function readCarried(
  db: Database,
  entityId: number,
  scope: { readonly repoId: number } | { readonly shas: readonly string[] },
): Promise<CarriedSubject[]> {
  // Most commits that others were made into have nothing to do with AI: only what the last condition can keep is looked at.
  const within =
    'repoId' in scope
      ? sql`c.repo_id = ${scope.repoId} and c.id in (${carriedIn(entityId, scope.repoId)})`
      : sql`c.sha = any(${scope.shas.map((sha) => Buffer.from(sha, 'hex'))}::bytea[])`;
  const { rows } = await sql<CarriedSubject>`
    select c.id, c.min_hash, ${CREDITS('c')} as credits, ${CLAIMS} as claims, coalesce(x.sources, '[]') as sources
    from commits c
    cross join lateral (
      select json_agg(json_build_object('min_hash', encode(s.min_hash, 'base64'), 'credits', ${CREDITS('s')}, 'share', coalesce((
          select least(${WHOLE}, round(sum(f.ai_lines_changed)::numeric / nullif(sum(${sql.raw(CHANGED)}), 0)))
          from commit_files f where f.entity_id = s.entity_id and f.commit_id = s.id), 0))
        order by s.committed_at desc, s.id desc) as sources,
        bool_or(exists (select 1 from commit_ai a where a.entity_id = s.entity_id and a.commit_id = s.id)) as has_evidence
      from commits s
      where s.entity_id = c.entity_id and s.repo_id = c.repo_id and s.derived_from = c.sha
        and s.state = 'analysis_complete') x
    where c.entity_id = ${entityId} and c.state = 'analysis_complete' and ${within}
      and (x.has_evidence or ${hasSource(CARRIED_SOURCES)}
        or (x.sources is not null and (${hasSource(DERIVED_SOURCES)} or json_array_length(${CLAIMS}) > 0)))
    order by c.id for update of c`.execute(db);
  return rows;
}

export interface DerivedEvidence {
  readonly commitId: number;
  readonly credits: readonly Credit[];
  /** Thousandths of each line that the first credit speaks of. */
  readonly share: number;
}

const countedAt = (side: 'added' | 'removed'): string =>
  sumLines(
    'f',
    OPERATIONS.filter((operation) => OPERATION_ROWS[operation].counted === side),
  );
const DELTA = OPERATION_DELTAS.map((name) => `coalesce(f.${name}, 0)`).join(' + ');

/**
 * Replaces the evidence of commits whose own is not exact, and what the facts and the daily tables hold of it. Returns how
 * many commits had other evidence before.
 */
export async function storeEvidence(
  db: Database,
  entityId: number,
  evidence: readonly DerivedEvidence[],
): Promise<number> {
  if (evidence.length === 0) return 0;
  const wanted = evidence.flatMap(({ commitId, credits }) =>
    credits.map((credit, position) => ({ commit_id: commitId, position, ...credit })),
  );
  const shares = sql`json_to_recordset(${JSON.stringify(evidence.map(({ commitId, share }) => ({ commit_id: commitId, share })))}::json)
    as w(commit_id bigint, share integer)`;
  const rows = sql`json_to_recordset(${JSON.stringify(wanted)}::json)
    as r(commit_id bigint, position smallint, source text, model text, provider text)`;
  const { rows: changed } = await sql<{ id: number; author_id: number; rolled_up: boolean }>`
    select c.id, c.author_id, c.rolled_up from ${shares} join commits c on c.entity_id = ${entityId} and c.id = w.commit_id
    where (select coalesce(array_agg((a.source::text, a.model, a.provider)::text order by a.position), '{}')
           from commit_ai a where a.entity_id = c.entity_id and a.commit_id = c.id)
        <> (select coalesce(array_agg((r.source, r.model, r.provider)::text order by r.position), '{}')
            from ${rows} where r.commit_id = c.id)
      or exists (
        select 1 from commit_files f where f.entity_id = c.entity_id and f.commit_id = c.id
          and coalesce(f.ai_lines_changed, 0) <> w.share * (${sql.raw(CHANGED)}))
    order by c.id`.execute(db);
  if (changed.length === 0) return 0;
  // What usage is credited with follows from the sums of people.
  await lockAuthors(db, entityId, [...new Set(changed.map(({ author_id }) => author_id))]);
  const ids = changed.map(({ id }) => id);
  const counted = changed.filter(({ rolled_up }) => rolled_up).map(({ id }) => id);
  await addToRollups(db, entityId, counted, -1);
  await sql`delete from commit_ai where entity_id = ${entityId} and commit_id = any(${ids})`.execute(db);
  await sql`
    insert into commit_ai (entity_id, commit_id, position, source, model, provider)
    select ${entityId}::bigint, r.commit_id, r.position, r.source::evidence_source, r.model, r.provider
    from ${rows} where r.commit_id = any(${ids})`.execute(db);
  await sql`
    update commit_files f set ai_lines_added = nullif(w.share * (${sql.raw(countedAt('added'))}), 0),
      ai_lines_deleted = nullif(w.share * (${sql.raw(countedAt('removed'))}), 0),
      ai_lines_changed = nullif(w.share * (${sql.raw(CHANGED)}), 0),
      ai_delta = nullif(round(w.share * (${sql.raw(DELTA)})::numeric / ${WHOLE})::integer, 0)
    from ${shares}
    where f.entity_id = ${entityId} and f.commit_id = w.commit_id and f.commit_id = any(${ids})`.execute(db);
  await sql`
    update commits c set ai_lines_changed = nullif(t.lines, 0), ai_delta = nullif(t.delta, 0),
      contributor_kind = case when t.top is null then 'unknown' when t.top = 'author' then 'ai' else 'mixed' end::contributor_kind
    from (
      select x.id, coalesce(sum(f.ai_lines_changed), 0) as lines, coalesce(sum(f.ai_delta), 0) as delta,
        (select a.source::text from commit_ai a where a.entity_id = ${entityId} and a.commit_id = x.id and a.position = 0) as top
      from unnest(${ids}::bigint[]) as x(id)
      left join commit_files f on f.entity_id = ${entityId} and f.commit_id = x.id
      group by x.id) t
    where c.entity_id = ${entityId} and c.id = t.id`.execute(db);
  // What later commits took of their lines: flows are found by the commit that took them.
  await sql`
    update line_flows f set ai_lines = nullif(w.share * (${sql.raw(sumLines('f', FLOW_OPERATIONS))}), 0)
    from ${shares}, commits c
    where c.entity_id = ${entityId} and c.authored_at >= (
        select min(o.authored_at) from commits o where o.entity_id = ${entityId} and o.id = any(${ids}))
      and f.entity_id = ${entityId} and f.commit_id = c.id and f.origin_commit_id = w.commit_id
      and f.origin_commit_id = any(${ids})`.execute(db);
  await addToRollups(db, entityId, counted, 1);
  await bumpDataVersion(db, entityId);
  return changed.length;
}

export async function noteApplied(db: Database, entityId: number, shas: readonly string[], now: Date): Promise<void> {
  if (shas.length === 0) return;
  await sql`
    update ai_commit_claims set applied_at = ${now}::timestamptz
    where entity_id = ${entityId} and sha = any(${[...shas]}::text[]) and applied_at is null`.execute(db);
}

/** Entities with claims about commits that are stored. */
export async function listClaimedEntities(db: Database): Promise<number[]> {
  const { rows } = await sql<{ entity_id: number }>`
    select distinct k.entity_id from ai_commit_claims k
    where k.applied_at is null and exists (
      select 1 from commits c where c.entity_id = k.entity_id and c.sha = decode(k.sha, 'hex')
        and c.state = 'analysis_complete')`.execute(db);
  return rows.map(({ entity_id }) => entity_id);
}

/** Whether what a commit says of itself leaves nothing to derive. */
export const isDecided = (credits: readonly Credit[]): boolean =>
  credits.some(({ source }) => SURE_SOURCES.some((sure) => sure === source) && !isDerived(source));
export const isDerived = (source: string): boolean => DERIVED_SOURCES.some((each) => each === source);
