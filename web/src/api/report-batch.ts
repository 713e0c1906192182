// Reports that are wanted in the same moment and differ only in their statistic go out as one call: a page of
// thirty tiles makes two requests instead of sixty. Who wants one does not notice.
import { CallError, call } from './call.ts';
import type { Answer, Params } from './schema.ts';

type ReportParams = Params<'GET /reports'>;
type Report = Answer<'GET /reports'>;

interface Waiting {
  readonly params: ReportParams;
  readonly signal: AbortSignal;
  readonly resolve: (report: Report) => void;
  readonly reject: (error: unknown) => void;
}

/** As many as the API answers at once. */
const MOST_REPORTS = 60;

const waiting = new Map<string, Waiting[]>();

/** Like calling GET /reports, together with whatever else is wanted now. */
export function batchedReport(params: ReportParams, signal: AbortSignal): Promise<Report> {
  return new Promise((resolve, reject) => {
    const { segment_by: _, ...common } = params;
    const key = JSON.stringify(common);
    const group = waiting.get(key);
    const one = { params, signal, resolve, reject };
    if (group !== undefined && group.length < MOST_REPORTS) {
      group.push(one);
      return;
    }
    waiting.set(key, [one]);
    // After the effects of all parts of the page that are drawn now.
    setTimeout(() => {
      const members = waiting.get(key) ?? [];
      waiting.delete(key);
      void send(members);
    });
  });
}

async function send(members: readonly Waiting[]): Promise<void> {
  const wanted = members.filter(({ signal }) => !signal.aborted);
  const [first] = wanted;
  if (first === undefined) return;
  if (wanted.length === 1) return sendAlone(first);
  const segments = wanted.map(({ params }) => params.segment_by ?? 'none');
  try {
    const { reports, warnings = [] } = await call(
      'GET /reports/batch',
      { ...first.params, segment_by: segments } as Params<'GET /reports/batch'>,
      whenAllAbort(wanted.map(({ signal }) => signal)),
    );
    wanted.forEach(({ resolve }, index) => {
      resolve({ ...(reports[index] as Report), warnings: warningsOf(warnings, segments[index]!) });
    });
  } catch (error) {
    // One that is refused must not take the others with it.
    if (mayBeOfOne(error)) await Promise.all(wanted.map(sendAlone));
    else for (const { reject } of wanted) reject(error);
  }
}

/** Somebody whom nobody knows is asked for by all of them alike. */
const mayBeOfOne = (error: unknown): boolean =>
  error instanceof CallError && error.status === 422 && error.answer?.errors?.committer_user_name === undefined;

/** Each report has its own when it is asked for alone; together they stand in one list, by statistic. */
export const warningsOf = (warnings: readonly string[], segment: string): string[] =>
  warnings.flatMap((warning) => (warning.startsWith(`${segment}: `) ? [warning.slice(segment.length + 2)] : []));

async function sendAlone({ params, signal, resolve, reject }: Waiting): Promise<void> {
  try {
    resolve(await call('GET /reports', params, signal));
  } catch (error) {
    reject(error);
  }
}

function whenAllAbort(signals: readonly AbortSignal[]): AbortSignal {
  const all = new AbortController();
  let left = signals.length;
  for (const signal of signals) {
    signal.addEventListener('abort', () => {
      left -= 1;
      if (left === 0) all.abort();
    });
  }
  return all.signal;
}
