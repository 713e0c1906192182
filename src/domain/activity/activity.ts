// The trail of activity: one row for each call that may change something, and for each command of the operator. What a
// call was given is kept in short and without secrets.
import { ERRORS, type ErrorCode } from '../errors.ts';

/** Activities that belong to no entity, such as a backup. */
export const SERVICE_ENTITY_ID = 0;

export const CREDENTIAL_KINDS = ['token', 'session', 'operator', 'none'] as const;
export type CredentialKind = (typeof CREDENTIAL_KINDS)[number];

export const OUTCOMES: readonly ['success', ...ErrorCode[]] = ['success', ...(Object.keys(ERRORS) as ErrorCode[])];
export type Outcome = (typeof OUTCOMES)[number];

export interface Activity {
  /** Where it happened. */
  readonly entity_id: number;
  readonly occurred_at: Date;
  /** What was shown: nothing at a sign-in that failed. */
  readonly credential_kind: CredentialKind;
  readonly credential_id: string | null;
  readonly user_id: number | null;
  /** The entity of the credential. */
  readonly caller_entity_id: number | null;
  readonly address: string | null;
  /** `POST /releases`, `strata token revoke`. */
  readonly operation: string;
  /** Resource path, or null where none was named. */
  readonly resource: string | null;
  readonly parameters: Readonly<Record<string, string>>;
  readonly outcome_em: Outcome;
  readonly trace: string | null;
}

const LONGEST_VALUE = 200;
const MOST_VALUES = 20;

const TOKEN = /strata_[\w-]{8,}/g;
const PASSWORD_IN_ADDRESS = /:\/\/[^/@\s]*@/g;

/** A text as the trail keeps it: in one line, short, without tokens and passwords that stand in it. */
export function shortText(text: string): string {
  const clean = text
    .slice(0, LONGEST_VALUE * 4)
    .replace(/[\p{Cc}\p{Cs}\u2028\u2029]/gu, '\uFFFD')
    .replace(TOKEN, 'strata_…')
    .replace(PASSWORD_IN_ADDRESS, '://…@');
  return clean.length > LONGEST_VALUE ? `${clean.slice(0, LONGEST_VALUE - 1).replace(/\p{Cs}$/u, '')}…` : clean;
}

/** Texts, numbers and truth values; of lists how long they are. */
export function shortParameters(given: Iterable<readonly [string, unknown]>): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of [...given].slice(0, MOST_VALUES)) {
    if (Array.isArray(value)) kept[name] = `${value.length} items`;
    else if (['string', 'number', 'boolean'].includes(typeof value)) kept[name] = shortText(String(value));
  }
  return kept;
}
