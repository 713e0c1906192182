// Surveys: made from a template or from own questions, sent now or at a set time, answered with links,
// read as results that give nobody away.

import { createHash } from 'node:crypto';
import { dateIn } from '../../domain/calendar/calendar-date.ts';
import { requireOrder } from '../../domain/calendar/date-range.ts';
import { StrataError } from '../../domain/errors.ts';
import { hasMark, type LinkParts, respondedMark } from '../../domain/surveys/link.ts';
import {
  checkQuestions,
  type Question,
  type QuestionInput,
  templateQuestions,
} from '../../domain/surveys/questions.ts';
import { nextStatus, planSending, type SurveyStatus, statusAt } from '../../domain/surveys/state.ts';
import { SURVEY_TEMPLATES, type SurveyCategory, type SurveyTemplateKey } from '../../domain/surveys/templates.ts';
import type { Database } from '../../storage/database/handle.ts';
import { inTransaction } from '../../storage/database/in-transaction.ts';
import { type MailCount, mailRecipients, openSurvey } from '../../storage/surveys/open-survey.ts';
import {
  findRepeatedSurvey,
  findSurvey,
  insertSurvey,
  isRecipientUser,
  listRecipients,
  listSurveys,
  readMarks,
  type SurveyRow,
  updateSurvey,
} from '../../storage/surveys/surveys.ts';
import { findTeamBySlug } from '../../storage/teams/teams.ts';
import { OPERATOR } from '../access/actor.ts';
import { type Grant, mayAs } from '../access/grant.ts';
import type { OperationParts } from '../operation-parts.ts';
import { type AnswerOperations, createAnswerOperations } from './answer-survey.ts';
import { chooseRecipients } from './choose-recipients.ts';
import { type SurveyRecord, surveysToRecords } from './survey-record.ts';
import { type ResultsInput, readResults, type SurveyResults } from './survey-results.ts';

export type { SurveyForm } from './answer-survey.ts';
export { answerField } from './answer-survey.ts';
export type { SurveyRecord } from './survey-record.ts';
export { RESULT_GROUPINGS, type SurveyResults } from './survey-results.ts';

export interface SurveyInput {
  readonly name?: string | undefined;
  readonly template_key?: SurveyTemplateKey | undefined;
  readonly description?: string | undefined;
  readonly category_em?: SurveyCategory | undefined;
  readonly questions?: readonly QuestionInput[] | undefined;
  readonly team_slugs?: readonly string[] | undefined;
  readonly recipients?: readonly string[] | undefined;
  readonly send_now?: boolean | undefined;
  readonly send_at?: Date | undefined;
  readonly closes_at?: Date | undefined;
  readonly anonymous: boolean;
}

export interface SurveyListInput {
  readonly start_date?: string | undefined;
  readonly end_date?: string | undefined;
  readonly team_slug?: string | undefined;
  readonly status_em?: SurveyStatus | undefined;
  readonly page: number;
}

export interface SurveyPage {
  readonly surveys: SurveyRecord[];
  readonly page: number;
  readonly page_count: number;
  readonly per_page: number;
  readonly total_count: number;
}

export interface SurveyChange {
  readonly survey: SurveyRecord;
  /** Null where no mail was due. */
  readonly mail: MailCount | null;
  /** False where the call asked for what already was so. */
  readonly isNew: boolean;
}

export interface SurveyOperations extends AnswerOperations {
  create(grant: Grant<'manager'>, input: SurveyInput): Promise<SurveyChange>;
  /** Members see the surveys that they were sent. */
  list(grant: Grant<'member'>, input: SurveyListInput): Promise<SurveyPage>;
  show(grant: Grant<'member'>, surveyId: number): Promise<SurveyRecord>;
  results(grant: Grant<'manager'>, surveyId: number, input: ResultsInput): Promise<SurveyResults>;
  /** Sends a draft, or one that waits for its time; with a time, it waits for that. */
  send(grant: Grant<'manager'>, surveyId: number, sendAt?: Date | undefined): Promise<SurveyChange>;
  remind(grant: Grant<'manager'>, surveyId: number): Promise<SurveyChange>;
  close(grant: Grant<'manager'>, surveyId: number): Promise<SurveyChange>;
}

const PER_PAGE = 50;
/** The same call within this time is a repetition, not a second survey. */
const REPEATED_MINUTES = 10;
const REMINDER_PAUSE_MINUTES = 60;
const MINUTE_MS = 60_000;

export function createSurveyOperations(parts: OperationParts): SurveyOperations {
  const { db } = parts.store;
  const { now } = parts;
  const links = (): LinkParts => {
    if (parts.links === undefined) throw new Error('links of surveys need the secret and the address of the service');
    return parts.links;
  };

  const unknownSurvey = (id: number): StrataError => new StrataError('not_found', `there is no survey ${id}`);

  const toRecord = async (trx: Database, entityId: number, id: number): Promise<SurveyRecord> => {
    const row = await findSurvey(trx, entityId, id);
    if (row === undefined) throw unknownSurvey(id);
    const [record] = await surveysToRecords(trx, entityId, [row], links(), now());
    return record!;
  };

  /** A manager changes a survey of the own entity, one call after another. */
  const change = (
    { entity }: Grant<'manager'>,
    id: number,
    act: (trx: Database, survey: SurveyRow) => Promise<{ mail: MailCount | null; isNew: boolean }>,
  ): Promise<SurveyChange> =>
    inTransaction(db, async (trx) => {
      const survey = await findSurvey(trx, entity.id, id, 'for update');
      if (survey === undefined) throw unknownSurvey(id);
      const done = await act(trx, survey);
      return { ...done, survey: await toRecord(trx, entity.id, id) };
    });

  return {
    ...createAnswerOperations(db, links, now),

    async create({ actor, entity, settings }, input) {
      const content = contentOf(input);
      const at = now();
      const plan = planSending(input, at);
      const today = dateIn(at.getTime() / 1000, settings.time_zone);
      const { recipients, team_ids } = await chooseRecipients(db, entity, input, today);
      const userId = actor === OPERATOR ? null : actor.user_id;
      const sha256 = createHash('sha256')
        .update(JSON.stringify([userId, input]))
        .digest();
      return inTransaction(db, async (trx) => {
        const since = new Date(at.getTime() - REPEATED_MINUTES * MINUTE_MS);
        const repeated = await findRepeatedSurvey(trx, entity.id, { sha256, since });
        if (repeated !== null) return { survey: await toRecord(trx, entity.id, repeated), mail: null, isNew: false };
        const { questions, ...survey } = content;
        const id = await insertSurvey(
          trx,
          {
            entity_id: entity.id,
            ...survey,
            status_em: plan?.act === 'schedule' ? 'scheduled' : 'draft',
            is_anonymous: input.anonymous,
            created_by_user_id: userId,
            team_ids,
            send_at: plan?.act === 'schedule' ? plan.at : null,
            closes_at: input.closes_at ?? null,
            input_sha256: sha256,
            created_at: at,
          },
          questions,
          recipients,
        );
        const row = await findSurvey(trx, entity.id, id);
        const mail = plan?.act === 'send' ? await openSurvey(trx, row!, links(), at) : null;
        return { survey: await toRecord(trx, entity.id, id), mail, isNew: true };
      });
    },

    async list(grant, input) {
      const { actor, entity, settings } = grant;
      const team = input.team_slug === undefined ? null : await findTeamBySlug(db, entity.id, input.team_slug);
      if (team === undefined) {
        throw new StrataError('not_found', `there is no team "${input.team_slug}" in ${entity.slug}`);
      }
      if (input.start_date !== undefined && input.end_date !== undefined)
        requireOrder(input.start_date, input.end_date);
      const { rows, total } = await listSurveys(
        db,
        entity.id,
        {
          from: input.start_date,
          to: input.end_date,
          timeZone: settings.time_zone,
          teamId: team?.id,
          status: input.status_em,
          recipientUserId: actor === OPERATOR || mayAs(grant, 'manager') ? undefined : actor.user_id,
          now: now(),
        },
        { offset: (input.page - 1) * PER_PAGE, limit: PER_PAGE },
      );
      return {
        surveys: await surveysToRecords(db, entity.id, rows, links(), now()),
        page: input.page,
        page_count: Math.ceil(total / PER_PAGE),
        per_page: PER_PAGE,
        total_count: total,
      };
    },

    async show(grant, id) {
      const { actor, entity } = grant;
      const isVisible =
        actor === OPERATOR || mayAs(grant, 'manager') || (await isRecipientUser(db, entity.id, id, actor.user_id));
      if (!isVisible) throw unknownSurvey(id);
      return toRecord(db, entity.id, id);
    },

    async results({ entity, settings }, id, input) {
      const survey = await findSurvey(db, entity.id, id);
      if (survey === undefined) throw unknownSurvey(id);
      if (survey.sent_at === null) throw new StrataError('conflict', 'the survey was never sent, so it has no results');
      return readResults(db, survey, input, settings.small_group_floor);
    },

    send: (grant, id, sendAt) =>
      change(grant, id, async (trx, survey) => {
        const at = now();
        const closes_at = survey.closes_at === null ? undefined : new Date(survey.closes_at);
        const plan = planSending({ send_at: sendAt, closes_at }, at) ?? { act: 'send' as const };
        const status_em = nextStatus(plan.act, statusAt(survey, at));
        if (plan.act === 'send') return { mail: await openSurvey(trx, survey, links(), at), isNew: true };
        await updateSurvey(trx, survey.entity_id, id, { status_em, send_at: plan.at });
        return { mail: null, isNew: true };
      }),

    remind: (grant, id) =>
      change(grant, id, async (trx, survey) => {
        const at = now();
        nextStatus('remind', statusAt(survey, at));
        const last = survey.reminded_at ?? survey.sent_at;
        const next = last === null ? 0 : Date.parse(last) + REMINDER_PAUSE_MINUTES * MINUTE_MS;
        if (next > at.getTime()) {
          throw new StrataError(
            'conflict',
            `recipients were last written to at ${last}; a reminder is possible from ${new Date(next).toISOString()}`,
          );
        }
        const marks = await readMarks(trx, survey.entity_id, id);
        const recipients = await listRecipients(trx, survey.entity_id, id);
        const missing = recipients.filter((one) => !hasMark(marks, respondedMark(links().key, id, one.id)));
        const mail = await mailRecipients(trx, 'survey_reminder', survey, missing, links(), at);
        await updateSurvey(trx, survey.entity_id, id, { reminded_at: at });
        return { mail, isNew: true };
      }),

    close: (grant, id) =>
      change(grant, id, async (trx, survey) => {
        const status_em = nextStatus('close', statusAt(survey, now()));
        if (survey.status_em === 'closed') return { mail: null, isNew: false };
        await updateSurvey(trx, survey.entity_id, id, { status_em, closed_at: now() });
        return { mail: null, isNew: true };
      }),
  };
}

type Content = {
  name: string;
  description: string;
  category_em: SurveyCategory;
  template_key: string | null;
  questions: Question[];
};

/** What is asked; a template fills in what was not given. */
function contentOf(input: SurveyInput): Content {
  const template = input.template_key === undefined ? undefined : SURVEY_TEMPLATES[input.template_key];
  const name = input.name ?? template?.name;
  if (name === undefined) {
    throw new StrataError('missing_conditional_parameter', 'a survey needs a name or a template_key', {
      errors: { name: ['is missing; expected a text where template_key is not given'] },
    });
  }
  const own = input.questions ?? [];
  const questions = own.length > 0 ? checkQuestions(own) : templateQuestionsOf(input.template_key);
  return {
    name,
    description: input.description ?? template?.description ?? '',
    category_em: input.category_em ?? template?.category_em ?? 'satisfaction_and_sentiment',
    template_key: input.template_key ?? null,
    questions,
  };
}

function templateQuestionsOf(key: SurveyTemplateKey | undefined): Question[] {
  if (key !== undefined) return templateQuestions(key);
  throw new StrataError('missing_conditional_parameter', 'a survey without template_key needs questions of its own', {
    errors: { questions: ['is missing; expected a list of questions where template_key is not given'] },
  });
}
