// Whether an address belongs to an AI tool, by the same rows that credit such an author.
import { EVIDENCE_RULES } from './rules.ts';

const ADDRESS_RULES = EVIDENCE_RULES.filter(
  (rule) => rule.field === 'author_email' || rule.field === 'co_author_email',
);

/** `email` in lower case. */
export function isToolAddress(email: string): boolean {
  return ADDRESS_RULES.some(({ pattern }) => (typeof pattern === 'string' ? pattern === email : pattern.test(email)));
}
