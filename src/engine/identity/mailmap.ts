// Reads .mailmap as git does (gitmailmap): a later line for the same address overrides an earlier one, and
// an entry that also names the old name beats the one for the address alone. For callers that have the raw
// names and not git's own %aN; `git check-mailmap` is the reference.
import type { Identity } from '../model/facts.ts';

export interface Mailmap {
  apply(identity: Identity): Identity;
  readonly size: number;
}

interface Replacement {
  name: string | null;
  email: string | null;
}

interface Entry extends Replacement {
  readonly byOldName: Map<string, Replacement>;
}

/** Lines beyond this are left out: a mailmap of a million people is none. */
const MAX_LINES = 1_000_000;

export function parseMailmap(text: string): Mailmap {
  const entries = new Map<string, Entry>();
  for (const line of text.split('\n', MAX_LINES)) {
    if (line.startsWith('#')) continue;
    const first = readNameAndEmail(line, false);
    if (first === null) continue;
    const second = readNameAndEmail(first.rest, true);
    const oldEmail = asciiLower(second === null ? first.email : second.email);
    let entry = entries.get(oldEmail);
    if (entry === undefined) {
      entry = { name: null, email: null, byOldName: new Map() };
      entries.set(oldEmail, entry);
    }
    const newEmail = second === null ? null : first.email;
    if (second?.name != null) entry.byOldName.set(asciiLower(second.name), { name: first.name, email: newEmail });
    else {
      entry.name = first.name ?? entry.name;
      entry.email = newEmail ?? entry.email;
    }
  }
  return {
    size: entries.size,
    apply(identity) {
      const entry = entries.get(asciiLower(identity.email));
      if (entry === undefined) return identity;
      const found = entry.byOldName.get(asciiLower(identity.name)) ?? entry;
      return { name: found.name ?? identity.name, email: found.email ?? identity.email };
    },
  };
}

function readNameAndEmail(
  text: string,
  mayBeEmpty: boolean,
): { name: string | null; email: string; rest: string } | null {
  const left = text.indexOf('<');
  const right = left === -1 ? -1 : text.indexOf('>', left + 1);
  if (right === -1 || (!mayBeEmpty && right === left + 1)) return null;
  const name = text.slice(0, left).trim();
  return { name: name === '' ? null : name, email: text.slice(left + 1, right), rest: text.slice(right + 1) };
}

/** Git folds ASCII letters only. */
function asciiLower(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
