import { expect, test } from 'vitest';
import { identifyModel, usageModel } from '../../../src/domain/ai/models.ts';

const NAMES: readonly (readonly [string, string, string | null])[] = [
  ['Claude Opus 4.5', 'claude-opus-4.5', 'vendorC_platform'],
  ['Claude Opus 4.6 (1M context)', 'claude-opus-4.6', 'vendorC_platform'],
  ['claude-opus-4-5-20251101', 'claude-opus-4.5', 'vendorC_platform'],
  ['claude-opus-4-6[1m]', 'claude-opus-4.6', 'vendorC_platform'],
  ['claude-3-5-sonnet-20241022', 'claude-sonnet-3.5', 'vendorC_platform'],
  ['us.anthropic.claude-sonnet-4-20250514-v1:0', 'claude-sonnet-4', 'vendorC_platform'],
  ['anthropic/claude-sonnet-4', 'claude-sonnet-4', 'vendorC_platform'],
  ['claude-4.5-opus-high-thinking', 'claude-opus-4.5', 'vendorC_platform'],
  ['Claude Fable 5', 'claude-fable-5', 'vendorC_platform'],
  ['Sonnet 4.5', 'claude-sonnet-4.5', 'vendorC_platform'],
  ['Claude Code', 'claude', 'vendorC_platform'],
  ['Claude Code 2.1.133 / Claude Opus 4.7 (1M context)', 'claude-opus-4.7', 'vendorC_platform'],
  ['Claude Enterprise', 'claude', 'vendorC_enterprise_teams'],
  ['GitHub Copilot', 'github-copilot', 'vendorA_assistant'],
  ['GitHub Copilot (Claude Sonnet 4)', 'claude-sonnet-4', 'vendorA_assistant'],
  ['Copilot Autofix powered by AI', 'github-copilot', 'vendorA_assistant'],
  ['Cursor Agent', 'cursor', 'vendorB_editor'],
  ['composer-1', 'composer-1', 'vendorB_editor'],
  ['GPT-5', 'gpt-5', null],
  ['OpenAI GPT 5.5', 'gpt-5.5', null],
  ['gpt-5.1-codex-max', 'gpt-5.1-codex-max', null],
  ['gpt-4o-mini-2024-07-18', 'gpt-4o-mini', null],
  ['o3-mini', 'o3-mini', null],
  ['gemini-2.5-pro', 'gemini-2.5-pro', null],
  ['gemini-2.0-flash-lite', 'gemini-2.0-flash-lite', null],
  ['aider (openrouter/openai/gpt-5)', 'gpt-5', null],
  ['Claude:claude-3-opus coccinelle', 'claude-opus-3', 'vendorC_platform'],
  ['google-labs-jules[bot]', 'jules', null],
];

test.each(NAMES)('%s is %s', (text, model, provider) => {
  expect(identifyModel(text)).toMatchObject({ model, provider });
});

test.each(['Claude Dupont', 'Devin Booker', 'Jules Verne', 'protoc 3.1', 'Ampère', 'Jane Cursorson', '', '   '])(
  '"%s" is no model',
  (text) => {
    expect(identifyModel(text)).toBeNull();
  },
);

test.each(['Claude', 'Devin', 'Jules', 'Cursor', 'Copilot', 'Gemini', 'Amp', 'Kimi'])(
  '%s alone is marked as a common word',
  (text) => {
    expect(identifyModel(text)?.isCommonWord).toBe(true);
  },
);

test.each(NAMES)('the model of %s is its own model', (text) => {
  const { model } = usageModel(text);
  expect(usageModel(model).model).toBe(model);
});

test('a usage record of an unknown model keeps its name under provider custom', () => {
  expect(usageModel(' In-house-7B ')).toEqual({ model: 'In-house-7B', provider: 'custom' });
  expect(usageModel('gpt-5')).toEqual({ model: 'gpt-5', provider: 'custom' });
  expect(usageModel('claude-sonnet-4-20250514')).toEqual({ model: 'claude-sonnet-4', provider: 'vendorC_platform' });
});
