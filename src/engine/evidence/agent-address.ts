// Whether an address belongs to an AI agent, by the same rows that credit such an author.
import { EVIDENCE_RULES } from './rules.ts';

const AGENT_RULES = EVIDENCE_RULES.filter(({ field }) => field === 'author_email');

/** `email` in lower case. */
export function isAgentAddress(email: string): boolean {
  return AGENT_RULES.some(({ pattern }) => (typeof pattern === 'string' ? pattern === email : pattern.test(email)));
}
