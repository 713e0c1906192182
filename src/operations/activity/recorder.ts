// Writes activities together that come at the same time: whoever records one waits until it is stored, and shares the
// statement with the others. What cannot be stored is kept and tried again; a call never fails because of its trail.
import type { Activity } from '../../domain/activity/activity.ts';
import { outsideOfWork } from '../../kit/current-work.ts';
import { within } from '../../kit/remembered.ts';

const MOST_AT_ONCE = 500;
const MOST_KEPT = 10_000;
const LONGEST_WAIT_MILLISECONDS = 2_000;
const RETRY_MILLISECONDS = 1_000;

export interface ActivityRecorder {
  /** Resolves when it is stored, or after two seconds when it could not be yet. */
  record(activity: Activity): Promise<void>;
  /** Writes the rest. */
  close(): Promise<void>;
}

export interface RecorderOptions {
  write(activities: readonly Activity[]): Promise<void>;
  /** With those that are given up, which is none while there is room for them. */
  onError(error: unknown, lost: readonly Activity[]): void;
  readonly retryMilliseconds?: number;
  readonly mostKept?: number;
}

interface Waiting {
  readonly activity: Activity;
  stored(): void;
}

export function createActivityRecorder(options: RecorderOptions): ActivityRecorder {
  const { write, onError, retryMilliseconds = RETRY_MILLISECONDS, mostKept = MOST_KEPT } = options;
  const waiting: Waiting[] = [];
  let writing: Promise<void> | null = null;
  let retry: NodeJS.Timeout | undefined;

  const writeAll = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, MOST_AT_ONCE);
      try {
        await write(batch.map(({ activity }) => activity));
      } catch (error) {
        const lost = waiting.splice(0, Math.max(0, waiting.length - mostKept));
        onError(
          error,
          lost.map(({ activity }) => activity),
        );
        clearTimeout(retry);
        retry = setTimeout(start, retryMilliseconds);
        retry.unref();
        return;
      }
      waiting.splice(0, batch.length);
      for (const { stored } of batch) stored();
    }
  };
  /** The statement belongs to nobody's request: one that is cancelled must not take others' rows with it. */
  const start = (): void => {
    writing ??= outsideOfWork(writeAll).finally(() => {
      writing = null;
    });
  };

  return {
    record(activity) {
      const isStored = new Promise<void>((resolve) => waiting.push({ activity, stored: resolve }));
      start();
      return within(LONGEST_WAIT_MILLISECONDS, isStored, undefined);
    },
    async close() {
      await writing;
      clearTimeout(retry);
      await outsideOfWork(writeAll);
      clearTimeout(retry);
    },
  };
}
