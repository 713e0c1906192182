// Makes a fresh installation usable: a super admin, the entity `local`, and credentials.json in the
// data folder. On every later start it only checks that the token in that file still works.

import { chmodSync } from 'node:fs';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { listStartTokens } from '../../storage/access/api-tokens.ts';
import { insertEntity, listActiveEntities } from '../../storage/access/entities.ts';
import { withStartLock } from '../../storage/access/start-lock.ts';
import { ensureUser, findFirstSuperAdmin, setMembership } from '../../storage/access/users.ts';
import { inTransaction } from '../../storage/database/in-transaction.ts';
import type { OperationParts } from '../operation-parts.ts';
import { OPERATOR } from './actor.ts';
import { type Credentials, credentialsFile, readCredentials, writeCredentials } from './credentials-file.ts';
import type { TokenOperations } from './tokens.ts';

const FIRST_ENTITY = 'local';
const FIRST_USER = { email: 'admin@localhost', full_name: 'Administrator', is_super_admin: true };

export interface FirstStartInput {
  readonly dataFolder: string;
  /** Where the service listens, or will when it is started. */
  readonly baseUrl: string;
  /** False for a command, which must not change the address that a running server has written. */
  readonly isListening: boolean;
  /** The database lies in the data folder: whatever that was called before, its credentials.json is the only one. */
  readonly ownsDatabase: boolean;
}

/** Leaves a credentials.json whose token works, and says whether it had to write it. */
export const ensureCredentials = (
  parts: OperationParts,
  tokens: TokenOperations,
  input: FirstStartInput,
): Promise<FirstStart> => withStartLock(parts.store.db, () => ensureInTurn(parts, tokens, input));

export interface FirstStart {
  readonly path: string;
  readonly credentials: Credentials;
  readonly isNew: boolean;
}

async function ensureInTurn(
  parts: OperationParts,
  tokens: TokenOperations,
  { dataFolder, baseUrl, isListening, ownsDatabase }: FirstStartInput,
): Promise<FirstStart> {
  const path = credentialsFile(dataFolder);
  const { entity, email, userId } = await ensureFirstEntity(parts);
  const found = readCredentials(path);
  const caller = found === null ? null : await tokens.authenticate(found.token);
  if (found !== null && caller?.is_super_admin) {
    const credentials = {
      base_url: isListening ? baseUrl : found.base_url,
      token: found.token,
      entity: caller.entity_slug,
    };
    const isSame = found.base_url === credentials.base_url && found.entity === credentials.entity;
    if (isSame) chmodSync(path, 0o600);
    else writeCredentials(path, credentials);
    return { path, credentials, isNew: false };
  }
  // Whoever has the file that was lost must not have the rights of the operator.
  const name = tokenNameOf(dataFolder);
  const lost = { names: [name, FORMER_NAME], prefix: ownsDatabase ? TOKEN_NAME : null };
  for (const id of await listStartTokens(parts.store.db, userId, lost)) {
    await tokens.revoke(OPERATOR, String(id));
    parts.log.warn({ token_id: id }, 'the token of a credentials.json that is lost or unusable was revoked');
  }
  const { token } = await tokens.create(OPERATOR, { entity, user_email: email, name });
  const credentials = { base_url: baseUrl, token, entity };
  writeCredentials(path, credentials);
  return { path, credentials, isNew: true };
}

/** Several machines on one database have a file each, and so a token each. */
const TOKEN_NAME = 'credentials.json of ';
const tokenNameOf = (dataFolder: string): string => `${TOKEN_NAME}${hostname()}:${resolve(dataFolder)}`.slice(0, 200);
const FORMER_NAME = 'credentials.json';

/** Two servers that start at once on one database make one user and one entity between them. */
async function ensureFirstEntity({
  store: { db },
  now,
}: OperationParts): Promise<{ entity: string; email: string; userId: number }> {
  return inTransaction(db, async (transaction) => {
    const admin = (await findFirstSuperAdmin(transaction)) ?? (await ensureUser(transaction, FIRST_USER, true, now()));
    let entities = await listActiveEntities(transaction);
    if (entities.length === 0) {
      await insertEntity(transaction, { slug: FIRST_ENTITY, name: 'Local' });
      entities = await listActiveEntities(transaction);
    }
    const entity = entities.find(({ slug }) => slug === FIRST_ENTITY) ?? entities[0];
    if (entity === undefined)
      throw new Error(`the entity ${FIRST_ENTITY} was removed and there is no other: run strata entity create`);
    if (entity.slug === FIRST_ENTITY) {
      await setMembership(transaction, { entity_id: entity.id, user_id: admin.id, role: 'admin' }, now());
    }
    return { entity: entity.slug, email: admin.email, userId: admin.id };
  });
}
