// The names and payloads of background tasks. Operations enqueue them; jobs/ has one handler for each,
// proven complete at start.

export interface TaskPayloads {
  /** Removes expired progress rows and other leftovers; run by cron. */
  housekeeping: Record<string, never>;
}
export type TaskName = keyof TaskPayloads;
