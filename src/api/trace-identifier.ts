// X-Trace-Identifier ties a request to its log lines. The caller may choose it; it is made up otherwise.
import { randomUUID } from 'node:crypto';

const LONGEST = 128;

/** The caller's value without anything that could forge a log line or header, or a fresh one. */
export function traceIdentifier(given: string | string[] | undefined): string {
  const text = Array.isArray(given) ? given[0] : given;
  const clean = text?.replace(/[^\w.:/+=@-]/g, '').slice(0, LONGEST) ?? '';
  return clean === '' ? randomUUID() : clean;
}
