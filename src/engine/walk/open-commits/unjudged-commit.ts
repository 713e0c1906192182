// A commit whose facts are known but for its duplicates: those are looked for elsewhere, and the walk does not wait for them.
import type { CommitRecord } from '../../model/commit-record.ts';
import { type CommitTotals, sumCommit } from '../../model/commit-totals.ts';
import type { AnalysisEvent } from '../../model/events.ts';
import type { CommitFact } from '../../model/facts.ts';
import type { TreeJudgement } from '../../model/tree-commit.ts';
import type { OpenCommit } from './open-commit.ts';

/** What stands before and behind the limits of the tree. */
export interface KnownLimits {
  readonly ofCommit: CommitFact['limits'];
  readonly ofFiles: CommitFact['limits'];
}

export interface UnjudgedOptions {
  readonly limits: KnownLimits;
  /** Whether objects are made of its files. */
  readonly withFiles: boolean;
}

export class UnjudgedCommit {
  readonly index: number;
  /** Without limits and files: those are put in when it is emitted. */
  readonly #fact: { -readonly [K in keyof CommitFact]: CommitFact[K] };
  readonly #limits: KnownLimits;
  readonly #open: OpenCommit;
  readonly #minHash: CommitRecord['minHash'];
  readonly #hasLines: boolean;
  readonly #withFiles: boolean;
  /** Null for a commit without questions, which is emitted with its files. */
  readonly #totals: CommitTotals | null;
  #judgement: TreeJudgement | null = null;

  constructor(record: CommitRecord, open: OpenCommit, fact: CommitFact, { limits, withFiles }: UnjudgedOptions) {
    this.index = record.index;
    this.#fact = fact;
    this.#limits = limits;
    this.#open = open;
    this.#minHash = record.minHash;
    this.#hasLines = record.classified !== null;
    this.#withFiles = withFiles;
    this.#totals = fact.is_final || !withFiles ? null : sumCommit(record);
  }

  get isJudged(): boolean {
    return this.#judgement !== null;
  }

  judge(judgement: TreeJudgement): void {
    this.#judgement = judgement;
    if (judgement.counts !== null) this.#open.setDuplicates(judgement.counts);
  }

  /** Once it is judged. */
  event(): AnalysisEvent {
    const fact = this.#fact;
    const minHash = this.#minHash;
    const { ofCommit, ofFiles } = this.#limits;
    if (this.#hasLines && this.#judgement?.isFull === true)
      fact.limits = [...ofCommit, { reason: 'duplicate_index_full', path: null }, ...ofFiles];
    else if (ofCommit.length > 0 || ofFiles.length > 0) fact.limits = [...ofCommit, ...ofFiles];
    if (!fact.is_final) return { kind: 'commit', fact, minHash, rows: null, totals: this.#totals };
    if (this.#withFiles) {
      fact.files = this.#open.files;
      fact.flows = this.#open.flows;
    }
    return { kind: 'commit', fact, minHash, rows: this.#open, totals: null };
  }
}
