// Totals of a repository by the engine alone, without database or reports, and the same by reports after an
// import; for the test on this project's own history and for the bench on any other.
import { OPERATION_ROWS, OPERATIONS } from '../../src/domain/commits/line-model.ts';
import type { SegmentId } from '../../src/domain/segments.ts';
import { openRepository } from '../../src/engine/git/run-git.ts';
import type { FileFact } from '../../src/engine/model/facts.ts';
import { analyzeRepository } from '../../src/engine/walk/analyze.ts';
import { silentLog } from '../../src/kit/log.ts';
import { addDays } from '../../src/metrics/intervals.ts';
import { createOperations, OPERATOR } from '../../src/operations/index.ts';
import type { Store } from '../../src/storage/database/handle.ts';
import { setProcessingStatuses } from '../../src/storage/people/developers.ts';

export interface RepositoryTotals {
  readonly commits: number;
  /** By label of the operation; copies are with the added lines, which the engine does not tell apart. */
  readonly lines: Readonly<Record<string, number>>;
  readonly delta: number;
}

const OWN = OPERATIONS.filter((name) => name !== 'added' && name !== 'copy_pasted');
const WRITTEN = 'Added and Copy/Pasted';
const DELTAS = ['added', 'updated', 'deleted', 'find_replaced'] as const;

/** Also gives the first and last day of authorship, which may be any that a clock has shown. */
export async function readEngineTotals(
  path: string,
): Promise<RepositoryTotals & { readonly first: string; readonly last: string }> {
  const notCounted = new Map<string, string | null>();
  const days = new Map<string, string>();
  const sums = new Map<string, { lines: number[]; delta: number }>();
  const sumOf = (files: readonly FileFact[]) => ({
    lines: [
      files.reduce((sum, file) => sum + file.lines_added + file.lines_copy_pasted, 0),
      ...OWN.map((name) => files.reduce((sum, file) => sum + file[`lines_${name}`], 0)),
    ],
    delta: files.reduce((sum, file) => sum + DELTAS.reduce((part, name) => part + file[`delta_${name}`], 0), 0),
  });
  for await (const event of analyzeRepository(await openRepository(path), { since: null, threads: 2 })) {
    if (event.kind === 'commit') {
      notCounted.set(event.fact.sha, event.fact.not_counted);
      days.set(event.fact.sha, new Date(event.fact.authored.at * 1000).toISOString().slice(0, 10));
      sums.set(event.fact.sha, sumOf(event.fact.files));
    }
    if (event.kind === 'final') sums.set(event.sha, sumOf(event.files));
    if (event.kind === 'verdict') notCounted.set(event.sha, event.not_counted);
  }
  const counted = [...notCounted].filter(([, reason]) => reason === null).map(([sha]) => sha);
  const dates = counted.map((sha) => days.get(sha)!).toSorted();
  return {
    commits: counted.length,
    lines: Object.fromEntries(
      [WRITTEN, ...OWN.map((name) => OPERATION_ROWS[name].label)].map((label, index) => [
        label,
        counted.reduce((sum, sha) => sum + (sums.get(sha)?.lines[index] ?? 0), 0),
      ]),
    ),
    delta: counted.reduce((sum, sha) => sum + (sums.get(sha)?.delta ?? 0), 0) / 1000,
    first: dates[0] ?? '2000-01-01',
    last: dates.at(-1) ?? '2000-01-01',
  };
}

/** Adds up what reports say of an imported entity; everybody counts, bots too, as they do for the engine. */
export async function readReportTotals(
  store: Store,
  entity: { readonly id: number; readonly slug: string },
  range: { readonly first: string; readonly last: string },
): Promise<RepositoryTotals> {
  const people = await store.pool.query(
    'select distinct root_committer_id as id from committers where entity_id = $1',
    [entity.id],
  );
  const ids: number[] = people.rows.map(({ id }) => id);
  await store.db.transaction().execute((trx) => setProcessingStatuses(trx, entity.id, ids, 'processing_stats'));
  const operations = createOperations({ store, log: silentLog, now: () => new Date() });
  const read = async (segment_by: SegmentId): Promise<Record<string, number>> => {
    const grant = await operations.access.enterEntity(OPERATOR, entity.slug, 'member');
    const { series_segments } = await operations.reports.run(grant, {
      segment_by,
      start_date: addDays(range.first, -2),
      end_date: addDays(range.last, 2),
    });
    return Object.fromEntries(
      Object.entries(series_segments).map(([name, points]) => [name, points.reduce((sum, { y }) => sum + (y ?? 0), 0)]),
    );
  };
  const add = (values: Record<string, number>): number => Object.values(values).reduce((sum, value) => sum + value, 0);
  const lines = await read('line_operation_counts');
  const totals = {
    commits: add(await read('commit_count')),
    lines: Object.fromEntries([
      [WRITTEN, (lines[OPERATION_ROWS.added.label] ?? 0) + (lines[OPERATION_ROWS.copy_pasted.label] ?? 0)],
      ...OWN.map((name): [string, number] => [OPERATION_ROWS[name].label, lines[OPERATION_ROWS[name].label] ?? 0]),
    ]),
    delta: add(await read('none')),
  };
  await operations.close();
  return totals;
}
