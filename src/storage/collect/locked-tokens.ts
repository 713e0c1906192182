// Tokens of code hosts and trackers that the key at hand does not open, as after a restore without it.
import { sql } from 'kysely';
import type { SecretBox } from '../../kit/sealed-secret.ts';
import type { Database } from '../database/handle.ts';
import { connectionSecretContext } from '../repos/provider-connections.ts';
import { trackerSecretContext } from '../work/trackers.ts';

interface TokenId {
  readonly source: 'host' | 'tracker';
  readonly id: number;
}

/** In place of why a host refused it: the key here is another one, or there is none here. */
export type LockedReason = 'sealed_with_another_key' | 'no_secret_key';

export interface LockedToken extends TokenId {
  readonly why: LockedReason;
}

interface SealedToken extends TokenId {
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
  return (await listSealed(db, entityId)).flatMap((token): LockedToken[] => {
    const isOpen = isOpened(token, secrets);
    if (isOpen === true) return [];
    const { source, id } = token;
    return [{ source, id, why: isOpen === null ? 'no_secret_key' : 'sealed_with_another_key' }];
  });
}

async function listSealed(db: Database, entityId: number | null): Promise<SealedToken[]> {
  const { rows } = await sql<SealedToken>`
    select * from (
      select 'host' as source, id, entity_id, git_provider_em as kind, user_id, host_key, token_sealed
      from provider_connections
      union all
      select 'tracker', id, entity_id, kind, 0, host_key, token_sealed from trackers where token_sealed is not null) t
    where ${entityId}::bigint is null or entity_id = ${entityId}::bigint`.execute(db);
  return rows;
}

function isOpened(token: SealedToken, secrets: SecretBox): boolean | null {
  const { source, entity_id, kind, user_id, host_key } = token;
  const context =
    source === 'host'
      ? connectionSecretContext(entity_id, user_id, kind)
      : trackerSecretContext(entity_id, kind, host_key);
  return secrets.opens(token.token_sealed, context);
}
