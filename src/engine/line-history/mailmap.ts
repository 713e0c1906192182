// A .mailmap file: which name and address stand for the ones written in a commit. Rules as in
// gitmailmap(5); addresses and names are compared without regard to case.

export interface Person {
  readonly name: string;
  readonly email: string;
}

export type Mailmap = (person: Person) => Person;

interface Rule {
  readonly name: string | null;
  readonly email: string | null;
}

/** Proper Name <proper@address> Commit Name <commit@address>; the two parts in the middle are optional. */
const LINE = /^\s*([^<#]*?)\s*<([^>]*)>(?:\s*([^<]*?)\s*<([^>]*)>)?/;
const MAX_RULES = 100_000;

export function parseMailmap(text: string): Mailmap {
  const byAddress = new Map<string, { any: Rule | null; byName: Map<string, Rule> }>();
  let count = 0;
  for (const line of text.split('\n')) {
    const match = LINE.exec(line);
    if (match === null || ++count > MAX_RULES) continue;
    const [, properName = '', first = '', commitName = '', second] = match;
    const address = (second ?? first).trim().toLowerCase();
    if (properName === '' && second === undefined) continue;
    const rule: Rule = { name: properName || null, email: second === undefined ? null : first.trim() };
    let rules = byAddress.get(address);
    if (rules === undefined) {
      rules = { any: null, byName: new Map() };
      byAddress.set(address, rules);
    }
    // A later line adds to an earlier one about the same person.
    if (second === undefined || commitName === '') rules.any = merged(rules.any, rule);
    else rules.byName.set(commitName.toLowerCase(), merged(rules.byName.get(commitName.toLowerCase()) ?? null, rule));
  }
  return (person) => {
    const rules = byAddress.get(person.email.toLowerCase());
    const rule = rules?.byName.get(person.name.toLowerCase()) ?? rules?.any;
    if (!rule) return person;
    return { name: rule.name ?? person.name, email: rule.email ?? person.email };
  };
}

const merged = (old: Rule | null, rule: Rule): Rule => ({
  name: rule.name ?? old?.name ?? null,
  email: rule.email ?? old?.email ?? null,
});
