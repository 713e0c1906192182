// The issues that a merge request closes, by GitLab's default words for it. A server may have other words, which it does not tell.

const CLOSING_WORD = /\b(?:clos(?:e[sd]?|ing)|fix(?:e[sd]|ing)?|resolv(?:e[sd]?|ing)|implement(?:s|ed|ing)?):? +/gi;
/** One issue behind such a word: of this project or another, by its address, or of another tracker. */
const ISSUE =
  /(?:[Ii]ssues? +)?(?:([\w./-]*)#(\d+)|(https?:\/\/[^\s#?]+?)(?:\/-)?\/(?:issues|work_items)\/(\d+)(?:#[\w-]*)?)|([A-Z][A-Z0-9_]+-\d+)/y;
/** What may stand between two of them. Spaces are read once: a long run of them is not gone through again and again. */
const AND = / *(?:,(?: +and +| *)|(?<= )and +)?/y;

export interface ClosingRequest {
  readonly title: string;
  readonly description?: string | null | undefined;
  /** Full path of its project, for issues that are named by their number alone. */
  readonly project: string;
  /** Address of the merge request, which tells that of the server. */
  readonly webUrl: string | null;
}

export function readClosedKeys({ title, description, project, webUrl }: ClosingRequest): string[] {
  const text = `${title}\n${description ?? ''}`;
  const site = webUrl?.slice(0, Math.max(0, webUrl.indexOf(`/${project}/-/`) + 1)) ?? '';
  const keys = new Set<string>();
  for (const word of text.matchAll(CLOSING_WORD)) {
    let at = word.index + word[0].length;
    for (let match = matchAt(ISSUE, text, at); match !== null; match = matchAt(ISSUE, text, at)) {
      const [whole, path, number, address = '', numberThere, key] = match;
      if (key !== undefined) keys.add(key);
      else if (number !== undefined) keys.add(`${path || project}#${number}`);
      // What another server calls so is none of these issues.
      else if (site !== '' && address.startsWith(site)) keys.add(`${address.slice(site.length)}#${numberThere}`);
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
