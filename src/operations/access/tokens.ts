// API tokens: made, listed, revoked, and checked on every request.
import type { Caller } from '../../domain/access/caller.ts';
import { StrataError } from '../../domain/errors.ts';
import {
  type ApiTokenRow,
  findApiToken,
  findApiTokenHolder,
  insertApiToken,
  listApiTokens,
  recordTokenUses,
  revokeApiToken,
} from '../../storage/access/api-tokens.ts';
import { findUser, findUserByEmail, listMemberships } from '../../storage/access/users.ts';
import type { OperationParts } from '../operation-parts.ts';
import type { CreatedToken, TokenRecord } from '../records.ts';
import { type Actor, OPERATOR } from './actor.ts';
import type { AccessOperations } from './grant.ts';
import { createLastUseRecorder } from './last-use-recorder.ts';
import { createTokenCache } from './token-cache.ts';
import { hashTokenSecret, isTokenSecret, newTokenSecret } from './token-secret.ts';
import { readEmail, refuseRightsOfSuperAdmin } from './users.ts';

export interface NewTokenInput {
  /** Slug. */
  readonly entity: string;
  readonly user_email: string;
  readonly name?: string | undefined;
  /** A date or a date and time, ISO 8601; without a zone it is UTC. */
  readonly expires_at?: string | undefined;
}

export interface TokenOperations {
  create(actor: Actor, input: NewTokenInput): Promise<CreatedToken>;
  list(actor: Actor, filter: { entity?: string | undefined }): Promise<TokenRecord[]>;
  /** By id, or by the token itself, as one has it when it leaked. */
  revoke(actor: Actor, idOrToken: string): Promise<TokenRecord>;
  /** Whom the token speaks for, or null when it speaks for nobody. */
  authenticate(secret: string): Promise<Caller | null>;
  /** Whether it authenticated somebody when it was last seen; costs no query. */
  wasValid(secret: string): boolean;
  /** Makes the next request of a token, by the hash of its secret, or of every token ask the database. */
  forget(hash?: string): void;
  /** Writes the times of last use that are still in memory. */
  close(): Promise<void>;
}

export function createTokenOperations(
  { store: { db }, log, now, elapsedMs = () => performance.now() }: OperationParts,
  access: Pick<AccessOperations, 'enterEntity'>,
): TokenOperations {
  const nowMs = (): number => now().getTime();
  const cache = createTokenCache(
    async (hash) => {
      const found = await findApiTokenHolder(db, Buffer.from(hash, 'hex'));
      if (found === null) return null;
      const { expires_at, ...caller } = found;
      return { caller, expiresAtMs: expires_at === null ? null : Date.parse(expires_at) };
    },
    { nowMs, elapsedMs },
  );
  const lastUse = createLastUseRecorder((uses) => recordTokenUses(db, uses), {
    nowMs,
    onError: (error) => log.warn({ err: error }, 'the last use of tokens could not be written; trying again'),
  });

  return {
    async create(actor, input) {
      const { entity } = await access.enterEntity(actor, input.entity, 'admin');
      const email = readEmail(input.user_email);
      const user = await findUserByEmail(db, email);
      const isMember = user !== null && (await listMemberships(db, [user.id])).some((m) => m.entity === entity.slug);
      if (user === null || !(isMember || user.is_super_admin)) {
        throw new StrataError('not_found', `${email} has no role in ${entity.slug}; give one with strata user create`);
      }
      // A token can do what its user can: nobody gives away more than they have.
      refuseRightsOfSuperAdmin(actor, user);
      const secret = newTokenSecret();
      const id = await insertApiToken(db, {
        entity_id: entity.id,
        user_id: user.id,
        name: input.name?.trim() || null,
        token_sha256: hashTokenSecret(secret),
        created_by: actor === OPERATOR ? null : actor.user_id,
        expires_at: readExpiry(input.expires_at, now()),
      });
      const row = await findApiToken(db, { id });
      return { ...tokenToRecord(row!), token: secret };
    },

    async list(actor, filter) {
      const slug = filter.entity ?? (actor === OPERATOR || actor.is_super_admin ? undefined : actor.entity_slug);
      const entity = slug === undefined ? null : (await access.enterEntity(actor, slug, 'admin')).entity;
      return (await listApiTokens(db, { entityId: entity?.id ?? null })).map(tokenToRecord);
    },

    async revoke(actor, idOrToken) {
      const isSecret = isTokenSecret(idOrToken);
      if (!isSecret && !/^\d{1,15}$/.test(idOrToken)) {
        throw new StrataError(
          'invalid_parameter',
          'expected the id of a token, as strata token list shows it, or a token',
        );
      }
      const found = await findApiToken(
        db,
        isSecret ? { sha256: hashTokenSecret(idOrToken) } : { id: Number(idOrToken) },
      );
      if (found === null) throw new StrataError('not_found', 'there is no such token');
      await access.enterEntity(actor, found.entity, 'admin');
      // Whoever has the token itself could revoke it with it.
      const user = isSecret ? null : await findUser(db, found.user_id);
      if (user !== null) refuseRightsOfSuperAdmin(actor, user);
      const hash = await revokeApiToken(db, found.id, now());
      cache.forget(hash.toString('hex'));
      return tokenToRecord((await findApiToken(db, { id: found.id }))!);
    },

    async authenticate(secret) {
      if (!isTokenSecret(secret)) return null;
      const caller = await cache.find(hashTokenSecret(secret).toString('hex'));
      if (caller?.via.kind === 'token') lastUse.note(caller.via.token_id);
      return caller;
    },

    wasValid: (secret) => isTokenSecret(secret) && cache.wasFound(hashTokenSecret(secret).toString('hex')),
    forget: (hash) => cache.forget(hash),
    close: () => lastUse.close(),
  };
}

/** Leaves out what only queries need. */
const tokenToRecord = ({ entity_id: _entity, user_id: _user, ...record }: ApiTokenRow): TokenRecord => record;

const ISO_TIME = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/;

export function readExpiry(text: string | undefined, now: Date): Date | null {
  if (text === undefined) return null;
  const hasZone = /(Z|[+-]\d{2}:?\d{2})$/.test(text.slice(10));
  const time = new Date(text.length > 10 && !hasZone ? `${text}Z` : text);
  if (!ISO_TIME.test(text) || Number.isNaN(time.getTime())) {
    throw new StrataError(
      'invalid_parameter',
      `"${text.slice(0, 100)}" is not a time; expected ISO 8601, such as 2027-01-31 or 2027-01-31T18:00:00Z`,
      { errors: { expires_at: ['malformed'] } },
    );
  }
  if (time <= now) {
    throw new StrataError('invalid_parameter', `a token cannot expire in the past (${text})`, {
      errors: { expires_at: ['in the past'] },
    });
  }
  return time;
}
