// What counts as evidence that AI wrote part of a commit: one row per tool and mark. `verified` marks were
// seen in real public commits; the others come from documentation or reports. What evidence is worth follows
// from its source, see domain/ai/evidence.ts.
import type { AiProvider } from '../../domain/ai/models.ts';
import type { EvidenceSource } from '../../domain/commits/line-model.ts';

export type EvidenceField =
  | 'author_email'
  | 'author_name'
  | 'co_author_email'
  | 'body'
  /** A trailer by its key in lower case. */
  | `trailer:${string}`;

export interface EvidenceRule {
  readonly tool: string;
  readonly source: EvidenceSource;
  readonly field: EvidenceField;
  /** Addresses as lower-case text are compared whole; patterns are tested on the field's value. */
  readonly pattern: string | RegExp;
  readonly provider: AiProvider;
  /** The name used when the mark itself names no model. */
  readonly model: string;
  /** Where the model's name may stand. */
  readonly modelFrom: 'name' | 'value' | null;
  readonly verified: boolean;
}

interface Tool {
  readonly tool: string;
  readonly provider: AiProvider;
  readonly model: string;
}
const CLAUDE: Tool = { tool: 'Claude Code', provider: 'vendorC_platform', model: 'claude' };
const COPILOT: Tool = { tool: 'GitHub Copilot', provider: 'vendorA_assistant', model: 'github-copilot' };
const CURSOR: Tool = { tool: 'Cursor', provider: 'vendorB_editor', model: 'cursor' };
const CODEX: Tool = { tool: 'Codex', provider: 'other', model: 'codex' };
const DEVIN: Tool = { tool: 'Devin', provider: 'other', model: 'devin' };
const JULES: Tool = { tool: 'Jules', provider: 'other', model: 'jules' };
const AIDER: Tool = { tool: 'Aider', provider: 'other', model: 'aider' };
const AMP: Tool = { tool: 'Amp', provider: 'other', model: 'amp' };
const GEMINI: Tool = { tool: 'Gemini', provider: 'other', model: 'gemini' };
const CONTINUE: Tool = { tool: 'Continue', provider: 'other', model: 'continue' };
const ENTIRE: Tool = { tool: 'Entire', provider: 'other', model: 'other' };
const other = (name: string, model: string): Tool => ({ tool: name, provider: 'other', model });

type Seen = 'author' | 'co_author';

/**
 * An address that belongs to a tool: as author and as co-author. `seen` says which are verified. As mere committer
 * it is no mark: in real commits that is an agent replaying what a person wrote.
 */
function address(tool: Tool, pattern: string | RegExp, ...seen: Seen[]): EvidenceRule[] {
  const row = { ...tool, pattern, modelFrom: 'name' as const };
  return [
    { ...row, source: 'author', field: 'author_email', verified: seen.includes('author') },
    { ...row, source: 'co_author', field: 'co_author_email', verified: seen.includes('co_author') },
  ];
}

/** An account that also does other things than to write code: a mark only as co-author. */
function coAuthor(tool: Tool, pattern: RegExp): EvidenceRule {
  return { ...tool, source: 'co_author', field: 'co_author_email', pattern, modelFrom: null, verified: true };
}

function trailer(tool: Tool, key: string, pattern: RegExp, verified: boolean): EvidenceRule {
  return { ...tool, source: 'message', field: `trailer:${key}`, pattern, modelFrom: null, verified };
}

/** Its figures are too rough to be a share: the mark alone counts. */
const entire = (key: string, pattern: RegExp, verified: boolean): EvidenceRule => ({
  ...trailer(ENTIRE, `entire-${key}`, pattern, verified),
  source: 'entire',
});

/** The address of an agent's run, wherever a line of the body has it. */
function runLink(tool: Tool, pattern: RegExp): EvidenceRule {
  return { ...tool, source: 'message', field: 'body', pattern, modelFrom: null, verified: true };
}

/** The app account of a GitHub bot: with or without its numeric id. */
const app = (name: string): RegExp => new RegExp(`^(?:\\d{1,12}\\+)?${name}\\[bot\\]@users\\.noreply\\.github\\.com$`);

export const EVIDENCE_RULES: readonly EvidenceRule[] = [
  ...address(CLAUDE, 'noreply@anthropic.com', 'author', 'co_author'),
  ...address(CLAUDE, app('claude'), 'author', 'co_author'),
  ...address(CLAUDE, 'claude@anthropic.com', 'author', 'co_author'),
  trailer(CLAUDE, 'claude-session', /^https:\/\/claude\.ai\/code\/|^session_/, true),
  runLink(CLAUDE, /^https:\/\/claude\.ai\/code\/session_\w+$/),
  ...address(COPILOT, /^198982749\+copilot@users\.noreply\.github\.com$/, 'author', 'co_author'),
  ...address(COPILOT, app('copilot-swe-agent'), 'author'),
  ...address(COPILOT, /^(?:175728472|223556219)\+copilot@users\.noreply\.github\.com$/, 'author', 'co_author'),
  ...address(COPILOT, /^\d{1,12}\+copilot@users\.noreply\.github\.com$/),
  ...address(COPILOT, app('github-copilot'), 'co_author'),
  ...address(COPILOT, 'copilot@github.com', 'co_author'),
  ...address(COPILOT, 'github-copilot@github.com', 'author'),
  ...address(COPILOT, 'agent@github.copilot', 'author'),
  // These accounts also sign plain alerts; as a co-author they are Autofix.
  coAuthor(COPILOT, app('github-advanced-security')),
  coAuthor(COPILOT, app('github-code-quality')),
  trailer(COPILOT, 'agent-logs-url', /^https:\/\/github\.com\/[^\s/]+\/[^\s/]+\/sessions\/[0-9a-f-]+/i, true),
  trailer(COPILOT, 'copilot-session', /^[0-9a-f]{8}-[0-9a-f-]{27}$/i, true),
  ...address(CURSOR, 'cursoragent@cursor.com', 'author', 'co_author'),
  ...address(CURSOR, app('cursor'), 'author'),
  ...address(CURSOR, 'noreply@cursor.com'),
  trailer(CURSOR, 'made-with', /^cursor\b/i, true),
  ...address(CODEX, 'codex@openai.com', 'author', 'co_author'),
  ...address(CODEX, 'noreply@openai.com', 'co_author'),
  ...address(CODEX, 'codex@example.com', 'author'),
  ...address(CODEX, 'codex-agent@example.com', 'author'),
  ...address(CODEX, app('chatgpt-codex-connector'), 'co_author'),
  runLink(CODEX, /https:\/\/chatgpt\.com\/codex\/(?:cloud\/)?tasks\/task_\w+/),
  ...address(DEVIN, app('devin-ai-integration'), 'author', 'co_author'),
  runLink(DEVIN, /https:\/\/app\.devin\.ai\/sessions\/[0-9a-f]{16,}/),
  ...address(JULES, app('google-labs-jules'), 'author', 'co_author'),
  // Aider writes itself behind the name of the person it works for.
  { ...AIDER, source: 'message', field: 'author_name', pattern: / \(aider\)$/, modelFrom: null, verified: true },
  ...address(AIDER, 'noreply@aider.chat', 'co_author'),
  ...address(AIDER, 'aider@aider.chat', 'co_author'),
  ...address(AMP, 'amp@ampcode.com', 'co_author'),
  ...address(AMP, 'amp@example.com', 'author', 'co_author'),
  trailer(AMP, 'amp-thread-id', /^(?:https:\/\/ampcode\.com\/threads\/)?T-/, true),
  ...address(GEMINI, app('gemini-code-assist'), 'co_author'),
  ...address(GEMINI, app('gemini-cli'), 'author', 'co_author'),
  ...address(GEMINI, /^218195315\+gemini-cli@users\.noreply\.github\.com$/, 'co_author'),
  ...address(CONTINUE, app('continue(?:-staging)?'), 'author', 'co_author'),
  ...address(CONTINUE, 'noreply@continue.dev', 'co_author'),
  ...address(CONTINUE, 'agent@continue.dev', 'co_author'),
  ...address(other('Antigravity', 'antigravity'), 'agent@antigravity.dev', 'author'),
  ...address(other('Augment', 'augment'), 'code@augmentcode.com', 'co_author'),
  ...address(other('Factory', 'factory-droid'), app('factory-droid'), 'co_author'),
  ...address(other('Greptile', 'greptile'), app('greptile-apps'), 'co_author'),
  ...address(other('Kiro', 'kiro'), 'kiro@amazon.com', 'co_author'),
  ...address(other('Warp', 'warp'), 'oz-agent@warp.dev', 'co_author'),
  ...address(other('CodeRabbit', 'coderabbit'), /^136622811\+\S{1,80}@users\.noreply\.github\.com$/, 'co_author'),
  ...address(other('OpenHands', 'openhands'), 'openhands@all-hands.dev', 'co_author'),
  ...address(other('OpenCode', 'opencode'), 'noreply@opencode.ai'),
  // What Entire records: that an agent took part, and which.
  entire('attribution', /^\d{1,3}(?:\.\d{1,3})?% agent\b/, false),
  { ...entire('agent', /\S/, true), modelFrom: 'value' },
  entire('checkpoint', /^[0-9a-z]{12,26}$/i, true),
  entire('session', /\S/, false),
];

/** Trailers whose value names the model. A bare `Generated-by:` may name any generator, so the name has to be known. */
export const MODEL_TRAILERS: Readonly<Record<string, { source: EvidenceSource; needsKnownName: boolean }>> = {
  'assisted-by': { source: 'assisted_by', needsKnownName: true },
  'ai-assisted-by': { source: 'assisted_by', needsKnownName: false },
  'generated-by': { source: 'generated_by', needsKnownName: true },
  'ai-generated-by': { source: 'generated_by', needsKnownName: false },
};

/** Trailers whose value is somebody who wrote a part of the commit. */
export const CO_AUTHOR_TRAILERS: ReadonlySet<string> = new Set(['co-authored-by', 'co-developed-by']);

/** What writes code without being a model; a Generated-by trailer naming it is no AI evidence. */
export const PLAIN_GENERATORS =
  /\/|\.(?:sh|py|pl|rb|js|ts|cocci)\b|\b(?:protoc|openapi|swagger|coccinelle|semantic|renovate|dependabot|autopep|prettier|script|make|cargo|npm|yarn|pnpm|gofmt|go generate)\b/i;

/**
 * The answer "no" of projects that have people declare the use of AI. "Human" denies only where nothing else is named: it
 * may stand beside a model.
 */
export const DENIALS =
  /^(?:(?:no|none|not|never|nothing|nobody|nil|null|false|n\/?a)(?=$|[\s.,;:!()])|humans?(?:[ -](?:only|made|written))?[.!]?$|0+(?:\.0+)?\s?%?$|[-–—]+$)/i;

/** "Generated with X" as a line of the message, with or without a sign, brackets and a link. */
export const GENERATED_WITH =
  /^[^\p{L}\p{N}]{0,8}(?:generated|created|written|made|built) (?:with|by|using) (?:\[([^\]\n]{1,80})\]|([^\s([][^\n([]{0,60}))/iu;
