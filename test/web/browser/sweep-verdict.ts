// What a sweep found so far, written out after every statistic: a run that is stopped has said all that it knows.
import { writeSync } from 'node:fs';

export interface Sweep {
  /** Pages that were opened. */
  pages: number;
  /** Points whose records were added up. */
  compared: number;
  readonly withoutPoints: string[];
  readonly uncomparable: string[];
}

const STANDARD_ERROR = 2;

export function createVerdict(total: number): {
  readonly sweep: Sweep;
  passed(segment: string): void;
  failed(segment: string, error: unknown): void;
} {
  const sweep: Sweep = { pages: 0, compared: 0, withoutPoints: [], uncomparable: [] };
  let done = 0;
  const failed = new Set<string>();
  const write = (): void => {
    const verdict = failed.size === 0 ? '0 failed' : `${failed.size} FAILED: ${[...failed].join(', ')}`;
    const checked = `${sweep.pages} pages, ${sweep.compared} points equal to their records`;
    const end =
      done === total
        ? `; without points: ${named(sweep.withoutPoints)}; not comparable: ${named(sweep.uncomparable)}`
        : '';
    // Not by way of the test runner, which holds back what is printed until a test ends.
    writeSync(STANDARD_ERROR, `sweep: ${done} of ${total} statistics, ${verdict} (${checked})${end}\n`);
  };
  return {
    sweep,
    passed: (segment) => {
      done += failed.delete(segment) ? 0 : 1;
      write();
    },
    failed: (segment, error) => {
      if (!failed.has(segment)) done += 1;
      failed.add(segment);
      writeSync(STANDARD_ERROR, `sweep: ${segment} failed: ${describe(error)}\n`);
      write();
    },
  };
}

/** With what was found: the message of an assertion only counts it. */
const describe = (error: unknown): string =>
  error instanceof Error
    ? `${error.message}${'actual' in error ? ` ${JSON.stringify(error.actual)}` : ''}`
    : String(error);

const named = (segments: readonly string[]): string =>
  segments.length === 0 ? 'none' : [...new Set(segments)].join(', ');
