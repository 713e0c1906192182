// Language, category and weight of a file: what its path, its attributes and its opening say. The first rule that fits
// decides.
import { CATEGORIES, type CategoryId, type CategoryKey } from '../../domain/commits/line-model.ts';
import { nameForRules } from '../git/quoted-path.ts';
import { CATEGORY_MULTIPLIER, SCORE } from '../judge/score-table.ts';
import type { LinguistAttributes, PathAttributes } from '../model/classified.ts';
import type { LineBlock } from '../model/diff.ts';
import { isBlockMarked } from './generated-mark.ts';
import {
  LANGUAGE_NAMES,
  languageNamed,
  languageOfFirstLine,
  languageOfPath,
  languageType,
  NO_LANGUAGE,
} from './languages.ts';
import { compilePathPattern, type PathPattern } from './path-pattern.ts';
import { CATEGORY_RULES, type CategoryRule } from './path-rules/category-rules.ts';
import { isGeneratedPath, isThirdPartyPath } from './path-rules/foreign-paths.ts';
import { type PathTest, splitPath } from './path-rules/path-test.ts';

/** A customer's rule: files matching the pattern have that category (or keep theirs) and weight. */
export interface CustomPathRule {
  /** As in .gitattributes, from the root: `docs/**`, `*.gen.ts`. */
  readonly pattern: string;
  readonly category?: CategoryKey;
  readonly multiplier?: number;
}

export interface FileJudgement {
  readonly category: CategoryKey;
  readonly categoryId: CategoryId;
  /** Index into LANGUAGE_NAMES, or −1. */
  readonly language: number;
  /** M of the formula: 0 for what is never scored. */
  readonly multiplier: number;
}

export interface FileJudge {
  /** By the path alone when nothing is known about what the file holds. */
  judge(path: string, attributes: PathAttributes | null, content?: FileContent): FileJudgement;
}

/** What a change shows of a file. */
export interface FileContent {
  /** Its lines when the first of them is the file's first line, else null. */
  readonly opening: LineBlock | null;
  /** Whether its opening carries a generator's mark; undefined when only the lines of the change are at hand. */
  readonly isMarked: boolean | undefined;
}

const CATEGORY_ID = Object.fromEntries(CATEGORIES.map(({ key, id }) => [key, id])) as Record<CategoryKey, CategoryId>;
const NO_ATTRIBUTES: LinguistAttributes = {};
const MAX_CACHED_PATHS = 200_000;

/** Throws a RangeError that names the rule when a custom rule is not acceptable. */
export function createFileJudge(customRules: readonly CustomPathRule[] = []): FileJudge {
  const custom = customRules.map((rule, index) => compileCustomRule(rule, index));
  // The judgement by path alone is the same for all commits under the same attributes, which hardly ever change.
  let cache = new Map<string, FileJudgement>();
  let cacheOf: PathAttributes | null = null;

  function judgePath(path: string, attributes: PathAttributes | null): FileJudgement {
    if (attributes !== cacheOf) {
      cache = new Map();
      cacheOf = attributes;
    }
    let found = cache.get(path);
    if (found === undefined) {
      if (cache.size >= MAX_CACHED_PATHS) cache.clear();
      found = decide(path, attributes?.of(path) ?? NO_ATTRIBUTES, NO_LANGUAGE);
      cache.set(path, found);
    }
    return found;
  }

  function decide(stored: string, attributes: LinguistAttributes, languageByContent: number): FileJudgement {
    const path = nameForRules(stored);
    const forced = attributes.language === undefined ? NO_LANGUAGE : languageNamed(attributes.language);
    const byPath = forced === NO_LANGUAGE ? languageOfPath(path) : forced;
    const language = byPath === NO_LANGUAGE ? languageByContent : byPath;
    const rule = custom.find(({ matches }) => matches(path));
    const category = rule?.category ?? categoryOf(path, attributes, language);
    const multiplier = rule?.multiplier ?? CATEGORY_MULTIPLIER[category];
    return { category, categoryId: CATEGORY_ID[category], language, multiplier };
  }

  /** Whether the customer says something about the file. */
  const isRuled = (path: string): boolean => {
    const name = nameForRules(path);
    return custom.some(({ matches }) => matches(name));
  };

  return {
    judge(path, attributes, content) {
      const byPath = judgePath(path, attributes);
      const opening = content?.opening ?? null;
      const hasLines = opening !== null && opening.count > 0;
      if (content === undefined || (!hasLines && content.isMarked !== true)) return byPath;
      // What a test reads is its fixture, whoever wrote it.
      if (byPath.multiplier === 0 || byPath.category === 'test_fixtures') return byPath;
      const own = attributes?.of(path) ?? NO_ATTRIBUTES;
      if (own.generated === undefined && own.detectable !== true && !isRuled(path)) {
        const { language } = byPath;
        const isMarked = content.isMarked ?? (hasLines && isBlockMarked(opening));
        if ((isMarked && languageType(language) !== 'prose') || (hasLines && isMinified(opening, language)))
          return { ...byPath, category: 'autogenerated', categoryId: CATEGORY_ID.autogenerated, multiplier: 0 };
      }
      if (!hasLines) return byPath;
      if (byPath.language !== NO_LANGUAGE) return byPath;
      const language = languageOfFirstLine(opening.bytes, opening.starts[0]!, opening.ends[0]!);
      return language === NO_LANGUAGE ? byPath : decide(path, own, language);
    },
  };
}

function compileCustomRule(rule: CustomPathRule, index: number): CustomPathRule & { readonly matches: PathPattern } {
  const { min, max } = SCORE.customMultiplier;
  const { pattern, multiplier, category } = rule;
  if (pattern === '' || pattern.length > 1000)
    throw new RangeError(`path rule ${index + 1}: pattern has ${pattern.length} characters, 1 to 1000 are accepted`);
  if (multiplier !== undefined && !(multiplier >= min && multiplier <= max))
    throw new RangeError(`path rule ${index + 1}: multiplier is ${multiplier}, ${min} to ${max} is accepted`);
  if (category !== undefined && !(category in CATEGORY_MULTIPLIER))
    throw new RangeError(
      `path rule ${index + 1}: category is ${category}, accepted are ${CATEGORIES.map(({ key }) => key).join(', ')}`,
    );
  return { ...rule, matches: compilePathPattern(pattern, '') };
}

function categoryOf(path: string, attributes: LinguistAttributes, language: number): CategoryKey {
  // An attribute decides; `detectable` switches the default exclusions off; else the default rules.
  const parts = splitPath(path);
  const holds = (set: boolean | undefined, isDefault: PathTest) =>
    set ?? (attributes.detectable !== true && isDefault(parts));
  if (holds(attributes.generated, isGeneratedPath)) return 'autogenerated';
  if (holds(attributes.vendored, isThirdPartyPath)) return 'third_party';
  if (attributes.documentation === true) return 'documentation';
  for (const { category, path, within, outside } of rulesFor(language)) {
    if (category === 'documentation' && attributes.documentation === false) continue;
    if (path !== undefined && !path(parts)) continue;
    if (within !== undefined && !within(parts)) continue;
    if (outside?.(parts) === true) continue;
    return category;
  }
  return isCode(language) ? 'backend' : 'other';
}

const isCode = (language: number): boolean => languageType(language) === 'programming';

const rulesByLanguage = new Map<number, readonly CategoryRule[]>();

/** Those that hold for a language, as far as that decides. */
function rulesFor(language: number): readonly CategoryRule[] {
  let rules = rulesByLanguage.get(language);
  if (rules === undefined) {
    const name = LANGUAGE_NAMES[language];
    rules = CATEGORY_RULES.filter(
      (rule) =>
        (rule.isCode ?? isCode(language)) === isCode(language) &&
        (rule.languages === undefined || (name !== undefined && rule.languages.has(name))),
    );
    rulesByLanguage.set(language, rules);
  }
  return rules;
}

/** Minified code has hardly any line breaks. */
const MINIFIED_LINE_LENGTH = 110;
const MINIFIABLE = new Set(['JavaScript', 'CSS']);

function isMinified(added: LineBlock, language: number): boolean {
  if (!MINIFIABLE.has(LANGUAGE_NAMES[language] ?? '')) return false;
  const { starts, ends } = added;
  let bytes = 0;
  for (let line = 0; line < added.count; line++) bytes += ends[line]! - starts[line]! + 1;
  return bytes / added.count > MINIFIED_LINE_LENGTH && bytes > 1000;
}
