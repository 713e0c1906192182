// Webhooks: made for a connection, and received. A delivery is verified, kept from being taken twice, and makes due what
// it hints at.

import { randomBytes } from 'node:crypto';
import { collectQueueOptions } from '../../domain/collect/collect-queue.ts';
import { StrataError } from '../../domain/errors.ts';
import { importQueueOptions } from '../../domain/repos/import-queue.ts';
import type { Delivery, Hint, WebhookKind } from '../../ingest/webhooks/webhook.ts';
import { WEBHOOK_KINDS } from '../../ingest/webhooks/webhook-kinds.ts';
import type { SecretBox } from '../../kit/sealed-secret.ts';
import {
  findHintedRepo,
  findHook,
  type HookRow,
  hookSecretContext,
  hurryStreams,
  insertHook,
  listHooks,
  recordDelivery,
  removeHook,
  wantRefetches,
} from '../../storage/collect/hooks.ts';
import { listTokens } from '../../storage/collect/overview.ts';
import type { Database } from '../../storage/database/handle.ts';
import { inTransaction } from '../../storage/database/in-transaction.ts';
import { enqueue } from '../../storage/queue/queue.ts';
import type { Actor } from '../access/actor.ts';
import type { AccessOperations } from '../access/grant.ts';
import type { OperationParts } from '../operation-parts.ts';

export interface HookRecord {
  readonly id: number;
  readonly host: string;
  readonly address: string;
  readonly verified_at: string | null;
  readonly last_delivery_at: string | null;
}

/** The only answer that ever holds the secret. */
export interface CreatedHook extends HookRecord {
  readonly secret: string;
}

export interface HookOperations {
  /** With a secret of the host's own, where it does not take ours. */
  create(actor: Actor, entity: string, hostKey: string, ownSecret?: string): Promise<CreatedHook>;
  list(actor: Actor, entity: string): Promise<HookRecord[]>;
  /** By its address, or the last part of it. */
  remove(actor: Actor, entity: string, address: string): Promise<HookRecord>;
  /** What takes deliveries to an address. Throws unauthorized for one that nobody has, which looks like a bad signature. */
  open(provider: string, pathPart: string): Promise<TakeDelivery>;
}

/** Throws unauthorized for a bad signature. */
export type TakeDelivery = (delivery: Delivery) => Promise<void>;

const RANDOM_BYTES = 24;
const SIGNING_KEY_BYTES = 32;
/** The entity's id and random characters; anything else is of no hook, and may hold what the database cannot compare. */
const PATH_PART = /^(\d{1,15})-[\w-]{1,100}$/;
const MINUTE_MS = 60_000;
/** Hosts send several events for one change. */
const DEBOUNCE_MS = 10_000;

export function createHookOperations(
  parts: OperationParts,
  access: Pick<AccessOperations, 'enterEntity'>,
): HookOperations {
  const { db } = parts.store;
  const recordOf = (hook: HookRow): HookRecord => ({
    id: hook.id,
    host: hook.host_key,
    address: `${parts.links?.baseUrl() ?? ''}/hooks/${hook.provider_em}/${hook.path_part}`,
    verified_at: hook.verified_at,
    last_delivery_at: hook.last_delivery_at,
  });
  /** Null where it was sealed with another key, as before a restore without it: then nothing proves a delivery. */
  const secretOf = (hook: HookRow, secrets: SecretBox): string | null => {
    try {
      return secrets.open(hook.secret_sealed, hookSecretContext(hook.entity_id, hook.path_part));
    } catch (err) {
      const fields = { err, entity_id: hook.entity_id, host: hook.host_key };
      parts.log.warn(
        fields,
        'the secret of a webhook cannot be opened: bring secret.key back, or make the webhook anew',
      );
      return null;
    }
  };
  return {
    async create(actor, entitySlug, hostKey, ownSecret) {
      const { entity } = await access.enterEntity(actor, entitySlug, 'admin');
      if (parts.secrets === undefined) throw new Error('there is no key to seal secrets with');
      const tokens = await listTokens(db, entity.id);
      const token = tokens.find(({ host_key }) => host_key === hostKey);
      if (token === undefined) {
        const known = [...new Set(tokens.map(({ host_key }) => host_key))].join(', ') || 'none';
        throw new StrataError(
          'not_found',
          `there is no connection to "${hostKey.slice(0, 100)}"; connected are: ${known}`,
        );
      }
      const kind = (WEBHOOK_KINDS as Readonly<Record<string, WebhookKind>>)[token.kind];
      if (kind === undefined) throw new StrataError('unprocessable', `webhooks of ${hostKey} are not read`);
      const pathPart = `${entity.id}-${randomBytes(RANDOM_BYTES).toString('base64url')}`;
      const secret = ownSecret ?? makeSecret(kind);
      await insertHook(db, {
        entity_id: entity.id,
        host_key: hostKey,
        provider_em: token.kind,
        path_part: pathPart,
        secret_sealed: parts.secrets.seal(secret, hookSecretContext(entity.id, pathPart)),
        source: token.source,
        connection_id: token.id,
        created_at: parts.now(),
      });
      return { ...recordOf((await findHook(db, entity.id, pathPart))!), secret };
    },

    async list(actor, entitySlug) {
      const { entity } = await access.enterEntity(actor, entitySlug, 'member');
      return (await listHooks(db, entity.id)).map(recordOf);
    },

    async remove(actor, entitySlug, address) {
      const { entity } = await access.enterEntity(actor, entitySlug, 'admin');
      const pathPart = address.slice(address.lastIndexOf('/') + 1);
      const hook = PATH_PART.test(pathPart) ? await findHook(db, entity.id, pathPart) : undefined;
      if (hook === undefined) {
        const message = `${entity.slug} has no webhook "${address.slice(0, 200)}"; expected an address that strata webhook list shows`;
        throw new StrataError('not_found', message);
      }
      await removeHook(db, hook, parts.now());
      return recordOf(hook);
    },

    async open(provider, pathPart) {
      const refused = () => new StrataError('unauthorized', 'this delivery is not accepted');
      const kind = Object.entries(WEBHOOK_KINDS).find(([name]) => name === provider)?.[1];
      const entityId = Number(PATH_PART.exec(pathPart)?.[1]);
      if (kind === undefined || !Number.isSafeInteger(entityId) || parts.secrets === undefined) throw refused();
      const hook = await findHook(db, entityId, pathPart);
      if (hook === undefined || hook.provider_em !== provider) throw refused();
      const secret = secretOf(hook, parts.secrets);
      if (secret === null) throw refused();
      return async (delivery) => {
        const now = parts.now();
        if (!kind.isGenuine(delivery, secret, now)) {
          const fields = { entity_id: hook.entity_id, host: hook.host_key };
          parts.log.warn(fields, 'a webhook was refused: it is not signed with the secret of its address');
          throw refused();
        }
        const hint = readHint(() => kind.readHint(delivery));
        await inTransaction(db, async (trx) => {
          const id = kind.deliveryId(delivery);
          const event = kind.eventName(delivery).slice(0, 100);
          const isNew = id === null || (await recordDelivery(trx, hook, { id: id.slice(0, 200), event, at: now }));
          if (isNew && hint !== null) await follow(trx, hook, hint, now);
        });
      };
    },
  };
}

const makeSecret = (kind: WebhookKind): string =>
  kind.secret === 'signing_key'
    ? `whsec_${randomBytes(SIGNING_KEY_BYTES).toString('base64')}`
    : randomBytes(RANDOM_BYTES).toString('base64url');

/** What cannot be read is no hint; the next walk finds what it was about. */
function readHint(read: () => Hint | null): Hint | null {
  try {
    return read();
  } catch {
    return null;
  }
}

async function follow(db: Database, hook: HookRow, hint: Hint, now: Date): Promise<void> {
  const { entity_id: entityId, host_key: hostKey } = hook;
  const soon = new Date(now.getTime() + DEBOUNCE_MS);
  const repo =
    hint.repo_external_id === null
      ? undefined
      : await findHintedRepo(db, { entityId, hostKey, externalId: hint.repo_external_id });
  const place = {
    entityId,
    hostKey,
    repoId: repo?.id ?? null,
    organizationExternalId: hint.organization_external_id,
    trackerId: hook.source === 'tracker' ? hook.connection_id : null,
  };
  const later = new Date(now.getTime() + (hint.delayMinutes ?? 0) * MINUTE_MS);
  await hurryStreams(db, place, hint.streams, later > soon ? later : soon);
  if (repo !== undefined) {
    await wantRefetches(db, { entityId, hostKey, repoId: repo.id }, hint.items, { now, notBefore: soon });
    if (hint.isPush && repo.import_id !== null) {
      const payload = { entity_id: entityId, import_id: repo.import_id };
      const options = { ...importQueueOptions(payload), jobKeyMode: 'preserve_run_at' as const, runAt: soon };
      await enqueue(db, 'import_repo', payload, options);
    }
  }
  if (hook.source !== 'host' && hook.source !== 'tracker') return;
  const payload = { entity_id: entityId, source: hook.source, connection_id: hook.connection_id };
  const options = { ...collectQueueOptions(payload), jobKeyMode: 'preserve_run_at' as const, runAt: soon };
  await enqueue(db, 'collect', payload, options);
}
