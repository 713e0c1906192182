// The ordered stages: records come in the order of the walk; each commit's facts are begun, its removed
// lines in question, the questions it answers closed, and facts emitted as they become final. The only file
// that knows the order.

import { exactRecords, type LineEvidence, lineShare } from '../evidence/line-evidence.ts';
import type { CommitRecords, LineRecords } from '../evidence/line-records.ts';
import { evidenceShare } from '../evidence/read-commit-evidence.ts';
import type { ListedCommit } from '../git/list-commits.ts';
import type { Batch, CommitRecord, FileRecord } from '../model/commit-record.ts';
import type { AnalysisEvent, OriginRun } from '../model/events.ts';
import type { WalkPlan } from '../model/plan.ts';
import { type TreeJudge, type TreeJudgement, treeCommit } from '../model/tree-commit.ts';
import { LineSources, type Sources } from '../trace/line-sources.ts';
import type { FollowedPath } from '../trace/path-follower.ts';
import { ProvenanceWalk } from '../trace/provenance.ts';
import { beginFact, knownLimits, NO_FILES, NO_FLOWS } from './begin-fact.ts';
import { HOPELESS_SECONDS, NO_ORIGIN, OpenCommit, type OpenOptions } from './open-commits/open-commit.ts';
import { UnjudgedCommit } from './open-commits/unjudged-commit.ts';
import { lookupFor, type PathLookup } from './path-lookup.ts';

export interface PipelineOptions {
  /** Of the commits that the plan does not name as others. */
  readonly onDefaultBranch: boolean;
  /** Full shas of `.git-blame-ignore-revs`. */
  readonly ignoredRevisions: ReadonlySet<string>;
  readonly withOrigins: boolean;
  /** Whether events have objects of files and flows. */
  readonly withFiles: boolean;
  /** The churn window. */
  readonly churnDays: number;
  /** Exact records of who wrote which line. */
  readonly records: LineRecords;
  /** Null when duplicates are not looked for. */
  readonly tree: TreeJudge | null;
}

type FollowedPaths = ReadonlyMap<string, FollowedPath>;
export type FollowPaths = (commit: ListedCommit, lookup: PathLookup) => Promise<FollowedPaths>;

const NOT_FOLLOWED: FollowedPaths = new Map();
const NOT_JUDGED: TreeJudgement = { counts: null, isFull: false };
const MOST_HELD_BACK = { bytes: 8 << 20, events: 4096 } as const;
const SWEEP_EVERY = 256;
/** Files whose facts are taken at a time: some hundred bytes each. */
const FILES_AT_ONCE = 1024;

export class Pipeline {
  readonly #plan: WalkPlan;
  readonly #options: PipelineOptions;
  readonly #walk: ProvenanceWalk;
  /** By remover: commits with open questions, else null. */
  readonly #open: (OpenCommit | null)[];
  /** Of open commits, when origins are emitted: the hunks of each file. */
  readonly #hunks = new Map<OpenCommit, readonly Int32Array[]>();
  /** Thousandths by position, of the commits seen so far. */
  readonly #shares: Uint16Array;
  readonly #ofOpen: OpenOptions;
  /** In order; of a commit whose last question is answered what makes its facts. */
  #emitted: (UnjudgedCommit | OpenCommit)[] = [];
  /** Those that the tree is stepped over and has not judged yet, in order. */
  readonly #unjudged: { readonly commit: UnjudgedCommit | null; readonly bytes: number }[] = [];
  /** Of all these together. */
  #unjudgedBytes = 0;
  #position = 0;
  /** Of the commit that is being consumed: questions are answered by it alone. */
  #records: CommitRecords | null = null;

  constructor(plan: WalkPlan, options: PipelineOptions) {
    this.#plan = plan;
    this.#options = options;
    this.#shares = new Uint16Array(plan.commits.length);
    this.#open = new Array<OpenCommit | null>(plan.commits.length).fill(null);
    const { churnDays, withOrigins } = options;
    this.#ofOpen = { churnDays, withOrigins, at: (index) => plan.commits.at(index) };
    // Written out: a call with a list of arguments makes the list, and this is called for every run of lines.
    this.#walk = new ProvenanceWalk(
      (remover, offset, count, origin, path, lineIndex) =>
        this.#answer(remover, offset, count, origin, path, lineIndex),
      // The origin that blame names is of use for `--origins` only.
      options.withOrigins ? (remover, offset, count, index) => this.#meet(remover, offset, count, index) : null,
    );
  }

  /** Position of the next commit to consume. */
  get position(): number {
    return this.#position;
  }

  get openLines(): number {
    return this.#walk.openLines;
  }

  get walk(): ProvenanceWalk {
    return this.#walk;
  }

  /** True when nothing that is still to come could add anything. */
  isDone(lastEmitted: number): boolean {
    return this.#position > lastEmitted && this.#walk.openLines === 0;
  }

  async consume(batch: Batch, follow: FollowPaths): Promise<void> {
    const lag = this.#options.tree?.lag ?? 0;
    for (const record of batch.commits) {
      const { index, files } = record;
      const lookup = lookupFor(files, (path) => this.#walk.hasQuestions(index, path));
      const followed = lookup === null ? NOT_FOLLOWED : await follow(this.#plan.commits.at(index), lookup);
      this.#records = this.#options.records.isEmpty ? null : await this.#readRecords(record);
      const unjudged = this.#consumeCommit(record, batch.hunks, followed);
      if (!this.#addToTree(record, batch.hunks)) unjudged?.judge(NOT_JUDGED);
      else {
        const bytes = treeBytes(record);
        this.#unjudged.push({ commit: unjudged, bytes });
        this.#unjudgedBytes += bytes;
      }
      while (this.#unjudged.length > lag || this.#isMuchHeldBack()) this.#judgeNext(await this.#options.tree!.next());
    }
  }

  /** Once all has been consumed: waits until all of it is judged. */
  async settle(): Promise<void> {
    while (this.#unjudged.length > 0) this.#judgeNext(await this.#options.tree!.next());
  }

  /** What the tree's thread has not looked at yet, and what is behind a commit that waits for it, of whatever branch. */
  #isMuchHeldBack(): boolean {
    if (this.#unjudged.length === 0) return false;
    return this.#unjudgedBytes > MOST_HELD_BACK.bytes || this.#emitted.length > MOST_HELD_BACK.events;
  }

  #judgeNext(judgement: TreeJudgement): void {
    const { commit, bytes } = this.#unjudged.shift()!;
    this.#unjudgedBytes -= bytes;
    commit?.judge(judgement);
  }

  /** False for a commit that the tree is not stepped over. */
  #addToTree(record: CommitRecord, hunks: Int32Array): boolean {
    const { tree } = this.#options;
    const { index } = record;
    const { commits, isStepped, isFirstParent, isEmitted } = this.#plan;
    if (tree === null || isStepped[index] === 0) return false;
    const { sha, parents } = commits.at(index);
    tree.add(() =>
      treeCommit(record, hunks, {
        sha,
        parents,
        isFirstParent: isFirstParent[index] === 1,
        answersOnly: isEmitted[index] === 0,
      }),
    );
    return true;
  }

  async #readRecords({ index, files }: CommitRecord): Promise<CommitRecords | null> {
    const { records } = this.#options;
    const { commits } = this.#plan;
    const { sha, committedAt } = commits.at(index);
    const parents = commits.parentsOf(index).flatMap((parent) => (parent < 0 ? [] : [commits.at(parent)]));
    const commit = { sha, committedAt, parents };
    if (!records.has(commit)) return null;
    return records.read(commit, (path) => files.some(({ newPath }) => newPath === path));
  }

  /** A commit that is known not to touch any open path: its questions go to its first parent. */
  pass(index: number): void {
    this.#walk.pass(index, this.#plan.commits.firstParentOf(index));
    this.#advance(index);
  }

  /** Gives up all that is open: the walk has ended. */
  *finish(): Generator<AnalysisEvent[], void, void> {
    this.#walk.close(() => true);
    yield* this.take();
  }

  /**
   * What was emitted since it was last taken, some at a time. A commit that brought in much of a history answers the
   * questions of thousands: their facts are made as they are taken, and what they are made of is left behind.
   */
  *take(): Generator<AnalysisEvent[], void, void> {
    while (this.#unjudged.length > 0) {
      const judgement = this.#options.tree!.ready();
      if (judgement === null) break;
      this.#judgeNext(judgement);
    }
    const isWaiting = (each: UnjudgedCommit | OpenCommit) => each instanceof UnjudgedCommit && !each.isJudged;
    const end = this.#unjudged.length === 0 ? -1 : this.#emitted.findIndex(isWaiting);
    const emitted: (UnjudgedCommit | OpenCommit | null)[] = end < 0 ? this.#emitted : this.#emitted.slice(0, end);
    this.#emitted = end < 0 ? [] : this.#emitted.slice(end);
    let events: AnalysisEvent[] = [];
    let files = 0;
    for (let i = 0; i < emitted.length; i++) {
      const each = emitted[i]!;
      emitted[i] = null;
      if (each instanceof OpenCommit) files += this.#close(each, events);
      else events.push(each.event());
      if (files < FILES_AT_ONCE) continue;
      yield events;
      events = [];
      files = 0;
    }
    if (events.length > 0) yield events;
  }

  /** Answers how many files its facts have. */
  #close(open: OpenCommit, events: AnalysisEvent[]): number {
    const commit = this.#plan.commits.at(open.index);
    const { withFiles, withOrigins } = this.#options;
    const [files, flows] = withFiles ? [open.files, open.flows] : [NO_FILES, NO_FLOWS];
    events.push({ kind: 'final', sha: commit.sha, rows: open, files, flows });
    if (withOrigins) this.#emitOrigins(commit, open, events);
    return open.fileCount;
  }

  /** Answers what is emitted of it, once it is judged. */
  #consumeCommit(record: CommitRecord, hunks: Int32Array, followed: FollowedPaths): UnjudgedCommit | null {
    const { index, files, routes } = record;
    const records = exactRecords(this.#records?.lines ?? null);
    const commitShare = records !== null ? 0 : shareOf(record);
    this.#shares[index] = commitShare;
    let open: OpenCommit | null = null;
    let unjudged: UnjudgedCommit | null = null;
    if (this.#plan.isEmitted[index] === 1) {
      const plain = { commitShare, addedShares: null };
      open = new OpenCommit(
        record,
        (file) => (records === null ? plain : { ...plain, addedShares: addedShares(records, file, hunks) }),
        this.#ofOpen,
      );
      unjudged = this.#emit(record, open, hunks);
    }
    const parents = this.#plan.commits.parentsOf(index);
    const sources = this.#walk.waitingAt(index) === null ? null : this.#sourcesOf(record, hunks);
    const questions = open?.questions ?? 0;
    this.#walk.step({ index, parents, files, routes, hunks, followed, questions, remover: index, sources });
    this.#advance(index);
    return unjudged;
  }

  #sourcesOf({ index, classified, files, kept }: CommitRecord, hunks: Int32Array): Sources | null {
    if (classified === null) return kept?.sources ?? null;
    const { ignoredRevisions } = this.#options;
    const isIgnored = ignoredRevisions.size > 0 && ignoredRevisions.has(this.#plan.commits.at(index).sha);
    return new LineSources(classified, files, hunks, isIgnored);
  }

  #emit(record: CommitRecord, open: OpenCommit, hunks: Int32Array): UnjudgedCommit {
    const commit = this.#plan.commits.at(record.index);
    const isFinal = open.isFinal;
    const fact = beginFact(record, this.#records, commit, {
      isIgnored: this.#options.ignoredRevisions.has(commit.sha),
      isFinal,
      onDefaultBranch: this.#options.onDefaultBranch && this.#plan.isOther[record.index] === 0,
    });
    const unjudged = new UnjudgedCommit(record, open, fact, {
      limits: knownLimits(record, this.#records),
      withFiles: this.#options.withFiles,
    });
    this.#emitted.push(unjudged);
    if (isFinal) return unjudged;
    this.#open[record.index] = open;
    // Copies: the batch's hunks are not to be held.
    if (this.#options.withOrigins)
      this.#hunks.set(
        open,
        record.files.map(({ hunkStart, hunkEnd }) => hunks.slice(hunkStart, hunkEnd)),
      );
    return unjudged;
  }

  /** The commit has been walked over. */
  #advance(index: number): void {
    const plan = this.#plan;
    this.#position = index + 1;
    if (plan.since !== null && index % SWEEP_EVERY === 0 && plan.commits.committedAt(index) < plan.since) this.#sweep();
  }

  /** Outside the window a question is hopeless once every commit still to come is over two years older. */
  #sweep(): void {
    const latest = this.#plan.latestFrom![this.#position]!;
    this.#walk.close((remover) => this.#isHopeless(remover, latest));
  }

  #isHopeless(remover: number, committedAt: number): boolean {
    const { since, commits } = this.#plan;
    return since !== null && committedAt < since && committedAt < commits.at(remover).authoredAt - HOPELESS_SECONDS;
  }

  #meet(remover: number, offset: number, count: number, index: number): void {
    const isKnown = !this.#isHopeless(remover, this.#plan.commits.committedAt(index));
    this.#open[remover]!.meet(offset, count, isKnown ? index : NO_ORIGIN);
  }

  #answer(remover: number, offset: number, count: number, origin: number, path: string, lineIndex: number): void {
    const open = this.#open[remover]!;
    const isKnown = origin >= 0 && !this.#isHopeless(remover, this.#plan.commits.committedAt(origin));
    const share = isKnown ? this.#shares[origin]! : 0;
    const runs = isKnown ? this.#records?.lines.get(path) : undefined;
    if (runs === undefined) open.answer(offset, count, isKnown ? origin : NO_ORIGIN, share);
    else for (let i = 0; i < count; i++) open.answer(offset + i, 1, origin, lineShare(runs, lineIndex + i));
    if (!open.isFinal) return;
    this.#open[remover] = null;
    this.#emitted.push(open);
  }

  #emitOrigins(commit: ListedCommit, open: OpenCommit, events: AnalysisEvent[]): void {
    const hunks = this.#hunks.get(open)!;
    this.#hunks.delete(open);
    const runsOf = (which: 'plain' | 'followed'): OriginRun[] =>
      Array.from(open.originRuns(hunks, which), ({ path, lineIndex, count, origin }) => ({
        commit: commit.sha,
        parent: commit.parents[0] ?? '',
        path,
        line: lineIndex + 1,
        count,
        origin: origin < 0 ? null : this.#plan.commits.at(origin).sha,
      }));
    events.push({ kind: 'origins', runs: runsOf('plain') });
    events.push({ kind: 'followed_origins', runs: runsOf('followed') });
  }
}

/** Thousandths of its lines that an AI tool wrote, by what the commit says of itself. */
function shareOf({ evidence, kept }: CommitRecord): number {
  if (kept !== null) return kept.share;
  return evidence === null ? 0 : evidenceShare(evidence);
}

/** About what the tree's thread keeps of a commit until it has looked at it. */
function treeBytes({ files, classified }: CommitRecord): number {
  const lines = classified === null ? 0 : classified.addedOps.length + classified.removedOps.length;
  return files.length * 200 + lines * 10;
}

/** Thousandths per added line of the file. */
function addedShares(records: LineEvidence, file: FileRecord, hunks: Int32Array): Uint16Array | null {
  const runs = file.newPath === null ? undefined : records.get(file.newPath);
  if (runs === undefined || file.isUnread) return null;
  const shares = new Uint16Array(file.added);
  let line = 0;
  for (let at = file.hunkStart; at < file.hunkEnd; at += 4)
    for (let i = 0; i < hunks[at + 3]!; i++) shares[line++] = lineShare(runs, hunks[at + 2]! + i);
  return shares;
}
