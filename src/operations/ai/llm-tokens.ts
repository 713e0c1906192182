// Tokens of AI providers: kept sealed, never shown again.

import {
  checkTokenSettings,
  missingTokenSetting,
  readTokenKind,
  TOKEN_KINDS,
  type TokenSettings,
  tokenKindOf,
  tokenSealContext,
} from '../../domain/ai/providers.ts';
import { StrataError } from '../../domain/errors.ts';
import type { SecretBox } from '../../kit/sealed-secret.ts';
import { findUserByEmail } from '../../storage/access/users.ts';
import {
  addLlmTokenResource,
  deleteLlmToken,
  insertLlmToken,
  type LlmTokenRow,
  listLlmTokens,
  readSealedTokens,
  storeTokenSettings,
} from '../../storage/ai/llm-tokens.ts';
import { inTransaction } from '../../storage/database/in-transaction.ts';
import { type Actor, OPERATOR } from '../access/actor.ts';
import type { AccessOperations, Grant } from '../access/grant.ts';
import { readEmail } from '../access/users.ts';
import type { OperationParts } from '../operation-parts.ts';
import { findResource } from '../repos/find-resources.ts';

export interface ConfirmedResource {
  readonly resource_em: 'entity_resource' | 'organization_resource';
  readonly resource_id: number;
  readonly resource_name: string;
}

export interface LlmTokenRecord {
  readonly id: number;
  readonly ai_usage_provider_em: string;
  readonly created_at: string;
  readonly global_error_em: string | null;
  readonly last_exceeded_quota_at: string | null;
  readonly last_used_at: string | null;
  /** Null for the one tool of its provider. */
  readonly tool_em: string | null;
  readonly settings: TokenSettings;
  /** What went wrong last, in words; null where nothing did. */
  readonly error_detail: string | null;
  readonly last_success_on: string | null;
  readonly latest_available_on: string | null;
  readonly next_run_at: string | null;
  readonly seat_count: number;
  /** Null when the operator added it for nobody in particular. */
  readonly created_by_user: {
    readonly service_id: number;
    readonly name: string;
    readonly git_provider_em: string | null;
  } | null;
  readonly confirmed_resources: ConfirmedResource[];
}

export interface NewLlmToken {
  readonly entity: string;
  /** Wire value, or the product's own name. */
  readonly provider: string;
  readonly secret: string;
  readonly settings?: TokenSettings | undefined;
  readonly organization?: string | undefined;
  /** Who is listed as having made it. */
  readonly user_email?: string | undefined;
}

export interface LlmTokenOperations {
  /** A secret that is there already only gets the further organization. */
  add(actor: Actor, token: NewLlmToken): Promise<LlmTokenRecord>;
  /** Of the entity, or for the organization that is named. */
  list(grant: Grant<'manager'>): Promise<LlmTokenRecord[]>;
  remove(actor: Actor, entity: string, tokenId: number): Promise<void>;
}

const LONGEST_SECRET = 4_000;

export function createLlmTokenOperations(
  { store: { db }, secrets, now }: OperationParts,
  access: Pick<AccessOperations, 'enterEntity'>,
): LlmTokenOperations {
  return {
    async add(actor, token) {
      const { entity } = await access.enterEntity(actor, token.entity, 'admin');
      const kind = readTokenKind(token.provider);
      const { provider } = TOKEN_KINDS[kind];
      const settings = checkTokenSettings(kind, token.settings ?? {});
      const secret = token.secret.trim();
      if (secret === '' || secret.length > LONGEST_SECRET || /\s/.test(secret)) {
        throw new StrataError(
          'invalid_parameter',
          `the secret is not accepted; expected one word of at most ${LONGEST_SECRET} characters`,
        );
      }
      if (secrets === undefined) throw new Error('there is no key to seal secrets with');
      const path = { entity: entity.slug, organization: token.organization ?? null, repo: null };
      const { organization_id } = await findResource(db, entity.id, path);
      const userId = await findCreator(token.user_email, actor);
      const id = await inTransaction(db, async (trx) => {
        const known = (await readSealedTokens(trx, entity.id, provider)).find(
          ({ secret_sealed }) => openOrNull(secrets, secret_sealed, tokenSealContext(entity.id, kind)) === secret,
        );
        const tokenId =
          known?.id ??
          (await insertLlmToken(trx, {
            entity_id: entity.id,
            ai_usage_provider_em: provider,
            tool_em: provider === 'other' ? TOKEN_KINDS[kind].tool : null,
            secret_sealed: secrets.seal(secret, tokenSealContext(entity.id, kind)),
            created_by_user_id: userId,
            created_at: now(),
          }));
        await addLlmTokenResource(trx, entity.id, tokenId, organization_id);
        await storeTokenSettings(trx, entity.id, tokenId, settings, now());
        return tokenId;
      });
      const rows = await listLlmTokens(db, entity.id, null);
      return tokenToRecord(rows.find((row) => row.id === id)!, entity);
    },

    async list({ entity, paths }) {
      const { organization_id } = await findResource(db, entity.id, paths[0]!);
      const rows = await listLlmTokens(db, entity.id, organization_id);
      return rows.map((row) => tokenToRecord(row, entity));
    },

    async remove(actor, slug, tokenId) {
      const { entity } = await access.enterEntity(actor, slug, 'admin');
      if (!(await deleteLlmToken(db, entity.id, tokenId))) {
        throw new StrataError('not_found', `${entity.slug} has no token ${tokenId}; strata llm-token list shows them`);
      }
    },
  };

  async function findCreator(email: string | undefined, actor: Actor): Promise<number | null> {
    if (email === undefined) return actor === OPERATOR ? null : actor.user_id;
    const user = await findUserByEmail(db, readEmail(email));
    if (user === null) throw new StrataError('not_found', `there is no user ${email}`);
    return user.id;
  }
}

/** A token of an earlier key can no longer be read; it is not the one that is being added. */
function openOrNull(secrets: SecretBox, sealed: Buffer, context: string): string | null {
  try {
    return secrets.open(sealed, context);
  } catch {
    return null;
  }
}

function missingDetail(row: LlmTokenRow): string | null {
  const [organization] = row.organizations.flatMap(({ name }) => name ?? []);
  const settings = { ...(organization === undefined ? {} : { organization }), ...row.settings };
  const missing = missingTokenSetting(tokenKindOf(row.ai_usage_provider_em, row.tool_em), settings);
  return missing === null ? null : `nothing is collected until --setting ${missing} is given`;
}

function tokenToRecord(row: LlmTokenRow, entity: { readonly id: number; readonly slug: string }): LlmTokenRecord {
  return {
    id: row.id,
    ai_usage_provider_em: row.ai_usage_provider_em,
    created_at: row.created_at,
    global_error_em: row.global_error_em,
    last_exceeded_quota_at: row.last_exceeded_quota_at,
    last_used_at: row.last_used_at,
    tool_em: row.tool_em,
    settings: row.settings,
    error_detail: row.error_detail ?? missingDetail(row),
    last_success_on: row.last_success_on,
    latest_available_on: row.latest_available_on,
    next_run_at: row.next_run_at,
    seat_count: row.seat_count,
    created_by_user:
      row.user_id === null
        ? null
        : { service_id: row.user_id, name: row.user_name ?? '', git_provider_em: row.git_provider_em },
    confirmed_resources: row.organizations.map(
      ({ id, name }): ConfirmedResource =>
        id === null
          ? { resource_em: 'entity_resource', resource_id: entity.id, resource_name: entity.slug }
          : { resource_em: 'organization_resource', resource_id: id, resource_name: name ?? '' },
    ),
  };
}
