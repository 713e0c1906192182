// The budgets of one token while a job works with it: a copy of what the database holds, kept by the hosts' last word.
// One job per token runs at a time, so the copy is the truth until the job stores it.
import type { BudgetReading } from '../domain/collect/stream.ts';
import { HostError } from '../domain/repos/code-host.ts';
import type { TokenBudget } from '../storage/collect/budgets.ts';

/** Left to the token's owner, whose own tools draw on the same budget. */
const RESERVE_SHARE = 0.1;
const FIRST_WAIT_SECONDS = 60;
const LONGEST_WAIT_SECONDS = 3_600;

export class Budgets {
  readonly #byResource: Map<string, TokenBudget>;
  readonly #changed = new Set<string>();

  constructor(stored: readonly TokenBudget[]) {
    this.#byResource = new Map(stored.map((budget) => [budget.resource, budget]));
  }

  /** Until when nothing more is to be requested of it; null while it may. */
  blockedUntil(resource: string, now: Date): Date | null {
    const budget = this.#byResource.get(resource);
    if (budget === undefined) return null;
    const wait = later(budget.wait_until, now);
    if (wait !== null) return wait;
    const { quota, remaining } = budget;
    const isSpent = quota !== null && remaining !== null && remaining <= Math.ceil(quota * RESERVE_SHARE);
    return isSpent ? later(budget.reset_at, now) : null;
  }

  /** Before each call. The reserve is kept between pages, not within one: half a page would be requested twice. */
  check(resource: string, now: Date): void {
    const wait = later(this.#byResource.get(resource)?.wait_until ?? null, now);
    if (wait === null) return;
    throw new HostError('rate_limited', `nothing is requested before ${wait.toISOString()}`, { retryAt: wait });
  }

  read(reading: BudgetReading): void {
    const known = this.#byResource.get(reading.resource);
    this.#set({
      resource: reading.resource,
      quota: reading.quota,
      remaining: reading.remaining,
      reset_at: reading.reset_at?.toISOString() ?? null,
      wait_until: reading.wait_until?.toISOString() ?? known?.wait_until ?? null,
      wait_reason: reading.wait_until === null ? (known?.wait_reason ?? null) : 'the host asks for a pause',
      waits: known?.waits ?? 0,
    });
  }

  /** A limit was met. Where the host does not say how long to wait, each time in a row doubles it. */
  wait(resource: string, error: HostError, now: Date): Date {
    const known = this.#byResource.get(resource);
    const waits = error.isWaitGuessed ? (known?.waits ?? 0) + 1 : (known?.waits ?? 0);
    const guessed = Math.min(FIRST_WAIT_SECONDS * 2 ** Math.max(0, waits - 1), LONGEST_WAIT_SECONDS);
    const until =
      error.isWaitGuessed || error.retryAt === null ? new Date(now.getTime() + guessed * 1000) : error.retryAt;
    this.#set({
      resource,
      quota: known?.quota ?? null,
      remaining: known?.remaining ?? null,
      reset_at: known?.reset_at ?? null,
      wait_until: until.toISOString(),
      wait_reason: error.message,
      waits,
    });
    return until;
  }

  /** A page came: the next wait without a time begins small again. */
  succeed(resource: string): void {
    const known = this.#byResource.get(resource);
    if (known !== undefined && known.waits > 0) this.#set({ ...known, waits: 0, wait_reason: null });
  }

  /** What has changed since it was last taken. */
  takeChanges(): TokenBudget[] {
    const changes = [...this.#changed].map((resource) => this.#byResource.get(resource)!);
    this.#changed.clear();
    return changes;
  }

  #set(budget: TokenBudget): void {
    this.#byResource.set(budget.resource, budget);
    this.#changed.add(budget.resource);
  }
}

const later = (time: string | null, now: Date): Date | null => {
  const at = time === null ? null : new Date(time);
  return at !== null && at.getTime() > now.getTime() ? at : null;
};
