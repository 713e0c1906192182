// Marks the bugs of an entity that escaped into a release. Writes only what has changed, and gives how many rows that was.
import { agesBelow, BLAMELESS_CATEGORY_IDS, CHURN_OPERATIONS } from '../../domain/commits/line-model.ts';
import { sumLines } from '../../storage/commits/line-columns.ts';
import type { Store } from '../../storage/database/handle.ts';
import { longStatement } from '../../storage/database/long-transaction.ts';

const YOUNG = agesBelow(365)
  .map((age) => `'${age}'`)
  .join(', ');
const CHANGED = sumLines('w', CHURN_OPERATIONS);

/** Labels of bugs that were met in production: "production", "found in prod", "found-in:production". */
const FOUND_IN_PRODUCTION = '^(found[-_ ]?in[-_ :/=]*)?prod(uction)?$';

/**
 * A bug escaped when it was opened after the release that shipped most of the lines its fix had to change;
 * where no such lines are known, when a label says that it was found in production, after any release of a repo it touches.
 */
const MARK_ESCAPED = `
  with shipped as (
    select distinct on (i.id) i.id, s.released_at
    from issues i
    join issue_commits n on n.entity_id = i.entity_id and n.issue_id = i.id
    join line_flows w on w.entity_id = n.entity_id and w.commit_id = n.commit_id
      and w.age in (${YOUNG}) and w.category not in (${BLAMELESS_CATEGORY_IDS.join(', ')})
    join release_commits q on q.entity_id = w.entity_id and q.commit_id = w.origin_commit_id
    join releases s on s.entity_id = q.entity_id and s.id = q.release_id
    where i.entity_id = $1 and i.is_bug and ${CHANGED} > 0
    group by i.id, s.id, s.released_at
    order by i.id, sum(${CHANGED}) desc, s.released_at, s.id
  ), judged as (
    select i.id, coalesce(
      i.opened_at > s.released_at,
      exists (select from unnest(i.labels || i.found_in) as l (label) where l.label ~* '${FOUND_IN_PRODUCTION}') and exists (
        select 1 from issue_commits n
        join commits c on c.entity_id = n.entity_id and c.id = n.commit_id
        join releases s on s.entity_id = c.entity_id and s.repo_id = c.repo_id and s.released_at < i.opened_at
        where n.entity_id = i.entity_id and n.issue_id = i.id), false) as is_escaped
    from issues i left join shipped s on s.id = i.id
    where i.entity_id = $1 and i.is_bug
  )
  update issues set is_escaped = j.is_escaped from judged j
  where issues.entity_id = $1 and issues.id = j.id and issues.is_escaped is distinct from j.is_escaped`;

export const markEscaped = async ({ db }: Store, entityId: number): Promise<number> =>
  Number((await longStatement(db, MARK_ESCAPED, [entityId])).numAffectedRows ?? 0n);
