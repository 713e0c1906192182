// Reads Agent Trace 0.1 records: which line ranges of which file, at which revision, a person or a model
// wrote. A document is one record, a list of records, or one record per line, of which bad ones are passed over.
import { agentToWriter } from './git-ai-note.ts';
import { disjointRuns, type LineEvidence, type LineRun } from './line-evidence.ts';

export class TraceError extends Error {
  readonly reason: 'too_large' | 'bad_json' | 'not_a_record';
  constructor(reason: TraceError['reason'], detail: string) {
    super(`agent trace: ${detail}`);
    this.name = 'TraceError';
    this.reason = reason;
  }
}

export interface TraceRecord {
  /** The commit the ranges are counted in, or the first digits of it; null when the record does not say. */
  readonly revision: string | null;
  /** Seconds since 1970; null when the record does not say. */
  readonly recordedAt: number | null;
  readonly lines: LineEvidence;
  /** Ranges that made no sense or of an unknown contributor. */
  readonly skipped: number;
}

export const TRACE_LIMITS = { bytes: 64 * 1024 * 1024, runs: 1_000_000, lineNumber: 0x7fffffff } as const;
const REVISION = /^[0-9a-f]{7,64}$/;

export function parseAgentTrace(document: Uint8Array): TraceRecord[] {
  if (document.length > TRACE_LIMITS.bytes) throw new TraceError('too_large', `${document.length} bytes`);
  const text = Buffer.from(document.buffer, document.byteOffset, document.byteLength).toString('utf8');
  const whole = parseJson(text);
  if (whole === undefined) return parseLines(text);
  return (Array.isArray(whole) ? whole : [whole]).map(readRecord);
}

/**
 * Whether a record that stands with a commit counts there: it need not name the commit, and one that was written before the
 * commit was made names the parent.
 */
export function isRecordOf({ revision }: TraceRecord, { sha, parents }: RecordedCommit): boolean {
  return revision === null || sha.startsWith(revision) || parents.some((parent) => parent.sha.startsWith(revision));
}

/** The commit that records are looked for; times in seconds since 1970. */
export interface RecordedCommit {
  readonly sha: string;
  readonly committedAt: number;
  /** Parents that are not there are left out. */
  readonly parents: readonly { readonly sha: string; readonly committedAt: number }[];
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function parseLines(text: string): TraceRecord[] {
  const records: TraceRecord[] = [];
  let problem = new TraceError('bad_json', 'the document is empty');
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const value = parseJson(line);
    try {
      if (value === undefined) throw new TraceError('bad_json', `line ${index + 1} is not JSON`);
      records.push(readRecord(value));
    } catch (error) {
      if (!(error instanceof TraceError)) throw error;
      problem = error;
    }
  }
  if (records.length === 0) throw problem;
  return records;
}

function readRecord(record: unknown): TraceRecord {
  const files = field(record, 'files');
  if (typeof field(record, 'version') !== 'string' || !Array.isArray(files)) {
    throw new TraceError('not_a_record', 'a record needs "version" and "files"');
  }
  const recordedAt = Date.parse(String(field(record, 'timestamp'))) / 1000;
  const tool = field(field(record, 'tool'), 'name');
  const runs = new Map<string, LineRun[]>();
  let total = 0;
  let skipped = 0;
  for (const file of files) {
    const path = field(file, 'path');
    if (typeof path !== 'string') continue;
    const list = runs.get(path) ?? [];
    runs.set(path, list);
    for (const conversation of asList(field(file, 'conversations'))) {
      const contributor = field(conversation, 'contributor');
      for (const range of asList(field(conversation, 'ranges'))) {
        const run = readRange(range, field(range, 'contributor') ?? contributor, tool);
        if (run === null || total >= TRACE_LIMITS.runs) skipped += 1;
        else {
          list.push(run);
          total += 1;
        }
      }
    }
  }
  const lines = new Map<string, readonly LineRun[]>();
  for (const [path, list] of runs) if (list.length > 0) lines.set(path, disjointRuns(list));
  return {
    revision: readRevision(field(record, 'vcs')),
    recordedAt: Number.isNaN(recordedAt) ? null : recordedAt,
    lines,
    skipped,
  };
}

/** Null also for revisions of other systems: a change of jj has no commit of its own. */
function readRevision(vcs: unknown): string | null {
  const revision = field(vcs, 'revision');
  const isGit = (field(vcs, 'type') ?? 'git') === 'git';
  return isGit && typeof revision === 'string' && REVISION.test(revision) ? revision : null;
}

function readRange(range: unknown, contributor: unknown, tool: unknown): LineRun | null {
  const first = field(range, 'start_line');
  const last = field(range, 'end_line');
  const kind = field(contributor, 'type');
  if (!isLineNumber(first) || !isLineNumber(last) || last < first) return null;
  if (kind !== 'ai' && kind !== 'mixed' && kind !== 'human') return null;
  const place = { start: first - 1, end: last, source: 'agent_trace' as const };
  if (kind === 'human') return { ...place, kind, model: null, provider: null };
  return { ...place, ...agentToWriter(tool, field(contributor, 'model_id')), kind };
}

function isLineNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= TRACE_LIMITS.lineNumber;
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function field(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string, unknown>)[name];
}
