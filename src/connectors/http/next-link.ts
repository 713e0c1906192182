// The next page by the Link header, as the host wrote it: pages are never counted.

/** Null where there is none. */
export function nextLink(headers: Headers): string | null {
  for (const part of (headers.get('link') ?? '').split(/,\s*(?=<)/)) {
    const found = /^\s*<([^>]+)>\s*;(.*)$/s.exec(part);
    if (found !== null && /\brel\s*=\s*"?(?:[^"]*\s)?next(?:\s[^"]*)?"?/.test(found[2]!)) return found[1]!;
  }
  return null;
}
