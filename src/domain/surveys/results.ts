// Figures of a survey from its answers, and what is kept from view: a group is shown only with enough
// responses, and never such that a hidden one follows by subtraction from what is shown.
import type { StoredQuestion } from './questions.ts';

/** The specification's floor; an entity can only raise it. */
export const LEAST_RESPONSES = 4;

export interface ResponseRow {
  readonly id: string;
  readonly team_id: number | null;
  readonly ai_cohort: string | null;
}

export interface AnswerRow {
  readonly response_id: string;
  readonly question_id: number;
  readonly number_value: number | null;
  readonly chosen: readonly string[] | null;
  readonly comment: string | null;
}

export interface QuestionResult {
  readonly id: number;
  readonly text: string;
  readonly response_count: number;
  /** Of a scale, in its own units. */
  readonly average: number | null;
  readonly distribution: { value: number | string; count: number; percent: number }[];
  readonly comments: string[];
}

export interface Figures {
  readonly response_count: number;
  readonly overall_score: number | null;
  readonly questions: QuestionResult[];
}

const round = (value: number, decimals: number): number => {
  const factor = 10 ** decimals;
  return Math.round((value + Number.EPSILON) * factor) / factor;
};
const mean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;

export const percentOf = (part: number, whole: number): number => (whole === 0 ? 0 : round((100 * part) / whole, 1));

/** Any scale on one from 1 to 5, so that scores of different scales can be averaged. */
const toFive = (value: number, low: number, high: number): number => 1 + (4 * (value - low)) / (high - low);

export function computeFigures(
  questions: readonly StoredQuestion[],
  responses: readonly ResponseRow[],
  answers: readonly AnswerRow[],
): Figures {
  const counted = new Set(responses.map(({ id }) => id));
  const byQuestion = new Map<number, AnswerRow[]>(questions.map(({ id }) => [id, []]));
  for (const answer of answers) {
    if (counted.has(answer.response_id)) byQuestion.get(answer.question_id)?.push(answer);
  }
  const scores: number[] = [];
  const results = questions.map((question) => {
    const given = byQuestion.get(question.id) ?? [];
    const numbers = given.flatMap(({ number_value }) => number_value ?? []);
    const [low, high] = [question.scale_min ?? 1, question.scale_max ?? 5];
    for (const number of numbers) scores.push(toFive(number, low, high));
    const average = mean(numbers);
    const replies = given.filter(
      ({ number_value, chosen, comment }) =>
        number_value !== null || chosen !== null || (question.type_em === 'text' && comment !== null),
    );
    return {
      id: question.id,
      text: question.text,
      response_count: replies.length,
      average: average === null ? null : round(average, 2),
      distribution: distribute(question, replies),
      // Sorted by their text: in the order of responses, remarks of one person could be put together.
      comments: given.flatMap(({ comment }) => comment ?? []).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)),
    };
  });
  const overall = mean(scores);
  return {
    response_count: responses.length,
    overall_score: overall === null ? null : round(overall, 2),
    questions: results,
  };
}

function distribute(question: StoredQuestion, replies: readonly AnswerRow[]): QuestionResult['distribution'] {
  const share = (value: number | string, count: number) => ({
    value,
    count,
    percent: percentOf(count, replies.length),
  });
  if (question.type_em === 'scale') {
    const [low, high] = [question.scale_min ?? 1, question.scale_max ?? 5];
    return Array.from({ length: high - low + 1 }, (_, step) => low + step).map((value) =>
      share(value, replies.filter(({ number_value }) => number_value === value).length),
    );
  }
  return (question.choices ?? []).map((choice) =>
    share(choice, replies.filter(({ chosen }) => chosen?.includes(choice)).length),
  );
}

export interface Group<K> {
  readonly key: K;
  readonly responses: ResponseRow[];
  readonly isHidden: boolean;
}

export function groupResponses<K>(
  responses: readonly ResponseRow[],
  keyOf: (response: ResponseRow) => K,
  floor: number,
): Group<K>[] {
  const byKey = new Map<K, ResponseRow[]>();
  for (const response of responses) {
    const key = keyOf(response);
    byKey.set(key, [...(byKey.get(key) ?? []), response]);
  }
  const sizes = new Map([...byKey].map(([key, rows]) => [key, rows.length]));
  const hidden = hiddenGroups(sizes, floor);
  return [...byKey].map(([key, rows]) => ({ key, responses: rows, isHidden: hidden.has(key) }));
}

/**
 * Groups below the floor, and then the smallest others until what is hidden has together at least the
 * floor's number of responses: the total is shown, so less would follow by subtraction.
 */
export function hiddenGroups<K>(sizes: ReadonlyMap<K, number>, floor: number): Set<K> {
  const bySize = [...sizes].sort(([, a], [, b]) => a - b);
  const hidden = new Set<K>();
  let count = 0;
  for (const [key, size] of bySize) {
    const isComplete = count === 0 || count >= floor;
    if (size >= floor && isComplete) break;
    hidden.add(key);
    count += size;
  }
  return hidden;
}
