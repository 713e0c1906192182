// The issues that calls say a release deployed, as far as they are known.
import { type RawBuilder, sql } from 'kysely';

/** A key in any case; a bare number is an issue of the repo's own host. */
export const namedIssues = (entityId: number): RawBuilder<unknown> => sql`
  select k.release_id, r.repo_id, r.released_at, p.organization_id, i.id as issue_id, i.key, i.type, i.opened_at, i.title
  from release_issue_keys k
  join releases r on r.entity_id = k.entity_id and r.id = k.release_id
  join repos p on p.entity_id = r.entity_id and p.id = r.repo_id
  join organizations o on o.entity_id = p.entity_id and o.id = p.organization_id
  join issues i on i.entity_id = k.entity_id and lower(i.key) = any(array[
    lower(k.issue_key), lower(o.slug || '/' || p.slug) || '#' || ltrim(k.issue_key, '#')])
  where k.entity_id = ${entityId}`;
