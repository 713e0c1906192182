// Where added lines stood before, as an earlier walk found and kept it: the answers of `LineSources` without the lines.
import type { CarriedRuns, OnSource, Sources } from './line-sources.ts';

const NO_PLACE = -1;

export class KeptSources implements Sources {
  readonly #runs: ReadonlyMap<number, CarriedRuns>;
  readonly #hunksOf: (file: number) => Int32Array;

  constructor(runs: ReadonlyMap<number, CarriedRuns>, hunksOf: (file: number) => Int32Array) {
    this.#runs = runs;
    this.#hunksOf = hunksOf;
  }

  hasSources(file: number): boolean {
    return this.#runs.has(file);
  }

  split(file: number, lineIndex: number, count: number, on: OnSource): void {
    const runs = this.#runs.get(file);
    if (runs === undefined || !isWithinOneHunk(this.#hunksOf(file), lineIndex, count)) {
      on(lineIndex, count, null, NO_PLACE);
      return;
    }
    const end = lineIndex + count;
    let from = lineIndex;
    for (let run = firstBehind(runs.places, lineIndex); run < runs.paths.length && from < end; run++) {
      const start = runs.places[3 * run]!;
      if (start >= end) break;
      if (start > from) on(from, start - from, null, NO_PLACE);
      const first = Math.max(start, from);
      const stop = Math.min(start + runs.places[3 * run + 1]!, end);
      on(first, stop - first, runs.paths[run]!, runs.places[3 * run + 2]! + (first - start));
      from = stop;
    }
    if (from < end) on(from, end - from, null, NO_PLACE);
  }
}

/** Of a file that another diff than the commit's own has led to, nothing is known. */
function isWithinOneHunk(hunks: Int32Array, lineIndex: number, count: number): boolean {
  let low = 0;
  let high = hunks.length >> 2;
  // The first hunk that ends behind the line.
  while (low < high) {
    const middle = (low + high) >> 1;
    if (hunks[middle * 4 + 2]! + hunks[middle * 4 + 3]! > lineIndex) high = middle;
    else low = middle + 1;
  }
  const at = low * 4;
  return at < hunks.length && hunks[at + 2]! <= lineIndex && lineIndex + count <= hunks[at + 2]! + hunks[at + 3]!;
}

/** The first run that ends behind a line. */
function firstBehind(places: readonly number[], lineIndex: number): number {
  let low = 0;
  let high = places.length / 3;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (places[3 * middle]! + places[3 * middle + 1]! > lineIndex) high = middle;
    else low = middle + 1;
  }
  return low;
}
