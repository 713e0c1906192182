// What counts as evidence that AI wrote part of a commit: one row per tool and mark. `verified` marks were
// seen in real public commits; the others come from documentation or reports. Shares are thousandths.
import type { AiProvider } from '../../domain/ai/models.ts';
import type { EvidenceSource } from '../../domain/commits/line-model.ts';

export type EvidenceField =
  | 'author_email'
  | 'author_name'
  | 'committer_email'
  | 'committer_name'
  | 'co_author_email'
  | 'subject'
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
  readonly share: number;
  readonly verified: boolean;
}

export const SHARES = {
  /** The author is a model, or the message says it was generated. */
  generated: 1000,
  co_authored: 500,
  assisted: 300,
  /** A session or thread trailer says that an agent took part, not how much: as a co-author. */
  session: 500,
  /** An agent that only committed what a person authored. */
  committed: 500,
  /** Aider also commits the person's own pending edits under its committer name. */
  committed_by_aider: 300,
} as const;

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
const ENTIRE: Tool = { tool: 'Entire', provider: 'other', model: 'other' };
const other = (name: string, model: string): Tool => ({ tool: name, provider: 'other', model });

type Seen = 'author' | 'co_author' | 'committer';

/** An address that belongs to a tool: as author, as co-author and as committer. `seen` says which are verified. */
function address(tool: Tool, pattern: string | RegExp, ...seen: Seen[]): EvidenceRule[] {
  const row = { ...tool, pattern, modelFrom: 'name' as const };
  return [
    { ...row, source: 'author', field: 'author_email', share: SHARES.generated, verified: seen.includes('author') },
    {
      ...row,
      source: 'co_author',
      field: 'co_author_email',
      share: SHARES.co_authored,
      verified: seen.includes('co_author'),
    },
    {
      ...row,
      source: 'author',
      field: 'committer_email',
      share: SHARES.committed,
      verified: seen.includes('committer'),
    },
  ];
}

function trailer(tool: Tool, key: string, pattern: RegExp, verified: boolean): EvidenceRule {
  return {
    ...tool,
    source: 'message',
    field: `trailer:${key}`,
    pattern,
    modelFrom: null,
    share: SHARES.session,
    verified,
  };
}

/** The app account of a GitHub bot: with or without its numeric id. */
const app = (name: string): RegExp => new RegExp(`^(?:\\d{1,12}\\+)?${name}\\[bot\\]@users\\.noreply\\.github\\.com$`);

export const EVIDENCE_RULES: readonly EvidenceRule[] = [
  ...address(CLAUDE, 'noreply@anthropic.com', 'author', 'committer', 'co_author'),
  ...address(CLAUDE, app('claude'), 'author', 'co_author'),
  ...address(CLAUDE, 'claude@anthropic.com'),
  trailer(CLAUDE, 'claude-session', /^https:\/\/claude\.ai\/code\/|^session_/, true),
  {
    ...CLAUDE,
    source: 'message',
    field: 'body',
    pattern: /^https:\/\/claude\.ai\/code\/session_\w+$/,
    modelFrom: null,
    share: SHARES.session,
    verified: true,
  },
  ...address(COPILOT, /^198982749\+copilot@users\.noreply\.github\.com$/, 'author', 'committer', 'co_author'),
  ...address(COPILOT, app('copilot-swe-agent'), 'author'),
  ...address(COPILOT, /^(?:175728472|223556219)\+copilot@users\.noreply\.github\.com$/, 'co_author'),
  ...address(COPILOT, /^\d{1,12}\+copilot@users\.noreply\.github\.com$/),
  ...address(COPILOT, 'copilot@github.com', 'co_author'),
  {
    ...COPILOT,
    source: 'co_author',
    field: 'co_author_email',
    // The same account also signs plain security alerts; as a co-author it is Autofix.
    pattern: app('github-advanced-security'),
    modelFrom: null,
    share: SHARES.co_authored,
    verified: true,
  },
  trailer(COPILOT, 'agent-logs-url', /^https:\/\/github\.com\/[^\s/]+\/[^\s/]+\/sessions\/[0-9a-f-]+/i, true),
  ...address(CURSOR, 'cursoragent@cursor.com', 'author', 'committer', 'co_author'),
  ...address(CURSOR, app('cursor'), 'author'),
  ...address(CURSOR, 'noreply@cursor.com'),
  trailer(CURSOR, 'made-with', /^cursor\b/i, true),
  ...address(CODEX, 'codex@openai.com', 'author', 'committer', 'co_author'),
  ...address(CODEX, 'noreply@openai.com', 'co_author'),
  ...address(CODEX, 'codex@example.com'),
  ...address(CODEX, app('chatgpt-codex-connector'), 'co_author'),
  ...address(DEVIN, app('devin-ai-integration'), 'author', 'co_author'),
  ...address(JULES, app('google-labs-jules'), 'author', 'co_author'),
  {
    ...AIDER,
    source: 'author',
    field: 'author_name',
    pattern: / \(aider\)$/,
    modelFrom: null,
    share: SHARES.generated,
    verified: true,
  },
  {
    ...AIDER,
    source: 'author',
    field: 'committer_name',
    pattern: / \(aider\)$/,
    modelFrom: null,
    share: SHARES.committed_by_aider,
    verified: true,
  },
  ...address(AIDER, 'noreply@aider.chat', 'co_author'),
  ...address(AIDER, 'aider@aider.chat', 'co_author'),
  {
    ...AIDER,
    source: 'message',
    field: 'subject',
    pattern: /^aider: /,
    modelFrom: null,
    share: SHARES.generated,
    verified: true,
  },
  ...address(AMP, 'amp@ampcode.com', 'co_author'),
  trailer(AMP, 'amp-thread-id', /^(?:https:\/\/ampcode\.com\/threads\/)?T-/, true),
  ...address(GEMINI, app('gemini-code-assist'), 'co_author'),
  ...address(GEMINI, /^218195315\+gemini-cli@users\.noreply\.github\.com$/, 'co_author'),
  ...address(other('Antigravity', 'antigravity'), 'agent@antigravity.dev', 'author'),
  ...address(other('Augment', 'augment'), 'code@augmentcode.com', 'co_author'),
  ...address(other('Factory', 'factory-droid'), app('factory-droid'), 'co_author'),
  ...address(other('Kiro', 'kiro'), 'kiro@amazon.com', 'co_author'),
  ...address(other('Warp', 'warp'), 'oz-agent@warp.dev', 'co_author'),
  ...address(other('CodeRabbit', 'coderabbit'), /^136622811\+\S{1,80}@users\.noreply\.github\.com$/, 'co_author'),
  ...address(other('OpenCode', 'opencode'), 'noreply@opencode.ai'),
  // What Entire records: the agent's share of the lines when it says so, else that an agent took part.
  {
    ...ENTIRE,
    source: 'message',
    field: 'trailer:entire-attribution',
    pattern: /^(\d{1,3}(?:\.\d{1,3})?)% agent\b/,
    modelFrom: null,
    // Read from the value, see readShare.
    share: SHARES.session,
    verified: false,
  },
  { ...trailer(ENTIRE, 'entire-agent', /\S/, false), modelFrom: 'value' },
  trailer(ENTIRE, 'entire-checkpoint', /^[0-9a-z]{12,26}$/i, true),
  trailer(ENTIRE, 'entire-session', /\S/, false),
];

/** Trailers whose value names the model; the key says how much it did. */
export const MODEL_TRAILERS: Readonly<
  Record<string, { source: EvidenceSource; share: number; needsKnownName: boolean }>
> = {
  'assisted-by': { source: 'assisted_by', share: SHARES.assisted, needsKnownName: true },
  'ai-assisted-by': { source: 'assisted_by', share: SHARES.assisted, needsKnownName: false },
  'generated-by': { source: 'generated_by', share: SHARES.generated, needsKnownName: false },
  'ai-generated-by': { source: 'generated_by', share: SHARES.generated, needsKnownName: false },
};

/** What writes code without being a model; a Generated-by trailer naming it is no AI evidence. */
export const PLAIN_GENERATORS =
  /\/|\.(?:sh|py|pl|rb|js|ts|cocci)\b|\b(?:protoc|openapi|swagger|coccinelle|semantic|renovate|dependabot|autopep|prettier|script|make|cargo|npm|yarn|pnpm|gofmt|go generate)\b/i;

/** "Generated with X" as a line of the message, with or without a sign, brackets and a link. */
export const GENERATED_WITH =
  /^[^\p{L}\p{N}]{0,8}(?:generated|created|written|made|built) (?:with|by|using) (?:\[([^\]\n]{1,80})\]|([^\s([][^\n([]{0,60}))/iu;

/** A subject that opens with a name and then a separator: "Claude Opus 4.5: …", "[GPT-5] …". */
export const SUBJECT_NAME = /^(?:\[([^\]\n]{2,60})\]|([^:|\n]{2,40}?)\s?(?::|\||\s[–—-])\s)/;
