// The person who stands for a commit that an AI agent authored. A derived fact: it moves when a stronger source
// arrives.
import type { CommitFact, Identity } from '../model/facts.ts';
import { identityKind } from './read-identity.ts';

/**
 * Who may be said to have directed an agent, strongest first. The commit itself names co-authors; the others come with
 * the data of code hosts (who requested the pull request, whom it is assigned to, who merged it) and are looked up
 * where that data is derived.
 */
export const DIRECTED_BY = ['co_author', 'requester', 'assignee', 'merger'] as const;
export type DirectedBy = (typeof DIRECTED_BY)[number];

export type Directors = Partial<Readonly<Record<DirectedBy, Identity>>>;

/** The commit's own word: the first person among its co-authors. */
export function directorsOf({ co_authors }: Pick<CommitFact, 'co_authors'>): Directors {
  const person = co_authors.find((each) => identityKind(each) === 'person');
  return person === undefined ? {} : { co_author: person };
}

/** Null for a commit of a person, of a bot, and of an agent that nobody is known to have directed. */
export function authorOfRecord({ author }: Pick<CommitFact, 'author'>, directors: Directors): Identity | null {
  if (identityKind(author) !== 'ai_agent') return null;
  for (const source of DIRECTED_BY) {
    const person = directors[source];
    if (person !== undefined) return person;
  }
  return null;
}
