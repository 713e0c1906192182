// Runs an analysis to its end, for tests that look at what was told.

import { openRepository } from '../../src/engine/git/run-git.ts';
import { createDigest } from '../../src/engine/model/digest.ts';
import type { AnalysisEvent, OriginRun } from '../../src/engine/model/events.ts';
import type { CommitFact, FileFact, LineFlow } from '../../src/engine/model/facts.ts';
import {
  type AnalyzeOptions,
  analyzeRepository,
  analyzeSlice,
  type SliceOptions,
} from '../../src/engine/walk/analyze.ts';

export interface CollectedAnalysis {
  readonly events: readonly AnalysisEvent[];
  readonly commits: ReadonlyMap<string, CommitFact>;
  /** `sha path` → the last word on the file. */
  readonly files: ReadonlyMap<string, FileFact>;
  readonly flows: ReadonlyMap<string, readonly LineFlow[]>;
  readonly origins: readonly OriginRun[];
  readonly digest: string;
}

export async function collectAnalysis(
  path: string,
  options: AnalyzeOptions = {},
  environment?: Readonly<Record<string, string>>,
): Promise<CollectedAnalysis> {
  const events: AnalysisEvent[] = [];
  for await (const event of analyzeRepository(await openRepository(path, environment), options)) events.push(event);
  return collect(events);
}

export async function collectSlices(path: string, slices: readonly SliceOptions[]): Promise<CollectedAnalysis> {
  const events: AnalysisEvent[] = [];
  for (const slice of slices)
    for await (const event of analyzeSlice(await openRepository(path), slice)) events.push(event);
  return collect(events);
}

function collect(events: readonly AnalysisEvent[]): CollectedAnalysis {
  const digest = createDigest();
  const commits = new Map<string, CommitFact>();
  const files = new Map<string, FileFact>();
  const flows = new Map<string, readonly LineFlow[]>();
  for (const event of events) {
    digest.add(event);
    if (event.kind === 'commit') commits.set(event.fact.sha, event.fact);
    if (event.kind !== 'commit' && event.kind !== 'final') continue;
    const [sha, body] = event.kind === 'commit' ? [event.fact.sha, event.fact] : [event.sha, event];
    flows.set(sha, body.flows);
    for (const file of body.files) files.set(`${sha} ${file.path}`, file);
  }
  const origins = events.flatMap((event) => (event.kind === 'origins' ? event.runs : []));
  return { events, commits, files, flows, origins, digest: digest.value() };
}
