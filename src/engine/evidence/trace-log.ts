// A project's own log of Agent Trace records, one per line, as the format's reference tools keep it: which commits it
// speaks of, and each one's lines when asked for. The log may be long, so records are kept as bytes.
import { parseAgentTrace, type RecordedCommit, TraceError } from './agent-trace.ts';
import { type LineEvidence, mergeLineEvidence } from './line-evidence.ts';

export const TRACE_LOG_PATH = '.agent-trace/traces.jsonl';

export interface TraceLog {
  has(commit: RecordedCommit): boolean;
  /** Of records that name the parent, the files that `isChanged` says the commit changed. */
  read(commit: RecordedCommit, isChanged: (path: string) => boolean): LineEvidence;
}

/** A revision may be abbreviated down to so many digits. */
const KEY_DIGITS = 7;
/**
 * A hook that records while files are edited can only name the commit before, in which its ranges mean nothing. What was
 * recorded about a commit is therefore as old as the commit, or follows it at once. What came later, and no later than the
 * child, is about the child, for the files that the child changed.
 */
const RECORDED_WITHIN_SECONDS = 10;
/** No record is shorter; looking into each of millions of empty lines would take a while. */
const LEAST_RECORD_BYTES = 64;
const LINE_FEED = 10;

interface Entry {
  readonly revision: string;
  readonly recordedAt: number;
  readonly start: number;
  readonly end: number;
}

export function openTraceLog(document: Uint8Array): TraceLog {
  const entries = new Map<string, Entry[]>();
  for (let start = 0; start < document.length; ) {
    const feed = document.indexOf(LINE_FEED, start);
    const end = feed < 0 ? document.length : feed;
    const record = end - start < LEAST_RECORD_BYTES ? null : readLine(document, start, end);
    if (record !== null && record.revision !== null && record.recordedAt !== null) {
      const { revision, recordedAt } = record;
      const key = revision.slice(0, KEY_DIGITS);
      const known = entries.get(key);
      const entry = { revision, recordedAt, start, end };
      if (known === undefined) entries.set(key, [entry]);
      else known.push(entry);
    }
    start = end + 1;
  }
  const entriesOf = (sha: string): Entry[] =>
    (entries.get(sha.slice(0, KEY_DIGITS)) ?? []).filter(({ revision }) => sha.startsWith(revision));
  const isBy = ({ recordedAt }: Entry, committedAt: number): boolean =>
    recordedAt <= committedAt + RECORDED_WITHIN_SECONDS;
  const ownEntries = ({ sha, committedAt }: RecordedCommit): Entry[] =>
    entriesOf(sha).filter((entry) => isBy(entry, committedAt));
  const entriesOfParents = ({ committedAt, parents }: RecordedCommit): Entry[] =>
    parents.flatMap((parent) =>
      entriesOf(parent.sha).filter((entry) => !isBy(entry, parent.committedAt) && isBy(entry, committedAt)),
    );
  const linesOf = ({ start, end }: Entry): LineEvidence[] => {
    const record = readLine(document, start, end);
    return record === null ? [] : [record.lines];
  };
  return {
    has: (commit) => ownEntries(commit).length > 0 || entriesOfParents(commit).length > 0,
    read: (commit, isChanged) =>
      mergeLineEvidence([
        ...ownEntries(commit).flatMap(linesOf),
        ...entriesOfParents(commit)
          .flatMap(linesOf)
          .map((lines) => new Map([...lines].filter(([path]) => isChanged(path)))),
      ]),
  };
}

/** Null for a line that is no record: one that was cut short must not cost the others. */
function readLine(document: Uint8Array, start: number, end: number): ReturnType<typeof parseAgentTrace>[number] | null {
  try {
    return parseAgentTrace(document.subarray(start, end))[0] ?? null;
  } catch (error) {
    if (error instanceof TraceError) return null;
    throw error;
  }
}
