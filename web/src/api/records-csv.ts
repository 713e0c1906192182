// All records behind a point as one CSV. The API gives them page by page.
import { CallError, type Query, UNREACHABLE, writeQuery } from './call.ts';
import { joinCsv } from './join-csv.ts';
import type { ErrorAnswer } from './schema.ts';

export interface RecordList {
  /** Parameters of GET /audits. */
  readonly query: Query;
  /** Those that make up the point, or those of its days that it does not count. */
  readonly only: 'counted' | 'excluded';
}

export interface Progress {
  readonly page: number;
  readonly pages: number;
}

interface Page extends Progress {
  readonly text: string;
  readonly total: number;
}

const TOO_MANY_REQUESTS = 429;

export async function readRecordsCsv(
  { query, only }: RecordList,
  onProgress: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<string> {
  const asked = { ...query, ...(only === 'excluded' ? { include_excluded: true } : {}), format: 'csv' };
  const first = await readPage(asked, 1, signal);
  const pages = [first];
  while (pages.length < first.pages) {
    onProgress({ page: pages.length + 1, pages: first.pages });
    const next = await readPage(asked, pages.length + 1, signal);
    // Pages of another list would repeat some records and lose others.
    if (next.total !== first.total) throw new Error('the records changed while they were read; try again');
    pages.push(next);
  }
  return joinCsv(
    pages.map(({ text }) => text),
    only === 'excluded' ? 'excluded_because' : undefined,
  );
}

async function readPage(query: Query, page: number, signal: AbortSignal): Promise<Page> {
  const reply = await fetch(`/api/v1/audits?${writeQuery({ ...query, page })}`, { signal }).catch((cause) => {
    throw signal.aborted ? cause : new CallError(UNREACHABLE, null, null);
  });
  if (reply.status === TOO_MANY_REQUESTS) {
    await wait(Number(reply.headers.get('retry-after') ?? 1));
    signal.throwIfAborted();
    return readPage(query, page, signal);
  }
  if (!reply.ok) {
    const answer = (await reply.json().catch(() => null)) as ErrorAnswer | null;
    throw new CallError(reply.status, answer, reply.headers.get('x-trace-identifier'));
  }
  const fact = (name: string): number => Number(reply.headers.get(name) ?? 0);
  return { text: await reply.text(), page, pages: fact('x-page-count'), total: fact('x-total-count') };
}

const wait = (seconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
