// What there is, for the error about a name that is unknown.
const MOST_NAMES = 20;

/** `there are a, b and 3 more`, each once, in order. */
export function listNames(names: readonly string[]): string {
  const known = [...new Set(names)].toSorted();
  if (known.length === 0) return 'there are none';
  const more = known.length > MOST_NAMES ? ` and ${known.length - MOST_NAMES} more` : '';
  return `there are ${known.slice(0, MOST_NAMES).join(', ')}${more}`;
}
