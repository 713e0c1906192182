// Who an author or co-author is: a person, an AI agent, a service account or the host itself; the key under
// which several spellings are one person; and the user name to suggest for a person not yet known.
import { identifyModel } from '../../domain/ai/models.ts';
import { withoutAccountNumber } from '../../domain/people/account-address.ts';
import { agentName, isAgentAddress } from '../evidence/agent-address.ts';
import type { Identity } from '../model/facts.ts';
import { BOT_RULES, HOST_ADDRESSES, NOREPLY_FORMS } from './identity-rules.ts';

/** An agent is neither a person nor a bot: its work counts, it is never counted among people. */
export type IdentityKind = 'person' | 'ai_agent' | 'bot' | 'host';

export interface HostAccount {
  readonly host: string;
  readonly login: string;
  /** The host's number for the account; null in the older form of address. */
  readonly id: string | null;
}

/** The account behind a host's private address, or null for any other address. */
export function readHostAccount(email: string): HostAccount | null {
  const address = normalizeEmail(email);
  for (const { host, pattern } of NOREPLY_FORMS) {
    const groups = pattern.exec(address)?.groups;
    if (groups?.login !== undefined) return { host, login: groups.login, id: groups.id ?? null };
  }
  return null;
}

export function identityKind(identity: Identity): IdentityKind {
  const email = normalizeEmail(identity.email);
  if (isAgentAddress(email)) return 'ai_agent';
  if (HOST_ADDRESSES.has(email)) return 'host';
  const name = identity.name.trim().slice(0, MAX_EMAIL_LENGTH);
  for (const rule of BOT_RULES) {
    if (rule.pattern.test(rule.field === 'email' ? email : name)) return 'bot';
  }
  return 'person';
}

const NO_REPLY = /(?:^|[^a-z])no-?reply(?:[^a-z]|$)/;

/** A co-author that bears the name of a model, at an address that reaches nobody, is an agent too. */
export function coAuthorKind(identity: Identity): IdentityKind {
  const kind = identityKind(identity);
  if (kind !== 'person') return kind;
  const email = normalizeEmail(identity.email);
  const known = identifyModel(identity.name);
  const isModel = known !== null && !known.isCommonWord;
  return isModel && readHostAccount(email) === null && (email === '' || NO_REPLY.test(email)) ? 'ai_agent' : 'person';
}

/** How somebody is shown: an agent by what its address belongs to, whichever model signed first. */
export const shownName = (identity: Identity): string => agentName(normalizeEmail(identity.email)) ?? identity.name;

/**
 * Two identities with the same key are one person. Give it the mailmapped identity. The key is the address
 * in lower case; of a private address without the account's number, so that its old and new form agree;
 * and the name where there is no address.
 */
export function identityKey(identity: Identity): string {
  const email = withoutAccountNumber(normalizeEmail(identity.email));
  return email === ''
    ? `name:${identity.name.trim().slice(0, MAX_EMAIL_LENGTH).toLowerCase().replace(/\s+/g, ' ')}`
    : email;
}

const MAX_USER_NAME_LENGTH = 39;

/** The login of a private address, else the name as letters, digits and hyphens, else the address's first part. */
export function suggestUserName(identity: Identity): string {
  const account = readHostAccount(identity.email);
  const localPart = normalizeEmail(identity.email).split('@', 1)[0]!;
  const candidates = [account?.login.replace(/\[bot\]$/, '') ?? '', shownName(identity), localPart];
  for (const candidate of candidates) {
    const slug = textToSlug(candidate);
    if (slug !== '') return slug;
  }
  return 'unknown';
}

function textToSlug(text: string): string {
  return text
    .slice(0, 200)
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/ß/g, 'ss')
    .replace(/ø/g, 'o')
    .replace(/ł/g, 'l')
    .replace(/æ/g, 'ae')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_USER_NAME_LENGTH)
    .replace(/^-+|-+$/g, '');
}

/** Longer addresses are cut: no mail system takes them, and patterns must not walk them. */
const MAX_EMAIL_LENGTH = 320;

export function normalizeEmail(email: string): string {
  const trimmed = email.trim().slice(0, MAX_EMAIL_LENGTH);
  return trimmed.replace(/^<+|>+$/g, '').toLowerCase();
}
