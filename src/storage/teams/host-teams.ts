// Stores teams as a host reports them, with all members; the entity's own teams are made from these.
import { sql } from 'kysely';
import { cleanText } from '../../domain/collect/clean-text.ts';
import type { HostTeam } from '../../domain/teams/host-team.ts';
import { rowsOf } from '../collect/rows.ts';
import type { Database } from '../database/handle.ts';
import type { KnownAccounts } from '../people/host-accounts.ts';

export interface OrganizationPlace {
  readonly entityId: number;
  readonly hostKey: string;
  readonly organizationExternalId: string;
}

export async function storeHostTeams(
  db: Database,
  { entityId, hostKey, organizationExternalId }: OrganizationPlace,
  { list, is_complete }: { readonly list: readonly HostTeam[]; readonly is_complete: boolean },
  known: KnownAccounts,
  times: { readonly now: Date; readonly walkStartedAt: Date },
): Promise<void> {
  const teams = [...new Map(list.map((team) => [team.external_id, team])).values()];
  const seenAt = times.now.toISOString();
  await sql`
    insert into host_teams (entity_id, host_key, external_id, organization_external_id, parent_external_id, slug, name, seen_at)
    select ${entityId}::bigint, ${hostKey}::text, t.external_id, ${organizationExternalId}::text, t.parent_external_id, t.slug,
      t.name, ${seenAt}::timestamptz
    from ${rowsOf(
      teams.map(({ external_id, parent_external_id, slug, name }) => ({
        external_id,
        parent_external_id,
        slug: cleanText(slug),
        name: cleanText(name),
      })),
      { external_id: 'text', parent_external_id: 'text', slug: 'text', name: 'text' },
    )}
    on conflict (entity_id, host_key, external_id) do update
      set organization_external_id = excluded.organization_external_id, parent_external_id = excluded.parent_external_id,
          slug = excluded.slug, name = excluded.name, seen_at = excluded.seen_at, deleted_at = null`.execute(db);
  const members = teams.flatMap((team) =>
    team.members.flatMap(({ account, role, is_inherited }) => {
      const found = known.get(account.external_id);
      return found === undefined ? [] : [{ team: team.external_id, account_id: found.account_id, role, is_inherited }];
    }),
  );
  const lines = rowsOf(members, { team: 'text', account_id: 'bigint', role: 'text', is_inherited: 'boolean' });
  const teamIds = sql`select h.id from host_teams h where h.entity_id = ${entityId} and h.host_key = ${hostKey}
    and h.external_id = any(${teams.map(({ external_id }) => external_id)}::text[])`;
  await sql`
    delete from host_team_members m where m.entity_id = ${entityId} and m.team_id in (${teamIds})
      and (m.team_id, m.account_id) not in (
        select h.id, t.account_id from ${lines}
        join host_teams h on h.entity_id = ${entityId} and h.host_key = ${hostKey} and h.external_id = t.team)`.execute(
    db,
  );
  await sql`
    insert into host_team_members (entity_id, team_id, account_id, role, is_inherited)
    select distinct on (h.id, t.account_id) h.entity_id, h.id, t.account_id, t.role, t.is_inherited
    from ${lines}
    join host_teams h on h.entity_id = ${entityId} and h.host_key = ${hostKey} and h.external_id = t.team
    order by h.id, t.account_id, t.is_inherited
    on conflict (entity_id, team_id, account_id) do update
      set role = excluded.role, is_inherited = excluded.is_inherited`.execute(db);
  if (!is_complete) return;
  await sql`
    update host_teams set deleted_at = ${seenAt}::timestamptz
    where entity_id = ${entityId} and host_key = ${hostKey} and organization_external_id = ${organizationExternalId}
      and deleted_at is null and seen_at < ${times.walkStartedAt.toISOString()}::timestamptz`.execute(db);
}
