// The answers of the page under way: kept as they came, counted, and read for the host's clock.
import type { MeteredAnswer } from '../domain/collect/stream.ts';
import type { RawAnswer } from '../storage/collect/raw-answers.ts';

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

  add({ method, address, requestBody, status, body, hostTime }: MeteredAnswer, receivedAt: Date): void {
    this.#count += 1;
    this.#total += 1;
    this.#hostTime ??= hostTime;
    if (status === 200) this.#answers.push({ method, address, requestBody, status, body, receivedAt });
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

  /** The host's clock at the first answer of the page. */
  hostTime(): Date | null {
    return this.#hostTime;
  }
}
