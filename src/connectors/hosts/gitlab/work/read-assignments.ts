// Who was assigned to an issue when, by GitLab's system notes, which are English on every server: `assigned to @a`,
// `unassigned @a`, `assigned to @a and @b and unassigned @c`. There is no list of such events.
import type { IssueNote } from '../collect-answers.ts';

export interface Assignment {
  readonly note: IssueNote;
  /** Ids of accounts, joined by commas where there are several; a name that no account has any more stands for itself. */
  readonly before: string | null;
  readonly after: string | null;
}

const ASSIGNED = /^(?:assigned to|unassigned) @/;
const NAME = /@([\w][\w.-]*)/g;

export async function readAssignments(
  notes: readonly IssueNote[],
  idOf: (login: string) => Promise<string | null>,
): Promise<Assignment[]> {
  const assignments: Assignment[] = [];
  let assigned: readonly string[] = [];
  const shown = () => (assigned.length === 0 ? null : assigned.join(','));
  for (const note of [...notes].sort((a, b) => Date.parse(a.created_at) - Date.parse(b.created_at) || a.id - b.id)) {
    if (!note.system || !ASSIGNED.test(note.body)) continue;
    const [, added = '', removed = ''] = /^(assigned to .*?)?(?:(?: and )?unassigned (.*))?$/.exec(note.body) ?? [];
    const [comers, goers] = [await idsIn(added, idOf), await idsIn(removed, idOf)];
    const before = shown();
    assigned = [...assigned.filter((id) => !goers.includes(id) && !comers.includes(id)), ...comers];
    assignments.push({ note, before: before ?? (goers.length === 0 ? null : goers.join(',')), after: shown() });
  }
  return assignments;
}

async function idsIn(text: string, idOf: (login: string) => Promise<string | null>): Promise<string[]> {
  const ids: string[] = [];
  for (const [name, login] of text.matchAll(NAME)) ids.push((await idOf(login!)) ?? name);
  return ids;
}
