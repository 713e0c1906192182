// Holds an answer against the fields we need of it.
import type { z } from 'zod';
import { type ServiceKind, serviceOf } from '../../domain/collect/service.ts';
import { HostError } from '../../domain/repos/code-host.ts';

export function readAnswer<T>(provider: ServiceKind, schema: z.ZodType<T>, body: unknown): T {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = issue === undefined || issue.path.length === 0 ? '' : ` (${issue.path.join('.')})`;
  throw new HostError(
    'unexpected_answer',
    `what answers there does not speak like ${serviceOf(provider).product}${where}; check the address`,
  );
}

/** One part of an address's path. Dots would climb to another path. */
export function pathPart(text: string): string {
  if (text === '' || text === '.' || text === '..') {
    throw new HostError('unexpected_answer', `"${text}" is no name that can be asked for`);
  }
  return encodeURIComponent(text);
}

/** The address without the user name that some hosts put into it. */
export function withoutUser(address: string): string {
  if (!URL.canParse(address)) return address;
  const url = new URL(address);
  url.username = '';
  url.password = '';
  return url.href;
}
