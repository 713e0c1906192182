// The linguist-* attributes of a repository's .gitattributes files. Git 2.39 cannot read attributes from
// a tree of a bare clone, so the few that matter are parsed here.
import { nameForRules } from '../git/quoted-path.ts';
import type { LinguistAttributes, PathAttributes } from '../model/classified.ts';
import { compilePathPattern, type PathPattern } from './path-pattern.ts';

export interface AttributesFile {
  /** Where the file stands: `.gitattributes`, `docs/.gitattributes`. */
  readonly path: string;
  readonly content: Uint8Array;
}

type Setting = readonly [name: string, value: string | boolean | undefined];

interface Rule {
  readonly matches: PathPattern;
  readonly settings: readonly Setting[];
}

const BOOLEAN_ATTRIBUTES = {
  'linguist-generated': 'generated',
  'linguist-vendored': 'vendored',
  'linguist-documentation': 'documentation',
  'linguist-detectable': 'detectable',
} as const;
const LANGUAGE_ATTRIBUTE = 'linguist-language';

/** More rules than any real repository has; what lies beyond is left out. */
const MAX_RULES = 5000;
/** Git leaves out lines of this many bytes or more. */
const LINE_BYTES = 2048;
const MAX_CACHED_PATHS = 100_000;

/** Null when no file sets an attribute that matters here. */
export function createPathAttributes(files: readonly AttributesFile[]): PathAttributes | null {
  const macros = new Map<string, readonly Setting[]>();
  const rules: Rule[] = [];
  // Deeper files come later and so win; within a file the last matching line wins.
  const named = files.map((file) => ({ ...file, path: nameForRules(file.path) }));
  const byDepth = named.sort((a, b) => depthOf(a.path) - depthOf(b.path) || (a.path < b.path ? -1 : 1));
  for (const { path, content } of byDepth) {
    const folder = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
    for (const line of linesOf(content)) {
      if (rules.length >= MAX_RULES) break;
      const parsed = parseLine(line);
      if (parsed === null) continue;
      const ours = settingsThatCount(parsed.settings, macros);
      if (parsed.macro !== null) {
        if (folder === '') macros.set(parsed.macro, ours);
      } else if (ours.length > 0) rules.push({ matches: compilePathPattern(parsed.pattern, folder), settings: ours });
    }
  }
  if (rules.length === 0) return null;
  const cache = new Map<string, LinguistAttributes>();
  return {
    of(path) {
      let found = cache.get(path);
      if (found === undefined) {
        if (cache.size >= MAX_CACHED_PATHS) cache.clear();
        found = apply(rules, nameForRules(path));
        cache.set(path, found);
      }
      return found;
    },
  };
}

/** Those that git would read. */
function* linesOf(content: Uint8Array): Generator<string> {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  for (let at = 0; at < bytes.length; ) {
    const feed = bytes.indexOf(10, at);
    const end = feed < 0 ? bytes.length : feed;
    if (end - at < LINE_BYTES) yield bytes.toString('utf8', at, end);
    at = end + 1;
  }
}

/** With what macros stand for; of each attribute the last setting, or macros of macros would grow without end. */
function settingsThatCount(
  settings: readonly Setting[],
  macros: ReadonlyMap<string, readonly Setting[]>,
): readonly Setting[] {
  const ours = new Map<string, Setting>();
  for (const setting of settings)
    for (const each of (setting[1] === true ? macros.get(setting[0]) : undefined) ?? [setting])
      if (isOurs(each)) ours.set(each[0], each);
  return [...ours.values()];
}

function depthOf(path: string): number {
  return path.split('/').length;
}

function isOurs([name]: Setting): boolean {
  return name === LANGUAGE_ATTRIBUTE || name in BOOLEAN_ATTRIBUTES;
}

function apply(rules: readonly Rule[], path: string): LinguistAttributes {
  const values = new Map<string, string | boolean | undefined>();
  for (const rule of rules) {
    if (rule.matches(path)) for (const [name, value] of rule.settings) values.set(name, value);
  }
  const result: { -readonly [key in keyof LinguistAttributes]: LinguistAttributes[key] } = {};
  for (const [attribute, key] of Object.entries(BOOLEAN_ATTRIBUTES)) {
    const value = values.get(attribute);
    if (value !== undefined) result[key] = value !== false && value !== 'false' && value !== '0';
  }
  const language = values.get(LANGUAGE_ATTRIBUTE);
  if (typeof language === 'string' && language !== '') result.language = language;
  return result;
}

function parseLine(line: string): { macro: string | null; pattern: string; settings: Setting[] } | null {
  const text = line.trim();
  if (text === '' || text.startsWith('#')) return null;
  let pattern: string;
  let rest: string;
  if (text.startsWith('"')) {
    // A quoted pattern uses C escapes; only \" and \\ matter to a pattern.
    const close = /^"((?:[^"\\]|\\.)*)"/.exec(text);
    if (close === null) return null;
    pattern = close[1]!.replace(/\\(["\\])/g, '$1');
    rest = text.slice(close[0].length);
  } else {
    const end = text.search(/\s/);
    if (end < 0) return null;
    pattern = text.slice(0, end);
    rest = text.slice(end);
  }
  const settings = rest
    .split(/\s+/)
    .filter(Boolean)
    .map((word): Setting => {
      if (word.startsWith('-')) return [word.slice(1), false];
      if (word.startsWith('!')) return [word.slice(1), undefined];
      const equals = word.indexOf('=');
      return equals < 0 ? [word, true] : [word.slice(0, equals), word.slice(equals + 1)];
    });
  if (pattern.startsWith('[attr]')) return { macro: pattern.slice('[attr]'.length), pattern: '', settings };
  // Git forbids negative patterns in attribute files.
  if (pattern.startsWith('!')) return null;
  return { macro: null, pattern, settings };
}
