// The history of one line of code: who changed it, when, and what it was before. Reads objects, renames and comparisons
// as the walk over whole histories does; keeps a few git processes and byte-bounded caches per open repository.

import { IGNORED_REVISIONS, MAILMAP, parseRevisions } from '../categories/conventions.ts';
import { type CustomPathRule, createFileJudge } from '../categories/judge-file.ts';
import { createBlobComparer } from '../diff/blob-comparer.ts';
import { readParents, readPathChanges } from '../git/change-log.ts';
import { resolveCommit } from '../git/list-commits.ts';
import { openRepository, orElse } from '../git/run-git.ts';
import { parseMailmap } from '../identity/mailmap.ts';
import { createClassifier } from '../judge/classify-commit.ts';
import { createObjectReader } from '../objects/object-reader.ts';
import { loadPackIndexes } from '../objects/pack-index.ts';
import { createRenameFinder } from '../trace/renames.ts';
import { DEFAULT_MAX_HOPS } from './default-max-hops.ts';
import { type Attribution, describeChange, type EntryEvidence, type LineHistoryEntry } from './describe-change.ts';
import { createChangeFinder } from './find-change.ts';
import { findStart } from './find-start.ts';
import { LineChanges } from './line-changes.ts';
import { LineHistoryError } from './line-history-error.ts';
import { createLineRecords } from './line-record-reader.ts';
import { findLineChange, findRemoval, type TraceContext } from './trace-line.ts';
import {
  type CacheBudget,
  createObjectStore,
  DEFAULT_CACHE_BUDGET,
  type ObjectStore,
} from './versions/object-store.ts';
import { createPathIndex, type PathIndex } from './versions/path-index.ts';
import { createVersionComparer } from './versions/version-comparer.ts';

export type { EntryEvidence, LineHistoryEntry } from './describe-change.ts';
export { LINE_HISTORY_OPERATIONS, type LineHistoryOperation } from './judge-line.ts';
export { LINE_HISTORY_PROBLEMS, LineHistoryError, type LineHistoryProblem } from './line-history-error.ts';
export type { PathIndex } from './versions/path-index.ts';

export interface LineQuestion {
  /** Full or abbreviated. */
  readonly sha: string;
  /** Relative to the root of the repository. */
  readonly path: string;
  readonly lineNumber: number;
  /** Whether the number counts in the file as the commit left it or as it found it. */
  readonly side?: 'after' | 'before';
  /** Changed versions to list after the starting one. */
  readonly maxHops?: number;
  /** Leaves out what was authored before; by default one year before the starting version. */
  readonly earliest?: Date;
  readonly pathIndex?: PathIndex | null;
}

/** Why the list ends: the line was made there, a limit of the question, or objects the clone lacks. */
export type HistoryEnd = 'origin' | 'max_hops' | 'earliest' | 'missing_object';

export interface LineHistory {
  readonly line_history: readonly LineHistoryEntry[];
  readonly ended_by: HistoryEnd;
  /** One per entry. */
  readonly evidence: readonly EntryEvidence[];
}

export interface LineHistoryOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly cache?: Partial<CacheBudget>;
  readonly pathRules?: readonly CustomPathRule[];
  /**
   * Whether objects are read from packs in process. That is faster while nothing is known of the repository yet; a
   * repository that stays open is read by git, which sees what is fetched meanwhile.
   */
  readonly readsPacks?: boolean;
}

export interface OpenLineHistory {
  /** The full sha of a commit by any name that git knows it by, such as HEAD, a branch or a tag; null when there is none. */
  resolve(name: string): Promise<string | null>;
  history(question: LineQuestion): Promise<LineHistory>;
  /**
   * The full sha of a commit, and what beside it decides answers about it and may change with a push: the
   * mailmap, the revisions to ignore and the records about lines. While both are the same, so is the answer.
   */
  identify(sha: string): Promise<{ readonly sha: string; readonly basis: string }>;
  /**
   * Holds in memory which commits changed which path, from `heads` (full shas or HEAD) back. Costs about
   * three times a `git log`; later questions then skip untouched commits without reading them. False when
   * the history is too large for that.
   */
  buildIndex(heads?: readonly string[]): Promise<boolean>;
  close(): void;
}

const MAX_HOPS_ACCEPTED = 10_000;

export async function openLineHistory(repoPath: string, options: LineHistoryOptions = {}): Promise<OpenLineHistory> {
  const repository = await openRepository(repoPath, options.environment);
  const reader = createObjectReader(repository);
  const packed = options.readsPacks === true ? createBlobComparer(loadPackIndexes(repository.gitDir)) : null;
  const store = createObjectStore(reader, { ...DEFAULT_CACHE_BUDGET, ...options.cache }, packed);
  const renames = createRenameFinder(repository, packed);
  const pathRules = options.pathRules ?? [];
  const shared = {
    store,
    renames,
    comparer: createVersionComparer(repository, store, packed),
    classifier: createClassifier({ pathRules }),
    fileJudge: createFileJudge(pathRules),
  };
  let ownIndex: PathIndex | null = null;
  const readMailmap = createTopFileReader(store, MAILMAP, parseMailmap);
  const readIgnored = createTopFileReader(store, IGNORED_REVISIONS, parseRevisions);
  const openRecords = createLineRecords(store);

  return {
    resolve: (name) => resolveCommit(repository, name),
    async history(question) {
      const { maxHops, earliest } = checkLimits(question);
      const context: TraceContext = {
        ...shared,
        changes: createChangeFinder(store, renames, question.pathIndex ?? ownIndex),
      };
      const commit = await store.resolveCommit(question.sha);
      const start = await findStart(shared, commit, question);
      // Not waited for: git answers while packs are read here.
      const attribution = Promise.all([readMailmap(), openRecords(), readIgnored()]);
      attribution.catch(() => undefined);
      const first =
        (start.isBefore ? await findRemoval(context, commit, start.place) : null) ??
        (await findLineChange(context, start.place));
      const [mailmap, records, ignored] = await attribution;
      return describeHistory(context, { mailmap, records, ignored }, new LineChanges(context, first), {
        maxHops,
        earliest: earliest ?? oneYearBefore(first.commit.author.at),
      });
    },
    async identify(sha) {
      const [commit, mailmap, ignored, records] = await Promise.all([
        store.resolveCommit(sha),
        findTopFile(store, MAILMAP),
        findTopFile(store, IGNORED_REVISIONS),
        openRecords(),
      ]);
      return { sha: commit.sha, basis: `${mailmap ?? ''}:${ignored ?? ''}:${records.basis}` };
    },
    async buildIndex(heads = ['HEAD']) {
      ownIndex = await createPathIndex(readParents(repository, heads), readPathChanges(repository, heads));
      return ownIndex !== null;
    },
    close() {
      reader.close();
      packed?.close();
      void renames.close();
    },
  };
}

interface Limits {
  readonly maxHops: number;
  /** Seconds since 1970. */
  readonly earliest: number;
}

async function describeHistory(
  { store }: TraceContext,
  { ignored, ...attribution }: Attribution & { readonly ignored: ReadonlySet<string> },
  changes: LineChanges,
  { maxHops, earliest }: Limits,
): Promise<LineHistory> {
  const entries: LineHistoryEntry[] = [];
  const evidence: EntryEvidence[] = [];
  let ended_by: HistoryEnd = 'origin';
  for (let place = 0; ; place++) {
    const change = await changes.at(place);
    if (change === null) break;
    if (change.commit.author.at < earliest) {
      ended_by = 'earliest';
      break;
    }
    if (entries.length > maxHops) {
      ended_by = 'max_hops';
      break;
    }
    const previous = await changes.at(place + 1);
    const writer = await changes.findWriter(place, ignored);
    const isIgnored = ignored.has(change.commit.sha);
    const described = await describeChange(store, attribution, { change, previous, writer, isIgnored });
    entries.push(described.entry);
    evidence.push(described.evidence);
    if (change.isCutOff || (previous === null && changes.isCutOff)) ended_by = 'missing_object';
  }
  return { line_history: entries, ended_by, evidence };
}

function checkLimits(question: LineQuestion): { maxHops: number; earliest: number | null } {
  const { maxHops = DEFAULT_MAX_HOPS, earliest, side } = question;
  const refuse = (parameter: string, value: unknown, accepted: string): never => {
    const shown = JSON.stringify(value) ?? String(value);
    throw new LineHistoryError(
      'invalid_parameter',
      parameter,
      `${parameter}: ${shown} is not accepted; expected ${accepted}`,
    );
  };
  if (!Number.isInteger(maxHops) || maxHops < 0 || maxHops > MAX_HOPS_ACCEPTED)
    refuse('max_hops', maxHops, `a whole number from 0 to ${MAX_HOPS_ACCEPTED}`);
  if (side !== undefined && side !== 'after' && side !== 'before') refuse('side', side, '"after" or "before"');
  if (earliest === undefined) return { maxHops, earliest: null };
  if (Number.isNaN(earliest.getTime())) refuse('earliest', null, 'a date');
  return { maxHops, earliest: Math.floor(earliest.getTime() / 1000) };
}

function oneYearBefore(seconds: number): number {
  const date = new Date(seconds * 1000);
  if (Number.isNaN(date.getTime())) return Number.NEGATIVE_INFINITY;
  date.setUTCFullYear(date.getUTCFullYear() - 1);
  return Math.floor(date.getTime() / 1000);
}

/** A file at the top of the repository's HEAD; parsed again only when it has changed. */
function createTopFileReader<T>(store: ObjectStore, name: string, parse: (text: string) => T): () => Promise<T> {
  const none = parse('');
  let known: { readonly blob: string; readonly content: T } | null = null;
  return async () => {
    const blob = await findTopFile(store, name);
    if (blob === null) return none;
    if (known?.blob === blob) return known.content;
    const table = await store.lines(blob).catch(orElse(null));
    if (table === null) return none;
    known = { blob, content: parse(Buffer.from(table.bytes).toString('utf8')) };
    return known.content;
  };
}

/** The blob that HEAD holds now. */
async function findTopFile(store: ObjectStore, name: string): Promise<string | null> {
  const head = await store.head();
  const entry = head === null ? null : await store.entryAt(head.tree, name).catch(orElse(null));
  return entry?.sha ?? null;
}
