// The files of an analysis as `--facts` and `--format csv` write them: one row for each commit and file, in real
// units. `docs/analyze.md` describes every key.
import {
  AI_MEASURES,
  deltaThousandths,
  MEASURE_UNITS,
  thousandthsToNumber,
} from '../../domain/commits/file-measures.ts';
import type { AnalysisEvent } from '../../engine/model/events.ts';
import { FILE_MEASURES, type FileFact, type FileMeasure } from '../../engine/model/facts.ts';
import { csvCell } from '../../kit/text/text-table.ts';

/** Null where the commit carries no evidence: who wrote its lines is unknown. */
const EVIDENT: ReadonlySet<FileMeasure> = new Set<FileMeasure>(AI_MEASURES);

type LineWriter = (event: AnalysisEvent) => Iterable<string>;

export const CSV_HEADER = ['commit', 'path', ...FILE_MEASURES].join(',');

export function createCsvRows(): LineWriter {
  const finalFiles = createFinalFiles();
  return function* csvRows(event) {
    for (const { commit, file, measures } of finalFiles(event)) {
      const path = csvCell(file.path);
      yield [commit, path, ...FILE_MEASURES.map((name) => measures[name] ?? '')].join(',');
    }
  };
}

export function createFactLines(): LineWriter {
  const finalFiles = createFinalFiles();
  return function* factLines(event) {
    for (const { commit, file, measures } of finalFiles(event)) {
      const { path, old_path, status, category, language, limited } = file;
      const delta = thousandthsToNumber(deltaThousandths(file));
      yield JSON.stringify({
        commit,
        not_counted: null,
        path,
        old_path,
        status,
        category,
        language,
        limited,
        ...measures,
        delta,
      });
    }
  };
}

interface FinalFile {
  readonly commit: string;
  readonly file: FileFact;
  /** In real units. */
  readonly measures: Readonly<Record<FileMeasure, number | null>>;
}

/** The files of a commit, once, when all is known of them. */
function createFinalFiles(): (event: AnalysisEvent) => Generator<FinalFile> {
  const withEvidence = new Set<string>();
  return function* finalFiles(event) {
    if (event.kind !== 'commit' && event.kind !== 'final') return;
    if (event.kind === 'commit' && event.fact.contributor_kind !== 'unknown') withEvidence.add(event.fact.sha);
    if (event.kind === 'commit' && !event.fact.is_final) return;
    const { sha, files } = event.kind === 'commit' ? event.fact : event;
    const hasEvidence = withEvidence.has(sha);
    for (const file of files) yield { commit: sha, file, measures: realMeasures(file, hasEvidence) };
  };
}

function realMeasures(file: FileFact, hasEvidence: boolean): Record<FileMeasure, number | null> {
  const measures = {} as Record<FileMeasure, number | null>;
  for (const name of FILE_MEASURES) {
    const isKnown = hasEvidence || !EVIDENT.has(name);
    measures[name] = isKnown ? file[name] / MEASURE_UNITS[name].scale : null;
  }
  return measures;
}

const BEFORE_COMMIT = '{"commit":"';
const COUNTED = '"not_counted":null';

/** A line of `createFactLines` with the reason why its commit does not count, which is known when all commits are. */
export function withReason(line: string, reasons: ReadonlyMap<string, string>): string {
  const reason = reasons.get(line.slice(BEFORE_COMMIT.length, line.indexOf('"', BEFORE_COMMIT.length)));
  return reason === undefined ? line : line.replace(COUNTED, `"not_counted":${JSON.stringify(reason)}`);
}
