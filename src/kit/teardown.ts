// What was opened is closed in the opposite order, all of it, even when one closing fails.

export class Teardown {
  readonly #steps: (() => Promise<void> | void)[] = [];
  #running: Promise<void> | undefined;

  add(step: () => Promise<void> | void): void {
    this.#steps.push(step);
  }

  /** Runs every step once, newest first; a second call waits for the first. Throws the first failure. */
  run(): Promise<void> {
    this.#running ??= this.#runAll();
    return this.#running;
  }

  /** Runs `open`; when it fails, undoes what it had added so far and throws its error. */
  async guard<T>(open: () => Promise<T>): Promise<T> {
    try {
      return await open();
    } catch (error) {
      // The reason why it failed matters more than what the undoing met.
      await this.run().catch(() => undefined);
      throw error;
    }
  }

  async #runAll(): Promise<void> {
    const failures: unknown[] = [];
    for (const step of this.#steps.reverse()) {
      try {
        await step();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }
}
