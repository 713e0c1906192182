// Provisioning: a person, their entity and their connection to a code host, in one call. The host is asked
// before anything is written; what the token can see is fetched by a job.

import { StrataError } from '../../../domain/errors.ts';
import {
  type CodeHost,
  type HostAccount,
  HostError,
  type HostOrganization,
  type HostUser,
  hostKeyOf,
} from '../../../domain/repos/code-host.ts';
import { listQueueOptions } from '../../../domain/repos/import-queue.ts';
import { insertApiToken } from '../../../storage/access/api-tokens.ts';
import { ensureMembership, findOrCreateUser } from '../../../storage/access/users.ts';
import { forgetDenials } from '../../../storage/collect/streams.ts';
import type { Database } from '../../../storage/database/handle.ts';
import { inTransaction } from '../../../storage/database/in-transaction.ts';
import { enqueue } from '../../../storage/queue/queue.ts';
import {
  connectionSecretContext,
  storeConnection,
  storeOrganizations,
} from '../../../storage/repos/provider-connections.ts';
import type { OperationParts } from '../../operation-parts.ts';
import { type Actor, OPERATOR } from '../actor.ts';
import type { Grant } from '../grant.ts';
import { hashTokenSecret, newTokenSecret } from '../token-secret.ts';
import { readEmail } from '../users.ts';
import { chooseEntity } from './choose-entity.ts';
import { type ProvisionUserInput, readConnectionInput } from './connection-input.ts';
import { explainHostError } from './host-refusal.ts';

export interface ProvisionUserResult {
  readonly entity_slug: string;
  readonly email: string;
  readonly organization_count: number;
  /** False when the time ended before the host had listed them all; the job goes on. */
  readonly is_complete: boolean;
  /** For another entity than the caller's own. */
  readonly api_token: string | null;
}

export interface ProvisionUserOperations {
  /** `signal` ends the wait for the host when nobody waits for the answer. */
  provision(
    grant: Grant<'admin'>,
    input: ProvisionUserInput,
    context: { readonly signal: AbortSignal; warn(message: string): void },
  ): Promise<ProvisionUserResult>;
}

const VERIFICATION_MILLISECONDS = 10_000;
const NEAR_EXPIRY_DAYS = 7;
const DAY_MS = 86_400_000;

interface Verified {
  readonly user: HostUser;
  readonly organizations: readonly HostOrganization[];
  readonly is_complete: boolean;
}

export function createProvisionUserOperations(parts: OperationParts): ProvisionUserOperations {
  const { store, now } = parts;

  const verify = async (account: HostAccount, signal: AbortSignal): Promise<Verified> => {
    if (parts.codeHosts === undefined) throw new Error('there are no connectors to code hosts');
    const limit = AbortSignal.timeout(parts.verificationMilliseconds ?? VERIFICATION_MILLISECONDS);
    const either = AbortSignal.any([signal, limit]);
    try {
      return await verifyAtHost(parts.codeHosts.connect(account), either);
    } catch (error) {
      if (error instanceof HostError) throw explainHostError(error, account);
      throw error;
    }
  };

  return {
    async provision({ actor, entity: own }, input, { signal, warn }) {
      const wanted = input.entity_slug?.toLowerCase();
      const isOwn = wanted === own.slug;
      if (!isOwn) requireOtherEntity(actor, own.slug);
      const email = readEmail(input.email);
      const connection = readConnectionInput(input, now());
      const { secrets } = parts;
      if (secrets === undefined) throw new Error('there is no key to seal tokens with');

      const verified = await verify({ ...connection, email, token: input.git_provider_token }, signal);
      const expiresAt = input.git_provider_token_expires_at ?? verified.user.token_expires_at;
      warnOfExpiry(expiresAt, now(), warn);

      const apiToken = isOwn ? null : newTokenSecret();
      const entitySlug = await inTransaction(store.db, async (trx) => {
        const user = await findOrCreateUser(
          trx,
          { email, full_name: input.user_name?.trim() || null, avatar_url: input.avatar_url ?? null },
          now(),
        );
        const entity = isOwn ? { ...own, isNew: false } : await chooseEntity(trx, user, wanted);
        const role = entity.isNew ? 'admin' : 'member';
        await ensureMembership(trx, { entity_id: entity.id, user_id: user.id, role }, now());
        const context = connectionSecretContext(entity.id, user.id, connection.provider);
        const stored = await storeConnection(
          trx,
          {
            entity_id: entity.id,
            user_id: user.id,
            git_provider_em: connection.provider,
            endpoint_url: connection.endpoint_url,
            host_key: hostKeyOf(connection.provider, connection.endpoint_url),
            organization_name: connection.organization_name,
            tenant_id: connection.tenant_id,
            token_sealed: secrets.seal(input.git_provider_token, context),
            token_expires_at: expiresAt,
          },
          now(),
        );
        await forgetDenials(trx, { entityId: entity.id, source: 'host', connectionId: stored.id }, now());
        await storeOrganizations(trx, { entityId: entity.id, connectionId: stored.id }, verified.organizations, now());
        await enqueueCaching(trx, entity.id, stored.id);
        if (apiToken !== null) {
          await insertApiToken(trx, {
            entity_id: entity.id,
            user_id: user.id,
            name: 'provision_user',
            token_sha256: hashTokenSecret(apiToken),
            created_by: actor === OPERATOR ? null : actor.user_id,
            expires_at: null,
          });
        }
        return entity.slug;
      });
      return {
        entity_slug: entitySlug,
        email,
        organization_count: verified.organizations.length,
        is_complete: verified.is_complete,
        api_token: apiToken,
      };
    },
  };
}

/** The same refusal whether or not the entity exists. */
function requireOtherEntity(actor: Actor, own: string): void {
  if (actor === OPERATOR || actor.is_super_admin) return;
  throw new StrataError(
    'forbidden',
    `this needs a super admin, unless entity_slug names the token's own entity, ${own}`,
    { errors: { entity_slug: [`expected ${own}`] } },
  );
}

/** Who the token belongs to, and all organizations that can be listed before time is up. */
async function verifyAtHost(host: CodeHost, signal: AbortSignal): Promise<Verified> {
  const user = await host.whoAmI(signal);
  const organizations: HostOrganization[] = [];
  let pageCount = 0;
  try {
    for await (const page of host.listOrganizations(user, signal)) {
      organizations.push(...page);
      // The personal account is known without asking.
      if (!page.every(({ is_personal }) => is_personal)) pageCount += 1;
    }
  } catch (error) {
    const isLate = error instanceof HostError && error.failure === 'timeout';
    // A token that has listed a page is good; the rest is the job's.
    if (!isLate || pageCount === 0) throw error;
    return { user, organizations, is_complete: false };
  }
  return { user, organizations, is_complete: true };
}

function warnOfExpiry(expiresAt: Date | null, now: Date, warn: (message: string) => void): void {
  if (expiresAt === null) return;
  const days = Math.floor((expiresAt.getTime() - now.getTime()) / DAY_MS);
  if (days < NEAR_EXPIRY_DAYS) {
    warn(`the token of the code host expires at ${expiresAt.toISOString()}; send a new one before that`);
  }
}

/** In the caller's transaction: the job exists exactly when the connection does. */
function enqueueCaching(db: Database, entityId: number, connectionId: number): Promise<number> {
  const payload = { entity_id: entityId, connection_id: connectionId };
  return enqueue(db, 'cache_provider_repos', payload, listQueueOptions(payload));
}
