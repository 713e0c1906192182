// What recipients of a survey are written.

export interface SurveyMailInput {
  readonly name: string;
  readonly description: string;
  readonly question_count: number;
  readonly estimated_minutes: number;
  readonly anonymous: boolean;
  readonly closes_at: string | null;
  readonly entity_name: string;
  readonly recipient_name: string | null;
  readonly link: string;
}

export type SurveyMailKind = 'survey_invitation' | 'survey_reminder' | 'survey_link';

const OPENINGS: Readonly<Record<SurveyMailKind, (survey: SurveyMailInput) => string>> = {
  survey_invitation: ({ entity_name, name }) => `${entity_name} asks for your answers to the survey "${name}".`,
  survey_reminder: ({ name }) => `The survey "${name}" is still open, and your answers are missing.`,
  survey_link: ({ name }) => `Here is your link to the survey "${name}", as you asked for it.`,
};

const SUBJECTS: Readonly<Record<SurveyMailKind, (name: string) => string>> = {
  survey_invitation: (name) => `Survey: ${name}`,
  survey_reminder: (name) => `Reminder: ${name}`,
  survey_link: (name) => `Your link: ${name}`,
};

/** A subject is one header line, whatever a survey is called. */
const oneLine = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();

export const surveyMailSubject = (kind: SurveyMailKind, name: string): string => SUBJECTS[kind](oneLine(name));

export function surveyMail(kind: SurveyMailKind, survey: SurveyMailInput): { subject: string; body_text: string } {
  const minutes = survey.estimated_minutes === 1 ? 'a minute' : `${survey.estimated_minutes} minutes`;
  const questions = survey.question_count === 1 ? 'one question' : `${survey.question_count} questions`;
  const paragraphs = [
    survey.recipient_name === null ? 'Hello,' : `Hello ${oneLine(survey.recipient_name)},`,
    OPENINGS[kind](survey),
    ...(survey.description === '' ? [] : [survey.description]),
    `It has ${questions} and takes about ${minutes}:\n\n${survey.link}`,
    survey.anonymous
      ? 'The survey is anonymous: your answers are stored without your name, and results of small groups are not shown.'
      : 'The survey is not anonymous: your answers are stored together with your name.',
    ...(survey.closes_at === null ? [] : [`It closes on ${formatUtc(survey.closes_at)}.`]),
    'The link is meant for you alone and works once.',
  ];
  return { subject: surveyMailSubject(kind, survey.name), body_text: `${paragraphs.join('\n\n')}\n` };
}

/** October 5, 2026 at 9:00 AM UTC */
export const formatUtc = (iso: string): string =>
  `${new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(new Date(iso))} UTC`;
