// Whom a commit's trailers name as co-authors: once each, without the author; agents and service accounts too,
// because a squash names the authors of what it holds. They are recorded; they get no share of the commit.
import { CO_AUTHOR_TRAILERS } from '../evidence/rules.ts';
import { parsePerson, type Trailer } from '../evidence/trailers.ts';
import type { Identity } from '../model/facts.ts';
import { identityKey } from './read-identity.ts';

const MAX_CO_AUTHORS = 200;

export function readCoAuthors(trailers: readonly Trailer[], author: Identity): Identity[] {
  const named = trailers.filter(({ key }) => CO_AUTHOR_TRAILERS.has(key.toLowerCase()));
  if (named.length === 0) return [];
  const seen = new Set([identityKey(author)]);
  const people: Identity[] = [];
  for (const { value } of named) {
    const person = parsePerson(value);
    if (person === null) continue;
    const personKey = identityKey(person);
    if (seen.has(personKey)) continue;
    seen.add(personKey);
    people.push(person);
    if (people.length >= MAX_CO_AUTHORS) break;
  }
  return people;
}
