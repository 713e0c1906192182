// Which model and which provider a name stands for. One table for every place such names occur: commit
// trailers, notes, trace records and the usage records' `llm_model_name`. First matching row wins.

/** Wire values: GitHub Copilot, Cursor, Anthropic's API and Claude Code, Claude for teams. */
export const AI_PROVIDERS = [
  'vendorA_assistant',
  'vendorB_editor',
  'vendorC_platform',
  'vendorC_enterprise_teams',
  'other',
  'custom',
] as const;
export type AiProvider = (typeof AI_PROVIDERS)[number];

interface ModelRow {
  /** Matched against the normalised name: lower case, blanks as hyphens, no dates, no vendor prefix. */
  readonly pattern: RegExp;
  /** Canonical name; $1… are the pattern's groups, and a separator before an empty group is dropped. */
  readonly model: string;
  /** Null where the provider has no wire value. */
  readonly provider: AiProvider | null;
  /** A model proper, as opposed to a tool that may run several. */
  readonly isModel: boolean;
  /** Also a person's name or an everyday word: needs more than the bare name. */
  readonly isCommonWord?: true;
}

const model = (pattern: RegExp, name: string, provider: AiProvider | null = null): ModelRow => ({
  pattern,
  model: name,
  provider,
  isModel: true,
});
const tool = (pattern: RegExp, name: string, provider: AiProvider | null = null): ModelRow => ({
  pattern,
  model: name,
  provider,
  isModel: false,
});
const word = (pattern: RegExp, name: string, provider: AiProvider | null = null): ModelRow => ({
  pattern,
  model: name,
  provider,
  isModel: false,
  isCommonWord: true,
});

// `(?=-|$)` ends a name where a variant suffix may follow, such as -thinking or -high.
const ROWS: readonly ModelRow[] = [
  // Anthropic
  tool(/^claude-(?:for-)?(?:enterprise|teams?)(?:-|$)/, 'claude', 'vendorC_enterprise_teams'),
  model(/^(?:claude-)?(opus|sonnet|haiku)-(\d{1,2})(?:[-.](\d{1,2}))?(?=-|$)/, 'claude-$1-$2.$3', 'vendorC_platform'),
  model(/^claude-(\d)(?:[-.](\d))?-(opus|sonnet|haiku)(?=-|$)/, 'claude-$3-$1.$2', 'vendorC_platform'),
  // Tiers come and go; a word and a version number after "claude" is one.
  model(
    /^claude-(?!code|agent|cli)([a-z]{3,12})-(\d{1,2})(?:[-.](\d{1,2}))?(?=-|$)/,
    'claude-$1-$2.$3',
    'vendorC_platform',
  ),
  model(/^claude-(opus|sonnet|haiku)(?=-|$)/, 'claude-$1', 'vendorC_platform'),
  model(/^claude-(instant|v?\d(?:\.\d)?)(?=-|$)/, 'claude-$1', 'vendorC_platform'),
  tool(
    /^claude-(?:code|ai|agent|bot|cli|desktop|assistant)(?:-(?:action|agent|bot|cli|ai))?$/,
    'claude',
    'vendorC_platform',
  ),
  tool(/^anthropic(?:-(?:claude|ai|api))?$/, 'claude', 'vendorC_platform'),
  word(/^claude$/, 'claude', 'vendorC_platform'),
  // GitHub
  tool(
    /^github-copilot(?=-|$)|^copilot-(?:swe-agent|coding-agent|agent|autofix|cli|chat|workspace)(?=-|$)/,
    'github-copilot',
    'vendorA_assistant',
  ),
  word(/^copilot$/, 'github-copilot', 'vendorA_assistant'),
  // Cursor
  tool(/^cursor-(?:agent|ai|bot|ide|editor|tab|composer|cli)$/, 'cursor', 'vendorB_editor'),
  model(/^(?:cursor-)?composer-(\d(?:\.\d)?)(?=-|$)/, 'composer-$1', 'vendorB_editor'),
  model(/^cursor-small$/, 'cursor-small', 'vendorB_editor'),
  word(/^cursor$/, 'cursor', 'vendorB_editor'),
  // OpenAI
  model(/^(?:chat)?gpt-?(\d(?:\.\d{1,2})?o?)(?:-(codex))?(?:-(mini|nano|turbo|pro|max))?(?=-|$)/, 'gpt-$1-$2-$3'),
  model(/^o([134])(?:-(mini|pro|preview))?(?=-|$)/, 'o$1-$2'),
  model(/^(?:openai-)?codex-(mini|1)(?=-|$)/, 'codex-$1'),
  tool(/^(?:openai-|chatgpt-)codex(?:-connector)?$|^codex-(?:cli|agent|ai|bot|cloud)$/, 'codex'),
  tool(/^chatgpt(?=-|$)|^openai$/, 'chatgpt'),
  word(/^codex$/, 'codex'),
  // Google
  model(/^gemini-(\d(?:\.\d)?)(?:-(pro|flash|ultra|nano))?(?:-(lite))?(?=-|$)/, 'gemini-$1-$2-$3'),
  tool(/^(?:google-)?gemini-(?:cli|code-assist|code|ai|agent)$|^google-gemini$/, 'gemini'),
  tool(/^google-labs-jules$|^(?:google-)?jules-(?:ai|agent|bot)$/, 'jules'),
  tool(/^google-antigravity$|^(?:google-)?antigravity-(?:agent|ide)$/, 'antigravity'),
  word(/^antigravity$/, 'antigravity'),
  word(/^gemini$/, 'gemini'),
  word(/^jules$/, 'jules'),
  // other models
  model(/^grok-(code-fast-\d|code|\d(?:\.\d)?)(?:-(fast|mini))?(?=-|$)/, 'grok-$1-$2'),
  model(/^deepseek-(coder|chat|reasoner|v\d(?:\.\d)?|r\d)(?=-|$)/, 'deepseek-$1'),
  model(/^qwen-?(\d(?:\.\d)?)(?:-(coder|max|plus))?(?=-|$)/, 'qwen-$1-$2'),
  model(/^(codestral|devstral)(?:-(large|medium|small))?(?=-|$)/, '$1-$2'),
  model(/^mistral-(large|medium|small|nemo|\d(?:\.\d)?b?)(?=-|$)/, 'mistral-$1'),
  model(/^code-?llama(?:-(\d(?:\.\d)?))?(?=-|$)|^llama-?(\d(?:\.\d)?)(?=-|$)/, 'llama-$1-$2'),
  word(/^(?:mistral|llama)$/, '$0'),
  model(/^kimi-(k\d(?:\.\d)?)(?=-|$)/, 'kimi-$1'),
  model(/^glm-(\d(?:\.\d)?)(?=-|$)/, 'glm-$1'),
  model(/^minimax-(m\d(?:\.\d)?)(?=-|$)/, 'minimax-$1'),
  model(/^swe-(1(?:\.\d)?)(?=-|$)/, 'swe-$1'),
  // other tools
  tool(/^devin-ai(?:-integration)?$/, 'devin'),
  word(/^devin$/, 'devin'),
  tool(/^aider-(?:chat|ai)$/, 'aider'),
  word(/^aider$/, 'aider'),
  tool(/^amp-?code$/, 'amp'),
  word(/^amp$/, 'amp'),
  tool(/^windsurf-(?:ai|cascade|editor)$|^codeium$/, 'windsurf'),
  word(/^windsurf$/, 'windsurf'),
  tool(/^roo-?code$|^cline-(?:ai|bot)$/, 'cline'),
  word(/^(?:cline|roo)$/, 'cline'),
  tool(/^kiro-(?:agent|ide|cli)$/, 'kiro'),
  word(/^kiro$/, 'kiro'),
  tool(/^amazon-q(?:-developer)?$|^codewhisperer$/, 'amazon-q'),
  tool(/^augment-?code$/, 'augment'),
  word(/^(?:augment|auggie)$/, 'augment'),
  tool(/^factory-droid$/, 'factory-droid'),
  word(/^droid$/, 'factory-droid'),
  tool(/^(?:oz|warp)-agent$/, 'warp'),
  word(/^(?:oz|warp)$/, 'warp'),
  tool(/^coderabbit(?:ai|-ai)?$/, 'coderabbit'),
  tool(/^open-?code(?:-ai|-agent)?$/, 'opencode'),
  tool(/^jetbrains-junie$|^junie-(?:ai|agent|bot|cli)$/, 'junie'),
  word(/^junie$/, 'junie'),
  tool(/^continue-(?:agent|cli|dev|ai)$/, 'continue'),
  word(/^continue$/, 'continue'),
  tool(/^greptile(?:-apps?)?$/, 'greptile'),
  tool(/^open-?hands(?:-agent)?$/, 'openhands'),
  tool(/^firebender$/, 'firebender'),
  word(/^nori$/, 'nori'),
  tool(/^tabnine$/, 'tabnine'),
  tool(/^sourcegraph-cody$|^cody-(?:ai|agent|bot|cli)$/, 'cody'),
  word(/^cody$/, 'cody'),
  tool(/^replit-(?:agent|ai)$/, 'replit-agent'),
  word(/^(?:goose|zed|replit|kimi|grok)$/, '$0'),
  tool(/^(?:deepseek|qwen|grok|kimi)(?:-(?:ai|code|cli))?$/, '$0'),
];

/** Any of them: most names are people's, and fit none. The rows' patterns have no flags. */
const ANY_ROW = new RegExp(ROWS.map(({ pattern }) => pattern.source).join('|'));

export interface KnownModel {
  /** Canonical name of the model, or of the tool when no model is named. */
  readonly model: string;
  readonly provider: AiProvider | null;
  readonly isModel: boolean;
  /** True when all that speaks for it is a word that people and things bear too. */
  readonly isCommonWord: boolean;
}

const MAX_NAME_LENGTH = 200;
const PIECES = /\s\/\s|[()[\]:|,;<>"'`]+|\s+(?:with|using|via|by|and|powered by|on|in)\s+/i;

/**
 * Reads a name as people write them: "Claude Opus 4.5 (1M context)", "us.anthropic.claude-sonnet-4-20250514",
 * "aider (openrouter/openai/gpt-5)", "GitHub Copilot". A tool decides the provider, a model the name.
 */
export function identifyModel(text: string): KnownModel | null {
  const name = text.slice(0, MAX_NAME_LENGTH);
  let best: KnownModel | null = matchRow(name);
  if (best?.isModel) return best;
  for (const piece of name.split(PIECES)) {
    const known = matchRow(piece);
    if (known === null) continue;
    if (best === null) best = known;
    else if (known.isModel && !best.isModel) {
      return { ...known, provider: best.provider ?? known.provider };
    }
    if (best.isModel) return best;
  }
  return best;
}

/**
 * Model and provider of a usage record; what the table does not know is `custom` under its own name. The model of a model is
 * itself, so that a name may pass here more than once.
 */
export function usageModel(llmModelName: string): { model: string; provider: AiProvider } {
  const known = identifyModel(llmModelName);
  return { model: known?.model ?? llmModelName.trim(), provider: known?.provider ?? 'custom' };
}

function matchRow(text: string): KnownModel | null {
  const name = normalizeName(text);
  if (name === '' || !ANY_ROW.test(name)) return null;
  for (const row of ROWS) {
    const match = row.pattern.exec(name);
    if (match === null) continue;
    const filled = row.model.replace(/([-.]?)\$(\d)/g, (_, separator: string, index: string) => {
      const group = match[Number(index)];
      return group === undefined || group === '' ? '' : separator + group;
    });
    return { model: filled, provider: row.provider, isModel: row.isModel, isCommonWord: row.isCommonWord === true };
  }
  return null;
}

function normalizeName(text: string): string {
  return text
    .toLowerCase()
    .replace(/\[(?:bot|\d+m)\]|\(\d+m context\)/g, '')
    .replace(/^.*\//, '')
    .replace(/[\s_]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .replace(/^openai-(?=gpt|o\d)/, '')
    .replace(/^(?:[a-z]{2,6}\.)?(?:anthropic|openai|meta|google|mistral|deepseek)\./, '')
    .replace(/[-@](?:20\d{6}|20\d\d-\d\d-\d\d|latest|preview)(?:-v\d+)?$|-v\d+$/, '');
}
