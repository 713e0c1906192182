// Takes the engine's events and stores them in batches while the walk goes on: one batch is being
// written, the next is being filled, and the walk waits only when both are full. Files and flows become rows
// at once, so that hardly any of the engine's objects outlive the event that brought them.

import { FILE_MEASURES } from '../../domain/commits/file-measures.ts';
import { minHashToBytes } from '../../engine/copies/min-hash.ts';
import type { AnalysisEvent } from '../../engine/model/events.ts';
import type { CommitFact, FileFact, LineFlow } from '../../engine/model/facts.ts';
import { isSkipReason } from '../../engine/model/skip-reason.ts';
import {
  beginCommit,
  FileTotals,
  readMeasures,
  writeCompletion,
  writeCredit,
  writeFile,
  writeFlow,
  writeGivenTotals,
  writeTotals,
} from '../../storage/commits/fact-rows.ts';
import { FactBatch, type FactTarget, storeBatch } from '../../storage/commits/load-batch.ts';
import { findStoredCommits, reserveCommitIds } from '../../storage/commits/stored-commits.ts';
import type { Session } from '../../storage/database/session.ts';
import type { ImportProgress } from '../../storage/repos/imports.ts';
import type { ImportPeople } from './people.ts';

type CommitEvent = Extract<AnalysisEvent, { kind: 'commit' }>;
type FinalEvent = Extract<AnalysisEvent, { kind: 'final' }>;

interface Reached {
  readonly id: number;
  readonly fact: CommitFact;
  readonly minHash: CommitEvent['minHash'];
  readonly totals: NonNullable<CommitEvent['totals']> | null;
  /** Of its files, once it is complete. */
  finalTotals: FileTotals | null;
  isFinal: boolean;
  /** When it is left open by its batch. */
  open: OpenCommit | null;
}

interface Facts {
  readonly id: number;
  readonly files: readonly FileFact[];
  readonly flows: readonly LineFlow[];
}

interface Evidence {
  readonly kind: CommitFact['contributor_kind'];
  readonly ai: CommitFact['ai'];
}
const evidenceOf = ({ contributor_kind, ai }: CommitFact): Evidence => ({ kind: contributor_kind, ai });

/** Of a commit that is not complete: what is needed when it is. */
interface OpenCommit extends Evidence {
  /** Known from the moment at which its batch is stored. */
  authorId: number | null;
  agentId: number | null;
}

/** A commit of an earlier batch that is complete now. */
interface Completed {
  readonly id: number;
  readonly open: OpenCommit;
  readonly totals: FileTotals;
}

interface Batch {
  readonly rows: FactBatch;
  readonly reached: Map<string, Reached>;
  readonly completed: Completed[];
  /** Facts with an origin of which it is not known yet whether an earlier import has stored it. */
  readonly unsure: Facts[];
  bytes: number;
  startedAt: number;
}

export interface LoaderOptions {
  readonly session: Session;
  readonly target: FactTarget;
  readonly people: ImportPeople;
  /** Ids of the walk's commits that are stored already; null when the repo has no commit yet. */
  readonly stored: ReadonlyMap<string, number> | null;
  /** Complete commits that are emitted again for the sake of their flows alone. */
  readonly reopened: ReadonlySet<string>;
  /** Stored commits may have facts of another derivation, which are replaced. */
  readonly isDerivedAnew: boolean;
  /** How many commits are to come that are not stored yet, as far as known. */
  readonly expected: number;
  /** Children by parent where some commits of the walk are complete and not emitted; else null. */
  readonly children: ReadonlyMap<string, string[]> | null;
  /** Throws when what the facts of a batch were read from is not whole any more: then they are not to be stored. */
  checkSource(): Promise<void>;
  /** What the import record is to say after a batch. */
  progress(change: { readonly reached: readonly CommitFact[]; readonly completed: number }): ImportProgress;
  readonly batchBytes: number;
  readonly batchMilliseconds?: number;
}

const BATCH_MILLISECONDS = 4000;

/** Ids are taken from the sequence so many at a time. */
const IDS_AT_ONCE = { least: 100, most: 8000 } as const;

export class ImportLoader {
  readonly #options: LoaderOptions;
  readonly #ids: Map<string, number>;
  /** Origins that are known not to be stored. */
  readonly #absent = new Set<string>();
  #freeIds: number[] = [];
  #idsLeft: number;
  /** Parents not yet reached, with their children. */
  readonly #children: Map<string, string[]>;
  readonly #isChildrenGiven: boolean;
  readonly #open = new Map<string, OpenCommit>();
  readonly #measures = new Float64Array(FILE_MEASURES.length);
  #batch: Batch = emptyBatch(new FactBatch());
  /** The rows of the batch before, when they are stored. */
  #spareRows: FactBatch | null = new FactBatch();
  #writing: Promise<void> = Promise.resolve();
  #failure: unknown = null;

  constructor(options: LoaderOptions) {
    this.#options = options;
    this.#ids = new Map(options.stored ?? []);
    this.#idsLeft = options.expected;
    this.#isChildrenGiven = options.children !== null;
    this.#children = new Map(options.children ?? []);
  }

  /** Undefined unless two batches are full: then it is to be waited for. */
  add(event: AnalysisEvent): Promise<void> | undefined {
    if (event.kind !== 'commit' && event.kind !== 'final') return undefined;
    if (this.#options.reopened.has(event.kind === 'commit' ? event.fact.sha : event.sha)) this.#reopen(event);
    else if (event.kind === 'commit') {
      const id = this.#ids.get(event.fact.sha) ?? this.#freeIds.pop();
      if (id === undefined) return this.#reserveIds().then(() => this.add(event));
      this.#reach(event, id);
    } else this.#complete(event);
    const { batchBytes, batchMilliseconds = BATCH_MILLISECONDS } = this.#options;
    const batch = this.#batch;
    if (batch.bytes < batchBytes && Date.now() - batch.startedAt < batchMilliseconds) return undefined;
    return this.flush();
  }

  /** Hands the current batch over, after the one before it is stored. */
  async flush(): Promise<void> {
    await this.#writing;
    if (this.#failure !== null) throw this.#failure;
    const batch = this.#batch;
    if (batch.reached.size === 0 && batch.completed.length === 0 && batch.rows.reopened.length === 0) return;
    for (const [sha, reached] of batch.reached) {
      if (reached.isFinal) continue;
      reached.open = { authorId: null, agentId: null, ...evidenceOf(reached.fact) };
      this.#open.set(sha, reached.open);
    }
    this.#batch = emptyBatch(this.#spareRows ?? new FactBatch());
    this.#spareRows = null;
    this.#writing = this.#store(batch).then(
      () => {
        batch.rows.clear();
        this.#spareRows = batch.rows;
      },
      (error: unknown) => {
        this.#failure = error;
      },
    );
  }

  /** Resolves when everything is stored. */
  async finish(): Promise<void> {
    await this.flush();
    await this.#writing;
    if (this.#failure !== null) throw this.#failure;
  }

  /** Resolves when nothing is being written any more, well or not: the connection is free again. */
  async idle(): Promise<void> {
    await this.#writing;
  }

  /** Children of commits that this walk did not emit; an earlier one may have stored them. */
  get furtherChildren(): ReadonlyMap<string, readonly string[]> {
    return this.#children;
  }

  /** The connection is the one that batches are written over. */
  async #reserveIds(): Promise<void> {
    await this.#writing;
    if (this.#failure !== null) throw this.#failure;
    await this.#takeIds();
  }

  async #takeIds(): Promise<void> {
    const count = Math.min(IDS_AT_ONCE.most, Math.max(IDS_AT_ONCE.least, this.#idsLeft));
    const ids = await reserveCommitIds(this.#options.session.db, count);
    this.#idsLeft -= ids.length;
    // Given out from the end: the commits that are reached first have the lower ids.
    this.#freeIds = [...ids.reverse(), ...this.#freeIds];
  }

  #reach({ fact, minHash, totals }: CommitEvent, id: number): void {
    const { sha, files, flows, is_final } = fact;
    this.#ids.set(sha, id);
    const reached: Reached = {
      id,
      fact,
      minHash,
      totals: totals ?? null,
      finalTotals: null,
      isFinal: is_final,
      open: null,
    };
    this.#batch.reached.set(sha, reached);
    this.#batch.bytes += 500 + fact.message.length;
    if (is_final) reached.finalTotals = this.#addFacts({ id, files, flows }, fact.ai);
  }

  #complete({ sha, files, flows }: FinalEvent): void {
    const reached = this.#batch.reached.get(sha);
    if (reached !== undefined) {
      reached.isFinal = true;
      reached.finalTotals = this.#addFacts({ id: reached.id, files, flows }, reached.fact.ai);
      return;
    }
    const id = this.#ids.get(sha)!;
    const open = this.#open.get(sha)!;
    this.#open.delete(sha);
    this.#batch.completed.push({ id, open, totals: this.#addFacts({ id, files, flows }, open.ai) });
  }

  /** All of it but the flows is stored and stays as it is. */
  #reopen(event: CommitEvent | FinalEvent): void {
    if (event.kind === 'commit' && !event.fact.is_final) return;
    const { sha, flows } = event.kind === 'commit' ? event.fact : event;
    const facts = { id: this.#ids.get(sha)!, files: [], flows };
    this.#batch.rows.reopened.push(facts.id);
    this.#batch.bytes += flows.length * 80;
    this.#takeFlows(facts);
  }

  /** Of a commit that is complete. Returns what its own row has of them. */
  #addFacts(facts: Facts, ai: Evidence['ai']): FileTotals {
    const { id, files, flows } = facts;
    const { rows } = this.#batch;
    const { entityId } = this.#options.target;
    this.#batch.bytes += files.length * 200 + flows.length * 80;
    const totals = new FileTotals();
    for (let index = 0; index < files.length; index += 1) {
      const file = files[index]!;
      readMeasures(file, this.#measures);
      totals.add(this.#measures);
      writeFile(rows.files, { entityId, commitId: id, index }, file, this.#measures);
    }
    rows.completed.push(id);
    for (let index = 0; index < ai.length; index += 1) {
      writeCredit(rows.credits, { entityId, commitId: id, index }, ai[index]!);
    }
    this.#takeFlows(facts);
    return totals;
  }

  #takeFlows({ id, flows }: Facts): void {
    if (this.#areOriginsSure(flows)) this.#writeFlows(this.#batch.rows, { id, files: [], flows });
    else this.#batch.unsure.push({ id, files: [], flows });
  }

  /** In a repo without earlier commits an origin that was not reached is outside the window. */
  #areOriginsSure(flows: readonly LineFlow[]): boolean {
    if (this.#options.stored === null) return true;
    return flows.every(({ origin }) => origin === null || this.#ids.has(origin) || this.#absent.has(origin));
  }

  #writeFlows(rows: FactBatch, { id, flows }: Facts): void {
    const { entityId } = this.#options.target;
    for (let index = 0; index < flows.length; index += 1) {
      const flow = flows[index]!;
      const origin = flow.origin === null ? null : (this.#ids.get(flow.origin) ?? null);
      writeFlow(rows.flows, { entityId, commitId: id, index }, origin, flow);
    }
  }

  async #store(batch: Batch): Promise<void> {
    const { session, target, people } = this.#options;
    const facts: CommitFact[] = [];
    let completed = batch.completed.length;
    for (const { fact, isFinal } of batch.reached.values()) {
      facts.push(fact);
      if (isFinal) completed += 1;
    }
    await people.learn(facts);
    await this.#findOrigins(batch);
    this.#writeCommits(batch);
    for (const { id, open, totals } of batch.completed) {
      const authorId = open.authorId!;
      batch.rows.authorIds.add(authorId);
      writeCompletion(batch.rows.completions, id, { ...open, authorId }, totals);
    }
    await this.#options.checkSource();
    const progress = this.#options.progress({ reached: facts, completed });
    await storeBatch(session, target, batch.rows, { progress, isDerivedAnew: this.#options.isDerivedAnew });
    if (this.#freeIds.length < IDS_AT_ONCE.most / 2 && this.#idsLeft > 0) await this.#takeIds();
  }

  /** Looks up the origins that an earlier import may have stored, and writes the flows that waited for them. */
  async #findOrigins({ unsure, rows }: Batch): Promise<void> {
    const wanted = new Set<string>();
    for (const { flows } of unsure) {
      for (const { origin } of flows) if (origin !== null && !this.#ids.has(origin)) wanted.add(origin);
    }
    if (wanted.size === 0) return;
    const { session, target } = this.#options;
    const stored = await findStoredCommits(session.db, target, [...wanted]);
    for (const sha of wanted) {
      const id = stored.get(sha)?.id;
      if (id === undefined) this.#absent.add(sha);
      else this.#ids.set(sha, id);
    }
    for (const facts of unsure) this.#writeFlows(rows, facts);
  }

  #writeCommits({ rows, reached: commits }: Batch): void {
    for (const [sha, { id, fact, minHash, totals, finalTotals, isFinal, open }] of commits) {
      const children = (this.#children.get(sha) ?? []).sort();
      this.#children.delete(sha);
      if (!this.#isChildrenGiven) this.#noteParents(fact);
      const people = this.#options.people.of(fact);
      rows.authorIds.add(people.author_id);
      beginCommit(rows.commits, fact, people, {
        id,
        children,
        state: isFinal ? 'analysis_complete' : 'analysis_in_progress',
        minHash: minHash === null ? null : minHashToBytes(minHash),
      });
      if (finalTotals !== null) writeTotals(rows.commits, finalTotals);
      else writeGivenTotals(rows.commits, totals ?? NO_TOTALS);
      for (const { reason, path } of fact.limits) if (isSkipReason(reason)) rows.skipped.push({ sha, reason, path });
      if (open !== null) {
        open.authorId = people.author_id;
        open.agentId = people.agent_id;
      }
    }
  }

  #noteParents({ sha, parents }: CommitFact): void {
    for (const parent of parents) {
      const known = this.#children.get(parent);
      if (known === undefined) this.#children.set(parent, [sha]);
      else if (!known.includes(sha)) known.push(sha);
    }
  }
}

const NO_TOTALS = { file_count: 0 };

const emptyBatch = (rows: FactBatch): Batch => ({
  rows,
  reached: new Map(),
  completed: [],
  unsure: [],
  bytes: 0,
  startedAt: Date.now(),
});
