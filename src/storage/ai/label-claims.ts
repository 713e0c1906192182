// Claims about commits that follow from labels of their pull requests: made with the label, and gone with it.
import { sql } from 'kysely';
import { AI_LABELS } from '../../domain/ai/pull-request-labels.ts';
import { rowsOf } from '../collect/rows.ts';
import type { Database } from '../database/handle.ts';
import type { ReviewPlace } from '../reviews/place.ts';

export async function storeLabelClaims(db: Database, { entityId, repoId }: ReviewPlace, now: Date): Promise<void> {
  const labels = rowsOf(
    AI_LABELS.map((row) => ({ ...row })),
    { label: 'text', tool: 'text', provider: 'text', model: 'text' },
  );
  const claimed = sql`
    select distinct encode(k.sha, 'hex') as sha, t.tool, t.provider, t.model
    from pull_requests p
    cross join ${labels}
    join (
      select n.pull_request_id, n.sha from pull_request_commits n
      where n.entity_id = ${entityId} and n.repo_id = ${repoId} and n.removed_at is null
      union
      select l.pull_request_id, l.sha from pull_request_landings l
      where l.entity_id = ${entityId} and l.repo_id = ${repoId}) k on k.pull_request_id = p.id
    where p.entity_id = ${entityId} and p.repo_id = ${repoId}
      and exists (select from unnest(p.labels) as l(name) where lower(l.name) = t.label)`;
  await sql`
    delete from ai_commit_claims x where x.entity_id = ${entityId} and x.source_em = 'pr_label'
      and exists (select from commits c
        where c.entity_id = x.entity_id and c.repo_id = ${repoId} and c.sha = decode(x.sha, 'hex'))
      and (x.sha, x.tool_em) not in (select k.sha, k.tool from (${claimed}) k)`.execute(db);
  await sql`
    insert into ai_commit_claims (entity_id, sha, source_em, ai_provider_em, tool_em, llm_model_name, claimed_at)
    select ${entityId}::bigint, k.sha, 'pr_label', k.provider, k.tool, k.model, ${now.toISOString()}::timestamptz
    from (${claimed}) k
    on conflict (entity_id, sha, source_em, tool_em) do nothing`.execute(db);
}
