// Surveys as the API shows them.
import { type LinkParts, sharedLink } from '../../domain/surveys/link.ts';
import { estimateMinutes, type StoredQuestion } from '../../domain/surveys/questions.ts';
import { type SurveyStatus, statusAt } from '../../domain/surveys/state.ts';
import type { SurveyCategory } from '../../domain/surveys/templates.ts';
import type { Database } from '../../storage/database/handle.ts';
import { listQuestions, type SurveyRow } from '../../storage/surveys/surveys.ts';

export interface SurveyRecord {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly category_em: SurveyCategory;
  readonly template_key: string | null;
  readonly status_em: SurveyStatus;
  readonly question_count: number;
  readonly estimated_minutes: number;
  readonly recipient_count: number;
  readonly response_count: number;
  readonly anonymous: boolean;
  readonly send_at: string | null;
  readonly sent_at: string | null;
  readonly closes_at: string | null;
  readonly closed_at: string | null;
  readonly created_at: string;
  readonly created_by: string | null;
  readonly link: string;
  readonly questions: (Omit<StoredQuestion, 'choices'> & { readonly choices: string[] | null })[];
}

export async function surveysToRecords(
  db: Database,
  entityId: number,
  rows: readonly SurveyRow[],
  links: LinkParts,
  now: Date,
): Promise<SurveyRecord[]> {
  const questions = await listQuestions(
    db,
    entityId,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => {
    const own = questions.get(row.id) ?? [];
    const status = statusAt(row, now);
    return {
      id: row.id,
      name: row.name,
      description: row.description,
      category_em: row.category_em,
      template_key: row.template_key,
      status_em: status,
      question_count: own.length,
      estimated_minutes: estimateMinutes(own),
      recipient_count: row.recipient_count,
      response_count: row.response_count,
      anonymous: row.is_anonymous,
      send_at: row.send_at,
      sent_at: row.sent_at,
      closes_at: row.closes_at,
      closed_at: row.closed_at ?? (status === 'closed' ? row.closes_at : null),
      created_at: row.created_at,
      created_by: row.created_by,
      link: sharedLink(links, entityId, row.id),
      questions: own.map((question) => ({ ...question, choices: question.choices && [...question.choices] })),
    };
  });
}
