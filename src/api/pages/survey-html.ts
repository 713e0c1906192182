// The HTML of the survey pages. Every text that somebody wrote goes through `escapeHtml`.
import { createHash } from 'node:crypto';
import { RESPONSE_PAGE } from '../../domain/surveys/link.ts';
import { formatUtc } from '../../domain/surveys/mail.ts';
import { type AnswerInput, estimateMinutes, type StoredQuestion } from '../../domain/surveys/questions.ts';
import type { SurveyForm } from '../../operations/surveys/index.ts';

export const LINK_REQUEST_PAGE = '/surveys/link';

const STYLE = `
:root { color-scheme: light dark; --ink: #1a1d21; --soft: #555d66; --paper: #fff; --line: #767e87; --accent: #0b57a4; --wrong: #a8071a; --tint: #eef4fb; }
@media (prefers-color-scheme: dark) { :root { --ink: #eceff1; --soft: #b3bbc3; --paper: #16191d; --line: #8b949d; --accent: #8fc1ff; --wrong: #ff9c9c; --tint: #1f2a37; } }
* { box-sizing: border-box; }
body { margin: 0; padding: 2rem 1rem 4rem; background: var(--paper); color: var(--ink); font: 1.0625rem/1.5 system-ui, sans-serif; }
main { max-width: 42rem; margin: 0 auto; }
h1 { font-size: 1.75rem; line-height: 1.2; margin: 0 0 .75rem; }
.soft { color: var(--soft); }
fieldset, .field { border: 0; border-top: 1px solid var(--line); margin: 1.75rem 0 0; padding: 1.25rem 0 0; min-width: 0; }
legend { float: left; width: 100%; padding: 0; font-weight: 600; }
legend + * { clear: both; }
.field > label { font-weight: 600; display: block; }
.options { list-style: none; margin: .5rem 0 0; padding: 0; }
.options label { display: flex; gap: .75rem; align-items: center; min-height: 2.75rem; padding: .25rem .75rem; border-radius: .375rem; cursor: pointer; }
.options label:hover, .options label:has(:checked) { background: var(--tint); }
input[type=radio], input[type=checkbox] { width: 1.25rem; height: 1.25rem; margin: 0; flex: none; accent-color: var(--accent); }
textarea, input[type=text] { width: 100%; padding: .625rem .75rem; margin-top: .375rem; font: inherit; color: inherit; background: transparent; border: 1px solid var(--line); border-radius: .375rem; }
details { margin-top: .5rem; }
summary { cursor: pointer; color: var(--accent); width: fit-content; padding: .375rem 0; }
button { margin-top: 2rem; padding: .75rem 1.75rem; font: inherit; font-weight: 600; color: var(--paper); background: var(--accent); border: 0; border-radius: .375rem; cursor: pointer; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.wrong { color: var(--wrong); font-weight: 600; margin: .25rem 0 0; }
.summary { border: 2px solid var(--wrong); border-radius: .375rem; padding: 1rem 1.25rem; margin: 1.5rem 0 0; }
.summary h2 { margin: 0; font-size: 1.125rem; }
.summary ul { margin: .5rem 0 0; padding-left: 1.25rem; }
a { color: var(--accent); }
`;

/** Nothing is loaded, nothing runs, and forms go nowhere but here. */
export const PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  'img-src data:',
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (char) => ENTITIES[char]!);

const page = (title: string, content: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<main>
${content}
</main>
</body>
</html>
`;

export const renderMessage = (title: string, detail: string): string =>
  page(title, `<h1>${escapeHtml(title)}</h1>\n<p>${escapeHtml(detail)}</p>`);

export function renderLinkRequest(name: string, token: string, problem: string | null): string {
  const title = `Survey: ${name}`;
  return page(
    problem === null ? title : `Error: ${title}`,
    `<h1>${escapeHtml(name)}</h1>
<p>Everybody who is asked answers with a link of their own. Tell us who you are, and we mail it to you.</p>
<form method="post" action="${LINK_REQUEST_PAGE}">
<input type="hidden" name="token" value="${escapeHtml(token)}">
<div class="field">
<label for="identifier">E-mail address or user name</label>
${problem === null ? '' : `<p class="wrong" id="identifier-error">${escapeHtml(problem)}</p>`}
<input type="text" id="identifier" name="identifier" maxlength="254" autocomplete="email" required${problem === null ? '' : ' aria-invalid="true" aria-describedby="identifier-error"'}>
</div>
<button type="submit">Send me my link</button>
</form>`,
  );
}

export interface FormView {
  readonly form: SurveyForm;
  readonly token: string;
  /** As they were sent before, to be shown again. */
  readonly answers: readonly AnswerInput[];
  /** By question. */
  readonly problems: ReadonlyMap<number, string>;
}

export function renderForm({ form, token, answers, problems }: FormView): string {
  const isWrong = problems.size > 0;
  const facts = [
    `${form.questions.length === 1 ? 'One question' : `${form.questions.length} questions`}, about ${estimateMinutes(form.questions)} min.`,
    form.anonymous
      ? 'Anonymous: your answers are stored without your name, and results of small groups are not shown.'
      : 'Not anonymous: your answers are stored together with your name.',
    ...(form.closes_at === null ? [] : [`Open until ${formatUtc(form.closes_at)}.`]),
  ];
  const content = `<h1>${escapeHtml(form.name)}</h1>
${form.description === '' ? '' : `<p>${escapeHtml(form.description)}</p>`}
<p class="soft">${facts.map(escapeHtml).join('<br>')}</p>
${isWrong ? renderSummary(form.questions, problems) : ''}
<form method="post" action="${RESPONSE_PAGE}">
<input type="hidden" name="token" value="${escapeHtml(token)}">
${form.questions
  .map((question, index) =>
    renderQuestion(
      question,
      index,
      answers.find(({ question_id }) => question_id === question.id),
      problems.get(question.id),
    ),
  )
  .join('\n')}
<button type="submit">Send answers</button>
</form>`;
  return page(isWrong ? `Error: ${form.name}` : form.name, content);
}

function renderSummary(questions: readonly StoredQuestion[], problems: ReadonlyMap<number, string>): string {
  const lines = questions
    .filter(({ id }) => problems.has(id))
    .map(({ id, text }) => `<li><a href="#q${id}">${escapeHtml(text)}</a>: ${escapeHtml(problems.get(id)!)}</li>`);
  return `<div class="summary" role="alert" tabindex="-1">
<h2>Your answers were not sent yet</h2>
<ul>${lines.join('')}</ul>
</div>`;
}

const AGREEMENT = ['Strongly disagree', 'Disagree', 'Neither agree nor disagree', 'Agree', 'Strongly agree'];

/** Steps of a scale in words, where it is the one of statements. */
function scaleOptions({ scale_min, scale_max, text }: StoredQuestion): { value: string; label: string }[] {
  const [low, high] = [scale_min ?? 1, scale_max ?? 5];
  const isStatement = low === 1 && high === 5 && !text.trimEnd().endsWith('?');
  return Array.from({ length: high - low + 1 }, (_, step) => {
    const value = String(low + step);
    return { value, label: isStatement ? `${value} – ${AGREEMENT[step]}` : value };
  });
}

function renderQuestion(
  question: StoredQuestion,
  index: number,
  answer: AnswerInput | undefined,
  problem: string | undefined,
): string {
  const { id, type_em, required } = question;
  const name = (part: string) => `answers[${index}][${part}]`;
  const described = problem === undefined ? '' : ` aria-describedby="q${id}-error"`;
  const wrong = problem === undefined ? '' : `<p class="wrong" id="q${id}-error">${escapeHtml(problem)}</p>`;
  const title = `${index + 1}. ${escapeHtml(question.text)}${required ? '' : ' <span class="soft">(optional)</span>'}`;
  const hidden = `<input type="hidden" name="${name('question_id')}" value="${id}">`;
  const area = (part: string, areaId: string, isRequired: boolean) =>
    `<textarea id="${areaId}" name="${name(part)}" rows="3" maxlength="5000"${isRequired ? ' required' : ''}${part === 'value' && problem !== undefined ? ` aria-invalid="true"${described}` : ''}>${escapeHtml((part === 'value' ? answer?.value : answer?.comment) ?? '')}</textarea>`;
  if (type_em === 'text') {
    return `<div class="field">
<label for="q${id}">${title}</label>
${wrong}${hidden}${area('value', `q${id}`, required)}
</div>`;
  }
  const isMultiple = type_em === 'multiple_choice';
  const given = isMultiple ? (answer?.values ?? []) : answer?.value === undefined ? [] : [answer.value];
  const options =
    type_em === 'scale'
      ? scaleOptions(question)
      : (question.choices ?? []).map((choice) => ({ value: choice, label: choice }));
  const inputs = options.map(({ value, label }, at) => {
    const checked = given.includes(value) ? ' checked' : '';
    // The first option carries the question's own id, so that a link to the question lands on it.
    const inputId = at === 0 ? ` id="q${id}"` : '';
    const field = isMultiple ? `${name('values')}[]` : name('value');
    // A browser can demand one of several radio buttons, but not one of several boxes.
    const demand = required && !isMultiple ? ' required' : '';
    return `<li><label><input type="${isMultiple ? 'checkbox' : 'radio'}"${inputId} name="${field}" value="${escapeHtml(value)}"${checked}${demand}> <span>${escapeHtml(label)}</span></label></li>`;
  });
  return `<fieldset${described}${problem === undefined ? '' : ' aria-invalid="true"'}>
<legend>${title}</legend>
${wrong}${hidden}
<ul class="options">
${inputs.join('\n')}
</ul>
<details${answer?.comment ? ' open' : ''}><summary>Add a comment<span class="soft"> (optional)</span></summary>
<label for="q${id}-comment">Comment on question ${index + 1}</label>
${area('comment', `q${id}-comment`, false)}
</details>
</fieldset>`;
}
