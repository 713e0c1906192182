// Counts calls per key in windows of a minute or longer. Per process: several processes behind one address each
// allow the limit.

export interface RateState {
  readonly limit: number;
  readonly remaining: number;
  /** Whole seconds until the window ends, at least 1. */
  readonly resetSeconds: number;
  readonly isExceeded: boolean;
}

interface Window {
  endsAt: number;
  count: number;
}

const MINUTE_MS = 60_000;
const MOST_KEYS = 100_000;

export class RateLimiter {
  readonly limit: number;
  readonly #windowMs: number;
  readonly #windows = new Map<string, Window>();
  #sweepAt = 0;

  constructor(limit: number, windowMs: number = MINUTE_MS) {
    this.limit = limit;
    this.#windowMs = windowMs;
  }

  /** Counts one call, or as many units as it has. */
  take(key: string, nowMs: number, amount = 1): RateState {
    const window = this.#window(key, nowMs);
    window.count += amount;
    return this.#state(window, nowMs);
  }

  /** A call that was counted at that time, and is not to count after all. */
  giveBack(key: string, takenMs: number): void {
    const window = this.#windows.get(key);
    if (window !== undefined && window.endsAt - this.#windowMs <= takenMs) window.count -= 1;
  }

  /** Where a key stands, without counting a call: exceeded once the whole limit is used. */
  peek(key: string, nowMs: number): RateState {
    const window = this.#windows.get(key);
    if (window === undefined || window.endsAt <= nowMs) {
      return { limit: this.limit, remaining: this.limit, resetSeconds: this.#windowMs / 1000, isExceeded: false };
    }
    return { ...this.#state(window, nowMs), isExceeded: window.count >= this.limit };
  }

  #window(key: string, nowMs: number): Window {
    const known = this.#windows.get(key);
    if (known !== undefined && known.endsAt > nowMs) return known;
    if (nowMs >= this.#sweepAt || this.#windows.size >= MOST_KEYS) this.#sweep(nowMs);
    const fresh = { endsAt: nowMs + this.#windowMs, count: 0 };
    this.#windows.set(key, fresh);
    return fresh;
  }

  /** Forgets ended windows; if all are running and too many, forgets all: a flood must not fill the memory. */
  #sweep(nowMs: number): void {
    for (const [key, window] of this.#windows) if (window.endsAt <= nowMs) this.#windows.delete(key);
    if (this.#windows.size >= MOST_KEYS) this.#windows.clear();
    this.#sweepAt = nowMs + this.#windowMs;
  }

  #state(window: Window, nowMs: number): RateState {
    return {
      limit: this.limit,
      remaining: Math.max(0, this.limit - window.count),
      resetSeconds: Math.max(1, Math.ceil((window.endsAt - nowMs) / 1000)),
      isExceeded: window.count > this.limit,
    };
  }
}
