// Links of surveys. A token names the survey and, where it is personal, the recipient; a keyed hash over
// it proves that this service made it. The key is derived from the service's secret.
import { createHmac, timingSafeEqual } from 'node:crypto';

export interface LinkParts {
  /** 32 bytes that the database does not hold. */
  readonly key: Buffer;
  /** Where users reach the service, without a slash at the end. */
  baseUrl(): string;
}

export interface SurveyTicket {
  readonly entity_id: number;
  readonly survey_id: number;
  /** Null in the link that is the same for everybody. */
  readonly recipient_id: number | null;
  /** Seconds since 1970; 0 for never. */
  readonly expires: number;
}

export const RESPONSE_PAGE = '/surveys/respond';
/** A reminder gives a fresh one. */
const PERSONAL_TOKEN_DAYS = 180;
const DAY_SECONDS = 86_400;
const TOKEN = /^(\d{1,15})-(\d{1,15})-(\d{0,15})-(\d{1,12})\.([A-Za-z0-9_-]{43})$/;
export const MARK_BYTES = 16;

const hash = (key: Buffer, purpose: string, text: string): Buffer =>
  createHmac('sha256', key).update(`${purpose}\0${text}`).digest();

export function ticketToToken(key: Buffer, ticket: SurveyTicket): string {
  const text = `${ticket.entity_id}-${ticket.survey_id}-${ticket.recipient_id ?? ''}-${ticket.expires}`;
  return `${text}.${hash(key, 'survey link', text).toString('base64url')}`;
}

/** Null for a token that this service did not make. Whether it has expired is another question. */
export function tokenToTicket(key: Buffer, token: string): SurveyTicket | null {
  const match = TOKEN.exec(token);
  if (match === null) return null;
  const [, entity, survey, recipient, expires, mac] = match;
  const text = `${entity}-${survey}-${recipient}-${expires}`;
  if (!timingSafeEqual(hash(key, 'survey link', text), Buffer.from(mac!, 'base64url'))) return null;
  return {
    entity_id: Number(entity),
    survey_id: Number(survey),
    recipient_id: recipient === '' ? null : Number(recipient),
    expires: Number(expires),
  };
}

export const isExpired = ({ expires }: SurveyTicket, now: Date): boolean =>
  expires !== 0 && expires * 1000 <= now.getTime();

const pageAddress = (links: LinkParts, ticket: SurveyTicket): string =>
  `${links.baseUrl()}${RESPONSE_PAGE}?token=${ticketToToken(links.key, ticket)}`;

/** The same for everybody: whoever opens it is sent the own link by mail. */
export const sharedLink = (links: LinkParts, entityId: number, surveyId: number): string =>
  pageAddress(links, { entity_id: entityId, survey_id: surveyId, recipient_id: null, expires: 0 });

export const personalLink = (
  links: LinkParts,
  ticket: { entity_id: number; survey_id: number; recipient_id: number },
  now: Date,
): string =>
  pageAddress(links, {
    ...ticket,
    expires: Math.floor(now.getTime() / 1000) + PERSONAL_TOKEN_DAYS * DAY_SECONDS,
  });

/** Says that a recipient has answered, to nobody but who has the key. */
export const respondedMark = (key: Buffer, surveyId: number, recipientId: number): Buffer =>
  hash(key, 'survey mark', `${surveyId}-${recipientId}`).subarray(0, MARK_BYTES);

export function hasMark(marks: Buffer, mark: Buffer): boolean {
  for (let at = 0; at < marks.length; at += MARK_BYTES) {
    if (marks.subarray(at, at + MARK_BYTES).equals(mark)) return true;
  }
  return false;
}

/** Sorted, so that their order tells nothing of the order of answers. */
export function addMark(marks: Buffer, mark: Buffer): Buffer {
  const all = [mark];
  for (let at = 0; at < marks.length; at += MARK_BYTES) all.push(marks.subarray(at, at + MARK_BYTES));
  return Buffer.concat(all.sort(Buffer.compare));
}
