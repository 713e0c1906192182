// Which commits worked on which defects, and which commits had written the lines that fixes had to change.
import { type RawBuilder, sql } from 'kysely';
import {
  agesBelow,
  BLAMELESS_CATEGORY_IDS,
  CHURN_OPERATIONS,
  FLOW_OPERATIONS,
} from '../../domain/commits/line-model.ts';
import { sumLines } from '../../storage/commits/line-columns.ts';
import type { Database } from '../../storage/database/handle.ts';

/** A key is looked for in messages when it cannot be an ordinary word or number. */
const LINKABLE = /^(?=.*\p{L})(?=.*\p{N})[\p{L}\p{N}_-]{4,}$/u;
const WORDS = /[\p{L}\p{N}_-]+/gu;
/** Work on a defect may begin before anybody writes it down, but not long before. */
const LEAD_DAYS = 30;
const COMMITS_PER_QUERY = 5000;
/** A larger release says too little about which of its commits was the fix. */
const MOST_RELEASE_COMMITS = 50;

/** Brings the links that follow from messages, issues and releases up to date. Returns how many changed. */
export async function linkDefects(db: Database, entityId: number): Promise<number> {
  const named = await findNamedCommits(db, entityId);
  let changed = await storeLinks(
    db,
    entityId,
    'defect_key',
    sql`select * from json_to_recordset(${JSON.stringify(named)}::json) as n(defect_id bigint, commit_id bigint)`,
  );
  changed += await storeLinks(
    db,
    entityId,
    'issue',
    sql`select d.id as defect_id, i.commit_id from critical_defects d
        join issue_commits i on i.entity_id = d.entity_id and i.issue_id = d.issue_id
        where d.entity_id = ${entityId}`,
  );
  changed += await storeLinks(
    db,
    entityId,
    'pull_request',
    sql`select d.id as defect_id, c.id as commit_id from critical_defects d
        join (
          select n.pull_request_id, n.repo_id, n.sha from pull_request_commits n
          where n.entity_id = ${entityId} and n.removed_at is null
          union
          select l.pull_request_id, l.repo_id, l.sha from pull_request_landings l where l.entity_id = ${entityId}) k
          on k.pull_request_id = d.pull_request_id
        join commits c on c.entity_id = d.entity_id and c.repo_id = k.repo_id and c.sha = k.sha
        where d.entity_id = ${entityId}`,
  );
  // All commits of a release that names the defect, where nothing says which of them.
  changed += await storeLinks(
    db,
    entityId,
    'release',
    sql`select f.defect_id, c.commit_id from defect_fixes f
        join releases r on r.entity_id = f.entity_id and r.id = f.named_release_id and not r.is_baseline
          and r.commit_count <= ${MOST_RELEASE_COMMITS}
        join release_commits c on c.entity_id = f.entity_id and c.release_id = r.id
        where f.entity_id = ${entityId} and not exists (
          select 1 from defect_commits k
          where k.entity_id = f.entity_id and k.defect_id = f.defect_id and k.link_em <> 'release')`,
  );
  return changed;
}

/** `found` are all pairs of this kind. A pair that is linked in another way keeps that. */
async function storeLinks(
  db: Database,
  entityId: number,
  kind: 'defect_key' | 'issue' | 'pull_request' | 'release',
  found: RawBuilder<unknown>,
): Promise<number> {
  const added = await sql`
    insert into defect_commits (entity_id, defect_id, commit_id, link_em)
    select distinct ${entityId}::bigint, n.defect_id, n.commit_id, ${kind} from (${found}) n
    on conflict (entity_id, defect_id, commit_id) do nothing`.execute(db);
  const removed = await sql`
    delete from defect_commits k where k.entity_id = ${entityId} and k.link_em = ${kind}
      and (k.defect_id, k.commit_id) not in (select n.defect_id, n.commit_id from (${found}) n)`.execute(db);
  return Number(added.numAffectedRows ?? 0n) + Number(removed.numAffectedRows ?? 0n);
}

interface Pair {
  readonly defect_id: number;
  readonly commit_id: number;
}

async function findNamedCommits(db: Database, entityId: number): Promise<Pair[]> {
  const defects = await db
    .selectFrom('critical_defects')
    .select(['id', 'defect_key', 'detected_at'])
    .where('entity_id', '=', entityId)
    .execute();
  const byKey = new Map<string, { id: number; since: number }[]>();
  for (const { id, defect_key, detected_at } of defects) {
    if (!LINKABLE.test(defect_key)) continue;
    const since = Date.parse(detected_at) - LEAD_DAYS * 86_400_000;
    const key = defect_key.toLowerCase();
    byKey.set(key, [...(byKey.get(key) ?? []), { id, since }]);
  }
  if (byKey.size === 0) return [];
  const earliest = new Date(Math.min(...[...byKey.values()].flat().map(({ since }) => since)));
  const pairs: Pair[] = [];
  let after = 0;
  for (;;) {
    const { rows } = await sql<{ id: number; authored_at: string; message: string }>`
      select id, authored_at, message from commits
      where entity_id = ${entityId} and id > ${after} and authored_at >= ${earliest} and presence = 'existent'
      order by id limit ${COMMITS_PER_QUERY}`.execute(db);
    for (const { id, authored_at, message } of rows) {
      for (const word of new Set(message.toLowerCase().match(WORDS) ?? [])) {
        for (const defect of byKey.get(word) ?? []) {
          if (Date.parse(authored_at) >= defect.since) pairs.push({ defect_id: defect.id, commit_id: id });
        }
      }
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < COMMITS_PER_QUERY) return pairs;
    after = last.id;
  }
}

const YEAR_DAYS = 365;
const FIXED = sql.raw(sumLines('x', CHURN_OPERATIONS));
const TAKEN = sql.raw(sumLines('x', FLOW_OPERATIONS));

// A copy of a fix changes the same lines again, so it counts only where a call names it itself.
const ORIGINS = (entityId: number): RawBuilder<unknown> => sql`
  select k.defect_id, k.commit_id as fix_commit_id, f.origin_commit_id,
    sum(f.fixed)::int as lines, sum(f.ai)::bigint as ai_lines, c.authored_at as fixed_at
  from defect_commits k
  join commits c on c.entity_id = k.entity_id and c.id = k.commit_id and not c.is_merge and c.presence = 'existent'
    and (c.not_counted is null and c.counted_in is null or k.link_em = 'sha')
  join lateral (
    select x.origin_commit_id, ${FIXED} as fixed, coalesce(x.ai_lines, 0)::numeric * (${FIXED}) / nullif(${TAKEN}, 0) as ai
    from line_flows x
    where x.entity_id = ${entityId} and x.commit_id = k.commit_id and x.origin_commit_id is not null
      and x.age = any(${[...agesBelow(YEAR_DAYS)]}::age_bucket[]) and not (x.category = any(${BLAMELESS_CATEGORY_IDS}))) f on f.fixed > 0
  where k.entity_id = ${entityId}
  group by k.defect_id, k.commit_id, f.origin_commit_id, c.authored_at`;

/** Traces fixes to the commits at fault, and those to the release that shipped them. Returns how many rows changed. */
export async function traceOrigins(db: Database, entityId: number): Promise<number> {
  const origins = ORIGINS(entityId);
  const removed = await sql`
    delete from defect_origins o where o.entity_id = ${entityId}
      and (o.defect_id, o.fix_commit_id, o.origin_commit_id) not in (
        select n.defect_id, n.fix_commit_id, n.origin_commit_id from (${origins}) n)`.execute(db);
  const stored = await sql`
    insert into defect_origins (entity_id, defect_id, fix_commit_id, origin_commit_id, lines, ai_lines, fixed_at)
    select ${entityId}::bigint, n.* from (${origins}) n
    on conflict (entity_id, defect_id, fix_commit_id, origin_commit_id) do update
      set lines = excluded.lines, ai_lines = excluded.ai_lines, fixed_at = excluded.fixed_at
      where (defect_origins.lines, defect_origins.ai_lines, defect_origins.fixed_at)
        is distinct from (excluded.lines, excluded.ai_lines, excluded.fixed_at)`.execute(db);
  const released = await sql`
    update critical_defects d set origin_release_id = n.release_id
    from (
      select e.id, coalesce(
        (select c.release_id from defect_origins o
         join release_commits c on c.entity_id = o.entity_id and c.commit_id = o.origin_commit_id
         join releases r on r.entity_id = c.entity_id and r.id = c.release_id
         where o.entity_id = e.entity_id and o.defect_id = e.id
         group by c.release_id, r.released_at order by sum(o.lines) desc, r.released_at, c.release_id limit 1),
        (select r.id from defect_scopes s
         join releases r on r.entity_id = s.entity_id and r.repo_id = s.repo_id and r.released_at <= e.detected_at
         where s.entity_id = e.entity_id and s.defect_id = e.id
         order by r.released_at desc, r.id desc limit 1)) as release_id
      from critical_defects e where e.entity_id = ${entityId}) n
    where d.entity_id = ${entityId} and d.id = n.id and d.origin_release_id is distinct from n.release_id`.execute(db);
  return [removed, stored, released].reduce((sum, { numAffectedRows = 0n }) => sum + Number(numAffectedRows), 0);
}
