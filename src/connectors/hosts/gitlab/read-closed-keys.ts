// The issues that a merge request closes, by GitLab's default words for it. A server may have other words, which it does not tell.

const CLOSING_WORD = /\b(?:clos(?:e[sd]?|ing)|fix(?:e[sd]|ing)?|resolv(?:e[sd]?|ing)|implement(?:s|ed|ing)?):? +/gi;
/** One issue behind such a word: of this project or another, by its address, or of another tracker. */
const ISSUE =
  /(?:[Ii]ssues? +)?(?:([\w./-]*)#(\d+)|https?:\/\/[^\s/]+\/([\w./-]+?)(?:\/-)?\/(?:issues|work_items)\/(\d+))|([A-Z][A-Z0-9_]+-\d+)/y;
const AND = / *,? +and +| *, *| +/y;

/** `project`: its full path, for issues that are named by their number alone. */
export function readClosedKeys(text: string, project: string): string[] {
  const keys = new Set<string>();
  for (const word of text.matchAll(CLOSING_WORD)) {
    let at = word.index + word[0].length;
    for (let match = matchAt(ISSUE, text, at); match !== null; match = matchAt(ISSUE, text, at)) {
      const [whole, path, number, addressed, numberThere, key] = match;
      keys.add(key ?? (number === undefined ? `${addressed}#${numberThere}` : `${path || project}#${number}`));
      at += whole.length;
      at += matchAt(AND, text, at)?.[0].length ?? 0;
    }
  }
  return [...keys];
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
