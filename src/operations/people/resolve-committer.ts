// "Committer identifier" of the API: user name, id at the code host or e-mail address, of the person or
// of one of its identities. What is found is always the root committer.
import { StrataError } from '../../domain/errors.ts';
import type { Database } from '../../storage/database/handle.ts';
import { type FoundCommitter, findCommittersByIdentifier } from '../../storage/people/find-committers.ts';

export type { FoundCommitter };

/** Identifier → committer, of those that are known. */
export async function findCommitters(
  db: Database,
  entityId: number,
  identifiers: readonly string[],
): Promise<Map<string, FoundCommitter>> {
  const found = await findCommittersByIdentifier(db, entityId, identifiers);
  return new Map(found.map((committer) => [committer.identifier, committer]));
}

/** `parameter` is where the identifier was given, for the error. */
export function unknownCommitter(identifier: string, parameter: string): StrataError {
  const message =
    `no committer is known as "${identifier.slice(0, 100)}" by user name, code-host id or e-mail address; one becomes ` +
    'known when a repo with a commit of theirs is imported (POST /imports, or strata import)';
  return new StrataError('unprocessable', message, { errors: { [parameter]: [message] } });
}

/** Throws the one answer for names that nobody bears; several are all named. */
export function requireKnown(
  named: readonly { readonly field: string; readonly name: string }[],
  found: ReadonlyMap<string, FoundCommitter>,
): void {
  const [unknown, ...more] = named.filter(({ name }) => !found.has(name));
  if (unknown === undefined) return;
  const error = unknownCommitter(unknown.name, unknown.field);
  if (more.length === 0) throw error;
  const all = [unknown, ...more].map(({ name }) => `"${name.slice(0, 100)}"`).join(', ');
  const message = `${error.message}; nobody is known as any of ${all.slice(0, 1000)}`;
  throw new StrataError('unprocessable', message, { errors: { [unknown.field]: [message] } });
}

export async function resolveCommitter(
  db: Database,
  entityId: number,
  identifier: string,
  parameter = 'committer_identifier',
): Promise<FoundCommitter> {
  const found = (await findCommitters(db, entityId, [identifier])).get(identifier);
  if (found === undefined) throw unknownCommitter(identifier, parameter);
  return found;
}
