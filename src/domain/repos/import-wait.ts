// Why an import does not run just now, and until when.

/**
 * `retry`: an attempt failed, the next one comes later; `quota`: the same, because the host allows no more requests;
 * `worker`: nobody is there who does the work; `turn`: others come first.
 */
export const IMPORT_WAITS = ['retry', 'quota', 'worker', 'turn'] as const;

export interface ImportWait {
  readonly waits_for_em: (typeof IMPORT_WAITS)[number] | null;
  /** Null where it depends on others. */
  readonly waits_until: string | null;
}

const NO_WAIT: ImportWait = { waits_for_em: null, waits_until: null };

export interface WaitingJob {
  readonly run_at: string;
  readonly is_running: boolean;
}

export function importWait(
  job: WaitingJob | undefined,
  lastQuotaAt: string | null,
  { startedAt, now, hasWorker }: { readonly startedAt: string | null; readonly now: Date; readonly hasWorker: boolean },
): ImportWait {
  // One that a worker took and left behind is taken up by the next.
  if (job?.is_running === true && !hasWorker) return { waits_for_em: 'worker', waits_until: null };
  if (job === undefined || job.is_running) return NO_WAIT;
  if (Date.parse(job.run_at) > now.getTime()) {
    // The attempt that began last is the one that failed.
    const isQuota = lastQuotaAt !== null && (startedAt === null || lastQuotaAt >= startedAt);
    return { waits_for_em: isQuota ? 'quota' : 'retry', waits_until: job.run_at };
  }
  return { waits_for_em: hasWorker ? 'turn' : 'worker', waits_until: null };
}
