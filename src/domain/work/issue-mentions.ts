// Keys of issues in what people write: messages, titles, names of branches. What looks like a key and is none does no harm:
// it leads to an issue only where one bears it.

/** `WEB-7`: of trackers with projects. A branch goes on behind the number: `feat/WEB-7-login`, `WEB-7_login`. */
const PROJECT_KEY = /(?<![\p{L}\p{N}_])[A-Za-z][A-Za-z0-9_]{0,30}-\d{1,9}(?![\p{L}\p{N}])/gu;
/** The same behind words: `feature_WEB-7`. */
const BEHIND_WORDS = /(?<![\p{L}\p{N}_])([A-Za-z][A-Za-z0-9_]{0,200})(-\d{1,9})(?![\p{L}\p{N}])/gu;
/** `owner/repo#6`, `group/deeper/repo#6`, `AB#7`. */
const QUALIFIED = /(?<![\p{L}\p{N}_./#-])(?:[\w.-]+(?:\/[\w.-]+)+|AB)#\d{1,9}(?![\p{L}\p{N}_])/giu;
/** `#6`, and `GH-6` in its place. */
const BARE = /(?<![\p{L}\p{N}_/&#])(?:#|GH-)(\d{1,9})(?![\p{L}\p{N}_])/giu;
/** Addresses of issues; the project goes before. */
const ADDRESS =
  /https?:\/\/[^\s/]+\/([\w.-]+(?:\/[\w.-]+)+?)(?:\/-)?\/(?:issues|work_items)\/(\d{1,9})(?![\p{L}\p{N}_])/giu;
const WORK_ITEM = /\/_workitems\/edit\/(\d{1,9})(?![\p{L}\p{N}_])/giu;
/** What hosts call a branch that was begun from an issue: `6-its-title`; and what people call it: `issue-6`. */
const BRANCH_NUMBER = /(?:^|\/)(?:(?:issues?|gh)[-_/]?(\d{1,9})(?![\p{N}\p{L}])|(\d{1,9})[-_](?=\p{L}))/giu;

/** A longer list is a log of changes, not work on them. */
const MOST = 50;

/** In lower case, as `issue_mentions` has them, each once. */
export function findMentions(text: string): string[] {
  const found = new Set<string>();
  for (const [key] of text.matchAll(PROJECT_KEY)) found.add(key.toLowerCase());
  for (const [key] of text.matchAll(QUALIFIED)) found.add(key.toLowerCase());
  for (const [, number] of text.matchAll(BARE)) found.add(`#${Number(number)}`);
  for (const [, project, number] of text.matchAll(ADDRESS)) found.add(`${project!.toLowerCase()}#${Number(number)}`);
  for (const [, number] of text.matchAll(WORK_ITEM)) found.add(`ab#${Number(number)}`);
  return found.size > MOST ? [] : [...found];
}

export function findBranchMentions(name: string): string[] {
  const numbers = [...name.matchAll(BRANCH_NUMBER)].map(([, prefixed, plain]) => `#${Number(prefixed ?? plain)}`);
  const behindWords = [...name.matchAll(BEHIND_WORDS)].flatMap(([, words = '', number = '']) => {
    const project = withoutWords(words);
    return project === null ? [] : [`${project}${number}`.toLowerCase()];
  });
  return [...new Set([...findMentions(name), ...behindWords, ...numbers])];
}

/** `feature_MY_WEB` → `MY_WEB`. A project's name may have underscores: only its capital letters tell where it begins. */
function withoutWords(text: string): string | null {
  const parts = text.split('_');
  const first = parts.findIndex((part) => !/[a-z]/.test(part));
  if (first <= 0) return null;
  const project = parts.slice(first).join('_');
  return /^[A-Z][A-Z0-9_]*$/.test(project) ? project : null;
}
