// The AI evidence of one commit, from its author and message. The strongest mark of a tool decides what that tool
// is credited with; no evidence is `unknown`, never `human`.
import { evidenceClassOf, WHOLE } from '../../domain/ai/evidence.ts';
import { type AiProvider, identifyModel } from '../../domain/ai/models.ts';
import { type ContributorKind, EVIDENCE_SOURCES, type EvidenceSource } from '../../domain/commits/line-model.ts';
import { anyPattern } from '../categories/any-pattern.ts';
import type { AiCredit, Identity } from '../model/facts.ts';
import {
  CO_AUTHOR_TRAILERS,
  DENIALS,
  EVIDENCE_RULES,
  type EvidenceField,
  type EvidenceRule,
  GENERATED_WITH,
  MODEL_TRAILERS,
  PLAIN_GENERATORS,
} from './rules.ts';
import { parsePerson, parseTrailers, type Trailer } from './trailers.ts';

export interface CommitWords {
  /** As written in the commit object: a mailmap may hide a tool's address. */
  readonly raw_author: Identity;
  readonly message: string;
}

export interface CommitEvidence {
  readonly contributor_kind: ContributorKind;
  /** Strongest first; at most one per model and provider. */
  readonly ai: readonly AiCredit[];
}

interface Found {
  readonly tool: string;
  /** Null when the mark names the tool only. */
  readonly model: string | null;
  readonly toolModel: string;
  readonly provider: AiProvider;
  readonly source: EvidenceSource;
}

const NO_EVIDENCE: CommitEvidence = { contributor_kind: 'unknown', ai: [] };

/** Beyond this the body is not searched line by line; trailers are read from the end in any case. */
const MAX_BODY_CHARS = 64 * 1024;
const MAX_CREDITS = 16;
const MAX_MARKS = 256;

const RULES_BY_FIELD = groupByField(EVIDENCE_RULES);
const BODY_HINT = /generated|created|written|made|built|claude\.ai\/code|chatgpt\.com\/codex|app\.devin\.ai/i;

export function readCommitEvidence(commit: CommitWords, trailers = parseTrailers(commit.message)): CommitEvidence {
  const found: Found[] = [];
  authorMarks(found, commit.raw_author);
  if (trailers.length > 0) {
    coAuthorMarks(found, trailers);
    trailerMarks(found, trailers);
  }
  bodyMarks(found, commit.message);
  if (found.length === 0) return NO_EVIDENCE;
  const ai = foundToCredits(found.slice(0, MAX_MARKS));
  const isByAgent = evidenceClassOf(ai[0]!.source) === 'agent';
  return { contributor_kind: isByAgent ? 'ai' : 'mixed', ai };
}

/** Thousandths of every line of a commit without exact records that its evidence speaks of, before any weight. */
export const evidenceShare = ({ ai }: Pick<CommitEvidence, 'ai'>): number => (ai.length > 0 ? WHOLE : 0);

/** Few people write most commits, and none of a person's marks depends on the commit. By address, then name. */
const MARKS_OF_AUTHOR = new Map<string, Map<string, readonly Found[]>>();
const MAX_IDENTITIES = 20_000;
/** Names under one address before it is taken for no person's. */
const MAX_NAMES = 100;

function authorMarks(found: Found[], author: Identity): void {
  let names = MARKS_OF_AUTHOR.get(author.email);
  if (names === undefined) {
    if (MARKS_OF_AUTHOR.size >= MAX_IDENTITIES) MARKS_OF_AUTHOR.clear();
    names = new Map();
    MARKS_OF_AUTHOR.set(author.email, names);
  }
  let marks = names.get(author.name);
  if (marks === undefined) {
    marks = readAuthorMarks(author);
    if (names.size >= MAX_NAMES) names.clear();
    names.set(author.name, marks);
  }
  for (const mark of marks) found.push(mark);
}

function readAuthorMarks(author: Identity): Found[] {
  const found: Found[] = [];
  for (const rule of matching('author_email', author.email.slice(0, 320).toLowerCase())) push(found, rule, author.name);
  for (const rule of matching('author_name', author.name)) push(found, rule, author.name);
  namedModel(found, author.name, 'author');
  return found;
}

function coAuthorMarks(found: Found[], trailers: readonly Trailer[]): void {
  const seen = new Set<string>();
  for (const { key, value } of trailers) {
    if (!CO_AUTHOR_TRAILERS.has(key.toLowerCase())) continue;
    const person = parsePerson(value);
    const email = person?.email.toLowerCase() ?? '';
    const name = person?.name ?? value;
    // A squash stacks the same trailer many times; another model under the same address is another mark.
    const once = `${email}\0${name.toLowerCase()}`;
    if (seen.has(once)) continue;
    seen.add(once);
    const rules = matching('co_author_email', email);
    for (const rule of rules) push(found, rule, name);
    if (rules.length === 0) namedModel(found, name, 'co_author');
  }
}

function trailerMarks(found: Found[], trailers: readonly Trailer[]): void {
  for (const { key, value } of trailers) {
    const name = key.toLowerCase();
    for (const rule of matching(`trailer:${name}`, value)) push(found, rule, value);
    const spelled = Object.hasOwn(MODEL_TRAILERS, name) ? MODEL_TRAILERS[name] : undefined;
    if (spelled === undefined || value === '' || DENIALS.test(value)) continue;
    const known = identifyModel(value);
    if (known !== null) {
      if (known.isCommonWord && isPersonLike(value)) continue;
      pushKnown(found, known, spelled.source);
    } else if (
      isAgentAndModel(value) ||
      (!spelled.needsKnownName && !PLAIN_GENERATORS.test(value) && !value.includes('@'))
    ) {
      const model = value.split(/[\s<(]/, 1)[0]!.slice(0, 80) || 'other';
      found.push({ tool: model, model: null, toolModel: model, provider: 'other', source: spelled.source });
    }
  }
}

/** A subject is no mark: what opens it is as often the part of the code that changed ("opencode: fix …"). */
function bodyMarks(found: Found[], message: string): void {
  const body = message.slice(0, MAX_BODY_CHARS);
  if (!BODY_HINT.test(body)) return;
  for (const line of body.split('\n').slice(1)) {
    if (line.length > 500) continue;
    const text = line.trim();
    for (const rule of matching('body', text)) push(found, rule, text);
    const generated = GENERATED_WITH.exec(text);
    if (generated === null) continue;
    const known = identifyModel(generated[1] ?? generated[2]!.trim());
    // "Written by Claude" may be a person; "Generated with [Claude](…)" is a tool's own signature.
    if (known === null || (known.isCommonWord && generated[1] === undefined)) continue;
    pushKnown(found, known, 'message');
  }
}

/** A name that no person bears: a model with its version, or a product's full name. */
function namedModel(found: Found[], name: string, source: EvidenceSource): void {
  const known = identifyModel(name);
  if (known !== null && !known.isCommonWord) pushKnown(found, known, source);
}

function isPersonLike(value: string): boolean {
  const person = parsePerson(value);
  return person !== null && matching('co_author_email', person.email.toLowerCase()).length === 0;
}

/** The kernel's form, `AGENT:MODEL [tool]…`. */
function isAgentAndModel(value: string): boolean {
  return /^[\w.-]{1,60}:[\w./-]{1,80}(?:\s|$)/.test(value) && !value.includes('://');
}

function push(found: Found[], rule: EvidenceRule, text: string): void {
  const named = rule.modelFrom === null ? null : identifyModel(text);
  found.push({
    tool: rule.tool,
    model: named?.isModel === true || (rule.model === 'other' && named !== null) ? named.model : null,
    toolModel: rule.model,
    provider: rule.provider === 'other' && named?.provider ? named.provider : rule.provider,
    source: rule.source,
  });
}

function pushKnown(found: Found[], known: NonNullable<ReturnType<typeof identifyModel>>, source: EvidenceSource): void {
  const provider = known.provider ?? 'other';
  // Marks of one vendor belong together: "Generated with Claude Code" and "Claude Opus 4.5 <…>" are one tool.
  const tool = EVIDENCE_RULES.find((rule) =>
    provider === 'other' ? rule.model === known.model : rule.provider === provider,
  );
  found.push({
    tool: tool?.tool ?? known.model,
    model: known.isModel ? known.model : null,
    toolModel: tool?.model ?? known.model,
    provider,
    source,
  });
}

/**
 * One credit per model. A mark that names no model speaks for the models its tool named elsewhere; one that
 * does not even name a tool (`other`) speaks for whatever else was found.
 */
function foundToCredits(found: readonly Found[]): AiCredit[] {
  const credits = new Map<string, AiCredit>();
  const named = found.filter((mark) => mark.toolModel !== 'other' || mark.model !== null);
  for (const mark of found) {
    for (const { model, provider } of modelsOfMark(mark, named)) {
      const key = `${provider}\0${model}`;
      const credit: AiCredit = { model, provider, source: mark.source };
      const before = credits.get(key);
      if (before === undefined || compareCredits(credit, before) < 0) credits.set(key, credit);
    }
  }
  return [...credits.values()].sort(compareCredits).slice(0, MAX_CREDITS);
}

function modelsOfMark(mark: Found, named: readonly Found[]): readonly { model: string; provider: AiProvider }[] {
  const whole = (other: Found) => ({ model: other.model ?? other.toolModel, provider: other.provider });
  if (mark.model !== null) return [whole(mark)];
  const models = named.filter((other) => other.tool === mark.tool && other.model !== null);
  if (models.length > 0) return models.map((other) => ({ model: other.model!, provider: mark.provider }));
  return mark.toolModel === 'other' && named.length > 0 ? named.map(whole) : [whole(mark)];
}

export function compareCredits(a: AiCredit, b: AiCredit): number {
  return (
    EVIDENCE_SOURCES.indexOf(a.source) - EVIDENCE_SOURCES.indexOf(b.source) ||
    (a.model < b.model ? -1 : a.model > b.model ? 1 : 0) ||
    (a.provider < b.provider ? -1 : a.provider > b.provider ? 1 : 0)
  );
}

interface FieldRules {
  readonly exact: ReadonlyMap<string, EvidenceRule[]>;
  readonly patterns: readonly (EvidenceRule & { readonly pattern: RegExp })[];
  /** Whether one of them fits. */
  readonly hasMatch: (value: string) => boolean;
}

const NO_RULES: readonly EvidenceRule[] = [];

function matching(field: EvidenceField, value: string): readonly EvidenceRule[] {
  const rules = RULES_BY_FIELD.get(field);
  if (rules === undefined || value === '') return NO_RULES;
  const exact = rules.exact.get(value);
  if (exact !== undefined) return exact;
  if (!rules.hasMatch(value)) return NO_RULES;
  let matched: EvidenceRule[] | null = null;
  for (const rule of rules.patterns) {
    // The first row of a tool wins, so that a general row below it adds nothing.
    if (matched?.some(({ tool }) => tool === rule.tool) || !rule.pattern.test(value)) continue;
    matched ??= [];
    matched.push(rule);
  }
  return matched ?? NO_RULES;
}

function groupByField(rules: readonly EvidenceRule[]): Map<string, FieldRules> {
  const fields = new Map<string, FieldRules>();
  for (const field of new Set(rules.map((rule) => rule.field))) {
    const exact = new Map<string, EvidenceRule[]>();
    const patterns: (EvidenceRule & { pattern: RegExp })[] = [];
    for (const rule of rules) {
      if (rule.field !== field) continue;
      const { pattern } = rule;
      if (typeof pattern === 'string') exact.set(pattern, [...(exact.get(pattern) ?? []), rule]);
      else patterns.push({ ...rule, pattern });
    }
    fields.set(field, { exact, patterns, hasMatch: anyPattern(patterns.map(({ pattern }) => pattern)) });
  }
  return fields;
}
