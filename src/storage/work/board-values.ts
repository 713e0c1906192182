// Stores what issues have on boards across repos. The host tells only what stands there now: a value that differs from the
// stored one is a further row, and one that is gone ends at the time of the look.
import { sql } from 'kysely';
import { cleanText } from '../../domain/collect/clean-text.ts';
import type { BoardItems } from '../../domain/work/board.ts';
import { rowsOf } from '../collect/rows.ts';
import type { Database } from '../database/handle.ts';
import type { OrganizationPlace } from '../teams/host-teams.ts';

const KEY = { board_id: 'text', issue_external_id: 'text' } as const;

/** In the caller's transaction. */
export async function storeBoardItems(
  db: Database,
  { entityId, hostKey, organizationExternalId }: OrganizationPlace,
  { list, is_complete }: BoardItems,
  { now, walkStartedAt }: { readonly now: Date; readonly walkStartedAt: Date },
): Promise<void> {
  const seenAt = sql`${now.toISOString()}::timestamptz`;
  const items = [...new Map(list.map((item) => [`${item.board_id} ${item.issue_external_id}`, item])).values()];
  const values = items.flatMap(({ board_id, issue_external_id, values: own }) =>
    [...new Map(own.map((each) => [each.field_name, each])).values()].map((each) => ({
      board_id,
      issue_external_id,
      kind: each.kind,
      field_name: cleanText(each.field_name),
      value: each.value,
      changed_at: each.changed_at,
    })),
  );
  const columns = { ...KEY, kind: 'text', field_name: 'text', value: 'text', changed_at: 'timestamptz' } as const;
  await sql`
    insert into board_values (entity_id, host_key, organization_external_id, board_id, issue_external_id, kind, field_name,
      changed_at, value, seen_at)
    select ${entityId}::bigint, ${hostKey}::text, ${organizationExternalId}::text, t.board_id, t.issue_external_id, t.kind,
      t.field_name, t.changed_at, t.value, ${seenAt}
    from ${rowsOf(values, columns)}
    on conflict (entity_id, host_key, board_id, issue_external_id, field_name, changed_at) do update
      set value = excluded.value, seen_at = excluded.seen_at,
        organization_external_id = excluded.organization_external_id`.execute(db);
  // Of issues on this page a field without a value has lost it; at the end of the walk, whatever it has not shown.
  const isListed = sql`exists (select from ${rowsOf(
    items.map(({ board_id, issue_external_id }) => ({ board_id, issue_external_id })),
    KEY,
  )} where t.board_id = v.board_id and t.issue_external_id = v.issue_external_id)`;
  const isUnseen = sql`v.seen_at < ${walkStartedAt.toISOString()}::timestamptz`;
  await sql`
    insert into board_values (entity_id, host_key, organization_external_id, board_id, issue_external_id, kind, field_name,
      changed_at, value, seen_at)
    select v.entity_id, v.host_key, v.organization_external_id, v.board_id, v.issue_external_id, v.kind, v.field_name,
      ${seenAt}, null, ${seenAt}
    from board_values v
    where v.entity_id = ${entityId} and v.host_key = ${hostKey}
      and v.organization_external_id = ${organizationExternalId} and v.value is not null and v.seen_at < ${seenAt}
      and (${isListed}${is_complete ? sql` or ${isUnseen}` : sql``})
      and not exists (
        select from board_values n where n.entity_id = v.entity_id and n.host_key = v.host_key and n.board_id = v.board_id
          and n.issue_external_id = v.issue_external_id and n.field_name = v.field_name and n.changed_at > v.changed_at)
    on conflict do nothing`.execute(db);
}
