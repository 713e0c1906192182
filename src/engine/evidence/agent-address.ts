// Whether an address belongs to an AI agent, by the same rows that credit such an author.
import { EVIDENCE_RULES } from './rules.ts';

const AGENT_RULES = EVIDENCE_RULES.filter(({ field }) => field === 'author_email');

const ruleOf = (email: string) =>
  AGENT_RULES.find(({ pattern }) => (typeof pattern === 'string' ? pattern === email : pattern.test(email)));

/** `email` in lower case. */
export const isAgentAddress = (email: string): boolean => ruleOf(email) !== undefined;

/** An address that several tools of a provider sign with. */
const PROVIDER_NAMES: Readonly<Record<string, string>> = { 'Claude Code': 'Claude' };

/**
 * What the account is called, whichever model signs with it: the commits of one address name many. Null for an address
 * that is no agent's. `email` in lower case.
 */
export function agentName(email: string): string | null {
  const tool = ruleOf(email)?.tool ?? null;
  return tool === null ? null : (PROVIDER_NAMES[tool] ?? tool);
}
