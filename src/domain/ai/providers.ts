// The providers of AI tools whose tokens can be stored, by wire value and by the product's own name.
import { StrataError } from '../errors.ts';

export const LLM_PROVIDERS = {
  vendorA_assistant: { product: 'GitHub Copilot', alias: 'copilot' },
  vendorB_editor: { product: 'Cursor', alias: 'cursor' },
  vendorC_platform: { product: 'Anthropic platform', alias: 'anthropic' },
  vendorC_enterprise_teams: { product: 'Claude Teams and Enterprise', alias: 'claude_enterprise' },
} as const satisfies Record<string, { product: string; alias: string }>;

export type LlmProvider = keyof typeof LLM_PROVIDERS;

export const LLM_PROVIDER_IDS = Object.keys(LLM_PROVIDERS) as [LlmProvider, ...LlmProvider[]];
/** The product's own names, for wire values. */
export const LLM_PROVIDER_ALIASES: Readonly<Record<string, LlmProvider>> = Object.fromEntries(
  LLM_PROVIDER_IDS.map((id) => [LLM_PROVIDERS[id].alias, id]),
);

export function readLlmProvider(text: string): LlmProvider {
  const wanted = text.trim().toLowerCase();
  const found = LLM_PROVIDER_IDS.find((name) => name.toLowerCase() === wanted || LLM_PROVIDERS[name].alias === wanted);
  if (found !== undefined) return found;
  const accepted = LLM_PROVIDER_IDS.map((name) => `${name} (${LLM_PROVIDERS[name].alias})`).join(', ');
  throw new StrataError('invalid_parameter', `"${text.slice(0, 100)}" is no AI provider; accepted are ${accepted}`, {
    errors: { provider: [`"${text.slice(0, 100)}" is unknown`] },
  });
}
