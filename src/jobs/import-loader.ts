// Takes the engine's events and stores them in batches while the walk goes on: one batch is being
// written, the next is being filled, and the walk waits only when both are full.

import { sketchToBytes } from '../engine/copies/line-sketch.ts';
import type { AnalysisEvent } from '../engine/events.ts';
import type { CommitFact, FileFact, LineFlow } from '../engine/facts.ts';
import { commitRow, completionRow, creditRow, fileRow, flowRow } from '../storage/facts/fact-rows.ts';
import { type FactTarget, storeBatch } from '../storage/facts/load-batch.ts';
import type { Session } from '../storage/facts/session.ts';
import { findStoredCommits, reserveCommitIds } from '../storage/facts/stored-commits.ts';
import type { ImportProgress } from '../storage/imports.ts';
import type { ImportPeople } from './import-people.ts';

type CommitEvent = Extract<AnalysisEvent, { kind: 'commit' }>;

interface Reached {
  readonly fact: CommitFact;
  readonly sketch: CommitEvent['sketch'];
  readonly totals: NonNullable<CommitEvent['totals']> | null;
  files: readonly FileFact[];
  flows: readonly LineFlow[];
  isFinal: boolean;
}

interface Facts {
  readonly files: readonly FileFact[];
  readonly flows: readonly LineFlow[];
}

interface Completed extends Facts {
  readonly sha: string;
}

interface Batch {
  readonly reached: Map<string, Reached>;
  readonly completed: Completed[];
  bytes: number;
  startedAt: number;
}

export interface LoaderOptions {
  readonly session: Session;
  readonly target: FactTarget;
  readonly people: ImportPeople;
  /** True when the repo has no commit yet: nothing needs to be looked up. */
  readonly isEmpty: boolean;
  /** Children by parent where some commits of the walk are complete and not told; else null. */
  readonly children: ReadonlyMap<string, string[]> | null;
  /** What the import record is to say after a batch. */
  progress(change: { readonly reached: readonly CommitFact[]; readonly completed: number }): ImportProgress;
  readonly batchBytes: number;
  readonly batchMilliseconds?: number;
}

const BATCH_MILLISECONDS = 2000;
/** Reasons for which a commit belongs to the list of what was not wholly looked at. */
const SKIPPING = new Set(['object_missing', 'unreadable', 'patch_too_large', 'too_many_files', 'line_too_long']);

export class ImportLoader {
  readonly #options: LoaderOptions;
  readonly #ids = new Map<string, number>();
  /** Parents not yet reached, with their children. */
  readonly #children: Map<string, string[]>;
  readonly #isChildrenGiven: boolean;
  /** Of commits that are not complete: their author, and the AI evidence, which is stored with the files. */
  readonly #open = new Map<string, { readonly authorId: number; readonly ai: CommitFact['ai'] }>();
  #batch: Batch = emptyBatch();
  #writing: Promise<void> = Promise.resolve();
  #failure: unknown = null;

  constructor(options: LoaderOptions) {
    this.#options = options;
    this.#isChildrenGiven = options.children !== null;
    this.#children = new Map(options.children ?? []);
  }

  /** Resolves at once unless two batches are full. */
  async add(event: AnalysisEvent): Promise<void> {
    if (event.kind === 'commit') this.#reach(event);
    else if (event.kind === 'final') this.#complete(event);
    else return;
    const { batchBytes, batchMilliseconds = BATCH_MILLISECONDS } = this.#options;
    const batch = this.#batch;
    if (batch.bytes >= batchBytes || Date.now() - batch.startedAt >= batchMilliseconds) await this.flush();
  }

  /** Hands the current batch over, after the one before it is stored. */
  async flush(): Promise<void> {
    await this.#writing;
    if (this.#failure !== null) throw this.#failure;
    const batch = this.#batch;
    if (batch.reached.size === 0 && batch.completed.length === 0) return;
    this.#batch = emptyBatch();
    this.#writing = this.#store(batch).catch((error: unknown) => {
      this.#failure = error;
    });
  }

  /** Resolves when everything is stored. */
  async finish(): Promise<void> {
    await this.flush();
    await this.#writing;
    if (this.#failure !== null) throw this.#failure;
  }

  /** Resolves when nothing is being written any more, well or not: the connection is free again. */
  async settle(): Promise<void> {
    await this.#writing;
  }

  /** Children of commits that this walk did not tell of; an earlier one may have stored them. */
  get furtherChildren(): ReadonlyMap<string, readonly string[]> {
    return this.#children;
  }

  #reach({ fact, sketch, totals }: CommitEvent): void {
    const { files, flows, is_final } = fact;
    this.#batch.reached.set(fact.sha, { fact, sketch, totals: totals ?? null, files, flows, isFinal: is_final });
    this.#batch.bytes += 500 + fact.message.length + files.length * 200 + flows.length * 80;
  }

  #complete({ sha, files, flows }: Extract<AnalysisEvent, { kind: 'final' }>): void {
    const reached = this.#batch.reached.get(sha);
    this.#batch.bytes += files.length * 200 + flows.length * 80;
    if (reached === undefined) this.#batch.completed.push({ sha, files, flows });
    else Object.assign(reached, { files, flows, isFinal: true });
  }

  async #store(batch: Batch): Promise<void> {
    const { session, target, people } = this.#options;
    const facts = [...batch.reached.values()].map(({ fact }) => fact);
    await people.learn(facts);
    await this.#learnIds(batch);
    const rows = this.#rows(batch);
    const completed = batch.completed.length + facts.length - [...batch.reached.values()].filter(isOpen).length;
    await storeBatch(session, target, rows, this.#options.progress({ reached: facts, completed }));
  }

  /** Ids of the commits reached, and of origins that an earlier import has stored. */
  async #learnIds(batch: Batch): Promise<void> {
    const { session, target, isEmpty } = this.#options;
    if (!isEmpty) {
      const wanted = new Set(batch.reached.keys());
      for (const { flows } of [...batch.reached.values(), ...batch.completed]) {
        for (const { origin } of flows) if (origin !== null && !this.#ids.has(origin)) wanted.add(origin);
      }
      for (const { sha } of batch.completed) if (!this.#ids.has(sha)) wanted.add(sha);
      const stored = await findStoredCommits(session.db, target, [...wanted]);
      for (const [sha, { id }] of stored) this.#ids.set(sha, id);
    }
    const fresh = [...batch.reached.keys()].filter((sha) => !this.#ids.has(sha));
    const ids = await reserveCommitIds(session.db, fresh.length);
    for (const [index, sha] of fresh.entries()) this.#ids.set(sha, ids[index]!);
  }

  #rows(batch: Batch): Parameters<typeof storeBatch>[2] {
    const { entityId } = this.#options.target;
    const authorIds = new Set<number>();
    const rows = {
      commits: [] as string[],
      completions: [] as string[],
      files: [] as string[],
      flows: [] as string[],
      credits: [] as string[],
      skipped: [] as { sha: string; reason: string; path: string | null }[],
    };
    const addFacts = (id: number, { files, flows }: Facts, ai: CommitFact['ai']) => {
      for (let index = 0; index < files.length; index += 1) {
        rows.files.push(fileRow(entityId, id, index, files[index]!));
      }
      for (let index = 0; index < flows.length; index += 1) {
        const flow = flows[index]!;
        const origin = flow.origin === null ? null : (this.#ids.get(flow.origin) ?? null);
        rows.flows.push(flowRow(entityId, id, index, origin, flow));
      }
      ai.forEach((credit, position) => {
        rows.credits.push(creditRow(entityId, id, position, credit));
      });
    };
    for (const [sha, reached] of batch.reached) {
      const { fact } = reached;
      const id = this.#ids.get(sha)!;
      const children = (this.#children.get(sha) ?? []).sort();
      this.#children.delete(sha);
      if (!this.#isChildrenGiven) this.#noteParents(fact);
      const people = this.#options.people.of(fact);
      authorIds.add(people.author_id);
      rows.commits.push(
        commitRow({
          ...fact,
          ...people,
          id,
          children,
          files: reached.files,
          totals: reached.isFinal ? null : reached.totals,
          sketch: reached.sketch === null ? null : Buffer.from(sketchToBytes(reached.sketch)).toString('hex'),
          state: reached.isFinal ? 'analysis_complete' : 'analysis_in_progress',
        }),
      );
      for (const { reason, path } of fact.limits) if (SKIPPING.has(reason)) rows.skipped.push({ sha, reason, path });
      if (reached.isFinal) addFacts(id, reached, fact.ai);
      else this.#open.set(sha, { authorId: people.author_id, ai: fact.ai });
    }
    for (const completed of batch.completed) {
      const id = this.#ids.get(completed.sha)!;
      rows.completions.push(completionRow(id, completed.files));
      const open = this.#open.get(completed.sha)!;
      this.#open.delete(completed.sha);
      authorIds.add(open.authorId);
      addFacts(id, completed, open.ai);
    }
    return { ...rows, authorIds: [...authorIds] };
  }

  #noteParents({ sha, parents }: CommitFact): void {
    for (const parent of parents) {
      const known = this.#children.get(parent);
      if (known === undefined) this.#children.set(parent, [sha]);
      else if (!known.includes(sha)) known.push(sha);
    }
  }
}

const isOpen = ({ isFinal }: Reached): boolean => !isFinal;

const emptyBatch = (): Batch => ({ reached: new Map(), completed: [], bytes: 0, startedAt: Date.now() });
