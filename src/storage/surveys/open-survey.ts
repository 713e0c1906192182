// Opens a survey: its state, the cohorts of its recipients and their invitations, in the caller's
// transaction. Both the API and the task that sends at a set time come here.
import { type LinkParts, personalLink } from '../../domain/surveys/link.ts';
import { type SurveyMailKind, surveyMail } from '../../domain/surveys/mail.ts';
import { estimateMinutes } from '../../domain/surveys/questions.ts';
import { nextStatus } from '../../domain/surveys/state.ts';
import type { Database } from '../database/handle.ts';
import { addMail } from '../mail/outgoing.ts';
import { readCohorts } from './people.ts';
import {
  listQuestions,
  listRecipients,
  type RecipientRow,
  type SurveyRow,
  setRecipientCohorts,
  updateSurvey,
} from './surveys.ts';

export interface MailCount {
  readonly written: number;
  /** Recipients without an address that mail could reach. */
  readonly unreachable: number;
}

export async function openSurvey(trx: Database, survey: SurveyRow, links: LinkParts, now: Date): Promise<MailCount> {
  const status_em = nextStatus('send', survey.status_em);
  await updateSurvey(trx, survey.entity_id, survey.id, { status_em, sent_at: now });
  const recipients = await listRecipients(trx, survey.entity_id, survey.id);
  const committerIds = recipients.flatMap(({ committer_id }) => committer_id ?? []);
  const cohorts = await readCohorts(trx, survey.entity_id, committerIds, lastCompleteWeek(now));
  await setRecipientCohorts(trx, survey.entity_id, survey.id, cohorts);
  return mailRecipients(trx, 'survey_invitation', survey, recipients, links, now);
}

export async function mailRecipients(
  trx: Database,
  kind: SurveyMailKind,
  survey: SurveyRow,
  recipients: readonly RecipientRow[],
  links: LinkParts,
  now: Date,
): Promise<MailCount> {
  const questions = (await listQuestions(trx, survey.entity_id, [survey.id])).get(survey.id) ?? [];
  const { name: entity_name } = await trx
    .selectFrom('entities')
    .select('name')
    .where('id', '=', survey.entity_id)
    .executeTakeFirstOrThrow();
  const mails = recipients.flatMap(({ id, email, full_name }) => {
    if (email === null) return [];
    const ticket = { entity_id: survey.entity_id, survey_id: survey.id, recipient_id: id };
    const mail = surveyMail(kind, {
      name: survey.name,
      description: survey.description,
      question_count: questions.length,
      estimated_minutes: estimateMinutes(questions),
      anonymous: survey.is_anonymous,
      closes_at: survey.closes_at,
      entity_name,
      recipient_name: full_name,
      link: personalLink(links, ticket, now),
    });
    return [{ kind, recipient: email, ...mail }];
  });
  await addMail(trx, survey.entity_id, mails);
  return { written: mails.length, unreachable: recipients.length - mails.length };
}

const DAY_MS = 86_400_000;

/** The Monday of the last ISO week that is over. */
export function lastCompleteWeek(now: Date): string {
  const sinceMonday = (now.getUTCDay() + 6) % 7;
  return new Date(now.getTime() - (sinceMonday + 7) * DAY_MS).toISOString().slice(0, 10);
}
