// A commit whose facts are known but for its duplicates: those are looked for elsewhere, and the walk does not wait for them.
import type { CommitRecord } from '../../model/commit-record.ts';
import { type CommitTotals, sumCommit } from '../../model/commit-totals.ts';
import type { AnalysisEvent } from '../../model/events.ts';
import type { CommitFact } from '../../model/facts.ts';
import type { TreeJudgement } from '../../model/tree-commit.ts';
import type { OpenCommit, Origin } from './open-commit.ts';

/** What stands before and behind the limits of the tree. */
export interface KnownLimits {
  readonly ofCommit: CommitFact['limits'];
  readonly ofFiles: CommitFact['limits'];
}

export class UnjudgedCommit {
  readonly index: number;
  /** Without limits and files: those are put in when it is emitted. */
  readonly #fact: { -readonly [K in keyof CommitFact]: CommitFact[K] };
  readonly #limits: KnownLimits;
  readonly #open: OpenCommit;
  readonly #minHash: CommitRecord['minHash'];
  readonly #hasLines: boolean;
  /** Null for a commit without questions, which is emitted with its files. */
  readonly #totals: CommitTotals | null;
  #judgement: TreeJudgement | null = null;

  constructor(record: CommitRecord, open: OpenCommit, fact: CommitFact, limits: KnownLimits) {
    this.index = record.index;
    this.#fact = fact;
    this.#limits = limits;
    this.#open = open;
    this.#minHash = record.minHash;
    this.#hasLines = record.classified !== null;
    this.#totals = fact.is_final ? null : sumCommit(record);
  }

  get isJudged(): boolean {
    return this.#judgement !== null;
  }

  judge(judgement: TreeJudgement): void {
    this.#judgement = judgement;
    if (judgement.counts !== null) this.#open.setDuplicates(judgement.counts);
  }

  /** Once it is judged. */
  event(own: Origin, at: (index: number) => Origin): AnalysisEvent {
    const fact = this.#fact;
    const minHash = this.#minHash;
    const { ofCommit, ofFiles } = this.#limits;
    const isTreeFull = this.#hasLines && this.#judgement?.isFull === true;
    const ofTree: CommitFact['limits'] = isTreeFull ? [{ reason: 'duplicate_index_full', path: null }] : [];
    fact.limits = [...ofCommit, ...ofTree, ...ofFiles];
    if (this.#totals !== null) return { kind: 'commit', fact, minHash, totals: this.#totals };
    const { files, flows } = this.#open.facts(own, at);
    fact.files = files;
    fact.flows = flows;
    return { kind: 'commit', fact, minHash };
  }
}
