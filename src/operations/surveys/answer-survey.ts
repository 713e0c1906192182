// Answering a survey with a link. Nobody is asked for an API token: the token in the link says which
// survey and which recipient, and a keyed hash over it that this service gave it out.

import { randomUUID } from 'node:crypto';
import { StrataError } from '../../domain/errors.ts';
import {
  addMark,
  hasMark,
  isExpired,
  type LinkParts,
  respondedMark,
  type SurveyTicket,
  tokenToTicket,
} from '../../domain/surveys/link.ts';
import { surveyMailSubject } from '../../domain/surveys/mail.ts';
import { type AnswerInput, checkAnswers, type StoredQuestion } from '../../domain/surveys/questions.ts';
import { nextStatus, statusAt } from '../../domain/surveys/state.ts';
import { storedGroupOf } from '../../domain/surveys/stored-group.ts';
import { isActiveEntity } from '../../storage/access/entities.ts';
import type { Database } from '../../storage/database/handle.ts';
import { inTransaction } from '../../storage/database/in-transaction.ts';
import { hasMailSince } from '../../storage/mail/outgoing.ts';
import { mailRecipients } from '../../storage/surveys/open-survey.ts';
import {
  findSurvey,
  insertResponse,
  listQuestions,
  listRecipients,
  readMarks,
  type SurveyRow,
  updateSurvey,
} from '../../storage/surveys/surveys.ts';

export interface SurveyForm {
  readonly survey_id: number;
  readonly name: string;
  readonly description: string;
  readonly anonymous: boolean;
  readonly closes_at: string | null;
  /** Empty for the link that is the same for everybody: it leads to a personal one. */
  readonly questions: readonly StoredQuestion[];
  readonly is_personal: boolean;
}

export interface AnswerOperations {
  /** What a link leads to. Throws like `respond` where there is nothing to answer. */
  openForm(token: string): Promise<SurveyForm>;
  /** `surveyId` is the survey the caller believes to answer; null takes the link's word. */
  respond(token: string, surveyId: number | null, answers: readonly AnswerInput[]): Promise<{ survey_id: number }>;
  /** Mails the personal link, if the survey has such a recipient. Never tells whether it has. */
  requestLink(token: string, identifier: string): Promise<void>;
}

const LINK_MAIL_MINUTES = 10;

export function createAnswerOperations(db: Database, links: () => LinkParts, now: () => Date): AnswerOperations {
  const admit = async (token: string): Promise<SurveyTicket> => {
    const ticket = tokenToTicket(links().key, token.trim());
    if (ticket === null || !(await isActiveEntity(db, ticket.entity_id))) {
      throw new StrataError('unauthorized', 'the link is not one that this service gave out, or it is incomplete');
    }
    if (isExpired(ticket, now())) throw new StrataError('unauthorized', 'the link has expired; ask for a new one');
    return ticket;
  };

  /** Throws conflict for a survey that takes no answers. */
  const openSurveyOf = async (trx: Database, ticket: SurveyTicket, lock: 'for update' | 'no lock') => {
    const survey = await findSurvey(trx, ticket.entity_id, ticket.survey_id, lock);
    if (survey === undefined) throw new StrataError('not_found', 'the survey does not exist any more');
    nextStatus('respond', statusAt(survey, now()));
    return survey;
  };

  return {
    async openForm(token) {
      const ticket = await admit(token);
      const survey = await openSurveyOf(db, ticket, 'no lock');
      const form = {
        survey_id: survey.id,
        name: survey.name,
        description: survey.description,
        anonymous: survey.is_anonymous,
        closes_at: survey.closes_at,
      };
      if (ticket.recipient_id === null) return { ...form, questions: [], is_personal: false };
      refuseSecond(await readMarks(db, survey.entity_id, survey.id), markOf(links(), survey, ticket.recipient_id));
      const questions = await listQuestions(db, survey.entity_id, [survey.id]);
      return { ...form, questions: questions.get(survey.id) ?? [], is_personal: true };
    },

    async respond(token, surveyId, inputs) {
      const ticket = await admit(token);
      if (ticket.recipient_id === null) {
        throw new StrataError('unauthorized', 'this link is for everybody; open it to be sent one of your own');
      }
      if (surveyId !== null && surveyId !== ticket.survey_id) {
        throw new StrataError('unauthorized', `the link does not belong to survey ${surveyId}`);
      }
      const recipientId = ticket.recipient_id;
      await inTransaction(db, async (trx) => {
        const survey = await openSurveyOf(trx, ticket, 'for update');
        const recipients = await listRecipients(trx, survey.entity_id, survey.id);
        const recipient = recipients.find(({ id }) => id === recipientId);
        if (recipient === undefined) throw new StrataError('not_found', 'the survey has no such recipient any more');
        const marks = await readMarks(trx, survey.entity_id, survey.id);
        const mark = markOf(links(), survey, recipientId);
        refuseSecond(marks, mark);
        const questions = (await listQuestions(trx, survey.entity_id, [survey.id])).get(survey.id) ?? [];
        const answers = acceptAnswers(questions, inputs);
        await insertResponse(
          trx,
          {
            entity_id: survey.entity_id,
            id: randomUUID(),
            survey_id: survey.id,
            recipient_id: survey.is_anonymous ? null : recipient.id,
            responded_on: survey.is_anonymous ? null : now().toISOString().slice(0, 10),
            ...storedGroupOf(survey, recipients)(recipient),
          },
          answers,
        );
        await updateSurvey(trx, survey.entity_id, survey.id, { responded_marks: addMark(marks, mark) });
      });
      return { survey_id: ticket.survey_id };
    },

    async requestLink(token, identifier) {
      const ticket = await admit(token);
      const wanted = identifier.trim().toLowerCase();
      await inTransaction(db, async (trx) => {
        const survey = await openSurveyOf(trx, ticket, 'for update');
        const recipients = await listRecipients(trx, survey.entity_id, survey.id);
        const found = recipients.find(({ email, identifier: name }) => email === wanted || name === wanted);
        if (found === undefined || found.email === null) return;
        const mail = {
          kind: 'survey_link',
          recipient: found.email,
          subject: surveyMailSubject('survey_link', survey.name),
        };
        const since = new Date(now().getTime() - LINK_MAIL_MINUTES * 60_000);
        if (await hasMailSince(trx, survey.entity_id, mail, since)) return;
        await mailRecipients(trx, 'survey_link', survey, [found], links(), now());
      });
    },
  };
}

const markOf = (links: LinkParts, survey: SurveyRow, recipientId: number): Buffer =>
  respondedMark(links.key, survey.id, recipientId);

function refuseSecond(marks: Buffer, mark: Buffer): void {
  if (hasMark(marks, mark)) throw new StrataError('conflict', 'the survey was already answered with this link');
}

/** Errors are named by question, so that a form can show each where it belongs. */
export const answerField = (questionId: number): string => `answers.${questionId}`;

function acceptAnswers(questions: readonly StoredQuestion[], inputs: readonly AnswerInput[]) {
  const { answers, problems, unknown } = checkAnswers(questions, inputs);
  const errors = Object.fromEntries([
    ...[...problems].map(([id, problem]): [string, string[]] => [answerField(id), [problem]]),
    ...unknown.map((id): [string, string[]] => [answerField(id), ['the survey has no such question']]),
  ]);
  const lines = Object.entries(errors).map(([field, messages]) => `${field}: ${messages.join('; ')}`);
  if (lines.length > 0) throw new StrataError('unprocessable', lines.join('. '), { errors });
  if (answers.length === 0) {
    const message = 'nothing was answered';
    throw new StrataError('unprocessable', message, { errors: { answers: [message] } });
  }
  return answers;
}
