// The people whom a commit's trailers name as co-authors: once each, without the author, the tools and the
// service accounts. They are recorded; they get no share of the commit.
import { parsePerson, parseTrailers, type Trailer } from '../evidence/trailers.ts';
import type { Identity } from '../model/facts.ts';
import { identityKey, identityKind } from './read-identity.ts';

const MAX_CO_AUTHORS = 200;

export function readCoAuthors(
  message: string,
  author: Identity,
  trailers: readonly Trailer[] = parseTrailers(message),
): Identity[] {
  const seen = new Set([identityKey(author)]);
  const people: Identity[] = [];
  for (const { key, value } of trailers) {
    if (key.toLowerCase() !== 'co-authored-by') continue;
    const person = parsePerson(value);
    if (person === null || identityKind(person) !== 'person') continue;
    const personKey = identityKey(person);
    if (seen.has(personKey)) continue;
    seen.add(personKey);
    people.push(person);
    if (people.length >= MAX_CO_AUTHORS) break;
  }
  return people;
}
