import { describe, expect, test } from 'vitest';
import { readCommitEvidence } from '../../../src/engine/evidence/read-commit-evidence.ts';
import { EVIDENCE_RULES } from '../../../src/engine/evidence/rules.ts';
import { parsePerson } from '../../../src/engine/evidence/trailers.ts';

const person = (text: string) => parsePerson(text)!;

function evidence(message: string, author = 'Ada Lovelace <ada@example.com>') {
  const result = readCommitEvidence({ raw_author: person(author), message });
  return {
    kind: result.contributor_kind,
    ai: result.ai.map(({ model, provider, source }) => `${model} ${provider} ${source}`),
  };
}

/** Real marks: message (and author) → credits. */
const MARKS: readonly {
  title: string;
  message?: string;
  author?: string;
  ai: string[];
  kind?: string;
}[] = [
  {
    title: 'Claude Code as co-author, with its model',
    message: 'Fix\n\nCo-Authored-By: Claude Opus 4.6 (1M context) <noreply@anthropic.com>\n',
    ai: ['claude-opus-4.6 vendorC_platform co_author'],
  },
  {
    title: 'Claude Code as co-author without a model',
    message: 'Fix\n\nCO-AUTHORED-BY: Claude <noreply@anthropic.com>\n',
    ai: ['claude vendorC_platform co_author'],
  },
  {
    title: 'the generated line beats the co-author, and the model is taken from it',
    message:
      'Fix\n\n🤖 Generated with [Claude Code](https://claude.com/claude-code)\n\nCo-Authored-By: Claude Sonnet 4.5 <noreply@anthropic.com>\n',
    ai: ['claude-sonnet-4.5 vendorC_platform message'],
  },
  {
    title: 'Claude as author',
    message: 'Fix\n',
    author: 'Claude <noreply@anthropic.com>',
    ai: ['claude vendorC_platform author'],
    kind: 'ai',
  },
  {
    title: 'the Claude app as author, under either id or none',
    author: 'claude[bot] <41898282+claude[bot]@users.noreply.github.com>',
    ai: ['claude vendorC_platform author'],
    kind: 'ai',
  },
  {
    title: 'a session trailer alone',
    message: 'Fix\n\nClaude-Session: https://claude.ai/code/session_01AbC\n',
    ai: ['claude vendorC_platform message'],
  },
  {
    title: 'a bare session address in the body',
    message: 'Fix\n\nSee below.\n\nhttps://claude.ai/code/session_01AbC\n',
    ai: ['claude vendorC_platform message'],
  },
  {
    title: 'the Copilot coding agent, with the requester as co-author',
    message:
      'Fix\n\nAgent-Logs-Url: https://github.com/o/r/sessions/1b-2c\n\nCo-authored-by: ada <1+ada@users.noreply.github.com>\n',
    author: 'copilot-swe-agent[bot] <198982749+Copilot@users.noreply.github.com>',
    ai: ['github-copilot vendorA_assistant author'],
    kind: 'ai',
  },
  {
    title: 'a review suggestion of Copilot',
    message: 'Update x.ts\n\nCo-authored-by: Copilot <175728472+Copilot@users.noreply.github.com>\n',
    ai: ['github-copilot vendorA_assistant co_author'],
  },
  {
    title: 'the VS Code setting',
    message: 'Fix\n\nCo-authored-by: Copilot <copilot@github.com>\n',
    ai: ['github-copilot vendorA_assistant co_author'],
  },
  {
    title: 'Copilot Autofix',
    message:
      'Fix alert\n\nCo-authored-by: Copilot Autofix powered by AI <62310815+github-advanced-security[bot]@users.noreply.github.com>\n',
    ai: ['github-copilot vendorA_assistant co_author'],
  },
  {
    title: 'Cursor as author, the person as co-author',
    message: 'Fix\n\nCo-authored-by: ada <ada@example.com>\n',
    author: 'Cursor Agent <cursoragent@cursor.com>',
    ai: ['cursor vendorB_editor author'],
    kind: 'ai',
  },
  { title: 'Made-with', message: 'Fix\n\nMade-with: Cursor\n', ai: ['cursor vendorB_editor message'] },
  {
    title: 'Codex as author under a model name',
    author: 'GPT 5.2 <codex@openai.com>',
    ai: ['gpt-5.2 other author'],
    kind: 'ai',
  },
  {
    title: 'Codex as co-author',
    message: 'Fix\n\nCo-authored-by: Codex <noreply@openai.com>\n',
    ai: ['codex other co_author'],
  },
  {
    title: 'Devin',
    author: 'Devin AI <158243242+devin-ai-integration[bot]@users.noreply.github.com>',
    ai: ['devin other author'],
    kind: 'ai',
  },
  {
    title: 'Jules',
    author: 'google-labs-jules[bot] <161369871+google-labs-jules[bot]@users.noreply.github.com>',
    ai: ['jules other author'],
    kind: 'ai',
  },
  {
    title: 'Aider behind the name of the person',
    author: 'Ada (aider) <ada@example.com>',
    ai: ['aider other message'],
  },
  {
    title: 'Aider as co-author with its model',
    message: 'fix: x\n\nCo-authored-by: aider (openai/gpt-5) <noreply@aider.chat>\n',
    ai: ['gpt-5 other co_author'],
  },
  {
    title: 'Amp, whose thread and co-author are one credit',
    message: 'Fix\n\nAmp-Thread-ID: https://ampcode.com/threads/T-12ab\nCo-authored-by: Amp <amp@ampcode.com>\n',
    ai: ['amp other message'],
  },
  {
    title: 'the kernel form',
    message: 'mm: fix\n\nAssisted-by: Claude:claude-3-opus coccinelle sparse\nSigned-off-by: A <a@x>\n',
    ai: ['claude-opus-3 vendorC_platform assisted_by'],
  },
  {
    title: 'the kernel form with an unknown agent',
    message: 'mm: fix\n\nAssisted-by: AcmeCoder:acme-7b\n',
    ai: ['AcmeCoder:acme-7b other assisted_by'],
  },
  {
    title: 'Generated-by with a model',
    message: 'Fix\n\nGenerated-by: GPT-5\n',
    ai: ['gpt-5 other generated_by'],
  },
  {
    title: 'AI-generated-by with a tool that is not known',
    message: 'Fix\n\nAI-Generated-by: SomeAssistant 2\n',
    ai: ['SomeAssistant other generated_by'],
  },
  {
    title: 'a co-author who bears a model and version as name, at an unknown address',
    message: 'Fix\n\nCo-authored-by: Gemini 2.5 Pro <me@example.com>\n',
    ai: ['gemini-2.5-pro other co_author'],
  },
  {
    title: 'what Entire states goes to the model named with it',
    message:
      'Fix\n\nEntire-Attribution: 73% agent (146/200 lines)\nCo-Authored-By: Claude Opus 4.5 <noreply@anthropic.com>\n',
    ai: ['claude-opus-4.5 vendorC_platform co_author'],
  },
  {
    title: 'an Entire checkpoint alone',
    message: 'Fix\n\nEntire-Checkpoint: 0123456789ab\n',
    ai: ['other other entire'],
  },
  {
    title: 'two tools are two credits, the stronger source first',
    message:
      'Fix\n\nCo-Authored-By: Claude <noreply@anthropic.com>\nGenerated-by: GPT-5\nCo-authored-by: Cursor <cursoragent@cursor.com>\n',
    ai: ['gpt-5 other generated_by', 'claude vendorC_platform co_author', 'cursor vendorB_editor co_author'],
  },
  {
    title: 'a squash that stacks the same trailer is one credit',
    message: `Squash\n\n${'Co-Authored-By: Claude <noreply@anthropic.com>\n'.repeat(40)}`,
    ai: ['claude vendorC_platform co_author'],
  },
  {
    title: 'a co-author above the block of another tool',
    message:
      'Fix\n\nCo-authored-by: Codex <noreply@openai.com>\n\n# Conflicts:\n#\ta.ts\n\nChange-Id: I0123\nReviewed-by: A <a@x>\n',
    ai: ['codex other co_author'],
  },
];

test('a name that people bear too is a tool where the mark leaves no doubt', () => {
  expect(evidence('Fix\n\nAssisted-by: Kiro\n').ai).toEqual(['kiro other assisted_by']);
  expect(evidence('Fix\n\nGenerated with [Cody](https://example.org)\n').ai).toEqual(['cody other message']);
  expect(evidence('Fix\n\nCo-authored-by: aider (gpt-5) <a@b.example>\n').ai).toEqual(['gpt-5 other co_author']);
  expect(evidence('Fix\n', 'Llama 3.1 <someone@example.org>').ai).toEqual(['llama-3.1 other author']);
});

describe('a mark is credited', () => {
  test.each(MARKS)('$title', ({ message = 'Fix\n', author, ai, kind = 'mixed' }) => {
    expect(evidence(message, author)).toEqual({ kind, ai });
  });
});

const PEOPLE: readonly { title: string; message?: string; author?: string }[] = [
  { title: 'a person named Claude', author: 'Claude <claude@dupont.fr>' },
  { title: 'a person named Claude at a private address', author: 'Claude <123+claude@users.noreply.github.com>' },
  { title: 'Claude Dupont as co-author', message: 'Fix\n\nCo-authored-by: Claude Dupont <c@dupont.fr>\n' },
  { title: 'Claude as co-author at a private address', message: 'Fix\n\nCo-authored-by: Claude <c@dupont.fr>\n' },
  { title: 'Devin as author', author: 'Devin <devin@booker.example>' },
  { title: 'Jules as co-author', message: 'Fix\n\nCo-authored-by: Jules <jules@verne.example>\n' },
  ...['Cody', 'Junie', 'Kiro', 'Auggie', 'Windsurf', 'Aider', 'Llama Lover', 'Mistral Dupont'].map((name) => ({
    title: `${name} as author`,
    author: `${name} <someone@example.org>`,
  })),
  { title: 'Assisted-by a person', message: 'Fix\n\nAssisted-by: Claude <claude@dupont.fr>\n' },
  { title: 'Assisted-by a person without an address', message: 'Fix\n\nAssisted-by: Jane Doe\n' },
  { title: 'a message about a model', message: 'Add Claude Opus 4.5 to the model list\n\nGPT-5 is next.\n' },
  { title: 'a subject that opens with a model’s name', message: 'Claude Opus 4.5: raise the limit\n' },
  { title: 'a subject that opens with a model in brackets', message: '[GPT-5] Add it to the menu\n\nMore.\n' },
  { title: 'a subject that opens with a tool’s name', message: 'aider: Fix the thing\n' },
  { title: 'Generated-by something that is not known', message: 'Fix\n\nGenerated-by: SomeAssistant 2\n' },
  { title: 'a scope named like a tool', message: 'cursor: keep the position\n' },
  { title: 'a scope named like another tool', message: 'opencode: read its settings\n' },
  { title: 'Written by a person named Claude', message: 'Docs\n\nWritten by Claude\n' },
  { title: 'Generated by protoc', message: 'Regenerate\n\nGenerated-by: protoc-gen-go\n' },
  { title: 'Generated with a script', message: 'Regenerate\n\nGenerated with [make proto](docs/build.md)\n' },
  { title: 'Generated-by a coccinelle script', message: 'x\n\nGenerated-by: scripts/coccinelle/free/kfree.cocci\n' },
  { title: 'a Dependabot commit', author: 'dependabot[bot] <49699333+dependabot[bot]@users.noreply.github.com>' },
  { title: 'a Copilot employee', author: 'Octo Cat <octo@github.com>' },
  { title: 'an Anthropic employee', author: 'Someone <someone@anthropic.com>' },
  { title: 'Signed-off-by is no authorship', message: 'Fix\n\nSigned-off-by: Claude <noreply@anthropic.com>\n' },
  {
    title: 'a co-author line in the middle of prose',
    message: 'Fix\n\nThe trailer\nCo-authored-by: Claude <noreply@anthropic.com>\nis what the tool adds.\n',
  },
];

describe('without a mark nothing is claimed', () => {
  test.each(PEOPLE)('$title', ({ message = 'Fix\n', author }) => {
    expect(evidence(message, author)).toEqual({ kind: 'unknown', ai: [] });
  });
});

describe('a trailer that denies AI is no mark', () => {
  const DENIALS = [
    'none',
    'None.',
    'no',
    'No AI was used',
    'not used',
    'never',
    'human',
    'Human only',
    'n/a',
    'NA',
    '-',
  ];
  const MORE = ['—', 'false', '0', '0 %', 'nobody', 'none (all by hand)', 'no, Claude was not used', 'none: by hand'];
  test.each([...DENIALS, ...MORE])('%s', (value) => {
    for (const key of ['AI-assisted-by', 'AI-generated-by', 'Assisted-by', 'Generated-by']) {
      expect(evidence(`Fix\n\n${key}: ${value}\n`)).toEqual({ kind: 'unknown', ai: [] });
    }
  });

  test.each([
    ['no-code-bot 2', 'no-code-bot other assisted_by'],
    ['Nova', 'Nova other assisted_by'],
    ['HumanLayer', 'HumanLayer other assisted_by'],
    ['human and Claude Opus 4.5', 'claude-opus-4.5 vendorC_platform assisted_by'],
    ['0x-agent', '0x-agent other assisted_by'],
  ])('but %s is one', (value, credit) => {
    expect(evidence(`Fix\n\nAI-assisted-by: ${value}\n`).ai).toEqual([credit]);
  });
});

test('every address row matches in lower case and whole, so that no longer address slips in', () => {
  for (const rule of EVIDENCE_RULES) {
    if (!rule.field.endsWith('_email')) continue;
    if (typeof rule.pattern === 'string') expect(rule.pattern).toBe(rule.pattern.toLowerCase());
    else {
      expect(rule.pattern.source.startsWith('^') && rule.pattern.source.endsWith('$')).toBe(true);
      expect(rule.pattern.flags).not.toContain('g');
    }
  }
});

test('many rules are verified', () => {
  expect(EVIDENCE_RULES.filter((rule) => rule.verified).length).toBeGreaterThan(30);
});
