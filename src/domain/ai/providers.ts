// The providers of AI tools whose tokens can be stored, by wire value and by the product's own name.
import { StrataError } from '../errors.ts';

export const LLM_PROVIDERS = {
  vendorA_assistant: { product: 'GitHub Copilot', alias: 'copilot' },
  vendorB_editor: { product: 'Cursor', alias: 'cursor' },
  vendorC_platform: { product: 'Anthropic platform', alias: 'anthropic' },
  vendorC_enterprise_teams: { product: 'Claude Teams and Enterprise', alias: 'claude_enterprise' },
} as const satisfies Record<string, { product: string; alias: string }>;

export type LlmProvider = keyof typeof LLM_PROVIDERS;

const NAMES = Object.keys(LLM_PROVIDERS) as LlmProvider[];

export function readLlmProvider(text: string): LlmProvider {
  const wanted = text.trim().toLowerCase();
  const found = NAMES.find((name) => name.toLowerCase() === wanted || LLM_PROVIDERS[name].alias === wanted);
  if (found !== undefined) return found;
  const accepted = NAMES.map((name) => `${name} (${LLM_PROVIDERS[name].alias})`).join(', ');
  throw new StrataError('invalid_parameter', `"${text.slice(0, 100)}" is no AI provider; accepted are ${accepted}`, {
    errors: { provider: [`"${text.slice(0, 100)}" is unknown`] },
  });
}
