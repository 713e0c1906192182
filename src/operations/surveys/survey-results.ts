// Results of a survey, alone and beside the previous one that asked the same, whole and by group.
import { AI_COHORT_TITLES, AI_COHORTS } from '../../domain/ai/cohort.ts';
import { StrataError } from '../../domain/errors.ts';
import {
  computeFigures,
  type Figures,
  groupResponses,
  LEAST_RESPONSES,
  percentOf,
  type QuestionResult,
  type ResponseRow,
} from '../../domain/surveys/results.ts';
import { storedGroupOf } from '../../domain/surveys/stored-group.ts';
import type { Database } from '../../storage/database/handle.ts';
import {
  findPreviousSurvey,
  listQuestions,
  listRecipients,
  readResponses,
  type SurveyRow,
} from '../../storage/surveys/surveys.ts';
import { findTeamBySlug, listTeams, type TeamRow } from '../../storage/teams/teams.ts';

export const RESULT_GROUPINGS = ['none', 'team', 'ai_cohort'] as const;
export type ResultGrouping = (typeof RESULT_GROUPINGS)[number];

/** What is hidden is null or empty. */
export interface ResultPart {
  readonly is_hidden: boolean;
  readonly response_count: number | null;
  readonly recipient_count: number;
  readonly overall_score: number | null;
  readonly response_rate: number | null;
  readonly questions: QuestionResult[];
}

export interface ResultGroup extends ResultPart {
  /** Slug of the team or name of the cohort; null for respondents of none, `deleted:` and a number for a team that is gone. */
  readonly key: string | null;
  readonly name: string;
}

export interface SurveyResults extends ResultPart {
  readonly survey_id: number;
  readonly average_score_previous: number | null;
  readonly response_rate_trend: number | null;
  readonly least_responses: number;
  readonly groups: ResultGroup[];
}

export interface ResultsInput {
  readonly team_slug?: string | undefined;
  readonly aggregate_by: ResultGrouping;
}

export async function readResults(
  db: Database,
  survey: SurveyRow,
  input: ResultsInput,
  entityFloor: number,
): Promise<SurveyResults> {
  const floor = Math.max(LEAST_RESPONSES, entityFloor);
  const team = input.team_slug === undefined ? undefined : await findTeamBySlug(db, survey.entity_id, input.team_slug);
  if (input.team_slug !== undefined && team === undefined) {
    throw new StrataError('not_found', `there is no team "${input.team_slug.slice(0, 100)}"`);
  }
  // Everybody is of the default team, which nobody is counted in.
  const teamId = team?.is_default === true ? undefined : team?.id;
  if (teamId !== undefined && input.aggregate_by === 'ai_cohort' && survey.is_anonymous) {
    const message =
      'cohorts within one team of an anonymous survey would point at people; ask for the team or for the cohorts';
    throw new StrataError('unprocessable', message, { errors: { aggregate_by: [message] } });
  }
  const teams = new Map((await listTeams(db, survey.entity_id)).map((each) => [each.id, each]));
  const loaded = await load(db, survey, teams);
  const whole = wholeOf(loaded, teamId, floor);
  const previous = await findPreviousSurvey(db, survey);
  const before = previous === undefined ? null : wholeOf(await load(db, previous, teams), teamId, floor);
  return {
    survey_id: survey.id,
    ...whole.part,
    average_score_previous: before?.part.overall_score ?? null,
    response_rate_trend:
      whole.part.response_rate === null || before === null || before.part.response_rate === null
        ? null
        : Math.round((whole.part.response_rate - before.part.response_rate) * 10) / 10,
    least_responses: floor,
    groups: input.aggregate_by === 'none' ? [] : groupsOf(loaded, whole.responses, input.aggregate_by, floor),
  };
}

type Loaded = Awaited<ReturnType<typeof load>>;

/**
 * With recipients by the groups that answers are stored under. A team that was deleted stays a group: with another one it
 * could show what is hidden.
 */
async function load(db: Database, survey: SurveyRow, teams: ReadonlyMap<number, TeamRow>) {
  const [questions, recipients, { responses, answers }] = await Promise.all([
    listQuestions(db, survey.entity_id, [survey.id]),
    listRecipients(db, survey.entity_id, survey.id),
    readResponses(db, survey.entity_id, survey.id),
  ]);
  const groupOf = storedGroupOf(survey, recipients);
  return {
    survey,
    teams,
    questions: questions.get(survey.id) ?? [],
    recipients: recipients.map(groupOf),
    /** Whether the answers of some are stored without the team or cohort that they are of. */
    hasSmallGroups: {
      team: recipients.some((recipient) => groupOf(recipient).team_id !== recipient.team_id),
      ai_cohort: recipients.some((recipient) => groupOf(recipient).ai_cohort !== recipient.ai_cohort),
    },
    responses,
    answers,
  };
}

function toPart(
  loaded: Loaded,
  responses: readonly ResponseRow[],
  recipientCount: number,
  isHidden: boolean,
): ResultPart {
  if (isHidden) {
    return {
      is_hidden: true,
      response_count: null,
      recipient_count: recipientCount,
      overall_score: null,
      response_rate: null,
      questions: [],
    };
  }
  const figures: Figures = computeFigures(loaded.questions, responses, loaded.answers);
  return {
    is_hidden: false,
    response_count: figures.response_count,
    recipient_count: recipientCount,
    overall_score: figures.overall_score,
    response_rate: percentOf(figures.response_count, recipientCount),
    questions: figures.questions,
  };
}

/** The survey, or one team of it, which is shown exactly when it would be among the groups. */
function wholeOf(loaded: Loaded, teamId: number | undefined, floor: number) {
  const { responses, recipients, survey } = loaded;
  if (teamId === undefined) {
    const isHidden = survey.is_anonymous && responses.length < floor;
    const part = toPart(loaded, responses, recipients.length, isHidden);
    // How many answered is no secret; the survey's own record has it too.
    const rate = percentOf(responses.length, recipients.length);
    return { responses, part: { ...part, response_count: responses.length, response_rate: rate } };
  }
  const group = groupResponses(responses, ({ team_id }) => team_id, floor).find(({ key }) => key === teamId);
  const own = group?.responses ?? [];
  const recipientCount = recipients.filter(({ team_id }) => team_id === teamId).length;
  return { responses: own, part: toPart(loaded, own, recipientCount, group?.isHidden ?? true) };
}

function groupsOf(
  loaded: Loaded,
  responses: readonly ResponseRow[],
  by: 'team' | 'ai_cohort',
  floor: number,
): ResultGroup[] {
  const hasSmall = loaded.hasSmallGroups[by];
  if (by === 'ai_cohort') {
    const order: readonly (string | null)[] = AI_COHORTS;
    return groupResponses(responses, ({ ai_cohort }) => ai_cohort, floor)
      .map(({ key, responses: own, isHidden }) => ({
        key,
        name: cohortTitle(key, hasSmall),
        ...toPart(loaded, own, loaded.recipients.filter(({ ai_cohort }) => ai_cohort === key).length, isHidden),
      }))
      .sort((a, b) => order.indexOf(a.key) - order.indexOf(b.key));
  }
  return groupResponses(responses, ({ team_id }) => team_id, floor)
    .map(({ key, responses: own, isHidden }) => {
      const part = toPart(loaded, own, loaded.recipients.filter(({ team_id }) => team_id === key).length, isHidden);
      return { ...nameTeam(key, loaded.teams, hasSmall), ...part };
    })
    .sort((a, b) => (a.key === null ? 1 : b.key === null ? -1 : a.key < b.key ? -1 : 1));
}

function nameTeam(id: number | null, teams: ReadonlyMap<number, TeamRow>, hasSmall: boolean) {
  if (id === null) return { key: null, name: hasSmall ? 'Small teams and none' : 'No team' };
  const { slug, name } = teams.get(id) ?? { slug: `deleted:${id}`, name: 'Deleted team' };
  return { key: slug, name };
}

function cohortTitle(key: string | null, hasSmall: boolean): string {
  const cohort = AI_COHORTS.find((name) => name === key);
  if (cohort !== undefined) return AI_COHORT_TITLES[cohort];
  return hasSmall ? 'Small groups and not known' : 'Not known';
}
