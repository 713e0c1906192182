// Surveys: ready-made ones, making, sending, reminding, closing, answering and reading them.

import { z } from 'zod';
import { AI_COHORTS } from '../../domain/ai/cohort.ts';
import { estimateMinutes, MOST_QUESTIONS, QUESTION_TYPES, templateQuestions } from '../../domain/surveys/questions.ts';
import { SURVEY_STATUSES } from '../../domain/surveys/state.ts';
import {
  SURVEY_CATEGORIES,
  SURVEY_CATEGORY_TITLES,
  SURVEY_TEMPLATE_KEYS,
  SURVEY_TEMPLATES,
} from '../../domain/surveys/templates.ts';
import { counted } from '../../kit/text/counted.ts';
import type { SurveyChange } from '../../operations/surveys/index.ts';
import { RESULT_GROUPINGS } from '../../operations/surveys/index.ts';
import { entity } from '../admin/entity-param.ts';
import { endpoint } from '../endpoint.ts';
import { p } from '../params/index.ts';
import { r } from '../returns.ts';

const time = (description: string) => z.string().nullable().describe(description);

const questionFields = {
  text: z.string(),
  type_em: z.enum(QUESTION_TYPES),
  scale_min: z.int().nullable(),
  scale_max: z.int().nullable(),
  choices: z.array(z.string()).nullable(),
  required: z.boolean(),
};

const surveyRecord = z
  .object({
    id: z.int(),
    name: z.string(),
    description: z.string(),
    category_em: z.enum(SURVEY_CATEGORIES),
    template_key: z.string().nullable(),
    status_em: z.enum(SURVEY_STATUSES),
    question_count: z.int().min(1),
    estimated_minutes: z.int().min(1),
    recipient_count: z.int().min(1),
    response_count: z.int().min(0),
    anonymous: z.boolean(),
    send_at: time('When it is or was set to be sent.'),
    sent_at: time('When the invitations were written.'),
    closes_at: time('When it closes by itself; null for never.'),
    closed_at: time('When it was closed.'),
    created_at: z.string(),
    created_by: z.string().nullable().describe('Address of the user who made it.'),
    link: z.string().describe('Same for everybody; whoever opens it is sent a personal link by mail.'),
    questions: z.array(z.object({ id: z.int(), ...questionFields })),
  })
  .meta({ id: 'Survey' });

const share = z.object({
  value: z.union([z.int(), z.string()]).describe('Step of the scale, or the text of the choice.'),
  count: z.int().min(0),
  percent: z.number().min(0).max(100),
});

const resultFields = {
  is_hidden: z.boolean().describe('True where so few answered that figures would point at people.'),
  response_count: z.int().min(0).nullable(),
  recipient_count: z.int().min(0),
  overall_score: z.number().nullable().describe('Mean of all answers on scales, each brought to a scale from 1 to 5.'),
  response_rate: z.number().min(0).nullable().describe('Percent of the recipients who answered.'),
  questions: z
    .array(
      z.object({
        id: z.int(),
        text: z.string(),
        response_count: z.int().min(0),
        average: z.number().nullable().describe('In units of the scale; null where the question has none.'),
        distribution: z.array(share),
        comments: z
          .array(z.string())
          .describe('Answers to a text question, and remarks beside others; sorted by text.'),
      }),
    )
    .describe('Empty where hidden.'),
};

const resultRecord = z
  .object({
    survey_id: z.int(),
    ...resultFields,
    average_score_previous: z
      .number()
      .nullable()
      .describe('overall_score of the previous survey of the same template or name.'),
    response_rate_trend: z
      .number()
      .nullable()
      .describe('Percentage points by which the response rate differs from that of the previous survey.'),
    least_responses: z.int().describe('Fewest responses with which a group is shown.'),
    groups: z.array(
      z.object({
        key: z
          .string()
          .nullable()
          .describe(`Slug of the team, or the cohort (${AI_COHORTS.join(', ')}); null for neither.`),
        name: z.string(),
        ...resultFields,
      }),
    ),
  })
  .meta({ id: 'SurveyResults' });

const sentenceOf = ({ survey, mail, isNew }: SurveyChange, verb: 'Created' | 'Sent'): string => {
  if (!isNew) return `The same call was made a moment ago; this is its survey ${survey.id}, nothing was sent again.`;
  if (survey.status_em === 'draft')
    return `Created survey ${survey.id} as a draft; POST /surveys/${survey.id}/send sends it.`;
  if (survey.status_em === 'scheduled') return `Survey ${survey.id} will be sent at ${survey.send_at}.`;
  return `${verb} survey ${survey.id}; ${mailSentence(mail)}`;
};

function mailSentence(mail: SurveyChange['mail']): string {
  const { written, unreachable } = mail ?? { written: 0, unreachable: 0 };
  const without = counted(unreachable, 'recipient has', 'recipients have');
  const note = unreachable === 0 ? '' : ` ${without} no address that mail could reach.`;
  return `wrote ${counted(written, 'mail')} into the outbox.${note}`;
}

const id = p.integer({ min: 1 }).describe('The survey.').ourName();

export const listSurveyTemplates = endpoint({
  route: 'GET /surveys/templates',
  action: 'action_survey_templates',
  group: 'Surveys',
  summary: 'Ready-made surveys',
  access: 'token',
  params: {},
  returns: r.envelope({
    templates: z.array(
      z.object({
        template_key: z.enum(SURVEY_TEMPLATE_KEYS),
        name: z.string(),
        description: z.string(),
        category_em: z.enum(SURVEY_CATEGORIES),
        category: z.string(),
        question_count: z.int(),
        estimated_minutes: z.int(),
        questions: z.array(z.object(questionFields)),
      }),
    ),
  }),
  run: () => ({
    response_detail: `There are ${SURVEY_TEMPLATE_KEYS.length} ready-made surveys.`,
    templates: SURVEY_TEMPLATE_KEYS.map((key) => {
      const { name, description, category_em } = SURVEY_TEMPLATES[key];
      const questions = templateQuestions(key);
      return {
        template_key: key,
        name,
        description,
        category_em,
        category: SURVEY_CATEGORY_TITLES[category_em],
        question_count: questions.length,
        estimated_minutes: estimateMinutes(questions),
        questions: questions.map((question) => ({ ...question, choices: null })),
      };
    }),
  }),
});

export const createSurvey = endpoint({
  route: 'POST /surveys',
  action: 'action_survey_created',
  group: 'Surveys',
  summary: 'Make a survey',
  description:
    'From a template, or from questions of your own. It is sent at once unless send_now is false or send_at names a ' +
    'time. The same call repeated within ten minutes makes no second survey.',
  access: { resource: 'manager' },
  params: {
    resource_path: p.resourcePath('entity').describe('The entity whose people are asked.').ourName(),
    name: p.string().optional().describe('Required without template_key.').ourName(),
    template_key: p.oneOf(SURVEY_TEMPLATE_KEYS).optional().describe('Required without name.').ourName(),
    description: p.string({ max: 2000 }).optional().ourName(),
    category_em: p.oneOf(SURVEY_CATEGORIES).optional().ourName(),
    questions: p
      .objects(
        {
          text: p.string({ max: 500 }),
          type_em: p.oneOf(QUESTION_TYPES).default('scale'),
          scale_min: p.integer({ min: -100, max: 100 }).optional().describe('1 unless given.'),
          scale_max: p
            .integer({ min: -100, max: 100 })
            .optional()
            .describe('5 unless given; at most 10 above scale_min.'),
          choices: p.strings({ max: 200, maxItems: 100 }).optional(),
          required: p.boolean().default(true),
        },
        { maxItems: MOST_QUESTIONS },
      )
      .optional()
      .describe('Required without template_key; replace the questions of a template.')
      .ourName(),
    team_slugs: p.strings({ maxItems: 200 }).optional().describe('Teams whose members of today are asked.').ourName(),
    recipients: p.strings({ maxItems: 1000 }).optional().describe('User names or e-mail addresses.').ourName(),
    send_now: p.boolean().optional().describe('True unless send_at is given; false makes a draft.').ourName(),
    send_at: p.dateTime().optional().ourName(),
    closes_at: p.dateTime().optional().ourName(),
    anonymous: p.boolean().default(true).describe('Answers are stored without a trace of who gave them.').ourName(),
  },
  returns: r.envelope({ survey: surveyRecord }),
  fails: ['unprocessable', 'missing_conditional_parameter'],
  async run({ params: { resource_path: _, ...input }, grant, ops }) {
    const change = await ops.surveys.create(grant, input);
    return { response_detail: sentenceOf(change, 'Created'), survey: change.survey };
  },
});

export const listSurveys = endpoint({
  route: 'GET /surveys',
  action: 'action_survey_list',
  group: 'Surveys',
  summary: 'List surveys',
  description: 'Newest first. Members see the surveys that were sent to them, managers and admins all.',
  access: { resource: 'member' },
  params: {
    resource_path: p.resourcePath('entity').ourName(),
    start_date: p
      .date()
      .optional()
      .describe('First day of sending; of what is not sent yet, of when it is to be, or was made.')
      .alias('beginning_date')
      .ourName(),
    end_date: p.date().optional().describe('Last day of sending, likewise.').alias('ending_date').ourName(),
    team_slug: p.string().optional().ourName(),
    status_em: p.oneOf(SURVEY_STATUSES).optional().ourName(),
    page: p.page().ourName(),
  },
  returns: r.page('surveys', surveyRecord),
  fails: ['unprocessable'],
  async run({ params: { resource_path: _, ...input }, grant, ops }) {
    const list = await ops.surveys.list(grant, input);
    return { response_detail: `${counted(list.total_count, 'survey')}.`, ...list };
  },
});

export const showSurvey = endpoint({
  route: 'GET /surveys/:id',
  action: 'action_get_resource',
  group: 'Surveys',
  summary: 'One survey',
  access: { resource: 'member' },
  params: { id, resource_path: entity() },
  returns: r.envelope({ survey: surveyRecord }),
  async run({ params, grant, ops }) {
    const survey = await ops.surveys.show(grant, params.id);
    return { response_detail: `Survey ${survey.id} is ${survey.status_em}.`, survey };
  },
});

export const surveyResults = endpoint({
  route: 'GET /surveys/:id/results',
  action: 'action_survey_results',
  group: 'Surveys',
  summary: 'Results of a survey',
  description:
    'A group with fewer than four responses is hidden, and so is what would give it away by subtraction. An anonymous ' +
    'survey shows nothing at all before its fourth response.',
  access: { resource: 'manager' },
  params: {
    id,
    resource_path: entity(),
    team_slug: p.string().optional().ourName(),
    aggregate_by: p.oneOf(RESULT_GROUPINGS).default('none').ourName(),
  },
  returns: r.envelope({ results: resultRecord }),
  fails: ['conflict', 'unprocessable'],
  async run({ params: { id: surveyId, resource_path: _, ...input }, grant, ops }) {
    const results = await ops.surveys.results(grant, surveyId, input);
    const detail = results.is_hidden
      ? `Figures are shown from ${results.least_responses} responses on.`
      : `${counted(results.response_count ?? 0, 'response')} of ${counted(results.recipient_count, 'recipient')}.`;
    return { response_detail: detail, results };
  },
});

export const sendSurvey = endpoint({
  route: 'POST /surveys/:id/send',
  action: 'action_survey_sent',
  group: 'Surveys',
  summary: 'Send a draft',
  description: 'At once, also one that waits for its time; with send_at, then.',
  access: { resource: 'manager' },
  params: { id, resource_path: entity(), send_at: p.dateTime().optional().ourName() },
  returns: r.envelope({ survey: surveyRecord }),
  fails: ['conflict', 'unprocessable'],
  async run({ params, grant, ops }) {
    const change = await ops.surveys.send(grant, params.id, params.send_at);
    return { response_detail: sentenceOf(change, 'Sent'), survey: change.survey };
  },
});

export const remindSurvey = endpoint({
  route: 'POST /surveys/:id/remind',
  action: 'action_survey_reminded',
  group: 'Surveys',
  summary: 'Remind those who have not answered',
  description: 'At most once an hour.',
  access: { resource: 'manager' },
  params: { id, resource_path: entity() },
  returns: r.envelope({ survey: surveyRecord }),
  fails: ['conflict'],
  async run({ params, grant, ops }) {
    const { survey, mail } = await ops.surveys.remind(grant, params.id);
    return { response_detail: `Reminded for survey ${survey.id}; ${mailSentence(mail)}`, survey };
  },
});

export const closeSurvey = endpoint({
  route: 'POST /surveys/:id/close',
  action: 'action_survey_closed',
  group: 'Surveys',
  summary: 'Close a survey',
  description: 'No further answers are taken, and nothing is sent. Closing a closed survey changes nothing.',
  access: { resource: 'manager' },
  params: { id, resource_path: entity() },
  returns: r.envelope({ survey: surveyRecord }),
  fails: ['conflict'],
  async run({ params, grant, ops }) {
    const { survey, isNew } = await ops.surveys.close(grant, params.id);
    return { response_detail: `Survey ${survey.id} ${isNew ? 'is' : 'was already'} closed.`, survey };
  },
});

/** Also read by the page, whose form has fields of these names. */
export const RESPONSE_PARAMS = {
  token: p.string({ max: 200 }).describe('The token of the personal link.').secret().ourName(),
  answers: p
    .objects(
      {
        question_id: p.integer({ min: 1 }),
        value: p.string({ max: 5000 }).optional(),
        values: p.strings({ max: 200, maxItems: 100 }).optional(),
        comment: p.string({ max: 5000 }).optional(),
      },
      { maxItems: MOST_QUESTIONS },
    )
    .describe(
      '`value` answers a scale (a number of it), a single choice or a text; `values` a multiple choice; `comment` is a ' +
        'remark beside any of them.',
    )
    .ourName(),
} as const;

export const respondToSurvey = endpoint({
  route: 'POST /surveys/:id/responses',
  action: 'action_survey_responded',
  group: 'Surveys',
  summary: 'Answer a survey',
  description:
    'Needs no API token: the token of the personal link says who answers. Each recipient answers once. Of an anonymous ' +
    'survey, nothing is stored that ties the answers to the recipient.',
  access: 'public',
  params: { id, ...RESPONSE_PARAMS },
  returns: r.envelope({ survey_id: z.int() }),
  fails: ['unauthorized', 'not_found', 'conflict', 'unprocessable'],
  async run({ params, ops }) {
    const { survey_id } = await ops.surveys.respond(params.token, params.id, params.answers);
    return { response_detail: 'Thank you; your answers were stored.', survey_id };
  },
});

export const SURVEY_ENDPOINTS = [
  listSurveyTemplates,
  createSurvey,
  listSurveys,
  showSurvey,
  surveyResults,
  sendSurvey,
  remindSurvey,
  closeSurvey,
  respondToSurvey,
] as const;
