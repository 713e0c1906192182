// The pages behind survey links, first as text, then in a real browser without JavaScript: a person
// answers with the keyboard alone. Screenshots land in a temporary folder that the output names.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, launchChromium } from '../../support/chromium.ts';
import { addressOf } from '../../support/server-address.ts';
import {
  addTeam,
  create,
  createSurveyApp,
  mailedTokens,
  type ShownSurvey,
  type SurveyApp,
  surveyOf,
} from './survey-kit.ts';

const OWN_QUESTIONS = [
  { text: 'I like <b>tests</b> & "quotes".' },
  {
    text: 'Which tools do you use?',
    type_em: 'multiple_choice',
    choices: ['Editor, plain', 'Terminal'],
    required: false,
  },
  { text: 'Where do you work?', type_em: 'single_choice', choices: ['At home', 'In the office'] },
  { text: 'What should change?', type_em: 'text', required: false },
];

let app: SurveyApp;
let survey: ShownSurvey;
let tokens: Map<string, string>;
beforeAll(async () => {
  app = await createSurveyApp();
  await addTeam(app, 'web', ['web1', 'web2', 'web3', 'web4']);
  survey = surveyOf(
    await create(app, {
      name: 'Our <i>tools</i>',
      description: 'What helps, and what gets in the way?',
      questions: OWN_QUESTIONS,
      team_slugs: 'web',
      closes_at: '2026-11-30T17:00:00Z',
    }),
  );
  tokens = await mailedTokens(app);
});

const open = (token: string) => app.request({ route: 'GET //surveys/respond', query: `token=${token}`, token: null });
const post = (path: string, fields: Record<string, string>) =>
  app.request({ route: `POST /${path}`, form: new URLSearchParams(fields).toString(), token: null });
const tokenOf = (name: string) => tokens.get(`${name}@acme.test`)!;

describe('the response page', () => {
  it('is a form whose texts cannot become markup, and that may load and run nothing', async () => {
    const page = await open(tokenOf('web1'));
    expect(page.status).toBe(200);
    expect(page.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringMatching(
        /^default-src 'none'; style-src 'sha256-[^']+'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
      ),
    });
    expect(page.text).toContain('Our &lt;i&gt;tools&lt;/i&gt;');
    expect(page.text).toContain('I like &lt;b&gt;tests&lt;/b&gt; &amp; &quot;quotes&quot;.');
    expect(page.text).not.toMatch(/<script|<b>|<i>|https?:|src=/);
    expect(page.text).toContain('Open until November 30, 2026 at 5:00 PM UTC.');
  });

  it('refuses a body that is nested without end', async () => {
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
    const page = await app.request({
      route: 'POST //surveys/respond',
      payload: `{"token":"x","answers":${deep}}`,
      headers: { 'content-type': 'application/json' },
      token: null,
    });
    expect(page.status).toBe(401);
  });

  it('takes as long a text as its field does, and keeps everything where one is too long', async () => {
    const own = surveyOf(await create(app, { name: 'Long', questions: OWN_QUESTIONS, recipients: 'long@acme.test' }));
    const id = (index: number): string => String(own.questions[index]!.id);
    const lines = (count: number): string => `${'x'.repeat(99)}\r\n`.repeat(count);
    const fields = {
      token: (await mailedTokens(app)).get('long@acme.test')!,
      'answers[0][question_id]': id(0),
      'answers[0][value]': '4',
      'answers[1][question_id]': id(1),
      'answers[1][values][]': 'Terminal',
      'answers[2][question_id]': id(2),
      'answers[2][value]': 'At home',
      'answers[3][question_id]': id(3),
      'answers[3][value]': `${lines(50)}y`,
    };
    const refused = await post('/surveys/respond', fields);
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('has 5001 characters; expected at most 5000');
    expect(refused.text.match(/<input type="(?:radio|checkbox)"[^>]* checked/g)).toHaveLength(3);
    expect(refused.text).toContain(`${lines(50).replaceAll('\r', '')}y</textarea>`);
    const taken = await post('/surveys/respond', { ...fields, 'answers[3][value]': lines(50) });
    expect(taken.text).toContain('Thank you');
  });

  it('shows what is wrong beside the question, and keeps what was answered', async () => {
    const page = await post('/surveys/respond', {
      token: tokenOf('web1'),
      'answers[0][question_id]': String(survey.questions[0]!.id),
      'answers[0][value]': '4',
      'answers[0][comment]': 'a </textarea> b',
      'answers[1][question_id]': String(survey.questions[1]!.id),
      'answers[1][values][]': 'Editor, plain',
      'answers[2][question_id]': String(survey.questions[2]!.id),
    });
    expect(page.status).toBe(422);
    expect(page.text).toContain('<title>Error: Our');
    expect(page.text).toContain('role="alert"');
    expect(page.text).toContain(`id="q${survey.questions[2]!.id}-error">please choose an answer`);
    expect(page.text).toMatch(/value="4" checked/);
    expect(page.text).toMatch(/value="Editor, plain" checked/);
    expect(page.text).toContain('a &lt;/textarea&gt; b');
    const tooLong = await post('/surveys/respond', {
      token: tokenOf('web1'),
      'answers[0][question_id]': String(survey.questions[0]!.id),
      'answers[0][value]': '4',
      'answers[0][comment]': 'x'.repeat(5001),
    });
    expect(tooLong.status).toBe(422);
    expect(tooLong.text).toContain('expected at most 5000');
  });

  it.each([
    ['no token', '', 401],
    ['a forged token', '1-1-1-0.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', 401],
    ['a token with markup', encodeURIComponent('<script>'), 401],
  ])('with %s says that the link does not work', async (_, token, status) => {
    const page = await open(token);
    expect(page.status).toBe(status);
    expect(page.text).toContain('<h1>This link does not work</h1>');
    expect(page.text).not.toContain('<script>');
    expect((await post('/surveys/respond', { token: decodeURIComponent(token) })).status).toBe(status);
  });

  it('behind the link for everybody mails the own link, at most every ten minutes, and never tells to whom', async () => {
    const token = new URL(survey.link).searchParams.get('token')!;
    const page = await open(token);
    expect([page.status, page.text.includes('Send me my link')]).toEqual([200, true]);
    const asked = [];
    for (const identifier of ['WEB2@acme.test', 'web2', 'stranger@acme.test']) {
      asked.push(await post('/surveys/link', { token, identifier }));
    }
    expect(asked.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(new Set(asked.map(({ text }) => text)).size).toBe(1);
    const { rows } = await app.store.pool.query(`select recipient from outgoing_mail where kind = 'survey_link'`);
    expect(rows).toEqual([{ recipient: 'web2@acme.test' }]);
    expect((await open((await mailedTokens(app, 'survey_link')).get('web2@acme.test')!)).text).toContain(
      'Send answers',
    );
    expect((await post('/surveys/link', { token, identifier: ' ' })).status).toBe(422);
  });

  it('writes no token into the log', () => {
    expect(app.logged()).not.toContain(tokenOf('web1'));
  });
});

describe.skipIf(chromiumPath === undefined)('in a browser without JavaScript', () => {
  let browser: Browser;
  let page: Page;
  const problems: string[] = [];
  const folder = mkdtempSync(join(tmpdir(), 'strata-survey-'));
  const shot = async (name: string): Promise<void> => {
    await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
    console.log(`screenshot of the survey page: ${join(folder, `${name}.png`)}`);
  };

  beforeAll(async () => {
    await app.server.listen({ host: '127.0.0.1', port: 0 });
    browser = await launchChromium();
    const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 800, height: 900 } });
    page = await context.newPage();
    page.on('console', (message) => problems.push(message.text()));
  });
  afterAll(async () => {
    await browser?.close();
  });

  it('a survey is answered with the keyboard alone, after a mistake was explained', async () => {
    await page.goto(`${addressOf(app.server)}/surveys/respond?token=${tokenOf('web1')}`);
    await shot('form');
    const scale = page.getByRole('group', { name: 'I like' });
    await scale.getByRole('radio', { name: '1 – Strongly disagree' }).focus();
    for (let step = 0; step < 3; step++) await page.keyboard.press('ArrowDown');
    expect(await scale.getByRole('radio', { name: '4 – Agree' }).isChecked()).toBe(true);
    await page.keyboard.press('Tab'); // the summary of the comment
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.type('They find things.');
    await page.keyboard.press('Tab'); // first box
    await page.keyboard.press('Space');
    expect(await page.getByRole('checkbox', { name: 'Editor, plain' }).isChecked()).toBe(true);
    await page.getByRole('radio', { name: 'In the office' }).check();
    await page.getByLabel('What should change?').fill('Nothing.');
    await page.getByRole('button', { name: 'Send answers' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
    await shot('thanks');
    const { rows } = await app.store.pool.query(
      `select q.ordinal, a.number_value, a.chosen, a.comment from survey_answers a
       join survey_questions q on q.id = a.question_id where q.survey_id = $1 order by q.ordinal`,
      [survey.id],
    );
    expect(rows).toEqual([
      { ordinal: 0, number_value: 4, chosen: null, comment: 'They find things.' },
      { ordinal: 1, number_value: null, chosen: ['Editor, plain'], comment: null },
      { ordinal: 2, number_value: null, chosen: ['In the office'], comment: null },
      { ordinal: 3, number_value: null, chosen: null, comment: 'Nothing.' },
    ]);
    await page.goto(`${addressOf(app.server)}/surveys/respond?token=${tokenOf('web1')}`);
    expect(await page.textContent('main')).toContain('already answered');
    await shot('twice');
  });

  it('a form that the server refuses says why, with a way to each question', async () => {
    const small = await browser.newContext({
      javaScriptEnabled: false,
      viewport: { width: 380, height: 800 },
      colorScheme: 'dark',
    });
    page = await small.newPage();
    await page.goto(`${addressOf(app.server)}/surveys/respond?token=${tokenOf('web3')}`);
    expect(await page.getByRole('radio', { name: 'At home' }).getAttribute('required')).not.toBeNull();
    // A browser would not send it; one that knows no `required` would.
    const html = (await page.content())
      .replaceAll(' required=""', '')
      .replace('action="', `action="${addressOf(app.server)}`);
    await page.route('**/unchecked', (route) => route.fulfill({ contentType: 'text/html', body: html }));
    await page.goto(`${addressOf(app.server)}/unchecked`);
    await page.getByRole('radio', { name: '2 – Disagree' }).check();
    await page.getByRole('button', { name: 'Send answers' }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.title()).toMatch(/^Error: /);
    expect(await page.getByRole('radio', { name: '2 – Disagree' }).isChecked()).toBe(true);
    const link = page.getByRole('alert').getByRole('link', { name: 'Where do you work?' });
    await shot('mistake');
    await link.click();
    await small.close();
    expect(problems.filter((text) => text.includes('Content Security Policy'))).toEqual([]);
  });
});
