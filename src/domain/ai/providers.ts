// The providers of AI tools whose tokens can be stored, by wire value and by the product's own name.
import { StrataError } from '../errors.ts';
import type { AiProvider } from './models.ts';

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

interface TokenSetting {
  readonly description: string;
  readonly isRequired?: true;
}

interface TokenKind {
  readonly product: string;
  readonly provider: AiProvider;
  /** What its rows of usage are told apart by. */
  readonly tool: string;
  /** Where it is asked when the token names no other address. */
  readonly address: string;
  readonly settings: Readonly<Record<string, TokenSetting>>;
}

const OTHER_ADDRESS = {
  base_url: { description: 'Address to ask instead of the provider’s own, such as that of a proxy.' },
};

/** The tokens that can be stored, by the name that `strata llm-token add --provider` takes. */
export const TOKEN_KINDS = {
  copilot: {
    product: LLM_PROVIDERS.vendorA_assistant.product,
    provider: 'vendorA_assistant',
    tool: 'copilot',
    address: 'https://api.github.com',
    settings: {
      enterprise: { description: 'Slug of the enterprise whose reports are read.' },
      organization: { description: 'Slug of the organization, where there is no enterprise.' },
      ...OTHER_ADDRESS,
    },
  },
  cursor: {
    product: LLM_PROVIDERS.vendorB_editor.product,
    provider: 'vendorB_editor',
    tool: 'cursor',
    address: 'https://api.cursor.com',
    settings: OTHER_ADDRESS,
  },
  anthropic: {
    product: LLM_PROVIDERS.vendorC_platform.product,
    provider: 'vendorC_platform',
    tool: 'claude-code',
    address: 'https://api.anthropic.com',
    settings: { organization_id: { description: 'Id that telemetry of its members names.' }, ...OTHER_ADDRESS },
  },
  claude_enterprise: {
    product: LLM_PROVIDERS.vendorC_enterprise_teams.product,
    provider: 'vendorC_enterprise_teams',
    tool: 'claude-code',
    address: 'https://api.anthropic.com',
    settings: { organization_id: { description: 'Id that telemetry of its members names.' }, ...OTHER_ADDRESS },
  },
  codex: {
    product: 'OpenAI Codex',
    provider: 'other',
    tool: 'codex',
    address: 'https://api.chatgpt.com',
    settings: { workspace: { description: 'Id of the workspace.', isRequired: true }, ...OTHER_ADDRESS },
  },
  augment: {
    product: 'Augment Code',
    provider: 'other',
    tool: 'augment',
    address: 'https://api.augmentcode.com',
    settings: OTHER_ADDRESS,
  },
  gitlab_duo: {
    product: 'GitLab Duo',
    provider: 'other',
    tool: 'gitlab-duo',
    address: 'https://gitlab.com',
    settings: { group: { description: 'Full path of the group.', isRequired: true }, ...OTHER_ADDRESS },
  },
} as const satisfies Record<string, TokenKind>;

export type TokenKindName = keyof typeof TOKEN_KINDS;
export const TOKEN_KIND_NAMES = Object.keys(TOKEN_KINDS) as [TokenKindName, ...TokenKindName[]];

export type TokenSettings = Readonly<Record<string, string>>;

/** By its name, or by the wire value of its provider where that has one kind of token. */
export function readTokenKind(text: string): TokenKindName {
  const wanted = text.trim().toLowerCase();
  const found = TOKEN_KIND_NAMES.find(
    (name) =>
      name === wanted ||
      (TOKEN_KINDS[name].provider !== 'other' && TOKEN_KINDS[name].provider.toLowerCase() === wanted),
  );
  if (found !== undefined) return found;
  const accepted = TOKEN_KIND_NAMES.map((name) =>
    TOKEN_KINDS[name].provider === 'other' ? name : `${TOKEN_KINDS[name].provider} (${name})`,
  ).join(', ');
  throw new StrataError('invalid_parameter', `"${text.slice(0, 100)}" is no AI provider; accepted are ${accepted}`, {
    errors: { provider: [`"${text.slice(0, 100)}" is unknown`] },
  });
}

/** The kind of a stored token. */
export const tokenKindOf = (provider: string, tool: string | null): TokenKindName =>
  TOKEN_KIND_NAMES.find(
    (name) => TOKEN_KINDS[name].provider === provider && (tool === null || TOKEN_KINDS[name].tool === tool),
  ) ?? 'anthropic';

const LONGEST_SETTING = 300;

/** Checks names and values. */
export function checkTokenSettings(kind: TokenKindName, given: TokenSettings): TokenSettings {
  const known: Readonly<Record<string, TokenSetting>> = TOKEN_KINDS[kind].settings;
  const refuse = (message: string): never => {
    throw new StrataError('invalid_parameter', `--setting: ${message}`, { errors: { setting: [message] } });
  };
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(known, name))
      refuse(`"${name}" is not one of ${kind}; accepted are ${Object.keys(known).join(', ')}`);
    if (value === '' || value.length > LONGEST_SETTING || /[\s?#]/.test(value))
      refuse(`${name} cannot be "${value.slice(0, 100)}"; expected one word`);
    if (name === 'base_url' && !/^https?:\/\/[^/]/.test(value))
      refuse(`base_url cannot be "${value}"; expected an address`);
  }
  return given;
}

/** What a token still needs before it can be used; null where nothing is missing. */
export function missingTokenSetting(kind: TokenKindName, given: TokenSettings): string | null {
  const known: Readonly<Record<string, TokenSetting>> = TOKEN_KINDS[kind].settings;
  const missing = Object.keys(known).find((name) => known[name]!.isRequired === true && given[name] === undefined);
  if (missing !== undefined) return missing;
  return kind === 'copilot' && given.enterprise === undefined && given.organization === undefined
    ? 'enterprise or organization'
    : null;
}

/** Whoever opens a secret must name the same: it cannot be moved to another entity or provider. */
export function tokenSealContext(entityId: number, kind: TokenKindName): string {
  const { provider, tool } = TOKEN_KINDS[kind];
  return `llm token ${provider === 'other' ? tool : provider} of ${entityId}`;
}
