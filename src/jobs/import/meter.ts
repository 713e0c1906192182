// Keeps the figures of the import record true while the walk runs. They are written with each batch, in
// its transaction.

import { dateIn } from '../../domain/calendar/calendar-date.ts';
import { isoTime } from '../../domain/calendar/iso-time.ts';
import { statusOfShare } from '../../domain/repos/import-status.ts';
import type { CommitFact } from '../../engine/model/facts.ts';
import { isSkipReason } from '../../engine/model/skip-reason.ts';
import type { FactTarget } from '../../storage/commits/load-batch.ts';
import { listCommitDays, type StoredCounts } from '../../storage/commits/stored-commits.ts';
import type { Session } from '../../storage/database/session.ts';
import { type ImportProgress, writeProgress } from '../../storage/repos/imports.ts';

const YEAR_SECONDS = 365 * 86_400;
/** How often an operator who does not debug reads how far a long import is. */
const INFO_EVERY_MS = 15_000;
/** The last share is for a walk that is done. */
const MOST_WHILE_RUNNING = 95;

export interface MeterOptions {
  readonly session: Session;
  readonly target: FactTarget;
  /** A refresh of a complete import keeps its status. */
  readonly isRefresh: boolean;
  readonly backThrough: string | null;
  now(): Date;
  /** For the log, with each batch: commits stored, of how many. */
  report(level: 'debug' | 'info', done: number, total: number): void;
}

/** What a walk begins with. */
export interface WalkStart {
  readonly before: StoredCounts;
  /** Commits of the walk that a walk before it has stored, and may not have completed. */
  readonly stored: ReadonlyMap<string, number> | null;
  /** How many commits are to come that are not stored yet. */
  readonly expected: number;
  /** Stored commits are walked again: what counts is how many are complete. */
  readonly isDerivedAnew: boolean;
}

export class ImportMeter {
  readonly #options: MeterOptions;
  readonly #startedAt: number;
  readonly #yearAgo: number;
  readonly #days = new Set<string>();
  #before = 0;
  #complete = 0;
  #skipped = 0;
  /** See WalkStart; added are those that this walk has stored anew. */
  #stored: ReadonlyMap<string, number> = new Map();
  #added = 0;
  #expected = 0;
  #isDerivedAnew = false;
  #backThrough: string | null;
  #infoAt: number;

  constructor(options: MeterOptions) {
    this.#options = options;
    this.#startedAt = Math.floor(options.now().getTime() / 1000);
    this.#yearAgo = this.#startedAt - YEAR_SECONDS;
    this.#backThrough = options.backThrough;
    this.#infoAt = options.now().getTime();
  }

  async start({ before, stored, expected, isDerivedAnew }: WalkStart): Promise<void> {
    const { session, target } = this.#options;
    this.#before = before.processed;
    this.#complete = before.complete;
    this.#skipped = before.skipped;
    this.#stored = stored ?? this.#stored;
    this.#expected = expected;
    this.#isDerivedAnew = isDerivedAnew;
    const year = { from: isoTime(this.#yearAgo), to: isoTime(this.#startedAt) };
    if (before.processed > 0) for (const day of await listCommitDays(session.db, target, year)) this.#days.add(day);
    await writeProgress(session.db, target, { ...this.#status('repo_processing_underway'), ...this.#figures() });
  }

  /** Commits reached and completed since the last call. */
  note(change: { readonly reached: readonly CommitFact[]; readonly completed: number }): ImportProgress {
    const { timeZone } = this.#options.target;
    for (const fact of change.reached) {
      // Clocks of authors go wrong: some commits are of days that are still to come.
      if (fact.authored.at >= this.#yearAgo && fact.authored.at <= this.#startedAt)
        this.#days.add(dateIn(fact.authored.at, timeZone));
      // One that is completed only now was counted by the walk that stored it.
      if (!this.#stored.has(fact.sha)) {
        this.#added += 1;
        if (fact.limits.some(({ reason }) => isSkipReason(reason))) this.#skipped += 1;
      }
      if (!fact.on_default_branch) continue;
      const day = dateIn(fact.committed.at, timeZone);
      if (this.#backThrough === null || day < this.#backThrough) this.#backThrough = day;
    }
    this.#complete += change.completed;
    const now = this.#options.now();
    const isInfoDue = now.getTime() - this.#infoAt >= INFO_EVERY_MS;
    if (isInfoDue) this.#infoAt = now.getTime();
    this.#options.report(
      isInfoDue ? 'info' : 'debug',
      this.#isDerivedAnew ? this.#complete : this.#processed,
      this.#wanted,
    );
    return { ...this.#status(statusOfShare(this.percent)), ...this.#figures(), last_processed_at: now };
  }

  get #processed(): number {
    return this.#before + this.#added;
  }

  get #wanted(): number {
    return this.#before + Math.max(this.#expected, this.#added);
  }

  get percent(): number {
    const total = this.#stored.size + this.#expected;
    if (total === 0) return 0;
    const done = this.#isDerivedAnew ? this.#complete : this.#stored.size + this.#added;
    return Math.min(MOST_WHILE_RUNNING, Math.floor((100 * done) / total));
  }

  /** Throws when the run has been given to another worker. */
  async checkRight(): Promise<void> {
    const { session, target } = this.#options;
    await writeProgress(session.db, target, { ...this.#figures(), stats_calculated_at: this.#options.now() });
  }

  #status(status: NonNullable<ImportProgress['status']>): ImportProgress {
    return this.#options.isRefresh ? {} : { status };
  }

  #figures(): ImportProgress {
    return {
      ...(this.#options.isRefresh && !this.#isDerivedAnew ? {} : { percent_complete: this.percent }),
      commit_processed_count: this.#processed,
      commits_complete_count: this.#complete,
      skipped_commit_count: this.#skipped,
      expected_commit_count: this.#wanted,
      last_year_days_with_commit_processed_count: this.#days.size,
      default_branch_processed_back_through: this.#backThrough,
    };
  }
}
