// Queries on surveys, their questions, recipients and responses.
import { type SqlBool, sql } from 'kysely';
import { MARK_BYTES } from '../../domain/surveys/link.ts';
import type { Answer, Question, StoredQuestion } from '../../domain/surveys/questions.ts';
import type { AnswerRow, ResponseRow } from '../../domain/surveys/results.ts';
import type { SurveyStatus } from '../../domain/surveys/state.ts';
import type { Database } from '../database/handle.ts';
import type { NewRow, Row, RowChange } from '../database/schema.ts';

/** Without the marks, which are large, and with what lists show of them. */
export interface SurveyRow extends Omit<Row<'surveys'>, 'responded_marks' | 'input_sha256'> {
  readonly recipient_count: number;
  readonly response_count: number;
  readonly created_by: string | null;
}

const surveyColumns = sql<Omit<SurveyRow, never>>`
  s.entity_id, s.id, s.name, s.description, s.category_em, s.template_key, s.status_em, s.is_anonymous,
  s.created_by_user_id, s.team_ids, s.send_at, s.sent_at, s.closes_at, s.closed_at, s.reminded_at, s.created_at,
  octet_length(s.responded_marks) / ${sql.lit(MARK_BYTES)} as response_count,
  (select count(*) from survey_recipients r where r.entity_id = s.entity_id and r.survey_id = s.id) as recipient_count,
  (select u.email from users u where u.id = s.created_by_user_id) as created_by`;

export async function findSurvey(
  db: Database,
  entityId: number,
  surveyId: number,
  lock: 'for update' | 'no lock' = 'no lock',
): Promise<SurveyRow | undefined> {
  const { rows } = await sql<SurveyRow>`
    select ${surveyColumns} from surveys s where s.entity_id = ${entityId} and s.id = ${surveyId}
    ${lock === 'for update' ? sql`for update of s` : sql``}`.execute(db);
  return rows[0];
}

export interface SurveyFilter {
  /** Of the day it was or will be sent, or made where neither is known. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly timeZone: string;
  readonly teamId?: number | undefined;
  readonly status?: SurveyStatus | undefined;
  /** Only surveys that this user was sent. */
  readonly recipientUserId?: number | undefined;
  readonly now: Date;
}

/** The survey went to a committer of the user, or to the user's address. */
const isSentTo = (userId: number) => sql<SqlBool>`exists (
  select from survey_recipients r
  left join committers c on c.entity_id = r.entity_id and c.id = r.committer_id
  where r.entity_id = s.entity_id and r.survey_id = s.id
    and (c.user_id = ${userId} or lower(r.email) = (select u.email from users u where u.id = ${userId})))
  and s.status_em in ('open', 'closed')`;

export async function listSurveys(
  db: Database,
  entityId: number,
  filter: SurveyFilter,
  page: { readonly offset: number; readonly limit: number },
): Promise<{ rows: SurveyRow[]; total: number }> {
  const day = sql`(coalesce(s.sent_at, s.send_at, s.created_at) at time zone ${filter.timeZone})::date`;
  const status = sql`case when s.status_em = 'open' and s.closes_at <= ${filter.now.toISOString()} then 'closed'
                          else s.status_em end`;
  const conditions = [
    sql<SqlBool>`s.entity_id = ${entityId}`,
    ...(filter.from === undefined ? [] : [sql<SqlBool>`${day} >= ${filter.from}::date`]),
    ...(filter.to === undefined ? [] : [sql<SqlBool>`${day} <= ${filter.to}::date`]),
    ...(filter.status === undefined ? [] : [sql<SqlBool>`${status} = ${filter.status}`]),
    ...(filter.recipientUserId === undefined ? [] : [isSentTo(filter.recipientUserId)]),
    ...(filter.teamId === undefined
      ? []
      : [
          sql<SqlBool>`(${filter.teamId}::bigint = any (s.team_ids) or exists (
            select from survey_recipients r
            where r.entity_id = s.entity_id and r.survey_id = s.id and r.team_id = ${filter.teamId}))`,
        ]),
  ];
  const where = sql.join(conditions, sql` and `);
  const [list, count] = await Promise.all([
    sql<SurveyRow>`
      select ${surveyColumns} from surveys s where ${where}
      order by s.id desc limit ${page.limit} offset ${page.offset}`.execute(db),
    sql<{ total: number }>`select count(*) as total from surveys s where ${where}`.execute(db),
  ]);
  return { rows: list.rows, total: count.rows[0]?.total ?? 0 };
}

export async function isRecipientUser(db: Database, entityId: number, surveyId: number, userId: number) {
  const { rows } = await sql`
    select from surveys s where s.entity_id = ${entityId} and s.id = ${surveyId} and ${isSentTo(userId)}`.execute(db);
  return rows.length > 0;
}

/** The latest earlier survey that asks the same: of the same template, or of the same name. */
export async function findPreviousSurvey(db: Database, survey: SurveyRow): Promise<SurveyRow | undefined> {
  if (survey.sent_at === null) return undefined;
  const { rows } = await sql<SurveyRow>`
    select ${surveyColumns} from surveys s
    where s.entity_id = ${survey.entity_id} and s.id <> ${survey.id} and s.sent_at < ${survey.sent_at}::timestamptz
      and ${survey.template_key === null ? sql`s.template_key is null and lower(s.name) = lower(${survey.name})` : sql`s.template_key = ${survey.template_key}`}
    order by s.sent_at desc, s.id desc limit 1`.execute(db);
  return rows[0];
}

/** A survey made of the same input a moment ago: the same call, sent twice. */
export async function findRepeatedSurvey(
  db: Database,
  entityId: number,
  input: { readonly sha256: Buffer; readonly since: Date },
): Promise<number | null> {
  // One such call at a time; the lock ends with the transaction.
  await sql`select pg_advisory_xact_lock(${7_080_024}, ${input.sha256.readInt32BE(0)})`.execute(db);
  const found = await db
    .selectFrom('surveys')
    .select('id')
    .where('entity_id', '=', entityId)
    .where('input_sha256', '=', input.sha256)
    .where('created_at', '>', input.since.toISOString())
    .where('status_em', '<>', 'closed')
    .orderBy('id')
    .executeTakeFirst();
  return found?.id ?? null;
}

export type NewRecipient = Omit<NewRow<'survey_recipients'>, 'entity_id' | 'survey_id' | 'id'>;

export async function insertSurvey(
  trx: Database,
  survey: NewRow<'surveys'>,
  questions: readonly Question[],
  recipients: readonly NewRecipient[],
): Promise<number> {
  const { id } = await trx.insertInto('surveys').values(survey).returning('id').executeTakeFirstOrThrow();
  const owner = { entity_id: survey.entity_id, survey_id: id };
  await trx
    .insertInto('survey_questions')
    .values(
      questions.map(({ choices, required, ...question }, ordinal) => ({
        ...owner,
        ...question,
        ordinal,
        choices: choices === null ? null : JSON.stringify(choices),
        is_required: required,
      })),
    )
    .execute();
  const column = (name: keyof NewRecipient) => recipients.map((recipient) => recipient[name] ?? null);
  await sql`
    insert into survey_recipients (entity_id, survey_id, committer_id, email, identifier, full_name, team_id, ai_cohort)
    select ${survey.entity_id}::bigint, ${id}::bigint, x.*
    from unnest(${column('committer_id')}::bigint[], ${column('email')}::text[], ${column('identifier')}::text[],
      ${column('full_name')}::text[], ${column('team_id')}::bigint[], ${column('ai_cohort')}::text[]) as x`.execute(
    trx,
  );
  return id;
}

export async function updateSurvey(
  trx: Database,
  entityId: number,
  surveyId: number,
  change: RowChange<'surveys'>,
): Promise<void> {
  await trx
    .updateTable('surveys')
    .set(change)
    .where('entity_id', '=', entityId)
    .where('id', '=', surveyId)
    .executeTakeFirstOrThrow();
}

/** By survey, each in the order in which they are asked. */
export async function listQuestions(
  db: Database,
  entityId: number,
  surveyIds: readonly number[],
): Promise<Map<number, StoredQuestion[]>> {
  const bySurvey = new Map<number, StoredQuestion[]>(surveyIds.map((id) => [id, []]));
  if (surveyIds.length === 0) return bySurvey;
  const rows = await db
    .selectFrom('survey_questions')
    .selectAll()
    .where('entity_id', '=', entityId)
    .where('survey_id', 'in', [...surveyIds])
    .orderBy('ordinal')
    .execute();
  for (const row of rows) {
    bySurvey.get(row.survey_id)?.push({
      id: row.id,
      text: row.text,
      type_em: row.type_em,
      scale_min: row.scale_min,
      scale_max: row.scale_max,
      choices: textsOf(row.choices),
      required: row.is_required,
    });
  }
  return bySurvey;
}

const textsOf = (value: unknown): string[] | null =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : null;

export type RecipientRow = Row<'survey_recipients'>;

export const listRecipients = (db: Database, entityId: number, surveyId: number): Promise<RecipientRow[]> =>
  db
    .selectFrom('survey_recipients')
    .selectAll()
    .where('entity_id', '=', entityId)
    .where('survey_id', '=', surveyId)
    .orderBy('id')
    .execute();

export async function setRecipientCohorts(
  trx: Database,
  entityId: number,
  surveyId: number,
  cohorts: ReadonlyMap<number, string>,
): Promise<void> {
  if (cohorts.size === 0) return;
  await sql`
    update survey_recipients r set ai_cohort = x.cohort
    from unnest(${[...cohorts.keys()]}::bigint[], ${[...cohorts.values()]}::text[]) as x(committer_id, cohort)
    where r.entity_id = ${entityId} and r.survey_id = ${surveyId} and r.committer_id = x.committer_id`.execute(trx);
}

export async function readMarks(db: Database, entityId: number, surveyId: number): Promise<Buffer> {
  const { responded_marks } = await db
    .selectFrom('surveys')
    .select('responded_marks')
    .where('entity_id', '=', entityId)
    .where('id', '=', surveyId)
    .executeTakeFirstOrThrow();
  return responded_marks;
}

export async function insertResponse(
  trx: Database,
  response: NewRow<'survey_responses'>,
  answers: readonly Answer[],
): Promise<void> {
  await trx.insertInto('survey_responses').values(response).execute();
  if (answers.length === 0) return;
  await trx
    .insertInto('survey_answers')
    .values(
      answers.map(({ chosen, ...answer }) => ({
        entity_id: response.entity_id,
        response_id: response.id,
        ...answer,
        chosen: chosen === null ? null : JSON.stringify(chosen),
      })),
    )
    .execute();
}

export async function readResponses(
  db: Database,
  entityId: number,
  surveyId: number,
): Promise<{ responses: ResponseRow[]; answers: AnswerRow[] }> {
  const responses = await db
    .selectFrom('survey_responses')
    .select(['id', 'team_id', 'ai_cohort'])
    .where('entity_id', '=', entityId)
    .where('survey_id', '=', surveyId)
    .execute();
  const answers = await db
    .selectFrom('survey_answers as a')
    .innerJoin('survey_responses as r', (join) =>
      join.onRef('r.entity_id', '=', 'a.entity_id').onRef('r.id', '=', 'a.response_id'),
    )
    .select(['a.response_id', 'a.question_id', 'a.number_value', 'a.chosen', 'a.comment'])
    .where('r.entity_id', '=', entityId)
    .where('r.survey_id', '=', surveyId)
    .execute();
  return { responses, answers: answers.map((row) => ({ ...row, chosen: textsOf(row.chosen) })) };
}

/** Surveys of active entities that are to be opened or closed by now. */
export async function listDueSurveys(
  db: Database,
  now: Date,
  limit: number,
): Promise<{ entity_id: number; id: number; status_em: 'scheduled' | 'open' }[]> {
  const time = now.toISOString();
  const { rows } = await sql<{ entity_id: number; id: number; status_em: 'scheduled' | 'open' }>`
    select s.entity_id, s.id, s.status_em from surveys s join entities e on e.id = s.entity_id
    where e.state = 'active'
      and ((s.status_em = 'scheduled' and s.send_at <= ${time}) or (s.status_em = 'open' and s.closes_at <= ${time}))
    order by coalesce(s.send_at, s.closes_at) limit ${limit}`.execute(db);
  return rows;
}
