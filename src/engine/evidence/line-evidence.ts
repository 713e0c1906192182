// Exact records of who wrote which line of a commit, as sorted runs per path, and how they combine with
// the commit-level evidence: of all that speaks for a line, the largest share counts.
import type { AiProvider } from '../../domain/ai/models.ts';
import type { ContributorKind, EvidenceSource } from '../../domain/commits/line-model.ts';
import type { AiCredit } from '../model/facts.ts';
import { type CommitEvidence, commitShare, compareCredits } from './read-commit-evidence.ts';

/** Lines [start, end) of the file as it stands in the commit, 0-based. */
export interface LineRun {
  readonly start: number;
  readonly end: number;
  readonly kind: Exclude<ContributorKind, 'unknown'>;
  /** Null for a human, and where the record names no model. */
  readonly model: string | null;
  readonly provider: AiProvider | null;
  readonly source: Extract<EvidenceSource, 'note' | 'agent_trace'>;
}

/** Path → runs, sorted by start, not overlapping. */
export type LineEvidence = ReadonlyMap<string, readonly LineRun[]>;

/** Thousandths of a line that a record of this kind credits to AI. */
export const KIND_SHARES = { ai: 1000, mixed: 500, human: 0 } as const;

/**
 * Sorts runs and cuts their overlaps: the larger AI share wins, then the record that came first. Records
 * are written by several tools and in no order, and may claim a line twice.
 */
export function disjointRuns(runs: readonly LineRun[]): LineRun[] {
  const sorted = runs
    .map((run, order) => ({ run, order }))
    .sort((a, b) => KIND_SHARES[b.run.kind] - KIND_SHARES[a.run.kind] || a.order - b.order);
  const byStart = [...sorted].sort((a, b) => a.run.start - b.run.start);
  const rank = new Map(sorted.map(({ order }, index) => [order, index]));
  const result: LineRun[] = [];
  const emit = (start: number, end: number, run: LineRun) => {
    const last = result.at(-1);
    if (last !== undefined && last.end === start && isSameWriter(last, run))
      result[result.length - 1] = { ...last, end };
    else result.push({ ...run, start, end });
  };
  // A sweep over the starts with the open runs in a heap by rank.
  const open: { rank: number; run: LineRun }[] = [];
  let next = 0;
  let at = 0;
  while (next < byStart.length || open.length > 0) {
    while (open.length > 0 && open[0]!.run.end <= at) popHeap(open);
    if (open.length === 0) {
      if (next >= byStart.length) break;
      at = Math.max(at, byStart[next]!.run.start);
    }
    while (next < byStart.length && byStart[next]!.run.start <= at) {
      const { run, order } = byStart[next]!;
      if (run.end > at) pushHeap(open, { rank: rank.get(order)!, run });
      next += 1;
    }
    const top = open[0];
    if (top === undefined) continue;
    const nextStart = byStart[next]?.run.start ?? Number.POSITIVE_INFINITY;
    const until = Math.min(top.run.end, nextStart);
    emit(at, until, top.run);
    at = until;
  }
  return result;
}

/** All records of the same commit as one; none of them is no evidence. */
export function mergeLineEvidence(parts: readonly LineEvidence[]): LineEvidence {
  if (parts.length === 1) return parts[0]!;
  const merged = new Map<string, LineRun[]>();
  for (const part of parts) {
    for (const [path, runs] of part) {
      const before = merged.get(path);
      if (before === undefined) merged.set(path, [...runs]);
      else merged.set(path, disjointRuns([...before, ...runs]));
    }
  }
  return merged;
}

/** The AI share in thousandths of one line (0-based, in the commit's version of the path). */
export function lineShare(runs: readonly LineRun[] | undefined, lineIndex: number, commitShare: number): number {
  if (runs === undefined) return commitShare;
  let low = 0;
  let high = runs.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (runs[middle]!.end <= lineIndex) low = middle + 1;
    else high = middle;
  }
  const run = runs[low];
  return run !== undefined && run.start <= lineIndex ? Math.max(commitShare, KIND_SHARES[run.kind]) : commitShare;
}

/**
 * The commit's evidence with its exact records: their models become credits, and the kind says what the
 * records and the marks amount to together. `human` needs exact records and nothing that speaks of AI.
 */
export function combineEvidence(commit: CommitEvidence, lines: LineEvidence): CommitEvidence {
  const credits = new Map(commit.ai.map((credit) => [`${credit.provider}\0${credit.model}`, credit]));
  const kinds = new Set<LineRun['kind']>();
  for (const runs of lines.values()) {
    for (const run of runs) {
      kinds.add(run.kind);
      if (run.kind === 'human') continue;
      const key = `${run.provider ?? 'other'}\0${run.model ?? 'other'}`;
      // A share of 0: the record credits its own lines only, not those without a record.
      if (!credits.has(key)) {
        credits.set(key, {
          model: run.model ?? 'other',
          provider: run.provider ?? 'other',
          source: run.source,
          share: 0,
        });
      }
    }
  }
  const ai: AiCredit[] = [...credits.values()].sort(compareCredits);
  return { ai, contributor_kind: combinedKind(commit, kinds) };
}

function combinedKind(commit: CommitEvidence, kinds: ReadonlySet<LineRun['kind']>): ContributorKind {
  const speaksOfAi = kinds.has('ai') || kinds.has('mixed') || commitShare(commit.ai) > 0;
  if (!speaksOfAi) return kinds.has('human') ? 'human' : 'unknown';
  if (kinds.has('human') || kinds.has('mixed')) return 'mixed';
  return commit.contributor_kind === 'unknown' ? 'ai' : commit.contributor_kind;
}

function isSameWriter(a: LineRun, b: LineRun): boolean {
  return a.kind === b.kind && a.model === b.model && a.provider === b.provider && a.source === b.source;
}

interface Ranked {
  readonly rank: number;
  readonly run: LineRun;
}

function pushHeap(heap: Ranked[], item: Ranked): void {
  heap.push(item);
  let at = heap.length - 1;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (heap[parent]!.rank <= heap[at]!.rank) return;
    [heap[parent], heap[at]] = [heap[at]!, heap[parent]!];
    at = parent;
  }
}

function popHeap(heap: Ranked[]): void {
  const last = heap.pop()!;
  if (heap.length === 0) return;
  heap[0] = last;
  let at = 0;
  for (;;) {
    const left = 2 * at + 1;
    let least = at;
    if (left < heap.length && heap[left]!.rank < heap[least]!.rank) least = left;
    if (left + 1 < heap.length && heap[left + 1]!.rank < heap[least]!.rank) least = left + 1;
    if (least === at) return;
    [heap[least], heap[at]] = [heap[at]!, heap[least]!];
    at = least;
  }
}
