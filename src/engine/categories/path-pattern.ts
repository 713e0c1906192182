// Patterns over paths as .gitattributes and .gitignore write them: `*`, `?`, `[a-z]`, `**`, and a slash
// that ties a pattern to its folder. Matched without regular expressions: a hostile pattern costs at
// most the product of the two lengths.

export type PathPattern = (path: string) => boolean;

/** `folder` is where the pattern's file stands: '' for the root, else without a trailing slash. */
export function compilePathPattern(pattern: string, folder: string): PathPattern {
  const prefix = folder === '' ? '' : `${folder}/`;
  const isTied = pattern.includes('/');
  const text = pattern.startsWith('/') ? pattern.slice(1) : pattern;
  if (!isTied) {
    return (path) => path.startsWith(prefix) && matchSegment(text, path.slice(path.lastIndexOf('/') + 1));
  }
  const segments = text.split('/');
  return (path) => path.startsWith(prefix) && matchSegments(segments, path.slice(prefix.length).split('/'));
}

function matchSegments(patterns: readonly string[], names: readonly string[]): boolean {
  let p = 0;
  let n = 0;
  let starPattern = -1;
  let starName = 0;
  // The greedy walk of matchSegment, one level up: `**` stands for any number of folders.
  while (n < names.length) {
    const pattern = patterns[p];
    if (pattern === '**') {
      // At the end `**` takes all that is below, and there must be something.
      if (p === patterns.length - 1) return true;
      starPattern = p++;
      starName = n;
    } else if (pattern !== undefined && matchSegment(pattern, names[n]!)) {
      p++;
      n++;
    } else if (starPattern >= 0) {
      p = starPattern + 1;
      n = ++starName;
    } else return false;
  }
  return p === patterns.length;
}

function matchSegment(pattern: string, name: string): boolean {
  let p = 0;
  let n = 0;
  let starPattern = -1;
  let starName = 0;
  while (n < name.length) {
    const next = p < pattern.length ? matchOne(pattern, p, name[n]!) : 0;
    if (pattern[p] === '*') {
      starPattern = p++;
      starName = n;
    } else if (next > 0) {
      p = next;
      n++;
    } else if (starPattern >= 0) {
      p = starPattern + 1;
      n = ++starName;
    } else return false;
  }
  while (pattern[p] === '*') p++;
  return p === pattern.length;
}

/** The position after the pattern element at `p` if it matches the character, else 0. */
function matchOne(pattern: string, p: number, char: string): number {
  const head = pattern[p]!;
  if (head === '?') return p + 1;
  if (head === '\\' && p + 1 < pattern.length) return pattern[p + 1] === char ? p + 2 : 0;
  if (head !== '[') return head === char ? p + 1 : 0;
  let at = p + 1;
  const isNegated = pattern[at] === '!' || pattern[at] === '^';
  if (isNegated) at++;
  let isIn = false;
  for (let first = true; at < pattern.length && (first || pattern[at] !== ']'); first = false) {
    const low = pattern[at]!;
    if (pattern[at + 1] === '-' && at + 2 < pattern.length && pattern[at + 2] !== ']') {
      if (low <= char && char <= pattern[at + 2]!) isIn = true;
      at += 3;
    } else {
      if (low === char) isIn = true;
      at++;
    }
  }
  // A bracket that is never closed matches nothing, as in git.
  if (at >= pattern.length) return 0;
  return isIn !== isNegated ? at + 1 : 0;
}
