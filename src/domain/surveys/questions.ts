// The questions of a survey, and what counts as an answer to each kind. Pure: the API, the page and the
// storage all go through these two checks.
import { StrataError } from '../errors.ts';
import { SURVEY_TEMPLATES, type SurveyTemplateKey } from './templates.ts';

export const QUESTION_TYPES = ['scale', 'single_choice', 'multiple_choice', 'text'] as const;
export type QuestionType = (typeof QUESTION_TYPES)[number];

export const MOST_QUESTIONS = 50;
const MOST_CHOICES = 20;
/** As many as a scale from 0 to 10 has. */
const MOST_SCALE_VALUES = 11;

export interface QuestionInput {
  readonly text: string;
  readonly type_em: QuestionType;
  readonly scale_min?: number | undefined;
  readonly scale_max?: number | undefined;
  readonly choices?: readonly string[] | undefined;
  readonly required: boolean;
}

/** A scale has both ends, a choice has its choices, and nothing has what it does not need. */
export interface Question {
  readonly text: string;
  readonly type_em: QuestionType;
  readonly scale_min: number | null;
  readonly scale_max: number | null;
  readonly choices: readonly string[] | null;
  readonly required: boolean;
}

export type StoredQuestion = Question & { readonly id: number };

export const templateQuestions = (key: SurveyTemplateKey): Question[] =>
  SURVEY_TEMPLATES[key].statements.map((text) => ({
    text,
    type_em: 'scale',
    scale_min: 1,
    scale_max: 5,
    choices: null,
    required: true,
  }));

const refused = (field: string, message: string): StrataError =>
  new StrataError('unprocessable', `${field}: ${message}`, { errors: { [field]: [message] } });

export function checkQuestions(inputs: readonly QuestionInput[]): Question[] {
  const texts = new Set<string>();
  return inputs.map((input, index) => {
    const field = (name: string) => `questions[${index}].${name}`;
    if (texts.has(input.text)) throw refused(field('text'), `"${input.text.slice(0, 80)}" is asked twice`);
    texts.add(input.text);
    const isChoice = input.type_em === 'single_choice' || input.type_em === 'multiple_choice';
    const hasScale = input.scale_min !== undefined || input.scale_max !== undefined;
    if (hasScale && input.type_em !== 'scale') {
      throw refused(field('scale_min'), `a question of type ${input.type_em} has no scale; only scale has`);
    }
    if (input.choices !== undefined && !isChoice) {
      throw refused(
        field('choices'),
        `a question of type ${input.type_em} has no choices; only single_choice and multiple_choice have`,
      );
    }
    const base = { text: input.text, type_em: input.type_em, required: input.required };
    if (input.type_em === 'scale') {
      const [low, high] = [input.scale_min ?? 1, input.scale_max ?? 5];
      if (high <= low || high - low >= MOST_SCALE_VALUES) {
        throw refused(
          field('scale_max'),
          `a scale from ${low} to ${high} is not accepted; the end must be above the start, with 2 to ${MOST_SCALE_VALUES} values`,
        );
      }
      return { ...base, scale_min: low, scale_max: high, choices: null };
    }
    const choices = input.choices ?? [];
    if (isChoice && (choices.length < 2 || choices.length > MOST_CHOICES)) {
      throw refused(
        field('choices'),
        `${choices.length} choices were given; expected 2 to ${MOST_CHOICES} different texts`,
      );
    }
    return { ...base, scale_min: null, scale_max: null, choices: isChoice ? choices : null };
  });
}

/** Rough reading and thinking time, rounded up to whole minutes. */
export function estimateMinutes(questions: readonly Pick<Question, 'type_em'>[]): number {
  const seconds = questions.reduce((sum, { type_em }) => sum + (type_em === 'text' ? 90 : 45), 0);
  return Math.max(1, Math.ceil(seconds / 60));
}

export interface AnswerInput {
  readonly question_id: number;
  /** Of a scale, a single choice or a text. */
  readonly value?: string | undefined;
  /** Of a multiple choice. */
  readonly values?: readonly string[] | undefined;
  readonly comment?: string | undefined;
}

export interface Answer {
  readonly question_id: number;
  readonly number_value: number | null;
  readonly chosen: readonly string[] | null;
  readonly comment: string | null;
}

/** A problem per question, so that a form can show each beside its question. */
export type AnswerProblems = ReadonlyMap<number, string>;

/** The answers that were given, or what is wrong with them. Questions left blank have no answer. */
export function checkAnswers(
  questions: readonly StoredQuestion[],
  inputs: readonly AnswerInput[],
): { answers: Answer[]; problems: AnswerProblems; unknown: readonly number[] } {
  const byQuestion = new Map<number, AnswerInput>();
  const problems = new Map<number, string>();
  for (const input of inputs) {
    if (byQuestion.has(input.question_id)) problems.set(input.question_id, 'this question was answered twice');
    byQuestion.set(input.question_id, input);
  }
  const unknown = [...byQuestion.keys()].filter((id) => !questions.some((question) => question.id === id));
  const answers: Answer[] = [];
  for (const question of questions) {
    if (problems.has(question.id)) continue;
    const read = readAnswer(question, byQuestion.get(question.id));
    if (typeof read === 'string') problems.set(question.id, read);
    else if (read !== null) answers.push(read);
  }
  return { answers, problems, unknown };
}

/** An answer, null for none, or the problem in words. */
function readAnswer(question: StoredQuestion, input: AnswerInput | undefined): Answer | null | string {
  const value = input?.value ?? '';
  const values = input?.values ?? (value === '' ? [] : [value]);
  const comment = input?.comment || null;
  const answer = (part: Partial<Answer>): Answer => ({
    question_id: question.id,
    number_value: null,
    chosen: null,
    comment,
    ...part,
  });
  if (values.length === 0) {
    if (question.required) return question.type_em === 'text' ? 'please write an answer' : 'please choose an answer';
    return comment === null ? null : answer({});
  }
  if (question.type_em !== 'multiple_choice' && values.length > 1) return 'only one answer is accepted';
  const [only = ''] = values;
  switch (question.type_em) {
    case 'text':
      return answer({ comment: only });
    case 'scale': {
      const number = /^-?\d{1,9}$/.test(only) ? Number(only) : Number.NaN;
      const [low, high] = [question.scale_min ?? 1, question.scale_max ?? 5];
      return number >= low && number <= high
        ? answer({ number_value: number })
        : `"${only.slice(0, 80)}" is not accepted; expected a whole number from ${low} to ${high}`;
    }
    default: {
      const wrong = values.find((chosen) => question.choices?.includes(chosen) !== true);
      return wrong === undefined
        ? answer({ chosen: [...new Set(values)] })
        : `"${wrong.slice(0, 80)}" is not accepted; expected ${question.choices?.join(', ')}`;
    }
  }
}
