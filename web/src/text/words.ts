// Words of the wire for people, where the API has no sentence of its own for them.

/** `same_commit_in_another_repo` → `same commit in another repo`. */
export const wireWords = (name: string): string => name.replaceAll('_', ' ').replace(/ em$/, '');

/** A path, an address or a setting keeps its own letters: `org/repo has no branch`. */
const BEGINS_WITH_NAME = /^\S*(?:[/@_]|\w\.\w)/;

export const capitalize = (text: string): string =>
  BEGINS_WITH_NAME.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1);

/** As a sentence of its own: a capital first, and an end. */
export const sentence = (text: string): string => {
  const begun = capitalize(text);
  return begun === '' || /[.!?]$/.test(begun) ? begun : `${begun}.`;
};

/** For use inside a sentence; abbreviations stay as they are. */
export const inSentence = (text: string): string =>
  /^[A-Z][A-Z]/.test(text) ? text : text.charAt(0).toLowerCase() + text.slice(1);

/** The first line of a commit message. */
export const firstLine = (message: string): string => {
  const end = message.indexOf('\n');
  return (end === -1 ? message : message.slice(0, end)).trim();
};

/** `Ada Lovelace` → `AL`, `ada@corp.example` → `A`. */
export function initials(name: string): string {
  const letters = name
    .split(/[\s@.]+/)
    .filter((part) => part !== '')
    .slice(0, name.includes('@') ? 1 : 2)
    .map((part) => part.charAt(0).toUpperCase());
  return letters.join('') || '?';
}

/** Why a figure about AI is unknown. */
export const UNKNOWN_WHY = 'No commit in these days says who wrote it.';
