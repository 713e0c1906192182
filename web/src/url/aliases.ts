// Names that keys once had. The list is never emptied: a link in somebody's document outlives a release.

export const ALIASES: Readonly<Record<string, string>> = {
  compare: 'vs',
  repo: 'in',
  interval: 'grain',
};

export function renameKeys(given: URLSearchParams): URLSearchParams {
  const renamed = new URLSearchParams();
  for (const [name, value] of given) {
    const now = ALIASES[name] ?? name;
    // A present key wins over its former name.
    if (now === name || !given.has(now)) renamed.set(now, value);
  }
  return renamed;
}
