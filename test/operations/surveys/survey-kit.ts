// People, teams and links for the tests of surveys.
import { ticketToToken } from '../../../src/domain/surveys/link.ts';
import { type Answer, createTestApp, type TestApp } from '../../support/app.ts';

export const KEY = Buffer.alloc(32, 7);
export const START = '2026-11-11T10:00:00.000Z';

export interface SurveyApp extends TestApp {
  /** The clock of the service. */
  setTime(iso: string): void;
  entityId: number;
}

export async function createSurveyApp(): Promise<SurveyApp> {
  let now = new Date(START);
  const app = await createTestApp({ now: () => now });
  const { rows } = await app.store.pool.query(`select id from entities where slug = 'acme'`);
  return Object.assign(app, {
    setTime(iso: string) {
      now = new Date(iso);
    },
    entityId: rows[0].id as number,
  });
}

/** Committers `name1`… with addresses, all in one team. Returns the team's id. */
export async function addTeam(app: SurveyApp, slug: string, names: readonly string[]): Promise<number> {
  const { pool } = app.store;
  const team = await pool.query(`insert into teams (entity_id, slug, name) values ($1, $2, $3) returning id`, [
    app.entityId,
    slug,
    `Team ${slug}`,
  ]);
  for (const name of names) {
    const id = await addCommitter(app, name);
    await pool.query(
      `insert into team_members (entity_id, team_id, committer_id, identifier, role_em)
       values ($1, $2, $3, $4, 'committer_role')`,
      [app.entityId, team.rows[0].id, id, name],
    );
  }
  return team.rows[0].id;
}

export async function addCommitter(app: SurveyApp, name: string, email = `${name}@acme.test`): Promise<number> {
  const { rows } = await app.store.pool.query(
    `insert into committers (entity_id, root_committer_id, processing_status, committer_user_name, full_name, email)
     values ($1, 0, 'processing_stats', $2, initcap($2), $3) returning id`,
    [app.entityId, name, email],
  );
  await app.store.pool.query('update committers set root_committer_id = id where entity_id = $1 and id = $2', [
    app.entityId,
    rows[0].id,
  ]);
  return rows[0].id;
}

export interface ShownSurvey {
  id: number;
  status_em: string;
  link: string;
  response_count: number;
  questions: { id: number; text: string }[];
  [field: string]: unknown;
}

export const surveyOf = (answer: Answer): ShownSurvey => {
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.body.survey as ShownSurvey;
};

export const create = (app: SurveyApp, json: Record<string, unknown>, token?: string): Promise<Answer> =>
  app.request({
    route: 'POST /surveys',
    json: { resource_path: 'acme', ...json },
    token: token ?? app.tokens.manager,
  });

/** Links as they lie in the outbox, by address. */
export async function mailedTokens(app: SurveyApp, kind = 'survey_invitation'): Promise<Map<string, string>> {
  const { rows } = await app.store.pool.query(
    'select recipient, body_text from outgoing_mail where entity_id = $1 and kind = $2 order by id',
    [app.entityId, kind],
  );
  return new Map(rows.map((row) => [row.recipient, /token=(\S+)/.exec(row.body_text)![1]!]));
}

export const respond = (app: SurveyApp, id: number, token: string, answers: unknown): Promise<Answer> =>
  app.request({ route: `POST /surveys/${id}/responses`, token: null, json: { token, answers } });

/** The same values to all questions in order. */
export const valuesFor = (survey: ShownSurvey, ...values: number[]) =>
  survey.questions.map(({ id }, index) => ({ question_id: id, value: values[index] ?? values[0] }));

export const forgeToken = (app: SurveyApp, surveyId: number, recipientId: number, expires: number, key = KEY) =>
  ticketToToken(key, { entity_id: app.entityId, survey_id: surveyId, recipient_id: recipientId, expires });
