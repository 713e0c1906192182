// The pages behind the links of surveys: the form, its thanks, and the way from the link for everybody to
// a personal one. Plain HTML that works without JavaScript and loads nothing.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ERRORS, type ErrorCode, StrataError } from '../../domain/errors.ts';
import { RESPONSE_PAGE } from '../../domain/surveys/link.ts';
import type { AnswerInput } from '../../domain/surveys/questions.ts';
import { p } from '../../endpoints/params/index.ts';
import { readValues } from '../../endpoints/params/read-values.ts';
import { RESPONSE_PARAMS } from '../../endpoints/surveys/surveys.ts';
import type { Operations } from '../../operations/index.ts';
import { answerField } from '../../operations/surveys/index.ts';
import { parseEncoded, queryOf } from '../input/raw-input.ts';
import { LINK_REQUEST_PAGE, PAGE_POLICY, renderForm, renderLinkRequest, renderMessage } from './survey-html.ts';

const HEADERS = { 'content-security-policy': PAGE_POLICY, 'content-type': 'text/html; charset=utf-8' };

const TOKEN_PARAMS = { token: RESPONSE_PARAMS.token };
const LINK_PARAMS = { ...TOKEN_PARAMS, identifier: p.string({ max: 254 }) };

/** What people are told when there is nothing to answer. */
const TITLES: Partial<Record<ErrorCode, string>> = {
  unauthorized: 'This link does not work',
  not_found: 'This survey does not exist any more',
  conflict: 'This survey takes no answer from you',
  invalid_parameter: 'This request cannot be read',
};

const NO_WARNINGS = { zone: 'UTC', warn: () => undefined };
const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
const bodyOf = ({ body }: FastifyRequest): [string, unknown][] =>
  isRecord(body) ? Object.entries(withLineFeeds(body)) : [];

/** How deep the texts of a form lie: a list of answers, each with a list of values. */
const FORM_DEPTH = 5;

/** Forms send a line break as two characters, where the text field that limits them counts one. */
function withLineFeeds<T>(value: T, depth = FORM_DEPTH): T {
  if (typeof value === 'string') return value.replaceAll('\r\n', '\n') as T & string;
  if (depth === 0 || !isRecord(value)) return value;
  if (Array.isArray(value)) return value.map((item) => withLineFeeds(item, depth - 1)) as T;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withLineFeeds(part, depth - 1)])) as T;
}

/** What was filled in, as far as it can be shown again. */
function readFilledIn(answers: unknown): AnswerInput[] {
  const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
  return (isRecord(answers) ? Object.values(answers) : []).filter(isRecord).map((answer) => ({
    question_id: Number(answer.question_id),
    value: text(answer.value),
    values: (Array.isArray(answer.values) ? answer.values : []).flatMap((value) => text(value) ?? []),
    comment: text(answer.comment),
  }));
}

export function addSurveyPage(server: FastifyInstance, { surveys }: Operations): void {
  const send = (reply: FastifyReply, status: number, html: string): FastifyReply =>
    reply.code(status).headers(HEADERS).send(html);

  /** Errors meant for people become a page; faults stay with the server's own handler. */
  const explained = async (reply: FastifyReply, act: () => Promise<FastifyReply>): Promise<FastifyReply> => {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof StrataError)) throw error;
      const title = TITLES[error.code];
      if (title === undefined) throw error;
      return send(reply, ERRORS[error.code].status, renderMessage(title, sentence(error.message)));
    }
  };

  server.get(RESPONSE_PAGE, (request, reply) =>
    explained(reply, async () => {
      const given = Object.entries(parseEncoded(queryOf(request.url), 'query'));
      const { values, errors } = readValues(TOKEN_PARAMS, given, { ...NO_WARNINGS, now: new Date() });
      if (errors.token !== undefined) throw new StrataError('unauthorized', 'the address holds no complete link');
      const form = await surveys.openForm(values.token);
      const html = form.is_personal
        ? renderForm({ form, token: values.token, answers: [], problems: new Map() })
        : renderLinkRequest(form.name, values.token, null);
      return send(reply, 200, html);
    }),
  );

  server.post(RESPONSE_PAGE, (request, reply) =>
    explained(reply, async () => {
      const body = bodyOf(request);
      const read = readValues(RESPONSE_PARAMS, body, { ...NO_WARNINGS, now: new Date() });
      const { token } = read.values;
      if (read.errors.token !== undefined) throw new StrataError('unauthorized', 'the form holds no complete link');
      const form = await surveys.openForm(token);
      const again = (answers: readonly AnswerInput[], problems: ReadonlyMap<number, string>): FastifyReply =>
        send(reply, 422, renderForm({ form, token, answers, problems }));
      if (Object.keys(read.errors).length > 0) {
        const byIndex = Object.entries(read.errors).map(([field, messages]): [number, string] => [
          form.questions[Number(/^answers\[(\d+)\]/.exec(field)?.[1] ?? 0)]?.id ?? 0,
          messages.join('; '),
        ]);
        return again(readFilledIn(Object.fromEntries(body).answers), new Map(byIndex));
      }
      try {
        await surveys.respond(token, null, read.values.answers);
      } catch (error) {
        if (!(error instanceof StrataError) || error.code !== 'unprocessable') throw error;
        const byQuestion = form.questions.flatMap(({ id }): [number, string][] => {
          const messages = error.errors?.[answerField(id)];
          return messages === undefined ? [] : [[id, messages.join('; ')]];
        });
        // Without a question to point at, the first one takes the message.
        const problems =
          byQuestion.length > 0 ? byQuestion : form.questions.slice(0, 1).map(({ id }) => [id, error.message] as const);
        return again(read.values.answers, new Map(problems));
      }
      const promise = form.anonymous
        ? 'They were stored without your name.'
        : 'They were stored together with your name.';
      return send(reply, 200, renderMessage('Thank you', `Your answers to “${form.name}” have arrived. ${promise}`));
    }),
  );

  server.post(LINK_REQUEST_PAGE, (request, reply) =>
    explained(reply, async () => {
      const { values, errors } = readValues(LINK_PARAMS, bodyOf(request), { ...NO_WARNINGS, now: new Date() });
      if (errors.token !== undefined) throw new StrataError('unauthorized', 'the form holds no complete link');
      const { name } = await surveys.openForm(values.token);
      if (errors.identifier !== undefined) {
        const problem = 'Please write your e-mail address or user name.';
        return send(reply, 422, renderLinkRequest(name, values.token, problem));
      }
      await surveys.requestLink(values.token, values.identifier);
      const detail =
        'If the survey was meant for that person, a mail with a personal link is on its way. It can take a few minutes.';
      return send(reply, 200, renderMessage('Look into your mailbox', detail));
    }),
  );
}

const sentence = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
