// Whom a call names by the two parameters for people.
import type { Database } from '../../storage/database/handle.ts';
import { findCommitters, requireKnown } from './resolve-committer.ts';

export interface PeopleInput {
  readonly committer_identifier?: string | undefined;
  readonly committer_user_name?: readonly string[] | undefined;
}

const FIELDS = ['committer_identifier', 'committer_user_name'] as const satisfies readonly (keyof PeopleInput)[];

/** Root committers; null when nobody is named, as by an empty list. Named both ways, somebody must fit both: then it may be nobody. */
export async function findNamedPeople(db: Database, entityId: number, input: PeopleInput): Promise<number[] | null> {
  const asked = FIELDS.map((field) => [input[field] ?? []].flat().map((name) => ({ field, name }))).filter(
    (names) => names.length > 0,
  );
  if (asked.length === 0) return null;
  const named = asked.flat();
  const found = await findCommitters(
    db,
    entityId,
    named.map(({ name }) => name),
  );
  requireKnown(named, found);
  const [people = [], ...others] = asked.map((names) => names.map(({ name }) => found.get(name)!.id));
  return [...new Set(people)].filter((id) => others.every((ids) => ids.includes(id)));
}
