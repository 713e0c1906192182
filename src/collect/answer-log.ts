// The answers of the page under way: kept as they came, counted, and read for the host's clock.
import type { MeteredAnswer } from '../domain/collect/stream.ts';
import type { RawAnswer } from '../storage/collect/raw-answers.ts';

/** They lead from one page to the next, or say when and in what form it was. */
const KEPT_HEADERS = ['link', 'x-next-page', 'x-next-cursor', 'x-ms-continuationtoken', 'date', 'content-type'];

export class AnswerLog {
  #answers: RawAnswer[] = [];
  #count = 0;
  #total = 0;
  #hostTime: Date | null = null;

  /** A new page. */
  begin(): void {
    this.#answers = [];
    this.#count = 0;
    this.#hostTime = null;
  }

  add({ method, address, requestBody, status, headers, body, hostTime }: MeteredAnswer, receivedAt: Date): void {
    this.#count += 1;
    this.#total += 1;
    // A gateway that fails in place of the host has a clock of its own, and a watermark by it would pass over changes.
    if (status < 400) this.#hostTime ??= hostTime;
    if (status !== 200) return;
    const kept = KEPT_HEADERS.flatMap((name) => {
      const value = headers.get(name);
      return value === null ? [] : [[name, value]];
    });
    this.#answers.push({
      method,
      address,
      requestBody,
      status,
      headers: Object.fromEntries(kept),
      body,
      receivedAt,
    });
  }

  list(): readonly RawAnswer[] {
    return this.#answers;
  }

  /** Calls of the page. */
  count(): number {
    return this.#count;
  }

  /** Calls since the log was made. */
  total(): number {
    return this.#total;
  }

  /** The host's clock at the first good answer of the page. */
  hostTime(): Date | null {
    return this.#hostTime;
  }
}
