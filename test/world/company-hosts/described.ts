// What a host's published description allows, in our own words and no more than is used: which parameters a call takes,
// and the fields of its answer. A double that leaves this fails its test, and so does a connector that asks for more.
import type { z } from 'zod';

export interface Operation {
  /** Names in the query. */
  readonly query: readonly string[];
  /** Required where the host refuses without. */
  readonly needs?: readonly string[];
  /** Of one item where the call lists. Objects are strict: no field but those that are described. */
  readonly answer: z.ZodType;
}

export type Description = Readonly<Record<string, Operation>>;

export interface FoundOperation {
  readonly name: string;
  readonly operation: Operation;
  /** What stands in the places of the path. */
  readonly values: Readonly<Record<string, string>>;
}

export function findOperation(description: Description, path: string): FoundOperation | null {
  const parts = path.split('/');
  for (const [name, operation] of Object.entries(description)) {
    const places = name.split('/');
    if (places.length !== parts.length) continue;
    if (!places.every((place, index) => place.startsWith('{') || place === parts[index])) continue;
    const values = places.flatMap((place, index): [string, string][] =>
      place.startsWith('{') ? [[place.slice(1, -1), decodeURIComponent(parts[index]!)]] : [],
    );
    return { name, operation, values: Object.fromEntries(values) };
  }
  return null;
}

/** In words what is wrong with the question; null where it is allowed. */
export function refuseQuery({ name, operation }: FoundOperation, query: URLSearchParams): string | null {
  const unknown = [...query.keys()].filter((key) => !operation.query.includes(key));
  if (unknown.length > 0) return `${name} takes no ${unknown.join(', ')}`;
  const missing = (operation.needs ?? []).filter((key) => !query.has(key));
  return missing.length > 0 ? `${name} needs ${missing.join(', ')}` : null;
}

export function checkItem({ name, operation }: FoundOperation, item: unknown): void {
  const parsed = operation.answer.safeParse(item);
  if (parsed.success) return;
  const [issue] = parsed.error.issues;
  throw new Error(`${name} is not answered so: ${issue?.path.join('.')} ${issue?.message}`);
}
