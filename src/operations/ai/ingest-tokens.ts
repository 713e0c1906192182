// Tokens for telemetry: they can send it and do nothing else, because one sits on every laptop.
import { randomBytes } from 'node:crypto';
import { StrataError } from '../../domain/errors.ts';
import { listActiveEntities } from '../../storage/access/entities.ts';
import { findUserByEmail, listMemberships } from '../../storage/access/users.ts';
import {
  findIngestHolder,
  findIngestToken,
  type IngestHolder,
  type IngestTokenRow,
  insertIngestToken,
  listIngestTokens,
  recordIngestUses,
  revokeIngestToken,
} from '../../storage/ai/ingest-tokens.ts';
import { type Actor, OPERATOR } from '../access/actor.ts';
import type { AccessOperations } from '../access/grant.ts';
import { createLastUseRecorder } from '../access/last-use-recorder.ts';
import { hashTokenSecret } from '../access/token-secret.ts';
import { readExpiry } from '../access/tokens.ts';
import { readEmail } from '../access/users.ts';
import type { OperationParts } from '../operation-parts.ts';

export interface NewIngestTokenInput {
  /** May be left out where there is one entity. */
  readonly entity?: string | undefined;
  /** Makes the token personal: what it sends is this user's, whatever the telemetry says. */
  readonly user_email?: string | undefined;
  readonly name?: string | undefined;
  readonly expires_at?: string | undefined;
}

/** Its id is `i7`: a bare 7 is an API token of somebody else. */
export type IngestToken = Omit<IngestTokenRow, 'id'> & { readonly id: string };

export interface IngestTokenOperations {
  create(actor: Actor, input: NewIngestTokenInput): Promise<IngestToken & { readonly token: string }>;
  list(actor: Actor, entity: string | undefined): Promise<IngestToken[]>;
  /** By the token itself, or by its id. Null where it names none. */
  revoke(actor: Actor, idOrToken: string): Promise<IngestToken | null>;
  authenticate(secret: string): Promise<IngestHolder | null>;
  close(): Promise<void>;
}

const SECRET = /^strata_ingest_[A-Za-z0-9_-]{43}$/;
const SHOWN_ID = /^i(\d{1,15})$/;
const shown = ({ id, ...token }: IngestTokenRow): IngestToken => ({ id: `i${id}`, ...token });
const FOUND_MS = 5_000;
const REFUSED_MS = 1_000;
const MOST_ENTRIES = 10_000;

export function createIngestTokenOperations(
  { store: { db }, log, now, elapsedMs = () => performance.now() }: OperationParts,
  access: Pick<AccessOperations, 'enterEntity'>,
): IngestTokenOperations {
  const known = new Map<string, { holder: IngestHolder | null; untilMs: number }>();
  const lastUse = createLastUseRecorder((uses) => recordIngestUses(db, uses), {
    nowMs: () => now().getTime(),
    onError: (error) => log.warn({ err: error }, 'the last use of ingest tokens could not be written; trying again'),
  });

  /** The entity that is meant: the one there is, where none is named. */
  async function slugOf(slug: string | undefined): Promise<string> {
    if (slug !== undefined) return slug;
    const entities = await listActiveEntities(db);
    if (entities.length === 1) return entities[0]!.slug;
    const message = `there are ${entities.length} entities; name one with --entity`;
    throw new StrataError('invalid_parameter', message, { errors: { entity: [message] } });
  }

  return {
    async create(actor, input) {
      const { entity } = await access.enterEntity(actor, await slugOf(input.entity), 'admin');
      let userId: number | null = null;
      if (input.user_email !== undefined) {
        const email = readEmail(input.user_email);
        const user = await findUserByEmail(db, email);
        const isMember = user !== null && (await listMemberships(db, [user.id])).some((m) => m.entity === entity.slug);
        if (user === null || !(isMember || user.is_super_admin)) {
          throw new StrataError(
            'not_found',
            `${email} has no role in ${entity.slug}; give one with strata user create`,
          );
        }
        userId = user.id;
      }
      const secret = `strata_ingest_${randomBytes(32).toString('base64url')}`;
      const id = await insertIngestToken(db, {
        entity_id: entity.id,
        user_id: userId,
        name: input.name?.trim() || null,
        token_sha256: hashTokenSecret(secret),
        created_by: actor === OPERATOR ? null : actor.user_id,
        expires_at: readExpiry(input.expires_at, now()),
      });
      return { ...shown((await findIngestToken(db, { id }))!), token: secret };
    },

    async list(actor, slug) {
      const entity = slug === undefined ? null : (await access.enterEntity(actor, slug, 'admin')).entity;
      return (await listIngestTokens(db, entity?.id ?? null)).map(shown);
    },

    async revoke(actor, idOrToken) {
      const isSecret = SECRET.test(idOrToken);
      const id = SHOWN_ID.exec(idOrToken)?.[1];
      if (!isSecret && id === undefined) return null;
      const found = await findIngestToken(db, isSecret ? { sha256: hashTokenSecret(idOrToken) } : { id: Number(id) });
      if (found === null) throw new StrataError('not_found', 'there is no such token');
      await access.enterEntity(actor, found.entity, 'admin');
      await revokeIngestToken(db, found.id, now());
      known.clear();
      return shown((await findIngestToken(db, { id: found.id }))!);
    },

    async authenticate(secret) {
      if (!SECRET.test(secret)) return null;
      const hash = hashTokenSecret(secret);
      const key = hash.toString('hex');
      const entry = known.get(key);
      if (entry !== undefined && entry.untilMs > elapsedMs()) {
        if (entry.holder !== null) lastUse.note(entry.holder.token_id);
        return entry.holder;
      }
      const holder = await findIngestHolder(db, hash, now());
      if (known.size >= MOST_ENTRIES) known.clear();
      known.set(key, { holder, untilMs: elapsedMs() + (holder === null ? REFUSED_MS : FOUND_MS) });
      if (holder !== null) lastUse.note(holder.token_id);
      return holder;
    },

    close: () => lastUse.close(),
  };
}
