// Surveys through the API: from making one to its results, who may do what, and that an anonymous answer
// leads back to nobody.
import { beforeAll, describe, expect, it } from 'vitest';
import { cronEntries, TASKS } from '../../../src/jobs/tasks.ts';
import { silentLog } from '../../../src/kit/log.ts';
import { importSettings } from '../../support/import-settings.ts';
import {
  addCommitter,
  addTeam,
  create,
  createSurveyApp,
  forgeToken,
  KEY,
  mailedTokens,
  respond,
  START,
  type SurveyApp,
  surveyOf,
  valuesFor,
} from './survey-kit.ts';

const runTask = (app: SurveyApp, at: string) =>
  TASKS.send_surveys.run({}, { log: silentLog } as Parameters<typeof TASKS.send_surveys.run>[1], {
    store: app.store,
    sources: [],
    imports: importSettings('/nonexistent'),
    links: { key: KEY, baseUrl: () => 'http://strata.test' },
    now: () => new Date(at),
  });

const names = (prefix: string, count: number) => Array.from({ length: count }, (_, index) => `${prefix}${index + 1}`);
const results = (app: SurveyApp, id: number, query = '', token = app.tokens.manager) =>
  app.request({ route: `GET /surveys/${id}/results`, query, token });

describe('making a survey', () => {
  let app: SurveyApp;
  beforeAll(async () => {
    app = await createSurveyApp();
    await addTeam(app, 'web', names('web', 3));
    await addTeam(app, 'core', [...names('core', 2)]);
  });

  it('from a template is open at once, with a mail to each person', async () => {
    const answer = await create(app, {
      template_key: 'code_review',
      team_slugs: ['web'],
      recipients: ['web1', 'x@y.test'],
    });
    const survey = surveyOf(answer);
    expect(survey).toMatchObject({
      name: 'Code review',
      category_em: 'workflows_and_processes',
      status_em: 'open',
      question_count: 4,
      estimated_minutes: 3,
      recipient_count: 4,
      response_count: 0,
      anonymous: true,
      sent_at: '2026-11-11T10:00:00Z',
      created_by: 'manager@example.com',
    });
    expect(answer.body.response_detail).toBe(`Created survey ${survey.id}; wrote 4 mails into the outbox.`);
    expect([...(await mailedTokens(app)).keys()].sort()).toEqual(
      ['web1@acme.test', 'web2@acme.test', 'web3@acme.test', 'x@y.test'].sort(),
    );
  });

  it('repeated by the same call makes no second one and sends nothing', async () => {
    const input = { template_key: 'onboarding', recipients: 'repeat@y.test' };
    const first = surveyOf(await create(app, input));
    const answers = await Promise.all([create(app, input), create(app, input)]);
    expect(answers.map((answer) => surveyOf(answer).id)).toEqual([first.id, first.id]);
    const { rows } = await app.store.pool.query(`select from outgoing_mail where recipient = 'repeat@y.test'`);
    expect(rows).toHaveLength(1);
  });

  it('with own questions keeps their order and forms, also from a form body', async () => {
    const form = new URLSearchParams({
      resource_path: 'acme',
      name: 'Own',
      recipients: 'own@y.test',
      anonymous: 'false',
      'questions[0][text]': 'How many?',
      'questions[0][scale_max]': '10',
      'questions[1][text]': 'Which?',
      'questions[1][type_em]': 'single_choice',
      'questions[1][choices]': 'red,blue',
      'questions[2][text]': 'Why?',
      'questions[2][type_em]': 'text',
      'questions[2][required]': 'false',
    });
    const survey = surveyOf(
      await app.request({ route: 'POST /surveys', form: form.toString(), token: app.tokens.manager }),
    );
    expect(survey.anonymous).toBe(false);
    expect(survey.questions).toEqual([
      {
        id: expect.any(Number),
        text: 'How many?',
        type_em: 'scale',
        scale_min: 1,
        scale_max: 10,
        choices: null,
        required: true,
      },
      {
        id: expect.any(Number),
        text: 'Which?',
        type_em: 'single_choice',
        scale_min: null,
        scale_max: null,
        choices: ['red', 'blue'],
        required: true,
      },
      {
        id: expect.any(Number),
        text: 'Why?',
        type_em: 'text',
        scale_min: null,
        scale_max: null,
        choices: null,
        required: false,
      },
    ]);
  });

  it.each([
    [{ recipients: 'a@b.test' }, 422, 'name'],
    [{ name: 'No questions', recipients: 'a@b.test' }, 422, 'questions'],
    [{ template_key: 'code_review' }, 422, 'recipients'],
    [{ template_key: 'code_review', recipients: ['nobody-knows'] }, 422, 'recipients'],
    [{ template_key: 'code_review', team_slugs: ['no-team'] }, 422, 'team_slugs'],
    [{ template_key: 'code_reviews', recipients: 'a@b.test' }, 400, 'template_key'],
    [{ template_key: 'code_review', recipients: 'a@b.test', send_at: '2020-01-01' }, 422, 'send_at'],
    [{ template_key: 'code_review', recipients: 'a@b.test', closes_at: '2020-01-01' }, 422, 'closes_at'],
    [
      { name: 'n', recipients: 'a@b.test', questions: [{ text: 'x', type_em: 'single_choice' }] },
      422,
      'questions[0].choices',
    ],
    [{ name: 'n', recipients: 'a@b.test', questions: [{ type_em: 'text' }] }, 400, 'questions[0].text'],
  ])('%o is refused with %d, naming %s', async (input, status, field) => {
    const answer = await create(app, input);
    expect(answer.status, answer.text).toBe(status);
    expect(Object.keys(answer.body.errors as object)).toEqual([field]);
  });

  it('skips addresses that take no mail, and says so', async () => {
    await addCommitter(app, 'hidden', '123+hidden@users.noreply.github.com');
    const answer = await create(app, { template_key: 'technical_debt', recipients: ['hidden', 'core1'] });
    expect(answer.body.response_detail).toContain('wrote 1 mail into the outbox. 1 recipient has no address');
  });

  it('for the team of everybody reaches every committer', async () => {
    const { rows } = await app.store.pool.query('select count(*) as count from committers where entity_id = $1', [
      app.entityId,
    ]);
    const survey = surveyOf(
      await create(app, { template_key: 'developer_experience', team_slugs: 'all-contributors' }),
    );
    expect(survey.recipient_count).toBe(rows[0].count);
  });
});

describe('the life of a survey', () => {
  let app: SurveyApp;
  beforeAll(async () => {
    app = await createSurveyApp();
    await addTeam(app, 'web', names('web', 5));
  });
  const act = (id: number, what: string, json = {}) =>
    app.request({ route: `POST /surveys/${id}/${what}`, json, token: app.tokens.manager });

  it('leads from draft over scheduled and open to closed, and refuses what a state does not allow', async () => {
    app.setTime(START);
    const draft = surveyOf(
      await create(app, { template_key: 'code_review', team_slugs: 'web', send_now: false, name: 'Life' }),
    );
    expect(draft.status_em).toBe('draft');
    expect((await mailedTokens(app)).size).toBe(0);
    for (const what of ['remind', 'results']) {
      const answer = what === 'results' ? await results(app, draft.id) : await act(draft.id, what);
      expect([what, answer.status]).toEqual([what, 409]);
    }
    const scheduled = surveyOf(await act(draft.id, 'send', { send_at: '2026-11-12T08:00:00Z' }));
    expect(scheduled).toMatchObject({ status_em: 'scheduled', send_at: '2026-11-12T08:00:00Z', sent_at: null });
    await runTask(app, '2026-11-12T07:59:59Z');
    expect((await mailedTokens(app)).size).toBe(0);
    await runTask(app, '2026-11-12T08:00:30Z');
    await runTask(app, '2026-11-12T08:01:30Z');
    app.setTime('2026-11-12T08:02:00Z');
    const open = surveyOf(await app.request({ route: `GET /surveys/${draft.id}` }));
    expect(open).toMatchObject({ status_em: 'open', sent_at: '2026-11-12T08:00:30Z' });
    const { rows } = await app.store.pool.query(`select from outgoing_mail where kind = 'survey_invitation'`);
    expect(rows).toHaveLength(5);
    expect((await act(draft.id, 'send')).status).toBe(409);

    expect((await act(draft.id, 'remind')).status).toBe(409); // invited two minutes ago
    app.setTime('2026-11-13T08:00:00Z');
    const tokens = await mailedTokens(app);
    await respond(app, draft.id, tokens.get('web2@acme.test')!, valuesFor(open, 4));
    const reminded = await act(draft.id, 'remind');
    expect(reminded.body.response_detail).toContain('wrote 4 mails');
    expect([...(await mailedTokens(app, 'survey_reminder')).keys()]).not.toContain('web2@acme.test');
    const again = await act(draft.id, 'remind');
    expect([again.status, again.body.response_detail]).toEqual([
      409,
      expect.stringContaining('2026-11-13T09:00:00.000Z'),
    ]);

    expect(surveyOf(await act(draft.id, 'close'))).toMatchObject({
      status_em: 'closed',
      closed_at: '2026-11-13T08:00:00Z',
    });
    expect((await act(draft.id, 'close')).body.response_detail).toContain('already closed');
    for (const what of ['send', 'remind']) expect((await act(draft.id, what)).status).toBe(409);
    const late = await respond(app, draft.id, tokens.get('web1@acme.test')!, valuesFor(open, 4));
    expect([late.status, late.body.response_detail]).toEqual([409, expect.stringContaining('closed')]);
  });

  it('closes by itself at its time, for answers at once and in the records with the next run of the task', async () => {
    app.setTime(START);
    const survey = surveyOf(
      await create(app, { template_key: 'onboarding', recipients: 'late@y.test', closes_at: '2026-11-11T12:00:00Z' }),
    );
    const token = (await mailedTokens(app)).get('late@y.test')!;
    app.setTime('2026-11-11T12:00:00Z');
    expect((await respond(app, survey.id, token, valuesFor(survey, 4))).status).toBe(409);
    expect(surveyOf(await app.request({ route: `GET /surveys/${survey.id}` })).status_em).toBe('closed');
    await runTask(app, '2026-11-11T12:00:10Z');
    const { rows } = await app.store.pool.query('select status_em, closed_at from surveys where id = $1', [survey.id]);
    expect(rows).toEqual([{ status_em: 'closed', closed_at: '2026-11-11T12:00:00Z' }]);
  });

  it('is looked after by the clock', () => {
    expect(cronEntries().map(({ task }) => task)).toContain('send_surveys');
  });
});

describe('answers', () => {
  let app: SurveyApp;
  beforeAll(async () => {
    app = await createSurveyApp();
    await addTeam(app, 'web', names('web', 5));
  });

  it('are taken once per recipient, without an API token', async () => {
    const survey = surveyOf(await create(app, { template_key: 'code_review', team_slugs: 'web' }));
    const token = (await mailedTokens(app)).get('web1@acme.test')!;
    const both = await Promise.all([1, 2].map((value) => respond(app, survey.id, token, valuesFor(survey, value))));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    const { rows } = await app.store.pool.query('select from survey_responses where survey_id = $1', [survey.id]);
    expect(rows).toHaveLength(1);
    expect(surveyOf(await app.request({ route: `GET /surveys/${survey.id}` })).response_count).toBe(1);
  });

  it('may come as a form', async () => {
    const survey = surveyOf(await create(app, { template_key: 'technical_debt', team_slugs: 'web' }));
    const form = new URLSearchParams({ token: (await mailedTokens(app)).get('web2@acme.test')! });
    survey.questions.forEach(({ id }, index) => {
      form.set(`answers[${index}][question_id]`, String(id));
      form.set(`answers[${index}][value]`, '3');
    });
    const answer = await app.request({
      route: `POST /surveys/${survey.id}/responses`,
      token: null,
      form: form.toString(),
    });
    expect(answer.status, answer.text).toBe(200);
  });

  it('with a forged, foreign, expired or general link are refused', async () => {
    const survey = surveyOf(await create(app, { template_key: 'team_collaboration', team_slugs: 'web' }));
    const other = surveyOf(await create(app, { template_key: 'tooling_satisfaction', team_slugs: 'web' }));
    const { rows } = await app.store.pool.query('select id from survey_recipients where survey_id = $1 order by id', [
      survey.id,
    ]);
    const recipient = rows[0].id;
    const now = Date.parse(START) / 1000;
    const good = forgeToken(app, survey.id, recipient, now + 60);
    const refused = {
      garbage: 'abc',
      'another key': forgeToken(app, survey.id, recipient, now + 60, Buffer.alloc(32, 8)),
      'another recipient under the same hash': good.replace(/^(\d+-\d+)-\d+-/, `$1-${recipient + 1}-`),
      expired: forgeToken(app, survey.id, recipient, now),
      'the link for everybody': new URL(survey.link).searchParams.get('token')!,
    };
    for (const [what, token] of Object.entries(refused)) {
      const answer = await respond(app, survey.id, token, valuesFor(survey, 3));
      expect([what, answer.status, answer.body.response_em]).toEqual([what, 401, 'response_unauthorized']);
      expect(answer.text).not.toContain(token);
    }
    expect((await respond(app, other.id, good, valuesFor(other, 3))).status).toBe(401);
    const { rows: stored } = await app.store.pool.query('select from survey_responses where survey_id = $1', [
      survey.id,
    ]);
    expect(stored).toHaveLength(0);
    expect((await respond(app, survey.id, good, valuesFor(survey, 3))).status).toBe(200);
  });

  it('of a deleted entity are refused', async () => {
    const survey = surveyOf(await create(app, { template_key: 'onboarding', team_slugs: 'web' }));
    const token = (await mailedTokens(app)).get('web3@acme.test')!;
    await app.store.pool.query(`update entities set state = 'offboarding' where slug = 'acme'`);
    expect((await respond(app, survey.id, token, valuesFor(survey, 3))).status).toBe(401);
    await app.store.pool.query(`update entities set state = 'active' where slug = 'acme'`);
  });

  it('that are wrong or missing are named by question', async () => {
    const survey = surveyOf(await create(app, { template_key: 'ai_tools_adoption', team_slugs: 'web' }));
    const token = (await mailedTokens(app)).get('web4@acme.test')!;
    const [first, second, third, fourth] = survey.questions.map(({ id }) => id);
    const answer = await respond(app, survey.id, token, [
      { question_id: first, value: 6 },
      { question_id: second, value: 5 },
      { question_id: third },
      { question_id: 999_999, value: 1 },
    ]);
    expect(answer.status).toBe(422);
    expect(answer.body.errors).toEqual({
      [`answers.${first}`]: ['"6" is not accepted; expected a whole number from 1 to 5'],
      [`answers.${third}`]: ['please choose an answer'],
      [`answers.${fourth}`]: ['please choose an answer'],
      'answers.999999': ['the survey has no such question'],
    });
  });
});

describe('anonymity', () => {
  let app: SurveyApp;
  beforeAll(async () => {
    app = await createSurveyApp();
    await addTeam(app, 'web', names('web', 6));
    await addTeam(app, 'tiny', names('tiny', 2));
  });

  it('leaves nothing in the database that leads from an answer to a person, or says who answered', async () => {
    const survey = surveyOf(await create(app, { template_key: 'code_review', team_slugs: ['web', 'tiny'] }));
    const dump = async (table: string) =>
      (await app.store.pool.query(`select *, xmin::text as xmin from ${table} where entity_id = $1`, [app.entityId]))
        .rows;
    const before = await dump('survey_recipients');
    const tokens = await mailedTokens(app);
    for (const name of ['web3', 'web1', 'tiny2', 'web5', 'web2']) {
      expect((await respond(app, survey.id, tokens.get(`${name}@acme.test`)!, valuesFor(survey, 4))).status).toBe(200);
    }
    // Recipients are as untouched as those who never answered, down to the transaction that wrote them.
    expect(await dump('survey_recipients')).toEqual(before);
    const responses = await dump('survey_responses');
    expect(responses).toHaveLength(5);
    const transactions = new Set(before.map(({ xmin }) => xmin));
    for (const response of responses) {
      expect(response).toMatchObject({ recipient_id: null, responded_on: null });
      expect(transactions.has(response.xmin)).toBe(false);
    }
    // Two people are too few for their team to be kept.
    const { rows: teams } = await app.store.pool.query(
      'select t.slug, count(*) from survey_responses r left join teams t on t.entity_id = r.entity_id and t.id = r.team_id group by 1 order by 1',
    );
    expect(teams).toEqual([
      { slug: 'web', count: 4 },
      { slug: null, count: 1 },
    ]);
    // No number of a recipient, committer or user and no name or address appears in what was answered.
    const answered = JSON.stringify([
      responses.map(({ xmin: _, team_id: __, ...rest }) => rest),
      (await dump('survey_answers')).map(({ xmin: _, ...rest }) => rest),
    ]);
    for (const { identifier, email, full_name } of before) {
      for (const text of [identifier, email, full_name]) expect(answered).not.toContain(text);
    }
    // The marks of who answered mean nothing without the key: they are no hash of any known value.
    const { rows } = await app.store.pool.query('select responded_marks from surveys where id = $1', [survey.id]);
    const marks = rows[0].responded_marks as Buffer;
    expect(marks.length).toBe(5 * 16);
    const parts = Array.from({ length: 5 }, (_, index) => marks.subarray(index * 16, index * 16 + 16).toString('hex'));
    expect(parts).toEqual(parts.toSorted());
  });

  it('is not promised where the survey says so, and then the answer has its author', async () => {
    const survey = surveyOf(await create(app, { template_key: 'onboarding', team_slugs: ['tiny'], anonymous: false }));
    await respond(app, survey.id, (await mailedTokens(app)).get('tiny1@acme.test')!, valuesFor(survey, 2));
    const { rows } = await app.store.pool.query(
      `select p.identifier, r.responded_on, t.slug from survey_responses r
       join survey_recipients p on p.id = r.recipient_id join teams t on t.id = r.team_id where r.survey_id = $1`,
      [survey.id],
    );
    expect(rows).toEqual([{ identifier: 'tiny1', responded_on: '2026-11-11', slug: 'tiny' }]);
  });
});

interface ShownGroup {
  readonly key: string | null;
  readonly is_hidden: boolean;
}

describe('results', () => {
  let app: SurveyApp;
  beforeAll(async () => {
    app = await createSurveyApp();
    await addTeam(app, 'web', names('web', 5));
    await addTeam(app, 'core', names('core', 5));
    await addTeam(app, 'ops', names('ops', 4));
  });

  const answerAll = async (id: number, survey: ReturnType<typeof surveyOf>, scores: Record<string, number[]>) => {
    const tokens = await mailedTokens(app);
    for (const [name, values] of Object.entries(scores)) {
      const answers = valuesFor(survey, ...values).map((answer, index) =>
        index === 0 ? { ...answer, comment: `from ${values.join('')}` } : answer,
      );
      const answer = await respond(app, id, tokens.get(`${name}@acme.test`)!, answers);
      expect(answer.status, answer.text).toBe(200);
    }
  };

  it('are those worked out by hand, beside the survey before, by team and by cohort', async () => {
    const first = surveyOf(await create(app, { template_key: 'code_review', team_slugs: ['web'] }));
    await answerAll(first.id, first, { web1: [3], web2: [3], web3: [4], web4: [4] });
    expect((await results(app, first.id)).body.results).toMatchObject({
      overall_score: 3.5,
      response_rate: 80,
      average_score_previous: null,
      response_rate_trend: null,
    });

    app.setTime('2026-11-18T10:00:00.000Z');
    // Web is a team of heavy users in the week before.
    await app.store.pool.query(
      `insert into ai_usages (entity_id, used_on, committer_id, llm_model_name, ai_provider_em, prompted_suggest_count)
       select entity_id, '2026-11-10', id, 'm', 'custom', 40 from committers where committer_user_name like 'web%'`,
    );
    const survey = surveyOf(
      await create(app, { template_key: 'code_review', team_slugs: ['web', 'core', 'ops'], name: 'Again' }),
    );
    expect((await results(app, survey.id)).body.results).toMatchObject({
      is_hidden: true,
      overall_score: null,
      questions: [],
      response_count: 0,
      response_rate: 0,
    });
    await answerAll(survey.id, survey, {
      web1: [5, 5, 5, 5],
      web2: [4, 4, 4, 4],
      web3: [5, 4, 3, 2],
      web4: [1, 1, 1, 1],
      core1: [2, 2, 2, 2],
      core2: [3, 3, 3, 3],
      core3: [4, 4, 4, 4],
      ops1: [1, 5, 1, 5],
    });
    // (20 + 16 + 14 + 4 + 8 + 12 + 16 + 12) / 32 = 3.1875; 8 of 14 answered
    const byTeam = await results(app, survey.id, 'aggregate_by=team');
    expect(byTeam.body.results).toMatchObject({
      overall_score: 3.19,
      average_score_previous: 3.5,
      response_rate: 57.1,
      response_rate_trend: -22.9,
      response_count: 8,
      recipient_count: 14,
      least_responses: 4,
    });
    const whole = byTeam.body.results as { questions: Record<string, unknown>[]; groups: Record<string, unknown>[] };
    // First question: 5 4 5 1 2 3 4 1 → 25 / 8
    expect(whole.questions[0]).toEqual({
      id: survey.questions[0]!.id,
      text: survey.questions[0]!.text,
      response_count: 8,
      average: 3.13,
      distribution: [
        { value: 1, count: 2, percent: 25 },
        { value: 2, count: 1, percent: 12.5 },
        { value: 3, count: 1, percent: 12.5 },
        { value: 4, count: 2, percent: 25 },
        { value: 5, count: 2, percent: 25 },
      ],
      comments: [
        'from 1111',
        'from 1515',
        'from 2222',
        'from 3333',
        'from 4444',
        'from 4444',
        'from 5432',
        'from 5555',
      ],
    });
    // ops with one and core with three are hidden; web with four has (20 + 16 + 14 + 4) / 16
    expect(whole.groups).toEqual([
      expect.objectContaining({
        key: 'core',
        is_hidden: true,
        overall_score: null,
        response_count: null,
        questions: [],
      }),
      expect.objectContaining({
        key: 'ops',
        is_hidden: true,
        overall_score: null,
        response_count: null,
        questions: [],
      }),
      expect.objectContaining({
        key: 'web',
        name: 'Team web',
        is_hidden: false,
        overall_score: 3.38,
        response_count: 4,
        recipient_count: 5,
      }),
    ]);
    expect((await results(app, survey.id, 'team_slug=web')).body.results).toMatchObject({
      overall_score: 3.38,
      response_rate: 80,
      average_score_previous: 3.5,
    });
    expect((await results(app, survey.id, 'team_slug=core')).body.results).toMatchObject({
      is_hidden: true,
      overall_score: null,
      questions: [],
    });
    expect((await results(app, survey.id, 'team_slug=none-such')).status).toBe(404);
    const cohorts = (await results(app, survey.id, 'aggregate_by=ai_cohort')).body.results as typeof whole;
    expect(cohorts.groups).toEqual([
      expect.objectContaining({
        key: 'non_user',
        name: 'Non-user',
        is_hidden: false,
        response_count: 4,
        overall_score: 3,
      }),
      expect.objectContaining({
        key: 'power',
        name: 'Power',
        is_hidden: false,
        response_count: 4,
        overall_score: 3.38,
      }),
    ]);
    const both = await results(app, survey.id, 'team_slug=web&aggregate_by=ai_cohort');
    expect([both.status, Object.keys(both.body.errors as object)]).toEqual([422, ['aggregate_by']]);
  });

  it('of an anonymous survey are hidden until the fourth response, of another shown from the first', async () => {
    app.setTime('2026-11-25T10:00:00.000Z');
    for (const [anonymous, shown] of [
      [true, [false, false, false, true]],
      [false, [true, true, true, true]],
    ] as const) {
      const survey = surveyOf(await create(app, { template_key: 'onboarding', team_slugs: 'web', anonymous }));
      const seen: boolean[] = [];
      for (const name of names('web', 4)) {
        await answerAll(survey.id, survey, { [name]: [2] });
        seen.push((await results(app, survey.id)).body.results!['overall_score' as never] === 2);
      }
      expect(seen).toEqual(shown);
    }
  });

  it('count those who were asked by the groups that answers are stored under', async () => {
    app.setTime('2026-11-27T10:00:00.000Z');
    await addTeam(app, 'red', names('red', 3));
    await addTeam(app, 'blue', names('blue', 3));
    const survey = surveyOf(
      await create(app, { name: 'Small', template_key: 'onboarding', team_slugs: ['red', 'blue', 'core'] }),
    );
    const all = [...names('red', 3), ...names('blue', 3), ...names('core', 4)];
    await answerAll(survey.id, survey, Object.fromEntries(all.map((name) => [name, [3]])));
    const groups = async (by: string) =>
      (
        (await results(app, survey.id, `aggregate_by=${by}`)).body.results as { groups: Record<string, unknown>[] }
      ).groups.map(({ key, name, response_count, recipient_count, response_rate }) => [
        key,
        name,
        response_count,
        recipient_count,
        response_rate,
      ]);
    const small = [null, 'Small teams and none', 6, 6, 100];
    expect(await groups('team')).toEqual([['core', 'Team core', 4, 5, 80], small]);
    // Everybody is of the default team.
    const [whole, ofAll] = [
      (await results(app, survey.id)).body.results,
      (await results(app, survey.id, 'team_slug=all-contributors')).body.results,
    ];
    expect(ofAll).toEqual(whole);
    expect(ofAll).toMatchObject({ is_hidden: false, response_count: 10, recipient_count: 11 });
    const { rows } = await app.store.pool.query(`select id from teams where slug = 'core'`);
    const core = rows[0].id;
    await app.store.pool.query('delete from team_members where team_id = $1', [core]);
    await app.store.pool.query(`delete from teams where slug = 'core'`);
    expect(await groups('team')).toEqual([[`deleted:${core}`, 'Deleted team', 4, 5, 80], small]);
  });

  it('stay hidden when a team is deleted', async () => {
    app.setTime('2026-11-28T10:00:00.000Z');
    for (const [slug, size] of [
      ['p', 8],
      ['q', 6],
      ['r', 4],
      ['s', 2],
    ] as const)
      await addTeam(app, slug, names(slug, size));
    const survey = surveyOf(
      await create(app, { name: 'Gone', template_key: 'onboarding', team_slugs: ['p', 'q', 'r', 's'] }),
    );
    const all = [...names('p', 8), ...names('q', 6), ...names('r', 4), ...names('s', 2)];
    await answerAll(survey.id, survey, Object.fromEntries(all.map((name) => [name, [name.startsWith('s') ? 1 : 3]])));
    const hidden = async () => {
      const { groups } = (await results(app, survey.id, 'aggregate_by=team')).body.results as { groups: ShownGroup[] };
      return groups.filter(({ is_hidden }) => is_hidden).map(({ key }) => key);
    };
    expect(await hidden()).toEqual(['r', null]);
    await app.store.pool.query(`delete from team_members where team_id = (select id from teams where slug = 'q')`);
    await app.store.pool.query(`delete from teams where slug = 'q'`);
    expect(await hidden()).toEqual(['r', null]);
  });

  it('have the floor that the entity has raised', async () => {
    app.setTime('2026-12-02T10:00:00.000Z');
    const survey = surveyOf(await create(app, { template_key: 'technical_debt', team_slugs: 'web' }));
    await answerAll(survey.id, survey, { web1: [5], web2: [5], web3: [5], web4: [5] });
    expect((await results(app, survey.id)).body.results).toMatchObject({ is_hidden: false });
    await app.operations.settings.set('operator', 'acme', 'small_group_floor', 5);
    expect((await results(app, survey.id)).body.results).toMatchObject({ is_hidden: true, least_responses: 5 });
    await app.operations.settings.set('operator', 'acme', 'small_group_floor', 0);
    expect((await results(app, survey.id)).body.results).toMatchObject({ is_hidden: false, least_responses: 4 });
  });
});

describe('who may see what', () => {
  let app: SurveyApp;
  let id: number;
  let draftId: number;
  beforeAll(async () => {
    app = await createSurveyApp();
    await addTeam(app, 'web', names('web', 4));
    id = surveyOf(
      await create(app, { template_key: 'code_review', team_slugs: 'web', recipients: 'member@example.com' }),
    ).id;
    await create(app, { template_key: 'onboarding', team_slugs: 'web' });
    draftId = surveyOf(
      await create(app, { template_key: 'technical_debt', recipients: 'member@example.com', send_now: false }),
    ).id;
  });

  it('a member sees the surveys that were sent to the member, and no results', async () => {
    const token = app.tokens.member;
    const list = await app.request({ route: 'GET /surveys', query: 'resource_path=acme', token });
    expect((list.body.surveys as { id: number }[]).map((survey) => survey.id)).toEqual([id]);
    expect((await app.request({ route: `GET /surveys/${id}`, token })).status).toBe(200);
    expect((await app.request({ route: `GET /surveys/${draftId}`, token })).status).toBe(404);
    expect((await results(app, id, '', token)).status).toBe(403);
    expect((await create(app, { template_key: 'code_review', team_slugs: 'web' }, token)).status).toBe(403);
  });

  it('a foreign entity knows nothing, whatever is asked', async () => {
    const token = app.tokens.foreignAdmin;
    for (const [method, path] of [
      ['GET', ''],
      ['GET', '/results'],
      ['POST', '/send'],
      ['POST', '/remind'],
      ['POST', '/close'],
    ]) {
      const own = await app.request({ route: `${method} /surveys/${id}${path}`, token });
      const never = await app.request({ route: `${method} /surveys/999999${path}`, token });
      expect([path, own.status, own.text.replace(String(id), '')]).toEqual([
        path,
        404,
        never.text.replace('999999', ''),
      ]);
    }
    expect((await app.request({ route: 'GET /surveys', query: 'resource_path=acme', token })).status).toBe(404);
  });

  it('a super admin reaches a survey of another entity by naming it, and nobody else does', async () => {
    const there = { token: app.tokens.superAdmin, resource_path: 'other' };
    const call = (route: string, { token, resource_path }: { token: string; resource_path?: string }, more = {}) =>
      app.request({
        route,
        token,
        ...(route.startsWith('GET')
          ? { query: resource_path === undefined ? '' : `resource_path=${resource_path}` }
          : { json: { ...(resource_path === undefined ? {} : { resource_path }), ...more } }),
      });
    const made = await call('POST /surveys', there, {
      template_key: 'code_review',
      recipients: 'foreign@example.com',
      send_now: false,
    });
    expect(made.status, made.text).toBe(200);
    const path = `/surveys/${surveyOf(made).id}`;
    for (const route of [
      `GET ${path}`,
      `POST ${path}/send`,
      `POST ${path}/remind`,
      `GET ${path}/results`,
      `POST ${path}/close`,
    ]) {
      expect((await call(route, { token: app.tokens.superAdmin })).status, route).toBe(404);
      expect((await call(route, { token: app.tokens.admin, resource_path: 'other' })).status, route).toBe(404);
      // A reminder may come too soon; that it is refused shows that the survey was found.
      const found = await call(route, there);
      expect([200, 409], `${route}: ${found.text}`).toContain(found.status);
    }
    expect(surveyOf(await call(`GET ${path}`, there)).status_em).toBe('closed');
  });

  it('a list is filtered by state, team and day of sending, and paged', async () => {
    const ids = async (query: string) => {
      const answer = await app.request({
        route: 'GET /surveys',
        query: `resource_path=acme&${query}`,
        token: app.tokens.manager,
      });
      expect(answer.status, answer.text).toBe(200);
      return (answer.body.surveys as unknown[]).length;
    };
    expect(await ids('')).toBe(3);
    expect(await ids('status_em=open')).toBe(2);
    expect(await ids('status_em=draft')).toBe(1);
    expect(await ids('team_slug=web')).toBe(2);
    expect(await ids('start_date=2026-11-11&end_date=2026-11-11')).toBe(3);
    expect(await ids('start_date=2026-11-12')).toBe(0);
    expect(await ids('end_date=2026-11-10')).toBe(0);
    expect(await ids('page=2')).toBe(0);
    const wrong = await app.request({
      route: 'GET /surveys',
      query: 'resource_path=acme&start_date=2026-11-12&end_date=2026-11-11',
    });
    expect(wrong.status).toBe(400);
  });
});
