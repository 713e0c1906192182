// The main thread's end of the thread that looks for duplicates: judgements in the walk's order.
import type { Worker } from 'node:worker_threads';
import { addEffort, effort } from '../../model/effort.ts';
import { decodeJudgements, type TreeJudge, type TreeJudgement } from '../../model/tree-commit.ts';
import { closeThread, takeThread } from '../threads.ts';
import type { FromTree, ToTree, TreeSetup } from './tree-worker.ts';

/** Of a commit that waits little is kept. The thread may take as long to read the tree as others to read these commits. */
const LAG = 512;

export class TreeThread implements TreeJudge {
  readonly lag = LAG;
  readonly #worker = takeThread('tree');
  #hasEnded = false;
  #isClosed = false;
  #closing: Promise<void> | null = null;
  #failure: Error | null = null;
  #wake: (() => void) | null = null;
  /** In the order of the walk, from `#next` on. */
  #judgements: TreeJudgement[] = [];
  #next = 0;

  constructor() {
    this.#worker.on('message', (message: FromTree) => this.#receive(message));
    this.#worker.on('error', (error) => this.fail(error));
    this.#worker.on('exit', (code) => {
      this.#hasEnded = true;
      if (!this.#isClosed) this.fail(new Error(`the thread that looks for duplicates ended with code ${code}`));
    });
  }

  begin(setup: TreeSetup): void {
    this.#post({ kind: 'setup', setup }, [...setup.readers]);
  }

  /** It gets the commits from those that read them. */
  add(): void {}

  ready(): TreeJudgement | null {
    if (this.#next < this.#judgements.length) return this.#judgements[this.#next++]!;
    if (this.#failure !== null) throw this.#failure;
    return null;
  }

  async next(): Promise<TreeJudgement> {
    for (;;) {
      const judgement = this.ready();
      if (judgement !== null) return judgement;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** May be called again to wait for it. */
  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#hasEnded) return;
    this.#closing ??= closeThread(this.#worker, () => this.#post({ kind: 'close' }));
    await this.#closing;
  }

  #post(message: ToTree, transfer: Parameters<Worker['postMessage']>[1] = []): void {
    this.#worker.postMessage(message, transfer);
  }

  #receive(message: FromTree): void {
    if (message.kind === 'failed') {
      this.fail(message.error);
      return;
    }
    addEffort(effort, message.effort);
    if (this.#next === this.#judgements.length) {
      this.#judgements = [];
      this.#next = 0;
    }
    decodeJudgements(message.numbers, this.#judgements);
    this.#signal();
  }

  /** Ends the waiting with this error. */
  fail(error: Error): void {
    this.#failure ??= error;
    this.#signal();
  }

  #signal(): void {
    this.#wake?.();
    this.#wake = null;
  }
}
