// The rules of surveys by themselves: states, questions and answers, links, scores and what is hidden.
import { existsSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLinkParts } from '../../../src/compose/parts.ts';
import { loadConfig } from '../../../src/config/load-config.ts';
import { aiCohort } from '../../../src/domain/ai/cohort.ts';
import {
  addMark,
  hasMark,
  isExpired,
  respondedMark,
  ticketToToken,
  tokenToTicket,
} from '../../../src/domain/surveys/link.ts';
import { surveyMail } from '../../../src/domain/surveys/mail.ts';
import {
  checkAnswers,
  checkQuestions,
  type StoredQuestion,
  templateQuestions,
} from '../../../src/domain/surveys/questions.ts';
import { computeFigures, hiddenGroups } from '../../../src/domain/surveys/results.ts';
import { nextStatus, planSending, SURVEY_STATUSES, statusAt } from '../../../src/domain/surveys/state.ts';
import { storedGroupOf } from '../../../src/domain/surveys/stored-group.ts';
import { SURVEY_CATEGORIES, SURVEY_TEMPLATE_KEYS, SURVEY_TEMPLATES } from '../../../src/domain/surveys/templates.ts';
import { lastCompleteWeek } from '../../../src/storage/surveys/open-survey.ts';

describe('templates', () => {
  it('are eight, of all four categories, with about four statements each', () => {
    expect(SURVEY_TEMPLATE_KEYS).toHaveLength(8);
    expect(new Set(Object.values(SURVEY_TEMPLATES).map(({ category_em }) => category_em))).toEqual(
      new Set(SURVEY_CATEGORIES),
    );
    for (const key of SURVEY_TEMPLATE_KEYS) {
      const questions = templateQuestions(key);
      expect(questions.length).toBeGreaterThanOrEqual(4);
      expect(questions.every(({ scale_min, scale_max }) => scale_min === 1 && scale_max === 5)).toBe(true);
    }
  });
});

describe('states', () => {
  const TABLE = {
    send: ['open', 'open', null, null],
    schedule: ['scheduled', 'scheduled', null, null],
    remind: [null, null, 'open', null],
    respond: [null, null, 'open', null],
    close: ['closed', 'closed', 'closed', 'closed'],
  } as const;
  for (const [act, row] of Object.entries(TABLE)) {
    SURVEY_STATUSES.forEach((status, index) => {
      const next = row[index];
      it(`${act} from ${status} ${next === null ? 'is a conflict' : `leads to ${next}`}`, () => {
        const run = () => nextStatus(act as keyof typeof TABLE, status);
        if (next === null) expect(run).toThrow(expect.objectContaining({ code: 'conflict' }));
        else expect(run()).toBe(next);
      });
    });
  }

  it('an open survey is closed from the second of its end on', () => {
    const survey = { status_em: 'open', closes_at: '2026-11-11T10:00:00Z' } as const;
    expect(statusAt(survey, new Date('2026-11-11T09:59:59Z'))).toBe('open');
    expect(statusAt(survey, new Date('2026-11-11T10:00:00Z'))).toBe('closed');
  });

  const now = new Date('2026-11-11T10:00:00Z');
  const later = new Date('2026-11-12T10:00:00Z');
  it('is sent now, later or when somebody says so', () => {
    expect(planSending({}, now)).toEqual({ act: 'send' });
    expect(planSending({ send_now: false }, now)).toBeNull();
    expect(planSending({ send_at: later }, now)).toEqual({ act: 'schedule', at: later });
    expect(planSending({ send_now: false, send_at: later }, now)).toEqual({ act: 'schedule', at: later });
    expect(planSending({ send_at: new Date(now.getTime() - 5_000) }, now)).toEqual({ act: 'send' });
  });
  it.each([
    [{ send_now: true, send_at: later }, 'send_at'],
    [{ send_at: new Date('2026-11-10T10:00:00Z') }, 'send_at'],
    [{ closes_at: now }, 'closes_at'],
    [{ send_at: later, closes_at: later }, 'closes_at'],
  ])('times that contradict each other are refused: %o', (input, field) => {
    expect(() => planSending(input, now)).toThrow(
      expect.objectContaining({ code: 'unprocessable', errors: { [field]: [expect.any(String)] } }),
    );
  });
});

describe('questions', () => {
  const base = { text: 'Q', required: true } as const;
  it('a scale has up to eleven values, as from 0 to 10, which a net promoter score needs', () => {
    const scale = { ...base, type_em: 'scale', scale_min: 0, scale_max: 10 } as const;
    expect(checkQuestions([scale])).toMatchObject([{ scale_min: 0, scale_max: 10 }]);
    expect(() => checkQuestions([{ ...scale, scale_max: 11 }])).toThrow(
      'a scale from 0 to 11 is not accepted; the end must be above the start, with 2 to 11 values',
    );
  });

  it.each([
    [{ ...base, type_em: 'scale', scale_min: 5, scale_max: 5 }, 'questions[0].scale_max'],
    [{ ...base, type_em: 'scale', scale_min: 0, scale_max: 11 }, 'questions[0].scale_max'],
    [{ ...base, type_em: 'text', scale_min: 1 }, 'questions[0].scale_min'],
    [{ ...base, type_em: 'single_choice', choices: ['one'] }, 'questions[0].choices'],
    [{ ...base, type_em: 'scale', choices: ['a', 'b'] }, 'questions[0].choices'],
  ] as const)('%o is refused by the name of its part', (question, field) => {
    expect(() => checkQuestions([question])).toThrow(
      expect.objectContaining({ errors: { [field]: [expect.any(String)] } }),
    );
  });

  const questions: StoredQuestion[] = checkQuestions([
    { text: 'scale', type_em: 'scale', required: true },
    { text: 'single', type_em: 'single_choice', choices: ['a', 'b'], required: false },
    { text: 'multiple', type_em: 'multiple_choice', choices: ['x', 'y, z'], required: false },
    { text: 'text', type_em: 'text', required: false },
  ]).map((question, index) => ({ ...question, id: index + 1 }));

  it('are answered each in its own form', () => {
    const { answers, problems } = checkAnswers(questions, [
      { question_id: 1, value: '4', comment: 'well' },
      { question_id: 2, value: 'b' },
      { question_id: 3, values: ['y, z', 'x'] },
      { question_id: 4, value: 'free words' },
    ]);
    expect(problems.size).toBe(0);
    expect(answers).toEqual([
      { question_id: 1, number_value: 4, chosen: null, comment: 'well' },
      { question_id: 2, number_value: null, chosen: ['b'], comment: null },
      { question_id: 3, number_value: null, chosen: ['y, z', 'x'], comment: null },
      { question_id: 4, number_value: null, chosen: null, comment: 'free words' },
    ]);
  });
  it.each([
    [{ question_id: 1, value: '6' }, 1],
    [{ question_id: 1, value: '0' }, 1],
    [{ question_id: 1, value: '3.5' }, 1],
    [{ question_id: 1, value: 'five' }, 1],
    [{ question_id: 1, comment: 'no number' }, 1],
    [{ question_id: 2, value: 'c' }, 2],
    [{ question_id: 2, values: ['a', 'b'] }, 2],
    [{ question_id: 3, values: ['x', 'w'] }, 3],
  ])('a wrong answer is a problem of its question: %o', (answer, id) => {
    expect([...checkAnswers(questions, [answer]).problems.keys()]).toContain(id);
  });
  it('an answer to a question of another survey, and a second one to the same, are noticed', () => {
    expect(checkAnswers(questions, [{ question_id: 99, value: '1' }]).unknown).toEqual([99]);
    const twice = [1, 2].map((value) => ({ question_id: 1, value: String(value) }));
    expect(checkAnswers(questions, twice).problems.get(1)).toContain('twice');
  });
});

describe('links', () => {
  const key = Buffer.alloc(32, 1);
  const ticket = { entity_id: 3, survey_id: 14, recipient_id: 159, expires: 1_800_000_000 };
  it('are read back, and refused with any single character changed', () => {
    const token = ticketToToken(key, ticket);
    expect(tokenToTicket(key, token)).toEqual(ticket);
    expect(tokenToTicket(Buffer.alloc(32, 2), token)).toBeNull();
    for (let at = 0; at < token.length - 1; at++) {
      const changed = `${token.slice(0, at)}${token[at] === '1' ? '2' : '1'}${token.slice(at + 1)}`;
      expect(tokenToTicket(key, changed), changed).toBeNull();
    }
    expect(isExpired(ticket, new Date(1_800_000_000_000))).toBe(true);
    expect(isExpired(ticket, new Date(1_799_999_999_000))).toBe(false);
  });
  it('marks are the same whatever order they came in', () => {
    const marks = [1, 2, 3, 4, 5].map((id) => respondedMark(key, 14, id));
    const forth = marks.reduce((all, mark) => addMark(all, mark), Buffer.alloc(0));
    const back = marks.toReversed().reduce((all, mark) => addMark(all, mark), Buffer.alloc(0));
    expect(forth.equals(back)).toBe(true);
    expect(marks.every((mark) => hasMark(forth, mark))).toBe(true);
    expect(hasMark(forth, respondedMark(key, 14, 6))).toBe(false);
  });
  it('a mail has one line of subject whatever the survey is called', () => {
    const mail = surveyMail('survey_invitation', {
      name: 'A\r\nBcc: everybody@example.com',
      description: '',
      question_count: 1,
      estimated_minutes: 1,
      anonymous: true,
      closes_at: null,
      entity_name: 'Acme',
      recipient_name: null,
      link: 'http://x',
    });
    expect(mail.subject).toBe('Survey: A Bcc: everybody@example.com');
  });
});

describe('the signing key', () => {
  it('is made once per data folder, readable by its owner alone, and derived from the secret', () => {
    const data = mkdtempSync(join(tmpdir(), 'strata-links-'));
    const load = (extra: Record<string, string> = {}) =>
      loadConfig({
        environment: { STRATA_DATA: data, STRATA_PORT: '7081', ...extra },
        flags: {},
        platform: 'linux',
        workingFolder: data,
        packageFolder: data,
      }).config;
    const first = createLinkParts(load());
    expect(existsSync(join(data, 'secret.key'))).toBe(false);
    expect(first.key).toHaveLength(32);
    expect(statSync(join(data, 'secret.key')).mode & 0o777).toBe(0o600);
    expect(createLinkParts(load()).key.equals(first.key)).toBe(true);
    expect(readFileSync(join(data, 'secret.key'), 'utf8')).not.toContain(first.key.toString('hex'));
    const given = createLinkParts(load({ STRATA_SECRET_KEY: 'ab'.repeat(32), STRATA_PUBLIC_URL: 'https://s.test/' }));
    expect(given.key.equals(first.key)).toBe(false);
    expect([first.baseUrl(), given.baseUrl()]).toEqual(['http://127.0.0.1:7081', 'https://s.test']);
    expect(createLinkParts(load(), () => 'http://127.0.0.1:4711').baseUrl()).toBe('http://127.0.0.1:4711');
    // A command names the server that runs on the data, whose port may be any.
    const running = { base_url: 'http://127.0.0.1:4712', token: 't', entity: 'local' };
    writeFileSync(join(data, 'credentials.json'), JSON.stringify(running));
    expect(createLinkParts(load()).baseUrl()).toBe('http://127.0.0.1:4712');
    expect(createLinkParts(load(), () => 'http://127.0.0.1:4711').baseUrl()).toBe('http://127.0.0.1:4711');
    expect(createLinkParts(load({ STRATA_PUBLIC_URL: 'https://s.test/' })).baseUrl()).toBe('https://s.test');
  });
});

describe('figures', () => {
  it('are those worked out by hand', () => {
    const questions: StoredQuestion[] = checkQuestions([
      { text: 'one to five', type_em: 'scale', required: true },
      { text: 'zero to eight', type_em: 'scale', scale_min: 0, scale_max: 8, required: false },
      { text: 'choice', type_em: 'multiple_choice', choices: ['a', 'b', 'c'], required: false },
    ]).map((question, index) => ({ ...question, id: index + 1 }));
    const responses = ['r', 's', 't'].map((id) => ({ id, team_id: null, ai_cohort: null }));
    const answer = (response_id: string, question_id: number, part: object) => ({
      response_id,
      question_id,
      number_value: null,
      chosen: null,
      comment: null,
      ...part,
    });
    const figures = computeFigures(questions, responses, [
      answer('r', 1, { number_value: 5, comment: 'zebra' }),
      answer('s', 1, { number_value: 4 }),
      answer('t', 1, { number_value: 2, comment: 'ant' }),
      answer('r', 2, { number_value: 8 }),
      answer('s', 2, { number_value: 2 }),
      answer('r', 3, { chosen: ['a', 'b'] }),
      answer('s', 3, { chosen: ['a'] }),
      answer('gone', 1, { number_value: 1 }),
    ]);
    // 5 + 4 + 2 + (8 of 0–8 → 5) + (2 of 0–8 → 2) = 18, by 5
    expect(figures.overall_score).toBe(3.6);
    expect(figures.questions[0]).toEqual({
      id: 1,
      text: 'one to five',
      response_count: 3,
      average: 3.67,
      distribution: [
        { value: 1, count: 0, percent: 0 },
        { value: 2, count: 1, percent: 33.3 },
        { value: 3, count: 0, percent: 0 },
        { value: 4, count: 1, percent: 33.3 },
        { value: 5, count: 1, percent: 33.3 },
      ],
      comments: ['ant', 'zebra'],
    });
    expect([figures.questions[1]!.response_count, figures.questions[1]!.average]).toEqual([2, 5]);
    expect(figures.questions[2]!.distribution).toEqual([
      { value: 'a', count: 2, percent: 100 },
      { value: 'b', count: 1, percent: 50 },
      { value: 'c', count: 0, percent: 0 },
    ]);
  });
});

describe('the privacy floor', () => {
  it.each([
    [{ a: 4, b: 5 }, []],
    [{ a: 3, b: 9 }, ['a', 'b']], // b alone would leave a as the rest
    [{ a: 3, b: 9, c: 20 }, ['a', 'b']],
    [{ a: 3, b: 1, c: 20 }, ['a', 'b']],
    [{ a: 1, b: 2, c: 20, d: 5 }, ['a', 'b', 'd']],
    [{ a: 2 }, ['a']],
  ])('of groups %o hides %o', (sizes, hidden) => {
    expect([...hiddenGroups(new Map(Object.entries(sizes)), 4)].sort()).toEqual(hidden);
  });
  it('never shows a small group, nor leaves a small rest', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 8 }), (sizes) => {
        const groups = new Map(sizes.map((size, index) => [index, size]));
        const hidden = hiddenGroups(groups, 4);
        const rest = [...hidden].reduce((sum, key) => sum + groups.get(key)!, 0);
        expect([...groups].every(([key, size]) => hidden.has(key) || size >= 4)).toBe(true);
        expect(rest === 0 || rest >= 4 || hidden.size === groups.size).toBe(true);
      }),
    );
  });
  it('stores no team or cohort that fewer than four recipients share', () => {
    const people = (count: number, team_id: number | null, ai_cohort: string) =>
      Array.from({ length: count }, () => ({ team_id, ai_cohort }));
    const all = [
      ...people(4, 1, 'power'),
      ...people(1, 1, 'sparse'),
      ...people(3, 2, 'power'),
      ...people(2, null, 'power'),
    ];
    const groupOf = storedGroupOf({ is_anonymous: true }, all);
    expect(groupOf(all[0]!)).toEqual({ team_id: 1, ai_cohort: 'power' });
    expect(groupOf(all[4]!)).toEqual({ team_id: 1, ai_cohort: null });
    // team 2 and those without a team together are five
    expect(groupOf(all[5]!)).toEqual({ team_id: null, ai_cohort: 'power' });
    expect(storedGroupOf({ is_anonymous: false }, all)(all[4]!)).toEqual({ team_id: 1, ai_cohort: 'sparse' });
  });
});

describe('AI cohorts', () => {
  it.each([
    [0, 0, 'non_user'],
    [0, 5, 'non_user'],
    [2, 1, 'sparse'],
    [10, 5, 'sparse'],
    [11, 5, 'periodic'],
    [24, 5, 'periodic'],
    [25, 5, 'regular'],
    [50, 5, 'regular'],
    [51, 5, 'power'],
  ])('%d interactions on %d days are %s', (interactions, days, cohort) => {
    expect(aiCohort(interactions, days)).toBe(cohort);
  });
  it('are those of the last week that is over', () => {
    expect(lastCompleteWeek(new Date('2026-11-11T10:00:00Z'))).toBe('2026-11-02');
    expect(lastCompleteWeek(new Date('2026-11-15T23:59:59Z'))).toBe('2026-11-02');
    expect(lastCompleteWeek(new Date('2026-11-16T00:00:00Z'))).toBe('2026-11-09');
  });
});
