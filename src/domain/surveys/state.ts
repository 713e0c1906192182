// The states of a survey and what may be done in each: draft → scheduled → open → closed.
import { StrataError } from '../errors.ts';

export const SURVEY_STATUSES = ['draft', 'scheduled', 'open', 'closed'] as const;
export type SurveyStatus = (typeof SURVEY_STATUSES)[number];

export type SurveyAct = 'send' | 'schedule' | 'remind' | 'respond' | 'close';

/** What follows from an act; a state that is missing refuses it. Closing a closed survey changes nothing. */
export const SURVEY_TRANSITIONS: Readonly<Record<SurveyAct, Partial<Record<SurveyStatus, SurveyStatus>>>> = {
  send: { draft: 'open', scheduled: 'open' },
  schedule: { draft: 'scheduled', scheduled: 'scheduled' },
  remind: { open: 'open' },
  respond: { open: 'open' },
  close: { draft: 'closed', scheduled: 'closed', open: 'closed', closed: 'closed' },
};

const REFUSALS: Readonly<Record<SurveyAct, string>> = {
  send: 'it cannot be sent again',
  schedule: 'it cannot be scheduled again',
  remind: 'only an open survey has anybody to remind',
  respond: 'it takes answers only while it is open',
  close: 'it cannot be closed',
};

export interface SurveyTimes {
  readonly status_em: SurveyStatus;
  readonly closes_at: string | null;
}

/** A survey whose time is up is closed, also before the task that writes it down has run. */
export const statusAt = ({ status_em, closes_at }: SurveyTimes, now: Date): SurveyStatus =>
  status_em === 'open' && closes_at !== null && Date.parse(closes_at) <= now.getTime() ? 'closed' : status_em;

export function nextStatus(act: SurveyAct, status: SurveyStatus): SurveyStatus {
  const next = SURVEY_TRANSITIONS[act][status];
  if (next !== undefined) return next;
  const word = status === 'draft' ? 'a draft' : status;
  throw new StrataError('conflict', `the survey is ${word}; ${REFUSALS[act]}`);
}

const refused = (field: string, message: string): StrataError =>
  new StrataError('unprocessable', `${field}: ${message}`, { errors: { [field]: [message] } });

/** The clocks of two machines differ; a time that has just passed means now. */
const SLACK_MS = 60_000;

/** When a survey is sent: now, at a time to come, or (null) when somebody says so. */
export function planSending(
  input: { send_now?: boolean | undefined; send_at?: Date | undefined; closes_at?: Date | undefined },
  now: Date,
): { act: 'send' } | { act: 'schedule'; at: Date } | null {
  const { send_now, send_at, closes_at } = input;
  if (send_at !== undefined && send_now === true) {
    throw refused('send_at', 'a time to send at and send_now=true contradict each other; give one of the two');
  }
  if (send_at !== undefined && send_at.getTime() < now.getTime() - SLACK_MS) {
    throw refused('send_at', `${send_at.toISOString()} is past; expected a time to come`);
  }
  const starts = send_at !== undefined && send_at > now ? send_at : now;
  if (closes_at !== undefined && closes_at <= starts) {
    const when = starts === now ? 'now' : starts.toISOString();
    throw refused('closes_at', `${closes_at.toISOString()} is not after the survey opens (${when})`);
  }
  if (send_at !== undefined) return starts === now ? { act: 'send' } : { act: 'schedule', at: send_at };
  return send_now === false ? null : { act: 'send' };
}
