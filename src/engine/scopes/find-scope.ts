// The function and the class or module around a line, and the function's documentation. Structure is
// read from indentation, which real code keeps in every language; per-language rules say what a header
// looks like. A best effort by design: no parser, no build, any language version.
import { LANGUAGE_NAMES, languageOfPath } from '../categories/languages.ts';
import { nameForRules } from '../git/quoted-path.ts';
import { CODE, INSIDE_COMMENT, maskLines } from './mask-lines.ts';
import { readDocumentation } from './read-documentation.ts';
import { SCOPE_RULES, type ScopeRule } from './scope-rules.ts';

export interface Scope {
  readonly functionName: string | null;
  /** Innermost class, interface, module or the like. */
  readonly container: string | null;
  readonly documentation: string | null;
}

export interface SourceLines {
  readonly count: number;
  /** The first `count` lines without their line endings; fewer when that is too much to read. */
  head(count: number): readonly string[];
}

const NOTHING: Scope = { functionName: null, container: null, documentation: null };

/** Beyond these the answer is "unknown" rather than slow. */
const MAX_LINES = 50_000;
const MAX_LINE_LENGTH = 400;
const MAX_LINES_BELOW = 60;

const RULE_OF_LANGUAGE = new Map(SCOPE_RULES.flatMap((rule) => rule.languages.map((name) => [name, rule] as const)));

export const scopeRuleOf = (path: string): ScopeRule | null =>
  RULE_OF_LANGUAGE.get(LANGUAGE_NAMES[languageOfPath(nameForRules(path))] ?? '') ?? null;

export function findScope(path: string, source: SourceLines, lineIndex: number): Scope {
  const rule = scopeRuleOf(path);
  if (rule === null || lineIndex >= MAX_LINES || lineIndex >= source.count) return NOTHING;
  const end = Math.min(source.count, lineIndex + 1 + MAX_LINES_BELOW);
  const lines = source.head(end).map((line) => (line.length > MAX_LINE_LENGTH ? line.slice(0, MAX_LINE_LENGTH) : line));
  if (lineIndex >= lines.length) return NOTHING;
  return new ScopeSearch(lines, rule).around(lineIndex);
}

interface Header {
  readonly kind: 'function' | 'container';
  readonly name: string;
  readonly owner: string | null;
}

class ScopeSearch {
  readonly #lines: readonly string[];
  readonly #rule: ScopeRule;
  readonly #mask: Uint8Array;

  constructor(lines: readonly string[], rule: ScopeRule) {
    this.#lines = lines;
    this.#rule = rule;
    this.#mask = maskLines(lines, rule);
  }

  around(lineIndex: number): Scope {
    const start = this.#leadsTo(lineIndex);
    let functionName: string | null = null;
    let container: string | null = null;
    let documentation: string | null = null;
    for (const at of this.#headers(start)) {
      const header = this.#headerAt(at);
      if (header === null) continue;
      if (header.kind === 'function' && functionName === null && container === null) {
        functionName = header.name;
        container = header.owner;
        documentation = readDocumentation(this.#lines, this.#mask, at, this.#rule);
      } else if (header.kind === 'container') {
        container = header.name;
      }
      if (container !== null) break;
    }
    return { functionName, container, documentation };
  }

  /** A doc comment or decorator belongs to the header that follows it. */
  #leadsTo(lineIndex: number): number {
    let at = lineIndex;
    while (at < this.#lines.length && this.#isComment(at)) at++;
    // Some put a blank line between a doc block and its function.
    if (at > lineIndex && this.#rule.blockComment !== null && this.#lines[at]?.trim() === '') at++;
    while (at < this.#lines.length && this.#rule.decorator?.test(this.#lines[at]!)) at++;
    const isAbove = at > lineIndex && at < this.#lines.length && this.#headerAt(at) !== null;
    return isAbove && indentOf(this.#lines[at]!) <= indentOf(this.#lines[lineIndex]!) + 1 ? at : lineIndex;
  }

  #isComment(at: number): boolean {
    if (this.#mask[at] === INSIDE_COMMENT) return true;
    const line = this.#lines[at]!;
    const open = this.#rule.blockComment?.[0];
    return (this.#rule.lineComment?.test(line) ?? false) || (open !== undefined && line.trimStart().startsWith(open));
  }

  /** The line itself, then the first lines of the blocks around it, innermost first. */
  *#headers(lineIndex: number): Generator<number> {
    let start = lineIndex;
    // Text inside a string or comment is as deep as the line where that began.
    while (start > 0 && this.#mask[start] !== CODE) start--;
    let limit = indentOf(this.#lines[start]!);
    if (limit === BLANK) limit = this.#depthOfBlank(start);
    else {
      if (!this.#isComment(start)) yield start;
      if (this.#isContinuation(this.#lines[start]!)) limit++;
    }
    for (let at = start - 1; at >= 0 && limit > 0; at--) {
      if (!this.#isCode(at)) continue;
      const indent = indentOf(this.#lines[at]!);
      if (indent >= limit) continue;
      limit = this.#isContinuation(this.#lines[at]!) ? indent + 1 : indent;
      yield at;
    }
  }

  #isCode(at: number): boolean {
    const line = this.#lines[at]!;
    return (
      this.#mask[at] === CODE && !this.#rule.ignore?.test(line) && indentOf(line) !== BLANK && !this.#isComment(at)
    );
  }

  /** A blank line is as deep as what follows it, but no deeper than what it follows. */
  #depthOfBlank(start: number): number {
    let above = start - 1;
    while (above >= 0 && !this.#isCode(above)) above--;
    if (above < 0) return 0;
    const opens = OPENS_BLOCK.test(this.#lines[above]!) || this.#headerAt(above) !== null;
    const depth = indentOf(this.#lines[above]!) + (opens ? 1 : 0);
    let below = start + 1;
    while (below < this.#lines.length && !this.#isCode(below)) below++;
    if (below >= this.#lines.length) return depth;
    const follows = indentOf(this.#lines[below]!) + (this.#isContinuation(this.#lines[below]!) ? 1 : 0);
    return Math.min(depth, follows);
  }

  /** `) {`, `} else {`, a brace of its own: the header began further up at the same indentation. */
  #isContinuation(line: string): boolean {
    return /^\s*(?:[)\]}]|\{\s*$)/.test(line) || (this.#rule.continues?.test(line) ?? false);
  }

  #headerAt(at: number): Header | null {
    const line = this.#lines[at]!;
    if (this.#mask[at] !== CODE) return null;
    for (const pattern of this.#rule.containers) {
      const name = pattern.exec(line)?.groups?.name;
      if (name) return { kind: 'container', name, owner: null };
    }
    for (const pattern of this.#rule.functions) {
      const groups = pattern.exec(line)?.groups;
      const name = groups?.name;
      if (!name || this.#rule.notNames?.has(name)) continue;
      return this.#hasBody(at) ? { kind: 'function', name, owner: groups.owner ?? null } : null;
    }
    return null;
  }

  /** A line that ends in an open bracket is a header only if a body follows the bracket's end; else it is a call. */
  #hasBody(at: number): boolean {
    if (!/\(\s*$/.test(this.#lines[at]!)) return true;
    const indent = indentOf(this.#lines[at]!);
    for (let below = at + 1; below < this.#lines.length; below++) {
      if (!this.#isCode(below) || indentOf(this.#lines[below]!) > indent) continue;
      const line = this.#lines[below]!;
      return /^\s*\)/.test(line) && !/[;,)]\s*$/.test(line.replace(/^\s*\)/, ''));
    }
    return true;
  }
}

const OPENS_BLOCK = /[{([:]\s*(?:(?:\/\/|#|\/\*).*)?$|\b(?:do|then|begin)\s*(?:\|[^|]*\|)?\s*$/;
const BLANK = -1;
const TAB_COLUMNS = 4;

function indentOf(line: string): number {
  let columns = 0;
  for (let at = 0; at < line.length; at++) {
    if (line[at] === ' ') columns++;
    else if (line[at] === '\t') columns += TAB_COLUMNS - (columns % TAB_COLUMNS);
    else return columns;
  }
  return BLANK;
}
