// Lets so much work run at a time, and shares it out among keys: no key may take all places, and of those that wait each
// gets its turn, however much one of them has queued.

export interface FairQueueLimits {
  readonly total: number;
  /** Of one key. */
  readonly perKey: number;
}

interface Waiting {
  start(): void;
}

export class FairQueue {
  readonly #limits: FairQueueLimits;
  readonly #running = new Map<string, number>();
  /** In the order of their turns. */
  readonly #waiting = new Map<string, Waiting[]>();
  #total = 0;

  constructor(limits: FairQueueLimits) {
    this.#limits = limits;
  }

  /** Waits for its turn, then works. Work whose signal is aborted while it waits is not begun. */
  async run<T>(key: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    // Counted at once, before anybody else looks for a place.
    if (this.#hasPlace(key)) this.#count(key, 1);
    else await this.#wait(key, signal);
    try {
      return await work();
    } finally {
      this.#count(key, -1);
      this.#startNext();
    }
  }

  #hasPlace(key: string): boolean {
    return this.#total < this.#limits.total && (this.#running.get(key) ?? 0) < this.#limits.perKey;
  }

  #wait(key: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const queue = this.#waiting.get(key) ?? [];
      this.#waiting.set(key, queue);
      const leave = (): void => {
        queue.splice(queue.indexOf(waiting), 1);
        if (queue.length === 0) this.#waiting.delete(key);
        reject(signal.reason);
      };
      const waiting: Waiting = {
        start: () => {
          signal.removeEventListener('abort', leave);
          this.#count(key, 1);
          resolve();
        },
      };
      signal.addEventListener('abort', leave, { once: true });
      queue.push(waiting);
    });
  }

  #startNext(): void {
    for (const [key, queue] of this.#waiting) {
      if (!this.#hasPlace(key)) continue;
      // To the back of the line, if it waits for more.
      this.#waiting.delete(key);
      const next = queue.shift();
      if (queue.length > 0) this.#waiting.set(key, queue);
      next?.start();
      return;
    }
  }

  #count(key: string, change: 1 | -1): void {
    this.#total += change;
    const count = (this.#running.get(key) ?? 0) + change;
    if (count === 0) this.#running.delete(key);
    else this.#running.set(key, count);
  }
}
