// What a commit message says about other commits: which one it reverts and which it was picked
// from. Pure text reading; whether the named commits exist is the caller's matter.

/** "This reverts commit <sha>." in any line of the body; full or abbreviated sha, in lower case. */
export function readReverts(message: string): string | null {
  const match = /\bThis reverts commit ([0-9a-f]{7,64})\b/i.exec(message);
  return match === null ? null : match[1]!.toLowerCase();
}

/** A revert, or a revert of a revert. */
export const isUndoing = (message: string): boolean => readReverts(message) !== null || hasTitleOfUndoing(message);

/** The same by the first line alone, where the message names no commit that it takes back. */
export const hasTitleOfUndoing = (message: string): boolean => /^\s*(?:Revert|Reapply) "/.test(message);

/** How projects write down where a copy came from, one row per habit. */
const COPY_MARKS: readonly { readonly habit: string; readonly pattern: RegExp }[] = [
  { habit: 'git cherry-pick -x', pattern: /^\(cherry[- ]picked from commit ([0-9a-f]{7,64})\b/i },
  { habit: 'free spelling of the same', pattern: /^cherry[- ]picked? from:? (?:commit )?([0-9a-f]{7,64})\b/i },
  { habit: 'django, rails and others', pattern: /^back-?port(?:ed)? (?:of|from)(?: commit)? ([0-9a-f]{7,64})\b/i },
  { habit: 'linux stable', pattern: /^commit ([0-9a-f]{40,64}) upstream\.?$/i },
  { habit: 'linux stable', pattern: /^\[ ?Upstream commit ([0-9a-f]{40,64}) ?\]$/i },
];

/** A message without any of these, in whatever case, has no such mark. An index of the database holds those with one. */
export const COPY_WORDS = 'cherry|backport|back-port|upstream';
const COPY_WORD = new RegExp(COPY_WORDS, 'i');

const SUBJECT_LENGTH = 200;
const MAX_MARKS = 32;
const MAX_LINES = 2000;

/** The commits this one says it was copied from, in the order they are named. */
export function readCopySources(message: string): string[] {
  if (!COPY_WORD.test(message)) return [];
  const sources: string[] = [];
  for (const line of bodyLines(message)) {
    for (const { pattern } of COPY_MARKS) {
      const match = pattern.exec(line);
      if (match === null) continue;
      const sha = match[1]!.toLowerCase();
      if (!sources.includes(sha)) sources.push(sha);
      break;
    }
    if (sources.length >= MAX_MARKS) break;
  }
  return sources;
}

export function readSubject(message: string): string {
  const text = message.trimStart();
  const end = text.indexOf('\n');
  return trimSubject(end < 0 ? text : text.slice(0, end));
}

/** The subject, by the first line of a message that has no blanks before it. */
export const trimSubject = (line: string): string =>
  line
    .trim()
    .slice(0, SUBJECT_LENGTH)
    // The cut may have halved a sign.
    .replace(/[\ud800-\udbff]$/, '\ufffd');

/** The subject without a branch tag in front and pull request numbers behind. */
export function readTitle(subject: string): string {
  // Nearly all have neither.
  if (!subject.startsWith('[') && !subject.endsWith(')')) return subject.trim();
  return subject
    .replace(/^\[[\w ./-]{1,30}\]\s*/, '')
    .replace(/(?:\s*\(#\d{1,9}\)){1,4}$/, '')
    .trim();
}

function bodyLines(message: string): string[] {
  const lines = message.slice(0, 512 * 1024).split('\n', MAX_LINES);
  return lines.slice(1).map((line) => line.slice(0, 300).trim());
}
