// Tokens of code hosts and trackers that the key at hand does not open, as after a restore without it.
import { sql } from 'kysely';
import type { SecretBox } from '../../kit/sealed-secret.ts';
import type { Database } from '../database/handle.ts';
import { connectionSecretContext } from '../repos/provider-connections.ts';
import { trackerSecretContext } from '../work/trackers.ts';

/** In place of why a host refused it. */
export const LOCKED_TOKEN = 'sealed_with_another_key';

export interface LockedToken {
  readonly source: 'host' | 'tracker';
  readonly id: number;
}

interface SealedToken extends LockedToken {
  readonly entity_id: number;
  readonly kind: string;
  readonly user_id: number;
  readonly host_key: string;
  readonly token_sealed: Buffer;
}

/** Of one entity, or of all. */
export async function listLockedTokens(
  db: Database,
  secrets: SecretBox,
  entityId: number | null,
): Promise<LockedToken[]> {
  const { rows } = await sql<SealedToken>`
    select * from (
      select 'host' as source, id, entity_id, git_provider_em as kind, user_id, host_key, token_sealed
      from provider_connections
      union all
      select 'tracker', id, entity_id, kind, 0, host_key, token_sealed from trackers where token_sealed is not null) t
    where ${entityId}::bigint is null or entity_id = ${entityId}::bigint`.execute(db);
  return rows.filter((token) => !isOpened(token, secrets));
}

function isOpened(token: SealedToken, secrets: SecretBox): boolean {
  const { source, entity_id, kind, user_id, host_key } = token;
  const context =
    source === 'host'
      ? connectionSecretContext(entity_id, user_id, kind)
      : trackerSecretContext(entity_id, kind, host_key);
  try {
    secrets.open(token.token_sealed, context);
    return true;
  } catch {
    return false;
  }
}
