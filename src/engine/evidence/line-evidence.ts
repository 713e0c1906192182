// Exact records of who wrote which line of a commit, as sorted runs per path. For a commit that has one they
// decide alone: a line without a record is not AI's, whatever the message says.
import type { AiProvider } from '../../domain/ai/models.ts';
import type { ContributorKind, EvidenceSource } from '../../domain/commits/line-model.ts';
import type { AiCredit } from '../model/facts.ts';
import { type CommitEvidence, compareCredits } from './read-commit-evidence.ts';

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
export function lineShare(runs: readonly LineRun[] | undefined, lineIndex: number): number {
  if (runs === undefined) return 0;
  let low = 0;
  let high = runs.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (runs[middle]!.end <= lineIndex) low = middle + 1;
    else high = middle;
  }
  const run = runs[low];
  return run !== undefined && run.start <= lineIndex ? KIND_SHARES[run.kind] : 0;
}

/** Null where there is no record of any line: an empty note says nothing. */
export const exactRecords = (lines: LineEvidence | null): LineEvidence | null =>
  lines === null || lines.size === 0 ? null : lines;

/** What exact records say of a commit: their models, and who wrote. */
export function recordsToEvidence(lines: LineEvidence): CommitEvidence {
  const credits = new Map<string, AiCredit>();
  const kinds = new Set<LineRun['kind']>();
  for (const runs of lines.values()) {
    for (const { kind, model, provider, source } of runs) {
      kinds.add(kind);
      if (kind === 'human') continue;
      const credit: AiCredit = { model: model ?? 'other', provider: provider ?? 'other', source };
      const key = `${credit.provider}\0${credit.model}`;
      const before = credits.get(key);
      if (before === undefined || compareCredits(credit, before) < 0) credits.set(key, credit);
    }
  }
  return { ai: [...credits.values()].sort(compareCredits), contributor_kind: kindOf(kinds) };
}

function kindOf(kinds: ReadonlySet<LineRun['kind']>): ContributorKind {
  const [only] = kinds;
  if (only === undefined) return 'unknown';
  return kinds.size === 1 ? only : 'mixed';
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
