// The names and payloads of background tasks. Operations enqueue them; jobs/ has one handler for each,
// proven complete at start.

export interface TaskPayloads {
  /** Removes expired progress rows and other leftovers; run by cron. */
  housekeeping: Record<string, never>;
}
export type TaskName = keyof TaskPayloads;

/** The same names as values; the compiler refuses one too many or too few. */
export const TASK_NAMES = Object.keys({
  housekeeping: true,
} satisfies Record<TaskName, true>) as readonly TaskName[];
